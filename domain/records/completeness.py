"""Whether an event hides something, as its public forms do: a record holds complete events only (formats, part 7)."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import UNSET

from domain import events
from domain.cards import HIDDEN
from domain.events import AnyEvent, RedThreeLaid


def _red_threes_hide(laid: Iterable[RedThreeLaid]) -> bool:
    return any(entry.replacement == HIDDEN for entry in laid)


def _dealt_hides(event: events.Dealt) -> bool:
    counted = any(isinstance(held, int) for held in event.holdings)
    return counted or event.deck is UNSET or _red_threes_hide(event.red_threes)


def _drew_hides(event: events.Drew) -> bool:
    return type(event.cards) is int or (bool(event.red_threes) and _red_threes_hide(event.red_threes))


def _took_pile_hides(event: events.TookPile) -> bool:
    return bool(event.red_threes) and _red_threes_hide(event.red_threes)


def _laid_red_three_hides(event: events.LaidRedThree) -> bool:
    return event.replacement == HIDDEN


def _asked_hides(event: events.Asked) -> bool:
    return event.then is UNSET


def _placed_hides(event: events.Placed) -> bool:
    holdings, stock = event.position.get("holdings"), event.position.get("stock")
    counted = isinstance(holdings, list) and any(isinstance(held, int) for held in holdings)
    return counted or not isinstance(stock, dict) or "next" not in stock


HIDES: Final[dict[type[AnyEvent], Callable[[Any], bool]]] = {
    events.Dealt: _dealt_hides,
    events.Drew: _drew_hides,
    events.TookPile: _took_pile_hides,
    events.LaidRedThree: _laid_red_three_hides,
    events.Asked: _asked_hides,
    events.Placed: _placed_hides,
}
"""By event class, the test that something is hidden. An event of any other class hides nothing but its salt."""
