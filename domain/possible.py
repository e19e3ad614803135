"""What is possible for a seat now, and nothing else: the lean list for play-outs.

The same blocks as `domain.legal` marks possible, without points and reasons; only a question to the partner is left
out where going out needs no leave (8.5). Blocks are counted by the section, and the move of one is built when it is
chosen. Where the guards cannot refuse a block, they are not asked.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from domain.block_moves import BlockMoves
from domain.blocks import Group, faces_for, groups_of, joins, number_of_black_threes, wild_groups
from domain.budget import Budget
from domain.cards import (
    BLACK_THREES,
    JOKER,
    JOKERS,
    LANE,
    RED_THREE_FACES,
    RED_THREES,
    RUN_RANKS,
    faces_of,
    number_of_wilds,
    size,
)
from domain.decide import decide, must_discard
from domain.discarding import can_discard
from domain.drawing import can_draw
from domain.layings import black_three_limits, limits_of
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD
from domain.moves import Answer, Discard, Draw, LayRedThree, Move, Pass
from domain.presence import (
    BIT,
    LANE_RANKS,
    NATURAL_BITS,
    RANK_BITS,
    RUN_AT,
    faces_of_bits,
    lengthening,
    presence,
    rank_counts,
    run_starts,
)
from domain.questions import may_ask, question
from domain.refusals import Refusal
from domain.sections import Additions, Discards, NewGroups, NewRuns, Possible, Ready, RunAdditions, Takes, WildAdditions
from domain.state import Laid, State, answering_seat, own_melds
from domain.take_moves import TakeMoves
from domain.takes import may_take

_DRAW: Final = Ready([Draw()])
_ANSWERS: Final = Ready([Answer(yes=True), Answer(yes=False)])
_JOKER_DISCARD: Final = Ready([Discard((JOKER,))])
_RED_THREE_BITS: Final = BIT["3H"] | BIT["3D"]


def possible_moves(state: State, seat: int) -> Possible:
    """Every choice a seat has now beside resigning; none where it is not to act."""
    phase = state.phase
    found = Possible()
    if phase == "draw" and seat == state.turn:
        _in_draw(found, state, seat)
    elif phase == "play" and seat == state.turn:
        if must_discard(state, seat):
            _judge(found, state, seat, map(Discard, [faces_of(state.holdings[seat])]))
        else:
            _InPlay(found, state, seat).list()
    elif phase == "answer" and seat == answering_seat(state):
        found.add(2, _ANSWERS)
    return found


def _judge(found: Possible, state: State, seat: int, moves: Iterable[Move]) -> None:
    """Add those of the moves that the guards accept."""
    _add_ready(found, [move for move in moves if not isinstance(decide(state, seat, move), Refusal)])


def _add_ready(found: Possible, moves: Sequence[Move]) -> None:
    if moves:
        found.add(len(moves), Ready(moves))


def _in_draw(found: Possible, state: State, seat: int) -> None:
    if can_draw(state):
        found.add(1, _DRAW)
    else:
        _judge(found, state, seat, [Pass()])
    holding = state.holdings[seat]
    if holding & RED_THREES and state.table.rules.red_threes == "optional":
        _judge(found, state, seat, [LayRedThree(face) for face in RED_THREE_FACES if holding & LANE[face]])
    if may_take(state, seat):
        moves = TakeMoves(state, seat, Budget())
        sure = [take for take in moves.takes if moves.is_sure(take)]
        if sure:
            found.add(len(sure), Takes(moves, sure))
        ready: list[Move | None] = [moves.move(take) for take in moves.takes if not moves.is_sure(take)]
        if state.table.rules.partner_permission == "required" and may_ask(state, seat):
            ready.append(question(state, seat, moves.budget, moves.leading_out()))
        _add_ready(found, [move for move in ready if move is not None])


class _InPlay:
    """The list of a seat in phase `play`."""

    def __init__(self, found: Possible, state: State, seat: int) -> None:
        self.found = found
        self.state = state
        self.seat = seat
        self.rules = state.table.rules
        self.holding = state.holdings[seat]
        self.held = size(self.holding)
        self.present = presence(self.holding)
        self.counts = rank_counts(self.holding)
        self.wilds = number_of_wilds(self.holding)
        self.own = own_melds(state, seat)
        self.sure = self.held - 2 if self.own else 0
        """A block of so many cards can be laid for sure: others could keep too few, or be too little to begin with."""
        self.joinable = len(self.own) > 1 and bool(joins(state, self.own))
        self.ready: list[Move] = []
        self._moves: BlockMoves | None = None

    @property
    def moves(self) -> BlockMoves:
        """Asked about blocks that could be refused."""
        if self._moves is None:
            self._moves = BlockMoves(self.state, self.seat, Budget())
        return self._moves

    def list(self) -> None:
        """Melds, additions, joins, red threes, discards, pass and question."""
        self._groups()
        if self.rules.sequences:
            self._runs()
        if self.own:
            self._onto_melds()
        if self.joinable:
            self._ask([self.moves.join(join) for join in self.moves.joins()])
            self._ask([self.moves.addition(self.own[key], face) for key, face in self.moves.onto_joined])
        self._endings()
        if self.rules.partner_permission == "required" and may_ask(self.state, self.seat):
            self._ask([question(self.state, self.seat, self.moves.budget, ())])
        _add_ready(self.found, self.ready)

    def _ask(self, moves: Iterable[Move | None]) -> None:
        self.ready += [move for move in moves if move is not None]

    def _groups(self) -> None:
        rules, wilds = self.rules, self.wilds
        limits = limits_of(rules)
        least = 2 if wilds else SMALLEST_MELD
        for rank, held in zip(RUN_RANKS, self.counts[1:], strict=False):
            if held >= least:
                self._new_groups(groups_of(limits, rank, held, wilds))
        if rules.wild_melds and wilds >= SMALLEST_MELD:
            self._new_groups(wild_groups(min(wilds, SET_SIZE) if rules.wild_melds_closed else wilds))
        if rules.black_three_melds and self.holding & BLACK_THREES:
            groups = groups_of(black_three_limits(rules), "3", number_of_black_threes(self.holding), wilds)
            if rules.black_three_melds_any_time:
                self._new_groups(groups)
            elif groups and self.moves.exit_in_reach:
                self._ask([self.moves.group(group) for group in groups])

    def _new_groups(self, groups: Sequence[Group]) -> None:
        if not groups or (self.own and not self.rules.several_melds_per_rank and self.moves.lies(groups[0].rank)):
            return
        largest = groups[-1]
        if largest.naturals + largest.wilds <= self.sure:
            self.found.add(len(groups), NewGroups(self.holding, groups))
            return
        sure = [group for group in groups if group.size <= self.sure]
        if sure:
            self.found.add(len(sure), NewGroups(self.holding, sure))
        if not self.own or self.moves.exit_in_reach:
            self._ask([self.moves.group(group) for group in groups if group.size > self.sure])

    def _runs(self) -> None:
        for length, starts in enumerate(run_starts(self.present & NATURAL_BITS), SMALLEST_MELD):
            if length <= self.sure:
                self.found.add(starts.bit_count(), NewRuns(length, starts))
            elif not self.own or self.moves.exit_in_reach:
                of_length = RUN_AT[length]
                runs = [of_length[BIT[face]] for face in faces_of_bits(starts)]
                self._ask([self.moves.run(run) for run in runs])

    def _onto_melds(self) -> None:
        """Cards for melds that lie."""
        present, found = self.present, self.found
        takes_wilds = self.wilds > 0 and self.rules.max_wilds > 0
        for laid in self.own.values():
            meld = laid.meld
            if meld.kind == "group":
                bits = present & RANK_BITS[meld.cards[-1][0]]
                if bits:
                    if self.held > 2:
                        found.add(bits.bit_count(), Additions(meld.id, bits))
                    elif self.moves.exit_in_reach:
                        self._ask([self.moves.addition(laid, face) for face in faces_of_bits(bits)])
                if takes_wilds:
                    self._wilds_onto(laid)
            elif meld.kind != "sequence" or lengthening(present & NATURAL_BITS, meld.cards):
                self._onto_other(laid)

    def _onto_other(self, laid: Laid) -> None:
        """Cards for a run, a wild meld or black threes."""
        faces = faces_for(self.rules, self.holding, laid)
        if faces and laid.meld.kind == "sequence" and self.held - len(faces) >= 2:
            self.found.add(len(faces), RunAdditions(laid, faces))
        else:
            self._ask([self.moves.addition(laid, face) for face in faces])

    def _wilds_onto(self, laid: Laid) -> None:
        rules, cards = self.rules, laid.meld.cards
        there, number = number_of_wilds(laid.cards), len(cards)
        if there >= rules.max_wilds or (number >= SET_SIZE and not rules.wild_on_finished_canasta):
            return
        lacking = max(NATURALS_NEEDED[rules.group_ratio][there + 1] - (number - there), 0)
        has_naturals = not lacking or lacking <= self.counts[LANE_RANKS.index(cards[-1][0])]
        if has_naturals and self.held - 1 - lacking >= 2:
            faces = self._wild_faces()
            self.found.add(len(faces), WildAdditions(self.state, self.seat, laid, faces))
        elif self.joinable or self.moves.exit_in_reach:
            faces = self._wild_faces()
            # To the guards wild cards are all alike: what cannot be done with one can be done with none.
            first = self.moves.addition(laid, faces[0])
            if first is not None:
                self._ask([first, *[self.moves.addition(laid, face) for face in faces[1:]]])

    def _wild_faces(self) -> Sequence[str]:
        twos = faces_of_bits(self.present & RANK_BITS["2"])
        return [*twos, JOKER] if self.holding & JOKERS else twos

    def _endings(self) -> None:
        """Red threes, discards and the pass."""
        holding, held, rules = self.holding, self.held, self.rules
        if holding & RED_THREES and rules.red_threes == "optional":
            reds: list[Move] = [LayRedThree(face) for face in RED_THREE_FACES if holding & LANE[face]]
            if held > 2:
                self.ready += reds
            else:
                _judge(self.found, self.state, self.seat, reds)
        if held > 1 and not self.state.last_turn:
            bits = self.present if rules.red_three_discard else self.present & ~_RED_THREE_BITS
            if bits:
                self.found.add(bits.bit_count(), Discards(bits))
            if holding & JOKERS:
                self.found.add(1, _JOKER_DISCARD)
            if rules.black_three_closing_discard and held in (3, 4) and number_of_black_threes(holding) == held:
                _judge(self.found, self.state, self.seat, [Discard(faces_of(holding))])
            if bits or holding & JOKERS:
                return
        elif held:
            _judge(self.found, self.state, self.seat, [Discard((face,)) for face in dict.fromkeys(faces_of(holding))])
        if not can_discard(self.state, self.seat):
            _judge(self.found, self.state, self.seat, [Pass()])
