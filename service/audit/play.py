"""A game as far as an audit has folded it: its state, by the rules or as the events stand, and what was noted on the
way."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain import events
from domain.beacons import BeaconChains
from domain.events import AnyEvent, type_of
from domain.records.course import Course
from domain.records.faults import RecordFaultCode, RecordInvalidError
from domain.records.shapes import VERSION, Header, Result
from domain.records.table_checks import open_course
from domain.records.verification import fold_on, follow
from domain.state import State, Status
from domain.waiting import seat_to_act


class Rulebook(Struct, frozen=True):
    """That every game is checked by the rules, and the chains by which a beacon is."""

    chains: BeaconChains | None = None


class Standing(Struct, frozen=True):
    """What the row of a game tells of its state."""

    status: Status
    turn: int | None


class Play:
    """The fold of one game's events. With a rule book every event is what the rules give, or it is refused."""

    def __init__(self, game: str, rulebook: Rulebook | None) -> None:
        self._game: Final = game
        self._rulebook: Final = rulebook
        self._course: Course | None = None
        self.state: State | None = None
        self.uneven: int | None = None
        """The first event whose totals do not follow from those before."""
        self._totals: Sequence[int] | None = None

    def go_on(self, happened: Sequence[AnyEvent]) -> None:
        """Fold the next events. Raises `RecordInvalidError`; the line of event `n` is `n` + 1."""
        if not happened:
            return
        if self._rulebook is None:
            self.state = fold_on(self.state, happened)
        else:
            self._by_the_rules(happened, self._rulebook)
        for event in happened:
            kind = type(event)
            if kind is events.HandEnded or kind is events.GameEnded:
                self._count(event)

    def standing(self) -> Standing:
        """What the row of the game should tell now."""
        assert self.state is not None
        return Standing(self.state.table.status, seat_to_act(self.state))

    def end(self) -> None:
        """Check that nothing more had to follow by the rules. Raises `RecordInvalidError`."""
        course = self._course
        if course is not None and course.due:
            message = f"{type_of(course.due[-1])} should follow."
            raise RecordInvalidError(course.state.version + 2, RecordFaultCode.NOT_ENDED, message)

    def _by_the_rules(self, happened: Sequence[AnyEvent], rulebook: Rulebook) -> None:
        if self._course is None:
            created, *happened = happened
            self._course = open_course(_header(self._game, created), created, redecide=True, chains=rulebook.chains)
            self.state = self._course.state
        follow(self._course, happened)

    def _count(self, event: AnyEvent) -> None:
        """Note an end of a hand or game whose totals are not those before with its lines added."""
        totals = self._totals
        if isinstance(event, events.HandEnded):
            if totals is not None:
                points = [line.get("total") for line in event.lines]
                expected = [total + (point or 0) for total, point in zip(totals, points, strict=False)]
                self._uneven(event, expected)
            self._totals = event.totals
        elif isinstance(event, events.GameEnded) and totals is not None:
            self._uneven(event, totals)

    def _uneven(self, event: events.HandEnded | events.GameEnded, expected: Sequence[int]) -> None:
        if self.uneven is None and list(event.totals) != list(expected):
            self.uneven = event.n


def _header(game: str, created: AnyEvent) -> Header:
    """The header that a record would have; what stands at its end only is not known yet."""
    if not isinstance(created, events.Created):
        message = f"created should stand here, not {type_of(created)}."
        raise RecordInvalidError(2, RecordFaultCode.OUT_OF_PLACE, message)
    return Header(
        record=VERSION, game=game, ruleset=created.ruleset, players=(), sides=created.sides, result=Result((), ())
    )
