"""Rule book part 10: when the stock cannot serve a draw, forced takes, passing, turning the pile over."""

from typing import Any

import pytest

from domain.events import encode
from tests.domain.builders import EIGHTS, KINGS, SAMBA, by, discard, draw, given, meld, pass_, take, take_onto

OPEN = {"m1": "QS QH QD"}
TWO_SETS = {"m1": EIGHTS, "m2": KINGS}
CLASSIC = "canasta-classic"


# 10.1


@pytest.mark.parametrize(
    ("ruleset", "short", "stock", "pile", "drawn"),
    [
        ("samba-official", "take_remaining", "5S 6S 7S", "", 2),
        ("samba-official", "take_remaining", "5S 6S", "", 2),
        ("samba-official", "take_remaining", "5S", "4C 5C 6C", 1),
        ("samba-official", "take_remaining", "", "4C 5C 6C", None),
        ("samba-official", "end_hand", "5S 6S", "", 2),
        ("samba-official", "end_hand", "5S", "4C 5C 6C", None),
        ("samba-czech", "take_remaining", "5S", "", 1),
        ("samba-czech", "take_remaining", "", "4C", None),
        ("samba-czech", "end_hand", "5S", "", None),
        ("samba-czech", "end_hand", "", "4C", None),
    ],
)
def test_whether_the_stock_can_serve_a_draw(ruleset: str, short: str, stock: str, pile: str, drawn: int | None) -> None:
    table = given(ruleset, hand="9C 9D", stock=stock, pile=pile, options={"short_draw": short})
    if drawn is None:
        table.when(draw()).then_refused("cannot_draw", stock=len(stock.split()), needed=2)
        table.when(pass_()).then_stock_ends_the_hand()
    else:
        table.when(draw()).then(phase="play", stock=len(stock.split()) - drawn, pile=pile)
        table.when(pass_()).then_refused("pass_not_allowed", stock=len(stock.split()))


@pytest.mark.parametrize(
    ("stock", "pile", "held", "left"),
    [
        ("5S", "4C 5C 6C", "5S 4C", "5C 6C"),
        ("", "4C 5C 6C", "4C 5C", "6C"),
        ("5S", "4C", "5S 4C", ""),
        ("", "4C 5C", "4C 5C", ""),
    ],
)
def test_the_pile_is_turned_over_the_bottom_card_first_to_be_drawn(stock: str, pile: str, held: str, left: str) -> None:
    table = given("samba-czech", hand="9C 9D", stock=stock, pile=pile, barred=[2], recycles=1)
    drawn = table.when(draw())
    drawn.then(holding=f"9C 9D {held}", pile=0, stock=left, recycles=2, barred=[])
    drawn.then_event("drew", recycled=len(pile.split()), stock=len(left.split()))


def test_a_draw_that_the_stock_serves_turns_nothing() -> None:
    drawn = given("samba-czech", hand="9C 9D", stock="5S 6S", pile="4C 5C 6C").when(draw())
    drawn.then(pile="4C 5C 6C", stock=0, recycles=0)
    assert b"recycled" not in encode(drawn.happened[0])


def test_the_pile_stays_empty_until_the_next_discard() -> None:
    table = given("samba-czech", hand="9C 9D", stock="5S", pile="4C 5C 6C", holdings={1: "9H 9S"})
    table.when(draw(), discard("9C")).then(pile="9C")


def test_the_pile_is_turned_only_where_the_rule_set_recycles() -> None:
    table = given(hand="9C 9D", stock="5S", pile="4C 5C 6C")
    table.when(draw()).then(pile="4C 5C 6C", stock=0, holding="9C 9D 5S")


def test_automatic_red_threes_are_replaced_from_the_pile_turned_over() -> None:
    table = given("samba-czech", hand="9C 9D", stock="3H", pile="4C 5C 6C", options={"red_threes": "automatic"})
    drawn = table.when(draw())
    drawn.then(holding="9C 9D 4C 5C", red_threes=["3H", ""], stock="6C", pile=0)


def test_but_the_pile_is_not_turned_for_a_replacement() -> None:
    table = given("samba-czech", hand="9C 9D", stock="3H 5S", pile="4C 5C 6C", options={"red_threes": "automatic"})
    table.when(draw()).then(holding="9C 9D 5S", red_threes=["3H", ""], stock=0, pile="4C 5C 6C", recycles=0)


# 10.2


def test_a_seat_whom_the_stock_cannot_serve_may_take_the_pile_and_play_on() -> None:
    table = given(hand="8H 8D 9C 9D", stock=0, pile="5S 8S", melds=OPEN)
    table.when(take("8H 8D"), discard("9C")).then(turn=1, phase="draw")


def test_a_forced_take_is_one_onto_an_own_meld_without_hand_cards() -> None:
    base = {"ruleset": CLASSIC, "hand": "9C 9D", "stock": 0, "pile": "5S 8S"}
    given(**base, melds={"m1": "QS QH QD", "m2": "8H 8D 8C"}).when(pass_()).then_refused("take_required", meld="m2")
    given(**base, melds=OPEN).when(pass_()).then_stock_ends_the_hand()
    given(**base, melds={"m2": "8H 8D 8C"}, options={"stock_end": "end_when_cannot_draw"}).when(
        pass_()
    ).then_stock_ends_the_hand()


