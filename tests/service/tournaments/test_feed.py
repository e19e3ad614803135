"""The feed of ended games and the timers that it sets: whatever is heard, or not heard, is looked at by some worker."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from domain.tournaments.clocks import text
from domain.tournaments.formats import Danish
from domain.tournaments.terms import Pace
from service.tournaments import feed as feed_module
from service.tournaments.feed import Feed
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, terms_of

WORK = "select count(*) from deadline where game = $1 and kind = 'work'"
CURSOR = "select sum(position) from feed_cursor where consumer = 'tournaments'"


@pytest.fixture
async def resting(hall: Hall) -> Hall:
    """A hall in which nobody looks after anything: a game has ended, and no timer says so."""
    live = await hall.begin(terms_of(Danish(rounds=1)), 4)
    games = await hall.dealt(live)
    await hall.rest()
    await hall.pool.execute("delete from deadline")
    await hall.resign(games[0])
    return hall


async def tournament_of(hall: Hall) -> str:
    tournament: str = await hall.pool.fetchval("select id from tournament")
    return tournament


async def test_the_end_of_a_game_sets_a_timer_of_its_tournament_once(resting: Hall) -> None:
    tournament = await tournament_of(resting)
    feed = Feed(resting.pool)
    assert (await feed.look()).tournaments == {tournament}
    assert await resting.pool.fetchval(WORK, tournament) == 1
    assert (await feed.look()).tournaments == frozenset()


async def test_two_who_read_the_feed_take_an_end_once(resting: Hall) -> None:
    heard = await asyncio.gather(*(Feed(resting.pool).look() for _ in range(4)))
    assert sorted(len(each.tournaments) for each in heard) == [0, 0, 0, 1]


async def test_what_was_read_and_not_noted_is_read_again(resting: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who dies between the timers and the cursor has done nothing."""
    tournament = await tournament_of(resting)
    before = await resting.pool.fetchval(CURSOR)
    monkeypatch.setattr(feed_module, "_MOVE", "select 1 / 0 from unnest($1::smallint[], $2::bigint[]) limit 1")
    with pytest.raises(Exception, match="refused"):
        await Feed(resting.pool).look()
    assert await resting.pool.fetchval(WORK, tournament) == 0
    assert await resting.pool.fetchval(CURSOR) == before
    monkeypatch.undo()
    assert (await Feed(resting.pool).look()).tournaments == {tournament}


async def test_the_end_of_a_game_brings_a_timer_that_is_leased_back(resting: Hall) -> None:
    """A worker that has claimed the timer may have looked before the game ended."""
    tournament = await tournament_of(resting)
    await resting.pool.execute(
        "insert into deadline values ($1, 'work', 3, now() + interval '1 hour', now() + interval '1 hour')", tournament
    )
    await Feed(resting.pool).look()
    row = await resting.pool.fetchrow("select * from deadline where kind = 'work'")
    assert row["leased_until"] is None
    assert row["due_at"] <= datetime.now(UTC)


async def test_an_overdue_timer_is_set_anew_by_the_end_of_a_game(resting: Hall) -> None:
    """Whoever looked before the game had ended takes away what was due before that."""
    tournament = await tournament_of(resting)
    await resting.pool.execute("insert into deadline values ($1, 'work', 3, now() - interval '1 hour')", tournament)
    looked_at = await resting.pool.fetchval("select clock_timestamp()")
    await Feed(resting.pool).look()
    assert await resting.pool.fetchval("select due_at from deadline where kind = 'work'") > looked_at


async def test_every_tournament_under_way_is_looked_at_now_and_then(resting: Hall) -> None:
    tournament = await tournament_of(resting)
    await Feed(resting.pool).sweep()
    assert await resting.pool.fetchval(WORK, tournament) == 1
    await resting.pool.execute("delete from deadline")
    await resting.pool.execute("update tournament set status = 'finished', rated_version = version")
    await Feed(resting.pool).sweep()
    assert await resting.pool.fetchval(WORK, tournament) == 1, "a game of it is still being played"
    await resting.pool.execute("delete from deadline")
    await resting.pool.execute("update tournament_game set told = 'result'")
    await Feed(resting.pool).sweep()
    assert await resting.pool.fetchval(WORK, tournament) == 0


async def test_how_long_an_end_waits_is_measured(resting: Hall, open_hall: Open) -> None:
    await resting.pool.execute("update game set finished_at = now() - interval '90 seconds' where status = 'ended'")
    assert 89 < await Feed(resting.pool).lag() < 120
    others = await open_hall(1)
    live = await others.service.tournaments.find(await tournament_of(resting))
    await others.settle(live)
    assert await Feed(resting.pool).lag() == 0


async def test_the_timer_of_the_start_comes_with_the_event_that_settles_it(hall: Hall) -> None:
    """Whoever announces a tournament may be gone the moment after."""
    await hall.rest()
    starts_at = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    live = await hall.announce(terms_of(Danish(rounds=1), pace=Pace(starts_at=text(starts_at))))
    rows = await hall.pool.fetch("select kind, version, due_at from deadline where game = $1", live.id)
    timers = {row["kind"]: (row["version"], row["due_at"]) for row in rows}
    # Registration is open with the announcement, and the next moment is the start.
    assert timers.keys() == {"work", "process"}
    assert timers["process"] == (2, starts_at)
