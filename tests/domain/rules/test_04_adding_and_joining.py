"""Rule book 4.6 and 4.7: adding to own melds and joining them; the orders A and J of 9.2."""

from typing import Any

import pytest

from tests.domain.builders import EIGHTS, SAMBA, given, meld

SPARE = "JC TC"


def test_melds_of_others_can_never_be_touched() -> None:
    table = given(hand=f"8H {SPARE}", began="stock", melds={"m1": "QS QH QD"}, melds_of={1: {"m2": "8S 8D 8C"}})
    table.when(meld(add={"m2": "8H"})).then_refused("not_your_meld", meld="m2")
    table.when(meld(join=["m1 m2"])).then_refused("not_your_meld", meld="m2")


def test_melds_of_the_partner_are_own_melds() -> None:
    table = given(seat=2, hand=f"8H {SPARE}", began="stock", melds={"m1": "8S 8D 8C"})
    table.when(meld(add={"m1": "8H"})).then(melds={"m1": "8S 8D 8C 8H"})


@pytest.mark.parametrize(
    ("own", "card", "code", "params"),
    [
        ("8S 8D 8C", "9H", "card_does_not_fit", {"meld": "m1", "cards": "9H"}),
        ("8S 8D 8C", "3S", "card_does_not_fit", {"meld": "m1", "cards": "3S"}),
        ("5S 6S 7S", "3S", "card_does_not_fit", {"meld": "m1", "cards": "3S"}),
        ("5S 6S 7S", "2S", "wild_in_sequence", {"cards": "2S"}),
        ("5S 6S 7S", "JK", "wild_in_sequence", {"cards": "JK"}),
        ("5S 6S 7S", "JK 9H", "wild_in_sequence", {"cards": "JK 9H"}),
        ("8S 8D 8C", "3H", "red_three_in_meld", {"cards": "3H"}),
        ("5S 6S 7S", "2S 3H", "red_three_in_meld", {"cards": "2S 3H"}),
        (SAMBA, "3D", "red_three_in_meld", {"cards": "3D"}),
        (SAMBA, "2D", "meld_closed", {"meld": "m1"}),
        ("8S 8D 8C", "2S 2H", "too_few_naturals", {"naturals": 3, "wilds": 2, "ratio": "two_to_one"}),
        ("8S 8D 8C 8H 2S", "2H 2D", "too_many_wilds", {"wilds": 3, "maximum": 2}),
        ("8S 8D 8C", "2S 2H 9H", "card_does_not_fit", {"meld": "m1", "cards": "2S 2H 9H"}),
    ],
)
def test_the_order_of_checks_for_an_addition(own: str, card: str, code: str, params: dict[str, Any]) -> None:
    table = given(hand=f"{card} {SPARE}", began="stock", melds={"m1": own})
    table.when(meld(add={"m1": card})).then_refused(code, **params)


def test_a_finished_canasta_comes_before_the_number_of_wild_cards() -> None:
    options = {"wild_on_finished_canasta": False}
    table = given(hand=f"2S 2H 2D {SPARE}", began="stock", melds={"m1": EIGHTS}, options=options)
    table.when(meld(add={"m1": "2S 2H 2D"})).then_refused("wild_on_canasta", meld="m1")


def test_additions_are_judged_by_number_of_the_meld_whatever_the_order_they_come_in() -> None:
    table = given(hand=f"9H 9D {SPARE}", began="stock", melds={"m2": "8S 8D 8C", "m10": "QS QH QD"})
    table.when(meld(add={"m10": "9H", "m2": "9D"})).then_refused("card_does_not_fit", meld="m2", cards="9D")


def test_additions_to_melds_that_no_join_names_come_before_the_joins_and_those_before_new_melds() -> None:
    table = given(hand=f"9H 4H 4D {SPARE}", began="stock", melds={"m1": "4S 5S 6S", "m2": "8S 9S TS", "m3": "QS QH QD"})
    add_fault = {"m3": "9H"}
    table.when(meld("4H 4D", add=add_fault, join=["m1 m2"])).then_refused("card_does_not_fit", meld="m3", cards="9H")
    table.when(meld("4H 4D", join=["m1 m2"])).then_refused("join_does_not_fit", melds="m1 m2")


