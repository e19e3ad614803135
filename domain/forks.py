"""Forks: practice games that begin from any event of a finished game (`practice.ForkOrigin`).

A fork goes on where the other game stood, with the very cards that it had to come or with fresh ones. The same moves
upon the original deck make the same events.

    events of the finished game, n  ->  fork_origin  ->  origin  |  ForkImpossible
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final, Literal

from domain.boards import ALGORITHM
from domain.cards import canonical
from domain.events import AnyEvent, Created, Dealt, GameEnded, HandEnded, Revealed
from domain.evolve import replay
from domain.fairness import enc
from domain.placing import write_carried, write_position
from domain.practice import DECKS_MAX
from domain.shuffle import shuffle

Deck = Literal["original", "fresh"]
"""Whether the cards to come are those that the finished game had to come, or are drawn anew."""


class ForkImpossible(ValueError):
    """Nothing can be played after this event: the game was over. `last` is the last event that can be left."""

    def __init__(self, last: int) -> None:
        super().__init__(f"The game can be left up to event {last}.")
        self.last = last


def fork_origin(game: str, happened: Sequence[AnyEvent], n: int, deck: Deck, seed: str) -> dict[str, Any]:
    """The origin of a fork that leaves a finished game after event `n`, or after the end of the hand that `n` brings
    about: nothing can be played between the two.

    `happened` are all events of the game, complete and with their hashes, `n` is from 1 to their number. `seed`, in
    hex, gives the cards for which there is no original deck. Raises `ForkImpossible`.
    """
    last = _last(happened)
    while n < len(happened) and isinstance(happened[n], HandEnded):
        n += 1
    if n > last:
        raise ForkImpossible(last)
    origin: dict[str, Any] = {"kind": "fork", "game": game, "n": n, "hash": happened[n - 1].hash}
    begun = _begun(happened, n)
    if begun:
        if deck == "fresh":
            stock = begun["position"]["stock"]
            stock["next"] = shuffle(enc(b"MELD-PRACTICE-1/stock", bytes.fromhex(seed)), canonical(stock["next"]))
        origin |= begun
    if deck == "original":
        dealt = [event for event in happened if isinstance(event, Dealt)]
        if dealt and not begun:
            origin["dealer"] = dealt[0].dealer
        following = [event for event in dealt if event.n > n][:DECKS_MAX]
        origin["decks"] = [event.deck for event in following]
        if _on_boards(happened):
            origin["dealers"] = [event.dealer for event in following]
    return origin | {"seed": seed}


def _begun(happened: Sequence[AnyEvent], n: int) -> dict[str, Any]:
    """The position after event `n` and what it does not say; nothing where the first deal is still to come."""
    state = replay(happened[:n])
    if state.phase != "lobby":
        return {"position": write_position(state), "carried": write_carried(state)}
    # A practice game may have begun from a position itself.
    own = state.table.origin or {}
    return {key: deepcopy(own[key]) for key in ("position", "carried") if key in own}


def _on_boards(happened: Sequence[AnyEvent]) -> bool:
    created = happened[0]
    return isinstance(created, Created) and (created.fairness or {}).get("algorithm") == ALGORITHM


def _last(happened: Sequence[AnyEvent]) -> int:
    """The last event after which a move or a deal was still to come."""
    *before, end = (event for event in happened if not isinstance(event, Revealed))
    assert isinstance(end, GameEnded), "Only a game that has ended is left."
    # The move, the end of the hand that it brings about, and that of the game are appended together.
    decided = isinstance(before[-1], HandEnded) and end.reason in _DECIDED
    return end.n - 3 if decided else end.n - 1


_DECIDED: Final = ("target", "hand_cap")
"""Reasons for which a game ends with a hand."""
