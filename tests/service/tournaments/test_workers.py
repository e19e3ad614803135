"""Several workers, some of them killed: one round, one table an entrant, one result a game (O37, O38)."""

import asyncio
import os
import signal
import sys
import time
from typing import Any

import pytest
from msgspec.structs import replace

from domain.tournaments.acts import Pair, StartRound
from domain.tournaments.formats import Danish
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.round_events import RoundPaired
from domain.tournaments.terms import Pace
from service.settings import Settings, SettingsFault
from service.tournaments import manager
from service.tournaments.rating import Rating
from tests.service.tournaments.checks import assert_sound
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import SECONDS_MAX, Hall, terms_of

ROUNDS = 2
ENTRANTS = 8


async def dying_worker(settings: Settings, moment: str) -> asyncio.subprocess.Process:
    """A worker process that dies at a moment of its work."""
    own = {
        "DATABASE_URL": settings.database_url or "",
        "REDIS_URL": settings.redis_url or "",
        "MELDHOUSE_STATE_DIR": str(settings.state_dir),
    }
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.service.tournaments.dying", moment, env=os.environ | own
    )


async def killed_worker(settings: Settings, moment: str) -> None:
    """Wait until a worker has died at a moment of its work."""
    process = await dying_worker(settings, moment)
    async with asyncio.timeout(SECONDS_MAX):
        assert await process.wait() == -signal.SIGKILL


async def test_two_workers_play_a_tournament(open_hall: Open) -> None:
    hall = await open_hall(2)
    live = await hall.begin(terms_of(Danish(rounds=ROUNDS)), ENTRANTS)
    for number in range(1, ROUNDS + 1):
        await hall.until(live, lambda state, number=number: number in state.rounds)  # type: ignore[misc]
        await hall.play_round(live)
    state = await hall.until(live, lambda state: state.revealed)
    assert state.status == "finished"
    assert len(state.rounds) == ROUNDS
    await assert_sound(hall, live)


