"""Rule book 8.1 to 8.4 and 8.6: discarding, going out, black-three exits, concealed."""

from typing import Any

import pytest

from tests.domain.builders import (
    EIGHTS,
    KINGS,
    SAMBA,
    discard,
    draw,
    given,
    lay,
    meld,
    take,
    take_onto,
    take_upcard,
)

OPEN = {"m1": "QS QH QD"}
TWO_SETS = {"m1": EIGHTS, "m2": KINGS}
CLASSIC = "canasta-classic"


def test_one_card_is_discarded_becomes_the_upcard_and_the_turn_passes_on() -> None:
    table = given(hand="9C 5S 5H", began="stock", pile="4D")
    table.when(discard("5S")).then(pile="4D 5S", holding="9C 5H", turn=1, phase="draw").then_events("discarded")


@pytest.mark.parametrize("card", ["JK", "2S", "3S", "3H", "AS"])
def test_everything_may_be_discarded(card: str) -> None:
    given(hand=f"9C {card}", began="stock").when(discard(card)).then(pile=card)


def test_a_card_that_is_not_held_cannot_be_discarded() -> None:
    given(hand="9C 9D", began="stock").when(discard("9H")).then_refused("cards_not_held", cards="9H")


def test_several_cards_are_no_discard() -> None:
    table = given(hand="9C 9D 5S", began="stock")
    table.when(discard("9D 9C")).then_refused("closing_discard_wrong", cards="9D 9C")


WILD = "2S 2S 2H 2H 2D 2C 2C"


@pytest.mark.parametrize(
    ("requirement", "melds", "met"),
    [
        ("one_any", [], False),
        ("one_any", [EIGHTS], True),
        ("one_any", [SAMBA], True),
        ("one_any", [WILD], True),
        ("two_any", [EIGHTS], False),
        ("two_any", [EIGHTS, KINGS], True),
        ("two_any", [SAMBA, "5H 6H 7H 8H 9H TH JH"], True),
        ("two_any", [EIGHTS, "8S 8H 8C 8C 8D 2D 2D"], True),
        ("two_any", [EIGHTS, "KS KH KD KC KS KH"], False),
        ("two_any", [EIGHTS, "5D 6D 7D 8D 9D TD"], False),
        ("two_with_samba", [EIGHTS, KINGS], False),
        ("two_with_samba", [EIGHTS, SAMBA], True),
        ("two_with_samba", [SAMBA], False),
        ("two_with_samba", [SAMBA, "5H 6H 7H 8H 9H TH JH"], True),
        ("two_canastas_one_samba", [EIGHTS, SAMBA], False),
        ("two_canastas_one_samba", [EIGHTS, KINGS], False),
        ("two_canastas_one_samba", [EIGHTS, KINGS, SAMBA], True),
        ("two_canastas_one_samba", [EIGHTS, SAMBA, "5H 6H 7H 8H 9H TH JH"], False),
    ],
)
def test_what_the_requirement_to_go_out_asks(requirement: str, melds: list[str], met: bool) -> None:
    options = {"going_out_requirement": requirement, "wild_melds": True}
    lying = {f"m{number}": text for number, text in enumerate(melds, 1)}
    out = given(hand="9C", began="stock", melds=lying, options=options).when(discard("9C"))
    if met:
        out.then_out(0)
    else:
        out.then_refused("may_not_go_out", reason="sets_missing")


def test_only_the_sets_of_the_own_party_count() -> None:
    table = given(hand="9C", began="stock", melds={"m1": EIGHTS}, melds_of={1: {"m2": KINGS}})
    table.when(discard("9C")).then_refused("may_not_go_out", reason="sets_missing")


def test_the_ways_out_are_discard_meld_take_upcard_and_red_three() -> None:
    sets = {"m1": EIGHTS, "m2": KINGS}
    given(hand="9C", began="stock", melds=sets).when(discard("9C")).then_out(0).then_events("discarded", "hand_ended")
    given(hand="9C 9D 9H", began="stock", melds=sets).when(meld("9C 9D 9H")).then_out(0)
    given(hand="9C 9D", pile="9H", melds=sets).when(take("9C 9D")).then_out(0)
    given(hand="3H", began="stock", stock=0, melds=sets).when(lay("3H")).then_out(0)
    given(hand="", pile="7S", melds=sets | {"m3": "4S 5S 6S"}).when(take_upcard("m3")).then_out(0)


def test_with_a_final_discard_required_the_last_card_is_discarded() -> None:
    sets = {"m1": EIGHTS, "m2": KINGS}
    given("samba-czech", hand="9C 9D 9H", began="stock", melds=sets).when(meld("9C 9D 9H")).then_refused(
        "final_discard_needed"
    )
    given("samba-czech", hand="9C 9D", pile="9H", melds=sets).when(take("9C 9D")).then_refused("final_discard_needed")
    given("samba-czech", hand="9C", began="stock", melds=sets).when(discard("9C")).then_out(0)


# 8.4 closing discard


