"""Rule sets against any options and any JSON at all, and against their JSON Schema."""

from typing import Any

import jsonschema_rs
from hypothesis import given
from hypothesis import strategies as st

from domain.rulesets import PRESETS, RuleSet, RuleSetInvalidError, resolve, schema
from tests.domain.ruleset_builders import CHOICES, RANGES, faults, whole

VALUES: dict[str, st.SearchStrategy[Any]] = {
    **{key: st.sampled_from(choices) for key, choices in CHOICES.items()},
    **{key: st.sampled_from((low, low + 1, high)) for key, low, high in RANGES},
    **{key: st.booleans() for key, value in PRESETS["bolivia"].items() if isinstance(value, bool)},
    "hand_cap": st.sampled_from((None, 1, 60)),
    "players": st.sets(st.integers(2, 6), min_size=1).map(sorted),
    "target_choices": st.sets(st.sampled_from((2500, 5000, 10000, 15000)), min_size=1).map(sorted),
    "target": st.sampled_from((2500, 5000, {"2": 5000, "3": 7500, "4": 5000})),
}
OPTIONS = st.lists(st.sampled_from(sorted(VALUES)), max_size=8, unique=True).flatmap(
    lambda keys: st.fixed_dictionaries({key: VALUES[key] for key in keys})
)
TEXT = st.text(alphabet="2K/~é\U0001f600", max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
JUNK = st.dictionaries(st.sampled_from(sorted(PRESETS["bolivia"])), JSON, max_size=5)


def resolved(ruleset: object, options: object) -> RuleSet | None:
    try:
        return resolve(ruleset, options)
    except RuleSetInvalidError:
        told = [(fault.pointer, fault.code, repr(fault.params)) for fault in faults(ruleset, options)]
        assert told
        assert len(set(told)) == len(told)
        return None


@given(st.sampled_from(sorted(PRESETS)), OPTIONS)
def test_valid_values_resolve_as_named_or_list_their_faults(preset: str, options: dict[str, Any]) -> None:
    ruleset = resolved(preset, options)
    if ruleset is not None:
        plain = ruleset.to_json()
        assert {key: plain[key] for key in options} == options
        assert resolve(plain) == ruleset
        assert resolve(plain, options) == ruleset


@given(st.sampled_from(sorted(PRESETS)), JUNK)
def test_any_json_resolves_or_lists_its_faults(preset: str, junk: dict[str, Any]) -> None:
    resolved(preset, junk)
    resolved({**PRESETS[preset], **junk}, None)


@given(JSON, JSON)
def test_any_two_json_values_are_judged(ruleset: object, options: object) -> None:
    assert resolved(ruleset, options) is None


STRUCTURAL = {
    "missing_key",
    "unknown_key",
    "ill_typed",
    "out_of_range",
    "not_a_choice",
    "bad_text",
    "too_short",
}


def validator(definition: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({**schema(), "$ref": f"#/$defs/{definition}"})


def test_the_schema_accepts_every_preset_and_no_options_as_a_rule_set() -> None:
    for preset in PRESETS:
        assert validator("RuleSet").is_valid(PRESETS[preset])
    assert validator("Options").is_valid({"target": 5000, "hand_size": {"2": 5}})
    assert not validator("RuleSet").is_valid({"target": 5000})
    assert not validator("Options").is_valid({"name": "mine"})
    assert not validator("Options").is_valid({"hand_size": {"7": 5}})
    assert not validator("Options").is_valid({"card_values": {"K": 5}})


@given(JUNK)
def test_the_schema_refuses_what_the_columns_refuse(junk: dict[str, Any]) -> None:
    ruleset = whole(**junk)
    found: set[str] = set()
    try:
        resolve(ruleset)
    except RuleSetInvalidError as refused:
        found = {fault.code for fault in refused.faults}
    if validator("RuleSet").is_valid(ruleset):
        assert not found & STRUCTURAL
    else:
        assert found
