"""Pairing a ranked field at least cost: bars that give way in the declared order, the bye from the bottom up.

A relaxed bar costs more than any pairing without it, and a kind of the declared order more than all kinds before it
together, so that no more of them give way than must. What gave way is told.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from domain.pairing.blossoms import Tree
from domain.pairing.fields import check
from domain.pairing.matching import match, spare
from domain.pairing.shapes import Contender, Couple, Field, NoPairing, NoPairingCode, Relaxation, RelaxationKind, couple

Repeats = Literal["allowed", "not_last", "never"]
"""Which rematches are barred: none, those of the round before, or all."""

_NAMED: Final = 6

Bars = Mapping[Couple, tuple[RelaxationKind, ...]]


class Costs(Struct, frozen=True):
    """What it costs to pair two of those who are left, by their places among them, as an integer of at most `most`.

    `near` lists the places so that likely partners stand close to each other; where it is the order of the places
    itself and `rising` is set, the cost never falls as the second place moves away.
    """

    of: Callable[[int, int], int]
    most: int
    near: Sequence[int]
    rising: bool = False


class Drawn(Struct, frozen=True):
    """What was found: couples in order of rank, the higher ranked first, byes, what gave way, and the costs without it.

    `passed` are those who would have had the bye before the one who has it, had that not left others unpaired.
    """

    couples: tuple[tuple[Contender, Contender], ...]
    byes: tuple[str, ...]
    passed: tuple[str, ...]
    relaxations: tuple[Relaxation, ...]
    cost: int


class _Choice(Struct, frozen=True):
    couples: tuple[tuple[int, int], ...] = ()
    bye: int | None = None
    passed: tuple[int, ...] = ()
    cost: int = 0


def draw(ranked: Sequence[Contender], field: Field, costs: Callable[[Sequence[int]], Costs], repeats: Repeats) -> Drawn:
    """Pair a field whose contenders are ranked; `costs` is told the ranks, from 0, of those who are left to be paired.

    Raises NoPairing: too_few, field_invalid, dead_end, no_bye.
    """
    check(field)
    bars = _bars(field, repeats)
    choice = _Problem(ranked, bars, field.relaxations, costs).choose(range(len(ranked)))
    places = sorted(choice.couples)
    byes = [] if choice.bye is None else [choice.bye]
    relaxations = [
        Relaxation(kind, (ranked[a].entrant, ranked[b].entrant))
        for a, b in places
        for kind in bars.get(couple(ranked[a].entrant, ranked[b].entrant), ())
    ]
    relaxations += [Relaxation("second_bye", (ranked[place].entrant,)) for place in byes if ranked[place].byes]
    return Drawn(
        tuple((ranked[a], ranked[b]) for a, b in places),
        tuple(ranked[place].entrant for place in byes),
        tuple(ranked[place].entrant for place in choice.passed),
        tuple(relaxations),
        choice.cost,
    )


def _bars(field: Field, repeats: Repeats) -> Bars:
    bars: dict[Couple, tuple[RelaxationKind, ...]] = {}

    def bar(one: str, other: str, kind: RelaxationKind) -> None:
        key = couple(one, other)
        if kind not in (kinds := bars.get(key, ())):
            bars[key] = (*kinds, kind)

    for one, other in field.avoided:
        bar(one, other, "avoided")
    for one, other in field.forbidden:
        bar(one, other, "forbidden")
    if repeats != "allowed":
        last: dict[Couple, int] = {}
        for (one, other), round_number in field.met.items():
            key = couple(one, other)
            last[key] = max(round_number, last.get(key, round_number))
        for (one, other), round_number in last.items():
            ago = field.round - round_number
            if repeats == "never" or ago == 1:
                bar(one, other, "rematch" if ago <= field.recent or repeats == "not_last" else "old_rematch")
    return bars


class _Problem:
    """A ranked field with its bars, tried with more and more of them relaxed."""

    def __init__(
        self,
        ranked: Sequence[Contender],
        bars: Bars,
        relaxations: Sequence[RelaxationKind],
        costs: Callable[[Sequence[int]], Costs],
    ) -> None:
        self._ranked = ranked
        self._costs = costs
        self._barred: list[dict[int, int | None]] = [{} for _ in ranked]
        rank = {contender.entrant: place for place, contender in enumerate(ranked)}
        order = {kind: level for level, kind in enumerate(relaxations)}
        levels = {0}
        for (one, other), kinds in bars.items():
            if one in rank and other in rank:
                level = None if any(kind not in order for kind in kinds) else max(order[kind] for kind in kinds)
                self._barred[rank[one]][rank[other]] = self._barred[rank[other]][rank[one]] = level
                levels |= set() if level is None else {level + 1}
        self._levels = sorted(levels)
        """How many kinds are relaxed at each attempt; an attempt that could find nothing new is left out."""

    def choose(self, free: Sequence[int]) -> _Choice:
        """The couples of those left, and the bye where they are odd."""
        fewest = min(self._ranked[place].byes for place in free)
        candidates = [place for place in reversed(free) if self._ranked[place].byes == fewest]
        tree: Tree | None = None
        for relaxed in self._levels:
            found = self._with_bye(free, candidates, relaxed) if len(free) % 2 else self._pair(free, relaxed)
            if isinstance(found, _Choice):
                return found
            tree = found
        if tree is None:
            raise NoPairing(
                NoPairingCode.NO_BYE,
                "Whoever may have the bye, the others cannot all be paired.",
                tuple(self._ranked[place].entrant for place in candidates),
            )
        raise self._dead_end(tree)

    def _with_bye(self, free: Sequence[int], candidates: Sequence[int], relaxed: int) -> _Choice | None:
        """Give the bye to the first candidate without whom the others can be paired; None where there is none."""
        without: set[int] | None = None
        for tried, bye in enumerate(candidates):
            if without is not None and bye not in without:
                continue
            found = self._pair([place for place in free if place != bye], relaxed)
            if isinstance(found, _Choice):
                return _Choice(found.couples, bye, tuple(candidates[:tried]), found.cost)
            without = {free[v] for v in spare(len(free), lambda v, w: self._bar(free[v], free[w], relaxed) is not None)}
        return None

    def _bar(self, one: int, other: int, relaxed: int) -> int | None:
        """The place in the declared order, from 1, of a bar that is relaxed; 0 for no bar, None for a firm one."""
        level = self._barred[one].get(other, -1)
        return None if level is None or level >= relaxed else level + 1

    def _pair(self, left: Sequence[int], relaxed: int) -> _Choice | Tree:
        """Pair an even number at least cost; a tree of ranks where that is impossible."""
        costs = self._costs(left)
        of, near = costs.of, costs.near
        ranks = [left[place] for place in near]
        number = {rank: v for v, rank in enumerate(ranks)}
        half = len(left) // 2 + 1
        unit = costs.most * half
        extra: list[dict[int, int | None]] = [{} for _ in ranks]
        for rank, v in number.items():
            for other in self._barred[rank]:
                if other in number:
                    bar = self._bar(rank, other, relaxed)
                    extra[v][number[other]] = None if bar is None else unit * half ** (bar - 1)

        def cost(v: int, w: int) -> int | None:
            if w in extra[v]:
                more = extra[v][w]
                return None if more is None else more + of(near[v], near[w])
            return of(near[v], near[w])

        found = match(len(left), cost, of if costs.rising else None)
        if isinstance(found, Tree):
            return Tree(tuple(sorted(ranks[v] for v in found.outer)), tuple(sorted(ranks[v] for v in found.inner)))
        couples = [(v, w) for v, w in enumerate(found.mates) if v < w]
        total = sum(of(near[v], near[w]) for v, w in couples)
        return _Choice(
            tuple(sorted((min(ranks[v], ranks[w]), max(ranks[v], ranks[w])) for v, w in couples)), cost=total
        )

    def _dead_end(self, tree: Tree) -> NoPairing:
        outer = tuple(self._ranked[rank].entrant for rank in tree.outer)
        inner = tuple(self._ranked[rank].entrant for rank in tree.inner)
        if len(outer) == 1 and not inner:
            message = f"{outer[0]} has nobody left to meet."
        else:
            others = f"among themselves and with {_named(inner)}" if inner else "among themselves"
            message = f"{_named(outer)} can only be paired {others}, and one of them is left over."
        return NoPairing(NoPairingCode.DEAD_END, message, outer, outer=outer, inner=inner)


def _named(entrants: Sequence[str]) -> str:
    if len(entrants) > _NAMED:
        return f"{', '.join(entrants[:_NAMED])} and {len(entrants) - _NAMED} others"
    return " and ".join(part for part in (", ".join(entrants[:-1]), entrants[-1]) if part)
