"""What a viewer may know of an event: its public form (formats, part 5, "Who sees what").

Default-deny: a form is built by adding what the viewer may know, field by field. An event class without a form, or
with a field that a form would need and does not name, cannot be registered: importing this module fails then.

    hidden list -> its length    hidden card -> "??"    hidden deck, then, salt, stock.next -> absent
"""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Final, Literal, TypeVar, cast, get_args

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import fields

from domain import events
from domain.cards import HIDDEN
from domain.events import AnyEvent, CardList, Event, RedThreeLaid
from domain.moves import PlannedMove

Viewer = int | Literal["watcher", "everyone"]
"""A seat; or a watcher, who gets the public form for nobody; or everyone, to whom a public record shows everything."""

E = TypeVar("E", bound=Event)

Show = Callable[[Any, Viewer], Any]
"""From an event and a viewer to the value of one field."""

_COMMON: Final = ("n", "at", "prev", "hash")
"""Public in every event: the salt keeps the hashes from telling a card."""


class UnregisteredEventError(TypeError):
    """An event class whose public form is missing or does not cover it."""


class Form(Struct, frozen=True):
    """The public form of an event class: fields that anyone may know, and fields that depend on the viewer."""

    public: tuple[str, ...] = ()
    partly: dict[str, Show] = {}


def redact(event: E, viewer: Viewer) -> E:
    """The event's public form for a viewer, an event of the same class. `everyone` gets the event as it is.

    A viewer's rights are not widened here: ask `views.viewer_now` first whether the record has become public.
    """
    if viewer == "everyone":
        return event
    return cast(E, _MAKERS[type(event)](event, viewer))


def redacted_bytes(event: AnyEvent, viewer: Viewer) -> bytes:
    """The event's public form for a viewer as canonical JSON."""
    return events.encode(redact(event, viewer))


def public_origin(origin: dict[str, Any] | None) -> dict[str, Any] | None:
    """What anyone may know of a practice game's origin: its kind, and of a fork the game and the event it left.

    Seed, decks and position would tell every card to come; they are shown once the record is public. What a fork
    carries beside its position follows from what lay open.
    """
    if origin is None:
        return None
    return {key: origin[key] for key in ("kind", "game", "n", "hash", "carried") if key in origin}


# --- fields that depend on the viewer ---


def _cards(event: events.Drew, viewer: Viewer) -> CardList | int:
    return event.cards if event.seat == viewer else _length(event.cards)


def _length(cards: CardList | int) -> int:
    return cards if isinstance(cards, int) else len(cards)


def _holdings(event: events.Dealt, viewer: Viewer) -> tuple[CardList | int, ...]:
    return tuple(held if seat == viewer else _length(held) for seat, held in enumerate(event.holdings))


def _red_threes(event: events.Dealt | events.Drew | events.TookPile, viewer: Viewer) -> tuple[RedThreeLaid, ...]:
    if not event.red_threes:
        return ()
    return tuple(
        laid
        if laid.seat == viewer
        else RedThreeLaid(seat=laid.seat, card=laid.card, replacement=_hidden_card(laid.replacement))
        for laid in event.red_threes
    )


def _replacement(event: events.LaidRedThree, viewer: Viewer) -> str | None:
    return event.replacement if event.seat == viewer else _hidden_card(event.replacement)


def _hidden_card(card: str | None) -> str | None:
    return None if card is None else HIDDEN


def _then(event: events.Asked, viewer: Viewer) -> tuple[PlannedMove, ...] | UnsetType:
    return event.then if event.seat == viewer else UNSET


def _origin(event: events.Created, _viewer: Viewer) -> dict[str, Any] | None:
    return public_origin(event.origin)


_OPEN_KEYS: Final[tuple[str, ...]] = (
    "ruleset", "players", "hand", "dealer", "scores", "turn", "phase", "melds", "red_threes", "red_threes_by_seat",
    "pile", "began", "melded_this_turn", "last_turn", "has_melded", "had_turn", "permission", "barred", "lone",
    "recycles", "ended",
)  # fmt: skip
"""Keys of a complete position that lie open on the table."""


