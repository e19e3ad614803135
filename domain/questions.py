"""The question to the partner, with a way to go out as its plan (rule book 8.5)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.block_moves import BlockMoves
from domain.budget import Budget
from domain.cards import FACES, LANE
from domain.decide import decide
from domain.evolve import fold
from domain.moves import Ask, Discard, Move, TakePile, TakeUpcard
from domain.refusals import Refusal
from domain.state import State, party_of
from domain.take_moves import TakeMoves

PLANS_FROM_DRAW_MAX: Final = 4
"""How many takes a listing tries as the beginning of a question put before the turn is begun."""


def question(state: State, seat: int, budget: Budget) -> Ask | None:
    """The question a seat could ask, None where nobody could be asked.

    Where no way out was found its plan is none, and the refusal of the question tells why it cannot be put.
    """
    if state.table.rules.partner_permission == "off" or len(party_of(state, seat)) == 1:
        return None
    if state.permission is None and not state.melded_this_turn:
        granted = replace(state, permission="granted")
        for plan in _plans(granted, seat, budget):
            if plan is not None:
                return Ask(tuple(plan))  # type: ignore[arg-type]
    if state.phase == "draw":
        return Ask((TakePile(with_=()),))
    held = next((face for face in FACES if state.holdings[seat] & LANE[face]), FACES[0])
    return Ask((Discard((held,)),))


def _plans(granted: State, seat: int, budget: Budget) -> Iterator[list[Move] | None]:
    """Ways out with the permission granted: the rest of the turn, or a take and the rest of the turn after it."""
    if granted.phase == "play":
        yield BlockMoves(granted, seat, budget).ways_out()
        return
    moves = TakeMoves(granted, seat, budget)
    for take in moves.takes[:PLANS_FROM_DRAW_MAX]:
        refusal = moves.refusal(take)
        move = moves.alone(take) if refusal is None else moves.completed(take, refusal)
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
