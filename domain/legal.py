"""What a seat may do now, as building blocks with their points and the reason why not.

Interchangeable cards count once, so the list is bounded by ranks and faces, not by subsets. A block marked possible is
accepted as it stands, or as the move given beside it as `completion`; every accepted meld is made of such blocks. The
guards are those of `decide`: a reason is what they say of the block alone.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from domain import blocks
from domain.block_moves import BlockMoves, joined_alone, kind_of_rank
from domain.budget import Budget
from domain.cards import LANE, RED_THREE_FACES, RED_THREES, faces_of, points, size
from domain.decide import decide, must_discard
from domain.melding import meld
from domain.moves import Answer, Discard, Draw, LayMelds, LayRedThree, Move, Pass, TakePile
from domain.options import LegalMoves, MeldOption, Option
from domain.presence import Run, runs
from domain.questions import has_partner, question, question_in_vain
from domain.refusals import Code, Refusal, Refused
from domain.state import Laid, State, answering_seat, requirement
from domain.take_moves import TakeMoves
from domain.takes import Take

_NOTHING_POSSIBLE: Final = (Code.GAME_OVER, Code.HAND_OVER, Code.ANSWER_AWAITED, Code.NOT_YOUR_TURN)


def legal_moves(state: State, seat: int) -> LegalMoves:
    """The legal moves of a seat, with everything it holds the cards for and why some of it is not possible."""
    common: dict[str, Any] = {
        "version": state.version,
        "seat": seat,
        "phase": state.phase,
        "resign": state.phase not in ("game_over", "lobby"),
    }
    if state.phase == "answer" and seat == answering_seat(state):
        return LegalMoves(**common, answers=[Option(Answer(yes=True), True), Option(Answer(yes=False), True)])
    draw = _option(state, seat, Draw())
    if isinstance(draw.reason, Refusal) and draw.reason.code in _NOTHING_POSSIBLE:
        return LegalMoves(**common, reason=draw.reason)
    budget = Budget()
    if state.phase == "draw":
        moves = TakeMoves(state, seat, budget)
        return LegalMoves(
            **common,
            requirement=UNSET if moves.own else requirement(state, seat),
            draw=draw,
            takes=_takes(moves),
            red_threes=_red_threes(state, seat),
            pass_=_option(state, seat, Pass()),
            ask=_ask(state, seat, budget, moves.leading_out()),
        )
    if must_discard(state, seat):
        return LegalMoves(**common, discards=_discards(state, seat))
    listing = _Melds(state, seat, budget)
    out = listing.moves.ways_out()
    return LegalMoves(
        **common,
        requirement=UNSET if listing.moves.own else requirement(state, seat),
        melds=listing.melds(),
        additions=listing.additions(),
        joins=listing.joins(),
        red_threes=_red_threes(state, seat),
        discards=_discards(state, seat),
        pass_=_option(state, seat, Pass()),
        ask=_ask(state, seat, budget, ()),
        way_out=UNSET if out is None else out,
    )


def _option(state: State, seat: int, move: Move) -> Option:
    """A move as the guards judge it."""
    decision = decide(state, seat, move)
    return Option(move, False, reason=decision) if isinstance(decision, Refusal) else Option(move, True)


def _takes(moves: TakeMoves) -> list[Option]:
    state = moves.state
    if not moves.takes and state.pile:
        return [_option(state, moves.seat, TakePile(with_=()))]
    return [_take(moves, take) for take in moves.takes]


def _take(moves: TakeMoves, take: Take) -> Option:
    alone = moves.alone(take)
    cards = alone.with_ if isinstance(alone, TakePile) and isinstance(alone.with_, tuple) else ()
    value = points((*cards, moves.state.pile[-2:]), moves.rules.points)
    refusal = None if moves.is_sure(take) else moves.refusal(take, alone)
    if refusal is None:
        return Option(alone, True, value)
    completion = moves.completed(take, refusal)
    return Option(alone, False, value, UNSET, refusal) if completion is None else Option(alone, True, value, completion)


class _Melds:
    """The melds of one listing; reasons are kept where many blocks share one."""

    def __init__(self, state: State, seat: int, budget: Budget) -> None:
        self.state = state
        self.seat = seat
        self.moves = BlockMoves(state, seat, budget)
        self.values = state.table.rules.points
        self.needed = 0 if self.moves.own else requirement(state, seat)
        self._of_rank: dict[str, Refusal] = {}

    def melds(self) -> list[MeldOption]:
        moves = self.moves
        options = [self._group(group) for group in blocks.groups(moves.rules, moves.holding)]
        if moves.rules.sequences:
            options += [self._run(run) for run in runs(moves.holding)]
        return options

    def _group(self, group: blocks.Group) -> MeldOption:
        whole = self.moves.group(group)
        if whole is not None and _lays_one_meld(whole):
            cards = whole.new[0]
        else:
            cards = self.moves.supply.pick(group, dear=not self.moves.own)
        return self._meld(kind_of_rank(group.rank), cards, group.wilds, whole, rank=group.rank)

    def _run(self, run: Run) -> MeldOption:
        return self._meld("sequence", run, 0, self.moves.run(run), suit=run[0][1])

    def _meld(
        self,
        kind: str,
        cards: tuple[str, ...],
        wilds: int,
        whole: LayMelds | None,
        rank: str | UnsetType = UNSET,
        suit: str | UnsetType = UNSET,
    ) -> MeldOption:
        """A new meld of these cards; `whole` is a move that contains it, where there is one."""
        value = points(cards, self.values)
        naturals = len(cards) - wilds
        if whole is not None and _lays_one_meld(whole):
            return MeldOption(kind, naturals, wilds, whole, True, value, rank, suit)
        move = LayMelds(new=(cards,))
        if whole is not None:
            return MeldOption(kind, naturals, wilds, move, True, value, rank, suit, whole)
        reason = self._reason_of_new(move, value, rank)
        return MeldOption(kind, naturals, wilds, move, False, value, rank, suit, UNSET, reason)

    def _reason_of_new(self, move: LayMelds, value: int, rank: str | UnsetType) -> Refusal:
        """Why a new meld is refused alone: one answer for a rank that lies already, points where they are lacking."""
        if value < self.needed:
            return Refusal(Code.FIRST_MELD_TOO_LOW, {"points": value, "needed": self.needed})
        if isinstance(rank, str) and rank in self._of_rank:
            return self._of_rank[rank]
        reason = self._reason(move)
        if isinstance(rank, str) and reason.code is Code.RANK_ALREADY_MELDED:
            self._of_rank[rank] = reason
        return reason

    def additions(self) -> list[Option]:
        return [self._addition(laid, face) for laid, face in self.moves.additions()]

    def _addition(self, laid: Laid, face: str) -> Option:
        alone = LayMelds(add={laid.meld.id: (face,)})
        return self._with_completion(alone, self.moves.addition(laid, face), self.values[face])

    def joins(self) -> list[Option]:
        return [
            self._with_completion(joined_alone(join), self.moves.join(join), points(join.gap, self.values))
            for join in self.moves.joins()
        ]

    def _with_completion(self, alone: LayMelds, whole: LayMelds | None, value: int) -> Option:
        if whole is None:
            return Option(alone, False, value, UNSET, self._reason(alone))
        return Option(alone, True, value) if whole == alone else Option(alone, True, value, whole)

    def _reason(self, move: LayMelds) -> Refusal:
        """Why a block is refused alone."""
        try:
            meld(self.state, self.seat, move)
        except Refused as refused:
            return refused.refusal()
        raise AssertionError("A block that is accepted alone is possible.")


def _lays_one_meld(move: LayMelds) -> bool:
    return len(move.new) == 1 and not move.add and not move.join


def _red_threes(state: State, seat: int) -> list[Option]:
    holding = state.holdings[seat]
    if state.table.rules.red_threes != "optional" or not holding & RED_THREES:
        return []
    return [_option(state, seat, LayRedThree(face)) for face in RED_THREE_FACES if holding & LANE[face]]


def _discards(state: State, seat: int) -> list[Option]:
    holding = state.holdings[seat]
    rules = state.table.rules
    held = size(holding)
    sure = held > 1 and not state.last_turn
    options = []
    for face in dict.fromkeys(faces_of(holding)):
        move = Discard((face,))
        if sure and (rules.red_three_discard or face not in RED_THREE_FACES):
            options.append(Option(move, True))
        else:
            options.append(_option(state, seat, move))
    if rules.black_three_closing_discard and held in (3, 4) and blocks.number_of_black_threes(holding) == held:
        options.append(_option(state, seat, Discard(faces_of(holding))))
    return options


def _ask(state: State, seat: int, budget: Budget, takes: Sequence[Take]) -> Option | UnsetType:
    """The question to the partner with a way out as its plan, where there is a partner to ask."""
    if not has_partner(state, seat):
        return UNSET
    return _option(state, seat, question(state, seat, budget, takes) or question_in_vain(state, seat))
