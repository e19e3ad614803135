"""Games recorded beforehand, request by request, so that a client under load need not think.

A practice game's deals follow from its seed, so the same requests are legal in every game opened with that seed.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from domain.bots import bot_of
from domain.chance import PracticeChance
from domain.decide import brings_cards_too_early
from domain.events import Watch
from domain.evolve import fold, initial_state
from domain.legal import legal_moves
from domain.lobby import close, open_table, sit, start
from domain.moves import Move
from domain.playing import play
from domain.refusals import Refusal
from domain.rulesets import resolve
from domain.shuffle import words
from domain.state import State, answering_seat
from domain.views import view_for

RULESET: Final = "samba-official"
PLAYERS: Final = 4
MOVES_MAX: Final = 700
"""A recorded game stops here; the games of the load are long enough and none ends."""


class Request(Struct, frozen=True):
    """One request: the seat, the version it expects, its body, and how many moves it makes."""

    seat: int
    version: int
    body: bytes
    moves: int


class Script(Struct, frozen=True):
    """A game as requests, move by move and by turns."""

    seed: str
    singles: list[Request]
    turns: list[Request]


def record(seed: str) -> Script:
    """Let four greedy bots play the practice game of a seed and note what they ask for."""
    chance = PracticeChance()
    state = _started(seed, chance)
    asked: list[tuple[State, int, Move]] = []
    numbers = words(bytes.fromhex(seed))
    bot = bot_of("greedy", state.table.rules)
    while state.phase != "game_over" and len(asked) < MOVES_MAX:
        seat = answering_seat(state) if state.phase == "answer" else state.turn
        for move in bot.choose(view_for(state, seat), legal_moves(state, seat), numbers):
            outcome = play(state, seat, [move], chance)
            assert not isinstance(outcome, Refusal), outcome
            asked.append((state, seat, move))
            _, state = outcome
    singles = [Request(seat, before.version, _body([move]), 1) for before, seat, move in asked]
    return Script(seed, singles, list(_turns(asked)))


def _started(seed: str, chance: PracticeChance) -> State:
    created = open_table(
        resolve(RULESET),
        PLAYERS,
        watch=Watch("link", 0),
        engine="bench",
        fairness=None,
        origin={"kind": "seed", "seed": seed},
    )
    state = initial_state(created)
    for seat in range(PLAYERS):
        state = fold(state, sit(state, seat, f"p{seat}"))
    state = fold(state, close(state, [None] * PLAYERS))
    return fold(state, start(state, chance))


def _turns(asked: list[tuple[State, int, Move]]) -> Iterator[Request]:
    """The same moves as few requests as the rules allow: what brings cards ends a request."""
    waiting: list[tuple[State, int, Move]] = []
    for state, seat, move in asked:
        if waiting:
            first, holder, _ = waiting[0]
            together = [*(each for _, _, each in waiting), move]
            new_hand = state.hand != first.hand
            if seat != holder or new_hand or brings_cards_too_early(first, holder, together):
                yield _request(waiting)
                waiting = []
        waiting.append((state, seat, move))
    if waiting:
        yield _request(waiting)


def _request(waiting: list[tuple[State, int, Move]]) -> Request:
    state, seat, _ = waiting[0]
    moves = [move for _, _, move in waiting]
    return Request(seat, state.version, _body(moves), len(moves))


def _body(moves: list[Move]) -> bytes:
    return msgspec.json.encode(moves[0] if len(moves) == 1 else moves)
