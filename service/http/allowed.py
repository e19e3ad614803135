"""What would have been allowed in the place of a value that is turned down, by the types that it is read into."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct, inspect

NAMES_MAX: Final = 40
"""How many values or fields are told by name; of further ones only how many there are."""

FOUND_MAX: Final = 80
"""Characters of the caller's own value that are told again."""

AT_MAX: Final = 200
"""Characters of a place that are told: a name that a caller made up may look like one."""

SENTENCE_MAX: Final = 1000
"""Characters of a sentence that names neither values nor fields."""

# Callers' own names and values stand in the text before the place, be they written as a place themselves.
_PLACE: Final = re.compile(r"(?P<what>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>[^`]*)`)?", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<field>[^.\[]+)|\[(?P<item>[0-9]{1,9}|\.\.\.)\]")
_WRONG_VALUE: Final = re.compile(r"Invalid (?:enum )?value (?P<found>.+)", re.DOTALL)
_UNKNOWN_FIELD: Final = re.compile(r"Object contains unknown field `(?P<found>.*)`", re.DOTALL)
_MISSING_FIELD: Final = re.compile(r"Object missing required (?P<field>field `.*`)", re.DOTALL)
_ANY: Final = object()
"""The value of some key, it is not said of which."""


class Expectation(Struct, frozen=True):
    """Where something is wrong (`.stages[0].match`, empty for the whole), what is expected there, and a sentence of
    both without its place."""

    at: str
    expected: str
    sentence: str


def expectation(error: Exception, raw: Any, kind: Any) -> Expectation:
    """What an error says that came of reading the values `raw` into the type `kind`."""
    found = _PLACE.fullmatch(str(error))
    assert found is not None, "Every text has this form."
    what, path = found["what"], found["path"] or ""
    at = f"{path[:AT_MAX]} (a key)" if found["key"] else path[:AT_MAX]
    if wrong := _WRONG_VALUE.fullmatch(what):
        nodes = _there(kind, raw, path)
        keys = _plain(each.key_type for each in nodes if isinstance(each, inspect.DictType))
        expected = _one_of([*_values([*keys] if found["key"] else nodes)])
        return Expectation(at, expected, f"Expected {expected}, got {wrong['found'][:FOUND_MAX]}")
    if unknown := _UNKNOWN_FIELD.fullmatch(what):
        expected = _no_field_but([*_fields(_there(kind, raw, path))])
        return Expectation(at, expected, f"Expected {expected}, got `{unknown['found'][:FOUND_MAX]}`")
    missing = _MISSING_FIELD.fullmatch(what)
    expected = f"the {missing['field']}" if missing else what.removeprefix("Expected ")
    return Expectation(at, expected[:SENTENCE_MAX], what[:SENTENCE_MAX])


def _one_of(names: list[str]) -> str:
    return f"one of {_listed(names)}" if len(names) > 1 else "".join(names) or "another value"


def _no_field_but(names: list[str]) -> str:
    return f"no field but {_listed(names)}" if names else "no field"


def _listed(names: list[str]) -> str:
    """Each name once."""
    names = [name or '""' for name in dict.fromkeys(names)]
    more = f" and {len(names) - NAMES_MAX} others" if len(names) > NAMES_MAX else ""
    return ", ".join(names[:NAMES_MAX]) + more


@lru_cache(maxsize=64)
def _type_of(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _there(kind: Any, raw: Any, path: str) -> list[inspect.Type]:
    """The types that may stand at a place."""
    nodes = [*_plain([_type_of(kind)])]
    for step in _STEP.finditer(path):
        nodes, raw = _step(_meant(nodes, raw), raw, step["field"], step["item"])
    return _meant(nodes, raw)


def _step(nodes: list[inspect.Type], raw: Any, field: str | None, item: str | None) -> tuple[list[inspect.Type], Any]:
    if field is not None:
        below = [*_plain(each for node in nodes for each in _of_field(node, field))]
        return below, raw.get(field, _ANY) if isinstance(raw, dict) else _ANY
    below = [*_plain(each for node in nodes for each in _of_item(node, item or ""))]
    there = isinstance(raw, list) and item is not None and item.isdigit() and int(item) < len(raw)
    return below, raw[int(item or 0)] if there else _ANY


def _of_field(node: inspect.Type, name: str) -> Iterator[inspect.Type]:
    if isinstance(node, inspect.StructType):
        if node.tag_field == name:
            yield inspect.LiteralType((node.tag,))
        yield from (each.type for each in node.fields if each.encode_name == name)


def _of_item(node: inspect.Type, item: str) -> Iterator[inspect.Type]:
    if isinstance(node, inspect.DictType):
        yield node.value_type
    elif isinstance(node, inspect.CollectionType):
        yield node.item_type
    elif isinstance(node, inspect.TupleType) and item.isdigit():
        yield from node.item_types[int(item) : int(item) + 1]


def _plain(nodes: Iterable[inspect.Type]) -> Iterator[inspect.Type]:
    """Types without what is noted of them, and each of several by itself."""
    for each in nodes:
        if isinstance(each, inspect.Metadata):
            yield from _plain([each.type])
        elif isinstance(each, inspect.UnionType):
            yield from _plain(each.types)
        else:
            yield each


def _meant(nodes: list[inspect.Type], raw: Any) -> list[inspect.Type]:
    """Of objects that a field tells apart, those that it names, where it names any."""
    if not isinstance(raw, dict):
        return nodes
    return [each for each in nodes if _is_named(each, raw)] or nodes


def _is_named(node: inspect.Type, raw: dict[Any, Any]) -> bool:
    return isinstance(node, inspect.StructType) and raw.get(node.tag_field, _ANY) == node.tag


def _values(nodes: list[inspect.Type]) -> Iterator[str]:
    """Values by name, then other forms that would do as well."""
    for each in nodes:
        if isinstance(each, inspect.LiteralType):
            yield from (str(value) for value in each.values if value is not None)
        elif isinstance(each, inspect.EnumType):
            yield from (str(value.value) for value in each.cls)
    if any(isinstance(each, inspect.StructType) for each in nodes):
        yield "or an object"


def _fields(nodes: list[inspect.Type]) -> Iterator[str]:
    for each in nodes:
        if isinstance(each, inspect.StructType):
            if each.tag_field is not None:
                yield each.tag_field
            yield from (field.encode_name for field in each.fields)
