"""Rule book 4.3 to 4.5: sequences, wild melds, black threes."""

import pytest

from tests.domain.builders import EIGHTS, KINGS, SAMBA, ask, discard, draw, given, lay, meld, pass_, take

SPARE = "JD TD"
OPEN = {"m1": "QS QH QD"}
TWO_SETS = {"m1": EIGHTS, "m2": KINGS}


@pytest.mark.parametrize(
    "run",
    ["4S 5S 6S", "QH KH AH", "4C 5C 6C 7C 8C 9C TC", "8D 9D TD JD QD KD AD"],
)
def test_a_sequence_is_three_to_seven_consecutive_cards_of_one_suit(run: str) -> None:
    table = given(hand=f"{run} {SPARE}", began="stock", melds=OPEN)
    table.when(meld(run)).then(melds=OPEN | {"m2": run})


def test_cards_of_a_sequence_may_be_named_in_any_order_and_lie_low_to_high() -> None:
    table = given(hand=f"6S 4S 5S {SPARE}", began="stock", melds=OPEN)
    table.when(meld("6S 4S 5S")).then(melds=OPEN | {"m2": "4S 5S 6S"})


def test_eight_cards_are_too_long_for_a_sequence() -> None:
    run = "4S 5S 6S 7S 8S 9S TS JS"
    table = given(hand=f"{run} {SPARE}", began="stock", melds=OPEN)
    table.when(meld(run)).then_refused("meld_too_long", count=8, maximum=7)


def test_a_sequence_of_seven_is_a_samba_and_closed() -> None:
    table = given(hand=f"4D QD 5D {SPARE}", began="stock", melds={"m1": SAMBA})
    table.when(meld(add={"m1": "QD"})).then_refused("meld_closed", meld="m1")
    table.when(meld(add={"m1": "4D"})).then_refused("meld_closed", meld="m1")
    table.when(meld(add={"m1": "5D"})).then_refused("meld_closed", meld="m1")


def test_a_party_may_lie_any_number_of_sequences_in_one_suit() -> None:
    table = given(hand=f"4S 5S 6S 4S 5S 6S {SPARE}", began="stock", melds={"m1": "4S 5S 6S"})
    table.when(meld("4S 5S 6S", "4S 5S 6S")).then(melds={"m1": "4S 5S 6S", "m2": "4S 5S 6S", "m3": "4S 5S 6S"})


def test_additions_to_a_sequence_go_to_either_end() -> None:
    table = given(hand=f"4S 8S 9S {SPARE}", began="stock", melds={"m1": "5S 6S 7S"})
    table.when(meld(add={"m1": "4S 9S 8S"})).then(melds={"m1": "4S 5S 6S 7S 8S 9S"})


@pytest.mark.parametrize("card", ["9S", "5S", "8H", "6H", "AS"])
def test_a_gap_a_double_or_another_suit_does_not_fit_a_sequence(card: str) -> None:
    table = given(hand=f"{card} {SPARE}", began="stock", melds={"m1": "5S 6S 7S"})
    table.when(meld(add={"m1": card})).then_refused("card_does_not_fit", meld="m1", cards=card)


def test_a_sequence_may_not_pass_seven_by_an_addition() -> None:
    table = given(hand=f"4S TS JS {SPARE}", began="stock", melds={"m1": "5S 6S 7S 8S 9S"})
    table.when(meld(add={"m1": "4S TS JS"})).then_refused("meld_too_long", count=8, maximum=7)
    table.when(meld(add={"m1": "TS JS"})).then(melds={"m1": "5S 6S 7S 8S 9S TS JS"})


# 4.4 wild melds


WILDS = {"wild_melds": True}


def test_three_or_more_wild_cards_in_any_mix_are_a_wild_meld_without_ratio_or_limit() -> None:
    table = given("bolivia", hand=f"JK 2S 2H 2D 2C {SPARE}", began="stock", melds=OPEN)
    table.when(meld("JK 2S 2H 2D 2C")).then(melds=OPEN | {"m2": "JK 2S 2H 2D 2C"})


def test_wild_melds_exist_only_where_the_rule_set_has_them() -> None:
    table = given(hand=f"JK 2S 2H {SPARE}", began="stock", melds=OPEN)
    table.when(meld("JK 2S 2H")).then_refused("off_in_ruleset", parameter="wild_melds")


