"""A tournament as a calendar: the clocks of its place, what stays and what moves, and titles that are only titles."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.tournaments.clocks import text
from domain.tournaments.formats import RoundRobin, Swiss
from domain.tournaments.round_events import TimeCalled
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Pace
from service.tournaments.calendar import ROUNDS_MAX, calendar_of
from service.tournaments.local_times import every
from service.tournaments.zone_rules import zone_of
from tests.domain.tournaments.scenarios import Desk, terms_of

BERLIN = "Europe/Berlin"
URL = "https://example.org/tournaments/t1"


def weekly(first: datetime, zone: str, rounds: int) -> Tournament:
    """A tournament with a round each week at one time of day."""
    times = [text(each) for each in every(first, zone, 7, rounds)]
    pace = Pace(starts_at=times[0], round_times=tuple(times[1:]))
    return Desk(terms_of(Swiss(rounds=rounds), pace=pace, time_zone=zone)).state


def appointments(calendar: bytes) -> list[Any]:
    return [*icalendar.Calendar.from_ical(calendar).walk("VEVENT")]


def lines(calendar: bytes) -> list[bytes]:
    """The lines of a calendar as it is written, unfolded."""
    return calendar.replace(b"\r\n ", b"").split(b"\r\n")


def by_the_rules_within(calendar: bytes, local: datetime) -> timedelta:
    """How far ahead of UTC the clock of a calendar's own zone is at a local time, by its observances alone."""
    (zone,) = icalendar.Calendar.from_ical(calendar).walk("VTIMEZONE")
    observances: list[Any] = [*zone.subcomponents]
    onsets: list[Any] = [(each["dtstart"].dt, each["tzoffsetto"].td) for each in observances]
    found: timedelta = max(onset for onset in onsets if onset[0] <= local)[1]
    return found


@pytest.mark.parametrize(
    ("first", "times"),
    [
        # Put forward on 29 March: 02:30 does not exist, and means what the clock of before would have called so.
        (datetime.fromisoformat("2026-03-22T02:30"), ["02:30", "03:30", "02:30"]),
        # Put back on 25 October: 02:30 comes twice, and means the first time.
        (datetime.fromisoformat("2026-10-18T02:30"), ["02:30", "02:30", "02:30"]),
    ],
)
def test_a_weekly_round_comes_once_a_week_at_its_time_over_both_changes_of_the_clock(
    first: datetime, times: list[str]
) -> None:
    calendar = calendar_of(weekly(first, BERLIN, 3), "Night owls", URL)
    found = appointments(calendar)
    assert [f"{each['dtstart'].dt:%H:%M}" for each in found] == times
    days = [each["dtstart"].dt.date() for each in found]
    assert [day - days[0] for day in days] == [timedelta(days=7 * number) for number in range(3)]
    moments = [each["dtstart"].dt.astimezone(UTC) for each in found]
    assert moments == [*every(first, BERLIN, 7, 3)]
    for moment, each in zip(moments, found, strict=True):
        local = each["dtstart"].dt.replace(tzinfo=None)
        assert local - by_the_rules_within(calendar, local) == moment.replace(tzinfo=None)
        assert each["dtstart"].params["TZID"] == BERLIN


def test_a_time_that_the_clock_shows_for_the_second_time_is_told_in_utc() -> None:
    again = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    state = Desk(terms_of(Swiss(rounds=1), pace=Pace(starts_at=text(again)), time_zone=BERLIN)).state
    (appointment,) = appointments(calendar_of(state, "x", URL))
    assert appointment["dtstart"].dt == again
    assert appointment["dtstart"].dt.tzinfo is not None
    assert b"DTSTART:20261025T013000Z" in calendar_of(state, "x", URL)


def test_an_appointment_that_lasts_into_the_hour_that_comes_twice_is_as_long_as_it_is() -> None:
    begins = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    state = Desk(terms_of(Swiss(rounds=1), pace=Pace(starts_at=text(begins)), time_zone=BERLIN)).state
    (appointment,) = appointments(calendar_of(state, "x", URL))
    lasts = appointment["dtend"].dt.astimezone(UTC) - appointment["dtstart"].dt.astimezone(UTC)
    assert lasts == timedelta(minutes=25)
    state.terms = replace(state.terms, pace=Pace(starts_at=text(begins + timedelta(minutes=10))))
    written = lines(calendar_of(state, "x", URL))
    assert b"DTSTART;TZID=Europe/Berlin:20261025T024000" in written
    assert b"DTEND:20261025T010500Z" in written


