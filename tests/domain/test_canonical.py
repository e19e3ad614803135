"""Canonical JSON against RFC 8785, by its own examples and by an independent writer."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.canonical import MAX_DEPTH, MAX_INTEGER, CanonicalError, canonical
from domain.rulesets import resolve

ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def written(value: Any) -> str:
    """RFC 8785, section 3.2, written out for the values that the formats know."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            return '"' + "".join(ESCAPES.get(ord(c)) or (f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"'
        case list() | tuple():
            return "[" + ",".join(map(written, value)) + "]"
        case dict():
            keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
            return "{" + ",".join(f"{written(key)}:{written(value[key])}" for key in keys) + "}"
    raise AssertionError(value)


TEXT = st.text(st.sampled_from('aZ\x00\x08\t\n\x0c\r\x1f\x7f"\\/é€\ue000\ufb33\uffff\U0001f600\U0010ffff\u2028'))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(PLAIN)
def test_it_is_what_an_independent_writer_makes(value: Any) -> None:
    assert canonical(value) == written(value).encode()


def test_the_rfc_example_of_keys_is_sorted_by_utf16_code_units() -> None:
    value = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert list(json.loads(canonical(value)).values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


def test_the_rfc_example_of_a_string_is_escaped_as_little_as_possible() -> None:
    text = "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/"
    assert canonical(text) == b'"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'


def test_keys_of_nested_objects_are_sorted_too() -> None:
    assert canonical([{"b": {"z": 1, "A": None}, "a": [True, -7]}]) == b'[{"a":[true,-7],"b":{"A":null,"z":1}}]'


@pytest.mark.parametrize("value", [0.0, 1.5, 1e300, float("nan"), float("inf")])
def test_floats_are_refused_wherever_they_stand(value: float) -> None:
    for place in (value, [value], {"a": {"b": [1, value]}}, (value,)):
        with pytest.raises(CanonicalError) as refused:
            canonical(place)
        assert refused.value.fault == "float"


def test_integers_that_a_double_cannot_hold_are_refused() -> None:
    assert canonical([MAX_INTEGER, -MAX_INTEGER]) == b"[9007199254740991,-9007199254740991]"
    for value in (MAX_INTEGER + 1, -MAX_INTEGER - 1, 10**40):
        with pytest.raises(CanonicalError) as refused:
            canonical({"n": [value]})
        assert refused.value.fault == "integer_too_large"


@pytest.mark.parametrize("value", ["\ud800", ["a\udfff"], {"\ud83d": 1}, {"\U0001f600\ud83d": 1}])
def test_lone_surrogates_are_refused(value: object) -> None:
    with pytest.raises(CanonicalError) as refused:
        canonical(value)
    assert refused.value.fault == "lone_surrogate"


@pytest.mark.parametrize(
    ("value", "fault"), [({1: 2}, "key_not_text"), (b"a", "unknown_type"), ([{1, 2}], "unknown_type")]
)
def test_what_is_not_json_is_refused(value: object, fault: str) -> None:
    with pytest.raises(CanonicalError) as refused:
        canonical(value)
    assert refused.value.fault == fault


def test_nesting_has_a_limit() -> None:
    value: list[Any] = []
    for _ in range(MAX_DEPTH - 1):
        value = [value]
    assert canonical(value) == b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    with pytest.raises(CanonicalError) as refused:
        canonical([value])
    assert refused.value.fault == "too_deep"


class Leaf(msgspec.Struct, frozen=True):
    z: int
    a: tuple[str, ...]


class Closed(msgspec.Struct, frozen=True, tag="closed", tag_field="type"):
    """Nothing free in it."""

    zeta: Leaf | None
    alpha: list[bool]
    gone: str | msgspec.UnsetType = msgspec.UNSET


class Open(msgspec.Struct, frozen=True):
    """Free keys and untyped values in it."""

    names: dict[str, int]
    anything: Any


def test_structs_are_sorted_by_key_with_their_tag() -> None:
    assert (
        canonical(Closed(zeta=Leaf(1, ("x",)), alpha=[True]))
        == b'{"alpha":[true],"type":"closed","zeta":{"a":["x"],"z":1}}'
    )
    assert canonical([Leaf(1, ())]) == b'[{"a":[],"z":1}]'


def test_free_parts_of_structs_are_checked_like_plain_values() -> None:
    assert canonical(Open({"\U0001f600": 1, "\ue000": 2}, [Leaf(1, ())])) == (
        '{"anything":[{"a":[],"z":1}],"names":{"\U0001f600":1,"\ue000":2}}'.encode()
    )
    for value in (Open({}, 1.0), [Open({"a": MAX_INTEGER + 1}, 1)], Open({}, {"a": [Open({}, 2.5)]})):
        with pytest.raises(CanonicalError):
            canonical(value)


def test_a_rule_set_is_written_like_its_json_form() -> None:
    ruleset = resolve("canasta-classic")
    assert canonical(ruleset) == canonical(ruleset.to_json()) == written(ruleset.to_json()).encode()