def test_a_closed_wild_meld_holds_at_most_seven_and_is_closed_then() -> None:
    table = given("bolivia", hand=f"2S 2S 2H 2H 2D 2D 2C JK {SPARE}", began="stock", melds=OPEN)
    table.when(meld("2S 2S 2H 2H 2D 2D 2C JK")).then_refused("meld_too_long", count=8, maximum=7)
    table.when(meld("2S 2S 2H 2H 2D 2D 2C"), meld(add={"m2": "JK"})).then_refused("meld_closed", meld="m2")
    table.when(meld("2S 2S 2H 2H 2D"), meld(add={"m2": "2D 2C JK"})).then_refused("meld_too_long", count=8, maximum=7)


def test_a_closed_wild_meld_grows_up_to_seven() -> None:
    table = given("bolivia", hand=f"2D 2C JK {SPARE}", began="stock", melds={"m1": "2S 2S 2H 2H"})
    table.when(meld(add={"m1": "2D 2C JK"})).then(melds={"m1": "2S 2S 2H 2H 2D 2C JK"})


def test_an_open_wild_meld_grows_past_seven() -> None:
    table = given("samba-czech", hand=f"2S 2S 2H 2H 2D 2D 2C JK JK {SPARE}", began="stock", melds=OPEN)
    table.when(meld("2S 2S 2H 2H 2D 2D 2C JK"), meld(add={"m2": "JK"})).then(
        melds=OPEN | {"m2": "2S 2S 2H 2H 2D 2D 2C JK JK"}
    )


@pytest.mark.parametrize("card", ["8S", "3S"])
def test_nothing_but_wild_cards_fits_a_wild_meld(card: str) -> None:
    table = given("bolivia", hand=f"{card} 2S {SPARE}", began="stock", melds={"m1": "JK 2S 2H"})
    table.when(meld(add={"m1": card})).then_refused("card_does_not_fit", meld="m1", cards=card)
    table.when(meld(add={"m1": "2S"})).then(melds={"m1": "JK 2S 2H 2S"})


def test_with_one_meld_a_rank_one_wild_meld_lies() -> None:
    options = WILDS | {"several_melds_per_rank": False}
    table = given(
        "bolivia", hand=f"2S 2S 2C JK JK JK {SPARE}", began="stock", melds={"m1": "JK 2S 2H"}, options=options
    )
    table.when(meld("2S 2C JK")).then_refused("rank_already_melded", rank="2", meld="m1")
    fresh = given("bolivia", hand=f"2S 2S 2C JK JK JK {SPARE}", began="stock", melds=OPEN, options=options)
    fresh.when(meld("2S 2S 2C", "JK JK JK")).then_refused("rank_already_melded", rank="2", meld=None)


def test_otherwise_several_wild_melds_lie_side_by_side() -> None:
    table = given("bolivia", hand=f"2S 2S 2C {SPARE}", began="stock", melds={"m1": "JK 2S 2H"})
    table.when(meld("2S 2S 2C")).then(melds={"m1": "JK 2S 2H", "m2": "2S 2S 2C"})


# 4.5 black threes


def test_black_threes_are_laid_when_going_out_leaving_at_most_one_card() -> None:
    one = given(hand="3S 3S 3C JD", began="stock", melds=TWO_SETS)
    one.when(meld("3S 3S 3C")).then(holding="JD", melds=TWO_SETS | {"m3": "3S 3S 3C"})
    none = given(hand="3S 3S 3C", began="stock", melds=TWO_SETS)
    none.when(meld("3S 3S 3C")).then_out(0)


def test_black_threes_that_leave_two_cards_are_refused() -> None:
    table = given(hand="3S 3S 3C JD 5C", began="stock", melds=TWO_SETS)
    table.when(meld("3S 3S 3C")).then_refused("black_threes_only_when_going_out", left=2, reason="cards_left")


def test_black_threes_need_the_right_to_go_out() -> None:
    table = given(hand="3S 3S 3C JD", began="stock", melds={"m1": EIGHTS})
    table.when(meld("3S 3S 3C")).then_refused("black_threes_only_when_going_out", left=1, reason="sets_missing")
    more = given(hand="3S 3S 3C JD 5C", began="stock", melds={"m1": EIGHTS})
    more.when(meld("3S 3S 3C")).then_refused("black_threes_only_when_going_out", left=2, reason="sets_missing")
    refused = given(hand="3S 3S 3C JD", began="stock", melds=TWO_SETS, permission="refused")
    refused.when(meld("3S 3S 3C")).then_refused("black_threes_only_when_going_out", left=1, reason="permission_refused")


