"""A request at a game under way, whole: the moves, and everything that follows of itself.

After the end of a hand the next deal follows, after the end of the game the reveal, so that one accepted request
appends them all at once.
"""

from collections.abc import Iterable, Sequence

from domain.beacons import BeaconShown
from domain.chance import Chance
from domain.decide import Decision, decide_all
from domain.ending import adjudication
from domain.events import AnyEvent
from domain.evolve import fold
from domain.lobby import next_deal, start
from domain.moves import Move, malformed
from domain.refusals import Code, Refusal
from domain.state import State


def play(state: State, seat: int, moves: Sequence[Move], chance: Chance) -> tuple[Decision, State] | Refusal:
    """A seat's moves, all or nothing: every event that follows and the state after them, or the first refusal.

    The moves have passed `moves.check_form`. Before the first deal there is no hand to play: `hand_over`.
    """
    if not moves:
        return malformed("moves").refusal()
    if state.phase == "lobby":
        return Refusal(Code.HAND_OVER)
    decided = decide_all(state, seat, moves)
    if isinstance(decided, Refusal):
        return decided
    happened, after = decided
    return complete(after, happened, chance)


def begin(state: State, chance: Chance, shown: BeaconShown | None = None) -> tuple[Decision, State]:
    """The start of a closed table's game and what follows of it. Raises `LobbyRefused` as `lobby.start` does."""
    happened = start(state, chance, shown)
    return complete(fold(state, happened), happened, chance)


def complete(state: State, happened: Iterable[AnyEvent], chance: Chance) -> tuple[Decision, State]:
    """The events that led to a state together with those that follow of themselves, and the state after all.

    For whatever was decided otherwise than by `play`: an abort, a ruling, time, a stand-in's moves.
    """
    done = [*happened]
    if state.phase == "hand_over":
        deck = chance.deck(state)
        if deck is None:
            # So many hands were given to a practice game or one on boards, or so much time: the best totals win.
            following = adjudication(state, None, chance.spent)
        else:
            following = [next_deal(state, deck)]
        done += following
        state = fold(state, following)
    if state.phase == "game_over" and not state.table.revealed:
        revealed = chance.revealed(state)
        if revealed is not None:
            done.append(revealed)
            state = fold(state, [revealed])
    return done, state
