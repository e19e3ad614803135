"""Canonical JSON (RFC 8785) for the data of the formats, on top of msgspec.

msgspec writes strings, escapes and integers as RFC 8785 asks. It differs in three points, all handled here:
it sorts keys by code point where the RFC sorts by UTF-16 code unit (keys with characters beyond U+FFFF would
come too late), it writes floats in its own way (`nan` as `null`), and it writes integers beyond what a double
can hold. The formats know neither floats nor such integers, so both are refused.
"""

from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec import inspect

CanonicalFault = Literal["float", "integer_too_large", "lone_surrogate", "key_not_text", "unknown_type", "too_deep"]

MAX_INTEGER: Final = 2**53 - 1
"""Largest magnitude of an integer that every JSON reader keeps exactly (RFC 7493)."""

MAX_DEPTH: Final = 64
"""Deepest nesting of lists and objects that is written."""

_LEAVES: Final = frozenset((str, bool, type(None)))
_sorted_encoder: Final = msgspec.json.Encoder(order="sorted")
_plain_encoder: Final = msgspec.json.Encoder()


class CanonicalError(ValueError):
    """The value has no canonical form; `fault` says why."""

    def __init__(self, fault: CanonicalFault) -> None:
        super().__init__(f"No canonical JSON: {fault.replace('_', ' ')}.")
        self.fault = fault


def canonical(value: object) -> bytes:
    """RFC 8785 bytes of plain JSON values (dict, list, tuple, str, int, bool, None) and of Structs.

    Plain values are checked one by one. A Struct whose declared types leave no room for a float, an untyped
    value or a free key is written at once, its integers taken on trust: that is the hot path.
    Raises `CanonicalError`.
    """
    try:
        if isinstance(value, msgspec.Struct) and _is_closed(type(value)):
            return _sorted_encoder.encode(value)
        if _has_astral_key(value, MAX_DEPTH):
            return _plain_encoder.encode(_in_utf16_order(msgspec.to_builtins(value)))
        return _sorted_encoder.encode(value)
    except UnicodeEncodeError as error:
        raise CanonicalError("lone_surrogate") from error


def _has_astral_key(value: object, depth: int) -> bool:
    """Check the value and all inside it; tell whether a key needs UTF-16 order instead of msgspec's own."""
    kind = type(value)
    if kind in _LEAVES:
        return False
    if isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise CanonicalError("integer_too_large")
        return False
    if depth == 0:
        raise CanonicalError("too_deep")
    if isinstance(value, dict):
        astral = False
        for key, item in value.items():
            if type(key) is not str:
                raise CanonicalError("key_not_text")
            astral |= not key.isascii() and max(key) > "\uffff"
            astral |= type(item) not in _LEAVES and _has_astral_key(item, depth - 1)
        return astral
    if isinstance(value, list | tuple):
        found = False
        for item in value:
            found |= type(item) not in _LEAVES and _has_astral_key(item, depth - 1)
        return found
    if isinstance(value, msgspec.Struct):
        return not _is_closed(type(value)) and _has_astral_key(msgspec.to_builtins(value), depth)
    raise CanonicalError("float" if kind is float else "unknown_type")


def _in_utf16_order(value: Any) -> Any:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: str(key).encode("utf-16-be"))
        return {key: _in_utf16_order(value[key]) for key in keys}
    if isinstance(value, list | tuple):
        return [_in_utf16_order(item) for item in value]
    return value


@lru_cache(maxsize=1024)
def _is_closed(struct: type) -> bool:
    """Whether msgspec's own encoding of every value of this Struct type is canonical already."""
    seen: set[type] = set()

    def closed(node: inspect.Type) -> bool:
        match node:
            case inspect.StructType(cls=cls, fields=fields):
                if cls in seen:
                    return True
                seen.add(cls)
                return all(closed(field.type) for field in fields)
            case inspect.UnionType(types=types):
                return all(closed(member) for member in types)
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                return closed(item)
            case inspect.TupleType(item_types=items):
                return all(closed(item) for item in items)
            case inspect.NoneType() | inspect.BoolType() | inspect.IntType() | inspect.StrType():
                return True
            case inspect.LiteralType() | inspect.EnumType():
                return True
            case _:
                return False

    return closed(inspect.type_info(struct))
