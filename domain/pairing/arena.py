"""A pool whose sides are paired as they become free: close scores meet, but not last opponents."""

from collections.abc import Mapping, Sequence, Set
from typing import Final

from domain.pairing.fields import check
from domain.pairing.matching import Matched, match, surplus
from domain.pairing.shapes import Contender, Couple, Engine, Field, Pairing, couple
from domain.pairing.sides import seat

ENGINE: Final = Engine("meldhouse-arena", "1")


def pair_pool(pool: Sequence[Contender], last_opponent: Mapping[str, str]) -> Pairing:
    """Pair as many of a pool, given in the order of arrival, as can be; the byes are those who go on waiting.

    Who came last waits where not all can be paired. The cost of a pair is (difference of scores)² in hundredths.
    A pool of any size has an answer. Raises NoPairing: field_invalid.
    """
    if len(pool) > 1:
        check(Field(tuple(pool), 1))
    arrival = {contender.entrant: place for place, contender in enumerate(pool)}
    left = sorted(pool, key=lambda contender: (-contender.score, contender.seed))
    barred = {couple(one, other) for one, other in last_opponent.items()}
    waiting: list[Contender] = []
    while trees := surplus(len(left), lambda v, w: couple(left[v].entrant, left[w].entrant) not in barred):
        waiting.append(left.pop(max(trees[0].outer, key=lambda place: arrival[left[place].entrant])))
    found = _paired(left, barred)
    couples = [(v, w) for v, w in enumerate(found.mates) if v < w]
    return Pairing(
        ENGINE,
        tuple(seat(left[v], left[w]) for v, w in couples),
        tuple(contender.entrant for contender in sorted(waiting, key=lambda one: arrival[one.entrant])),
        (),
        found.cost,
        (f"Squared score differences (hundredths): {found.cost} in all; nobody meets the last opponent.",),
    )


def _paired(left: Sequence[Contender], barred: Set[Couple]) -> Matched:
    def apart(v: int, w: int) -> int:
        return (left[v].score - left[w].score) ** 2

    def cost(v: int, w: int) -> int | None:
        return None if couple(left[v].entrant, left[w].entrant) in barred else apart(v, w)

    found = match(len(left), cost, apart)
    assert isinstance(found, Matched)
    return found
