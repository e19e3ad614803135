"""What moves a seat without a person: bots at their own seats, stand-ins at those of the absent.

Both see what their seat sees, choose among its legal moves, and go the way that people's moves go.
"""

import os
import secrets
from typing import Final

from domain.bots import bot_of
from domain.evolve import fold
from domain.legal import legal_moves
from domain.lobby import stand_in
from domain.moves import Answer, Move
from domain.playing import play
from domain.refusals import Refusal
from domain.shuffle import words
from domain.state import State
from domain.views import view_for
from service.commands import Decided, Denied
from service.live import LiveGame

STAND_IN_LEVEL: Final = "greedy"
FALL_BACK_LEVEL: Final = "random"
CHANCE_BYTES: Final = 16
BOT_ID_BYTES: Final = 10


class NothingToDo(Denied):
    """The seat is not to act any more."""


def bot_player(level: str) -> str:
    """A new player id for a bot, as random as that of a player, so that no two are the same."""
    return f"bot-{level}-{secrets.token_hex(BOT_ID_BYTES)}"


def bot_moves(state: State, seat: int, level: str) -> list[Move]:
    """What a bot of this level does at a seat that is to act."""
    bot = bot_of(level, state.table.rules)
    return bot.choose(view_for(state, seat), legal_moves(state, seat), words(os.urandom(CHANCE_BYTES)))


def decide_for_bot(live: LiveGame, state: State, seat: int, level: str) -> Decided | Refusal:
    """A bot's next moves, decided."""
    return play(state, seat, bot_moves(state, seat, level), live.chance)


def decide_for_absent(live: LiveGame, state: State, seat: int, level: str, *, announced: bool) -> Decided | Refusal:
    """The next moves of a stand-in of this level; before the first of a turn it is said that they are a stand-in's.

    A question that nobody answered is answered with no.
    """
    announcement = [] if announced else stand_in(state, seat, "absence")
    state = fold(state, announcement)
    moves: list[Move] = [Answer(yes=False)] if state.phase == "answer" else bot_moves(state, seat, level)
    decided = play(state, seat, moves, live.chance)
    if isinstance(decided, Refusal):
        return decided
    happened, after = decided
    return [*announcement, *happened], after