async def test_a_round_asked_for_twice_at_once_is_made_once(open_hall: Open) -> None:
    hall = await open_hall(3)
    live = await hall.begin(terms_of(Danish(rounds=ROUNDS), pace=Pace(automatic=False)), ENTRANTS)
    outcomes = await asyncio.gather(
        *(hall.act(live, Pair(), service) for service in hall.workers * 2), return_exceptions=True
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert all(isinstance(outcome, TournamentRefused) for outcome in refused), refused
    assert len(outcomes) - len(refused) == 1
    started = await asyncio.gather(
        *(hall.act(live, StartRound(round=1), service) for service in hall.workers), return_exceptions=True
    )
    assert sum(not isinstance(outcome, BaseException) for outcome in started) == 1
    await asyncio.gather(*(hall.settle(live, service) for service in hall.workers))
    happened = await assert_sound(hall, live)
    assert sum(isinstance(event, RoundPaired) for event in happened) == 1
    assert await hall.pool.fetchval("select count(*) from tournament_game") == ENTRANTS / 2


@pytest.mark.parametrize("moment", ["game", "results", "step"])
async def test_a_worker_killed_in_between_leaves_nothing_double_and_nothing_out(
    open_hall: Open, settings: Settings, moment: str
) -> None:
    hall = await open_hall(1)
    live = await hall.begin(terms_of(Danish(rounds=ROUNDS)), ENTRANTS)
    if moment == "game":
        # The next round is dealt by the one that dies over its first game.
        await hall.rest()
        await hall.play_round(live)
        await killed_worker(settings, "game")
        assert await hall.pool.fetchval("select count(*) from tournament_game where round = 2") == 1
    else:
        await hall.rest()
        await hall.play_round(live)
        await killed_worker(settings, moment)
    others = await open_hall(2)
    await others.until(live, lambda state: 2 in state.rounds)
    await others.play_round(live)
    state = await others.until(live, lambda state: state.revealed)
    assert len(state.rounds) == ROUNDS
    await assert_sound(others, live)


async def test_workers_and_a_dying_one_at_the_same_time(open_hall: Open, settings: Settings) -> None:
    """Two workers and the director make the next round while a third dies in the middle of it."""
    hall = await open_hall(1)
    live = await hall.begin(terms_of(Danish(rounds=ROUNDS)), ENTRANTS)
    await hall.rest()
    await hall.play_round(live)
    others, _ = await asyncio.gather(open_hall(2), _until_dead(settings))
    await others.until(live, lambda state: 2 in state.rounds)
    await others.play_round(live)
    await others.until(live, lambda state: state.revealed)
    await assert_sound(others, live)


async def test_what_is_heard_during_a_look_keeps_its_timer(open_hall: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker pairs the round while this one is about to rest, and dies: somebody has to start it."""
    hall = await open_hall(2)
    first, second = hall.workers
    live = await hall.begin(terms_of(Danish(rounds=ROUNDS), pace=Pace(automatic=False)), ENTRANTS)
    await hall.settle(live, first)
    await hall.settle(live, second)
    await hall.rest()
    hand_over = Rating.hand_over

    async def heard(self: Rating, *arguments: Any) -> int:
        if 1 not in (await hall.fresh(live)).rounds:
            await hall.act(live, Pair(), second)
            await hall.fresh(live, first)
        return await hand_over(self, *arguments)

    monkeypatch.setattr(Rating, "hand_over", heard)
    reconciling = first.manager._reconciling
    await reconciling.reconcile(live.id)
    assert 1 in (await hall.fresh(live, first)).rounds
    work = "select version from deadline where game = $1 and kind = 'work'"
    assert await hall.pool.fetchval(work, live.id) == (await hall.fresh(live)).version
    monkeypatch.undo()
    await reconciling.reconcile(live.id)
    assert await hall.pool.fetchval(work, live.id) is None


async def test_a_worker_with_the_fewest_connections_looks_after_several_tournaments(settings: Settings) -> None:
    """A turn holds one connection, and what is done in it needs another one."""
    fewest = 4
    with pytest.raises(SettingsFault):
        Settings.from_env({"MELDHOUSE_DATABASE_CONNECTIONS_MAX": str(fewest - 1)})
    hall = await Hall.open(replace(settings, database_connections_max=fewest, database_wait_seconds=10.0))
    try:
        several = [await hall.announce(terms_of(Danish(rounds=1))) for _ in range(4)]
        async with asyncio.timeout(SECONDS_MAX):
            for _ in range(5):
                await asyncio.gather(*(hall.settle(live) for live in several))
    finally:
        await hall.close()


async def test_a_worker_that_hangs_with_the_turn_is_waited_for_once(
    open_hall: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manager, "TURN_SECONDS", 1.0)
    hall = await open_hall(1)
    live = await hall.begin(terms_of(Danish(rounds=ROUNDS), pace=Pace(automatic=False)), ENTRANTS)
    await hall.settle(live)
    async with hall.pool.acquire() as hanging:
        await hanging.execute("select pg_advisory_lock($1, hashtext($2))", manager.LOCK_SPACE, live.id)
        took = []
        for act in (Pair(), StartRound(round=1)):
            await hall.act(live, act)
            begun = time.monotonic()
            await hall.settle(live)
            took.append(time.monotonic() - begun)
        assert took[1] < 0.8 < took[0], took
        assert await hall.pool.fetchval("select count(*) from tournament_game") == ENTRANTS / 2
    await hall.settle(live)
    await assert_sound(hall, live)


async def _until_dead(settings: Settings) -> None:
    """A worker that dies after a game, if one is left for it to make."""
    process = await dying_worker(settings, "game")
    try:
        async with asyncio.timeout(5):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


async def test_a_game_that_ends_while_nobody_listens_counts(open_hall: Open) -> None:
    """O38: what reads the feed stands still during the last game of the last round, and goes on afterwards."""
    hall = await open_hall(2)
    live = await hall.begin(terms_of(Danish(rounds=1)), ENTRANTS)
    games = await hall.dealt(live)
    await hall.rest()
    winners = set()
    for number, game in enumerate(games):
        await hall.resign(game, seat=number % 2, service=hall.workers[number % 2])
        winners.add(game.entrants[1 - number % 2])
    assert not any(match.decided for match in (await hall.fresh(live)).matches_of(1))
    again = await open_hall(1)
    state = await again.until(live, lambda state: state.status == "finished")
    assert {*state.order[: ENTRANTS // 2]} == winners
    await assert_sound(again, live)