def test_the_move_as_a_whole_is_judged_black_threes_included() -> None:
    table = given(hand="3S 3S 3C JD KC 9S 9H 9D", began="stock", melds={"m1": EIGHTS, "m2": "KS KS KH KH KD 2S"})
    table.when(meld("3S 3S 3C", "9S 9H 9D", add={"m2": "KC"})).then(holding="JD")


def test_black_threes_do_not_exist_where_the_rule_set_lacks_them() -> None:
    table = given("samba-czech", hand="3S 3S 3C JD", began="stock", melds=TWO_SETS)
    table.when(meld("3S 3S 3C")).then_refused("off_in_ruleset", parameter="black_three_melds")


def test_after_black_threes_the_one_card_left_must_be_discarded() -> None:
    table = given(hand="3S 3S 3C 8C", began="stock", melds=TWO_SETS).when(meld("3S 3S 3C"))
    for move in (meld(add={"m1": "8C"}), pass_(), draw(), take("8C"), ask(discard("8C")), lay("3H")):
        given(hand="8C", began="stock", melds=TWO_SETS | {"m3": "3S 3S 3C"}).when(move).then_refused("must_discard")
    type(given())(table.state).when(discard("8C")).then_out(0)


def test_the_card_left_after_black_threes_may_not_be_one_that_cannot_be_discarded() -> None:
    options = {"red_three_discard": False}
    table = given(hand="3S 3S 3C 3H", began="stock", melds=TWO_SETS, options=options)
    table.when(meld("3S 3S 3C")).then_refused("black_threes_only_when_going_out", left=1, reason="cards_left")
    given(hand="3S 3S 3C 3H", began="stock", melds=TWO_SETS).when(meld("3S 3S 3C"), discard("3H")).then_out(0)
    given(hand="3S 3S 3C JD", began="stock", melds=TWO_SETS, options=options).when(meld("3S 3S 3C")).then(holding="JD")


LAST_TURN = {"last_red_three_may_meld": True}


def test_in_a_last_turn_the_card_left_after_black_threes_cannot_be_discarded_and_a_pass_is_left() -> None:
    table = given(hand="3S 3S 3C JD", began="stock", stock=0, melds=TWO_SETS, last_turn=True, options=LAST_TURN)
    table.when(meld("3S 3S 3C"), discard("JD")).then_refused("no_discard_now")
    table.when(meld("3S 3S 3C"), pass_()).then_stock_ends_the_hand()


@pytest.mark.parametrize("card", ["3S", "2S", "8S"])
def test_nothing_is_ever_added_to_black_threes(card: str) -> None:
    table = given(hand=f"{card} {SPARE}", began="stock", melds=TWO_SETS | {"m3": "3S 3S 3C"})
    table.when(meld(add={"m3": card})).then_refused("card_does_not_fit", meld="m3", cards=card)


DUTCH = {"black_three_wilds": True}


def test_with_black_three_wilds_the_meld_obeys_the_limits_of_a_group() -> None:
    table = given(hand="3S 3S 3C 2S JD", began="stock", melds=TWO_SETS, options=DUTCH)
    table.when(meld("3S 3S 3C 2S")).then(holding="JD")
    few = given(hand="3S 3S 3C 2S 2H", began="stock", melds=TWO_SETS, options=DUTCH)
    few.when(meld("3S 3S 3C 2S 2H")).then_refused("too_few_naturals", naturals=3, wilds=2, ratio="two_to_one")


def test_seven_black_threes_are_a_canasta_for_every_purpose_with_wilds_and_never_without() -> None:
    seven = "3S 3S 3S 3C 3C 2S 2D"
    dutch = given(hand=f"{seven} JD", began="stock", melds={"m1": EIGHTS}, options=DUTCH)
    out = dutch.when(meld(seven), discard("JD")).then_out(0, concealed=True)
    out.then_lines(0, mixed_canastas=300, natural_canastas=500)
    four_packs = {"packs": 4}
    plain = given(hand="3S 3S 3S 3C 3C 3C 3C JD", began="stock", melds={"m1": EIGHTS}, options=four_packs)
    plain.when(meld("3S 3S 3S 3C 3C 3C 3C")).then_refused(
        "black_threes_only_when_going_out", left=1, reason="sets_missing"
    )
    natural = given(hand="3S 3S 3S 3C 3C 3C 3C JD", began="stock", melds={"m1": EIGHTS}, options=DUTCH | four_packs)
    natural.when(meld("3S 3S 3S 3C 3C 3C 3C"), discard("JD")).then_lines(0, natural_canastas=1000)


