"""Rule book 6.1 to 6.3 and 6.5: drawing, the order of checks for a take, the frozen pile, the bar."""

import pytest

from tests.domain.builders import EIGHTS, KINGS, discard, draw, given, meld, take, take_onto, take_upcard

SPARE = "JC TC"
OPEN = {"m1": "QS QH QD"}
CLASSIC = "canasta-classic"


@pytest.mark.parametrize(("ruleset", "players", "count"), [("samba-official", 4, 2), (CLASSIC, 4, 1), (CLASSIC, 2, 2)])
def test_the_seat_draws_as_many_cards_as_the_rule_set_says(ruleset: str, players: int, count: int) -> None:
    table = given(ruleset, players=players, hand="9C", stock="5S 6S 7S")
    table.when(draw()).then(stock=3 - count, began="stock", phase="play").then_event("drew", stock=3 - count)


def test_the_checks_of_a_take_in_order() -> None:
    foreign = {1: {"m9": "9S 9H 9D"}}
    base = {"ruleset": CLASSIC, "melds_of": foreign}
    given(**base, hand="8H").when(take_onto("m5", "9C")).then_refused("pile_empty")
    given(**base, hand="8H", pile="3S", barred=[0]).when(take_onto("m5", "9C")).then_refused(
        "cards_not_held", cards="9C"
    )
    given(**base, hand="8H", pile="3S", barred=[0]).when(take_onto("m5", "8H")).then_refused("unknown_meld", meld="m5")
    given(**base, hand="8H", pile="3S", barred=[0]).when(take_onto("m9", "8H")).then_refused("not_your_meld", meld="m9")
    given(**base, hand="8H", pile="3S", barred=[0]).when(take("8H")).then_refused("pile_barred")
    given(**base, hand="8H", pile="3S").when(take("8H")).then_refused("pile_blocked", card="3S")
    given(**base, hand="8H", pile="8S").when(take("8H")).then_refused("one_card_pile")
    given(**base, hand="8H 2C", pile="2S 8S").when(take("8H")).then_refused("natural_pair_needed", card="8S")
    given(**base, hand="8H 2C 2D 2H", pile="JK 8S").when(take("8H 2C 2D 2H")).then_refused(
        "pile_frozen", because="wild_in_pile"
    )
    limits = given(**base, hand="8H 8D 2C 2D 2H JK", pile="9C 8S")
    limits.when(take("8H 8D 2C 2D 2H JK", melds=["9C"])).then_refused("cards_not_held", cards="9C")
    limits.when(take("8H 8D 2C 2D 2H JK")).then_refused("too_many_wilds", wilds=4, maximum=3)
    further = given(**base, hand="8H 8D 4H 4S 5C", pile="9C 8S")
    further.when(take("8H 8D", melds=["4H 4S"])).then_refused("meld_too_small", cards="4S 4H", minimum=3)
    low = given(**base, hand="8H 8D", pile="8S")
    low.when(take("8H 8D")).then_refused("first_meld_too_low", points=30, needed=50)
    given(CLASSIC, hand="8H 8D", pile="8S", melds=OPEN).when(take("8H 8D")).then_refused(
        "keep_two_cards", left=0, reason="sets_missing"
    )


@pytest.mark.parametrize(
    ("upcard", "ruleset"), [("3H", "samba-official"), ("3C", CLASSIC), ("2D", CLASSIC), ("JK", "bolivia")]
)
def test_a_three_of_either_colour_or_a_wild_card_on_top_blocks_the_pile(upcard: str, ruleset: str) -> None:
    table = given(ruleset, hand=f"2S 2H 2D {SPARE}", pile=f"9C {upcard}", melds=OPEN)
    table.when(take("2S 2H")).then_refused("pile_blocked", card=upcard)


def test_a_wild_card_on_top_does_not_block_where_it_is_taken_with_two_wild_cards() -> None:
    table = given("samba-czech", hand=f"2S 2H {SPARE}", pile="9C JK", melds=OPEN)
    table.when(take("2S 2H")).then(melds=OPEN | {"m2": "JK 2S 2H"}, holding=f"{SPARE} 9C")


