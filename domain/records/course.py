"""A game as far as its record has been checked, and how an event is compared with what the rules give."""

from operator import attrgetter
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from domain.beacons import BeaconChains
from domain.events import AnyEvent, Event, type_of
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.shapes import Header
from domain.state import State

_SHOWN_MAX: Final = 160
"""The most characters of a value that a message shows."""

_OWN_FIELDS: Final[dict[type[AnyEvent], tuple[str, ...]]] = {
    kind: tuple(name for name in kind.__struct_fields__ if name not in Event.__struct_fields__)
    for kind in get_args(AnyEvent)
}
_facts: Final[dict[type[AnyEvent], Any]] = {kind: attrgetter(*names) for kind, names in _OWN_FIELDS.items()}


class DealtHand(Struct, frozen=True, gc=False):
    """A hand that was dealt: its line, its number, and the SHA-256 of its deck as text."""

    line: int
    hand: int
    digest: bytes


class Course(Struct):
    """What is known of a game while its events are checked one by one.

    `state` is the fold of all the events so far, `due` the events that must follow next, the last one first. The facts
    on which fairness depends are kept until the master is revealed.
    """

    header: Header
    state: State
    redecide: bool
    due: list[AnyEvent] = []
    moves: int = 0
    chains: BeaconChains | None = None
    unsigned: str | None = None
    """Why the signature of the beacon was not checked."""
    started_line: int = 0
    hands: list[DealtHand] = []
    last_holders: dict[int, str] = {}


def line_of(event: AnyEvent) -> int:
    """The line of an event in its record."""
    return event.n + 1


def fault(event: AnyEvent, code: Code, message: str) -> RecordInvalidError:
    """The refusal of a record because of an event."""
    return RecordInvalidError(line_of(event), code, message)


def compare(event: AnyEvent, expected: AnyEvent) -> None:
    """Check that an event says what the rules give. Raises `RecordInvalidError` (`differs`, `out_of_place`)."""
    kind = type(event)
    if kind is not type(expected):
        message = f"{type_of(expected)} should stand here, not {type_of(event)}."
        raise fault(event, Code.OUT_OF_PLACE, message)
    facts = _facts[kind]
    if facts(event) == facts(expected):
        return
    name = next(name for name in _OWN_FIELDS[kind] if getattr(event, name) != getattr(expected, name))
    found, needed = _shown(getattr(event, name)), _shown(getattr(expected, name))
    raise fault(event, Code.DIFFERS, f"{type_of(event)}.{name} is {found}, and should be {needed}.")


def _shown(value: object) -> str:
    if value is msgspec.UNSET:
        return "absent"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX] + "…"