@pytest.mark.parametrize(("threes", "pile"), [("3C 3S 3S", "3S 3S 3C"), ("3C 3S 3C 3S", "3S 3S 3C 3C")])
def test_a_whole_hand_of_three_or_four_black_threes_may_be_discarded_at_once(threes: str, pile: str) -> None:
    table = given("samba-czech", hand=threes, began="stock", pile="9D", melds=TWO_SETS)
    out = table.when(discard(threes)).then_out(0).then(pile=f"9D {pile}")
    out.then_lines(0, cards=70 + 90, in_hand=0).then_event("discarded", cards=pile.split())


def test_the_closing_discard_needs_the_right_to_go_out() -> None:
    table = given("samba-czech", hand="3S 3S 3C", began="stock", melds={"m1": EIGHTS})
    table.when(discard("3S 3S 3C")).then_refused("may_not_go_out", reason="sets_missing")


@pytest.mark.parametrize(
    ("hand", "named"),
    [
        ("3S 3C", "3S 3C"),
        ("3S 3S 3S 3C 3C", "3S 3S 3S 3C 3C"),
        ("3S 3S 3C 9C", "3S 3S 3C"),
        ("3S 3S 3C 9C", "3S 3S 9C"),
        ("3S 3S 9C", "9C 3S 3S"),
    ],
)
def test_any_other_discard_of_several_cards_is_wrong(hand: str, named: str) -> None:
    table = given("samba-czech", hand=hand, began="stock", melds=TWO_SETS)
    refusal = table.when(discard(named)).refusal
    assert refusal is not None
    assert refusal.code == "closing_discard_wrong"
    assert sorted(refusal.params["cards"]) == sorted(named.split())


def test_without_the_option_there_is_no_closing_discard() -> None:
    table = given(hand="3S 3S 3C", began="stock", melds=TWO_SETS)
    table.when(discard("3S 3S 3C")).then_refused("closing_discard_wrong", cards="3S 3S 3C")


def test_a_single_black_three_is_discarded_like_any_card() -> None:
    given("samba-czech", hand="3S", began="stock", melds=TWO_SETS).when(discard("3S")).then_out(0)


# 8.6 concealed


NINES = "9S 9S 9H 9H 9D 9D 9C"


def test_concealed_is_out_without_an_earlier_meld_all_in_melds_of_this_turn_one_of_them_a_set() -> None:
    table = given(CLASSIC, hand=f"{NINES} 5S", began="stock")
    out = table.when(meld(NINES), discard("5S")).then_out(0, concealed=True)
    out.then_lines(0, going_out=200, natural_canastas=500)


def test_the_fact_stands_even_where_the_bonus_is_nothing() -> None:
    table = given(hand=f"{NINES} 5S", began="stock", melds={"m1": EIGHTS})
    table.when(meld(NINES), discard("5S")).then_out(0, concealed=True).then_lines(0, going_out=200)


def test_several_moves_a_take_of_the_pile_and_a_last_discard_do_no_harm() -> None:
    table = given(CLASSIC, hand=f"{NINES} 8H 8D 5S", pile="8S", scores=[-5, 0])
    table.when(take("8H 8D"), meld(NINES), discard("5S")).then_out(0, concealed=True)
    piece = given(CLASSIC, hand=f"{NINES} 5S", began="stock", scores=[-5, 0])
    piece.when(meld("9S 9S 9H 9H"), meld(add={"m1": "9D 9D 9C"}), discard("5S")).then_out(0, concealed=True)


@pytest.mark.parametrize("card", ["QC", "2C"])
def test_a_card_added_to_an_older_meld_spoils_it(card: str) -> None:
    table = given(CLASSIC, hand=f"{NINES} {card} 5S", began="stock", melds=OPEN)
    table.when(meld(NINES), meld(add={"m1": card}), discard("5S")).then_out(0, concealed=False)
    table.when(meld(NINES, add={"m1": card}), discard("5S")).then_out(0, concealed=False)


def test_an_older_meld_taken_onto_spoils_it() -> None:
    table = given(CLASSIC, hand=f"{NINES} 5S", pile="QC", melds=OPEN)
    table.when(take_onto("m1"), meld(NINES), discard("5S")).then_out(0, concealed=False)
    pair = given(CLASSIC, hand=f"{NINES} QC QC 5S", pile="QH", melds=OPEN)
    pair.when(take("QC QC"), meld(NINES), discard("5S")).then_out(0, concealed=False)


def test_the_upcard_taken_alone_onto_an_older_meld_spoils_it() -> None:
    table = given(hand=f"{NINES} 5S", pile="7D", melds={"m1": EIGHTS, "m2": "4D 5D 6D"})
    table.when(take_upcard("m2"), meld(NINES), discard("5S")).then_out(0, concealed=False)


