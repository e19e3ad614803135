"""Rule book 6.4: the forms of a take."""

import pytest

from tests.domain.builders import EIGHTS, SAMBA, given, take, take_onto

SPARE = "JC TC"
OPEN = {"m1": "QS QH QD"}
CLASSIC = "canasta-classic"
MIXED_ON = {"pile_take_natural_plus_wild": True}


# The upcard natural, without `onto`.


@pytest.mark.parametrize("with_", ["8H 9H", "8H 8D 9H", "8H 8D 3S", "8H 8D 3H", "9H TH"])
def test_another_natural_or_a_three_beside_the_upcard_does_not_fit(with_: str) -> None:
    table = given(hand=f"{with_} {SPARE}", pile="8S", melds=OPEN)
    table.when(take(with_)).then_refused("upcard_does_not_fit", card="8S", meld=None)


def test_two_cards_of_the_rank_are_a_pair_take_with_further_cards_within_the_limits_of_a_group() -> None:
    table = given(hand=f"8H 8D 8C 2S 2H {SPARE}", pile="8S", melds=OPEN)
    table.when(take("8H 8D")).then(melds=OPEN | {"m2": "8S 8H 8D"})
    table.when(take("8H 8D 8C 2S 2H")).then(melds=OPEN | {"m2": "8S 8H 8D 8C 2S 2H"})
    table.when(take("8H 8D 2S 2H")).then_refused("too_few_naturals", naturals=3, wilds=2, ratio="two_to_one")


@pytest.mark.parametrize("with_", ["", "8H", "2S", "2S 2H", "8H 2S"])
def test_anything_less_than_a_pair_needs_one(with_: str) -> None:
    table = given(hand=f"{with_} {SPARE}", pile="8S", melds=OPEN)
    table.when(take(with_)).then_refused("natural_pair_needed", card="8S")


def test_one_of_the_rank_and_a_wild_card_are_a_mixed_take_where_the_rule_set_has_it() -> None:
    table = given(hand=f"8H 2S JK {SPARE}", pile="8S", melds=OPEN, options=MIXED_ON | {"group_ratio": "half"})
    table.when(take("8H 2S")).then(melds=OPEN | {"m2": "8S 8H 2S"})
    table.when(take("8H 2S JK")).then(melds=OPEN | {"m2": "8S 8H 2S JK"})
    table.when(take("8H")).then_refused("natural_pair_needed", card="8S")
    table.when(take("2S JK")).then_refused("natural_pair_needed", card="8S")


@pytest.mark.parametrize("target", ["new", "existing_or_new"])
def test_without_onto_a_pair_makes_a_new_group(target: str) -> None:
    table = given(hand=f"8H 8D {SPARE}", pile="8S", melds={"m1": "8C 8C 8S"}, options={"pair_target": target})
    table.when(take("8H 8D")).then(melds={"m1": "8C 8C 8S", "m2": "8S 8H 8D"})


def test_with_pair_target_existing_a_pair_joins_the_group_of_the_rank_with_the_lowest_number() -> None:
    melds = {"m1": "QS QH QD", "m2": "8C 8C 8S", "m3": "8D 8D 2S"}
    table = given(hand=f"8H 8H {SPARE}", pile="8S", melds=melds, options={"pair_target": "existing"})
    taken = table.when(take("8H 8H")).then(melds=melds | {"m2": "8C 8C 8S 8S 8H 8H"})
    taken.then_event("took_pile", meld={"id": "m2", "kind": "group", "cards": ["8S", "8S", "8H", "8H", "8C", "8C"]})
    fresh = given(hand=f"8H 8H {SPARE}", pile="8S", melds=OPEN, options={"pair_target": "existing"})
    fresh.when(take("8H 8H")).then(melds=OPEN | {"m2": "8S 8H 8H"})


def test_a_mixed_take_joins_the_group_of_the_rank_too() -> None:
    table = given(CLASSIC, hand=f"8H 2C {SPARE}", pile="8S", melds={"m1": "8C 8C 8D"})
    table.when(take("8H 2C")).then(melds={"m1": "8C 8C 8D 8S 8H 2C"})


def test_the_meld_extended_obeys_its_limits() -> None:
    table = given(CLASSIC, hand=f"8H 2C {SPARE}", pile="8S", melds={"m1": "8C 8D 2S 2H 2D"})
    table.when(take("8H 2C")).then_refused("too_many_wilds", wilds=4, maximum=3)


# The upcard natural, `onto` a group.


