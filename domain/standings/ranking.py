"""Entrants in order by a declared list of tie-breaks, each applied among those whom the ones before it left level."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.standings.direct_encounter import encounter_order, scores_among
from domain.standings.field import Field
from domain.standings.keys import Key, check_keys
from domain.standings.lines import Entry, Pairing, Scale
from domain.standings.lots import lot_order
from domain.standings.rounding import half_up
from domain.standings.tiebreaks import Values, values

Groups = list[list[int]]


class Placing(Struct, frozen=True, gc=False):
    """An entrant's place. Level entrants share a rank, and the next has the number of those before it plus one.

    `score` is in hundredths. `values` has one value for each declared tie-break, an integer with its key's decimals;
    None where a tie-break does not apply: direct encounter for those who were not level or have not all met, the lot
    where none was drawn, ratings where an opponent has none.
    """

    entrant: str
    rank: int
    score: int
    values: tuple[int | None, ...]


def rank(
    entries: Sequence[Entry],
    codes: Sequence[str],
    *,
    after: int,
    scale: Scale,
    pairing: Pairing = "swiss",
    lot_seed: bytes | None = None,
) -> tuple[Placing, ...]:
    """The standings after a round, best first; those who stay level by seed, then by entrant.

    Lines of later rounds are left out. Without a `lot_seed`, no lot is drawn and LOT parts nobody. Raises `ValueError`
    for an unknown or repeated tie-break, an entrant or a round given twice, or an opponent who is not an entrant.
    """
    keys = check_keys(codes)
    field = Field(entries, after=after, scale=scale, pairing=pairing)
    groups, columns = parted(field, keys, lot_seed)
    table = list(zip(*columns, strict=True))
    placed: list[Placing] = []
    for group in groups:
        number = len(placed) + 1
        placed += [Placing(entries[place].entrant, number, field.totals[place], table[place]) for place in group]
    return tuple(placed)


def parted(field: Field, keys: Sequence[Key], lot_seed: bytes | None) -> tuple[Groups, list[Values]]:
    """The groups of level entrants, best first, and for each tie-break the values of all entrants by place."""
    entries = field.entries
    everybody = sorted(
        range(len(entries)),
        key=lambda place: (entries[place].seed, len(entries[place].entrant), entries[place].entrant),
    )
    pools = sorted({entry.pool for entry in entries})
    groups = [[place for place in everybody if entries[place].pool == pool] for pool in pools]
    columns = []
    for key in keys:
        if key.code == "DE":
            groups, column = _by_encounter(field, groups)
        elif key.code == "LOT":
            groups, column = _by_lot(field, groups, lot_seed)
        else:
            column = values(field, key)
            groups = _each_tied(groups, _by_value(column, key))
        columns.append(column)
    return groups, columns


def _each_tied(groups: Groups, part: Callable[[list[int]], Groups]) -> Groups:
    found: Groups = []
    for group in groups:
        if len(group) == 1:
            found.append(group)
        else:
            found += part(group)
    return found


def _by_value(column: Values, key: Key) -> Callable[[list[int]], Groups]:
    def part(group: list[int]) -> Groups:
        level: defaultdict[int | None, list[int]] = defaultdict(list)
        for place in group:
            level[column[place]].append(place)
        order = sorted((value for value in level if value is not None), reverse=not key.lower_is_better)
        return [level[value] for value in order] + ([level[None]] if None in level else [])

    return part


def _by_encounter(field: Field, groups: Groups) -> tuple[Groups, Values]:
    column: Values = [None] * len(field.entries)

    def part(group: list[int]) -> Groups:
        scores = scores_among(field, group)
        if scores is None:
            return [group]
        for place, score in zip(group, scores, strict=True):
            column[place] = half_up(score.numerator, score.denominator)
        return encounter_order(field, group)

    return _each_tied(groups, part), column


def _by_lot(field: Field, groups: Groups, seed: bytes | None) -> tuple[Groups, Values]:
    column: Values = [None] * len(field.entries)
    if seed is None:
        return groups, column

    def part(group: list[int]) -> Groups:
        drawn = lot_order(seed, (field.entries[place].entrant for place in group))
        order = [field.index[entrant] for entrant in drawn]
        for number, place in enumerate(order, start=1):
            column[place] = number
        return [[place] for place in order]

    return _each_tied(groups, part), column