def test_a_three_blocks_even_there() -> None:
    table = given("samba-czech", hand=f"2S 2H {SPARE}", pile="9C 3H", melds=OPEN)
    table.when(take("2S 2H")).then_refused("pile_blocked", card="3H")


def test_one_card_against_a_pile_of_one_even_with_the_right_to_go_out() -> None:
    sets = {"m1": "AS AS AH AH AD AD AC", "m2": KINGS}
    one = given("samba-hoyle", hand="9C", pile="8S", melds=sets | {"m3": "8S 8H 8D"})
    one.when(take_onto("m3")).then_refused("one_card_pile")
    given("samba-hoyle", hand="9C", pile="9D 8S", melds=sets | {"m3": "8S 8H 8D"}).when(take_onto("m3")).then(
        holding="9C 9D"
    )
    given("samba-hoyle", hand="9C 9H", pile="8S", melds=sets | {"m3": "8S 8H 8D"}).when(take_onto("m3")).then(
        holding="9C 9H"
    )
    without = given(
        "samba-hoyle", hand="9C", pile="8S", melds=sets | {"m3": "8S 8H 8D"}, options={"one_card_pile_bar": False}
    )
    without.when(take_onto("m3")).then(holding="9C")


def test_further_melds_are_judged_in_the_order_given() -> None:
    table = given(hand=f"8H 8D 4H 4S 5C 5D 9S 9H {SPARE}", pile="9C 8S", melds=OPEN)
    table.when(take("8H 8D", melds=["4H 4S", "5C 5D 9S"])).then_refused("meld_too_small", cards="4S 4H", minimum=3)
    table.when(take("8H 8D", melds=["5C 5D 9S", "4H 4S"])).then_refused("not_a_meld", cards="9S 5D 5C")


def test_a_further_meld_may_not_repeat_the_rank_of_the_take_where_one_lies_once() -> None:
    table = given(CLASSIC, hand=f"8H 8D 8H 8D 8C {SPARE}", pile="9C 8S", melds=OPEN)
    table.when(take("8H 8D", melds=["8H 8D 8C"])).then_refused("rank_already_melded", rank="8", meld=None)


def test_ids_are_given_to_the_meld_of_the_take_first_then_to_the_further_ones() -> None:
    table = given(hand=f"8H 8D 4H 4S 4D 5S 6S 7S {SPARE}", pile="8S", melds=OPEN)
    taken = table.when(take("8H 8D", melds=["4H 4S 4D", "5S 6S 7S"]))
    taken.then(melds=OPEN | {"m2": "8S 8H 8D", "m3": "4H 4S 4D", "m4": "5S 6S 7S"})


@pytest.mark.parametrize(
    ("melds", "left", "reason"),
    [
        (OPEN, 2, "sets_missing"),
        ({"m1": EIGHTS, "m2": KINGS}, 2, "cards_left"),
    ],
)
def test_black_threes_are_no_further_meld_of_a_take(melds: dict[str, str], left: int, reason: str) -> None:
    table = given(hand="8H 8D 3S 3S 3C 9D", pile="9C 8S", melds=melds)
    table.when(take("8H 8D", melds=["3S 3S 3C"])).then_refused(
        "black_threes_only_when_going_out", left=left, reason=reason
    )


def test_black_threes_in_a_take_are_refused_so_even_where_there_are_no_such_melds() -> None:
    table = given("samba-czech", hand="8H 8D 3S 3S 3C 9D", pile="9C 8S", melds=OPEN)
    table.when(take("8H 8D", melds=["3S 3S 3C"])).then_refused(
        "black_threes_only_when_going_out", left=2, reason="sets_missing"
    )
    table.when(take("8H 8D", melds=["3S 3S 8C"])).then_refused("cards_not_held", cards="8C")


def test_automatic_red_threes_are_taken_off_the_cards_left_beside_black_threes() -> None:
    table = given(CLASSIC, hand="8H 8D 3S 3S 3C 9D", pile="3H 9C 8S", melds=OPEN)
    table.when(take("8H 8D", melds=["3S 3S 3C"])).then_refused(
        "black_threes_only_when_going_out", left=2, reason="sets_missing"
    )


