"""Rounds whose clocks end at planned times, as those of a league do."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from domain.tournaments.announcing import faults
from domain.tournaments.clocks import text
from domain.tournaments.formats import Ladder, RoundRobin, Swiss
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.process import next_moment
from domain.tournaments.round_events import RoundStarted, TimeCalled
from domain.tournaments.terms import Pace, Stage
from tests.domain.tournaments.directors import Event, event
from tests.domain.tournaments.scenarios import NOON, Desk, by_chance, terms_of

WEEK = timedelta(days=7)
HOUR = timedelta(hours=1)


def league() -> Desk:
    """Three rounds, each until the next one begins; no other clock."""
    starts, ends = ([text(NOON + number * WEEK) for number in range(first, first + 3)] for first in (0, 1))
    pace = Pace(starts_at=starts[0], round_times=tuple(starts[1:]), round_ends=tuple(ends))
    return Desk(terms_of(Stage(format=RoundRobin(), match=MatchTerms(length=FixedHands(2))), pace=pace), 4)


def started(desk: Desk, number: int) -> tuple[str | None, str | None]:
    return desk.state.rounds[number].started_at, desk.state.rounds[number].due_at


def test_a_round_that_overruns_does_not_make_the_season_late() -> None:
    desk = league()
    desk.run_to_start()
    assert started(desk, 1) == (text(NOON), text(NOON + WEEK))
    assert next_moment(desk.state, desk.now + HOUR) == NOON + WEEK
    # Time is called with hands in play, whose results come a little later.
    desk.now = NOON + WEEK
    assert [type(each) for each in desk.step()] == [TimeCalled]
    desk.play(wanted_games(desk.state))
    desk.run_to(RoundStarted)
    assert started(desk, 2) == (text(NOON + WEEK + timedelta(minutes=1)), text(NOON + 2 * WEEK))
    # This one is played in time: the next begins when it was planned.
    desk.play(wanted_games(desk.state))
    desk.run_to(RoundStarted)
    assert started(desk, 3) == (text(NOON + 2 * WEEK), text(NOON + 3 * WEEK))


def by_hand(form: Any = None, **match: Any) -> Event:
    """A director's rounds, of which the first two are to end after one and two hours."""
    pace = Pace(automatic=False, round_ends=(text(NOON + HOUR), text(NOON + 2 * HOUR)))
    tournament = event(terms_of(Stage(format=form or Swiss(rounds=3), match=MatchTerms(**match)), pace=pace), 6)
    tournament.begin()
    return tournament


def test_a_round_that_begins_late_ends_when_it_was_to_end() -> None:
    tournament = by_hand(minutes=25)
    tournament.now += timedelta(minutes=49)
    tournament.next_round()
    assert tournament.state.rounds[1].due_at == text(NOON + HOUR)
    tournament.act("change_clock", round=1, minutes=5)
    assert tournament.state.rounds[1].due_at == text(NOON + HOUR + timedelta(minutes=5))


def test_a_round_that_begins_too_late_for_a_hand_has_the_clock_of_its_match() -> None:
    tournament = by_hand(minutes=25)
    tournament.now += timedelta(minutes=59)
    tournament.next_round()
    assert tournament.state.rounds[1].due_at == text(NOON + HOUR + timedelta(minutes=24))


@pytest.mark.parametrize(("minutes", "ends"), [(25, NOON + HOUR + timedelta(minutes=25)), (None, None)])
def test_a_round_that_begins_only_when_it_was_to_end_has_the_clock_of_its_match(minutes: int | None, ends: Any) -> None:
    tournament = by_hand(minutes=minutes)
    tournament.now += HOUR
    tournament.next_round()
    assert tournament.state.rounds[1].due_at == (None if ends is None else text(ends))


def test_a_round_without_a_planned_end_has_the_clock_of_its_match() -> None:
    tournament = by_hand(minutes=25)
    for _ in range(2):
        tournament.next_round()
        tournament.play(tournament.play_list(), by_chance)
        tournament.act("close_round", round=max(tournament.state.rounds))
    tournament.next_round()
    assert tournament.state.rounds[2].due_at == text(NOON + 2 * HOUR)
    assert tournament.state.rounds[3].due_at == text(tournament.now + timedelta(minutes=25))


def test_matches_that_begin_at_will_have_their_own_clocks() -> None:
    tournament = by_hand(Ladder(days=3), minutes=25)
    tournament.act("pair_by_hand", matches=[{"sides": [["e1"], ["e2"]]}])
    tournament.act("start_round", round=1)
    assert tournament.state.rounds[1].due_at == text(NOON + timedelta(minutes=25))


def test_a_pace_of_before_there_were_planned_ends_is_written_as_it_was() -> None:
    old = (
        b'{"automatic":true,"starts_at":null,"round_times":[],"pause_seconds":60,"no_show_minutes":10,'
        b'"no_show":"report"}'
    )
    pace = msgspec.json.decode(old, type=Pace)
    assert pace == Pace()
    assert msgspec.json.encode(pace) == old


def hours(number: float) -> str:
    return text(NOON + number * HOUR)


def found(*ends: str, last_hand_minutes: int = 10) -> list[tuple[str, str]]:
    """The faults of ends of rounds that begin after one, two and three hours."""
    pace = Pace(starts_at=hours(1), round_times=(hours(2), hours(3)), round_ends=ends)
    stage = Stage(format=Swiss(rounds=4), match=MatchTerms(last_hand_minutes=last_hand_minutes))
    terms = terms_of(stage, pace=pace)
    return [(each.field, each.needed) for each in faults(terms, NOON, frozenset({"UTC"}))]


def test_ends_may_be_of_some_rounds_or_of_more_than_have_a_start() -> None:
    assert found(hours(1.5)) == found(hours(2), hours(3), hours(4), hours(5)) == []


EARLY = "after the start of the round and its last_hand_minutes"
LATE = "not after the start of the next round"


@pytest.mark.parametrize(
    ("ends", "fault"),
    [
        ((hours(1),), ("pace.round_ends[0]", EARLY)),
        ((hours(1 + 1 / 6),), ("pace.round_ends[0]", EARLY)),
        ((hours(2.1),), ("pace.round_ends[0]", LATE)),
        ((hours(2), hours(3), hours(4), hours(4)), ("pace.round_ends[3]", "after the end of the round before")),
        (("2026-05-01T16:00:00+02:00",), ("pace.round_ends[0]", "a time in RFC 3339, in UTC")),
        ((hours(-1),), ("pace.round_ends[0]", "a time to come")),
    ],
)
def test_a_round_cannot_end_before_it_is_begun_nor_after_the_next_one_is(
    ends: tuple[str, ...], fault: tuple[str, str]
) -> None:
    assert fault in found(*ends)


def test_a_round_may_be_as_short_as_hands_may_begin() -> None:
    assert found(hours(1 + 1 / 6), last_hand_minutes=9) == []
