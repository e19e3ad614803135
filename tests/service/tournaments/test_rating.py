"""What the ratings hear of a tournament: every match once, rulings again, forfeits where there was play to give up."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain.tournaments.acts import Disqualify, Forfeit, Rule
from domain.tournaments.directing import decide
from domain.tournaments.formats import Danish
from domain.tournaments.seating import Adjustment
from domain.tournaments.terms import Pace
from service.tournaments.rating import Rating, results_changed
from tests.service.tournaments.hall import ORGANISER, Hall, eventually, terms_of

RESULTS = "select revision, ranks, rated from rated_result where key = $1 order by revision"
ALL_RATED = "select rated from rated_result"
VOID = Adjustment(kind="void")


class Interrupted:
    """A pool after whose first answer something happens."""

    def __init__(self, pool: Any, happens: Callable[[], Awaitable[object]]) -> None:
        self._pool = pool
        self._happens = happens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    async def fetchval(self, query: str, *arguments: object) -> Any:
        found = await self._pool.fetchval(query, *arguments)
        await self._happens()
        return found


async def test_the_ratings_hear_of_a_match_once_and_of_a_ruling_again(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    await hall.resign(game, seat=1)
    await hall.until(live, lambda state: state.status == "finished")
    await hall.settle(live)
    key = f"match/{live.id}/{game.match}"
    (row,) = await hall.pool.fetch(RESULTS, key)
    assert (row["ranks"], row["rated"]) == ([1, 2] if game.side_of[0] == 0 else [2, 1], True)
    await hall.settle(live)
    assert len(await hall.pool.fetch(RESULTS, key)) == 1
    await hall.act(live, Rule(match=game.match, adjustment=VOID, reason="scoring_error"))
    await hall.settle(live)
    again = await hall.pool.fetch(RESULTS, key)
    assert [row["rated"] for row in again] == [True, False]
    assert await hall.pool.fetchval("select rated_version = version from tournament")


async def test_a_ruling_that_comes_while_another_one_is_told_is_told_too(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    await hall.resign(game, seat=1)
    await hall.until(live, lambda state: state.status == "finished")
    await hall.settle(live)
    await hall.rest()
    score = Adjustment(kind="score", score=(100, 1900))
    await hall.act(live, Rule(match=game.match, adjustment=score, reason="scoring_error"))

    async def void() -> None:
        await hall.act(live, Rule(match=game.match, adjustment=VOID, reason="scoring_error"))

    tournaments, ratings = hall.service.tournaments, hall.service.ratings
    await Rating(Interrupted(hall.pool, void), tournaments, ratings).hand_over(live, live.state)  # type: ignore[arg-type]
    await Rating(hall.pool, tournaments, ratings).hand_over(live, live.state)
    rows = await hall.pool.fetch(RESULTS, f"match/{live.id}/{game.match}")
    assert rows[-1]["rated"] is False


async def test_a_match_that_nobody_played_is_not_rated(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1), pace=Pace(pause_seconds=0)), 2)
    (game,) = await hall.dealt(live)
    await hall.act(live, Disqualify(entrant=game.entrants[0], reason="conduct"))
    await hall.settle(live)
    assert (await hall.service.games.fresh(game.game)).state.table.status == "ended"

    async def told() -> bool:
        return [row["rated"] for row in await hall.pool.fetch(ALL_RATED)] == [False]

    await eventually(told)


@pytest.mark.parametrize(("gone", "rated"), [(True, True), (False, False)])
async def test_a_forfeit_is_rated_against_who_had_discarded_and_not_against_who_never_came(
    hall: Hall, gone: bool, rated: bool
) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    seat = await hall.play_turn(game)
    loser = game.entrants[seat if gone else 1 - seat]
    side = next(side for side, each in enumerate(live.state.matches[game.match].paired.sides) if loser in each)
    act = Forfeit(match=game.match, entrants=(loser,), reason="absence")
    before, _, after = await hall.service.tournaments.preview(
        live, lambda state, now, draw: decide(state, act, ORGANISER, now, draw)
    )
    (told,) = results_changed(before, after, [])
    previewed = await hall.service.ratings.preview_match(told)
    assert {each.subject for each in previewed} == ({*game.players} if rated else set())
    await hall.act(live, act)
    await hall.settle(live)
    (row,) = await hall.pool.fetch("select ranks, rated from rated_result")
    assert (row["ranks"][side], row["ranks"][1 - side], row["rated"]) == (2, 1, rated)


async def test_a_match_that_both_sides_forfeit_is_not_rated(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    await hall.play_turn(game)
    await hall.play_turn(game)
    await hall.act(live, Forfeit(match=game.match, entrants=game.entrants, reason="conduct"))
    await hall.settle(live)
    assert [row["rated"] for row in await hall.pool.fetch(ALL_RATED)] == [False]
