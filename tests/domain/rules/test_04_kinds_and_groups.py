"""Rule book 4.1 and 4.2: which kind a list of cards is; groups and their limits."""

from typing import Any

import pytest

from tests.domain.builders import EIGHTS, given, meld, take_onto

SPARE = "JD TD"
"""Two cards that stay in hand."""

OPEN = {"m1": "QS QH QD"}
"""The side has melded."""

WITHOUT_SEQUENCES = {"sequences": False}


@pytest.mark.parametrize(
    ("new", "code", "params"),
    [
        ("8S 8H", "meld_too_small", {"cards": "8S 8H", "minimum": 3}),
        ("3H 3D", "meld_too_small", {"cards": "3H 3D", "minimum": 3}),
        ("8S 8H 3D", "red_three_in_meld", {"cards": "8S 8H 3D"}),
        ("3S 3C 3D", "red_three_in_meld", {"cards": "3S 3D 3C"}),
        ("2S 2H 3D", "red_three_in_meld", {"cards": "2S 2H 3D"}),
        ("8S 8H 3C", "not_a_meld", {"cards": "8S 8H 3C"}),
        ("3S 4S 5S", "not_a_meld", {"cards": "5S 4S 3S"}),
        ("3S 3C 2D 8S", "not_a_meld", {"cards": "2D 8S 3S 3C"}),
        ("3S 3C 2D", "wild_with_black_threes", {"cards": "2D 3S 3C"}),
        ("2S 2H JK", "off_in_ruleset", {"parameter": "wild_melds"}),
        ("8S 9S 2H", "wild_in_sequence", {"cards": "2H 9S 8S"}),
        ("4S KS JK", "wild_in_sequence", {"cards": "JK KS 4S"}),
        ("8S 9H 2H", "not_a_meld", {"cards": "2H 9H 8S"}),
        ("8S 8S 9S 2H", "not_a_meld", {"cards": "2H 9S 8S 8S"}),
        ("8S 9S TH", "not_a_meld", {"cards": "TH 9S 8S"}),
        ("8S 9S JS", "not_a_meld", {"cards": "JS 9S 8S"}),
        ("8S 9S 9S TS", "not_a_meld", {"cards": "TS 9S 9S 8S"}),
        ("KS AS 4S", "not_a_meld", {"cards": "AS KS 4S"}),
        ("8S 8H 9S", "not_a_meld", {"cards": "9S 8S 8H"}),
    ],
)
def test_the_first_line_that_applies_decides_what_a_list_of_cards_is(
    new: str, code: str, params: dict[str, Any]
) -> None:
    table = given(hand=f"{new} {SPARE}", began="stock", melds=OPEN)
    table.when(meld(new)).then_refused(code, **params)


@pytest.mark.parametrize(
    ("new", "code", "params"),
    [
        ("8S 9S TS", "off_in_ruleset", {"parameter": "sequences"}),
        ("4S 5S 6S 7S 8S 9S TS JS", "off_in_ruleset", {"parameter": "sequences"}),
        ("8S 9S JS", "not_a_meld", {"cards": "JS 9S 8S"}),
        ("8S 9S 2H", "not_a_meld", {"cards": "2H 9S 8S"}),
    ],
)
def test_without_sequences_a_faultless_run_is_off_and_anything_else_no_meld(
    new: str, code: str, params: dict[str, Any]
) -> None:
    table = given(hand=f"{new} {SPARE}", began="stock", melds=OPEN, options=WITHOUT_SEQUENCES)
    table.when(meld(new)).then_refused(code, **params)


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        ("4S 4H 4D", "group"),
        ("AS AS AC", "group"),
        ("8S 8H 2C", "group"),
        ("9S TS JS", "sequence"),
        ("3S 3S 3C", "black_threes"),
    ],
)
def test_a_list_is_the_kind_that_its_cards_make_it(new: str, kind: str) -> None:
    melds = OPEN | {"m2": EIGHTS, "m3": "KS KS KH KH KD 2S 2H"}
    table = given(hand=f"{new} JD", began="stock", melds=melds)
    reached = table.when(meld(new)).then_event("melded", added=[], joined=[])
    assert reached.state.melds[0]["m4"].meld.kind == kind


