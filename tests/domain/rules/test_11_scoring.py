"""Rule book part 11, formats part 6: the lines of a hand."""

from typing import Any

import pytest

from tests.domain.builders import EIGHTS, KINGS, SAMBA, discard, given, pass_

TWO_SETS = {"m1": EIGHTS, "m2": KINGS}
WILD = "JK JK 2S 2H 2D 2C 2C"
CLASSIC, CZECH, ONLINE = "canasta-classic", "samba-czech", "samba-online"
OTHERS = {1: {"m8": "9S 9S 9H 9H 9D 9D 9C", "m9": "AS AS AH AH AD AD AC"}}


def test_cards_are_counted_at_card_value_and_bonuses_for_every_set() -> None:
    melds = {"m1": EIGHTS, "m2": KINGS, "m3": SAMBA, "m4": "3S 3S 3C", "m5": "4S 4H JK"}
    out = given(hand="9C", began="stock", melds=melds).when(discard("9C"))
    out.then_lines(
        0, cards=70 + 90 + 55 + 15 + 60, natural_canastas=500, mixed_canastas=300, sambas=1500, going_out=200,
        red_threes=0, in_hand=0,
    )  # fmt: skip


def test_each_canasta_and_samba_counts_and_longer_ones_count_once() -> None:
    melds = {"m1": f"{EIGHTS} 8C 8C", "m2": "QS QS QH QH QD QD QC", "m3": SAMBA, "m4": "5H 6H 7H 8H 9H TH JH"}
    given(hand="9C", began="stock", melds=melds).when(discard("9C")).then_lines(0, natural_canastas=1000, sambas=3000)


def test_a_group_of_six_and_a_run_of_six_earn_nothing_more_than_their_cards() -> None:
    melds = TWO_SETS | {"m3": "QS QS QH QH QD QD", "m4": "5D 6D 7D 8D 9D TD"}
    given(hand="9C", began="stock", melds=melds).when(discard("9C")).then_lines(
        0, natural_canastas=500, mixed_canastas=300, sambas=0
    )


@pytest.mark.parametrize("wild", ["2S", "JK"])
def test_a_deuce_or_a_joker_makes_a_canasta_mixed(wild: str) -> None:
    melds = {"m1": f"8S 8S 8H 8H 8D 8D {wild}", "m2": SAMBA}
    given(hand="9C", began="stock", melds=melds).when(discard("9C")).then_lines(
        0, natural_canastas=0, mixed_canastas=300
    )


def test_a_wild_meld_of_seven_or_more_is_a_wild_canasta() -> None:
    given("bolivia", hand="9C", began="stock", melds={"m1": WILD, "m2": SAMBA}).when(discard("9C")).then_lines(
        0, wild_canastas=2500, cards=200 + 55, mixed_canastas=0
    )
    grown = given(CZECH, hand="9C", began="stock", melds={"m1": f"{WILD} 2H", "m2": EIGHTS}).when(discard("9C"))
    grown.then_lines(0, wild_canastas=1000)


@pytest.mark.parametrize(
    ("ruleset", "options", "keys"),
    [
        ("samba-official", {}, "sambas red_threes going_out in_hand total"),
        (CLASSIC, {}, "red_threes going_out in_hand total"),
        (CZECH, {}, "wild_canastas sambas red_threes going_out in_hand stock_penalty total"),
        ("bolivia", {}, "wild_canastas sambas red_threes going_out in_hand total"),
        (CLASSIC, {"wild_melds": True}, "wild_canastas red_threes going_out in_hand total"),
    ],
)
def test_keys_that_a_rule_set_never_uses_are_absent_and_the_others_in_order(
    ruleset: str, options: dict[str, Any], keys: str
) -> None:
    ended = given(ruleset, hand="9C", stock=0, options=options).when(pass_())
    assert " ".join(ended.state.lines[0]) == f"cards natural_canastas mixed_canastas {keys}"


