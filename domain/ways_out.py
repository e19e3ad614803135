"""Ways to go out: a meld move that leaves at most the one card to discard (rule book 8.3, 8.5).

The search lays the holding rank by rank: onto own melds, as new groups, in runs; wild cards come last. It is bounded
by a budget of combinations, and a way it proposes is judged by `decide` before it is given.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from domain.blocks import runs, without
from domain.cards import (
    BLACK_THREE_FACES,
    BLACK_THREES,
    LANE,
    NATURALS,
    RANK_LANES,
    RED_THREE_FACES,
    RED_THREES,
    RUN_RANKS,
    RUNS,
    SUITS,
    UNIT,
    Cards,
    count,
    faces_of,
    is_wild,
    number_of_rank,
    number_of_wilds,
    size,
)
from domain.completions import Budget
from domain.decide import decide
from domain.evolve import fold
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD
from domain.moves import Discard, LayMelds, Move
from domain.refusals import Refusal
from domain.rules import Rules
from domain.state import Laid, State, own_melds

WAY_OUT_NODES_MAX: Final = 60
"""How many combinations a search for a way out looks at."""

Faces = tuple[str, ...]


class _Heap(Struct, frozen=True):
    """A meld as a plan would leave it: an own one by its id, or a new one with an empty id."""

    meld_id: str
    kind: str
    lying: Faces
    laid: Faces = ()

    @property
    def cards(self) -> Faces:
        return self.lying + self.laid


def way_out(state: State, seat: int, budget: Budget, pinned: LayMelds | None = None) -> list[Move] | None:
    """Moves by which a seat in phase `play` goes out at once, as its permission stands; None where none was found.

    `pinned` are new melds and additions that the way must contain.
    """
    holding = state.holdings[seat]
    heaps = [_heap(laid) for laid in own_melds(state, seat).values()]
    if pinned is not None:
        holding = without(holding, [face for cards in (*pinned.new, *pinned.add.values()) for face in cards])
        heaps = [_pinned_onto(heap, pinned) for heap in heaps]
        heaps += [_Heap("", _kind(cards), (), cards) for cards in pinned.new]
    if not _could_have_the_sets(state.table.rules, holding, heaps):
        return None
    budget = Budget(min(budget.nodes, WAY_OUT_NODES_MAX))
    for left in _left_over(state.table.rules, holding):
        if _out_of_reach(state.table.rules, holding, heaps, left):
            continue
        for plan in _lay(state.table.rules, without(holding, left), heaps, budget):
            moves = _moves(plan, left)
            if goes_out(state, seat, moves):
                return moves
    return None


def _could_have_the_sets(rules: Rules, holding: Cards, heaps: Sequence[_Heap]) -> bool:
    """Whether the sets needed to go out are not out of reach: a bound that costs little (8.2)."""
    needed = {"one_any": 1, "two_any": 2, "two_with_samba": 2, "two_canastas_one_samba": 3}[rules.going_out_requirement]
    wilds = number_of_wilds(holding)
    within = 0
    ranks = set()
    for heap in heaps:
        reach = len(heap.cards)
        if heap.kind == "group":
            rank = _rank(heap.cards)
            ranks.add(rank)
            reach += number_of_rank(holding, rank) + wilds
        elif heap.kind == "sequence":
            reach = SET_SIZE if SET_SIZE - reach <= size(holding) else reach
        else:
            reach += wilds
        within += reach >= SET_SIZE
    if within >= needed:
        return True
    within += sum(number_of_rank(holding, rank) + wilds >= SET_SIZE for rank in RUN_RANKS if rank not in ranks)
    within += wilds >= SET_SIZE and rules.wild_melds
    if rules.sequences:
        within += sum(len(run) == SET_SIZE for run in runs(holding))
    return within >= needed


def _out_of_reach(rules: Rules, holding: Cards, heaps: Sequence[_Heap], left: Faces) -> bool:
    """Whether a natural card beside the one left fits nowhere, or the groups lack wild cards: a cheap bound."""
    rest = without(holding, left)
    wilds = number_of_wilds(rest)
    in_runs = {face for run in runs(rest) for face in run} if rules.sequences else set()
    ranks = {_rank(heap.cards) for heap in heaps if heap.kind == "group"}
    suits = {heap.cards[0][1] for heap in heaps if heap.kind == "sequence"}
    lacking = 0
    for rank in RUN_RANKS:
        held = number_of_rank(rest, rank)
        if held and held < SMALLEST_MELD and rank not in ranks:
            in_sequence = (suit in suits or rank + suit in in_runs for suit in SUITS if rest & LANE[rank + suit])
            if not all(in_sequence):
                lacking += SMALLEST_MELD - held
    return lacking > wilds


def _rank(cards: Sequence[str]) -> str:
    return next(face[0] for face in cards if not is_wild(face))


def goes_out(state: State, seat: int, moves: Sequence[Move]) -> bool:
    """Whether the moves are accepted and leave the seat out."""
    for move in moves:
        decision = decide(state, seat, move)
        if isinstance(decision, Refusal):
            return False
        state = fold(state, decision)
    return state.ended is not None and state.ended.by == seat


def _heap(laid: Laid) -> _Heap:
    return _Heap(laid.meld.id, laid.meld.kind, laid.meld.cards)


def _pinned_onto(heap: _Heap, pinned: LayMelds) -> _Heap:
    return _Heap(heap.meld_id, heap.kind, heap.lying, pinned.add.get(heap.meld_id, ()))


def _kind(cards: Sequence[str]) -> str:
    naturals = {face[0] for face in cards if not is_wild(face)}
    if not naturals:
        return "wild"
    if naturals == {"3"}:
        return "black_threes"
    return "group" if len(naturals) == 1 else "sequence"


def _left_over(rules: Rules, holding: Cards) -> list[Faces]:
    """What could be kept for the discard: one card, cards that fit nowhere first, or nothing."""
    faces = sorted(set(faces_of(holding)), key=lambda face: (LANE[face] & NATURALS != 0, is_wild(face)))
    if holding & RED_THREES:
        reds = tuple(face for face in faces_of(holding) if face in RED_THREE_FACES)
        return [reds] if len(reds) == 1 and rules.red_three_discard else []
    kept: list[Faces] = [(face,) for face in faces]
    return kept if rules.final_discard_required else [*kept, ()]


def _lay(rules: Rules, rest: Cards, heaps: list[_Heap], budget: Budget) -> Iterator[list[_Heap]]:
    """Every way found to lay all cards of `rest`, one rank of naturals after the other."""
    if not budget.spend():
        return
    rank = next((rank for rank in RUN_RANKS if rest & RANK_LANES[rank]), None)
    if rank is None:
        yield from _lay_the_others(rules, rest, heaps)
        return
    cards = tuple(face for face in faces_of(rest) if face[0] == rank)
    after = without(rest, cards)
    for index, heap in enumerate(heaps):
        if heap.kind == "group" and _rank(heap.cards) == rank:
            yield from _lay(rules, after, _onto(heaps, index, cards), budget)
            break
    yield from _lay_as_group(rules, cards, after, heaps, budget)
    for index, heap in enumerate(heaps):
        if heap.kind == "sequence" and len(heap.cards) < SET_SIZE:
            for face in set(cards):
                if count(heap.cards) + UNIT[face] in RUNS:
                    yield from _lay(rules, without(rest, (face,)), _onto(heaps, index, (face,)), budget)
    if rules.sequences:
        for run in runs(rest):
            if any(face[0] == rank for face in run):
                yield from _lay(rules, without(rest, run), [*heaps, _Heap("", "sequence", (), run)], budget)


def _lay_as_group(
    rules: Rules, cards: Faces, after: Cards, heaps: list[_Heap], budget: Budget
) -> Iterator[list[_Heap]]:
    """The cards of one rank as a new group, with as few wild cards as it needs."""
    wilds = max(SMALLEST_MELD - len(cards), 0)
    if wilds > min(number_of_wilds(after), rules.max_wilds):
        return
    if wilds and len(cards) < NATURALS_NEEDED[rules.group_ratio][wilds]:
        return
    helpers = _wilds(after)[:wilds]
    made = _Heap("", "group", (), cards + helpers)
    yield from _lay(rules, without(after, helpers), [*heaps, made], budget)


def _lay_the_others(rules: Rules, rest: Cards, heaps: list[_Heap]) -> Iterator[list[_Heap]]:
    """Black threes as a meld of their own, then wild cards wherever there is room."""
    if rest & BLACK_THREES:
        threes = tuple(face for face in faces_of(rest) if face in BLACK_THREE_FACES)
        if len(threes) < SMALLEST_MELD or not rules.black_three_melds:
            return
        heaps = [*heaps, _Heap("", "black_threes", (), threes)]
        rest = without(rest, threes)
    wilds = _wilds(rest)
    if not wilds:
        yield heaps
        return
    if rules.wild_melds and len(wilds) >= SMALLEST_MELD:
        yield [*heaps, _Heap("", "wild", (), wilds)]
    for face in wilds:
        index = next((index for index, heap in enumerate(heaps) if _has_room(rules, heap)), None)
        if index is None:
            return
        heaps = _onto(heaps, index, (face,))
    yield heaps


def _has_room(rules: Rules, heap: _Heap) -> bool:
    """Whether one more wild card may lie in a meld."""
    length, wilds = len(heap.cards), sum(map(is_wild, heap.cards))
    if heap.kind == "wild":
        return not rules.wild_melds_closed or length < SET_SIZE
    if heap.kind == "sequence" or (heap.kind == "black_threes" and not rules.black_three_wilds):
        return False
    if not rules.wild_on_finished_canasta and len(heap.lying) >= SET_SIZE:
        return False
    return wilds < rules.max_wilds and length - wilds >= NATURALS_NEEDED[rules.group_ratio][wilds + 1]


def _onto(heaps: list[_Heap], index: int, faces: Faces) -> list[_Heap]:
    heap = heaps[index]
    grown = _Heap(heap.meld_id, heap.kind, heap.lying, heap.laid + faces)
    return [*heaps[:index], grown, *heaps[index + 1 :]]


def _wilds(cards: Cards) -> Faces:
    return tuple(face for face in faces_of(cards) if is_wild(face))[::-1] if cards else ()


def _moves(heaps: Sequence[_Heap], left: Faces) -> list[Move]:
    new = tuple(heap.laid for heap in heaps if not heap.meld_id)
    add = {heap.meld_id: heap.laid for heap in heaps if heap.meld_id and heap.laid}
    moves: list[Move] = [LayMelds(new=new, add=add)] if new or add else []
    return [*moves, Discard(left)] if left else moves
