from typing import Any

import httpx
import pytest

from service.running import Service
from tests.service.http.tables import Table, guest, problem

DRAW = {"type": "draw"}


async def turn(game: Table) -> int:
    seat: int = (await game.view())["to_act"]
    return seat


async def discard(game: Table, seat: int) -> dict[str, Any]:
    """Some discard that the seat can make once it has drawn."""
    holding = (await game.view(seat))["holdings"][seat]["cards"]
    return {"type": "discard", "cards": [next(card for card in holding if card[0] in "456789TJQKA")]}


async def test_a_move_is_answered_with_the_callers_view(game: Table) -> None:
    seat = await turn(game)
    before = await game.view(seat)
    answer = await game.move(DRAW)
    assert answer.status_code == 201
    view = answer.json()
    assert answer.headers["etag"] == f'"{view["version"]}"'
    assert answer.headers["cache-control"] == "no-store"
    assert view["version"] == before["version"] + 1
    assert view["seat"] == seat
    assert view["phase"] == "play"
    assert view["holdings"][seat]["count"] == before["holdings"][seat]["count"] + 2
    assert view == await game.view(seat)


async def test_a_turn_is_two_requests(game: Table) -> None:
    seat = await turn(game)
    await game.move(DRAW)
    view = (await game.move([await discard(game, seat)], seat)).json()
    assert view["to_act"] == (seat + 1) % 4
    following = (seat + 1) % 4
    await game.move(DRAW)
    body = {"moves": [await discard(game, following)], "expected_version": view["version"] + 1}
    assert (await game.move(body, following)).json()["to_act"] == (seat + 2) % 4


async def test_a_refusal_has_the_rule_books_code(game: Table) -> None:
    seat = await turn(game)
    document = problem(await game.move(DRAW, (seat + 1) % 4), "not_your_turn")
    assert document["status"] == 422
    assert document["params"] == {"turn": seat}
    assert "at" not in document
    problem(await game.move({"type": "discard", "cards": ["4S"]}), "must_begin_turn")
    problem(await game.move({"type": "answer", "yes": True}), "no_question")


async def test_a_list_names_the_move_that_is_refused_and_does_nothing(game: Table) -> None:
    seat = await turn(game)
    await game.move(DRAW)
    before = await game.get(seat=seat)
    answer = await game.move([await discard(game, seat), DRAW], seat)
    document = problem(answer, "not_your_turn")
    assert document["at"] == 1
    assert (await game.get(seat=seat)).content == before.content


async def test_a_list_that_would_look_at_the_stock_is_malformed(game: Table) -> None:
    before = await game.get()
    document = problem(await game.move([DRAW, {"type": "discard", "cards": ["4S"]}]), "malformed_move")
    assert document["params"] == {"field": "moves"}
    assert (await game.get()).content == before.content


@pytest.mark.parametrize(
    ("body", "field", "at"),
    [
        ({}, "type", None),
        ({"type": "fly"}, "type", None),
        ({"type": 5}, "type", None),
        ("draw", "move", None),
        (5, "move", None),
        ({"type": "draw", "more": 1}, "more", None),
        ({"type": "discard", "cards": ["1S"]}, "cards", None),
        ({"type": "discard", "cards": "4S"}, "cards", None),
        ({"type": "discard", "cards": []}, "cards", None),
        ([DRAW, {"type": "meld"}], "new", 1),
        ([DRAW, 7], "move", 1),
        ({"moves": [{"type": "ask", "then": []}]}, "then", None),
        ([], "moves", None),
        ({"moves": []}, "moves", None),
    ],
)
async def test_what_is_no_move_is_malformed(game: Table, body: Any, field: str, at: int | None) -> None:
    document = problem(await game.move(body), "malformed_move")
    assert document["params"] == {"field": field}
    assert document.get("at") == at


@pytest.mark.parametrize(
    "body",
    [
        {"moves": [DRAW], "more": 1},
        {"moves": DRAW},
        {"moves": None},
        {"moves": [DRAW], "expected_version": "1"},
        {"moves": [DRAW], "expected_version": -1},
        {"moves": [DRAW], "expected_version": 10**30},
    ],
)
async def test_what_is_around_the_moves_is_read_strictly(game: Table, body: Any) -> None:
    problem(await game.move(body), "invalid_body")


async def test_a_request_has_64_moves_at_most(game: Table) -> None:
    document = problem(await game.move([DRAW] * 65), "too_many_moves")
    assert document["params"] == {"limit": 64, "found": 65}
    problem(await game.move([DRAW] * 64), "malformed_move")


