"""Rule book part 5: the first meld."""

from typing import Any

import pytest

from tests.domain.builders import EIGHTS, discard, draw, given, lay, meld, take

SPARE = "JC TC"
SEVENS = "7S 7S 7H 7H 7D 7D 7C"
CLASSIC = "canasta-classic"


@pytest.mark.parametrize(
    ("ruleset", "total", "needed"),
    [
        ("samba-official", -5, 15),
        ("samba-official", 0, 50),
        ("samba-official", 1495, 50),
        ("samba-official", 1500, 90),
        ("samba-official", 2995, 90),
        ("samba-official", 3000, 120),
        ("samba-official", 7000, 150),
        ("samba-hoyle", 7000, 160),
        ("canasta-classic", 7000, 120),
    ],
)
def test_the_requirement_is_that_of_the_first_step_above_the_sheet_total(ruleset: str, total: int, needed: int) -> None:
    table = given(ruleset, hand=f"4S 4H 2D {SPARE}", began="stock", scores=[total, 0])
    made = table.when(meld("4S 4H 2D"))
    if needed <= 30:
        made.then(melds={"m1": "4S 4H 2D"})
    else:
        made.then_refused("first_meld_too_low", points=30, needed=needed)


def test_the_requirement_is_that_of_the_own_side() -> None:
    table = given(seat=1, hand=f"8S 8H 8D {SPARE}", began="stock", scores=[-5, 1500])
    table.when(meld("8S 8H 8D")).then_refused("first_meld_too_low", points=30, needed=90)


def test_exactly_the_requirement_is_enough_and_all_melds_of_the_move_are_summed() -> None:
    table = given(hand=f"AS AH AD 4S 5S 6S {SPARE}", began="stock", scores=[0, 0])
    table.when(meld("AS AH AD")).then(melds={"m1": "AS AH AD"})
    lower = given(hand=f"KS KH KD 4S 5S 6S {SPARE}", began="stock")
    lower.when(meld("KS KH KD", "4S 5S 6S")).then_refused("first_meld_too_low", points=45, needed=50)
    exact = given(hand=f"KS KH KD 6S 7S 8S {SPARE}", began="stock")
    exact.when(meld("KS KH KD", "6S 7S 8S")).then(melds={"m1": "KS KH KD", "m2": "6S 7S 8S"})


def test_wild_cards_count_at_card_value() -> None:
    given(hand=f"4S 4H JK {SPARE}", began="stock").when(meld("4S 4H JK")).then(holding=SPARE)
    given("bolivia", hand=f"2S 2H 2D {SPARE}", began="stock").when(meld("2S 2H 2D")).then(holding=SPARE)


def test_in_a_take_the_upcard_the_cards_with_it_and_the_further_melds_count_and_nothing_deeper() -> None:
    table = given(hand=f"8H 8D 6C 6D 6H {SPARE}", pile="AS AH KS 8S")
    table.when(take("8H 8D")).then_refused("first_meld_too_low", points=30, needed=50)
    table.when(take("8H 8D", melds=["6C 6D 6H"])).then_refused("first_meld_too_low", points=45, needed=50)
    more = given(hand=f"8H 8D 9C 9D 9H {SPARE}", pile="AS 8S")
    more.when(take("8H 8D", melds=["9C 9D 9H"])).then(melds={"m1": "8S 8H 8D", "m2": "9C 9D 9H"})


def test_red_threes_are_not_counted() -> None:
    table = given(hand=f"3H 8S 8H 8D {SPARE}", began="stock", red_threes=[["3D"], []])
    table.when(lay("3H"), meld("8S 8H 8D")).then_refused("first_meld_too_low", points=30, needed=50)


def test_bonuses_are_not_counted() -> None:
    table = given(hand=f"{SEVENS} {SPARE}", began="stock")
    table.when(meld(SEVENS)).then_refused("first_meld_too_low", points=35, needed=50)


