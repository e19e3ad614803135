"""Rule book part 3: how a move is judged."""

import pytest

from tests.domain.builders import (
    EIGHTS,
    KINGS,
    answer,
    ask,
    by,
    discard,
    draw,
    given,
    lay,
    meld,
    take,
    take_upcard,
)

TWO_SETS = {"m1": EIGHTS, "m2": KINGS}


def test_a_refused_move_changes_nothing() -> None:
    table = given(hand="8H 8D 8S 9C", began="stock", scores=[1500, 0])
    refused = table.when(meld("8H 8D 8S"))
    refused.then_refused("first_meld_too_low", points=30, needed=90)
    assert refused.state is table.state


def test_every_move_is_judged_by_its_own_result_never_by_what_might_follow() -> None:
    table = given(hand="8H 8D 8S KH KD KS 9C", began="stock", scores=[1500, 0])
    table.when(meld("8H 8D 8S"), meld("KH KD KS")).then_refused_at(0, "first_meld_too_low", points=30, needed=90)
    table.when(meld("8H 8D 8S", "KH KD KS")).then_refused_at(0, "first_meld_too_low", points=60, needed=90)


def test_a_list_is_accepted_as_a_whole() -> None:
    table = given(hand="8H 8D 5S 6S", pile="4C 8S", melds={"m1": "KS KH KD"})
    sent = table.when_sent_as_list(take("8H 8D"), discard("5S"))
    sent.then(holding="6S 4C", pile="5S", turn=1).then_events("took_pile", "discarded")


def test_a_list_is_refused_as_a_whole_with_the_index_of_the_first_move_refused() -> None:
    table = given(hand="8H 8D 5S 6S", pile="4C 8S", melds={"m1": "KS KH KD"})
    refused = table.when_sent_as_list(take("8H 8D"), meld("5S 6S"), discard("9C"))
    refused.then_refused_at(1, "meld_too_small", cards="6S 5S", minimum=3)
    assert refused.state is table.state


def test_a_meld_is_one_action_additions_joins_new_melds() -> None:
    table = given(hand="7S 4H 4D 4C 9C 9D", began="stock", melds={"m1": "4S 5S 6S", "m2": "8S 9S TS"})
    made = table.when(meld("4H 4D 4C", add={"m1": "7S"}, join=["m1 m2"]))
    made.then(melds={"m1": "4S 5S 6S 7S 8S 9S TS", "m3": "4H 4D 4C"}, holding="9C 9D").then_events("melded")


def test_an_addition_that_would_be_illegal_alone_is_legal_if_the_whole_move_leaves_a_legal_meld() -> None:
    table = given(hand="2D 8D 8C 9C 9D", began="stock", melds={"m1": "8S 8H 2C"})
    table.when(meld(add={"m1": "2D"})).then_refused("too_few_naturals", naturals=2, wilds=2, ratio="two_to_one")
    table.when(meld(add={"m1": "2D 8D 8C"})).then(melds={"m1": "8S 8H 2C 2D 8D 8C"})


def test_the_further_melds_of_a_take_are_laid_from_the_old_hand() -> None:
    table = given(hand="8H 8D 4H 4D 5S 6S", pile="4C 8S", melds={"m1": "KS KH KD"})
    table.when(take("8H 8D", melds=["4H 4D 4C"])).then_refused("cards_not_held", cards="4C")


def test_the_rest_of_the_pile_comes_to_the_hand() -> None:
    table = given(hand="8H 8D 4H 4D 4S 5S", pile="9C 3S 2C 8S", melds={"m1": "KS KH KD"})
    taken = table.when(take("8H 8D", melds=["4H 4D 4S"]))
    taken.then(holding="5S 9C 3S 2C", pile=0, melds={"m1": "KS KH KD", "m2": "8S 8H 8D", "m3": "4H 4D 4S"})
    taken.then_event("took_pile", picked_up=["2C", "9C", "3S"])


# 3.5: the right to go out.


def test_the_right_needs_the_partys_melds_to_meet_the_requirement() -> None:
    given(hand="9C", began="stock", melds=TWO_SETS).when(discard("9C")).then_out(0)
    one = given(hand="9C", began="stock", melds={"m1": EIGHTS})
    one.when(discard("9C")).then_refused("may_not_go_out", reason="sets_missing")