def test_the_lowest_number_is_named() -> None:
    table = given("samba-hoyle", hand="9C 9D", stock=0, pile="5S 8S", melds={"m3": "8H 8D 8C", "m7": "5S 6S 7S"})
    table.when(pass_()).then_refused("take_required", meld="m3")
    turned = given("samba-hoyle", hand="9C 9D", stock=0, pile="5S 8S", melds={"m3": "5S 6S 7S", "m7": "8H 8D 8C"})
    turned.when(pass_()).then_refused("take_required", meld="m3")


def test_the_upcard_alone_is_a_forced_take_too() -> None:
    options = {"stock_end": "forced_take"}
    table = given(hand="9C 9D", stock=0, pile="5S 8S", melds={"m1": "5S 6S 7S"}, options=options)
    table.when(pass_()).then_refused("take_required", meld="m1")


@pytest.mark.parametrize(
    "more",
    [
        {"barred": [0]},
        {"pile": "5S 3S"},
        {"pile": ""},
        {"pile": "2D 8S"},
        {"hand": "9C", "pile": "8S"},
        {"hand": "", "pile": "5S 8S"},
        {"melds": {"m2": EIGHTS}, "options": {"pile_take_extend": "below_seven"}, "pile": "5S 8C"},
        {"melds": {}, "hand": "8H 8D"},
    ],
)
def test_a_take_that_would_be_refused_forces_nothing(more: dict[str, Any]) -> None:
    base: dict[str, Any] = {"hand": "9C 9D", "stock": 0, "pile": "5S 8S", "melds": {"m2": "8H 8D 8C"}}
    given(CLASSIC, **base | more).when(pass_()).then_stock_ends_the_hand()


def test_a_samba_and_the_melds_of_others_force_nothing() -> None:
    table = given(
        "samba-hoyle", hand="9C 9D", stock=0, pile="5S QD", melds={"m1": SAMBA}, melds_of={1: {"m2": "QS QH QC"}}
    )
    table.when(pass_()).then_stock_ends_the_hand()


def test_a_pair_is_never_compulsory() -> None:
    table = given(CLASSIC, hand="8H 8D 9C", stock=0, pile="5S 8S", melds=OPEN)
    table.when(pass_()).then_stock_ends_the_hand()


def test_a_forced_take_onto_a_meld_can_be_made() -> None:
    table = given(CLASSIC, hand="9C 9D", stock=0, pile="5S 8S", melds={"m2": "8H 8D 8C"})
    table.when(take_onto("m2"), discard("9C")).then(turn=1)


# 10.3


def test_a_pass_ends_the_hand_by_the_stock_and_nobody_goes_out() -> None:
    table = given(hand="9C", holdings={1: "9D"}, stock=0, pile="5S", melds=TWO_SETS)
    ended = table.when(pass_()).then_stock_ends_the_hand().then_events("passed", "hand_ended")
    ended.then_lines(0, going_out=0).then_lines(1, going_out=0)


def test_a_pass_is_of_the_seat_to_act() -> None:
    given(hand="9C", stock=0).when(by(1, pass_())).then_refused("not_your_turn", turn=0)


@pytest.mark.parametrize(
    ("more", "legal"),
    [
        ({"hand": "9C"}, True),
        ({"hand": "9C", "melds": TWO_SETS}, False),
        ({"hand": "9C", "melds": TWO_SETS, "permission": "refused"}, True),
        ({"hand": "9C 9D"}, False),
        ({"hand": "3H 3D"}, False),
        ({"hand": "3H 3D", "options": {"red_three_discard": False}}, True),
        ({"hand": "3H", "melds": TWO_SETS, "options": {"red_three_discard": False}}, True),
        ({"hand": "3H 9D", "options": {"red_three_discard": False}}, False),
        ({"hand": "9C 9D", "last_turn": True, "options": {"last_red_three_may_meld": True}}, True),
        ({"hand": ""}, True),
        ({"hand": "", "melds": TWO_SETS}, True),
    ],
)
def test_in_phase_play_a_pass_is_legal_where_no_discard_is_or_in_a_last_turn(more: dict[str, Any], legal: bool) -> None:
    passed = given(began="stock", stock=7, **more).when(pass_())
    if legal:
        passed.then_stock_ends_the_hand()
    else:
        passed.then_refused("pass_not_allowed", stock=7)


def test_a_seat_with_one_card_passes_only_after_it_has_begun_its_turn() -> None:
    given(hand="9C", stock="5S 6S").when(pass_()).then_refused("pass_not_allowed", stock=2)


# 10.4


def test_with_an_empty_pile_and_no_stock_only_a_pass_is_left() -> None:
    table = given(hand="9C 9D", stock=0, pile="", melds=OPEN)
    table.when(draw()).then_refused("cannot_draw", stock=0, needed=2)
    table.when(take("9C 9D")).then_refused("pile_empty")
    table.when(meld("9C 9D")).then_refused("must_begin_turn")
    table.when(pass_()).then_stock_ends_the_hand()
