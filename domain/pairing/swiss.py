"""Victory-point Swiss: the closest scores meet, nobody meets twice, at least cost.

Order: score, then seed. Cost of a pair: (difference of scores)² · (n³ + 1) + (difference of ranks)², scores in
hundredths, so that ranks only decide between pairings of equal scores (their sum stays below n³).
Round 1: number i meets number i + n/2, by seed or in an order drawn by lot; where that is barred at the least cost
(distance - n/2)² · (n³ + 1), 1 more for a pair within a half.
"""

from collections.abc import Sequence
from typing import Final

from domain.pairing.relaxing import Costs, Drawn, draw
from domain.pairing.shapes import Contender, Engine, Field, NoPairing, NoPairingCode, Pairing
from domain.pairing.sides import seat

ENGINE: Final = Engine("meldhouse-swiss", "1")


def ranking(field: Field) -> list[Contender]:
    """The contenders by score, the better seed first among equals."""
    return sorted(field.contenders, key=lambda contender: (-contender.score, contender.seed))


def pair_swiss(field: Field, order: Sequence[str] | None = None) -> Pairing:
    """Pair a round of a victory-point Swiss; round 1, or any round with a given order, by halves.

    `order` lists all contenders, for a round drawn by lot. Raises NoPairing: too_few, field_invalid, dead_end, no_bye.
    """
    if order is not None or field.round == 1:
        return _pair_halves(field, order)
    ranked = ranking(field)
    drawn = draw(ranked, field, lambda left: _by_score(ranked, left), "never")
    first, second = divmod(drawn.cost, scale(len(ranked)))
    sums = f"Squared score differences (hundredths): {first} in all; squared differences of rank: {second} in all; "
    return pairing_of(ENGINE, drawn, first, ("Ranked by score, then seed.", sums + "no permitted pairing has less."))


def _pair_halves(field: Field, order: Sequence[str] | None) -> Pairing:
    ranked = _listed(field, order)
    drawn = draw(ranked, field, lambda left: _by_halves(len(ranked), left), "never")
    first, second = divmod(drawn.cost, scale(len(ranked)))
    basis = "Number i meets number i + n/2, " + ("by seed." if order is None else "in the order drawn.")
    sums = f"Squared distances from half the field: {first} in all; pairs within a half: {second}; "
    return pairing_of(ENGINE, drawn, first, (basis, sums + "no permitted pairing has less."))


def scale(count: int) -> int:
    """What the first part of a cost is multiplied by, so that the second only decides between equals."""
    return count**3 + 1


def pairing_of(engine: Engine, drawn: Drawn, cost: int, explanation: tuple[str, ...]) -> Pairing:
    """The pairing that was drawn, with sides, and told in words."""
    lines = list(explanation)
    if drawn.passed:
        lines.append(f"Passed over for the bye, since the others could not be paired: {', '.join(drawn.passed)}.")
    return Pairing(
        engine,
        tuple(seat(higher, lower) for higher, lower in drawn.couples),
        drawn.byes,
        drawn.relaxations,
        cost,
        tuple(lines),
    )


def _by_score(ranked: Sequence[Contender], left: Sequence[int]) -> Costs:
    factor = scale(len(ranked))
    scores = [ranked[rank].score for rank in left]

    def of(v: int, w: int) -> int:
        difference, distance = scores[v] - scores[w], left[v] - left[w]
        return difference * difference * factor + distance * distance

    most = ((scores[0] - scores[-1]) ** 2 + 1) * factor if scores else 0
    return Costs(of, most, range(len(left)), rising=True)


def _by_halves(count: int, left: Sequence[int]) -> Costs:
    factor = scale(count)
    half = len(left) // 2

    def of(v: int, w: int) -> int:
        within = (v < half) == (w < half)
        return (abs(v - w) - half) ** 2 * factor + (1 if within else 0)

    return Costs(
        of,
        (count**2 + 1) * factor,
        [place for pair in zip(range(half), range(half, 2 * half), strict=True) for place in pair],
    )


def _listed(field: Field, order: Sequence[str] | None) -> list[Contender]:
    by_seed = sorted(field.contenders, key=lambda contender: contender.seed)
    if order is None:
        return by_seed
    known = {contender.entrant: contender for contender in by_seed}
    if sorted(order) != sorted(known):
        needed = "an order that lists every contender once"
        raise NoPairing(NoPairingCode.FIELD_INVALID, f"Needed is {needed}.", needed=needed)
    return [known[entrant] for entrant in order]
