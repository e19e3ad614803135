"""How a way out lays groups and wild cards, by numbers alone (rule book 3.6, 4.2, 8.2).

For every rank `domain.layings` knows with how many wild cards its naturals can be laid and how many sets that makes.
`settle` puts them together: for each number of canastas, and with or without a natural left over, one bit for every
number of wild cards that can have been used so far. No choice of ranks is looked at twice.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.blocks import RANK_FACES, Group, number_of_black_threes
from domain.cards import RUN_RANKS, number_of_wilds
from domain.events import Meld
from domain.going_out import meets_requirement
from domain.layings import Laying, Limits, Lying, black_three_limits, layings, limits_of
from domain.melds import SET_SIZE, SMALLEST_MELD
from domain.presence import rank_counts
from domain.rules import Rules
from domain.way_tables import Faces, WayTable

ENOUGH: Final = 2
"""More canastas or sambas than this are never asked for."""

_A_CANASTA: Final = Meld("", "group", ("4S",) * SET_SIZE)
_A_SAMBA: Final = Meld("", "sequence", ("4S",) * SET_SIZE)
_NOTHING: Final = {0: Laying(0, ())}
_STATES: Final = 2 * (ENOUGH + 1)

Ways = dict[int, Laying]
"""By the number of wild cards used."""


class Terms(Struct, frozen=True):
    """What a way out must keep to.

    From `least_left` to `most_left` cards are left, and a card left is worth at most `most_left_points`.
    `black_threes` says whether they may be melded.
    """

    least_left: int
    most_left: int = 1
    most_left_points: int | None = None
    black_threes: bool = True

    def may_leave(self, rules: Rules, face: str) -> bool:
        """Whether a card is cheap enough to be left."""
        return self.most_left_points is None or rules.points[face] <= self.most_left_points


class Settled(Struct, frozen=True):
    """Ways that lay everything, by rank (`2` for wild melds), and what is left: a natural of a rank or a wild card."""

    layings: list[tuple[str, Laying]]
    left_rank: str
    leaves_wild: bool


class _Row(Struct, frozen=True):
    """The cards of one rank: how they can all be laid, and how all but one."""

    rank: str
    full: Ways
    less: Ways


@lru_cache(maxsize=16)
def sample_sets(canastas: int, sambas: int) -> tuple[Meld, ...]:
    """Melds that are so many sets."""
    return (_A_CANASTA,) * canastas + (_A_SAMBA,) * sambas


def settle(rules: Rules, table: WayTable, pinned: Group | None, terms: Terms, left: Faces) -> Settled | str | None:
    """Lay the whole holding in groups and wild melds so that the sets needed are there.

    Answers with the rank that no group can hold where there is one, and with None where the numbers do not fit.
    `left` is the card that is left already.
    """
    wilds = number_of_wilds(table.holding)
    spare = len(left) < terms.most_left
    rows: list[_Row] = []
    stuck: list[str] = []
    for row in _rows(rules, table, wilds, pinned, terms, spare=spare):
        if not row.full:
            stuck.append(row.rank)
            if not row.less or len(stuck) > 1:
                return stuck[0]
        rows.append(row)
    settled = _fit(rules, rows, wilds, terms, left, table.sambas)
    return settled if settled is not None or not stuck else stuck[0]


def _rows(
    rules: Rules, table: WayTable, wilds: int, pinned: Group | None, terms: Terms, *, spare: bool
) -> Iterator[_Row]:
    """A row for every rank with cards in hand or on the table, wild melds last; `spare` where one card may be left."""

    def row(limits: Limits, rank: str, held: int, lying: tuple[Lying, ...]) -> _Row:
        leaves = held > 0 and spare and terms.may_leave(rules, RANK_FACES[rank][0])
        if pinned is None or pinned.rank != rank:
            full = layings(limits, held, lying, wilds)
            return _Row(rank, full, layings(limits, held - 1, lying, wilds) if leaves else {})
        held -= pinned.naturals
        full = _with_pinned(limits, held, lying, wilds, pinned)
        return _Row(rank, full, _with_pinned(limits, held - 1, lying, wilds, pinned) if leaves else {})

    rest = table.holding
    limits = limits_of(rules)
    for rank, held in zip(RUN_RANKS, rank_counts(rest)[1:], strict=False):
        on_table = table.groups.get(rank, ())
        if held or on_table or (pinned is not None and pinned.rank == rank):
            yield row(limits, rank, held, tuple([numbers for _, numbers in on_table]))
    held = number_of_black_threes(rest)
    if rules.black_three_melds_any_time:
        yield row(black_three_limits(rules), "3", held, tuple([numbers for _, numbers in table.groups.get("3", ())]))
    elif held:
        if rules.black_three_melds and terms.black_threes:
            yield row(black_three_limits(rules), "3", held, ())
        else:
            leaves = held == 1 and spare and terms.may_leave(rules, "3S")
            yield _Row("3", {}, _NOTHING if leaves else {})
    yield _Row("2", _wild_ways(rules, table, wilds, pinned), {})


def _with_pinned(limits: Limits, naturals: int, lying: tuple[Lying, ...], wilds: int, pinned: Group) -> Ways:
    """Ways to lay a group as pinned and the other naturals of its rank beside it."""
    if naturals < 0 or wilds < pinned.wilds or (naturals and not limits.several):
        return {}
    makes_set = limits.sets and pinned.size >= SET_SIZE
    return {
        used + pinned.wilds: Laying(way.sets + makes_set, (*way.groups, (pinned.naturals, pinned.wilds)))
        for used, way in layings(limits, naturals, lying, wilds - pinned.wilds).items()
    }


def _wild_ways(rules: Rules, table: WayTable, wilds: int, pinned: Group | None) -> Ways:
    """Wild cards laid as wild melds: onto those on the table in their order, then as new ones."""
    ways: Ways = _NOTHING
    most = SET_SIZE if rules.wild_melds_closed else wilds + SET_SIZE
    for _, size in table.wilds:
        ways = _beside(ways, wilds, {more: size + more >= SET_SIZE for more in range(max(most - size, 0) + 1)})
    if not rules.wild_melds:
        return ways
    new = {0: False} | {number: number >= SET_SIZE for number in range(SMALLEST_MELD, min(most, wilds) + 1)}
    number = ENOUGH if rules.several_melds_per_rank else 1 - len(table.wilds)
    if pinned is not None and pinned.rank == "2":
        ways = _beside(ways, wilds, {pinned.wilds: pinned.wilds >= SET_SIZE})
        number -= 1
    for _ in range(number if wilds >= SMALLEST_MELD else 0):
        ways = _beside(ways, wilds, new)
    return ways


def _beside(ways: Ways, wilds: int, more: dict[int, bool]) -> Ways:
    """Ways with one more wild meld, which comes to hold so many cards more."""
    found: Ways = {}
    for used, way in ways.items():
        for number, makes_set in more.items():
            together = used + number
            if together <= wilds and (together not in found or found[together].sets < way.sets + makes_set):
                found[together] = Laying(way.sets + makes_set, (*way.groups, (0, number)))
    return found


def _fit(rules: Rules, rows: Sequence[_Row], wilds: int, terms: Terms, left: Faces, sambas: int) -> Settled | None:
    """Choose a way for every row so that all wild cards are used and the sets are there."""
    every = (1 << wilds + 1) - 1
    reach = [0] * _STATES
    reach[(ENOUGH + 1) * len(left)] = 1
    steps = []
    for row in rows:
        steps.append(reach)
        reach = _step(reach, row, every)
        if not any(reach):
            return None
    for canastas in range(ENOUGH, -1, -1):
        if not meets_requirement(rules, sample_sets(canastas, min(sambas, ENOUGH))):
            break
        leaving, whole = reach[ENOUGH + 1 + canastas], reach[canastas]
        if leaving >> wilds & 1 and terms.most_left:
            return _back(rows, steps, ENOUGH + 1 + canastas, wilds, leaves_wild=False)
        if wilds and whole >> wilds - 1 & 1 and terms.most_left and terms.may_leave(rules, "2S"):
            return _back(rows, steps, canastas, wilds - 1, leaves_wild=True)
        if whole >> wilds & 1 and not terms.least_left:
            return _back(rows, steps, canastas, wilds, leaves_wild=False)
    return None


def _step(reach: Sequence[int], row: _Row, every: int) -> list[int]:
    """What can be reached with one more row: by canastas, first with none left over, then with a natural left."""
    after = [0] * _STATES
    for state, used in enumerate(reach):
        if used:
            base, canastas = (0, state) if state <= ENOUGH else (ENOUGH + 1, state - ENOUGH - 1)
            for number, way in row.full.items():
                after[base + min(canastas + way.sets, ENOUGH)] |= used << number
            if not base:
                for number, way in row.less.items():
                    after[ENOUGH + 1 + min(canastas + way.sets, ENOUGH)] |= used << number
    return [used & every for used in after]


def _back(
    rows: Sequence[_Row], steps: Sequence[Sequence[int]], state: int, wilds: int, *, leaves_wild: bool
) -> Settled:
    """The choices that led to a state, found by going back."""
    chosen: list[tuple[str, Laying]] = []
    left_rank = ""
    for row, reach in zip(reversed(rows), reversed(steps), strict=True):
        state, wilds, laying, is_left = _came_from(row, reach, state, wilds)
        chosen.append((row.rank, laying))
        left_rank = row.rank if is_left else left_rank
    return Settled(chosen, left_rank, leaves_wild)


def _came_from(row: _Row, reach: Sequence[int], state: int, wilds: int) -> tuple[int, int, Laying, bool]:
    base, canastas = (0, state) if state <= ENOUGH else (ENOUGH + 1, state - ENOUGH - 1)
    for is_left in (False, True):
        if is_left and not base:
            continue
        before_base = 0 if is_left else base
        for number, way in (row.less if is_left else row.full).items():
            for before in range(ENOUGH + 1):
                fits = min(before + way.sets, ENOUGH) == canastas and number <= wilds
                if fits and reach[before_base + before] >> wilds - number & 1:
                    return before_base + before, wilds - number, way, is_left
    raise AssertionError("Every state was reached from one before it.")