# 4.7 joining


def test_sequences_are_joined_by_the_missing_card_under_the_first_id_named() -> None:
    table = given(hand=f"7S {SPARE}", began="stock", melds={"m1": "4S 5S 6S", "m2": "8S 9S TS"})
    joined = table.when(meld(add={"m1": "7S"}, join=["m2 m1"]))
    joined.then(melds={"m2": "4S 5S 6S 7S 8S 9S TS"}, holding=SPARE)
    run = ["4S", "5S", "6S", "7S", "8S", "9S", "TS"]
    joined.then_event(
        "melded", joined=[{"id": "m2", "kind": "sequence", "cards": run, "of": ["m2", "m1"]}], added=[], new=[]
    )


def test_with_a_join_additions_may_lie_anywhere_in_the_result() -> None:
    table = given(hand=f"4S 8S {SPARE}", began="stock", melds={"m1": "5S 6S 7S", "m2": "9S TS JS"})
    table.when(meld(add={"m2": "4S 8S"}, join=["m1 m2"])).then_refused("meld_too_long", count=8, maximum=7)
    shorter = given(hand=f"8S {SPARE}", began="stock", melds={"m1": "5S 6S 7S", "m2": "9S TS JS"})
    shorter.when(meld(add={"m2": "8S"}, join=["m1 m2"])).then(melds={"m1": "5S 6S 7S 8S 9S TS JS"})


def test_adjoining_sequences_are_joined_without_a_card() -> None:
    table = given(hand=SPARE, began="stock", melds={"m1": "4S 5S 6S", "m2": "7S 8S 9S"})
    table.when(meld(join=["m1 m2"])).then(melds={"m1": "4S 5S 6S 7S 8S 9S"})


def test_several_lists_are_joined_in_one_move() -> None:
    melds = {"m1": "4S 5S 6S", "m2": "7S 8S 9S", "m3": "4H 5H 6H", "m4": "7H 8H 9H"}
    table = given(hand=SPARE, began="stock", melds=melds)
    table.when(meld(join=["m1 m2", "m4 m3"])).then(melds={"m1": "4S 5S 6S 7S 8S 9S", "m4": "4H 5H 6H 7H 8H 9H"})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("4S 5S 6S", "8S 9S TS"),
        ("4S 5S 6S", "7H 8H 9H"),
        ("4S 5S 6S", "6S 7S 8S"),
        ("4S 5S 6S", "7S 7H 7D"),
        ("3S 3S 3C", "3S 3C 3C"),
        ("JK 2S 2H", "2S 2H 2D"),
        ("JK 2S 2H", "8S 8H 8D"),
    ],
)
def test_a_gap_a_double_other_suits_or_kinds_and_wilds_and_threes_cannot_be_joined(first: str, second: str) -> None:
    options = {"wild_melds": True, "merge_groups": True}
    table = given(hand=SPARE, began="stock", melds={"m1": first, "m2": second}, options=options)
    table.when(meld(join=["m1 m2"])).then_refused("join_does_not_fit", melds="m1 m2")


def test_groups_of_other_ranks_cannot_be_joined() -> None:
    table = given(
        "samba-hoyle", hand=f"9S {SPARE}", began="stock", melds={"m1": "8S 8H 8D", "m2": "9S 9H 9D", "m3": "8C 8C 8S"}
    )
    table.when(meld(join=["m2 m1"])).then_refused("join_does_not_fit", melds="m2 m1")
    table.when(meld(add={"m1": "9S"}, join=["m1 m3"])).then_refused("join_does_not_fit", melds="m1 m3")


