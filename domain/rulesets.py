"""Rule sets (rule book part 13): the one object that holds every difference between the games.

    preset name or object, options  ->  resolve  ->  RuleSet  |  RuleSetInvalidError (every fault)

Nothing is normalised: a rule set's hash is that of the object as it stands.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from domain.canonical import MAX_INTEGER, canonical
from domain.cards import JOKER, RANKS
from domain.presets import PRESETS
from domain.ruleset_columns import column_faults
from domain.ruleset_combinations import combination_faults, overlay
from domain.ruleset_faults import RuleSetFault, RuleSetInvalidError, fault

__all__ = [
    "PRESETS",
    "FirstMeldStep",
    "RuleSet",
    "RuleSetFault",
    "RuleSetInvalidError",
    "SharedKeys",
    "resolve",
    "schema",
]

# `$` alone would let a line feed through at the end.
Name = Annotated[str, Meta(max_length=64, pattern="^[a-z0-9-]+$(?!\\n)")]
Integer = Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)]
Points = Annotated[int, Meta(ge=0, le=10000)]
CardValue = Annotated[int, Meta(ge=0, le=1000)]
Seats = Annotated[int, Meta(ge=2, le=6)]
HandSize = Annotated[int, Meta(ge=1, le=30)]
DrawCount = Annotated[int, Meta(ge=1, le=4)]
Target = Annotated[int, Meta(ge=1, le=1_000_000)]
GoingOutRequirement = Literal["one_any", "two_any", "two_with_samba", "two_canastas_one_samba"]


class FirstMeldStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the first-meld requirement (rule book part 5): `points` for sheet totals below `below`."""

    below: Integer | None
    points: Integer


class SharedKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a rule set with one value for every number of seats, in the order of the rule book."""

    packs: Annotated[int, Meta(ge=1, le=6)]
    jokers: Annotated[int, Meta(ge=0, le=24)]
    three_player: Literal["alone", "lone_side"]
    six_player_teams: Literal["three_pairs", "two_trios"]
    upcard_rule: Literal["cover_special", "cover_and_freeze", "plain"]
    group_ratio: Literal["two_to_one", "three_to_two", "half", "more_naturals", "min_two_naturals"]
    max_wilds: Annotated[int, Meta(ge=0, le=20)]
    wild_on_finished_canasta: bool
    several_melds_per_rank: bool
    merge_groups: bool
    sequences: bool
    join_sequences: bool
    wild_melds: bool
    wild_melds_closed: bool
    black_three_melds: bool
    black_three_wilds: bool
    black_three_melds_any_time: bool
    black_three_closing_discard: bool
    concealed_first_meld_waiver: bool
    freezing: Literal["none", "classic", "wilds_and_black_threes"]
    pile_take_natural_plus_wild: bool
    mixed_take_when_frozen: bool
    opening_take: Literal["pair", "any_meld"]
    pile_take_extend: Literal["off", "below_seven", "any"]
    pair_target: Literal["new", "existing_or_new", "existing"]
    run_take: Literal["upcard_only", "whole_pile", "none"]
    sequence_take_needs_clean_pile: bool
    wild_top_taken_with_two_wilds: bool
    black_three_bar: Literal["while_on_top", "next_player_until_taken"]
    one_card_pile_bar: bool
    red_threes: Literal["optional", "automatic"]
    red_three_replacement: Literal["from_stock", "always", "none"]
    red_three_phase: Literal["play", "draw_or_play", "first_draw_or_play"]
    red_three_discard: bool
    last_red_three_ends_hand: bool
    last_red_three_may_meld: bool
    final_discard_required: bool
    partner_permission: Literal["optional", "advisory", "required", "off"]
    stock_end: Literal["end_when_cannot_draw", "forced_take", "recycle"]
    short_draw: Literal["take_remaining", "end_hand"]
    recycle_penalty: Points
    natural_canasta_bonus: Points
    mixed_canasta_bonus: Points
    wild_canasta_bonus: Points
    samba_bonus: Points
    going_out_bonus: Points
    concealed_bonus: Points
    concealed_condition: Literal["own_set", "whole_hand"]
    red_three_bonus: Points
    all_red_threes_bonus: Points
    red_three_condition: Literal["going_out_sets", "two_sets", "any_meld", "always"]
    all_red_threes_penalty: Literal["per_card", "mirror"]
    all_red_threes_charge: Points
    all_red_threes_charge_unless: Literal["two_sets", "two_canastas"]
    unmelded_red_three_penalty: Points
    unmelded_red_three_scope: Literal["per_card", "per_side"]
    black_three_hand_value: CardValue
    hand_cap: Annotated[int, Meta(ge=1, le=1000)] | None
    tie: Literal["draw", "play_on"]


class RuleSet(SharedKeys, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A complete rule set. A dict in `hand_size` and the like is keyed by the number of seats, as text."""

    name: Name
    players: Annotated[tuple[Seats, ...], Meta(min_length=1)]
    hand_size: HandSize | dict[str, HandSize]
    draw_count: DrawCount | dict[str, DrawCount]
    card_values: dict[str, CardValue]
    first_meld: Annotated[tuple[FirstMeldStep, ...], Meta(min_length=1)]
    going_out_requirement: GoingOutRequirement | dict[str, GoingOutRequirement]
    target: Target | dict[str, Target]
    target_choices: tuple[Integer, ...]

    def __hash__(self) -> int:
        return hash(msgspec.json.encode(self, order="deterministic"))

    def to_json(self) -> dict[str, Any]:
        """The rule set object, as it was given."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain

    def sha256(self) -> str:
        """`ruleset_hash`: SHA-256 of the object's canonical JSON, lower-case hex (formats part 5)."""
        return sha256(canonical(self)).hexdigest()


