"""A tournament as a calendar (RFC 5545): an appointment for every round whose time is known, in its place's zone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import icalendar

from domain.tournaments.clocks import moment
from domain.tournaments.matches import FixedHands
from domain.tournaments.rounds_running import planned_end
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Stage
from service.tournaments.one_line import one_line
from service.tournaments.texts import UNNAMED
from service.tournaments.zone_rules import zone_of
from service.version import VERSION

MINUTES_A_HAND: Final = 12
"""How long a hand takes where no clock says it."""

MINUTES_OF_A_GAME: Final = 60
"""How long a match takes that has no number of hands."""

SHORTEST: Final = timedelta(minutes=1)
"""Of an appointment, which has to end after it begins (RFC 5545, 3.6.1)."""

ROUNDS_MAX: Final = 400
"""Most appointments of one calendar: the last ones, since programs take a calendar whole each time."""


def calendar_of(state: Tournament, title: str | None, url: str) -> bytes:
    """The calendar; `url` leads to the tournament. A round that has begun stands at the time at which it did."""
    name = one_line(title or UNNAMED)
    calendar = icalendar.Calendar()
    calendar.add("prodid", f"-//Meldhouse//Meldhouse {VERSION}//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", icalendar.vText(name))
    calendar.add("x-wr-calname", icalendar.vText(name))
    calendar.add("x-wr-timezone", state.terms.time_zone)
    rounds = [(number, begins, _end(state, number, begins)) for number, begins in _beginnings(state)][-ROUNDS_MAX:]
    if rounds:
        calendar.add_component(zone_of(state.terms.time_zone, [time for _, *times in rounds for time in times]))
    for number, begins, ends in rounds:
        calendar.add_component(_appointment(state, number, (begins, ends), name, url))
    written: bytes = calendar.to_ical()
    return written


def _beginnings(state: Tournament) -> Iterator[tuple[int, datetime]]:
    """The rounds of which it is known when they begin, or began."""
    pace = state.terms.pace
    planned = [pace.starts_at, *pace.round_times]
    for number in range(1, max(len(planned), len(state.rounds)) + 1):
        played = state.rounds.get(number)
        time = planned[number - 1] if number <= len(planned) else None
        if played is not None and played.started_at is not None:
            time = played.started_at
        if time is not None:
            yield number, moment(time)


def _appointment(
    state: Tournament, number: int, times: tuple[datetime, datetime], name: str, url: str
) -> icalendar.Event:
    begins, ends = times
    event = icalendar.Event()
    event.add("uid", f"{state.id}-{number}@meldhouse")
    event.add("dtstamp", moment(state.at))
    event.add("sequence", state.version)
    event.add("summary", f"{name}, round {number}")
    event.add("dtstart", _at(begins, state.terms.time_zone))
    event.add("dtend", _at(ends, state.terms.time_zone))
    event.add("url", url)
    event.add("status", "CANCELLED" if state.status == "cancelled" else "CONFIRMED")
    return event


def _at(time: datetime, zone: str) -> datetime:
    """A time at its place, but in UTC where the clock there shows it for the second time: written down with the zone
    it would mean the first one (RFC 5545, 3.3.5)."""
    local = time.astimezone(ZoneInfo(zone))
    return time.astimezone(UTC) if local.fold else local


def _stage_to_come(state: Tournament, number: int) -> int:
    """The stage of a round that is not paired yet, as far as the terms tell."""
    last = 0
    for place, stage in enumerate(state.terms.stages):
        rounds = getattr(stage.format, "rounds", None)
        if rounds is None or number <= last + rounds:
            return place
        last += rounds
    return len(state.terms.stages) - 1


def _end(state: Tournament, number: int, begins: datetime) -> datetime:
    """When a round ends: by its clock as it was set last, before it begins as it is planned, else as long after its
    beginning as a match should take."""
    played = state.rounds.get(number)
    if played is not None and played.started_at is not None:
        ends = None if played.due_at is None else moment(played.due_at)
    else:
        ends = planned_end(state, number)
    if ends is None:
        return begins + _length(state.stage_terms(_stage_to_come(state, number) if played is None else played.stage))
    return max(ends, begins + SHORTEST)


def _length(stage: Stage) -> timedelta:
    match = stage.match
    if match.minutes is not None:
        return timedelta(minutes=match.minutes)
    hands = match.length.hands if isinstance(match.length, FixedHands) else None
    return timedelta(minutes=MINUTES_OF_A_GAME if hands is None else hands * MINUTES_A_HAND)
