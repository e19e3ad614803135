"""Rule book 6.4 and 6.6: the opening take, and taking the upcard alone."""

from typing import Any

import pytest

from tests.domain.builders import SAMBA, given, take, take_upcard

SPARE = "JC TC"
OPEN = {"m1": "QS QH QD"}
CLASSIC = "canasta-classic"
MIXED_ON = {"pile_take_natural_plus_wild": True}


# The opening take.


def opening(**more: object) -> dict[str, Any]:
    return {"options": {"opening_take": "any_meld"}, "scores": [-5, 0]} | more


def test_the_opening_take_may_make_any_legal_new_meld_a_run_with_hand_cards_included() -> None:
    table = given(**opening(hand=f"9S TS {SPARE}", pile="4C 8S"))
    table.when(take("9S TS")).then(melds={"m1": "8S 9S TS"}, holding=f"{SPARE} 4C")
    pair = given(**opening(hand=f"8H 8D {SPARE}", pile="4C 8S"))
    pair.when(take("8H 8D")).then(melds={"m1": "8S 8H 8D"})


def test_the_opening_take_may_use_one_natural_and_a_wild_card_even_without_mixed_takes() -> None:
    table = given(**opening(hand=f"8H 2S {SPARE}", pile="4C 8S"))
    table.when(take("8H 2S")).then(melds={"m1": "8S 8H 2S"})


@pytest.mark.parametrize(
    ("with_", "code", "params"),
    [
        ("", "meld_too_small", {"cards": "8S", "minimum": 3}),
        ("9S 9H", "not_a_meld", {"cards": "9S 9H 8S"}),
        ("9S 2H", "wild_in_sequence", {"cards": "2H 9S 8S"}),
        ("3H 8H", "red_three_in_meld", {"cards": "8S 8H 3H"}),
        ("3S 3C", "not_a_meld", {"cards": "8S 3S 3C"}),
        ("2S 2H", "too_few_naturals", {"naturals": 1, "wilds": 2, "ratio": "two_to_one"}),
    ],
)
def test_the_opening_take_is_judged_as_a_new_meld(with_: str, code: str, params: dict[str, Any]) -> None:
    table = given(**opening(hand=f"{with_} {SPARE}", pile="4C 8S"))
    table.when(take(with_)).then_refused(code, **params)


def test_once_the_party_has_melded_the_opening_take_is_over() -> None:
    table = given(**opening(hand=f"9S TS {SPARE}", pile="4C 8S", melds=OPEN))
    table.when(take("9S TS")).then_refused("upcard_does_not_fit", card="8S", meld=None)


def test_the_opening_take_must_reach_the_first_meld() -> None:
    table = given(hand=f"9S TS {SPARE}", pile="4C 8S", options={"opening_take": "any_meld"})
    table.when(take("9S TS")).then_refused("first_meld_too_low", points=30, needed=50)


FROZEN = {"opening_take": "any_meld", "freezing": "wilds_and_black_threes", "group_ratio": "half"}


def test_for_an_opening_take_frozen_is_checked_before_the_meld_and_only_a_pair_is_a_pair_take() -> None:
    table = given(**opening(hand=f"9S TS 8H 8D 9H {SPARE}", pile="3S 8S", options=FROZEN))
    table.when(take("9S TS")).then_refused("pile_frozen", because="black_three_in_pile")
    table.when(take("9S 9H")).then_refused("pile_frozen", because="black_three_in_pile")
    table.when(take("8H 8D 9H")).then_refused("pile_frozen", because="black_three_in_pile")
    table.when(take("8H 8D")).then(melds={"m1": "8S 8H 8D"})


@pytest.mark.parametrize("with_", ["8H 2S", "8H 2S JK"])
def test_in_an_opening_take_one_natural_with_wild_cards_counts_as_mixed_where_mixed_takes_exist(with_: str) -> None:
    base = opening(hand=f"{with_} {SPARE}", pile="2C 8S")
    given(**base | {"options": FROZEN}).when(take(with_)).then_refused("pile_frozen", because="wild_in_pile")
    given(**base | {"options": FROZEN | MIXED_ON}).when(take(with_)).then_refused("pile_frozen", because="wild_in_pile")
    given(**base | {"options": FROZEN | MIXED_ON | {"mixed_take_when_frozen": True}}).when(take(with_)).then(
        melds={"m1": f"8S {with_}"}
    )


