"""Individual events of any number: which sizes of tables, and who sits with whom when scores decide.

Only tables of four and of six are games of partners; at the others everyone plays alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Final

from msgspec import Struct

from domain.pairing.movements import bounded
from domain.pairing.shapes import Couple, Engine, NoPairing, NoPairingCode, Sides, couple

ENGINE: Final = Engine("meldhouse-individual", "1")
SIZES: Final = (3, 4, 5)
MOST: Final = 1000
_PARTNERED: Final = 100
_OPPOSED: Final = 10


class Individual(Struct, frozen=True):
    """A player of an individual event: score in hundredths, rating as a whole number, rounds at tables not of four."""

    entrant: str
    seed: int
    score: int = 0
    rating: int = 0
    odd_tables: int = 0


class Grouping(Struct, frozen=True):
    """The tables of a round, the best first; the sides of each in the order of the seats, the first North-South."""

    engine: Engine
    tables: tuple[Sides, ...]
    explanation: tuple[str, ...]


def table_mix(players: int, sizes: Sequence[int] = SIZES) -> tuple[int, ...]:
    """Sizes of tables for so many players, tables of four first: as many of them as can be, then as few others.

    Raises NoPairing: too_few, too_many, and field_invalid where the permitted sizes do not add up to the number.
    """
    bounded("An individual round", players, min(sizes, default=2), MOST)
    others = sorted({size for size in sizes if size != 4})
    for fours in range(players // 4 if 4 in sizes else 0, -1, -1):
        rest = _fewest(players - 4 * fours, tuple(others))
        if rest is not None:
            return (4,) * fours + rest
    needed = "sizes of tables that add up to the number of players"
    message = f"Tables of {', '.join(map(str, sizes))} cannot seat {players} players."
    raise NoPairing(NoPairingCode.FIELD_INVALID, message, needed=needed, count=players)


def individual_swiss(
    players: Sequence[Individual],
    partnered: Mapping[Couple, int],
    opposed: Mapping[Couple, int],
    sizes: Sequence[int] = SIZES,
) -> Grouping:
    """Seat a round: neighbours by score, then seed, sit together, and partners are those who fit best.

    At a table of four or six the split costs 100 for each time that partners were partners before, 10 for each time
    that opponents were opponents, and the differences of the sides' ratings; the cheapest is taken. Tables of other
    sizes are filled from below by those who have had the fewest. Raises NoPairing: too_few, too_many, field_invalid.
    """
    if len({player.entrant for player in players}) != len(players) or len({player.seed for player in players}) != len(
        players
    ):
        needed = "entrants and seeds of one player each"
        raise NoPairing(NoPairingCode.FIELD_INVALID, f"Needed are {needed}.", needed=needed)
    mix = table_mix(len(players), sizes)
    ranked = sorted(players, key=lambda player: (-player.score, player.seed))
    partners, opponents = _counted(partnered), _counted(opposed)
    others = [size for size in mix if size != 4]
    from_below = sorted(enumerate(ranked), key=lambda placed: (placed[1].odd_tables, -placed[0]))
    chosen = {player.entrant for _, player in from_below[: sum(others)]}
    at_fours = (player for player in ranked if player.entrant not in chosen)
    elsewhere = (player for player in ranked if player.entrant in chosen)
    groups = [list(islice(at_fours if size == 4 else elsewhere, size)) for size in mix]
    tables = tuple(_seated(group, partners, opponents) for group in groups)
    return Grouping(ENGINE, tables, ("Ranked by score, then seed; each table's partners are the split of least cost.",))


def _counted(times: Mapping[Couple, int]) -> dict[Couple, int]:
    counts: dict[Couple, int] = {}
    for (one, other), number in times.items():
        key = couple(one, other)
        counts[key] = counts.get(key, 0) + number
    return counts


def _seated(group: Sequence[Individual], partners: Mapping[Couple, int], opponents: Mapping[Couple, int]) -> Sides:
    if len(group) not in (4, 6):
        return tuple((player.entrant,) for player in group)

    def cost(sides: Sequence[tuple[Individual, Individual]]) -> int:
        total = sum(_PARTNERED * partners.get(couple(a.entrant, b.entrant), 0) for a, b in sides)
        for one, other in combinations(sides, 2):
            total += sum(_OPPOSED * opponents.get(couple(a.entrant, b.entrant), 0) for a in one for b in other)
            total += abs(sum(player.rating for player in one) - sum(player.rating for player in other))
        return total

    best = min(_splits(list(group)), key=cost)
    return tuple((a.entrant, b.entrant) for a, b in best)


def _splits(group: list[Individual]) -> Iterator[list[tuple[Individual, Individual]]]:
    """Every way to make pairs, those of the outermost ranks first."""
    if not group:
        yield []
        return
    first, *others = group
    for place in range(len(others) - 1, -1, -1):
        for rest in _splits(others[:place] + others[place + 1 :]):
            yield [(first, others[place]), *rest]


def _fewest(players: int, sizes: tuple[int, ...]) -> tuple[int, ...] | None:
    """As few tables of these sizes as seat exactly so many, the largest first; None where none do."""
    best: list[tuple[int, ...] | None] = [()] + [None] * players
    for seated in range(1, players + 1):
        for size in sizes:
            rest = best[seated - size] if 0 < size <= seated else None
            known = best[seated]
            if rest is not None and (known is None or len(rest) + 1 < len(known)):
                best[seated] = tuple(sorted((*rest, size), reverse=True))
    return best[players]