def _position(event: events.Placed, viewer: Viewer) -> dict[str, Any]:
    position = event.position
    shown = {key: position[key] for key in _OPEN_KEYS if key in position}
    # Where the hand has ended, its holdings were counted before everybody.
    counted = position["ended"] is not None
    shown["holdings"] = [
        held if counted or seat == viewer else _length(held) for seat, held in enumerate(position["holdings"])
    ]
    shown["stock"] = {"count": position["stock"]["count"]}
    ask = position["ask"]
    own = viewer == position["turn"]
    shown["ask"] = ask if ask is None or own else {"type": ask["type"]}
    return shown


# --- the registry ---

_FORMS: Final[dict[type, Form]] = {
    events.Created: Form(
        (
            "ruleset", "ruleset_hash", "players", "sides", "clock", "watch", "stock", "fairness", "engine",
        ),
        {"origin": _origin},
    ),
    events.Seated: Form(("seat", "player", "kind", "bot")),
    events.Unseated: Form(("seat", "player", "kind", "bot")),
    events.Closed: Form(("seats", "nonce_commitments", "beacon")),
    events.NonceRevealed: Form(("seat", "nonce")),
    events.Placed: Form(partly={"position": _position}),
    events.Started: Form(("entropy", "beacon", "first_dealer")),
    events.Dealt: Form(
        ("hand", "dealer", "pile", "stock"), {"holdings": _holdings, "red_threes": _red_threes}
    ),
    events.Drew: Form(("seat", "stock", "recycled"), {"cards": _cards, "red_threes": _red_threes}),
    events.TookPile: Form(("seat", "meld", "melds", "picked_up"), {"red_threes": _red_threes}),
    events.TookUpcard: Form(("seat", "meld")),
    events.Melded: Form(("seat", "new", "added", "joined")),
    events.LaidRedThree: Form(("seat", "card"), {"replacement": _replacement}),
    events.Asked: Form(("seat",), {"then": _then}),
    events.Answered: Form(("seat", "yes")),
    events.Discarded: Form(("seat", "cards")),
    events.Passed: Form(("seat",)),
    events.HandEnded: Form(("hand", "reason", "by", "concealed", "holdings", "lines", "totals")),
    events.StoodIn: Form(("seat", "reason")),
    events.Resigned: Form(("seat", "side", "reason")),
    events.TimedOut: Form(("side", "reason")),
    events.Adjudicated: Form(("side", "reason")),
    events.Aborted: Form(("side", "reason")),
    events.GameEnded: Form(("reason", "totals", "winners")),
    events.Revealed: Form(("master", "context")),
}  # fmt: skip


def check_registry(classes: Iterable[type] = get_args(AnyEvent)) -> None:
    """See that every event class has a form that can be built, and that no form shows a salt.

    Raises `UnregisteredEventError` with the class at fault.
    """
    for event_class in classes:
        form = _FORMS.get(event_class)
        if form is None:
            raise UnregisteredEventError(f"{event_class.__name__} states no public form.")
        shown = {*_COMMON, *form.public, *form.partly}
        known = {field.name: field for field in fields(event_class)}
        lacking = [name for name, field in known.items() if field.required and name not in shown]
        if lacking or not shown <= known.keys() or "salt" in shown:
            raise UnregisteredEventError(f"The public form of {event_class.__name__} does not cover it.")


def _maker(event_class: type[E], form: Form) -> Callable[[E, Viewer], E]:
    names = _COMMON + form.public
    values = attrgetter(*names)
    partly = tuple(form.partly.items())

    def make(event: E, viewer: Viewer) -> E:
        shown: dict[str, Any] = dict(zip(names, values(event), strict=True))
        for name, show in partly:
            shown[name] = show(event, viewer)
        return event_class(**shown)

    return make


check_registry()
_MAKERS: Final[dict[type, Callable[[Any, Viewer], Any]]] = {
    event_class: _maker(event_class, form) for event_class, form in _FORMS.items()
}