@pytest.mark.parametrize("with_", ["8H", "2S JK", "9S TS"])
def test_an_opening_take_of_another_make_is_no_mixed_take(with_: str) -> None:
    options = FROZEN | MIXED_ON | {"mixed_take_when_frozen": True}
    table = given(**opening(hand=f"{with_} {SPARE}", pile="2C 8S", options=options))
    table.when(take(with_)).then_refused("pile_frozen", because="wild_in_pile")


# 6.6 the upcard alone.


def test_the_checks_of_taking_the_upcard_alone_in_order() -> None:
    runs = {"m1": "5S 6S 7S", "m2": SAMBA, "m3": "8H 8D 8C"}
    clean = {"sequence_take_needs_clean_pile": True}
    foreign = {1: {"m9": "9H TH JH"}}
    given(CLASSIC, hand=SPARE).when(take_upcard("m1")).then_refused("off_in_ruleset", parameter="run_take")
    given(hand=SPARE, melds=runs).when(take_upcard("m1")).then_refused("pile_empty")
    base = {"hand": SPARE, "melds": runs, "melds_of": foreign}
    given(**base, pile="3S", barred=[0]).when(take_upcard("m5")).then_refused("unknown_meld", meld="m5")
    given(**base, pile="3S", barred=[0]).when(take_upcard("m9")).then_refused("not_your_meld", meld="m9")
    given(**base, pile="3S", barred=[0]).when(take_upcard("m3")).then_refused("pile_barred")
    for upcard in ("3S", "3H", "2H", "JK"):
        given(**base, pile=f"3C {upcard}", options=clean).when(take_upcard("m3")).then_refused(
            "pile_blocked", card=upcard
        )
    given(**base, pile="3C 2H 9C", options=clean).when(take_upcard("m3")).then_refused("pile_not_clean", card="3C")
    given(**base, pile="4H 2H 3C 9C", options=clean).when(take_upcard("m3")).then_refused("pile_not_clean", card="2H")
    given(**base, pile="3H 9S", options=clean).when(take_upcard("m3")).then_refused(
        "upcard_does_not_fit", card="9S", meld="m3"
    )
    given(**base, pile="8S").when(take_upcard("m2")).then_refused("meld_closed", meld="m2")
    given(**base, pile="9S").when(take_upcard("m1")).then_refused("upcard_does_not_fit", card="9S", meld="m1")
    given(**base | {"hand": "JC"}, pile="8S").when(take_upcard("m1")).then_refused(
        "keep_two_cards", left=1, reason="sets_missing"
    )


def test_the_upcard_alone_does_not_fit_a_closed_meld_that_is_no_sequence() -> None:
    table = given(
        "bolivia", hand=SPARE, pile="8S", melds={"m1": "2S 2S 2H 2H 2D 2D 2C"}, options={"run_take": "upcard_only"}
    )
    table.when(take_upcard("m1")).then_refused("upcard_does_not_fit", card="8S", meld="m1")


def test_the_rest_of_the_pile_stays_and_the_card_below_becomes_the_upcard() -> None:
    table = given(hand=SPARE, pile="9C 3S 8S", melds={"m1": "5S 6S 7S"}, barred=[2])
    taken = table.when(take_upcard("m1"))
    taken.then(pile="9C 3S", holding=SPARE, melds={"m1": "5S 6S 7S 8S"}, barred=[2], began="upcard", phase="play")
    taken.then_events("took_upcard")


def test_a_frozen_pile_does_not_matter_to_the_upcard_alone() -> None:
    options = {"freezing": "wilds_and_black_threes", "run_take": "upcard_only"}
    table = given(hand=SPARE, pile="JK 3S 8S", melds={"m1": "5S 6S 7S"}, options=options)
    table.when(take_upcard("m1")).then(pile="JK 3S")


def test_the_upcard_may_complete_a_samba() -> None:
    table = given(hand=SPARE, pile="JS", melds={"m1": "5S 6S 7S 8S 9S TS"})
    table.when(take_upcard("m1")).then(melds={"m1": "5S 6S 7S 8S 9S TS JS"}, pile=0)
