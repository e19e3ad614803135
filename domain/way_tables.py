"""The table as a search for a way out sees it: joins made, pinned cards laid, own melds by what may come to them."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.blocks import PLACE, Group, Join, holds, without
from domain.cards import RUN_RANKS, Cards, is_wild, number_of_wilds
from domain.layings import Lying
from domain.melds import SET_SIZE
from domain.presence import Run
from domain.rules import Rules
from domain.state import Laid, Melds, State

JOINS_MAX: Final = 2
"""How many joins a way out may make beside those it must."""

TABLES_MAX: Final = 24
"""How many choices of joins a search for a way out looks at."""

Faces = tuple[str, ...]
Ids = tuple[str, ...]
Groups = dict[str, list[tuple[str, Lying]]]


class Pinned(Struct, frozen=True):
    """What a way out must contain: a new group or run, cards added to own melds, a join."""

    group: Group | None = None
    run: Run = ()
    add: dict[str, Faces] = {}
    join: Ids = ()


NOTHING_PINNED: Final = Pinned()


class LyingRun(Struct, frozen=True):
    """A run on the table: its id (empty for a new one), its suit, the places of its first and last card.

    A run that has been laid or lengthened in the move under way is not open to more.
    """

    meld_id: str
    suit: str
    low: int
    high: int
    is_open: bool = True

    @property
    def length(self) -> int:
        """How many cards it has."""
        return self.high - self.low + 1


class WayTable(Struct, frozen=True):
    """Own melds, and the holding without what the move has laid so far (`new` runs, `add`, `join`).

    `groups` are by rank (`3` for black threes) pairs of an id and numbers, `wilds` pairs of an id and a size.
    """

    holding: Cards
    groups: Groups
    runs: tuple[LyingRun, ...]
    wilds: tuple[tuple[str, int], ...]
    new: tuple[Faces, ...]
    add: dict[str, Faces]
    join: tuple[Ids, ...]

    @property
    def sambas(self) -> int:
        """How many of the runs are finished."""
        return sum([run.length >= SET_SIZE for run in self.runs])

    def with_new_run(self, run: Run) -> "WayTable":
        """The table after a new run."""
        lying = LyingRun("", run[0][1], PLACE[run[0][0]], PLACE[run[-1][0]], is_open=False)
        return replace(self, holding=without(self.holding, run), runs=(*self.runs, lying), new=(*self.new, run))

    def with_longer_run(self, lying: LyingRun, faces: Faces) -> "WayTable":
        """The table after cards have come to a run."""
        places = [PLACE[face[0]] for face in faces]
        grown = LyingRun(lying.meld_id, lying.suit, min(lying.low, *places), max(lying.high, *places), is_open=False)
        return replace(
            self,
            holding=without(self.holding, faces),
            runs=tuple([grown if run is lying else run for run in self.runs]),
            add={**self.add, lying.meld_id: (*self.add.get(lying.meld_id, ()), *faces)},
        )

    def without_card(self, face: str) -> "WayTable":
        """The table with a card of the holding put aside."""
        return replace(self, holding=without(self.holding, (face,)))


class Tables:
    """The tables of one party and holding: laid out once, and changed by what is pinned and joined."""

    def __init__(self, state: State, own: Melds, joins: Sequence[Join]) -> None:
        self.state = state
        self.rules = state.table.rules
        self.own = own
        self.pairs = [(join.first.meld.id, join.second.meld.id) for join in joins]
        self.groups: Groups = {}
        self.runs: dict[str, LyingRun] = {}
        self.wilds: dict[str, int] = {}
        open_to_wilds = self.rules.wild_on_finished_canasta
        for meld_id, laid in own.items():
            cards = laid.meld.cards
            if laid.meld.kind == "sequence":
                self.runs[meld_id] = LyingRun(meld_id, cards[0][1], PLACE[cards[0][0]], PLACE[cards[-1][0]])
            elif laid.meld.kind == "wild":
                self.wilds[meld_id] = len(cards)
            else:
                wilds = number_of_wilds(laid.cards)
                lying = len(cards) - wilds, wilds, open_to_wilds or len(cards) < SET_SIZE
                self.groups.setdefault(cards[-1][0], []).append((meld_id, lying))

    def choices(self, holding: Cards, pinned: Pinned) -> Iterator[WayTable]:
        """The table with every choice of joins, without any first; each has laid what is pinned."""
        must = [pinned.join] if pinned.join else []
        number = 0
        for more in range(JOINS_MAX + 1):
            for beside in combinations(self.pairs, more):
                number += 1
                if number > TABLES_MAX:
                    return
                table = self._table(holding, pinned, _together([*must, *beside]))
                if table is not None:
                    yield table

    def _table(self, holding: Cards, pinned: Pinned, join: Sequence[Ids]) -> WayTable | None:
        """The table after these joins, or None where they or the pinned cards cannot lie so."""
        add = dict(pinned.add)
        groups, runs, wilds = self.groups, self.runs, self.wilds
        if join or add:
            groups, runs, wilds = dict(groups), dict(runs), dict(wilds)
            joined = {meld_id for ids in join for meld_id in ids}
            for ids in (*join, *[(meld_id,) for meld_id in add if meld_id not in joined]):
                for meld_id in ids:
                    self._take_up(groups, runs, wilds, meld_id)
                added = [face for meld_id in ids for face in pinned.add.get(meld_id, ())]
                gap = self._lay(groups, runs, wilds, ids, [self.own[meld_id] for meld_id in ids], added)
                if gap is None:
                    return None
                if gap:
                    add[ids[0]] = (*add.get(ids[0], ()), *gap)
        laid = [face for faces in add.values() for face in faces]
        if not holds(holding, (*laid, *pinned.run)):
            return None
        holding = without(holding, laid)
        table = WayTable(holding, groups, tuple(runs.values()), tuple(wilds.items()), (), add, tuple(join))
        return table.with_new_run(pinned.run) if pinned.run else table

    def _take_up(self, groups: Groups, runs: dict[str, LyingRun], wilds: dict[str, int], meld_id: str) -> None:
        runs.pop(meld_id, None)
        wilds.pop(meld_id, None)
        meld = self.own[meld_id].meld
        if meld.kind not in ("sequence", "wild"):
            rank = meld.cards[-1][0]
            groups[rank] = [entry for entry in groups[rank] if entry[0] != meld_id]

    def _lay(
        self,
        groups: Groups,
        runs: dict[str, LyingRun],
        wilds: dict[str, int],
        ids: Ids,
        melds: Sequence[Laid],
        added: Sequence[str],
    ) -> Run | None:
        """Put melds on a table as one, with cards added; the cards that a run lacks within, None where it cannot be."""
        meld = melds[0].meld
        if meld.kind == "sequence":
            run, gap = _run(melds, added)
            if run is None:
                return None
            runs[ids[0]] = run
            return gap
        if meld.kind == "wild":
            wilds[ids[0]] = len(meld.cards) + len(added)
            return ()
        lying = _group(self.rules, melds, added)
        if lying is None or (len(ids) > 1 and not (self.rules.merge_groups or _of_partners(self.state, ids))):
            return None
        groups[meld.cards[-1][0]] = [*groups.get(meld.cards[-1][0], ()), (ids[0], lying)]
        return ()


def _together(pairs: Sequence[Ids]) -> list[Ids]:
    """Joins that share a meld are one."""
    found: list[Ids] = []
    for pair in pairs:
        touching = [ids for ids in found if not set(ids).isdisjoint(pair)]
        found = [ids for ids in found if ids not in touching]
        found.append(tuple(dict.fromkeys([meld_id for ids in (*touching, pair) for meld_id in ids])))
    return found


def _run(melds: Sequence[Laid], added: Sequence[str]) -> tuple[LyingRun | None, Run]:
    """One run of all these, and the cards that it still lacks within; None where two of them are the same."""
    suit = melds[0].meld.cards[0][1]
    places = [PLACE[face[0]] for laid in melds for face in laid.meld.cards] + [PLACE[face[0]] for face in added]
    low, high = min(places), max(places)
    there = set(places)
    if len(there) < len(places) or high - low + 1 > SET_SIZE:
        return None, ()
    gap = tuple([RUN_RANKS[place] + suit for place in range(low, high + 1) if place not in there])
    return LyingRun(melds[0].meld.id, suit, low, high), gap


def _group(rules: Rules, melds: Sequence[Laid], added: Sequence[str]) -> Lying | None:
    """One group of all these, or None where a finished one among them would hold more wild cards (4.2)."""
    naturals = wilds = 0
    finished: list[int] = []
    for laid in melds:
        length, number = len(laid.meld.cards), number_of_wilds(laid.cards)
        naturals += length - number
        wilds += number
        if length >= SET_SIZE and not rules.wild_on_finished_canasta:
            finished.append(number)
    number = sum(map(is_wild, added))
    naturals += len(added) - number
    wilds += number
    if finished and wilds > min(finished):
        return None
    return naturals, wilds, not finished


def _of_partners(state: State, ids: Ids) -> bool:
    """Whether these melds lie under both partners of a lone side (2.3, 4.7)."""
    return (
        state.lone is not None
        and len({owner for owner, melds in enumerate(state.melds) for i in ids if i in melds}) > 1
    )
