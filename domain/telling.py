"""What happened, told in a sentence an event.

Every sentence follows from the event alone, so the sentence for a public form (`domain.redaction`) tells what that
form tells and nothing beyond: hidden cards are counted or not mentioned. A set is named by its length and its cards;
whether seven black threes are one depends on the rule set, so they are never called one here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET

from domain import events
from domain.cards import HIDDEN, JOKER, is_wild
from domain.events import AnyEvent, JoinedMeld, Meld
from domain.melds import SET_SIZE, rank_of
from domain.moves import Discard, LayMelds, PlannedMove, TakePile, TakeUpcard

Names = Sequence[str]
"""What the seats are called, by seat."""

Teller = Callable[[Any, Names], str]

SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RANK_NAMES: Final = {
    "A": "aces", "K": "kings", "Q": "queens", "J": "jacks", "T": "tens", "9": "nines", "8": "eights", "7": "sevens",
    "6": "sixes", "5": "fives", "4": "fours",
}  # fmt: skip


def tell(event: AnyEvent, names: Names) -> str:
    """An event, complete or in any public form, as a sentence without its full stop.

    Names are put in as they are given: whoever shows the sentence has to escape them for the place where it stands.
    """
    return _TELLERS[type(event)](event, names)


def card(face: str) -> str:
    """A card for people: `T♠`; a joker is `JK`, a hidden card `??`."""
    return face if face in (JOKER, HIDDEN) else face[0] + SUIT_SIGNS[face[1]]


def cards(faces: Iterable[str]) -> str:
    """Cards for people, apart from each other by a space."""
    return " ".join(map(card, faces))


# --- parts of sentences ---


def _meld(meld: Meld | JoinedMeld) -> str:
    return f"{_kind(meld)} {cards(meld.cards)}"


def _kind(meld: Meld | JoinedMeld) -> str:
    whole = len(meld.cards) >= SET_SIZE
    match meld.kind:
        case "sequence":
            return "the samba" if whole else "the sequence"
        case "wild":
            return "the wild canasta" if whole else "the wild cards"
        case "black_threes":
            return "the black threes"
    rank = RANK_NAMES[rank_of(meld.kind, meld.cards)]
    if not whole:
        return f"the {rank}"
    return f"the {'mixed' if any(map(is_wild, meld.cards)) else 'natural'} canasta of {rank}"


def _grown(meld: Meld) -> str:
    """A meld to which cards were added: of seven cards it can have had only fewer before."""
    completes = len(meld.cards) == SET_SIZE and meld.kind != "black_threes"
    return f"completes {_meld(meld)}" if completes else f"adds to {_meld(meld)}"


def _number(number: int, what: str = "card") -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _laid(entry: events.RedThreeLaid | events.LaidRedThree) -> str:
    replaced = {None: "and draws nothing for it", HIDDEN: "and draws a card for it"}
    drawn = replaced.get(entry.replacement) or f"and draws {card(str(entry.replacement))} for it"
    return f"lays {card(entry.card)} {drawn}"


def _then_lays(red_threes: Iterable[events.RedThreeLaid]) -> str:
    return "".join(f"; {_laid(entry)}" for entry in red_threes)


def _for(reason: str | None) -> str:
    return "" if reason is None else f" ({reason})"


# --- the table ---


def _sits(event: events.Seated, names: Names) -> str:
    who = "a player" if event.kind == "human" else f"a bot ({event.bot})"
    return f"Seat {event.seat} ({names[event.seat]}) is taken by {who}"


def _closed(event: events.Closed, _names: Names) -> str:
    committed = sum(commitment is not None for commitment in event.nonce_commitments)
    beacon = ", and a beacon" if event.beacon else ""
    return f"The table is closed, with nonces of {_number(committed, 'seat')}{beacon} to come"


def _placed(event: events.Placed, names: Names) -> str:
    position = event.position
    pile = position.get("pile") or ()
    top = f" under {card(pile[-1])}" if pile else ""
    return (
        f"The game begins from a position of hand {position.get('hand', 1)}: turn of {names[position.get('turn', 0)]}, "
        f"stock {position.get('stock', {}).get('count', 0)}, pile of {_number(len(pile))}{top}"
    )


# --- the hand ---


def _dealt(event: events.Dealt, names: Names) -> str:
    red_threes = "".join(f"; {names[entry.seat]} {_laid(entry)}" for entry in event.red_threes)
    return f"Hand {event.hand}: {names[event.dealer]} deals, the pile begins with {cards(event.pile)}{red_threes}"


def _drew(event: events.Drew, _names: Names) -> str:
    if isinstance(event.cards, int):
        drawn = _number(event.cards)
    else:
        drawn = f"{_number(len(event.cards))} ({cards(event.cards)})" if event.cards else "no card"
    turned = "" if event.recycled is UNSET else f" after {_number(event.recycled)} of the pile are turned over"
    return f"draws {drawn}{turned}{_then_lays(event.red_threes)}"


def _took_pile(event: events.TookPile, _names: Names) -> str:
    further = f"; melds {_listed(list(map(_meld, event.melds)))}" if event.melds else ""
    pile = _number(len(event.picked_up) + 1)
    return f"takes the pile of {pile} for {_meld(event.meld)}{further}{_then_lays(event.red_threes)}"


def _took_upcard(event: events.TookUpcard, _names: Names) -> str:
    done = ", which completes" if len(event.meld.cards) == SET_SIZE else " onto"
    return f"takes the upcard{done} {_meld(event.meld)}"


def _melded(event: events.Melded, _names: Names) -> str:
    parts = [f"melds {_listed(list(map(_meld, event.new)))}"] if event.new else []
    parts += map(_grown, event.added)
    parts += [f"joins {len(meld.of)} melds into {_meld(meld)}" for meld in event.joined]
    return "; ".join(parts)


def _asked(event: events.Asked, _names: Names) -> str:
    plan = "" if event.then is UNSET else f" and would then {_listed(list(map(_planned, event.then)))}"
    return f"asks for leave to go out{plan}"


def _planned(move: PlannedMove) -> str:
    match move:
        case TakePile():
            return "take the pile"
        case TakeUpcard():
            return "take the upcard"
        case Discard():
            return f"discard {cards(move.cards)}"
        case LayMelds():
            laid = [face for faces in (*move.new, *move.add.values()) for face in faces]
            return f"lay {cards(laid)}" if laid else "join melds"


def _hand_ended(event: events.HandEnded, names: Names) -> str:
    if event.by is None:
        how = "the stock is at its end"
    else:
        how = f"{names[event.by]} is out{' (concealed)' if event.concealed else ''}"
    lines = ", ".join(f"{line['total']:+d}" for line in event.lines)
    return f"Hand {event.hand} ends: {how}; {lines}; totals {', '.join(map(str, event.totals))}"


# --- the end ---


def _resigned(event: events.Resigned, names: Names) -> str:
    side = "" if event.side is None else f" for side {event.side}"
    return f"{names[event.seat]} resigns{side}{_for(event.reason)}"


def _against(what: str, otherwise: str) -> Teller:
    """A sentence about a side, or what takes its place where no side is named."""

    def told(event: events.TimedOut | events.Adjudicated | events.Aborted, _names: Names) -> str:
        return f"{what}{otherwise if event.side is None else f' against side {event.side}'}{_for(event.reason)}"

    return told


def _game_ended(event: events.GameEnded, _names: Names) -> str:
    sides = _listed(list(map(str, event.winners)))
    if not event.winners:
        result = "nobody wins"
    else:
        result = f"side {sides} wins" if len(event.winners) == 1 else f"sides {sides} draw"
    reason = event.reason.replace("_", " ")
    return f"The game ends ({reason}): {result}, totals {', '.join(map(str, event.totals))}"


def _always(sentence: str) -> Teller:
    return lambda _event, _names: sentence


def _does(what: Teller) -> Teller:
    """The sentence of something that a seat does."""
    return lambda event, names: f"{names[event.seat]} {what(event, names)}"


_TELLERS: Final[dict[type[AnyEvent], Teller]] = {
    events.Created: lambda event, _: f"A table of {event.ruleset.name} for {event.players} players is opened",
    events.Seated: _sits,
    events.Unseated: lambda event, names: f"Seat {event.seat} ({names[event.seat]}) is left",
    events.Closed: _closed,
    events.NonceRevealed: _does(_always("reveals a nonce")),
    events.Placed: _placed,
    events.Started: lambda event, names: f"The game begins, {names[event.first_dealer]} deals first",
    events.Dealt: _dealt,
    events.Drew: _does(_drew),
    events.TookPile: _does(_took_pile),
    events.TookUpcard: _does(_took_upcard),
    events.Melded: _does(_melded),
    events.LaidRedThree: _does(lambda event, _: _laid(event)),
    events.Asked: _does(_asked),
    events.Answered: _does(lambda event, _: f"says {'yes' if event.yes else 'no'}"),
    events.Discarded: _does(lambda event, _: f"discards {cards(event.cards)}"),
    events.Passed: _does(_always("passes")),
    events.HandEnded: _hand_ended,
    events.StoodIn: lambda event, names: f"A stand-in plays for {names[event.seat]}{_for(event.reason)}",
    events.Resigned: _resigned,
    events.TimedOut: _against("The time is over", ""),
    events.Adjudicated: _against("A ruling ends the game", ", the best totals win"),
    events.Aborted: _against("The game is broken off", ""),
    events.GameEnded: _game_ended,
    events.Revealed: _always("The deals are revealed and can be checked"),
}