def test_a_group_has_three_cards_at_least_of_one_rank_and_no_upper_bound() -> None:
    table = given(hand=f"8H 8D {SPARE}", began="stock", melds={"m1": f"{EIGHTS} 8C 8C"})
    table.when(meld(add={"m1": "8H 8D"})).then(melds={"m1": f"{EIGHTS} 8C 8C 8H 8D"})


def test_with_one_meld_a_rank_a_second_group_is_refused_before_and_within_the_move() -> None:
    options = {"several_melds_per_rank": False}
    table = given(hand=f"8S 8H 8D KS KH KD KS KH KC {SPARE}", began="stock", melds={"m1": "8C 8C 8S"}, options=options)
    table.when(meld("8S 8H 8D")).then_refused("rank_already_melded", rank="8", meld="m1")
    table.when(meld("KS KH KD", "KS KH KC")).then_refused("rank_already_melded", rank="K", meld=None)
    table.when(meld("KS KH KD", add={"m1": "8H"})).then(melds={"m1": "8C 8C 8S 8H", "m2": "KS KH KD"})


def test_the_melds_of_others_do_not_take_up_a_rank() -> None:
    options = {"several_melds_per_rank": False}
    table = given(
        hand=f"8S 8H 8D {SPARE}", began="stock", melds=OPEN, melds_of={1: {"m2": "8C 8C 8S"}}, options=options
    )
    table.when(meld("8S 8H 8D")).then(melds=OPEN | {"m3": "8S 8H 8D"})


def test_with_several_melds_a_rank_any_number_lies_side_by_side() -> None:
    table = given(hand=f"8S 8H 8D 8H 8D 8D {SPARE}", began="stock", melds={"m1": "8C 8C 8S"})
    table.when(meld("8S 8H 8D", "8H 8D 8D")).then(melds={"m1": "8C 8C 8S", "m2": "8S 8H 8D", "m3": "8H 8D 8D"})


@pytest.mark.parametrize(("maximum", "wilds", "legal"), [(2, 2, True), (2, 3, False), (0, 1, False), (3, 3, True)])
def test_a_group_holds_at_most_so_many_wild_cards(maximum: int, wilds: int, legal: bool) -> None:
    deuces = " ".join(["2S", "2H", "2D"][:wilds])
    options = {"max_wilds": maximum, "group_ratio": "min_two_naturals"}
    table = given(hand=f"8S 8H 8D 8C {deuces} {SPARE}", began="stock", melds=OPEN, options=options)
    made = table.when(meld(f"8S 8H 8D 8C {deuces}"))
    if legal:
        made.then(holding=SPARE)
    else:
        made.then_refused("too_many_wilds", wilds=wilds, maximum=maximum)


@pytest.mark.parametrize(
    ("ratio", "naturals", "wilds", "legal"),
    [
        ("two_to_one", 2, 1, True),
        ("two_to_one", 3, 2, False),
        ("two_to_one", 4, 2, True),
        ("two_to_one", 5, 3, False),
        ("two_to_one", 6, 3, True),
        ("three_to_two", 2, 1, True),
        ("three_to_two", 2, 2, False),
        ("three_to_two", 3, 2, True),
        ("three_to_two", 4, 3, False),
        ("three_to_two", 5, 3, True),
        ("half", 2, 1, True),
        ("half", 1, 2, False),
        ("half", 2, 2, True),
        ("half", 2, 3, False),
        ("half", 3, 3, True),
        ("more_naturals", 2, 1, True),
        ("more_naturals", 2, 2, False),
        ("more_naturals", 3, 2, True),
        ("more_naturals", 3, 3, False),
        ("more_naturals", 4, 3, True),
        ("min_two_naturals", 1, 2, False),
        ("min_two_naturals", 2, 1, True),
        ("min_two_naturals", 2, 3, True),
    ],
)
def test_the_ratio_says_how_many_naturals_the_wild_cards_need(
    ratio: str, naturals: int, wilds: int, legal: bool
) -> None:
    new = " ".join([*["8S", "8S", "8H", "8H", "8D", "8D"][:naturals], *["JK", "2S", "2H"][:wilds]])
    table = given(hand=f"{new} {SPARE}", began="stock", melds=OPEN, options={"group_ratio": ratio, "max_wilds": 6})
    made = table.when(meld(new))
    if legal:
        made.then(melds=OPEN | {"m2": new})
    else:
        made.then_refused("too_few_naturals", naturals=naturals, wilds=wilds, ratio=ratio)


