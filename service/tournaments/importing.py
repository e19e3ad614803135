"""A tournament made from a file: everything that happened in it happens again, decided by the domain, step by step.

    file -> steps -> rehearsed in memory, from the first to the last -> groups of steps, one append each

What the rehearsal refuses is not begun. Every append has a key that follows from the caller's, so that a repeat goes on
where an earlier attempt was cut off; each group ends where nothing is being played, so that nobody takes anything up.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.tournaments.desk import Desk
from domain.tournaments.events import AnyTournamentEvent, LotsDrawn
from domain.tournaments.fold import fold
from domain.tournaments.formats import Elimination, Format, Swiss
from domain.tournaments.given import NOTHING, Draw
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.standings import Row, standings
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Pace, Registration, Terms, TieBreak
from service.store.append import APPEND_BYTES_MAX, EVENTS_MAX
from service.tournaments.exporting import TournamentOut

EVENT_BYTES: Final = 300
"""What an event has in the store beside its own JSON, at most."""


OUT_OF_RANGE: Final = "out_of_range"


class StepFailed(Exception):
    """A step of a file cannot be done; `place` is where it stands in the file."""

    def __init__(self, place: str, code: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.code = code
        self.message = message


Run = Callable[[Desk], None]
"""Does something at the desk, or raises `TournamentRefused` or `StepFailed`."""


class Step(Struct, frozen=True):
    """One thing that happens, whole or not at all, and where it stands in the file; `entrant` is who enters by it."""

    place: str
    run: Run
    entrant: str | None = None


class Group(Struct, frozen=True):
    """Steps that are one append."""

    number: int
    steps: tuple[Step, ...]


def imported_terms(terms: Terms) -> Terms:
    """The terms of a tournament that is imported: played already, so that nothing goes on of itself or is rated.

    Who enters, when and under what conditions is settled; its entry code belongs to another tournament's secret. What
    does nothing in a format is left out, since terms that have it are refused today.
    """
    late = terms.registration
    return replace(
        terms,
        registration=Registration(
            late_rounds=late.late_rounds, late_score=late.late_score, late_scored_rounds=late.late_scored_rounds
        ),
        stages=tuple(replace(stage, format=_without_idle(stage.format)) for stage in terms.stages),
        boards=None if terms.boards is None else replace(terms.boards, beacon=False),
        pace=Pace(automatic=False, pause_seconds=terms.pace.pause_seconds, no_show_minutes=None),
        rated=False,
        shown="unlisted",
    )


def _without_idle(form: Format) -> Format:
    match form:
        case Swiss(method="fide_dutch" | "fide_team"):
            return replace(form, first_round="seeded")
        case Elimination(double=True):
            return replace(form, third_place=False)
        case _:
            return form


def within_bounds(made: TournamentOut) -> TournamentOut:
    """The same: other files have numbers that no terms have here, and events with them could not be read again.

    Raises `StepFailed`.
    """
    try:
        return msgspec.convert(msgspec.to_builtins(made), TournamentOut)
    except msgspec.ValidationError as trouble:
        raise StepFailed("the file", OUT_OF_RANGE, str(trouble)) from trouble


def rehearsed(
    begun: Tournament, steps: Sequence[Step], file: TournamentOut, now: datetime, draw: Draw
) -> tuple[list[Group], Tournament]:
    """The steps in groups, and what they come to. Raises `StepFailed`."""
    groups: list[Group] = []
    state = begun
    kept: list[Step] = []
    events = size = 0
    for step in steps:
        happened = performed(state, [step], file, now, draw)
        written = sum(_size(event, step.place) for event in happened)
        if len(happened) > EVENTS_MAX or written > APPEND_BYTES_MAX:
            raise StepFailed(step.place, "too_large", f"This takes more than {EVENTS_MAX} events at once.")
        if kept and (events + len(happened) > EVENTS_MAX or size + written > APPEND_BYTES_MAX):
            groups.append(Group(len(groups) + 1, tuple(kept)))
            kept, events, size = [], 0, 0
        kept.append(step)
        events, size = events + len(happened), size + written
        state = fold(state, happened)
    groups.append(Group(len(groups) + 1, tuple(kept)))
    _check_standings(state, file)
    return groups, state


def _size(event: AnyTournamentEvent, place: str) -> int:
    """How much the event takes in the store. Raises `StepFailed` for one that could not be read again."""
    body = msgspec.json.encode(event)
    try:
        msgspec.json.decode(body, type=AnyTournamentEvent)
    except msgspec.ValidationError as trouble:
        raise StepFailed(place, OUT_OF_RANGE, str(trouble)) from trouble
    return len(body) + EVENT_BYTES


def performed(
    state: Tournament, steps: Sequence[Step], file: TournamentOut, now: datetime, draw: Draw
) -> list[AnyTournamentEvent]:
    """The events of some steps, decided one upon the other. Raises `StepFailed`."""
    desk = Desk(state, state.organiser, now, lambda purpose: file.lots.get(purpose) or draw(purpose), NOTHING)
    for step in steps:
        try:
            step.run(desk)
        except TournamentRefused as refused:
            told = ", ".join(f"{name} {value}" for name, value in refused.params.items())
            raise StepFailed(step.place, str(refused.code), told or str(refused.code)) from refused
    return [_given(event, file) for event in desk.events]


def _given(event: AnyTournamentEvent, file: TournamentOut) -> AnyTournamentEvent:
    """Lots of the file were not drawn here: that they have a reason says so."""
    if isinstance(event, LotsDrawn) and file.lots.get(event.purpose) == event.seed:
        return replace(event, reason="request")
    return event


def _check_standings(state: Tournament, file: TournamentOut) -> None:
    """What was imported stands as the file says. Raises `StepFailed`."""
    for told in file.standings:
        if not 0 <= told.stage < len(state.stages):
            raise StepFailed(f"standings[{told.stage}]", "standings_differ", "This stage has not begun.")
        found = standings(state, told.stage).rows
        names = state.stage_terms(told.stage).tie_breaks
        for place, (own, theirs) in enumerate(_both(found, told.rows)):
            if own != theirs:
                message = "The rounds come to {}, and not to {}.".format(*_differing(own, theirs, names))
                raise StepFailed(f"standings[{told.stage}].rows[{place}]", "standings_differ", message)


def _both(found: Sequence[Row], told: Sequence[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    for place in range(max(len(found), len(told))):
        yield found[place] if place < len(found) else None, told[place] if place < len(told) else None


def _differing(own: Row | None, theirs: Row | None, names: Sequence[TieBreak]) -> list[str]:
    """Two rows in words: whose they are and, of one entrant, everything that differs."""
    if own is None or theirs is None or own.entrant != theirs.entrant:
        return [
            "nobody" if row is None else f"rank {row.rank} for {row.entrant} with {row.score} hundredths"
            for row in (own, theirs)
        ]
    cells, others = _cells(own, names), _cells(theirs, names)
    wrong = [name for name in dict.fromkeys((*cells, *others)) if cells.get(name) != others.get(name)]
    return [
        f"{', '.join(f'{name} {row.get(name)}' for name in wrong)} for {own.entrant}".replace("_", " ")
        for row in (cells, others)
    ]


def _cells(row: Row, names: Sequence[TieBreak]) -> dict[str, object]:
    """A row by the names of its columns, tie-breaks by their own; values beyond these by their place."""
    cells = asdict(row)
    values = cells.pop("values")
    return cells | {
        names[place] if place < len(names) else f"value {place}": value for place, value in enumerate(values)
    }
