"""What happened, told in a sentence an event."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET

from domain import events
from domain.events import AnyEvent, Meld

SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
KINDS: Final = {"group": "group", "sequence": "sequence", "wild": "wild meld", "black_threes": "black threes"}

Names = Sequence[str]
"""What the seats are called, by seat."""


def card(face: str) -> str:
    """A card for people: `T♠`; a joker is `JK`, a hidden card `??`."""
    return face if face in ("JK", "??") else face[0] + SUIT_SIGNS[face[1]]


def cards(faces: Iterable[str]) -> str:
    """Cards for people, apart from each other by a space."""
    return " ".join(map(card, faces))


def tell(event: AnyEvent, names: Names) -> str:
    """An event as a sentence without its full stop."""
    return _TELLERS[type(event)](event, names)


def _meld(meld: Meld | events.JoinedMeld) -> str:
    return f"{KINDS[meld.kind]} {cards(meld.cards)}"


def _number(cards_or_count: Sequence[str] | int) -> str:
    number = cards_or_count if isinstance(cards_or_count, int) else len(cards_or_count)
    return "1 card" if number == 1 else f"{number} cards"


def _shown(drawn: Sequence[str] | int) -> str:
    return _number(drawn) if isinstance(drawn, int) else f"{_number(drawn)} ({cards(drawn)})"


def _red_threes(laid: Iterable[events.RedThreeLaid]) -> str:
    told = cards(entry.card for entry in laid)
    return f", lays {told}" if told else ""


def _dealt(event: events.Dealt, names: Names) -> str:
    red_threes = "".join(f"; {names[entry.seat]} lays {card(entry.card)}" for entry in event.red_threes)
    return f"Hand {event.hand}: {names[event.dealer]} deals, the pile begins with {cards(event.pile)}{red_threes}"


def _drew(event: events.Drew, names: Names) -> str:
    turned = "" if event.recycled is UNSET else f" after {event.recycled} cards of the pile are turned over"
    return f"{names[event.seat]} draws {_shown(event.cards)}{turned}{_red_threes(event.red_threes)}"


def _took_pile(event: events.TookPile, names: Names) -> str:
    melds = ", ".join(map(_meld, (event.meld, *event.melds)))
    picked_up = _number(event.picked_up)
    return f"{names[event.seat]} takes the pile for {melds}, and {picked_up} more{_red_threes(event.red_threes)}"


def _melded(event: events.Melded, names: Names) -> str:
    parts = [_meld(meld) for meld in event.new]
    parts += [f"{_meld(meld)} (grown)" for meld in event.added]
    parts += [f"{_meld(meld)} (joined)" for meld in event.joined]
    return f"{names[event.seat]} melds {', '.join(parts)}"


def _hand_ended(event: events.HandEnded, names: Names) -> str:
    if event.by is None:
        how = "the stock is at its end"
    else:
        how = f"{names[event.by]} is out{' (concealed)' if event.concealed else ''}"
    lines = ", ".join(f"{line['total']:+d}" for line in event.lines)
    return f"Hand {event.hand} ends: {how}; {lines}; totals {', '.join(map(str, event.totals))}"


def _game_ended(event: events.GameEnded, _names: Names) -> str:
    sides = " and ".join(str(side) for side in event.winners)
    result = "nobody wins" if not event.winners else f"side {sides} wins"
    if len(event.winners) > 1:
        result = f"sides {sides} draw"
    return f"The game ends ({event.reason}): {result}, totals {', '.join(map(str, event.totals))}"


def _ended_early(what: str) -> "Teller":
    def told(event: events.Resigned | events.TimedOut | events.Adjudicated | events.Aborted, _names: Names) -> str:
        side = "" if event.side is None else f" against side {event.side}"
        reason = "" if event.reason is None else f" ({event.reason})"
        return f"{what}{side}{reason}"

    return told


def _always(sentence: str) -> "Teller":
    return lambda _event, _names: sentence


def _does(what: Callable[[Any], str]) -> "Teller":
    """The sentence of something that a seat does."""
    return lambda event, names: f"{names[event.seat]} {what(event)}"


Teller = Callable[[Any, Names], str]

_TELLERS: Final[dict[type[AnyEvent], Teller]] = {
    events.Created: lambda event, _: f"A table of {event.ruleset.name} for {event.players} players is opened",
    events.Seated: _does(lambda event: f"takes seat {event.seat}"),
    events.Unseated: lambda event, _: f"Seat {event.seat} is left",
    events.Closed: _always("The table is closed"),
    events.NonceRevealed: _does(lambda _: "reveals a nonce"),
    events.Placed: _always("The game begins from a position"),
    events.Started: lambda event, names: f"The game begins, {names[event.first_dealer]} deals first",
    events.Dealt: _dealt,
    events.Drew: _drew,
    events.TookPile: _took_pile,
    events.TookUpcard: _does(lambda event: f"takes the upcard onto {_meld(event.meld)}"),
    events.Melded: _melded,
    events.LaidRedThree: _does(lambda event: f"lays {card(event.card)}"),
    events.Asked: _does(lambda _: "asks for leave to go out"),
    events.Answered: _does(lambda event: f"says {'yes' if event.yes else 'no'}"),
    events.Discarded: _does(lambda event: f"discards {cards(event.cards)}"),
    events.Passed: _does(lambda _: "passes"),
    events.HandEnded: _hand_ended,
    events.StoodIn: lambda event, names: f"A stand-in plays for {names[event.seat]}",
    events.Resigned: _ended_early("A resignation"),
    events.TimedOut: _ended_early("The time is over"),
    events.Adjudicated: _ended_early("A ruling ends the game"),
    events.Aborted: _ended_early("The game is broken off"),
    events.GameEnded: _game_ended,
    events.Revealed: _always("The deals are revealed and can be checked"),
}
