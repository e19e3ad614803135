"""Clocks of rounds, as the tables feel them: hands that may not begin, hands that are broken off."""

from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from domain.tournaments.acts import CallTime, ChangeClock
from domain.tournaments.clocks import text
from domain.tournaments.formats import Danish
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.terms import Pace, Terms
from tests.service.tournaments.checks import assert_sound
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, terms_of


def timed(end: Literal["finish_hand", "score_position", "drop_hand"], hands: int = 3) -> Terms:
    match = MatchTerms(length=FixedHands(hands), minutes=30, last_hand_minutes=10, end_of_time=end)
    return terms_of(Danish(rounds=1), match=match, pace=Pace(pause_seconds=0))


async def test_no_hand_begins_in_the_last_minutes(open_hall: Open) -> None:
    """The clock is moved while the other worker has the game in memory, and no bell tells it."""
    hall = await open_hall(2)
    first, second = hall.workers
    live = await hall.begin(timed("finish_hand"), 2)
    (game,) = await hall.dealt(live)
    assert (await hall.play_hand(game, second)).hand == 2
    # Twenty minutes less: within the last ten of them no hand begins.
    due = datetime.now(UTC) + timedelta(minutes=9)
    await hall.act(live, ChangeClock(round=1, due_at=text(due)), first)
    await hall.settle(live, first)
    ended = await hall.play_hand(game, second)
    assert (ended.table.status, ended.hand, ended.end_reason) == ("ended", 2, "adjudicated")
    state = await hall.until(live, lambda state: state.status == "finished")
    (result,) = state.matches["r1m1"].results
    assert (result.reason, len(result.hands)) == ("time", 2)
    assert result.points == tuple(map(sum, zip(*result.hands, strict=True)))
    await assert_sound(hall, live)


async def test_an_extension_lets_another_hand_begin(open_hall: Open) -> None:
    hall = await open_hall(2)
    first, second = hall.workers
    live = await hall.begin(timed("finish_hand", hands=2), 2)
    (game,) = await hall.dealt(live)
    await hall.act(live, ChangeClock(round=1, due_at=text(datetime.now(UTC) + timedelta(minutes=9))), first)
    await hall.settle(live, first)
    await second.games.find(game.game)
    await hall.act(live, ChangeClock(round=1, due_at=text(datetime.now(UTC) + timedelta(minutes=20))), first)
    await hall.settle(live, first)
    assert (await hall.play_hand(game, second)).hand == 2
    assert (await hall.play_hand(game, second)).end_reason == "hand_cap"


@pytest.mark.parametrize(("end", "reason", "hands"), [("score_position", "position", 2), ("drop_hand", "time", 1)])
async def test_a_hand_is_broken_off_when_time_is_called(
    hall: Hall, end: Literal["score_position", "drop_hand"], reason: str, hands: int
) -> None:
    live = await hall.begin(timed(end), 2)
    (game,) = await hall.dealt(live)
    await hall.play_hand(game)
    lying = await hall.service.manager.as_it_lies(live.id, game.match, game.table, game.leg)
    await hall.act(live, CallTime(round=1))
    state = await hall.until(live, lambda state: state.status == "finished")
    (result,) = state.matches["r1m1"].results
    assert (result.reason, len(result.hands)) == (reason, hands)
    assert lying is not None
    assert lying.hands[: len(result.hands)] == result.hands
    ended = (await hall.service.games.fresh(game.game)).state
    assert (ended.table.status, ended.end_reason, ended.table.revealed) == ("ended", "adjudicated", True)
    await assert_sound(hall, live)


async def test_time_called_early_lets_the_hand_in_play_be_the_last(hall: Hall) -> None:
    live = await hall.begin(timed("finish_hand"), 2)
    (game,) = await hall.dealt(live)
    await hall.act(live, CallTime(round=1))
    await hall.settle(live)
    assert (await hall.fresh(live)).status == "running"
    assert (await hall.play_hand(game)).end_reason == "adjudicated"
    state = await hall.until(live, lambda state: state.status == "finished")
    assert [result.reason for result in state.matches["r1m1"].results] == ["time"]


async def test_a_start_is_a_timer_that_any_worker_takes_up(open_hall: Open) -> None:
    """The worker that took the entries is gone when the time has come."""
    hall = await open_hall(1)
    starts_at = datetime.now(UTC) + timedelta(seconds=8)
    live = await hall.announce(terms_of(Danish(rounds=1), pace=Pace(starts_at=text(starts_at), pause_seconds=0)))
    await hall.until(live, lambda state: state.status == "registration")
    await hall.enter(live, 4)
    await hall.rest()
    others = await open_hall(2)
    state = await others.until(live, lambda state: 1 in state.rounds and state.rounds[1].status == "started")
    assert datetime.now(UTC) >= starts_at - timedelta(seconds=1)
    assert [round_.number for round_ in state.rounds.values()] == [1]
    await others.dealt(live)
    await assert_sound(others, live)