BY_PLAYERS: Final = ("hand_size", "draw_count", "going_out_requirement", "target")
_COLUMNS: Final = msgspec.inspect.type_info(RuleSet)


def resolve(ruleset: object, options: object = None) -> RuleSet:
    """The rule set meant by a preset's name or a complete rule set object, with options laid over it.

    Both are untrusted JSON values. Without options an object is judged as it stands (13.2); with options
    their consequences follow first (13.1). Raises `RuleSetInvalidError` with every fault.
    """
    base = PRESETS.get(ruleset) if isinstance(ruleset, str) else ruleset
    faults = []
    if base is None and isinstance(ruleset, str):
        faults.append(fault("unknown_preset", "ruleset", allowed=list(PRESETS)))
    elif not isinstance(base, dict):
        faults.append(fault("ill_typed", "ruleset", expected="a preset's name or an object"))
    if not isinstance(options, dict | None):
        faults.append(fault("ill_typed", "options", expected="an object"))
    if not isinstance(base, dict) or not isinstance(options, dict | None):
        raise RuleSetInvalidError(faults)
    if not options:
        return _judged(base, ())
    renamed = options.get("name", base.get("name")) != base.get("name")
    return _judged(overlay(base, options), [fault("name_is_fixed", "name")] if renamed else ())


def _judged(ruleset: dict[str, Any], faults: Iterable[RuleSetFault]) -> RuleSet:
    """The object as a rule set; faults known before are told with those found."""
    found = [*faults]
    try:
        judged = msgspec.convert(ruleset, RuleSet)
    except msgspec.ValidationError:
        found += column_faults(_COLUMNS, ruleset)
        faulty = {each.key for each in found}
        found += combination_faults({key: value for key, value in ruleset.items() if key not in faulty})
        raise RuleSetInvalidError(found) from None
    found += combination_faults(ruleset)
    if found:
        raise RuleSetInvalidError(found)
    return judged


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a rule set object, and under `$defs/Options` of the options laid over one.

    It says what a schema can: keys, types, ranges and choices. Combinations (13.2) are left to `resolve`.
    """
    _, definitions = msgspec.json.schema_components([RuleSet])
    whole = definitions["RuleSet"]
    columns = whole["properties"]
    for key in BY_PLAYERS:
        by_number = next(member for member in columns[key]["anyOf"] if member.get("type") == "object")
        by_number["propertyNames"] = {"pattern": "^[2-6]$"}
        by_number["minProperties"] = 1
    values = columns["card_values"]
    ranks = [JOKER, *RANKS]
    columns["card_values"] = values | {"required": ranks, "propertyNames": {"enum": ranks}}
    for key in ("players", "target_choices"):
        columns[key]["uniqueItems"] = True
    options = {
        "title": "Options",
        "description": "Keys of a rule set with the values to lay over it (rule book 13.1).",
        "type": "object",
        "properties": {key: column for key, column in columns.items() if key != "name"},
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/RuleSet",
        "$defs": {**definitions, "Options": options},
    }
