"""Practice games: from a seed, from decks, from a position; marked as such for ever."""

from typing import Any

import httpx
import msgspec

from domain.cards import pack
from domain.shuffle import deck, shuffle
from tests.service.http.tables import Table, guest, problem

SEED = "00ff" * 8


async def dealt(table: Table, number: int = 1) -> dict[str, Any]:
    events = (await table.get("/events?limit=1000")).json()["events"]
    found: dict[str, Any] = [event for event in events if event["type"] == "dealt"][number - 1]
    return found


async def test_the_same_seed_gives_the_same_deals(client: httpx.AsyncClient) -> None:
    tables = [await Table.of(client, practice={"kind": "seed", "seed": SEED}) for _ in range(2)]
    deals = []
    for table in tables:
        assert (await table.start())["practice"]
        await table.play(10)
        await table.move({"type": "resign"}, 0)
        deals.append((await dealt(table))["deck"])
    assert deals[0] == deals[1]


async def test_given_decks_are_dealt_in_turn(client: httpx.AsyncClient) -> None:
    decks = [shuffle(bytes([number]), pack(3, 6)) for number in range(2)]
    table = await Table.of(client, practice={"kind": "decks", "decks": decks, "dealer": 2})
    started = await table.start()
    assert started["view"]["dealer"] == 2
    view = await table.play(600)
    assert view["end_reason"] == "adjudicated"
    assert view["hand"] == 2
    assert [(await dealt(table, number))["deck"] for number in (1, 2)] == decks
    assert (await table.get("/verification")).json()["ok"]


async def test_a_game_begins_from_a_position(client: httpx.AsyncClient) -> None:
    position = {
        "ruleset": "samba-official", "players": 4, "turn": 1, "phase": "draw", "scores": [0, -5],
        "holdings": [11, ["KS", "KH", "8D", "4C"], 11, 11], "pile": ["5H", "KD"], "stock": {"count": 40},
    }  # fmt: skip
    table = await Table.of(client, practice={"kind": "position", "position": position})
    started = await table.start()
    assert started["view"]["to_act"] == 1
    assert started["view"]["upcard"] == "KD"
    assert started["view"]["origin"] == {"kind": "position", "game": None, "n": None}
    view = await table.view(1)
    assert view["holdings"][1]["cards"] == ["KS", "KH", "8D", "4C"]
    assert view["holdings"][0]["cards"] is None
    answer = await table.move({"type": "take_pile", "with": ["KS", "KH"]}, 1)
    assert answer.status_code == 201, answer.text
    for seat in (0, 1):
        text = (await table.get("/events", seat=seat)).text
        placed = msgspec.json.decode(text)["events"][-2]
        assert placed["type"] == "placed"
        assert "next" not in placed["position"]["stock"]


async def test_nothing_tells_the_seed_before_the_end(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, practice={"kind": "seed", "seed": SEED})
    await table.start()
    shown = [(await table.get(path)).text for path in ("", "/events", "/legal_moves")]
    assert not any(SEED in text for text in shown)
    order = deck(bytes.fromhex(SEED), 3, 6)
    assert not any("".join(order[:10]) in text for text in shown)
    await table.move({"type": "resign"}, 0)
    events = (await table.get("/events")).json()["events"]
    assert events[0]["origin"] == {"kind": "seed", "seed": SEED}
    assert events[-1]["type"] == "game_ended"
    listed = (await client.get("/v1/games?mine=true&practice=true", headers=table.seats[0])).json()["games"]
    assert [game["id"] for game in listed] == [table.id]


async def test_an_impossible_position_is_refused_with_every_fault(client: httpx.AsyncClient) -> None:
    position = {"ruleset": "samba-official", "players": 4, "turn": 9, "pile": ["JK"] * 7, "colour": 1}
    body = {"players": 4, "practice": {"kind": "position", "position": position}}
    document = problem(await client.post("/v1/games", json=body, headers=await guest(client)), "origin_invalid")
    assert {fault["key"] for fault in document["faults"]} >= {"turn", "colour"}
