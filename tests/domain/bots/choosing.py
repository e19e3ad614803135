"""What a bot does in a position, through all it ever sees: the view of its seat and its legal moves."""

from typing import Any

import msgspec

from domain.bots import bot_of
from domain.decide import decide_all
from domain.legal import legal_moves
from domain.moves import Move
from domain.options import LegalMoves
from domain.positions import state_from
from domain.refusals import Refusal
from domain.shuffle import words
from domain.state import State
from domain.views import View, view_for
from domain.waiting import seat_to_act


def chosen(position: dict[str, Any], level: str = "greedy", seed: bytes = b"seed") -> list[dict[str, Any]]:
    """The moves that the bot of the seat to act sends, as JSON. They are accepted, or this fails."""
    state = state_from(position)
    moves: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(_choose(state, level, seed)))
    return moves


def only(position: dict[str, Any], level: str = "greedy", seed: bytes = b"seed") -> dict[str, Any]:
    """The one move that it sends."""
    moves = chosen(position, level, seed)
    assert len(moves) == 1, moves
    return moves[0]


def _choose(state: State, level: str, seed: bytes) -> list[Move]:
    seat = seat_to_act(state)
    assert seat is not None
    # A round trip through JSON: whatever a client of the API gets is enough.
    view = msgspec.json.decode(msgspec.json.encode(view_for(state, seat)), type=View)
    legal = msgspec.json.decode(msgspec.json.encode(legal_moves(state, seat)), type=LegalMoves)
    moves = bot_of(level, state.table.rules).choose(view, legal, words(seed))
    decided = decide_all(state, seat, moves)
    assert not isinstance(decided, Refusal), (decided, moves)
    return moves