def test_groups_are_joined_where_the_rule_set_merges_them() -> None:
    table = given("samba-hoyle", hand=f"8D {SPARE}", began="stock", melds={"m1": "8S 8H 2D", "m2": "8C 8C 8S"})
    table.when(meld(add={"m2": "8D"}, join=["m1 m2"])).then(melds={"m1": "8S 8H 2D 8C 8C 8S 8D"}, holding=SPARE)


def test_joined_groups_obey_the_limits_of_a_group() -> None:
    melds = {"m1": "8S 8H 8D 8C 2S 2H", "m2": "8S 8H 2D"}
    table = given("samba-hoyle", hand=SPARE, began="stock", melds=melds)
    table.when(meld(join=["m1 m2"])).then_refused("too_many_wilds", wilds=3, maximum=2)
    ratio = {"group_ratio": "two_to_one", "max_wilds": 6}
    table = given(
        "samba-hoyle", hand=f"2C 2C {SPARE}", began="stock", melds={"m1": "8S 8H 8D", "m2": "8C 8C 2D"}, options=ratio
    )
    table.when(meld(add={"m1": "2C 2C"}, join=["m1 m2"])).then_refused(
        "too_few_naturals", naturals=5, wilds=3, ratio="two_to_one"
    )


def test_switches_that_are_off_refuse_joins() -> None:
    runs = {"m1": "4S 5S 6S", "m2": "8S 9S TS"}
    table = given("samba-online", hand=f"7S {SPARE}", began="stock", melds=runs)
    table.when(meld(add={"m1": "7S"}, join=["m1 m2"])).then_refused("off_in_ruleset", parameter="join_sequences")
    groups = given(hand=SPARE, began="stock", melds={"m1": "8S 8H 8D", "m2": "9C 9C 9S"})
    groups.when(meld(join=["m1 m2"])).then_refused("off_in_ruleset", parameter="merge_groups")


def test_a_samba_cannot_be_joined() -> None:
    table = given(hand=SPARE, began="stock", melds={"m1": "4H 5H 6H", "m2": SAMBA})
    table.when(meld(join=["m1 m2"])).then_refused("meld_closed", meld="m2")


def test_red_threes_closed_melds_and_wild_cards_come_before_a_join_that_does_not_fit() -> None:
    table = given(hand=f"3H 2S {SPARE}", began="stock", melds={"m1": "4S 5S 6S", "m2": "8S 9S TS", "m3": SAMBA})
    table.when(meld(add={"m3": "3H"}, join=["m1 m3"])).then_refused("red_three_in_meld", cards="3H")
    table.when(meld(add={"m1": "2S"}, join=["m1 m3"])).then_refused("meld_closed", meld="m3")
    table.when(meld(add={"m2": "2S"}, join=["m1 m2"])).then_refused("wild_in_sequence", cards="2S")


def test_melds_laid_earlier_in_the_same_move_cannot_be_named() -> None:
    table = given(hand=f"7S 8S 9S {SPARE}", began="stock", melds={"m1": "4S 5S 6S"})
    table.when(meld("7S 8S 9S", join=["m1 m2"])).then_refused("unknown_meld", meld="m2")


def test_the_next_meld_gets_the_highest_id_lying_plus_one_across_all_sides() -> None:
    table = given(hand=f"9S 9H 9D {SPARE}", began="stock", melds={"m1": "QS QH QD"}, melds_of={1: {"m7": "8S 8D 8C"}})
    table.when(meld("9S 9H 9D")).then(melds={"m1": "QS QH QD", "m8": "9S 9H 9D"})


def test_a_retired_id_is_not_given_again() -> None:
    table = given(hand=f"4H 4D 4C {SPARE}", began="stock", melds={"m1": "4S 5S 6S", "m2": "7S 8S 9S"})
    table.when(meld(join=["m1 m2"]), meld("4H 4D 4C")).then(melds={"m1": "4S 5S 6S 7S 8S 9S", "m3": "4H 4D 4C"})
