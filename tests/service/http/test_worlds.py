"""Two worlds that differ only in cards that a viewer may not know: every byte that the viewer gets is the same (N1)."""

import re
from typing import Any

import httpx
import pytest

from tests.service.http.tables import Headers, Table

OWN = ["KS", "KH", "8D", "8C", "4C", "7H", "JK"]
SECOND = ["5C", "9D", "QH", "3S"]
POSITION: dict[str, Any] = {
    "ruleset": "samba-official", "players": 4, "turn": 1, "phase": "draw", "scores": [0, -5], "pile": ["5H", "6D"],
}  # fmt: skip
WORLDS: list[dict[str, Any]] = [
    {
        "holdings": [OWN, [*SECOND, "AS", "AH"], ["TS", "TH", "TD", "8H"], ["2C", "2D", "4S"]],
        "stock": {"count": 60, "next": ["9S", "9H", "6S", "6H", "JS", "JH", "9D", "4H"]},
    },
    {
        "holdings": [OWN, [*SECOND, "2S", "9C"], ["7S", "JK", "QD", "8H"], ["AS", "4D", "4S"]],
        "stock": {"count": 60, "next": ["AD", "5S", "2H", "KD", "8S", "TC", "QC", "5D"]},
    },
]
NORMAL = (
    (re.compile(r"g[0-9a-f]{32}"), "GAME"),
    (re.compile(r"p[0-9a-f]{20}"), "PLAYER"),
    (re.compile(r"code=[\w-]{16}"), "code=CODE"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "TIME"),
    (re.compile(r'"(hash|prev)":"[0-9a-f]{64}"'), r'"\1":"HASH"'),
    (re.compile(r"request:[0-9a-f]+-\d+"), "request:ID"),
)


def normal(text: str) -> str:
    """The text without what is drawn at random for each game and each request."""
    for pattern, word in NORMAL:
        text = pattern.sub(word, text)
    return text


async def seen(table: Table, headers: Headers) -> list[tuple[int, str, str]]:
    """Everything that a viewer can get of a game: status, entity tag and body of each answer."""
    code = "" if headers else f"?code={table.code}"
    found = []
    for path, accept in (
        ("", ""), ("/legal_moves", ""), ("/events", ""), ("/events", "application/x-ndjson"), ("/record", ""),
        ("/verification", ""), ("/nothing", ""),
    ):  # fmt: skip
        answer = await table.client.get(f"{table.path}{path}{code}", headers=headers | {"Accept": accept})
        found.append((answer.status_code, answer.headers.get("etag", ""), normal(answer.text)))
    probes: list[Any] = [
        {"type": "draw"}, {"type": "take_pile", "with": ["KS", "KH"]}, {"type": "discard", "cards": ["4C"]},
        {"type": "discard", "cards": ["9S"]}, {"type": "pass"}, {"type": "answer", "yes": True},
        [{"type": "draw"}, {"type": "discard", "cards": ["AD"]}], {"type": "meld", "new": [["KS", "KH", "JK"]]},
        {"type": "ask", "then": [{"type": "discard", "cards": ["4C"]}]},
    ]  # fmt: skip
    for probe in probes if headers else ():
        answer = await table.client.post(f"{table.path}/moves?dry_run=true", json=probe, headers=headers)
        found.append((answer.status_code, answer.headers.get("etag", ""), normal(answer.text)))
    return found


@pytest.mark.parametrize("viewer", ["seat", "watcher"])
async def test_hidden_cards_show_in_no_byte(client: httpx.AsyncClient, viewer: str) -> None:
    tables = []
    for world in WORLDS:
        table = await Table.of(client, practice={"kind": "position", "position": POSITION | world})
        await table.start()
        tables.append(table)

    async def compare() -> None:
        one, two = [await seen(table, table.seats[0] if viewer == "seat" else {}) for table in tables]
        assert one == two

    await compare()
    visible: list[tuple[int, Any]] = [
        (1, {"type": "draw"}),
        (1, {"type": "discard", "cards": ["5C"]}),
        (2, {"type": "draw"}),
        (2, {"type": "discard", "cards": ["8H"]}),
        (3, {"type": "draw"}),
        (3, {"type": "discard", "cards": ["4S"]}),
    ]
    for seat, body in visible:
        for table in tables:
            answer = await table.move(body, seat)
            assert answer.status_code == 201, answer.text
        await compare()
    first = (await tables[0].get("/events", seat=2)).text
    second = (await tables[1].get("/events", seat=2)).text
    assert normal(first) != normal(second), "the worlds do differ to those who may know"
