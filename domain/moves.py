"""Moves: what a seat asks for (formats, part 4).

`parse_move` and `parse_moves` read untrusted JSON; whatever is not a move is `malformed_move` with the field at fault.
"""

from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.cards import Face, canonical
from domain.refusals import Refused

CardList = tuple[Face, ...]


class Draw(Struct, frozen=True, tag_field="type", tag="draw", forbid_unknown_fields=True):
    """Draw from the stock."""


class TakePile(Struct, frozen=True, tag_field="type", tag="take_pile", forbid_unknown_fields=True, omit_defaults=True):
    """Take the whole pile: `with` and the upcard make a new meld, or the upcard goes `onto` an own meld.

    `melds` are further new melds laid from the hand in the same move.
    """

    with_: CardList | UnsetType = msgspec.field(name="with", default=UNSET)
    onto: str | UnsetType = UNSET
    melds: tuple[CardList, ...] = ()


class TakeUpcard(Struct, frozen=True, tag_field="type", tag="take_upcard", forbid_unknown_fields=True):
    """Take the upcard alone onto an own sequence."""

    onto: str


class LayMelds(Struct, frozen=True, tag_field="type", tag="meld", forbid_unknown_fields=True, omit_defaults=True):
    """Add to own melds, join own melds, lay new melds: judged as a whole, in that order."""

    new: tuple[CardList, ...] = ()
    add: dict[str, CardList] = {}
    join: tuple[tuple[str, ...], ...] = ()


class LayRedThree(Struct, frozen=True, tag_field="type", tag="lay_red_three", forbid_unknown_fields=True):
    """Lay a red three (optional mode, rule book 7.2)."""

    card: Face


class Discard(Struct, frozen=True, tag_field="type", tag="discard", forbid_unknown_fields=True):
    """Discard one card, or three or four black threes at once (rule book 8.4)."""

    cards: CardList


class Ask(Struct, frozen=True, tag_field="type", tag="ask", forbid_unknown_fields=True):
    """Ask the partner for leave to go out; `then` is the rest of the turn (rule book 8.5)."""

    then: "tuple[TakePile | TakeUpcard | LayMelds | Discard, ...]"


class Answer(Struct, frozen=True, tag_field="type", tag="answer", forbid_unknown_fields=True):
    """Answer the partner's question."""

    yes: bool


class Pass(Struct, frozen=True, tag_field="type", tag="pass", forbid_unknown_fields=True):
    """End the hand where nothing else is left (rule book 10.3)."""


class Resign(Struct, frozen=True, tag_field="type", tag="resign", forbid_unknown_fields=True):
    """End the game against the seat's side."""


Move = Draw | TakePile | TakeUpcard | LayMelds | LayRedThree | Discard | Ask | Answer | Pass | Resign
PlannedMove = TakePile | TakeUpcard | LayMelds | Discard

_TYPES: Final[dict[str, type[Move]]] = {
    "draw": Draw, "take_pile": TakePile, "take_upcard": TakeUpcard, "meld": LayMelds, "lay_red_three": LayRedThree,
    "discard": Discard, "ask": Ask, "answer": Answer, "pass": Pass, "resign": Resign,
}  # fmt: skip


def check_form(move: Move) -> None:
    """Refuse what has the types of a move and yet is none (rule book 9.1, `malformed_move`)."""
    if isinstance(move, LayMelds):
        _check_meld_form(move)
    elif isinstance(move, TakePile):
        if move.with_ is UNSET and move.onto is UNSET:
            raise malformed("with")
        if not all(move.melds):
            raise malformed("melds")
    elif isinstance(move, Discard):
        if not move.cards:
            raise malformed("cards")
    elif isinstance(move, Ask):
        _check_ask_form(move)


def _check_meld_form(move: LayMelds) -> None:
    if not (move.new or move.add or move.join):
        raise malformed("new")
    if not all(move.new):
        raise malformed("new")
    if not all(move.add.values()):
        raise malformed("add")
    seen: set[str] = set()
    for ids in move.join:
        if len(ids) < 2 or len(set(ids)) < len(ids) or not seen.isdisjoint(ids):
            raise malformed("join")
        seen.update(ids)


def _check_ask_form(move: Ask) -> None:
    if not move.then:
        raise malformed("then")
    for index, planned in enumerate(move.then):
        if isinstance(planned, TakePile | TakeUpcard) and index:
            raise malformed("then")
        try:
            check_form(planned)
        except Refused as refused:
            raise malformed("then") from refused


def in_canonical_order(move: PlannedMove) -> PlannedMove:
    """The same move with its cards in the order in which they are written down (formats, parts 1 and 5)."""
    if isinstance(move, TakePile):
        with_ = move.with_ if move.with_ is UNSET else canonical(move.with_)
        return TakePile(with_=with_, onto=move.onto, melds=tuple(map(canonical, move.melds)))
    if isinstance(move, LayMelds):
        add = {meld_id: canonical(cards) for meld_id, cards in move.add.items()}
        return LayMelds(new=tuple(map(canonical, move.new)), add=add, join=move.join)
    return Discard(canonical(move.cards)) if isinstance(move, Discard) else move


def malformed(field: str) -> Refused:
    """The refusal of something that is no move; `field` names the part at fault."""
    return Refused("malformed_move", field=field)


def parse_move(raw: object) -> Move:
    """A move from decoded JSON. Raises `Refused` (`malformed_move`, `field`)."""
    try:
        move: Move = msgspec.convert(raw, Move)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise malformed(_field_at_fault(raw)) from error
    check_form(move)
    return move


def _field_at_fault(raw: object) -> str:
    """The part of something malformed that a client has to mend first."""
    if not isinstance(raw, dict):
        return "move"
    kind = _TYPES.get(raw["type"]) if isinstance(raw.get("type"), str) else None
    if kind is None:
        return "type"
    fields = msgspec.structs.fields(kind)
    known = {field.encode_name for field in fields} | {"type"}
    for field in fields:
        if field.encode_name not in raw:
            if field.required:
                return field.encode_name
            continue
        try:
            msgspec.convert(raw[field.encode_name], field.type)
        except (msgspec.ValidationError, UnicodeError):
            return field.encode_name
    return next((name for name in raw if isinstance(name, str) and name not in known), "move")


def move_to_json(move: Move) -> Any:
    """A move as JSON values."""
    return msgspec.to_builtins(move)