def test_a_refused_permission_takes_the_right_unless_it_is_advisory() -> None:
    asked = given(hand="9C", began="stock", melds=TWO_SETS, permission="refused")
    asked.when(discard("9C")).then_refused("may_not_go_out", reason="permission_refused")
    advisory = {"partner_permission": "advisory"}
    given(hand="9C", began="stock", melds=TWO_SETS, permission="refused", options=advisory).when(
        discard("9C")
    ).then_out(0)


def test_where_permission_is_required_it_must_be_granted() -> None:
    required = {"partner_permission": "required"}
    table = given(hand="9C", began="stock", melds=TWO_SETS, options=required)
    table.when(discard("9C")).then_refused("may_not_go_out", reason="permission_needed")
    given(hand="9C", began="stock", melds=TWO_SETS, options=required, permission="granted").when(
        discard("9C")
    ).then_out(0)
    refused = given(hand="9C", began="stock", melds=TWO_SETS, options=required, permission="refused")
    refused.when(discard("9C")).then_refused("may_not_go_out", reason="permission_refused")


def test_a_party_of_one_seat_needs_no_permission() -> None:
    required = {"partner_permission": "required"}
    given(hand="9C", began="stock", melds=TWO_SETS, options=required, players=2).when(discard("9C")).then_out(0)


# 3.6: the keep-a-card rule.


def test_without_the_right_two_cards_must_stay_after_a_meld() -> None:
    table = given(hand="4S 4H 4D 9C", began="stock", melds={"m1": "8S 8H 8D"})
    table.when(meld("4S 4H 4D")).then_refused("keep_two_cards", left=1, reason="sets_missing")
    more = given(hand="4S 4H 4D 9C 9D", began="stock", melds={"m1": "8S 8H 8D"})
    more.when(meld("4S 4H 4D")).then(holding="9C 9D")


def test_without_the_right_two_cards_must_stay_after_a_take() -> None:
    table = given(hand="8H 8D 5S", pile="8S", melds={"m1": "KS KH KD"})
    table.when(take("8H 8D")).then_refused("keep_two_cards", left=1, reason="sets_missing")
    deeper = given(hand="8H 8D 5S", pile="9C 8S", melds={"m1": "KS KH KD"})
    deeper.when(take("8H 8D")).then(holding="5S 9C")


def test_without_the_right_two_cards_must_stay_after_taking_the_upcard() -> None:
    table = given(hand="5S", pile="9C 7D", melds={"m1": "4D 5D 6D"})
    table.when(take_upcard("m1")).then_refused("keep_two_cards", left=1, reason="sets_missing")
    given(hand="5S 5H", pile="9C 7D", melds={"m1": "4D 5D 6D"}).when(take_upcard("m1")).then(holding="5S 5H")


def test_without_the_right_two_cards_must_stay_after_laying_a_red_three() -> None:
    table = given(hand="3H 5S", began="pile", melds={"m1": "8S 8H 8D"})
    table.when(lay("3H")).then_refused("keep_two_cards", left=1, reason="sets_missing")
    given(hand="3H 5S 5H", began="pile", melds={"m1": "8S 8H 8D"}).when(lay("3H")).then(holding="5S 5H")


def test_the_reason_is_the_permission_where_only_that_is_missing() -> None:
    table = given(hand="4S 4H 4D 9C", began="stock", melds=TWO_SETS, permission="refused")
    table.when(meld("4S 4H 4D")).then_refused("keep_two_cards", left=1, reason="permission_refused")
    required = {"partner_permission": "required"}
    table = given(hand="4S 4H 4D 9C", began="stock", melds=TWO_SETS, options=required)
    table.when(meld("4S 4H 4D")).then_refused("keep_two_cards", left=1, reason="permission_needed")


def test_with_the_right_any_number_of_cards_may_stay_and_none_is_out_at_once() -> None:
    given(hand="4S 4H 4D 9C", began="stock", melds=TWO_SETS).when(meld("4S 4H 4D")).then(holding="9C", phase="play")
    out = given(hand="4S 4H 4D", began="stock", melds=TWO_SETS).when(meld("4S 4H 4D"))
    out.then_out(0).then_events("melded", "hand_ended")


def test_the_sets_made_by_the_move_itself_count_for_the_right() -> None:
    table = given(hand="KD 9C", began="stock", melds={"m1": EIGHTS, "m2": "KS KS KH KH KD KC"})
    table.when(meld(add={"m2": "KD"})).then(holding="9C")
    table.when(meld(add={"m2": "KD"}), discard("9C")).then_out(0)