def test_a_black_three_meld_that_is_not_legal_in_form_is_judged_as_a_meld() -> None:
    table = given(hand="8H 8D 3S 3S 2C 9D", pile="9C 8S", melds=OPEN)
    table.when(take("8H 8D", melds=["3S 3S 2C"])).then_refused("wild_with_black_threes", cards="2C 3S 3S")


def test_a_take_empties_the_pile_and_clears_the_bar() -> None:
    table = given(hand=f"8H 8D {SPARE}", pile="9C 8S", melds=OPEN, barred=[1, 2])
    table.when(take("8H 8D")).then(pile=0, barred=[], began="pile", phase="play", lone=None)


# 6.3 frozen


PAIR, MIXED = take("8H 8D"), take("8H 2C")


@pytest.mark.parametrize(
    ("freezing", "pile", "melded", "because"),
    [
        ("none", "JK 3H 3S 8S", False, None),
        ("classic", "9C 8S", True, None),
        ("classic", "9C 8S", False, "not_melded"),
        ("classic", "JK 3H 8S", False, "wild_in_pile"),
        ("classic", "2D 9C 8S", True, "wild_in_pile"),
        ("classic", "3H 9C 8S", True, "red_three_in_pile"),
        ("classic", "3D 9C 8S", False, "red_three_in_pile"),
        ("classic", "3S 9C 8S", True, None),
        ("wilds_and_black_threes", "9C 8S", False, None),
        ("wilds_and_black_threes", "JK 3S 8S", True, "wild_in_pile"),
        ("wilds_and_black_threes", "3C 9C 8S", True, "black_three_in_pile"),
        ("wilds_and_black_threes", "3H 9C 8S", True, None),
    ],
)
def test_what_freezes_the_pile(freezing: str, pile: str, melded: bool, because: str | None) -> None:
    options = {"freezing": freezing, "pile_take_natural_plus_wild": True}
    melds = OPEN if melded else {}
    scores = [-5, 0]
    table = given(hand=f"8H 8D 2C {SPARE}", pile=pile, melds=melds, scores=scores, options=options)
    table.when(PAIR).then(phase="play")
    if because is None:
        table.when(MIXED).then(phase="play")
    else:
        table.when(MIXED).then_refused("pile_frozen", because=because)


def test_a_frozen_pile_does_not_yield_to_an_extension_but_to_a_pair_onto_the_meld() -> None:
    table = given(CLASSIC, hand=f"8H 8H {SPARE}", pile="JK 8S", melds={"m1": "8C 8C 8D"})
    table.when(take_onto("m1")).then_refused("pile_frozen", because="wild_in_pile")
    table.when(take_onto("m1", "8H")).then_refused("pile_frozen", because="wild_in_pile")
    table.when(take_onto("m1", "8H 8H")).then(melds={"m1": "8C 8C 8D 8S 8H 8H"})


def test_with_mixed_take_when_frozen_a_mixed_take_opens_it_but_not_to_a_party_that_has_not_melded() -> None:
    options = {"mixed_take_when_frozen": True}
    base = {"ruleset": CLASSIC, "options": options, "hand": f"8H 2C {SPARE}", "scores": [-5, 0]}
    given(**base, pile="2D 8S", melds=OPEN).when(MIXED).then(phase="play")
    given(**base, pile="9C 8S").when(MIXED).then_refused("pile_frozen", because="not_melded")
    given(**base, pile="2D 8S").when(MIXED).then_refused("pile_frozen", because="wild_in_pile")
    given(**base, pile="2D 8S", melds={"m1": "8C 8C 8D"}).when(take_onto("m1")).then_refused(
        "pile_frozen", because="wild_in_pile"
    )


