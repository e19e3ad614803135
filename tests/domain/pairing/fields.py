"""Fields for tests, from few words."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from domain.pairing.shapes import Contender, Couple, Field, Pairing, couple


def name(number: int) -> str:
    """The entrant with this number."""
    return f"e{number}"


def couples(*pairs: tuple[int, int]) -> tuple[Couple, ...]:
    """Couples of entrants by number."""
    return tuple((name(one), name(other)) for one, other in pairs)


def met(rounds: Mapping[int, Iterable[tuple[int, int]]]) -> dict[Couple, int]:
    """Who met in which round, by number."""
    return {pair: number for number, pairs in rounds.items() for pair in couples(*pairs)}


def field(scores: Sequence[int], round_number: int, **more: Any) -> Field:
    """A field of entrants 1, 2 … with these scores, seeded in this order."""
    byes: Mapping[int, int] = more.pop("byes", {})
    contenders = (Contender(name(i), i, score, byes=byes.get(i, 0)) for i, score in enumerate(scores, 1))
    return Field(tuple(contenders), round_number, **more)


def numbers(pairing: Pairing) -> list[tuple[int, int]]:
    """The pairs of a pairing by number, North-South first."""
    return [(int(pair.ns[1:]), int(pair.ew[1:])) for pair in pairing.pairs]


def matchings(count: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair the numbers 0 .. count-1."""

    def rest(left: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
        if not left:
            yield []
            return
        for place in range(1, len(left)):
            for more in rest(left[1:place] + left[place + 1 :]):
                yield [(left[0], left[place]), *more]

    return rest(tuple(range(count)))


def least(count: int, cost: Callable[[int, int], int | None]) -> int | None:
    """The least cost of all ways to pair the numbers, None where no way is permitted."""
    found = None
    for matching in matchings(count):
        prices = [cost(v, w) for v, w in matching]
        if None not in prices:
            total = sum(price for price in prices if price is not None)
            found = total if found is None else min(found, total)
    return found


def met_before(pairing: Pairing, past: Mapping[Couple, int]) -> set[Couple]:
    """The couples of a pairing that met before."""
    known = {couple(*pair) for pair in past}
    return {key for pair in pairing.pairs if (key := couple(pair.ns, pair.ew)) in known}
