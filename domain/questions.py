"""The question to the partner, with a way to go out as its plan (rule book 8.5)."""

from collections.abc import Iterator, Sequence
from typing import cast

from msgspec.structs import replace

from domain.block_moves import BlockMoves
from domain.budget import Budget
from domain.cards import FACES, LANE, size
from domain.decide import decide
from domain.evolve import fold
from domain.moves import Ask, Discard, Move, PlannedMove, TakePile, TakeUpcard
from domain.refusals import Refusal
from domain.state import State, party_of
from domain.take_moves import TakeMoves
from domain.takes import Take


def question(state: State, seat: int, budget: Budget, takes: Sequence[Take]) -> Ask | None:
    """A question that the seat can ask now, with the way out that was found as its plan; None where none was found.

    `takes` are the takes that may begin the plan, for a question put in phase `draw`.
    """
    if not may_ask(state, seat) or (state.phase == "draw" and not takes):
        return None
    for plan in _plans(replace(state, permission="granted"), seat, budget, takes):
        if plan is not None:
            # A way out is a rest of a turn: neither a draw nor a question is in it.
            return Ask(tuple(cast(list[PlannedMove], plan)))
    return None


def may_ask(state: State, seat: int) -> bool:
    """Whether the seat could ask if it has a way to go out."""
    asked = state.permission is not None or state.melded_this_turn
    return not asked and has_partner(state, seat) and size(state.holdings[seat]) > 1


def has_partner(state: State, seat: int) -> bool:
    """Whether there is somebody whom the rule set lets the seat ask."""
    return state.table.rules.partner_permission != "off" and len(party_of(state, seat)) > 1


def question_in_vain(state: State, seat: int) -> Ask:
    """A question without a way out: its refusal tells why none can be asked."""
    if state.phase == "draw":
        return Ask((TakePile(with_=()),))
    held = next((face for face in FACES if state.holdings[seat] & LANE[face]), FACES[0])
    return Ask((Discard((held,)),))


def _plans(granted: State, seat: int, budget: Budget, takes: Sequence[Take]) -> Iterator[list[Move] | None]:
    """Ways out with the permission granted: the rest of the turn, or a take and the rest of the turn after it."""
    if granted.phase == "play":
        yield BlockMoves(granted, seat, budget).ways_out()
        return
    moves = TakeMoves(granted, seat, budget)
    for take in takes:
        move = moves.move(take)
        if move is not None:
            yield _after_take(granted, seat, move, budget)


def _after_take(granted: State, seat: int, move: TakePile | TakeUpcard, budget: Budget) -> list[Move] | None:
    decision = decide(granted, seat, move)
    if isinstance(decision, Refusal):
        return None
    after = fold(granted, decision)
    if after.ended is not None:
        return [move] if after.ended.by == seat else None
    rest = BlockMoves(after, seat, budget).ways_out()
    return None if rest is None else [move, *rest]
