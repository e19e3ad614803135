"""Reading the body of the hot route: one move, a list of moves, or `{"moves": [...], "expected_version": n}`.

Most bodies are sound, and go straight from bytes to moves. Whatever is unusual about one goes the long way by JSON
values, which says exactly what is wrong, if anything is.
"""

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.moves import (
    Answer,
    Ask,
    Discard,
    LayMelds,
    LayRedThree,
    Move,
    TakePile,
    TakeUpcard,
    check_form,
    malformed,
    parse_move,
)
from domain.refusals import Refused
from service.commands import MoveRefused
from service.http.bodies import decode, shape
from service.http.problems import Problem
from service.settings import Settings
from service.store.base import VERSION_MAX

MOVES_MAX: Final = 64
"""As described; what is refused hangs on the settings."""

_decode_moves: Final = msgspec.json.Decoder(Move | list[Move]).decode


class MoveList(Struct, frozen=True, forbid_unknown_fields=True):
    """Several moves, all accepted or none, judged in order; what brings cards from the stock may stand last only.

    `expected_version` is the version that the caller has seen, as in `If-Match`.
    """

    moves: Annotated[tuple[Move, ...], Meta(min_length=1, max_length=MOVES_MAX)]
    expected_version: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | UnsetType = UNSET


class AskedMoves(Struct, frozen=True):
    """The moves of a request, at least one, and the version that its body expects."""

    moves: tuple[Move, ...]
    expected: int | None = None


class _Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """A `MoveList` whose moves have not been read yet."""

    moves: list[Any]
    expected_version: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | UnsetType = UNSET


def read_moves(body: bytes, settings: Settings) -> AskedMoves:
    """The moves of a body. Raises `Problem`, and `MoveRefused` with the index of what is no move."""
    moves = _read_sound(body, settings)
    return _read_any(body, settings) if moves is None else AskedMoves(moves)


def _read_sound(body: bytes, settings: Settings) -> tuple[Move, ...] | None:
    """The moves of a sound body; None for one that has to be looked at more closely."""
    if body.count(b"[") + body.count(b"{") > settings.nesting_max:
        return None
    try:
        read = _decode_moves(body)
        moves = tuple(read) if isinstance(read, list) else (read,)
        for move in moves:
            check_form(move)
    except (msgspec.DecodeError, UnicodeError, Refused):
        return None
    # A colon too many is a key that stands twice, one that says nothing, or a colon inside a text.
    if not 0 < len(moves) <= settings.moves_per_request_max or sum(map(_keys, moves)) != body.count(b":"):
        return None
    return moves


def _keys(move: Move) -> int:
    """How many keys a move is written with."""
    match move:
        case Discard() | TakeUpcard() | LayRedThree() | Answer():
            return 2
        case LayMelds(new=new, add=add, join=join):
            return 1 + bool(new) + bool(add) + len(add) + bool(join)
        case TakePile(with_=with_, onto=onto, melds=melds):
            return 1 + (with_ is not UNSET) + (onto is not UNSET) + bool(melds)
        case Ask(then=then):
            return 2 + sum(map(_keys, then))
        case _:
            return 1


def _read_any(body: bytes, settings: Settings) -> AskedMoves:
    values = decode(body, settings.nesting_max)
    expected = None
    if type(values) is list:
        raw: list[Any] = values
    elif type(values) is dict and "moves" in values:
        envelope = shape(values, _Envelope)
        raw = envelope.moves
        expected = None if envelope.expected_version is UNSET else envelope.expected_version
    else:
        raw = [values]
    limit = settings.moves_per_request_max
    if len(raw) > limit:
        raise Problem(
            "too_many_moves",
            f"At most {limit} moves can be sent at once, and these are {len(raw)}.",
            params={"limit": limit, "found": len(raw)},
        )
    if not raw:
        raise MoveRefused(malformed("moves").refusal())
    moves = []
    for index, item in enumerate(raw):
        try:
            moves.append(parse_move(item))
        except Refused as refused:
            raise MoveRefused(refused.refusal(index if len(raw) > 1 else None)) from refused
    return AskedMoves(tuple(moves), expected)