@pytest.mark.parametrize(
    ("upcard", "with_"), [("9S", ""), ("9S", "8H"), ("8S", "9H"), ("8S", "3S"), ("8S", "8H 9H"), ("8S", "3H")]
)
def test_onto_a_group_everything_must_be_of_its_rank_or_wild(upcard: str, with_: str) -> None:
    table = given("samba-hoyle", hand=f"{with_} {SPARE}", pile=f"4S {upcard}", melds={"m1": "8C 8C 8D"})
    table.when(take_onto("m1", with_)).then_refused("upcard_does_not_fit", card=upcard, meld="m1")


@pytest.mark.parametrize("target", ["existing_or_new", "existing"])
def test_a_pair_onto_a_group_is_a_pair_take_even_frozen_and_on_a_finished_canasta(target: str) -> None:
    options = {"pair_target": target}
    table = given(
        "samba-hoyle", hand=f"8H 8H {SPARE}", pile="JK 8S", melds={"m1": "8S 8S 8D 8D 8D 8C 8C"}, options=options
    )
    table.when(take_onto("m1", "8H 8H")).then(phase="play")


def test_with_pair_target_new_a_pair_onto_a_group_is_an_extension() -> None:
    base = {"hand": f"8H 8H {SPARE}", "pile": "4S 8S"}
    off = given(**base, melds={"m1": "8C 8C 8D"})
    off.when(take_onto("m1", "8H 8H")).then_refused("off_in_ruleset", parameter="pile_take_extend")
    below = given("samba-hoyle", **base, melds={"m1": "8S 8S 8D 8D 8D 8C 8C"})
    below.when(take_onto("m1", "8H 8H")).then_refused("take_onto_canasta", meld="m1")
    frozen = given("samba-hoyle", hand=f"8H 8H {SPARE}", pile="JK 8S", melds={"m1": "8C 8C 8D"})
    frozen.when(take_onto("m1", "8H 8H")).then_refused("pile_frozen", because="wild_in_pile")


def test_a_mixed_take_onto_a_group_needs_one_natural_a_wild_card_and_the_options() -> None:
    base = {"hand": f"8H 2S JK {SPARE}", "pile": "4S 8S", "melds": {"m1": "8C 8C 8D"}}
    on = given(**base, options=MIXED_ON | {"pair_target": "existing_or_new"})
    on.when(take_onto("m1", "8H 2S")).then(melds={"m1": "8C 8C 8D 8S 8H 2S"})
    for with_ in ("8H", "2S", "2S JK", ""):
        on.when(take_onto("m1", with_)).then_refused("off_in_ruleset", parameter="pile_take_extend")
    given(**base, options=MIXED_ON).when(take_onto("m1", "8H 2S")).then_refused(
        "off_in_ruleset", parameter="pile_take_extend"
    )
    given(**base, options={"pair_target": "existing_or_new"}).when(take_onto("m1", "8H 2S")).then_refused(
        "off_in_ruleset", parameter="pile_take_extend"
    )


def test_a_mixed_take_onto_a_group_is_no_mixed_take_where_it_is_frozen() -> None:
    options = {"mixed_take_when_frozen": True}
    table = given(CLASSIC, hand=f"8H 2S {SPARE}", pile="JK 8S", melds={"m1": "8C 8C 8D"}, options=options)
    table.when(take_onto("m1", "8H 2S")).then(phase="play")
    strict = given(CLASSIC, hand=f"8H 2S {SPARE}", pile="JK 8S", melds={"m1": "8C 8C 8D"})
    strict.when(take_onto("m1", "8H 2S")).then_refused("pile_frozen", because="wild_in_pile")


def test_a_mixed_take_is_legal_on_a_finished_canasta_below_seven_or_not() -> None:
    options = MIXED_ON | {"pair_target": "existing_or_new", "pile_take_extend": "below_seven"}
    table = given(hand=f"8H 2S {SPARE}", pile="4S 8S", melds={"m1": EIGHTS}, options=options)
    table.when(take_onto("m1", "8H 2S")).then(melds={"m1": f"{EIGHTS} 8S 8H 2S"})


@pytest.mark.parametrize(
    ("extend", "own", "legal"),
    [
        ("off", "8C 8C 8D", False),
        ("below_seven", "8C 8C 8D", True),
        ("below_seven", "8S 8S 8H 8H 8D 8D", True),
        ("any", EIGHTS, True),
    ],
)
def test_an_extension_of_a_group(extend: str, own: str, legal: bool) -> None:
    table = given(hand=SPARE, pile="4S 8C", melds={"m1": own}, options={"pile_take_extend": extend})
    taken = table.when(take_onto("m1"))
    if legal:
        taken.then(melds={"m1": f"{own} 8C"}, holding=f"{SPARE} 4S")
    else:
        taken.then_refused("off_in_ruleset", parameter="pile_take_extend")