def test_once_a_seat_of_the_party_has_melded_the_party_melds_freely() -> None:
    melded = given(seat=2, hand=f"4S 4H 4D {SPARE}", began="stock", melds={"m1": "QS QH QD"})
    melded.when(meld("4S 4H 4D")).then(holding=SPARE)
    others = given(seat=1, hand=f"4S 4H 4D {SPARE}", began="stock", melds_of={0: {"m1": "QS QH QD"}})
    others.when(meld("4S 4H 4D")).then_refused("first_meld_too_low", points=15, needed=50)


def test_laying_red_threes_is_not_melding() -> None:
    table = given(hand=f"3H 4S 4H 4D {SPARE}", began="stock", red_threes=[["3D", "3H"], []])
    table.when(meld("4S 4H 4D")).then_refused("first_meld_too_low", points=15, needed=50)


def test_the_sheet_total_does_not_move_during_a_hand() -> None:
    table = given(hand="9C", began="stock", scores=[0, 0], melds={"m1": EIGHTS, "m2": "KS KS KH KH KD 2S 2H"})
    ended = table.when(discard("9C"))
    ended.then(scores=[0, 0]).then_totals(1160, 0)


# The waiver.


def test_a_concealed_first_meld_with_a_set_and_the_right_needs_no_minimum() -> None:
    table = given(CLASSIC, hand="7S 7S 7H 7H 7D 7D 7C 9C", began="stock", scores=[3000, 0])
    table.when(meld(SEVENS), discard("9C")).then_out(0, concealed=True)
    none_left = given(CLASSIC, hand=SEVENS, began="stock", scores=[3000, 0])
    none_left.when(meld(SEVENS)).then_out(0, concealed=True)


def test_without_the_option_there_is_no_waiver() -> None:
    table = given("canasta-standard", hand=f"{SEVENS} 9C", began="stock", scores=[3000, 0])
    table.when(meld(SEVENS)).then_refused("first_meld_too_low", points=35, needed=120)


WAIVED = {"ruleset": CLASSIC, "hand": f"{SEVENS} 9C", "began": "stock", "scores": [3000, 0]}


@pytest.mark.parametrize(
    "broken",
    [
        {"began": "pile"},
        {"has_melded": [True, False, False, False]},
        {"melded_this_turn": True},
        {"hand": f"{SEVENS} 9C 9D"},
        {"permission": "refused"},
        {"options": {"going_out_requirement": "two_any"}},
        {"options": {"partner_permission": "required"}},
    ],
)
def test_the_waiver_needs_a_drawn_card_no_earlier_meld_one_card_left_and_the_right(broken: dict[str, Any]) -> None:
    given(**WAIVED | broken).when(meld(SEVENS)).then_refused("first_meld_too_low", points=35, needed=120)


def test_the_waiver_needs_a_set_among_the_melds_of_the_move() -> None:
    table = given(CLASSIC, hand="4S 4H 4D 4C 4S 4H 9C", began="stock", scores=[3000, 0])
    table.when(meld("4S 4H 4D 4C 4S 4H")).then_refused("first_meld_too_low", points=30, needed=120)
    more = given(CLASSIC, hand=f"{SEVENS} 4S 4H 4D 9C", began="stock", scores=[3000, 0])
    more.when(meld("4S 4H 4D", SEVENS), discard("9C")).then_out(0, concealed=True)


def test_the_partners_earlier_melds_do_not_matter_to_the_waiver_of_a_seat_that_laid_nothing() -> None:
    table = given(**WAIVED, has_melded=[False, True, True, True])
    table.when(meld(SEVENS)).then(holding="9C")


def test_a_take_is_never_waived() -> None:
    table = given(CLASSIC, hand="7S 7S 7H 7H 7D 7D 9C", pile="7C", scores=[3000, 0])
    table.when(take("7S 7S 7H 7H 7D 7D")).then_refused("first_meld_too_low", points=35, needed=120)


def test_a_draw_then_the_waiver_in_one_turn() -> None:
    table = given(CLASSIC, hand="7S 7S 7H 7H 7D 7D 9C", stock="7C 5S", scores=[3000, 0])
    table.when(draw(), meld(SEVENS), discard("9C")).then_out(0, concealed=True)