def test_covering_a_wild_card_does_not_thaw_the_pile_and_a_take_does() -> None:
    table = given(
        CLASSIC, seat=3, hand="8S 9S 9H", holdings={0: f"8H 8D {SPARE}"}, pile="2D", began="stock", melds_of={0: OPEN}
    )
    table.when(discard("8S"), take_onto("m1")).then_refused("upcard_does_not_fit", card="8S", meld="m1")
    taken = table.when(discard("8S"), take("8H 8D"), discard("JC"))
    taken.then(pile="JC", turn=1)


def test_the_pile_is_frozen_party_by_party() -> None:
    base = {"ruleset": CLASSIC, "pile": "9C 8S", "scores": [-5, -5]}
    given(**base, seat=1, hand=f"8H 2C {SPARE}", melds_of={0: OPEN}).when(MIXED).then_refused(
        "pile_frozen", because="not_melded"
    )
    given(**base, seat=2, hand=f"8H 2C {SPARE}", melds_of={0: OPEN}).when(MIXED).then(phase="play")


# 6.5 the bar of a black three


def test_a_black_three_bars_only_as_long_as_it_is_on_top() -> None:
    table = given(hand="3S 9C 9D", began="stock", holdings={1: f"8H 8D {SPARE}"}, pile="8S", melds_of={1: OPEN})
    table.when(discard("3S")).then(barred=[])
    table.when(discard("3S"), take("8H 8D")).then_refused("pile_blocked", card="3S")


BAR = {"black_three_bar": "next_player_until_taken"}


def test_the_next_seat_is_barred_until_another_seat_takes_the_pile_whatever_covers_the_three() -> None:
    table = given(
        hand="3S 9C 9D", began="stock", options=BAR, pile="4C", stock="5H 5D 5C 6H 6D 6C 7H 7D 7C",
        holdings={1: f"8H 8D {SPARE} 8S", 2: "8C 8C KS KH", 3: "4S 4H 9H", 0: "3S 9C 9D"},
        melds_of={0: {"m1": "QS QH QD"}, 1: {"m2": "AS AH AD"}},
    )  # fmt: skip
    barred = table.when(discard("3S")).then(barred=[1])
    barred = table.when(discard("3S"), draw(), discard("8S")).then(barred=[1])
    around = [discard("3S"), draw(), discard("8S"), take("8C 8C")]
    table.when(*around).then(barred=[])
    skipped = [
        discard("3S"),
        draw(),
        discard("8S"),
        draw(),
        discard("KS"),
        draw(),
        discard("4H"),
        draw(),
        discard("9C"),
    ]
    table.when(*skipped).then(turn=1, barred=[1])
    table.when(*skipped, take("8H 8D")).then_refused("pile_barred")
    assert barred.state.turn == 2


def test_several_seats_can_be_barred_and_drawing_is_free() -> None:
    table = given(hand="3C 9C 9D", began="stock", options=BAR, pile="3S", barred=[3], holdings={1: "9H 9S"})
    table.when(discard("3C")).then(barred=[1, 3])
    table.when(discard("3C"), draw()).then(phase="play")


def test_only_a_black_three_bars() -> None:
    table = given(hand="3H 9C 9D", began="stock", options=BAR, pile="5S")
    table.when(discard("9C")).then(barred=[])
    table.when(discard("3H")).then(barred=[])


def test_the_bar_also_covers_the_upcard_taken_alone() -> None:
    table = given(hand=SPARE, pile="8S", options=BAR, melds={"m1": "5S 6S 7S"}, barred=[0])
    table.when(take_upcard("m1")).then_refused("pile_barred")


def test_turning_the_pile_over_clears_the_bar() -> None:
    table = given("samba-czech", hand=SPARE, pile="4C 5C 6C", stock=0, barred=[0, 2])
    table.when(draw()).then(barred=[], pile=0, recycles=1, stock="6C").then_event("drew", recycled=3, stock=1)


def test_a_take_begins_the_turn_and_more_melds_may_follow() -> None:
    table = given(hand=f"8H 8D 4S 4H 4D {SPARE}", pile="8S", melds=OPEN)
    table.when(take("8H 8D"), meld("4S 4H 4D"), discard("JC")).then(holding="TC")