def test_a_finished_canasta_is_not_extended_below_seven() -> None:
    table = given(hand=SPARE, pile="4S 8C", melds={"m1": EIGHTS}, options={"pile_take_extend": "below_seven"})
    table.when(take_onto("m1")).then_refused("take_onto_canasta", meld="m1")


# The upcard natural, `onto` a sequence.


def test_the_whole_pile_by_a_run_only_where_the_rule_set_has_it() -> None:
    runs = {"m1": "5S 6S 7S"}
    given(hand=SPARE, pile="9C 8S", melds=runs).when(take_onto("m1")).then_refused(
        "off_in_ruleset", parameter="run_take"
    )
    table = given("samba-czech", hand=SPARE, pile="9C 8S", melds=runs)
    table.when(take_onto("m1")).then(melds={"m1": "5S 6S 7S 8S"}, holding=f"{SPARE} 9C")
    low = given("samba-czech", hand=SPARE, pile="9C 4S", melds=runs)
    low.when(take_onto("m1")).then(melds={"m1": "4S 5S 6S 7S"})


@pytest.mark.parametrize(
    ("upcard", "with_"), [("9S", "8S"), ("8S", "9S"), ("9S", ""), ("8H", ""), ("6S", ""), ("8S", "2S")]
)
def test_the_upcard_must_by_itself_extend_the_run_at_one_end(upcard: str, with_: str) -> None:
    table = given("samba-czech", hand=f"{with_} {SPARE}", pile=f"9C {upcard}", melds={"m1": "5S 6S 7S"})
    table.when(take_onto("m1", with_)).then_refused("upcard_does_not_fit", card=upcard, meld="m1")


def test_a_samba_is_closed_to_a_take_before_anything_else_about_it() -> None:
    table = given("samba-czech", hand=f"9D {SPARE}", pile="9C 8S", melds={"m1": SAMBA})
    table.when(take_onto("m1", "9D")).then_refused("meld_closed", meld="m1")


def test_the_whole_pile_by_a_run_is_an_extension_that_a_frozen_pile_refuses() -> None:
    table = given("samba-hoyle", hand=SPARE, pile="JK 8S", melds={"m1": "5S 6S 7S"})
    table.when(take_onto("m1")).then_refused("pile_frozen", because="wild_in_pile")


@pytest.mark.parametrize("own", ["JK 2S 2H", "3S 3S 3C"])
def test_no_natural_upcard_fits_a_wild_or_black_three_meld(own: str) -> None:
    table = given("bolivia", hand=f"8H 8D {SPARE}", pile="9C 8S", melds={"m1": own})
    table.when(take_onto("m1", "8H 8D")).then_refused("upcard_does_not_fit", card="8S", meld="m1")


def test_a_jack_does_not_fit_a_meld_of_jokers() -> None:
    table = given("bolivia", hand=f"JH JD {SPARE}", pile="9C JS", melds={"m1": "JK JK JK"})
    table.when(take_onto("m1", "JH JD")).then_refused("upcard_does_not_fit", card="JS", meld="m1")


# The upcard wild.


@pytest.mark.parametrize("with_", ["", "2S", "2S 8H", "2S 2H 8H", "8H 8D", "2S 2H 3S"])
def test_a_wild_upcard_needs_two_or_more_cards_all_wild(with_: str) -> None:
    table = given("samba-czech", hand=f"{with_} {SPARE}", pile="9C JK", melds=OPEN)
    table.when(take(with_)).then_refused("wild_pair_needed", card="JK")


def test_a_wild_upcard_never_goes_onto_a_meld() -> None:
    table = given("samba-czech", hand=f"2S 2H {SPARE}", pile="9C JK", melds={"m1": "2D 2C 2C"})
    table.when(take_onto("m1", "2S 2H")).then_refused("wild_pair_needed", card="JK")


def test_a_wild_upcard_makes_a_new_wild_meld_with_two_or_more_and_counts_as_a_pair() -> None:
    options = {"wild_top_taken_with_two_wilds": True}
    table = given("bolivia", hand=f"2S 2H 2D {SPARE}", pile="9C JK", melds={"m1": "2C 2C 2C"}, options=options)
    table.when(take("2S 2H 2D")).then(melds={"m1": "2C 2C 2C", "m2": "JK 2S 2H 2D"})