def test_an_older_meld_joined_spoils_it_and_fresh_melds_joined_do_not() -> None:
    table = given(
        "samba-hoyle", hand=f"{NINES} 5S", began="stock", melds={"m1": EIGHTS, "m2": "QS QH QD", "m3": "QC QC QS"}
    )
    table.when(meld(NINES, join=["m2 m3"]), discard("5S")).then_out(0, concealed=False)
    fresh = given("samba-hoyle", hand=f"{NINES} 5S", began="stock", melds=TWO_SETS)
    fresh.when(meld("9S 9S 9H", "9H 9D 9D 9C"), meld(join=["m3 m4"]), discard("5S")).then_out(0, concealed=True)


def test_a_set_must_be_among_the_melds_of_this_turn() -> None:
    table = given(CLASSIC, hand="9S 9H 9D 5S", began="stock", melds={"m1": EIGHTS})
    table.when(meld("9S 9H 9D"), discard("5S")).then_out(0, concealed=False)
    given(CLASSIC, hand="5S", began="stock", melds={"m1": EIGHTS}).when(discard("5S")).then_out(0, concealed=False)


def test_a_seat_that_laid_something_in_an_earlier_turn_is_not_concealed() -> None:
    table = given(CLASSIC, hand=f"{NINES} 5S", began="stock", melds=OPEN, has_melded=[True, False, False, False])
    table.when(meld(NINES), discard("5S")).then_out(0, concealed=False)
    partner = given(CLASSIC, hand=f"{NINES} 5S", began="stock", melds=OPEN, has_melded=[False, False, True, False])
    partner.when(meld(NINES), discard("5S")).then_out(0, concealed=True)


@pytest.mark.parametrize(
    ("begins", "laid"),
    [
        ([draw()], False),
        ([draw(), meld("9S 9S 9H")], True),
        ([take("8H 8D")], True),
        ([take_upcard("m1")], True),
    ],
)
def test_a_turn_in_which_only_a_take_laid_something_is_one_in_which_the_seat_laid(
    begins: list[dict[str, Any]], laid: bool
) -> None:
    upcard = "7S" if begins[0]["type"] == "take_upcard" else "8S"
    table = given(hand=f"{NINES} 8H 8D 5S", pile=f"4C {upcard}", melds={"m1": "4S 5S 6S"})
    table.when(*begins, discard("5S")).then(has_melded=[laid, False, False, False])


def test_the_next_seat_has_laid_nothing_in_its_turn_yet() -> None:
    table = given(hand="QC 5H 5D", began="stock", melds=OPEN, holdings={1: "9S 9H"})
    table.when(meld(add={"m1": "QC"}), discard("5H"), draw()).then(turn=1, melded_this_turn=False)


def test_a_meld_laid_by_the_partner_in_an_earlier_turn_is_an_older_meld() -> None:
    table = given(
        CLASSIC,
        hand="4S 4H 4D 5H 5D",
        began="stock",
        melds=OPEN,
        stock="6S 6H 6D",
        holdings={1: "8S 8H", 2: f"{NINES} 4C"},
    )
    earlier = [meld("4S 4H 4D"), discard("5H"), draw(), discard("8S"), draw()]
    table.when(*earlier, meld(NINES, add={"m2": "4C"}), discard("6H")).then_out(2, concealed=False)
    table.when(*earlier, meld(NINES), discard("4C")).then(turn=3)


def test_an_older_meld_that_the_seat_before_touched_does_not_matter() -> None:
    table = given(
        CLASSIC, hand="QC 5H 5D", began="stock", melds=OPEN, stock="9C 6H", holdings={1: "9S 9S 9H 9H 9D 9D 5C"},
        scores=[0, -5],
    )  # fmt: skip
    table.when(meld(add={"m1": "QC"}), discard("5H"), draw(), meld(NINES), discard("5C")).then_out(1, concealed=True)


def test_with_whole_hand_nothing_more_is_asked_than_no_earlier_meld() -> None:
    table = given("canasta-standard", hand="9S 9H 9D QC 5S", began="stock", melds={"m1": EIGHTS, "m2": "QS QH QD"})
    out = table.when(meld("9S 9H 9D", add={"m2": "QC"}), discard("5S")).then_out(0, concealed=True)
    out.then_lines(0, going_out=200)
    earlier = given(
        "canasta-standard", hand="5S", began="stock", melds={"m1": EIGHTS}, has_melded=[True, False, False, False]
    )
    earlier.when(discard("5S")).then_out(0, concealed=False).then_lines(0, going_out=100)


@pytest.mark.parametrize(
    ("more", "condition", "concealed"),
    [
        ({"melded_this_turn": True}, "own_set", False),
        ({"began": "upcard"}, "own_set", False),
        ({"began": "pile"}, "own_set", True),
        ({}, "own_set", True),
        ({"melded_this_turn": True}, "whole_hand", True),
    ],
)
def test_how_a_position_given_in_the_middle_of_a_turn_is_read(
    more: dict[str, Any], condition: str, concealed: bool
) -> None:
    options = {"concealed_condition": condition}
    table = given(CLASSIC, hand=f"{NINES} 5S", **{"began": "stock"} | more, melds=OPEN, options=options)
    table.when(meld(NINES), discard("5S")).then_out(0, concealed=concealed)