@pytest.mark.parametrize(
    "zone", [BERLIN, "UTC", "Australia/Lord_Howe", "Africa/Casablanca", "America/St_Johns", "Asia/Kathmandu"]
)
def test_the_zone_in_a_calendar_goes_as_the_clocks_of_the_place_go(zone: str) -> None:
    times = [datetime(2026, 1, 1, tzinfo=UTC), datetime(2031, 7, 1, tzinfo=UTC)]
    described: Any = zone_of(zone, times)
    onsets: list[Any] = [
        (each["dtstart"].dt - each["tzoffsetfrom"].td, each["tzoffsetto"].td) for each in described.subcomponents
    ]
    assert [at for at, _ in onsets] == sorted(at for at, _ in onsets)
    for first in times:
        for hours in range(0, 24 * 180, 7):
            at = first + timedelta(hours=hours)
            known = max(onset for onset in onsets if onset[0] <= at.replace(tzinfo=None))
            assert known[1] == at.astimezone(ZoneInfo(zone)).utcoffset(), at


def test_rounds_of_many_years_are_told_without_going_through_the_years_between() -> None:
    described = zone_of(BERLIN, [datetime(2026, 1, 1, tzinfo=UTC), datetime(8000, 1, 1, tzinfo=UTC)])
    assert len(described.subcomponents) == 2 * (1 + 3 * 2)


def test_appointments_keep_their_uid_and_count_up_when_the_tournament_goes_on() -> None:
    event = Desk(terms_of(Swiss(rounds=2), time_zone=BERLIN), 4)
    (before,) = appointments(calendar_of(event.state, "x", URL))
    event.run_to_start()
    (after,) = appointments(calendar_of(event.state, "x", URL))
    assert before["uid"] == after["uid"]
    assert after["sequence"] > before["sequence"]
    assert after["status"] == "CONFIRMED"
    state = event.state.copy()
    state.status = "cancelled"
    (gone,) = appointments(calendar_of(state, "x", URL))
    assert (gone["uid"], gone["status"]) == (before["uid"], "CANCELLED")


def test_a_round_that_began_later_than_planned_stands_at_the_time_at_which_it_did() -> None:
    event = Desk(terms_of(Swiss(rounds=2), time_zone=BERLIN), 4)
    event.run_to_start()
    began = event.now + timedelta(minutes=7)
    state = event.state.copy()
    state.rounds = {1: replace(state.rounds[1], started_at=text(began), due_at=None)}
    (appointment,) = appointments(calendar_of(state, "x", URL))
    assert appointment["dtstart"].dt.astimezone(UTC) == began
    assert appointment["dtend"].dt - appointment["dtstart"].dt == timedelta(minutes=25)


def test_an_appointment_ends_with_the_clock_of_its_round_also_when_that_was_changed() -> None:
    event = Desk(terms_of(Swiss(rounds=2), time_zone=BERLIN), 4)
    event.run_to_start()
    state = event.state.copy()
    later = event.now + timedelta(minutes=40)
    state.rounds = {1: replace(state.rounds[1], due_at=text(later))}
    (appointment,) = appointments(calendar_of(state, "x", URL))
    assert appointment["dtend"].dt.astimezone(UTC) == later
    # A clock that ends with its beginning makes an appointment all the same.
    state.rounds = {1: replace(state.rounds[1], due_at=state.rounds[1].started_at)}
    (appointment,) = appointments(calendar_of(state, "x", URL))
    assert appointment["dtend"].dt - appointment["dtstart"].dt == timedelta(minutes=1)


def test_an_appointment_ends_when_time_is_called_before_its_clock_runs_out() -> None:
    event = Desk(terms_of(Swiss(rounds=2), time_zone=BERLIN), 4)
    event.run_to_start()
    event.now += timedelta(minutes=9)
    event.add(TimeCalled(round=1))
    (appointment,) = appointments(calendar_of(event.state, "x", URL))
    assert appointment["dtend"].dt.astimezone(UTC) == event.now