def test_with_a_final_discard_required_one_card_must_stay() -> None:
    options = {"final_discard_required": True}
    table = given(hand="4S 4H 4D", began="stock", melds=TWO_SETS, options=options)
    table.when(meld("4S 4H 4D")).then_refused("final_discard_needed")
    one = given(hand="4S 4H 4D 9C", began="stock", melds=TWO_SETS, options=options)
    one.when(meld("4S 4H 4D"), discard("9C")).then_out(0)


def test_without_the_right_too_few_cards_come_before_the_final_discard() -> None:
    table = given("samba-czech", hand="4S 4H 4D", began="stock", melds={"m1": EIGHTS})
    table.when(meld("4S 4H 4D")).then_refused("keep_two_cards", left=0, reason="sets_missing")


@pytest.mark.parametrize(("stock", "left"), [("9S 9H", 2), ("9S", 1), ("3H", 1), ("", 0)])
def test_one_card_is_counted_for_each_replacement_whatever_it_is(stock: str, left: int) -> None:
    table = given("samba-online", hand="8H 8D", pile="3H 3D 8S", stock=stock, melds={"m1": "QS QH QD"})
    taken = table.when(take("8H 8D"))
    if left < 2:
        taken.then_refused("keep_two_cards", left=left, reason="sets_missing")
    else:
        taken.then(holding=stock, red_threes=["3H 3D", ""], stock=0)


def test_replacements_are_counted_the_same_whatever_lies_in_the_stock() -> None:
    table = given("samba-online", hand="8H 8D", pile="3H 3D 8S", stock="3D 3H 9S 9H TS", melds={"m1": "QS QH QD"})
    table.when(take("8H 8D")).then(holding="9S 9H", red_threes=["3H 3D 3D 3H", ""], stock=1)


def test_a_seat_whose_counted_replacements_were_red_threes_is_out_with_no_card_left() -> None:
    off = {"last_red_three_ends_hand": False}
    table = given("samba-online", hand="8H 8D", pile="3H 3D 8S", stock="3D 3H", melds={"m1": "QS QH QD"}, options=off)
    table.when(take("8H 8D")).then_out(0).then(holding="", red_threes=["3H 3D 3D 3H", ""])


def test_automatic_red_threes_that_are_not_replaced_do_not_count_as_cards() -> None:
    table = given("canasta-classic", hand="8H 8D 5S", pile="3H 8S", melds={"m1": "QS QH QD"})
    table.when(take("8H 8D")).then_refused("keep_two_cards", left=1, reason="sets_missing")


def test_a_red_three_that_stays_in_hand_counts_as_a_card() -> None:
    table = given(hand="8H 8D 5S", pile="3H 8S", melds={"m1": "QS QH QD"})
    table.when(take("8H 8D")).then(holding="5S 3H", red_threes=["", ""])


def test_the_keep_a_card_rule_does_not_touch_a_seat_that_takes_with_the_right() -> None:
    table = given(hand="8H 8C 5S", pile="8D", melds={"m1": KINGS, "m2": "9S 9S 9H 9H 9D 9D 9C"})
    table.when(take("8H 8C"), discard("5S")).then_out(0)


def test_out_by_a_take_at_once() -> None:
    table = given("samba-hoyle", hand="9H 9H", pile="9S", melds={"m1": KINGS, "m2": EIGHTS})
    table.when(take("9H 9H")).then_out(0).then_events("took_pile", "hand_ended")


def test_a_discard_that_empties_the_hand_needs_the_right() -> None:
    table = given(hand="9C", began="stock", melds={"m1": EIGHTS})
    table.when(discard("9C")).then_refused("may_not_go_out", reason="sets_missing")


@pytest.mark.parametrize("stock", ["9S 9H 9D", "3H 3D JK"])
def test_the_answer_to_a_move_is_the_same_whatever_lies_in_the_stock(stock: str) -> None:
    table = given(hand="3H", began="stock", stock=stock, melds={"m1": EIGHTS})
    table.when(lay("3H")).then_refused("keep_two_cards", left=1, reason="sets_missing")


def test_ask_alone_is_judged_by_what_follows() -> None:
    table = given("canasta-classic", hand="6S 6H 6D 9C", began="stock", melds={"m1": EIGHTS})
    asked = table.when(ask(meld("6S 6H 6D"), discard("9C")), by(2, answer(True)))
    asked.then_out(0).then_events("asked", "answered", "melded", "discarded", "hand_ended")


def test_a_draw_begins_the_turn() -> None:
    given(hand="9C", stock="5S 6S 7S").when(draw()).then(phase="play", began="stock", holding="9C 5S 6S", stock="7S")
