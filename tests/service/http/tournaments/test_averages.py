"""Averages on single boards, as a director gives them and everybody is told."""

from typing import Any

import httpx

from tests.service.http.tournaments.event import Event, rows, stage_of


async def test_an_average_on_a_board_of_a_match_of_victory_points_is_told_everywhere(client: httpx.AsyncClient) -> None:
    stage = stage_of({"kind": "danish", "rounds": 1}, match={"length": {"kind": "hands", "hands": 2}})
    event = await Event.begun(client, 2, stage, boards={"stock": "striped"})
    match = (await event.begin_round(1))["matches"][0]
    boards = match["boards"]
    ruling: dict[str, Any] = {
        "match": "r1m1",
        "adjustment": {"kind": "average", "average": ["plus", "plus"], "boards": boards[1:]},
        "reason": "technical",
    }
    early = await event.refused("match_wrong_status", "rule", **ruling)
    assert early["params"]["boards"] == boards[1:]
    await event.act("record_result", match="r1m1", table=1, hands=[[500, 200], [0, 80]])
    twice = ruling | {"adjustment": ruling["adjustment"] | {"boards": boards[1:] * 2}}
    assert (await event.refused("adjustment_invalid", "rule", **twice))["params"]["field"] == "boards"
    preview = await event.tried("rule", **ruling)
    # 300 points on the first board, and 420 of their own for both sides on the other.
    assert rows(preview["changes"]["results"], "points_new", "score_new") == [([500, 200], [1284, 1052])]
    shown = await event.shown("/matches/r1m1")
    assert (shown["points"], shown["score"]) == ([500, 200], [1284, 1052])
    assert shown["ruling"]["adjustment"]["boards"] == boards[1:]
    one, other = (side[0] for side in shown["sides"])
    standings = await event.shown("/standings", explain=other)
    assert {row["entrant"]: row["score"] for row in standings["rows"]} == {one: 1284, other: 1052}
    assert f"+420 (board {boards[1]}, plus against plus); margin +120" in str(standings["explained"])
    board = await event.shown(f"/boards/{boards[1]}")
    assert rows(board["tables"], "points", "adjusted") == [(None, ["plus", "plus"])]
    log = await event.shown("/acts", event.director)
    assert f"averages plus, plus on board {boards[1]}, scored 12.84 : 10.52" in str(log)
