"""What the keys of a rule set ask of each other (rule book 13.1 and 13.2), on plain JSON objects.

The lines of 13.1 are one table that serves twice: options have these consequences, and a rule set that
contradicts one of them is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from domain.cards import JOKER, RANKS
from domain.ruleset_faults import RuleSetFault, fault

Json = Mapping[str, Any]

_SAMBA_REQUIREMENTS: Final = ("two_with_samba", "two_canastas_one_samba")
_VALUE_KEYS: Final = (JOKER, *RANKS)
_BY_PLAYERS: Final = ("hand_size", "draw_count", "going_out_requirement", "target")
_RECYCLING_DRAW: Final = 2


class Consequence(msgspec.Struct, frozen=True):
    """One line of 13.1: where every key of `when` has its value, and no key of `unless` has, `then` holds."""

    then: Json
    when: Json = {}
    unless: Json = {}
    binding: bool = True
    """Whether validation refuses what contradicts the line."""

    def applies(self, ruleset: Json) -> bool:
        """Whether the rule set is in the state that the line speaks of."""
        return all(ruleset.get(key) == value for key, value in self.when.items()) and not any(
            ruleset.get(key) == value for key, value in self.unless.items()
        )


CONSEQUENCES: Final = (
    Consequence(
        when={"red_threes": "automatic"},
        then={"red_three_discard": False, "red_three_phase": "play", "unmelded_red_three_penalty": 0},
    ),
    Consequence(when={"sequences": False}, then={"join_sequences": False, "run_take": "none", "samba_bonus": 0}),
    Consequence(unless={"run_take": "upcard_only"}, then={"sequence_take_needs_clean_pile": False}),
    Consequence(
        when={"wild_melds": False},
        then={"wild_top_taken_with_two_wilds": False, "wild_canasta_bonus": 0, "wild_melds_closed": True},
    ),
    Consequence(when={"wild_melds": True, "wild_canasta_bonus": 0}, then={"wild_canasta_bonus": 1000}),
    Consequence(when={"several_melds_per_rank": False}, then={"merge_groups": False, "pair_target": "existing"}),
    Consequence(
        when={"black_three_melds": False},
        then={"black_three_wilds": False, "black_three_melds_any_time": False},
    ),
    Consequence(when={"pile_take_natural_plus_wild": False}, then={"mixed_take_when_frozen": False}),
    Consequence(when={"final_discard_required": False}, then={"black_three_closing_discard": False}),
    Consequence(unless={"stock_end": "recycle"}, then={"recycle_penalty": 0}),
    Consequence(when={"stock_end": "recycle"}, then={"last_red_three_ends_hand": False}),
    Consequence(when={"stock_end": "recycle", "recycle_penalty": 0}, then={"recycle_penalty": 100}, binding=False),
    Consequence(when={"last_red_three_ends_hand": False}, then={"last_red_three_may_meld": False}),
)
"""The lines of 13.1 in their order, in which each sees what those above it did."""


def overlay(base: Json, options: Json) -> dict[str, Any]:
    """The options laid over a rule set object, with the consequences for keys that they do not name (13.1).

    A line that binds nobody leaves a base alone that was in that state already: there, somebody chose it.
    """
    ruleset = {**base, **options}
    for line in CONSEQUENCES:
        if line.applies(ruleset) and (line.binding or not line.applies(base)):
            ruleset |= {key: value for key, value in line.then.items() if key in base and key not in options}
    return ruleset


def combination_faults(ruleset: Json) -> Iterator[RuleSetFault]:
    """Every combination that 13.2 refuses. Keys that are missing or faulty in themselves must be left out."""
    yield from _excluded_states(ruleset)
    for keys, check in _CHECKS:
        if all(key in ruleset for key in keys):
            yield from check(ruleset)


def _excluded_states(ruleset: Json) -> Iterator[RuleSetFault]:
    for line in CONSEQUENCES:
        conditions = (*line.when, *line.unless)
        if not line.binding or not all(key in ruleset for key in conditions) or not line.applies(ruleset):
            continue
        because = {key: ruleset[key] for key in conditions if key not in line.then}
        for key, needed in line.then.items():
            if key in line.when:
                yield fault("forbidden", key, forbidden=ruleset[key], because=because)
            elif key in ruleset and ruleset[key] != needed:
                yield fault("excluded", key, needed=needed, because=because)


def _seat_values(value: Any, players: Sequence[int]) -> list[tuple[int, Any]]:
    """(number of seats, value) of a by-players value, for the permitted numbers that it knows."""
    if not isinstance(value, dict):
        return [(number, value) for number in players]
    return [(number, value[str(number)]) for number in players if str(number) in value]


def _keys_are_players(key: str) -> Callable[[Json], Iterator[RuleSetFault]]:
    def check(ruleset: Json) -> Iterator[RuleSetFault]:
        needed = [str(number) for number in ruleset["players"]]
        if isinstance(ruleset[key], dict) and set(ruleset[key]) != set(needed):
            yield fault("keys_not_players", key, needed=needed)

    return check


def _card_values(ruleset: Json) -> Iterator[RuleSetFault]:
    if set(ruleset["card_values"]) != set(_VALUE_KEYS):
        yield fault("keys_not_ranks", "card_values", needed=list(_VALUE_KEYS))


def _ascending(key: str) -> Callable[[Json], Iterator[RuleSetFault]]:
    def check(ruleset: Json) -> Iterator[RuleSetFault]:
        if any(low >= high for low, high in pairwise(ruleset[key])):
            yield fault("not_ascending", key)

    return check


def _first_meld(ruleset: Json) -> Iterator[RuleSetFault]:
    bounds = [step["below"] for step in ruleset["first_meld"]]
    last = len(bounds) - 1
    for index, bound in enumerate(bounds):
        if index < last and bound is None:
            yield fault("open_step_not_last", "first_meld", index, "below")
        if index == last and bound is not None:
            yield fault("last_step_not_open", "first_meld", index, "below")
    closed = [bound for bound in bounds if bound is not None]
    if any(low >= high for low, high in pairwise(closed)):
        yield fault("not_ascending", "first_meld")


def _recycling_draw(ruleset: Json) -> Iterator[RuleSetFault]:
    draws = _seat_values(ruleset["draw_count"], ruleset["players"])
    if ruleset["stock_end"] == "recycle" and any(draw < _RECYCLING_DRAW for _, draw in draws):
        yield fault("draw_too_small", "draw_count", minimum=_RECYCLING_DRAW)


def _way_out(ruleset: Json) -> Iterator[RuleSetFault]:
    if ruleset["last_red_three_may_meld"] and ruleset["final_discard_required"]:
        yield fault("no_way_out", "last_red_three_may_meld")


def _samba_requirement(ruleset: Json) -> Iterator[RuleSetFault]:
    value = ruleset["going_out_requirement"]
    asked = dict.fromkeys(value.values() if isinstance(value, dict) else [value])
    for requirement in asked:
        if requirement in _SAMBA_REQUIREMENTS and not ruleset["sequences"]:
            yield fault("needs_sequences", "going_out_requirement", value=requirement)


def _number_of_players(key: str, value: str, needed: int) -> Callable[[Json], Iterator[RuleSetFault]]:
    def check(ruleset: Json) -> Iterator[RuleSetFault]:
        if ruleset[key] == value and needed not in ruleset["players"]:
            yield fault("needs_number_of_players", key, value=value, needed=needed)

    return check


def _target(ruleset: Json) -> Iterator[RuleSetFault]:
    value = ruleset["target"]
    targets = dict.fromkeys(value.values() if isinstance(value, dict) else [value])
    for target in targets:
        if target not in ruleset["target_choices"]:
            yield fault("not_in_target_choices", "target", value=target, allowed=ruleset["target_choices"])


def _cards(ruleset: Json) -> Iterator[RuleSetFault]:
    cards = 52 * ruleset["packs"] + ruleset["jokers"]
    for number, size in _seat_values(ruleset["hand_size"], ruleset["players"]):
        needed = size * number + 1
        if needed > cards:
            yield fault("too_few_cards", "hand_size", players=number, needed=needed, cards=cards)


_CHECKS: Final[tuple[tuple[tuple[str, ...], Callable[[Json], Iterator[RuleSetFault]]], ...]] = (
    (("players",), _ascending("players")),
    *(((key, "players"), _keys_are_players(key)) for key in _BY_PLAYERS),
    (("card_values",), _card_values),
    (("stock_end", "draw_count", "players"), _recycling_draw),
    (("last_red_three_may_meld", "final_discard_required"), _way_out),
    (("going_out_requirement", "sequences"), _samba_requirement),
    (("three_player", "players"), _number_of_players("three_player", "lone_side", 3)),
    (("six_player_teams", "players"), _number_of_players("six_player_teams", "two_trios", 6)),
    (("target_choices",), _ascending("target_choices")),
    (("target", "target_choices"), _target),
    (("first_meld",), _first_meld),
    (("hand_size", "players", "packs", "jokers"), _cards),
)
"""The keys that a check reads, and the check."""