def test_the_number_of_wild_cards_comes_before_the_ratio() -> None:
    table = given(hand=f"8S 8H 2S 2H 2D {SPARE}", began="stock", melds=OPEN)
    table.when(meld("8S 8H 2S 2H 2D")).then_refused("too_many_wilds", wilds=3, maximum=2)


def test_a_wild_card_makes_a_natural_canasta_mixed_and_it_stays_mixed() -> None:
    table = given(hand=f"2S 8C {SPARE}", began="stock", melds={"m1": EIGHTS})
    table.when(meld(add={"m1": "2S"}), meld(add={"m1": "8C"})).then(melds={"m1": f"{EIGHTS} 2S 8C"})


FINISHED = {"wild_on_finished_canasta": False}


def test_a_finished_canasta_takes_no_further_wild_card_where_the_rule_set_says_so() -> None:
    table = given(hand=f"2S 8C {SPARE}", began="stock", melds={"m1": EIGHTS}, options=FINISHED)
    table.when(meld(add={"m1": "2S"})).then_refused("wild_on_canasta", meld="m1")
    table.when(meld(add={"m1": "8C"})).then(melds={"m1": f"{EIGHTS} 8C"})


def test_a_mixed_canasta_takes_no_further_wild_card_either() -> None:
    melds = {"m1": "8S 8S 8H 8H 8D 8D 2S"}
    table = given(hand=f"2H 8C {SPARE}", began="stock", melds=melds, options=FINISHED)
    table.when(meld(add={"m1": "2H"})).then_refused("wild_on_canasta", meld="m1")
    table.when(meld(add={"m1": "2H 8C"})).then_refused("wild_on_canasta", meld="m1")


def test_a_group_that_passes_seven_within_one_move_is_free() -> None:
    table = given(hand=f"2S 2H {SPARE}", began="stock", melds={"m1": "8S 8S 8H 8H 8D 8D"}, options=FINISHED)
    table.when(meld(add={"m1": "2S 2H"})).then(melds={"m1": "8S 8S 8H 8H 8D 8D 2S 2H"})


def test_a_finished_canasta_takes_no_wild_card_of_a_take_either() -> None:
    options = FINISHED | {"pile_take_extend": "any"}
    table = given(hand=f"2S {SPARE}", pile="4C 8C", melds={"m1": EIGHTS}, options=options)
    table.when(take_onto("m1", "2S")).then_refused("wild_on_canasta", meld="m1")


def test_a_join_may_not_bring_a_wild_card_to_a_finished_canasta() -> None:
    table = given("samba-hoyle", hand=SPARE, began="stock", melds={"m1": "8S 8H 2C", "m2": EIGHTS})
    table.when(meld(join=["m1 m2"])).then_refused("wild_on_canasta", meld="m2")


def test_a_join_of_finished_canastas_may_hold_no_more_wild_cards_than_any_one_of_them() -> None:
    kings = {"m1": "KS KS KS KH KH KH KD", "m2": "KD KD KC KC KC 2S 2H"}
    options = {"max_wilds": 4}
    table = given("samba-hoyle", hand=SPARE, began="stock", melds=kings, options=options)
    table.when(meld(join=["m1 m2"])).then_refused("wild_on_canasta", meld="m1")
    table.when(meld(join=["m2 m1"])).then_refused("wild_on_canasta", meld="m2")


def test_a_join_that_finishes_a_canasta_may_hold_wild_cards() -> None:
    melds = {"m1": "8S 8H 8D 2S", "m2": "8C 8C 8S 2H"}
    table = given("samba-hoyle", hand=SPARE, began="stock", melds=melds)
    table.when(meld(join=["m1 m2"])).then(melds={"m1": "8S 8H 8D 2S 8C 8C 8S 2H"})


def test_a_join_of_natural_groups_with_a_finished_one_is_legal() -> None:
    melds = {"m1": "8C 8C 8S", "m2": "8S 8S 8H 8H 8D 8D 2C"}
    table = given("samba-hoyle", hand=SPARE, began="stock", melds=melds)
    table.when(meld(join=["m1 m2"])).then(melds={"m1": "8C 8C 8S 8S 8S 8H 8H 8D 8D 2C"})
