"""No position with a turn to play is without a legal move: every preset, every number of seats, many house rules."""

from random import Random

import pytest
from msgspec import UNSET

from domain.decide import decide
from domain.legal import legal_moves
from domain.refusals import Refusal
from domain.rules import Rules, compile_rules
from domain.rulesets import PRESETS, RuleSetInvalidError, resolve
from tests.domain.chance_positions import rules_at_random
from tests.domain.listing import options, possible, to_send
from tests.domain.random_games import hands

TABLES = [(preset, players) for preset in sorted(PRESETS) for players in resolve(preset).players]
HOUSE_RULES: list[dict[str, object]] = [
    {"last_red_three_ends_hand": True, "last_red_three_may_meld": True},
    {"stock_end": "recycle", "last_red_three_ends_hand": False},
    {"stock_end": "forced_take", "pile_take_extend": "any"},
    {"partner_permission": "required"},
    {"red_threes": "automatic", "red_three_replacement": "none"},
    {"red_threes": "automatic", "red_three_replacement": "always"},
    {"red_threes": "optional", "red_three_discard": False},
    {"red_threes": "optional", "red_three_phase": "draw_or_play", "red_three_replacement": "always"},
    {"final_discard_required": True, "black_three_closing_discard": True},
    {"draw_count": 1, "short_draw": "end_hand"},
    {"black_three_melds": True, "black_three_wilds": True, "black_three_melds_any_time": True},
    {"wild_melds": True, "wild_melds_closed": False, "wild_top_taken_with_two_wilds": True},
    {"opening_take": "any_meld", "freezing": "none"},
    {"black_three_bar": "next_player_until_taken", "upcard_rule": "plain"},
    {"max_wilds": 20, "group_ratio": "min_two_naturals", "hand_size": 15},
]


def play(rules: Rules, chance: Random, number: int) -> int:
    """Play hands; now and then the full list is put to `decide`. Answers with the number of moves."""
    moves = 0
    for state, seat, _, _ in hands(rules, chance, number):
        moves += 1
        if moves % 5 == 0:
            listed = legal_moves(state, seat)
            assert possible(listed), (rules.ruleset, state)
            for option in options(listed):
                whole = decide(state, seat, to_send(option))
                assert isinstance(whole, Refusal) is not option.possible, (rules.ruleset.name, option, whole)
                if not option.possible:
                    assert option.reason == whole
                    assert option.completion is UNSET
    return moves


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_seat_to_act_always_has_a_legal_move(preset: str, players: int) -> None:
    assert play(compile_rules(resolve(preset), players), Random(f"{preset} {players}"), 2) > 40


@pytest.mark.parametrize("house_rules", HOUSE_RULES, ids=" ".join)
def test_house_rules_leave_a_seat_to_act_with_a_legal_move(house_rules: dict[str, object]) -> None:
    played = 0
    for preset in ("samba-official", "samba-czech", "canasta-classic", "canasta-standard"):
        try:
            ruleset = resolve(preset, house_rules)
        except RuleSetInvalidError:
            continue
        rules = compile_rules(ruleset, ruleset.players[-1])
        played += play(rules, Random(str(house_rules)), 1)
    assert played > 40


def test_options_at_random_leave_a_seat_to_act_with_a_legal_move() -> None:
    for seed in range(40):
        chance = Random(seed)
        assert play(rules_at_random(chance, options_max=12), chance, 1) > 0
