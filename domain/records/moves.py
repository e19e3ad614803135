"""The move behind an event: what a seat must have asked for to make it happen.

Moves are not recorded, events are; but an event tells its move up to the order of cards, which decides nothing.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import UNSET

from domain import events
from domain.events import AnyEvent, CardList
from domain.moves import (
    Answer,
    Ask,
    Discard,
    Draw,
    LayMelds,
    LayRedThree,
    Move,
    Pass,
    Resign,
    TakePile,
    TakeUpcard,
)
from domain.state import Melds, State, own_melds


def move_of(state: State, event: AnyEvent) -> Move | None:
    """The move that made an event happen in the state before it, or None where it was no seat's move.

    The event is complete, and its seat is one of the table's. Whether the move is legal is for `decide`: an event that
    cannot be has a move too, which is refused or makes another event happen.
    """
    find = _MOVES.get(type(event))
    return None if find is None else find(state, event)


def _drew(_state: State, _event: events.Drew) -> Move:
    return Draw()


def _took_pile(state: State, event: events.TookPile) -> Move:
    meld = event.meld
    melds = tuple([further.cards for further in event.melds])
    upcard = state.pile[-2:]
    older = own_melds(state, event.seat).get(meld.id)
    if older is None:
        return TakePile(with_=_beyond(meld.cards, (upcard,)), melds=melds)
    return TakePile(with_=_beyond(meld.cards, (upcard, *older.meld.cards)), onto=meld.id, melds=melds)


def _took_upcard(_state: State, event: events.TookUpcard) -> Move:
    return TakeUpcard(event.meld.id)


def _melded(state: State, event: events.Melded) -> Move:
    new = tuple([meld.cards for meld in event.new])
    if not event.added and not event.joined:
        return LayMelds(new=new)
    own = own_melds(state, event.seat)
    add = {meld.id: _beyond(meld.cards, _lying(own, (meld.id,))) for meld in event.added}
    for joined in event.joined:
        added = _beyond(joined.cards, _lying(own, joined.of))
        if added:
            add[joined.id] = added
    return LayMelds(new=new, add=add, join=tuple([joined.of for joined in event.joined]))


def _laid_red_three(_state: State, event: events.LaidRedThree) -> Move:
    return LayRedThree(event.card)


def _asked(_state: State, event: events.Asked) -> Move:
    assert event.then is not UNSET, "A complete event names the rest of the turn."
    return Ask(event.then)


def _answered(_state: State, event: events.Answered) -> Move:
    return Answer(event.yes)


def _discarded(_state: State, event: events.Discarded) -> Move:
    return Discard(event.cards)


def _passed(_state: State, _event: events.Passed) -> Move:
    return Pass()


def _resigned(_state: State, event: events.Resigned) -> Move | None:
    # With a reason it was no move: somebody else ended the game against the side.
    return Resign() if event.reason is None else None


def _lying(own: Melds, ids: Iterable[str]) -> CardList:
    """The cards of the own melds named; an id that is none adds nothing."""
    return tuple([face for meld_id in ids if meld_id in own for face in own[meld_id].meld.cards])


def _beyond(cards: CardList, lying: CardList) -> CardList:
    """The cards beyond those that lie already."""
    rest = list(cards)
    for face in lying:
        if face in rest:
            rest.remove(face)
    return tuple(rest)


_MOVES: Final[dict[type[AnyEvent], Callable[[State, Any], Move | None]]] = {
    events.Drew: _drew,
    events.TookPile: _took_pile,
    events.TookUpcard: _took_upcard,
    events.Melded: _melded,
    events.LaidRedThree: _laid_red_three,
    events.Asked: _asked,
    events.Answered: _answered,
    events.Discarded: _discarded,
    events.Passed: _passed,
    events.Resigned: _resigned,
}
