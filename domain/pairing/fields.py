"""Whether a field can be paired at all: contenders, couples and terms that fit each other."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeVar, get_args

from domain.pairing.shapes import Field, NoPairing, NoPairingCode, RelaxationKind

FEWEST: Final = 2

_Value = TypeVar("_Value")


def check(field: Field) -> None:
    """Raise NoPairing (too_few, field_invalid) unless the field is one that an engine may be given."""
    entrants = [contender.entrant for contender in field.contenders]
    if len(entrants) < FEWEST:
        raise NoPairing(
            NoPairingCode.TOO_FEW,
            f"A round needs {FEWEST} active entrants, there are {len(entrants)}.",
            tuple(entrants),
            needed=FEWEST,
        )
    _refuse(_twice(entrants), "named once among the contenders")
    _refuse(
        [one for one, other in (*field.forbidden, *field.avoided, *field.met) if one == other],
        "barred from others only",
    )
    seeds = _twice(contender.seed for contender in field.contenders)
    if seeds:
        raise _invalid(f"The seed {seeds[0]} belongs to two contenders.", "seeds of one contender each")
    kinds = get_args(RelaxationKind)[:-1]
    if _twice(field.relaxations) or any(kind not in kinds for kind in field.relaxations):
        raise _invalid(
            f"Relaxations are kinds among {', '.join(kinds)}, each once.", "relaxations of known kinds, each once"
        )
    late = [pair for pair, met in field.met.items() if not 1 <= met < field.round]
    if late:
        one, other = late[0]
        message = (
            f"{one} and {other} cannot have met in round {field.met[late[0]]} before round {field.round} is paired."
        )
        raise _invalid(message, "meetings in rounds before the one to be paired", late[0])


def _twice(values: Iterable[_Value]) -> list[_Value]:
    return [value for value, times in Counter(values).items() if times > 1]


def _refuse(entrants: list[str], needed: str) -> None:
    if entrants:
        raise _invalid(f"{entrants[0]} has to be {needed}.", needed, tuple(entrants))


def _invalid(message: str, needed: str, entrants: tuple[str, ...] = ()) -> NoPairing:
    return NoPairing(NoPairingCode.FIELD_INVALID, message, entrants, needed=needed)
