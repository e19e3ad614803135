"""What is possible for a seat now, and nothing else: the lean list for play-outs.

The same blocks as `domain.legal` marks possible, without points and reasons. A choice holds just enough to build its
move, which is built when it is chosen. Where the guards cannot refuse a block, they are not asked.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from domain.block_moves import BlockMoves
from domain.blocks import (
    PLACE,
    PLACES,
    PRESENT,
    RUN_AT,
    Group,
    Supply,
    faces_for,
    groups_of,
    number_of_black_threes,
    run_extensions,
    run_starts,
    wild_groups,
)
from domain.budget import Budget
from domain.cards import (
    BLACK_THREES,
    FACES,
    FOUR_LANES,
    JOKER,
    JOKERS,
    LANE,
    RANK_SHIFT,
    RED_THREE_FACES,
    RED_THREES,
    SUITS,
    Cards,
    number_of_wilds,
    size,
)
from domain.decide import decide, must_discard
from domain.discarding import can_discard
from domain.drawing import can_draw
from domain.layings import black_three_limits, limits_of
from domain.melds import NATURALS_NEEDED, SET_SIZE, SMALLEST_MELD
from domain.moves import Answer, Discard, Draw, LayMelds, LayRedThree, Move, Pass
from domain.questions import may_ask, question
from domain.refusals import Refusal
from domain.state import Laid, State, answering_seat
from domain.take_moves import TakeMoves
from domain.takes import may_take


class Choice(Protocol):
    """A move that would be accepted, not yet built."""

    def move(self) -> Move:
        """The move."""


class Ready(Struct, frozen=True, gc=False):
    """A move that is there already."""

    ready: Move

    def move(self) -> Move:
        """The move."""
        return self.ready


class NewGroup(Struct, frozen=True, gc=False):
    """A new group beside melds that lie, from a holding that has the cards."""

    holding: Cards
    group: Group

    def move(self) -> Move:
        """The move."""
        return LayMelds(new=(Supply(self.holding).pick(self.group, dear=False),))


class Added(Struct, frozen=True, gc=False):
    """Cards added to an own meld, which is legal with them."""

    meld_id: str
    cards: tuple[str, ...]

    def move(self) -> Move:
        """The move."""
        return LayMelds(add={self.meld_id: self.cards})


class Helped(Struct, frozen=True):
    """A wild card for an own group, with the naturals that it needs beside it."""

    moves: BlockMoves
    laid: Laid
    face: str

    def move(self) -> Move:
        """The move."""
        move = self.moves.addition(self.laid, self.face)
        assert move is not None
        return move


_DRAW: Final = Ready(Draw())
_ANSWERS: Final = [Ready(Answer(yes=True)), Ready(Answer(yes=False))]
_DISCARDS: Final = {face: Ready(Discard((face,))) for face in FACES}
_RED_THREES: Final = {face: Ready(LayRedThree(face)) for face in RED_THREE_FACES}
_RUNS: Final = {length: [Ready(LayMelds(new=(run,))) for run in of_length] for length, of_length in RUN_AT.items()}
"""By length a new run that begins at each bit of `presence`."""


def _faces_by_presence(rank: str) -> list[list[str]]:
    faces = [rank + suit for suit in reversed(SUITS)]
    return [[face for bit, face in enumerate(faces) if bits >> bit & 1] for bits in range(16)]


_FACES: Final = {rank: _faces_by_presence(rank) for rank in "23456789TJQKA"}
"""By rank the faces held, by which of its lanes hold cards (`PRESENT`)."""

_DISCARDS_OF: Final = {
    rank: [[_DISCARDS[face] for face in faces] for faces in of_rank] for rank, of_rank in _FACES.items()
}
_BLACK: Final = 0b1001
"""Spades and clubs among the bits of `PRESENT`."""


def possible_moves(state: State, seat: int) -> Sequence[Choice]:
    """Every choice a seat has now beside resigning; none where it is not to act."""
    phase = state.phase
    if phase == "draw" and seat == state.turn:
        return _in_draw(state, seat)
    if phase == "play" and seat == state.turn:
        if must_discard(state, seat):
            return _judged(state, seat, *[Discard((face,)) for face in FACES if state.holdings[seat] & LANE[face]])
        return _InPlay(state, seat).choices()
    if phase == "answer" and seat == answering_seat(state):
        return _ANSWERS
    return []


def _judged(state: State, seat: int, *moves: Move) -> list[Choice]:
    """Those of the moves that the guards accept."""
    return [Ready(move) for move in moves if not isinstance(decide(state, seat, move), Refusal)]


def _in_draw(state: State, seat: int) -> list[Choice]:
    choices: list[Choice] = [_DRAW] if can_draw(state) else _judged(state, seat, Pass())
    holding = state.holdings[seat]
    if holding & RED_THREES and state.table.rules.red_threes == "optional":
        choices += _judged(state, seat, *[LayRedThree(face) for face in RED_THREE_FACES if holding & LANE[face]])
    if may_take(state, seat):
        budget = Budget()
        moves = TakeMoves(state, seat, budget)
        choices += [Ready(move) for take in moves.takes if (move := moves.move(take)) is not None]
        asked = question(state, seat, budget, moves.takes)
        if asked is not None:
            choices.append(Ready(asked))
    return choices


class _InPlay:
    """The choices of a seat in phase `play`."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.rules = state.table.rules
        self.holding = state.holdings[seat]
        self.held = size(self.holding)
        self.wilds = number_of_wilds(self.holding)
        self.moves = BlockMoves(state, seat, Budget())
        """Asked about blocks that could be refused."""
        self.own = self.moves.own
        twos = _FACES["2"][PRESENT[self.holding >> RANK_SHIFT["2"] & 0xFFFF]]
        self.wild_faces = [*twos, JOKER] if self.holding & JOKERS else twos

    def choices(self) -> list[Choice]:
        """Melds, additions, joins, red threes, discards, pass and question."""
        found: list[Choice] = []
        present = self._ranks(found)
        self._other_groups(found)
        if self.rules.sequences:
            self._runs(found, present)
        if self.own:
            for laid in self.own.values():
                self._additions(found, laid)
            if len(self.own) > 1:
                self._joins(found)
        self._endings(found)
        if may_ask(self.state, self.seat) and self.moves.nothing_stranded:
            asked = question(self.state, self.seat, self.moves.budget, ())
            if asked is not None:
                found.append(Ready(asked))
        return found

    def _ranks(self, found: list[Choice]) -> int:
        """New groups and discards of every rank of naturals; answers with the `presence` of faces."""
        holding, wilds = self.holding, self.wilds
        limits = limits_of(self.rules)
        discards = self.held > 1 and not self.state.last_turn
        present = 0
        for rank, place, shift in PLACES:
            bits = holding >> shift & 0xFFFF
            if bits:
                there = PRESENT[bits]
                present |= there << place
                if discards:
                    found += _DISCARDS_OF[rank][there]
                held = FOUR_LANES[bits]
                if held > 2 or (held == 2 and wilds):
                    self._groups(found, groups_of(limits, rank, held, wilds))
        return present

    def _groups(self, found: list[Choice], groups: Sequence[Group]) -> None:
        own = bool(self.own)
        if own and groups and not self.rules.several_melds_per_rank and self.moves.lies(groups[0].rank):
            return
        sure = self.held - 2 if own else 0
        for group in groups:
            if group.size <= sure:
                found.append(NewGroup(self.holding, group))
            else:
                self._asked(found, self.moves.group(group))

    def _other_groups(self, found: list[Choice]) -> None:
        """New wild melds and melds of black threes."""
        rules = self.rules
        if rules.wild_melds and self.wilds >= SMALLEST_MELD:
            self._groups(found, wild_groups(min(self.wilds, SET_SIZE) if rules.wild_melds_closed else self.wilds))
        if rules.black_three_melds and self.holding & BLACK_THREES:
            groups = groups_of(black_three_limits(rules), "3", number_of_black_threes(self.holding), self.wilds)
            if rules.black_three_melds_any_time:
                self._groups(found, groups)
            else:
                for group in groups:
                    self._asked(found, self.moves.group(group))

    def _runs(self, found: list[Choice], present: int) -> None:
        sure = self.held - 2 if self.own else 0
        for length, starts in enumerate(run_starts(present), SMALLEST_MELD):
            while starts:
                low = starts & -starts
                starts ^= low
                at = low.bit_length() - 1
                if length <= sure:
                    found.append(_RUNS[length][at])
                else:
                    self._asked(found, self.moves.run(RUN_AT[length][at]))

    def _asked(self, found: list[Choice], move: Move | None) -> None:
        if move is not None:
            found.append(Ready(move))

    def _additions(self, found: list[Choice], laid: Laid) -> None:
        """Cards for one meld as it lies."""
        kind, cards = laid.meld.kind, laid.meld.cards
        if kind == "group":
            rank = cards[-1][0]
            for face in _FACES[rank][PRESENT[self.holding >> RANK_SHIFT[rank] & 0xFFFF]]:
                if self.held > 2:
                    found.append(Added(laid.meld.id, (face,)))
                else:
                    self._asked(found, self.moves.addition(laid, face))
            if self.wilds and self.rules.max_wilds:
                self._wilds(found, laid)
        elif kind == "sequence":
            if len(cards) < SET_SIZE:
                self._lengthened(found, laid)
        elif kind == "wild" or self.rules.black_three_melds_any_time:
            for face in faces_for(self.rules, self.holding, laid):
                self._asked(found, self.moves.addition(laid, face))

    def _lengthened(self, found: list[Choice], laid: Laid) -> None:
        """Cards at either end of a run, those between with them."""
        last = PLACE[laid.meld.cards[-1][0]]
        beyond: tuple[str, ...] = ()
        upwards = True
        for face in run_extensions(self.holding, laid):
            if upwards and PLACE[face[0]] < last:
                upwards, beyond = False, ()
            beyond = (*beyond, face)
            if self.held - len(beyond) >= 2:
                found.append(Added(laid.meld.id, beyond))
            else:
                self._asked(found, self.moves.addition(laid, face))

    def _wilds(self, found: list[Choice], laid: Laid) -> None:
        """Wild cards for a group; they are all alike to the guards."""
        there = number_of_wilds(laid.cards)
        number = len(laid.meld.cards)
        finished = number >= SET_SIZE and not self.rules.wild_on_finished_canasta
        if there >= self.rules.max_wilds or finished:
            return
        lacking = max(NATURALS_NEEDED[self.rules.group_ratio][there + 1] - (number - there), 0)
        held = FOUR_LANES[self.holding >> RANK_SHIFT[laid.meld.cards[-1][0]] & 0xFFFF]
        if held >= lacking and self.held - 1 - lacking >= 2:
            found += (
                [Added(laid.meld.id, (face,)) for face in self.wild_faces]
                if not lacking
                else [Helped(self.moves, laid, face) for face in self.wild_faces]
            )
        elif self.moves.all_joins or self.moves.exit_in_reach:
            for face in self.wild_faces:
                self._asked(found, self.moves.addition(laid, face))

    def _joins(self, found: list[Choice]) -> None:
        """Joins, and cards that fit a meld only after one."""
        if not self.moves.all_joins:
            return
        for join in self.moves.joins():
            self._asked(found, self.moves.join(join))
        for meld_id, face in self.moves.onto_joined:
            self._asked(found, self.moves.addition(self.own[meld_id], face))

    def _endings(self, found: list[Choice]) -> None:
        """Red threes, the discards that are no naturals, and the pass."""
        holding, held, rules = self.holding, self.held, self.rules
        if holding & RED_THREES and rules.red_threes == "optional":
            reds = [face for face in RED_THREE_FACES if holding & LANE[face]]
            found += [_RED_THREES[face] for face in reds] if held > 2 else self._judged(*map(LayRedThree, reds))
        if held > 1 and not self.state.last_turn:
            threes = PRESENT[holding >> RANK_SHIFT["3"] & 0xFFFF]
            found += [_DISCARDS[face] for face in self.wild_faces]
            found += _DISCARDS_OF["3"][threes if rules.red_three_discard else threes & _BLACK]
            if rules.black_three_closing_discard and number_of_black_threes(holding) == held and held in (3, 4):
                found += self._judged(Discard(Supply(holding).naturals("3")))
        elif held:
            found += self._judged(*[Discard((face,)) for face in FACES if holding & LANE[face]])
        if not can_discard(self.state, self.seat):
            found += self._judged(Pass())

    def _judged(self, *moves: Move) -> list[Choice]:
        return _judged(self.state, self.seat, *moves)