def test_going_out_counts_for_the_side_of_the_seat_that_is_out_and_for_nobody_after_reason_stock() -> None:
    out = given(seat=3, hand="9C", began="stock", melds=TWO_SETS).when(discard("9C"))
    out.then_lines(1, going_out=200).then_lines(0, going_out=0)
    given(hand="9C", stock=0, melds=TWO_SETS).when(pass_()).then_lines(0, going_out=0).then_lines(1, going_out=0)


def test_every_side_pays_for_every_time_the_pile_was_turned() -> None:
    ended = given(CZECH, hand="9C", stock=0, recycles=3).when(pass_())
    ended.then_lines(0, stock_penalty=-300).then_lines(1, stock_penalty=-300)


def test_the_new_sheet_total_is_the_old_one_plus_the_total() -> None:
    ended = given(hand="9C", holdings={1: "KD"}, stock=0, scores=[1000, -5]).when(pass_())
    ended.then_totals(990, -15).then_event("hand_ended", totals=[990, -15], hand=1, by=None, reason="stock")


# 11.1 own red threes


@pytest.mark.parametrize(
    ("condition", "melds", "met"),
    [
        ("always", {}, True),
        ("any_meld", {}, False),
        ("any_meld", {"m1": "4S 4H 4D"}, True),
        ("two_sets", {"m1": EIGHTS}, False),
        ("two_sets", {"m1": EIGHTS, "m2": SAMBA}, True),
        ("two_sets", TWO_SETS, True),
        ("going_out_sets", TWO_SETS, False),
        ("going_out_sets", {"m1": EIGHTS, "m2": SAMBA}, True),
    ],
)
def test_the_condition_is_tested_at_the_end_of_the_hand(condition: str, melds: dict[str, str], met: bool) -> None:
    options = {"red_three_condition": condition, "going_out_requirement": "two_with_samba"}
    ended = given(hand="9C", stock=0, melds=melds, red_threes=[["3H", "3D"], []], options=options).when(pass_())
    ended.then_lines(0, red_threes=200 if met else -200).then_lines(1, red_threes=0)


ALL_SIX = ["3H", "3H", "3H", "3D", "3D", "3D"]


@pytest.mark.parametrize(
    ("ruleset", "laid", "melds", "value"),
    [
        ("samba-official", 6, TWO_SETS, 1000),
        ("samba-official", 5, TWO_SETS, 500),
        ("samba-official", 6, {}, -600),
        (ONLINE, 6, TWO_SETS, 1000),
        (ONLINE, 6, {}, -1000),
        (ONLINE, 5, {}, -500),
        (CZECH, 6, {}, 1000),
        (CLASSIC, 4, {}, -800),
        (CLASSIC, 4, {"m1": "4S 4H 4D"}, 800),
        (CLASSIC, 3, {}, -300),
    ],
)
def test_all_red_threes_have_a_value_of_their_own(ruleset: str, laid: int, melds: dict[str, str], value: int) -> None:
    threes = ALL_SIX[:laid] if ruleset != CLASSIC else ["3H", "3H", "3D", "3D"][:laid]
    ended = given(ruleset, hand="9C", stock=0, melds=melds, red_threes=[threes, []]).when(pass_())
    ended.then_lines(0, red_threes=value)


# 11.2 the charge


@pytest.mark.parametrize(
    ("unless", "melds", "charged"),
    [
        ("two_sets", {}, True),
        ("two_sets", {"m8": EIGHTS}, True),
        ("two_sets", {"m8": EIGHTS, "m9": SAMBA}, False),
        ("two_canastas", {"m8": EIGHTS, "m9": SAMBA}, True),
        ("two_canastas", {"m8": EIGHTS, "m9": KINGS}, False),
        ("two_canastas", {"m8": EIGHTS, "m9": "2S 2S 2H 2H 2C 2C JK"}, False),
    ],
)
def test_all_red_threes_of_one_side_charge_every_other_side_without_two_sets(
    unless: str, melds: dict[str, str], charged: bool
) -> None:
    options = {"all_red_threes_charge_unless": unless}
    table = given(CZECH, hand="9C", stock=0, melds_of={1: melds}, red_threes=[ALL_SIX, []], options=options)
    table.when(pass_()).then_lines(1, red_threes=-1000 if charged else 0).then_lines(0, red_threes=1000)