def test_black_threes_in_front_of_another_meld_are_black_threes_all_the_same() -> None:
    table = given(hand="3S 3S 3C 9S 9H 9D JD 5C", began="stock", melds=TWO_SETS)
    table.when(meld("3S 3S 3C", "9S 9H 9D")).then_refused(
        "black_threes_only_when_going_out", left=2, reason="cards_left"
    )


def test_seven_black_threes_without_the_option_are_no_set_to_go_out_concealed_by() -> None:
    table = given(hand="3S 3S 3S 3C 3C 3C 3C JD", began="stock", melds=TWO_SETS, options={"packs": 4})
    table.when(meld("3S 3S 3S 3C 3C 3C 3C"), discard("JD")).then_out(0, concealed=False)


def test_seven_black_threes_without_the_option_score_no_canasta() -> None:
    table = given(hand="JD", began="stock", melds=TWO_SETS | {"m3": "3S 3S 3S 3C 3C 3C 3C"}, options={"packs": 4})
    table.when(discard("JD")).then_lines(0, natural_canastas=500, mixed_canastas=300, cards=70 + 90 + 35)


ANY_TIME = {"black_three_melds_any_time": True}


def test_with_any_time_black_threes_are_laid_in_any_meld_and_added_to() -> None:
    table = given(hand="3S 3S 3C 3C JD 9D", began="stock", melds=OPEN, options=ANY_TIME)
    table.when(meld("3S 3S 3C"), meld(add={"m2": "3C"})).then(melds=OPEN | {"m2": "3S 3S 3C 3C"}, holding="JD 9D")


def test_with_any_time_black_threes_are_a_further_meld_of_a_take() -> None:
    table = given(hand="8H 8D 3S 3S 3C JD 9D", pile="8S", melds=OPEN, options=ANY_TIME)
    table.when(take("8H 8D", melds=["3S 3S 3C"])).then(melds=OPEN | {"m2": "8S 8H 8D", "m3": "3S 3S 3C"})


def test_with_any_time_two_cards_must_stay_and_the_discard_is_not_forced() -> None:
    table = given(hand="3S 3S 3C JD", began="stock", melds=OPEN, options=ANY_TIME)
    table.when(meld("3S 3S 3C")).then_refused("keep_two_cards", left=1, reason="sets_missing")
    one = given(hand="8C", began="stock", melds=TWO_SETS | {"m3": "3S 3S 3C"}, options=ANY_TIME)
    one.when(meld(add={"m1": "8C"})).then_out(0)


def test_with_any_time_wild_cards_need_the_other_option_too() -> None:
    table = given(hand=f"2S {SPARE}", began="stock", melds={"m1": "3S 3S 3C"}, options=ANY_TIME)
    table.when(meld(add={"m1": "2S"})).then_refused("card_does_not_fit", meld="m1", cards="2S")
    both = given(hand=f"2S {SPARE}", began="stock", melds={"m1": "3S 3S 3C"}, options=ANY_TIME | DUTCH)
    both.when(meld(add={"m1": "2S"})).then(melds={"m1": "3S 3S 3C 2S"})
    natural = given(hand=f"8S {SPARE}", began="stock", melds={"m1": "3S 3S 3C"}, options=ANY_TIME | DUTCH)
    natural.when(meld(add={"m1": "8S"})).then_refused("card_does_not_fit", meld="m1", cards="8S")


def test_with_one_meld_a_rank_one_black_three_meld_lies() -> None:
    options = ANY_TIME | {"several_melds_per_rank": False}
    table = given(hand=f"3S 3S 3C {SPARE}", began="stock", melds={"m1": "3S 3C 3C"}, options=options)
    table.when(meld("3S 3S 3C")).then_refused("rank_already_melded", rank="3", meld="m1")
    fresh = given(hand=f"3S 3S 3C 3S 3C 3C {SPARE}", began="stock", melds=OPEN, options=options)
    fresh.when(meld("3S 3S 3C", "3S 3C 3C")).then_refused("rank_already_melded", rank="3", meld=None)


def test_black_threes_count_at_card_value_for_a_first_meld() -> None:
    options = ANY_TIME | {"first_meld": [{"below": None, "points": 15}]}
    table = given(hand=f"3S 3S 3C {SPARE}", began="stock", options=options)
    table.when(meld("3S 3S 3C")).then(melds={"m1": "3S 3S 3C"})
