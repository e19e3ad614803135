"""Ways to go out: a meld move that leaves at most one card (rule book 3.6, 8.3).

Which naturals go into runs is searched for, within a budget. How the rest is laid is counted, not searched: by rank
there are few ways to lay so many naturals with so many wild cards (`domain.layings`), and a bit for each number of
wild cards used tells which of them fit together.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.blocks import (
    GROUP_RANKS,
    PLACE,
    RANK_FACES,
    WILD_FACES,
    Group,
    extensions,
    number_of_black_threes,
    run_starts,
    runs,
    without,
)
from domain.budget import Budget
from domain.cards import (
    LANE,
    RED_THREE_FACES,
    RUN_RANKS,
    SUITS,
    Cards,
    is_wild,
    number_of,
    number_of_rank,
    number_of_red_threes,
    number_of_wilds,
)
from domain.going_out import meets_requirement, why_not_out
from domain.melds import SET_SIZE, SMALLEST_MELD
from domain.moves import Discard, LayMelds, Move
from domain.rules import Rules
from domain.state import Melds, State
from domain.way_counts import ENOUGH, Settled, Terms, sample_sets, settle
from domain.way_tables import NOTHING_PINNED, Faces, Pinned, WayTable, tables


class Way(Struct, frozen=True):
    """A way out: the move that lays all cards but those left; what is pinned as new comes first in `new`."""

    new: tuple[Faces, ...]
    add: dict[str, Faces]
    join: tuple[Faces, ...]
    left: Faces

    def meld(self) -> LayMelds:
        """The move."""
        return LayMelds(new=self.new, add=self.add, join=self.join)

    def moves(self) -> list[Move]:
        """The move, where it lays anything, and the discard of what is left."""
        moves: list[Move] = [self.meld()] if self.new or self.add or self.join else []
        return [*moves, Discard(self.left)] if self.left else moves


def may_go_out(state: State, seat: int) -> bool:
    """Whether nothing but sets could be missing for the right to go out (3.5)."""
    return why_not_out(state, seat, sample_sets(ENOUGH, ENOUGH)) is None


def sets_in_reach(rules: Rules, holding: Cards, own: Melds) -> bool:
    """Whether the sets needed to go out (8.2) could be there after a move: never wrongly false, and quick."""
    wilds = number_of_wilds(holding)
    together: dict[str, int] = {}
    lacking: list[int] = [SET_SIZE] if rules.wild_melds else []
    lying_runs: dict[str, list[Faces]] = {suit: [] for suit in SUITS}
    for laid in own.values():
        cards = laid.meld.cards
        if laid.meld.kind == "sequence":
            lying_runs[cards[0][1]].append(cards)
        elif laid.meld.kind == "wild":
            lacking.append(max(SET_SIZE - len(cards), 0))
        else:
            together[cards[-1][0]] = together.get(cards[-1][0], 0) + len(cards)
    for rank in GROUP_RANKS:
        held = number_of_rank(holding, rank) if rank != "3" else number_of_black_threes(holding)
        if rank != "3" or rules.black_three_wilds:
            finished, more = divmod(together.get(rank, 0) + held, SET_SIZE)
            lacking += [0] * finished
            if more > 1:
                lacking.append(SET_SIZE - more)
    canastas = 0
    for number in sorted(lacking):
        wilds -= number
        canastas += wilds >= 0
    sambas = _sambas_in_reach(rules, holding, lying_runs) if rules.sequences else 0
    return meets_requirement(rules, sample_sets(min(canastas, ENOUGH), min(sambas, ENOUGH)))


def _sambas_in_reach(rules: Rules, holding: Cards, lying_runs: dict[str, list[Faces]]) -> int:
    starts = run_starts(holding)
    sambas = starts[SET_SIZE - SMALLEST_MELD].bit_count() if len(starts) > SET_SIZE - SMALLEST_MELD else 0
    for suit, of_suit in lying_runs.items():
        for cards in of_suit:
            reach = len(tuple(extensions(holding, suit, PLACE[cards[0][0]], PLACE[cards[-1][0]])))
            joined = rules.join_sequences and len(of_suit) > 1
            sambas += joined or len(cards) + reach >= SET_SIZE
    return sambas


def way_out(
    state: State, holding: Cards, own: Melds, budget: Budget, terms: Terms, pinned: Pinned = NOTHING_PINNED
) -> Way | None:
    """A way to lay `holding` by one meld move so that the right to go out is there, or None where none was found.

    `holding` are the cards to be laid beside the party's `own` melds. Whether the right is not denied for another
    reason (`may_go_out`) is the caller's question.
    """
    rules = state.table.rules
    too_few_points = terms.most_left_points is not None and terms.most_left_points < 0
    if too_few_points or number_of_red_threes(holding) > terms.most_left:
        return None
    for table in tables(state, holding, own, pinned):
        if _fits_nowhere(rules, table, pinned) <= terms.most_left:
            way = _Search(rules, table, pinned, terms, budget).way()
            if way is not None:
                return way
        if budget.nodes <= 0:
            return None
    return None


def _fits_nowhere(rules: Rules, table: WayTable, pinned: Pinned) -> int:
    """How many naturals at least fit neither into a group nor into a run."""
    holding = table.holding
    pairs = number_of_wilds(holding) > 0 and rules.max_wilds > 0
    alone = [
        rank
        for rank in RUN_RANKS
        if 0 < number_of_rank(holding, rank) < (2 if pairs else SMALLEST_MELD) and rank not in table.groups
    ]
    if not alone:
        return 0
    in_runs: set[str] = set()
    if rules.sequences:
        starts = run_starts(holding)
        covered = starts[0] | starts[0] << 4 | starts[0] << 8 if starts else 0
        for run in table.runs:
            in_runs.update(extensions(holding, run.suit, run.low, run.high))
    else:
        covered = 0
    stuck = 0
    for rank in alone:
        if pinned.group is not None and pinned.group.rank == rank:
            continue
        for suit, face in zip((3, 2, 1, 0), RANK_FACES[rank], strict=True):
            if not covered >> 4 * PLACE[rank] + suit & 1 and face not in in_runs:
                stuck += number_of(holding, face)
    return stuck


class _RunCards(Struct, frozen=True):
    """Cards for a run: a new one (`meld_id` empty), or one on the table, which they lengthen."""

    faces: Faces
    meld_id: str
    makes_samba: bool


class _Search:
    """One search on one table: which naturals go into runs."""

    def __init__(self, rules: Rules, table: WayTable, pinned: Pinned, terms: Terms, budget: Budget) -> None:
        self.rules = rules
        self.table = table
        self.pinned = pinned
        self.terms = terms
        self.budget = budget

    def way(self) -> Way | None:
        """The first way found."""
        rest = self.table.holding
        reds = tuple([face for face in RED_THREE_FACES if rest & LANE[face]])
        # A red three can only be the card that is left.
        return self._cover(without(rest, reds), (), reds, None)

    def _cover(self, rest: Cards, laid: tuple[_RunCards, ...], left: Faces, after: _RunCards | None) -> Way | None:
        """Lay `rest`: by numbers alone where that is possible, else with one more run.

        A rank that no group can hold has to be helped by a run or by the card left; beside that, runs are taken in
        one order only, from `after` on, so that no choice of them is looked at twice.
        """
        if not self.budget.spend():
            return None
        settled = settle(self.rules, self.table, rest, self.pinned.group, self.terms, left, self._sambas(laid))
        if isinstance(settled, Settled):
            return self._written(rest, laid, left, settled)
        stuck = settled
        more = sorted(self._runs(rest, laid), key=_order) if self.rules.sequences else []
        if stuck is None:
            more = [each for each in more if after is None or _order(each) >= _order(after)]
        else:
            more = [each for each in more if any(face[0] == stuck for face in each.faces)]
        for each in more:
            way = self._cover(without(rest, each.faces), (*laid, each), left, each if stuck is None else after)
            if way is not None or self.budget.nodes <= 0:
                return way
        if stuck is not None and len(left) < self.terms.most_left:
            for face in RANK_FACES[stuck]:
                if rest & LANE[face] and self.terms.may_leave(self.rules, face):
                    way = self._cover(without(rest, (face,)), laid, (face,), after)
                    if way is not None:
                        return way
        return None

    def _sambas(self, laid: Sequence[_RunCards]) -> int:
        lying = sum(run.high - run.low + 1 >= SET_SIZE for run in self.table.runs)
        return lying + (len(self.pinned.run) >= SET_SIZE) + sum(each.makes_samba for each in laid)

    def _runs(self, rest: Cards, laid: Sequence[_RunCards]) -> Iterator[_RunCards]:
        """Every new run, and every way to lengthen a run that has not been lengthened yet."""
        for run in runs(rest):
            yield _RunCards(run, "", len(run) == SET_SIZE)
        lengthened = {each.meld_id for each in laid}
        for lying in self.table.runs:
            room = SET_SIZE - (lying.high - lying.low + 1)
            if room and lying.meld_id not in lengthened:
                cards = tuple(extensions(rest, lying.suit, lying.low, lying.high))
                upwards = tuple([face for face in cards if PLACE[face[0]] > lying.high])
                downwards = cards[len(upwards) :]
                for up in range(len(upwards) + 1):
                    for down in range(min(len(downwards), room - up) + 1):
                        if up or down:
                            yield _RunCards(upwards[:up] + downwards[:down], lying.meld_id, up + down == room)

    def _written(self, rest: Cards, laid: Sequence[_RunCards], left: Faces, settled: Settled) -> Way:
        """The way in cards: what was settled by numbers takes any cards of the right rank."""
        pinned = self.pinned
        add = dict(self.table.add)
        new = [pinned.run] if pinned.run else []
        for each in laid:
            if each.meld_id:
                add[each.meld_id] = (*add.get(each.meld_id, ()), *each.faces)
            else:
                new.append(each.faces)
        wilds = [face for face in WILD_FACES for _ in range(number_of(rest, face))]
        if settled.leaves_wild:
            left = (wilds.pop(0),)
        for rank, laying in settled.layings:
            naturals = [face for face in RANK_FACES.get(rank, ()) for _ in range(number_of(rest, face))]
            if settled.left_rank == rank:
                left = (naturals.pop(),)
            lying = self.table.wilds if rank == "2" else self.table.groups.get(rank, [])
            for index, (number, wild_number) in enumerate(laying.groups):
                cards = tuple(naturals[:number] + wilds[:wild_number])
                del naturals[:number], wilds[:wild_number]
                if index >= len(lying):
                    new.append(cards)
                elif cards:
                    add[lying[index][0]] = (*add.get(lying[index][0], ()), *cards)
        new = [cards for cards in new if cards]
        if pinned.group is not None:
            new = _pinned_first(new, pinned.group)
        return Way(tuple(new), add, self.table.join, left)


def _order(each: _RunCards) -> tuple[int, Faces, str]:
    """Sambas first, which are what may be lacking."""
    return -len(each.faces), each.faces, each.meld_id


def _pinned_first(new: list[Faces], group: Group) -> list[Faces]:
    at = next(index for index, cards in enumerate(new) if is_of(cards, group))
    return [new[at], *new[:at], *new[at + 1 :]]


def is_of(cards: Sequence[str], group: Group) -> bool:
    """Whether cards are a group of these numbers."""
    naturals = [face for face in cards if not is_wild(face)]
    return len(cards) == group.size and len(naturals) == group.naturals and all(f[0] == group.rank for f in naturals)
