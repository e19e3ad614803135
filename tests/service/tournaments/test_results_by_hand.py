"""What a director records of a match that is still being played."""

from typing import Any

import pytest

from domain.tournaments.acts import Act, Adjudicate, Pair, RecordResult, StartRound
from domain.tournaments.formats import Danish
from domain.tournaments.given import Given
from domain.tournaments.terms import Boards, Pace
from service.tournaments.feed import Feed
from service.tournaments.match_games import MatchGames
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, eventually, terms_of


@pytest.mark.parametrize("boards", [None, Boards()], ids=["deals of their own", "boards"])
@pytest.mark.parametrize("kind", [Adjudicate, RecordResult])
async def test_a_game_ends_when_a_director_has_recorded_its_result(
    hall: Hall, kind: type[Act], boards: Boards | None
) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1), boards=boards), 4)
    first, second = await hall.dealt(live)
    await hall.play_hand(second)
    await hall.settle(live)
    if kind is Adjudicate:
        lies = await hall.service.manager.as_it_lies(live.id, first.match, first.table, 1)
        act: Act = Adjudicate(match=first.match, table=first.table, reason="other")
        await hall.act(live, act, given=Given(game=lies))
    else:
        await hall.act(live, RecordResult(match=first.match, table=first.table, hands=((500, 100),)))
    state = await hall.until(live, lambda state: state.revealed)
    await hall.settle(live)
    assert len(state.matches[first.match].results) == 1

    async def shown() -> bool:
        table = (await hall.service.games.fresh(first.game)).state.table
        return (table.status, table.revealed) == ("ended", True)

    # The deals of boards are revealed by a timer that is due at once, whichever worker takes it up.
    await eventually(shown)
    assert not await hall.pool.fetch("select id from game where status <> 'ended' or sealed_until > now()")


async def test_a_result_that_is_recorded_while_its_game_is_made_is_noted_with_the_game(
    open_hall: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = await open_hall(2)
    first, second = hall.workers
    live = await hall.begin(terms_of(Danish(rounds=1), pace=Pace(automatic=False)), 4)
    create = MatchGames.create
    recorded: list[str] = []

    async def overtaken(self: MatchGames, state: Any, master: bytes, wanted: Any) -> bool:
        if not recorded:
            recorded.append(wanted.game)
            act = RecordResult(match=wanted.match, table=wanted.table, hands=((500, 100),))
            await hall.act(live, act, second)
        return await create(self, state, master, wanted)

    monkeypatch.setattr(MatchGames, "create", overtaken)
    await hall.act(live, Pair(), first)
    await hall.act(live, StartRound(round=1), first)
    for service in (*hall.workers, first):
        await hall.settle(live, service)
    row = "select g.status, t.told from tournament_game t join game g on g.id = t.game where t.game = $1"
    assert tuple(await hall.pool.fetchrow(row, recorded[0])) == ("ended", "result")
    assert await Feed(hall.pool).lag() == 0