def test_the_charge_hits_each_other_side_by_itself_and_the_own_never() -> None:
    table = given(CZECH, players=6, hand="9C", stock=0, melds_of=OTHERS, red_threes=[[], [], ALL_SIX])
    table.when(pass_()).then_lines(0, red_threes=-1000).then_lines(1, red_threes=0).then_lines(2, red_threes=1000)


def test_five_red_threes_charge_nobody() -> None:
    table = given(CZECH, hand="9C", stock=0, red_threes=[ALL_SIX[:5], ["3D"]])
    table.when(pass_()).then_lines(0, red_threes=500).then_lines(1, red_threes=100)


def test_with_a_lone_side_each_seat_is_charged_by_the_sets_of_its_party() -> None:
    options = {"three_player": "lone_side"}
    table = given(
        CZECH, options=options, players=3, hand="9C", stock=0, lone=0, red_threes_by_seat=[ALL_SIX, [], []],
        melds_of={1: {"m8": EIGHTS}, 2: {"m9": KINGS}},
    )  # fmt: skip
    table.when(pass_()).then_lines(1, red_threes=0).then_lines(2, red_threes=0)


# 11.3 in hand


def test_every_card_left_in_the_hands_of_the_side_costs_its_value() -> None:
    table = given(hand="9C 4S", holdings={2: "JK AS 2D", 1: "KD 7S"}, stock=0)
    table.when(pass_()).then_lines(0, in_hand=-(10 + 5 + 50 + 20 + 20)).then_lines(1, in_hand=-15)


@pytest.mark.parametrize(("reason", "cost"), [("out", 200), ("stock", 10)])
def test_a_black_three_costs_its_hand_value_only_where_a_seat_went_out(reason: str, cost: int) -> None:
    sets = {"m1": EIGHTS, "m2": SAMBA}
    if reason == "out":
        ended = given("bolivia", hand="9C", began="stock", holdings={1: "3S 3C"}, melds=sets).when(discard("9C"))
    else:
        ended = given("bolivia", hand="9C", holdings={1: "3S 3C"}, stock=0, melds=sets).when(pass_())
    ended.then_lines(1, in_hand=-cost)


def test_the_partners_exit_is_one_too() -> None:
    table = given("bolivia", hand="9C", began="stock", holdings={2: "3S 9D"}, melds={"m1": EIGHTS, "m2": SAMBA}).when(
        discard("9C")
    )
    table.then_lines(0, in_hand=-110)


@pytest.mark.parametrize(
    ("scope", "holdings", "cost"),
    [
        ("per_card", {0: "3H 3D", 2: "3H"}, 2250),
        ("per_side", {0: "3H 3D", 2: "3H"}, 750),
        ("per_side", {0: "9C", 2: "3H"}, 760),
        ("per_card", {0: "9C", 2: "9D"}, 20),
        ("per_side", {0: "9C", 2: "9D"}, 20),
    ],
)
def test_an_unmelded_red_three_costs_its_penalty_per_card_or_per_side(
    scope: str, holdings: dict[int, str], cost: int
) -> None:
    options = {"unmelded_red_three_scope": scope}
    table = given(hand=holdings[0], holdings=holdings, stock=0, options=options)
    table.when(pass_()).then_lines(0, in_hand=-cost).then_lines(1, in_hand=0)


def test_card_values_are_those_of_the_rule_set() -> None:
    values = {
        "JK": 60,
        "2": 25,
        "A": 15,
        "K": 4,
        "Q": 4,
        "J": 4,
        "T": 4,
        "9": 3,
        "8": 3,
        "7": 2,
        "6": 2,
        "5": 1,
        "4": 1,
        "3": 9,
    }
    table = given(hand="JK 2S AS KS 9S 7S 4S 3S", stock=0, options={"card_values": values})
    table.when(pass_()).then_lines(0, in_hand=-(60 + 25 + 15 + 4 + 3 + 2 + 1 + 9))
