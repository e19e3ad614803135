"""Checks of an untrusted object against the columns of rule book part 13: keys, types and ranges.

The columns are the annotations of the Struct itself. Where msgspec's own decoding stops at the first thing it
does not like, this walks the same type information to the end.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import inspect

from domain.ruleset_faults import RuleSetFault, fault

Path = tuple[object, ...]

_KINDS: Final[dict[type[inspect.Type], tuple[type, str]]] = {
    inspect.NoneType: (type(None), "null"),
    inspect.BoolType: (bool, "true or false"),
    inspect.IntType: (int, "an integer"),
    inspect.StrType: (str, "a string"),
    inspect.LiteralType: (str, "a string"),
    inspect.DictType: (dict, "an object"),
    inspect.StructType: (dict, "an object"),
    inspect.VarTupleType: (list, "a list"),
}
"""Type of a column -> the exact Python type that JSON gives for it (`true` is no integer), and its name."""


def column_faults(column: inspect.Type, value: object, path: Path = ()) -> Iterator[RuleSetFault]:
    """Every fault of a value against a column. Keys of free objects are not judged here."""
    if isinstance(column, inspect.UnionType):
        yield from _union_faults(column, value, path)
        return
    kind, expected = _KINDS[type(column)]
    if type(value) is not kind:
        yield fault("ill_typed", *path, expected=expected)
        return
    match column, value:
        case inspect.IntType(ge=low, le=high), int():
            if (low is not None and value < low) or (high is not None and value > high):
                yield fault("out_of_range", *path, minimum=low, maximum=high)
        case inspect.StrType(pattern=str(pattern), max_length=longest), str():
            if (longest is not None and len(value) > longest) or not re.search(pattern, value):
                yield fault("bad_text", *path, maximum=longest)
        case inspect.LiteralType(values=choices), str():
            if value not in choices:
                yield fault("not_a_choice", *path, allowed=list(choices))
        case inspect.DictType(value_type=item_column), dict():
            for key, item in value.items():
                yield from column_faults(item_column, item, (*path, key))
        case inspect.VarTupleType(item_type=item_column, min_length=shortest), list():
            if shortest is not None and len(value) < shortest:
                yield fault("too_short", *path, minimum=shortest)
            for index, item in enumerate(value):
                yield from column_faults(item_column, item, (*path, index))
        case inspect.StructType(), dict():
            yield from _struct_faults(column, value, path)


def _union_faults(column: inspect.UnionType, value: object, path: Path) -> Iterator[RuleSetFault]:
    """A value is judged by the member of its own JSON type; without one it is ill-typed."""
    expected = []
    for member in column.types:
        kind, name = _KINDS[type(member)]
        if type(value) is kind:
            yield from column_faults(member, value, path)
            return
        expected.append(name)
    yield fault("ill_typed", *path, expected=" or ".join(expected))


def _struct_faults(column: inspect.StructType, value: dict[object, object], path: Path) -> Iterator[RuleSetFault]:
    known = {field.encode_name for field in column.fields}
    for field in column.fields:
        if field.encode_name in value:
            yield from column_faults(field.type, value[field.encode_name], (*path, field.encode_name))
        elif field.required:
            yield fault("missing_key", *path, field.encode_name)
    for key in value:
        if key not in known:
            yield fault("unknown_key", *path, key)
