"""Case's ladder: who beats somebody above goes half of the way up, everyone between goes down one rung."""

from collections.abc import Sequence

from domain.pairing.shapes import NoPairing, NoPairingCode


def after_result(order: Sequence[str], winner: str, loser: str) -> tuple[str, ...]:
    """The ladder, top first, after a result: from rung i against rung j above it, up by half of i - j, rounded up.

    A winner who was above stays. Raises NoPairing (field_invalid) for who is not on the ladder.
    """
    at, above = _rungs(order, winner, loser)
    if at < above:
        return tuple(order)
    rest = [entrant for entrant in order if entrant != winner]
    rest.insert(at - (at - above + 1) // 2, winner)
    return tuple(rest)


def may_challenge(order: Sequence[str], challenger: str, challenged: str, reach: int | None = None) -> bool:
    """Whether somebody may challenge somebody above, up to `reach` rungs higher (None: any higher one)."""
    at, above = _rungs(order, challenger, challenged)
    return above < at and (reach is None or at - above <= reach)


def _rungs(order: Sequence[str], one: str, other: str) -> tuple[int, int]:
    missing = tuple(entrant for entrant in (one, other) if entrant not in order)
    if missing or one == other:
        needed = "two entrants of the ladder"
        raise NoPairing(NoPairingCode.FIELD_INVALID, f"Needed are {needed}.", missing or (one,), needed=needed)
    return order.index(one), order.index(other)
