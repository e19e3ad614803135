"""Rule sets: the presets, and options with their consequences (rule book part 13 and 13.1)."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import PRESETS, resolve
from tests.domain.ruleset_builders import faults, places, whole

DATA = Path(__file__).resolve().parent.parent / "data"

RECORDED_HASHES = [
    ("samba-official", None, "de741b1c13801ec5836a5d903a2e3fa764081a12061f2af19727a4a56d30babd"),
    ("samba-online", None, "efb8a7a86dba4b6fdb746fff4c3d96a8e644dbad3a73eee147b72d1b60ed4cd5"),
    ("samba-online", {"target": 2500}, "621e4c2920b66f454d80311f601631091ebe33c6848ee4016cc8c7620f645c19"),
    ("samba-czech", None, "3c1009f3918bdaa5ddd4ea50b228b75a2b890593e05dfb40d6267acb4c0fb717"),
    ("canasta-classic", None, "55ea11bc262570ca003bb7ac5bedf72083473f62823b175b8fcac5fad4b8f72c"),
    (
        "canasta-standard",
        {"target": 2500},
        "7d196874776b031c5d68fea6fa69288a39bc21323b4bed8a673c04b5d07943fc",
    ),
    ("samba-hoyle", None, "de457e268715feafc40a0fcbb1023aa62e1f1cc11b83a343e1c71d9703e05e40"),
    ("bolivia", None, "a9a7e5ee861ad622ec6c20dde610e15255294b17cc7279e4802395432c536fc8"),
]


def test_the_presets_are_those_of_the_reference() -> None:
    reference = json.loads((DATA / "rulesets.json").read_text(encoding="utf-8"))
    assert list(PRESETS) == list(reference)
    assert dict(PRESETS) == reference


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_valid_and_stands_unchanged_in_its_json_form(preset: str) -> None:
    assert resolve(preset).to_json() == PRESETS[preset]
    assert resolve(whole(preset)) == resolve(preset)
    assert resolve(preset, {}) == resolve(preset)


@pytest.mark.parametrize(("preset", "options", "expected"), RECORDED_HASHES)
def test_the_hash_is_that_of_recorded_games(preset: str, options: object, expected: str) -> None:
    assert resolve(preset, options).sha256() == expected


def test_equal_rule_sets_have_equal_hashes_whatever_the_order_of_keys() -> None:
    original = whole("canasta-classic")
    turned = {key: original[key] for key in reversed(original)}
    turned["hand_size"] = {"4": 11, "3": 13, "2": 15}
    one, other = resolve(original), resolve(turned)
    assert one == other
    assert hash(one) == hash(other)
    assert one.sha256() == other.sha256()


def test_nothing_is_normalised() -> None:
    plain = resolve("samba-online")
    by_players = resolve("samba-online", {"hand_size": {"2": 15, "3": 15, "4": 15}})
    assert by_players.hand_size == {"2": 15, "3": 15, "4": 15}
    assert by_players.sha256() != plain.sha256()


def test_with_options_the_name_of_the_preset_stays() -> None:
    assert resolve("bolivia", {"target": 15000, "name": "bolivia"}).name == "bolivia"
    assert places("bolivia", {"name": "mine"}) == [("/name", "name_is_fixed")]


# 13.1: consequences

CONSEQUENCES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "samba-official",
        {"red_threes": "automatic"},
        {"red_three_discard": False, "red_three_phase": "play", "unmelded_red_three_penalty": 0},
    ),
    (
        "samba-czech",
        {"red_threes": "automatic"},
        {"red_three_discard": False, "red_three_phase": "play", "unmelded_red_three_penalty": 0},
    ),
    ("samba-official", {"sequences": False}, {"join_sequences": False, "run_take": "none", "samba_bonus": 0}),
    (
        "samba-official",
        {"wild_melds": True, "wild_melds_closed": False},
        {"wild_canasta_bonus": 1000},
    ),
    (
        "samba-czech",
        {"wild_melds": False},
        {"wild_top_taken_with_two_wilds": False, "wild_canasta_bonus": 0, "wild_melds_closed": True},
    ),
    ("samba-hoyle", {"several_melds_per_rank": False}, {"merge_groups": False, "pair_target": "existing"}),
    ("samba-czech", {"final_discard_required": False}, {"black_three_closing_discard": False}),
    ("samba-czech", {"stock_end": "forced_take"}, {"recycle_penalty": 0}),
    ("samba-official", {"stock_end": "recycle"}, {"last_red_three_ends_hand": False, "recycle_penalty": 100}),
    ("samba-official", {"stock_end": "recycle", "recycle_penalty": 250}, {"last_red_three_ends_hand": False}),
]


@pytest.mark.parametrize(("preset", "options", "consequences"), CONSEQUENCES)
def test_an_option_brings_its_consequences_and_nothing_else(
    preset: str, options: dict[str, Any], consequences: dict[str, Any]
) -> None:
    assert resolve(preset, options).to_json() == {**PRESETS[preset], **options, **consequences}


OBJECTS_WITH_SWITCHES: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (
        {"sequence_take_needs_clean_pile": True},
        {"run_take": "whole_pile"},
        {"sequence_take_needs_clean_pile": False},
    ),
    (
        {"sequence_take_needs_clean_pile": True},
        {"sequences": False},
        {
            "join_sequences": False,
            "run_take": "none",
            "samba_bonus": 0,
            "sequence_take_needs_clean_pile": False,
        },
    ),
    (
        {"black_three_wilds": True, "black_three_melds_any_time": True},
        {"black_three_melds": False},
        {"black_three_wilds": False, "black_three_melds_any_time": False},
    ),
    (
        {"pile_take_natural_plus_wild": True, "mixed_take_when_frozen": True},
        {"pile_take_natural_plus_wild": False},
        {"mixed_take_when_frozen": False},
    ),
    (
        {"last_red_three_may_meld": True},
        {"last_red_three_ends_hand": False},
        {"last_red_three_may_meld": False},
    ),
    (
        {"last_red_three_may_meld": True},
        {"stock_end": "recycle"},
        {"last_red_three_ends_hand": False, "last_red_three_may_meld": False, "recycle_penalty": 100},
    ),
]


@pytest.mark.parametrize(("switches", "options", "consequences"), OBJECTS_WITH_SWITCHES)
def test_options_laid_over_an_object_have_consequences_too(
    switches: dict[str, Any], options: dict[str, Any], consequences: dict[str, Any]
) -> None:
    base = whole(**switches)
    assert resolve(base).to_json() == base
    assert resolve(base, options).to_json() == {**base, **options, **consequences}


def test_a_penalty_of_0_for_turning_the_pile_is_kept_where_it_was_chosen() -> None:
    chosen = resolve("samba-official", {"stock_end": "recycle", "recycle_penalty": 0})
    assert chosen.recycle_penalty == 0
    assert resolve(chosen.to_json()).recycle_penalty == 0
    assert resolve(chosen.to_json(), {"tie": "play_on"}).recycle_penalty == 0
    assert resolve("samba-czech", {"recycle_penalty": 0}).recycle_penalty == 0


CONTRADICTIONS: list[tuple[str, dict[str, Any]]] = [
    ("red_three_discard", {"red_threes": "automatic", "red_three_discard": True}),
    ("red_three_phase", {"red_threes": "automatic", "red_three_phase": "draw_or_play"}),
    ("unmelded_red_three_penalty", {"red_threes": "automatic", "unmelded_red_three_penalty": 1}),
    ("join_sequences", {"sequences": False, "join_sequences": True}),
    ("run_take", {"sequences": False, "run_take": "whole_pile"}),
    ("samba_bonus", {"sequences": False, "samba_bonus": 1500}),
    ("sequence_take_needs_clean_pile", {"run_take": "whole_pile", "sequence_take_needs_clean_pile": True}),
    ("sequence_take_needs_clean_pile", {"run_take": "none", "sequence_take_needs_clean_pile": True}),
    ("wild_top_taken_with_two_wilds", {"wild_melds": False, "wild_top_taken_with_two_wilds": True}),
    ("wild_canasta_bonus", {"wild_melds": False, "wild_canasta_bonus": 1}),
    ("wild_melds_closed", {"wild_melds": False, "wild_melds_closed": False}),
    ("wild_canasta_bonus", {"wild_melds": True, "wild_canasta_bonus": 0}),
    ("merge_groups", {"several_melds_per_rank": False, "merge_groups": True}),
    ("pair_target", {"several_melds_per_rank": False, "pair_target": "new"}),
    ("pair_target", {"several_melds_per_rank": False, "pair_target": "existing_or_new"}),
    ("black_three_wilds", {"black_three_melds": False, "black_three_wilds": True}),
    ("black_three_melds_any_time", {"black_three_melds": False, "black_three_melds_any_time": True}),
    ("mixed_take_when_frozen", {"pile_take_natural_plus_wild": False, "mixed_take_when_frozen": True}),
    ("black_three_closing_discard", {"final_discard_required": False, "black_three_closing_discard": True}),
    ("recycle_penalty", {"stock_end": "forced_take", "recycle_penalty": 100}),
    ("recycle_penalty", {"stock_end": "end_when_cannot_draw", "recycle_penalty": 1}),
    ("last_red_three_ends_hand", {"stock_end": "recycle", "last_red_three_ends_hand": True}),
    ("last_red_three_may_meld", {"last_red_three_ends_hand": False, "last_red_three_may_meld": True}),
]


@pytest.mark.parametrize(("key", "options"), CONTRADICTIONS)
def test_an_option_that_contradicts_a_consequence_is_a_fault(key: str, options: dict[str, Any]) -> None:
    (fault,) = faults("samba-official", options)
    assert (fault.key, fault.code) == (key, "forbidden" if options.get("wild_melds") else "excluded")
    (cause,) = set(options) - {key}
    assert fault.params["because"] == {cause: options[cause]}


@pytest.mark.parametrize(("key", "options"), CONTRADICTIONS)
def test_an_object_in_an_excluded_state_is_refused(key: str, options: dict[str, Any]) -> None:
    settled = resolve("samba-official", {k: v for k, v in options.items() if k != key}).to_json()
    settled[key] = options[key]
    (fault,) = faults(settled)
    assert (fault.key, fault.code) == (key, "forbidden" if options.get("wild_melds") else "excluded")


def test_a_consequence_supplies_no_key_that_an_object_lacks() -> None:
    incomplete = whole()
    del incomplete["run_take"]
    (fault,) = faults(incomplete, {"sequences": False})
    assert (fault.pointer, fault.code) == ("/run_take", "missing_key")
