"""A game that is made by a worker that stood still, when its tournament is over already."""

from typing import Any

import pytest

from domain.tournaments.acts import CloseRound, Finish, Pair, RecordResult, StartRound
from domain.tournaments.formats import Danish
from domain.tournaments.terms import Pace
from service.tournaments.match_games import MatchGames
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import eventually, terms_of


class Gone(Exception):
    """The worker does nothing more."""


async def test_a_game_made_after_the_end_by_a_worker_that_dies_of_it_is_ended(
    open_hall: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = await open_hall(2)
    first, second = hall.workers
    live = await hall.begin(terms_of(Danish(rounds=1), pace=Pace(automatic=False)), 2)
    create = MatchGames.create
    made: list[str] = []

    async def overtaken(self: MatchGames, state: Any, master: bytes, wanted: Any) -> bool:
        if made:
            return await create(self, state, master, wanted)
        made.append(wanted.game)
        act = RecordResult(match=wanted.match, table=wanted.table, hands=((500, 100),))
        for each in (act, CloseRound(round=1), Finish()):
            await hall.act(live, each, second)
        for _ in range(3):
            await second.manager._reconciling.reconcile(live.id)
        await create(self, state, master, wanted)
        raise Gone

    await hall.act(live, Pair(), first)
    await hall.settle(live, first)
    monkeypatch.setattr(MatchGames, "create", overtaken)
    await hall.act(live, StartRound(round=1), first)

    async def there() -> bool:
        return bool(await hall.pool.fetchval("select count(*) from game where id = any($1::text[])", made))

    await eventually(there)
    await hall.rest()
    again = await open_hall(1)

    async def over() -> bool:
        row = "select g.status, t.told from tournament_game t join game g on g.id = t.game where t.game = $1"
        return tuple(await again.pool.fetchrow(row, made[0])) == ("ended", "result")

    await eventually(over)