async def test_a_version_named_must_be_the_present_one(game: Table) -> None:
    version = (await game.view())["version"]
    named: list[tuple[dict[str, Any], Any]] = [
        ({"If_Match": f'"{version - 1}"'}, DRAW),
        ({"If_Match": f'"{version + 1}"'}, DRAW),
        ({}, {"moves": [DRAW], "expected_version": version - 1}),
    ]
    for headers, body in named:
        answer = await game.move(body, **headers)
        assert problem(answer, "stale_version")["params"] == {"current_version": version}
        assert answer.headers["etag"] == f'"{version}"'
    assert (await game.move(DRAW, If_Match=f'"{version}"')).status_code == 201
    seat = (await game.view())["to_act"]
    assert (await game.move([await discard(game, seat)], seat, If_Match=str(version + 1))).status_code == 201


async def test_the_same_key_and_body_give_the_first_answer_again(game: Table) -> None:
    seat = await turn(game)
    first = await game.move(DRAW, seat, Idempotency_Key="k1")
    again = await game.move(DRAW, seat, Idempotency_Key="k1")
    assert (again.status_code, again.content, again.headers["etag"]) == (201, first.content, first.headers["etag"])
    await game.move([await discard(game, seat)], seat)
    later = await game.move(DRAW, seat, Idempotency_Key="k1")
    assert later.content == first.content
    problem(await game.move({"type": "resign"}, seat, Idempotency_Key="k1"), "idempotency_key_reused")
    other = (seat + 1) % 4
    assert (await game.move(DRAW, other, Idempotency_Key="k1")).status_code == 201


async def test_a_refused_command_leaves_its_key_free(game: Table) -> None:
    seat = await turn(game)
    problem(await game.move({"type": "discard", "cards": ["4S"]}, seat, Idempotency_Key="k"), "must_begin_turn")
    assert (await game.move(DRAW, seat, Idempotency_Key="k")).status_code == 201


async def test_a_dry_run_changes_nothing_and_tells_nothing_of_the_stock(game: Table) -> None:
    seat = await turn(game)
    before = await game.get(seat=seat)
    answer = await game.move(DRAW, query="?dry_run=true")
    assert answer.status_code == 200
    assert answer.json() == {
        "version": before.json()["version"],
        "accepted": True,
        "events": [{"type": "drew", "seat": seat, "cards": 2}],
    }
    assert (await game.get(seat=seat)).content == before.content
    problem(await game.move(DRAW, (seat + 1) % 4, "?dry_run=true"), "not_your_turn")
    problem(await game.move(DRAW, seat, "?dry_run=true", If_Match='"1"'), "stale_version")
    await game.move(DRAW)
    thrown = await discard(game, seat)
    assert (await game.move(thrown, seat, "?dry_run=true")).json()["events"] == [
        {"type": "discarded", "seat": seat, "cards": thrown["cards"]}
    ]


async def test_legal_moves_are_for_ones_own_seat(game: Table) -> None:
    seat = await turn(game)
    own = (await game.get("/legal_moves", seat=seat)).json()
    assert own["seat"] == seat
    assert own["draw"]["possible"]
    other = (await game.get("/legal_moves", seat=(seat + 1) % 4)).json()
    assert other["reason"]["code"] == "not_your_turn"


async def test_before_the_start_there_is_no_hand_to_play(table: Table, client: httpx.AsyncClient) -> None:
    for query in ("", "?dry_run=true"):
        for move in (DRAW, {"type": "resign"}):
            answer = await table.move(move, 0, query)
            assert problem(answer, "game_not_under_way")["params"] == {"status": "open"}
            assert answer.status_code == 409
    stranger = await guest(client)
    problem(await client.post(f"{table.path}/moves", json=DRAW, headers=stranger), "game_not_found")
    legal = (await table.get("/legal_moves")).json()
    assert (legal["reason"]["code"], legal["resign"]) == ("hand_over", False)


async def test_after_the_end_there_is_nothing_to_play(game: Table) -> None:
    ended = (await game.move({"type": "resign"}, 2)).json()
    assert ended["status"] == "ended"
    assert ended["seat"] == 2
    assert ended["revealed"]
    assert ended["winners"] == [1]
    assert all(holding["cards"] is not None for holding in ended["holdings"])
    problem(await game.move(DRAW, 1), "game_over")


async def test_the_own_seat_stays_in_the_view_after_the_end(game: Table) -> None:
    await game.move({"type": "resign"}, 2)
    for seat in range(4):
        shown = (await game.get(seat=seat)).json()
        assert shown["seat"] == seat
        assert shown["view"]["seat"] == seat
        assert all(holding["cards"] is not None for holding in shown["view"]["holdings"])
    watched = (await game.get(f"?code={game.code}", seat=None)).json()
    assert watched["view"]["seat"] is None


async def test_refusals_are_counted_by_code(game: Table, service: Service) -> None:
    await game.move({"type": "discard", "cards": ["4S"]})
    assert b'meldhouse_refusals_total{code="must_begin_turn"} 1.0' in service.metrics.text()
    assert b"meldhouse_events_total " in service.metrics.text()
