"""Rule set objects to try and how they are judged; the columns of rule book part 13, written out again."""

import json
from typing import Any

import pytest

from domain.rulesets import PRESETS, RuleSetFault, RuleSetInvalidError, resolve

CHOICES = {
    "three_player": ("alone", "lone_side"),
    "six_player_teams": ("three_pairs", "two_trios"),
    "upcard_rule": ("cover_special", "cover_and_freeze", "plain"),
    "group_ratio": ("two_to_one", "three_to_two", "half", "more_naturals", "min_two_naturals"),
    "freezing": ("none", "classic", "wilds_and_black_threes"),
    "opening_take": ("pair", "any_meld"),
    "pile_take_extend": ("off", "below_seven", "any"),
    "pair_target": ("new", "existing_or_new", "existing"),
    "run_take": ("upcard_only", "whole_pile", "none"),
    "black_three_bar": ("while_on_top", "next_player_until_taken"),
    "red_threes": ("optional", "automatic"),
    "red_three_replacement": ("from_stock", "always", "none"),
    "red_three_phase": ("play", "draw_or_play", "first_draw_or_play"),
    "going_out_requirement": ("one_any", "two_any", "two_with_samba", "two_canastas_one_samba"),
    "partner_permission": ("optional", "advisory", "required", "off"),
    "stock_end": ("end_when_cannot_draw", "forced_take", "recycle"),
    "short_draw": ("take_remaining", "end_hand"),
    "concealed_condition": ("own_set", "whole_hand"),
    "red_three_condition": ("going_out_sets", "two_sets", "any_meld", "always"),
    "all_red_threes_penalty": ("per_card", "mirror"),
    "all_red_threes_charge_unless": ("two_sets", "two_canastas"),
    "unmelded_red_three_scope": ("per_card", "per_side"),
    "tie": ("draw", "play_on"),
}


RANGES = [
    ("packs", 1, 6),
    ("jokers", 0, 24),
    ("hand_size", 1, 30),
    ("draw_count", 1, 4),
    ("max_wilds", 0, 20),
    ("black_three_hand_value", 0, 1000),
    ("target", 1, 1_000_000),
    ("hand_cap", 1, 1000),
    *(
        (key, 0, 10000)
        for key in (
            "recycle_penalty",
            "natural_canasta_bonus",
            "mixed_canasta_bonus",
            "wild_canasta_bonus",
            "samba_bonus",
            "going_out_bonus",
            "concealed_bonus",
            "red_three_bonus",
            "all_red_threes_bonus",
            "all_red_threes_charge",
            "unmelded_red_three_penalty",
        )
    ),
]


def whole(preset: str = "samba-official", /, **changes: Any) -> dict[str, Any]:
    """A complete rule set object: a preset with keys changed behind the back of the options."""
    return {**json.loads(json.dumps(PRESETS[preset])), **changes}


def faults(ruleset: object, options: object = None) -> tuple[RuleSetFault, ...]:
    with pytest.raises(RuleSetInvalidError) as refused:
        resolve(ruleset, options)
    assert all(fault.message for fault in refused.value.faults)
    return refused.value.faults


def places(ruleset: object, options: object = None) -> list[tuple[str, str]]:
    """Where and why the rule set is refused, as (pointer, code)."""
    return [(fault.pointer, fault.code) for fault in faults(ruleset, options)]


def is_valid(ruleset: object, options: object = None) -> bool:
    try:
        resolve(ruleset, options)
    except RuleSetInvalidError:
        return False
    return True