def test_a_round_without_a_known_time_has_no_appointment() -> None:
    event = Desk(terms_of(RoundRobin(), pace=Pace(automatic=False)), 4)
    assert appointments(calendar_of(event.state, "x", URL)) == []
    assert b"BEGIN:VTIMEZONE" not in calendar_of(event.state, "x", URL)


def test_a_calendar_has_a_bounded_number_of_appointments() -> None:
    state = weekly(datetime.fromisoformat("2026-09-06T19:00"), BERLIN, 3)
    times = [text(each) for each in every(datetime.fromisoformat("2026-09-06T19:00"), BERLIN, 1, ROUNDS_MAX + 50)]
    state.terms = replace(state.terms, pace=Pace(starts_at=times[0], round_times=tuple(times[1:])))
    found = appointments(calendar_of(state, "x", URL))
    assert len(found) == ROUNDS_MAX
    assert found[-1]["uid"].endswith(f"-{ROUNDS_MAX + 50}@meldhouse")


HOSTILE = [
    "Cup\r\nBEGIN:VEVENT\r\nSUMMARY:injected",
    "Cup\nATTENDEE:mailto:a@example.org",
    'a,b;c:d\\n\\,e"f',
    "Cup\u2028BEGIN:VALARM\u2029x\x85y\x0bz\x0c",
    "\u202eCup\u2066\u200f",
    "x" * 5000,
    "🂡" * 200,
    "\x00\x07",
]


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_cannot_become_anything_but_a_title(title: str) -> None:
    check_title(title)


@given(title=st.text(max_size=200))
def test_no_title_breaks_a_calendar(title: str) -> None:
    check_title(title)


STATE = weekly(datetime.fromisoformat("2026-09-06T19:00"), BERLIN, 2)
KNOWN = {each.split(b":")[0].split(b";")[0] for each in lines(calendar_of(STATE, "Cup", URL))}
COUNT = len(lines(calendar_of(STATE, "Cup", URL)))


def check_title(title: str) -> None:
    written = calendar_of(STATE, title, URL)
    assert all(len(line) <= 75 for line in written.split(b"\r\n"))
    found = lines(written)
    assert len(found) == COUNT
    assert {each.split(b":")[0].split(b";")[0] for each in found} == KNOWN
    # Some programs break lines wherever Unicode does.
    assert len(b"\r\n".join(found).decode().splitlines()) == COUNT - 1
    events = appointments(written)
    assert len(events) == 2
    assert events[0]["summary"].endswith(", round 1")


def test_a_round_lasts_until_its_planned_end_over_a_change_of_the_clocks() -> None:
    first = datetime.fromisoformat("2026-10-18T19:30")
    starts = [text(each) for each in every(first, BERLIN, 7, 3)]
    pace = Pace(starts_at=starts[0], round_times=tuple(starts[1:2]), round_ends=tuple(starts[1:]))
    event = Desk(terms_of(Swiss(rounds=2), pace=pace, time_zone=BERLIN), 4)
    written = lines(calendar_of(event.state, "x", URL))
    assert [each for each in written if b"DTEND" in each] == [
        b"DTEND;TZID=Europe/Berlin:20261025T193000",
        b"DTEND;TZID=Europe/Berlin:20261101T193000",
    ]
    # Once it has begun it ends with its clock.
    event.run_to_start()
    later = event.now + timedelta(days=1)
    state = event.state.copy()
    state.rounds = {1: replace(state.rounds[1], due_at=text(later))}
    assert appointments(calendar_of(state, "x", URL))[0]["dtend"].dt.astimezone(UTC) == later
    state.rounds = {1: replace(state.rounds[1], due_at=None)}
    (begun, _) = appointments(calendar_of(state, "x", URL))
    assert begun["dtend"].dt - begun["dtstart"].dt == timedelta(minutes=25)


def test_a_calendar_tells_how_the_clocks_go_where_a_round_ends_years_later() -> None:
    pace = Pace(starts_at="2026-05-01T12:00:00Z", round_ends=("2031-05-01T12:00:00Z",))
    calendar = calendar_of(Desk(terms_of(Swiss(rounds=2), pace=pace, time_zone=BERLIN), 4).state, "x", URL)
    assert by_the_rules_within(calendar, datetime.fromisoformat("2031-01-01T12:00")) == timedelta(hours=1)
    assert b"20310330T020000" in calendar
