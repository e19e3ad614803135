"""A player that draws and discards until the hand is over."""

from domain.cards import faces_of
from domain.events import AnyEvent, HandEnded
from domain.moves import Discard, Draw, Move, Pass
from domain.playing import play
from domain.refusals import Refusal
from domain.state import State
from tests.domain.tables import chance_of


def until_hand_ends(state: State) -> tuple[list[AnyEvent], State]:
    """Every event until a hand has ended, with what followed of itself, and the state then."""
    happened: list[AnyEvent] = []
    while not any(isinstance(event, HandEnded) for event in happened):
        more, state = turn(state)
        happened += more
    return happened, state


def turn(state: State) -> tuple[list[AnyEvent], State]:
    """One move of the seat whose turn it is."""
    seat = state.turn
    moves: list[Move] = [Draw(), Pass()] if state.phase == "draw" else []
    moves += [Discard((face,)) for face in reversed(faces_of(state.holdings[seat]))]
    for move in moves:
        done = play(state, seat, [move], chance_of(state))
        if not isinstance(done, Refusal):
            return done
    raise AssertionError("Nothing was accepted.")
