"""The table as a search for a way out sees it: joins made, pinned cards laid, own melds by what may come to them."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from domain.blocks import PLACE, Group, Run, holds, joins, without
from domain.cards import RUN_RANKS, Cards, is_wild
from domain.layings import Lying
from domain.melds import SET_SIZE
from domain.rules import Rules
from domain.state import Laid, Melds, State

JOINS_MAX: Final = 2
"""How many joins a way out may make beside those it must."""

TABLES_MAX: Final = 24
"""How many choices of joins a search for a way out looks at."""

Faces = tuple[str, ...]
Ids = tuple[str, ...]


class Pinned(Struct, frozen=True):
    """What a way out must contain: a new group or run, cards added to own melds, a join."""

    group: Group | None = None
    run: Run = ()
    add: dict[str, Faces] = {}
    join: Ids = ()


NOTHING_PINNED: Final = Pinned()


class LyingRun(Struct, frozen=True):
    """A run on the table: its id, its suit, the places of its first and last card."""

    meld_id: str
    suit: str
    low: int
    high: int

    @property
    def is_samba(self) -> bool:
        """Whether it is finished."""
        return self.high - self.low + 1 >= SET_SIZE


class WayTable(Struct, frozen=True):
    """Own melds, and the holding without what the move has laid so far (`add`, `join`, a pinned run).

    `groups` are by rank (`3` for black threes) pairs of an id and numbers, `wilds` pairs of an id and a size.
    """

    holding: Cards
    groups: dict[str, list[tuple[str, Lying]]]
    runs: tuple[LyingRun, ...]
    wilds: tuple[tuple[str, int], ...]
    add: dict[str, Faces]
    join: tuple[Ids, ...]


def tables(state: State, holding: Cards, own: Melds, pinned: Pinned) -> Iterator[WayTable]:
    """The table with every choice of joins, without any first; each has laid what is pinned."""
    must = [pinned.join] if pinned.join else []
    every = [(join.first.meld.id, join.second.meld.id) for join in joins(state, own)]
    number = 0
    for more in range(JOINS_MAX + 1):
        for beside in combinations(every, more):
            number += 1
            if number > TABLES_MAX:
                return
            table = _table(state, holding, own, pinned, _together([*must, *beside]))
            if table is not None:
                yield table


def _together(pairs: Sequence[Ids]) -> list[Ids]:
    """Joins that share a meld are one."""
    found: list[Ids] = []
    for pair in pairs:
        touching = [ids for ids in found if not set(ids).isdisjoint(pair)]
        found = [ids for ids in found if ids not in touching]
        found.append(tuple(dict.fromkeys([meld_id for ids in (*touching, pair) for meld_id in ids])))
    return found


def _table(state: State, holding: Cards, own: Melds, pinned: Pinned, join: Sequence[Ids]) -> WayTable | None:
    """The table after these joins, or None where they or the pinned cards cannot lie so."""
    rules = state.table.rules
    joined = {meld_id for ids in join for meld_id in ids}
    add = dict(pinned.add)
    groups: dict[str, list[tuple[str, Lying]]] = {}
    lying_runs: list[LyingRun] = []
    wilds: list[tuple[str, int]] = []
    for ids in (*join, *((meld_id,) for meld_id in own if meld_id not in joined)):
        melds = [own[meld_id] for meld_id in ids]
        added = [face for meld_id in ids for face in pinned.add.get(meld_id, ())]
        kind = melds[0].meld.kind
        if kind == "sequence":
            run, gap = _run(melds, added)
            if run is None:
                return None
            lying_runs.append(run)
            if gap:
                add[ids[0]] = (*add.get(ids[0], ()), *gap)
        elif kind == "wild":
            wilds.append((ids[0], len(melds[0].meld.cards) + len(added)))
        else:
            lying = _group(rules, melds, added)
            if lying is None or (len(ids) > 1 and not (rules.merge_groups or _of_partners(state, ids))):
                return None
            groups.setdefault(melds[0].meld.cards[-1][0], []).append((ids[0], lying))
    laid = [*pinned.run, *(face for faces in add.values() for face in faces)]
    if not holds(holding, laid):
        return None
    return WayTable(without(holding, laid), groups, tuple(lying_runs), tuple(wilds), add, tuple(join))


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
        cards = laid.meld.cards
        number = sum(map(is_wild, cards))
        naturals += len(cards) - number
        wilds += number
        if len(cards) >= SET_SIZE and not rules.wild_on_finished_canasta:
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
