"""Rule book 2.1, 2.2 and 2.4, formats part 8: sides, the deal, the upcard, the order of play."""

import pytest

from domain.cards import pack
from domain.dealing import deal
from domain.evolve import initial_table
from domain.rules import compile_rules
from domain.rulesets import resolve
from tests.domain.builders import discard, draw, given, given_deal, meld
from tests.domain.outcomes import cards

ONE_EACH = {"hand_size": 1}
AUTOMATIC = {"hand_size": 2, "red_threes": "automatic"}


@pytest.mark.parametrize(
    ("players", "teams", "sides"),
    [
        (2, "three_pairs", [[0], [1]]),
        (3, "three_pairs", [[0], [1], [2]]),
        (4, "three_pairs", [[0, 2], [1, 3]]),
        (5, "three_pairs", [[0], [1], [2], [3], [4]]),
        (6, "three_pairs", [[0, 3], [1, 4], [2, 5]]),
        (6, "two_trios", [[0, 2, 4], [1, 3, 5]]),
    ],
)
def test_four_play_in_pairs_six_as_the_rule_set_says_and_the_others_alone(
    players: int, teams: str, sides: list[list[int]]
) -> None:
    rules = compile_rules(resolve("samba-official", {"six_player_teams": teams}), players)
    assert [list(side) for side in rules.sides] == sides


def test_the_pack_is_so_many_packs_of_52_and_so_many_jokers() -> None:
    whole = pack(3, 6)
    assert len(whole) == 3 * 52 + 6
    assert whole.count("JK") == 6
    assert {whole.count(face) for face in whole if face != "JK"} == {3}


def test_cards_are_dealt_one_at_a_time_clockwise_from_the_seat_after_the_dealer() -> None:
    dealt = given_deal("4S 5S 6S 4H 5H 6H 7D 8D 9D", players=3, dealer=1, options={"hand_size": 2})
    dealt.when_nothing_happens().then(holdings={2: "4S 4H", 0: "5S 5H", 1: "6S 6H"}, pile="7D", stock="8D 9D", dealer=1)


def test_the_hand_starts_with_the_seat_after_the_dealer_in_phase_draw_with_nothing_barred_asked_or_turned() -> None:
    given_deal("4S 5S 6S 7D", players=3, dealer=2, options=ONE_EACH).when_nothing_happens().then(
        turn=0, phase="draw", barred=[], permission=None, recycles=0, began=None, lone=None,
        melded_this_turn=False, last_turn=False, has_melded=[False] * 3, had_turn=[False] * 3,
    )  # fmt: skip


def test_the_hand_size_may_hang_on_the_number_of_seats() -> None:
    assert compile_rules(resolve("samba-official"), 6).hand_size == 13
    assert compile_rules(resolve("samba-official"), 5).hand_size == 15


@pytest.mark.parametrize(
    ("rule", "turned", "pile"),
    [
        ("cover_special", "JK 2S 3H 3C 9D 8D", "JK 2S 3H 3C 9D"),
        ("cover_special", "4D 8D", "4D"),
        ("cover_and_freeze", "JK 2S 3H 9D 8D", "JK 2S 3H 9D"),
        ("cover_and_freeze", "3D 3C 9D 8D", "3D 3C"),
        ("plain", "JK 9D", "JK"),
        ("plain", "3H 9D", "3H"),
        ("cover_special", "3S 2D", "3S 2D"),
    ],
)
def test_the_upcard_rule_says_which_cards_are_covered_by_the_next(rule: str, turned: str, pile: str) -> None:
    options = {"hand_size": 1, "upcard_rule": rule}
    left = " ".join(cards(turned)[len(cards(pile)) :])
    given_deal(f"4S 5S {turned}", options=options).when_nothing_happens().then(pile=pile, stock=left)


def test_dealt_red_threes_are_laid_and_replaced_seat_by_seat_from_the_seat_after_the_dealer() -> None:
    dealt = given_deal("3H 3D 4S 5S 9D 6C 7C 8C", options=AUTOMATIC, dealer=0)
    dealt.when_nothing_happens().then(holdings={1: "4S 6C", 0: "5S 7C"}, red_threes=["3D", "3H"], pile="9D", stock="8C")


def test_a_dealt_replacement_that_is_a_red_three_is_laid_and_replaced_before_the_next_seat() -> None:
    dealt = given_deal("3H 3D 4S 5S 9D 3D 6C 7C 8C", options=AUTOMATIC, dealer=0)
    dealt.when_nothing_happens().then(holdings={1: "4S 6C", 0: "5S 7C"}, red_threes=["3D", "3H 3D"], stock="8C")


def test_red_threes_go_in_rounds_all_that_are_held_first_then_those_among_the_replacements() -> None:
    dealt = given_deal("3H 4S 3D 5S 9D 3H 6C 7C 8C", options=AUTOMATIC, dealer=0)
    dealt.when_nothing_happens().then(holdings={1: "6C 7C"}, red_threes=["", "3H 3D 3H"])
    table = initial_table(compile_rules(resolve("samba-official", AUTOMATIC), 2))
    laid = deal(table, 1, 0, cards("3H 4S 3D 5S 9D 3H 6C 7C 8C")).red_threes
    assert [(each.card, each.replacement) for each in laid] == [("3H", "3H"), ("3D", "6C"), ("3H", "7C")]


def test_a_stock_exhausted_by_dealt_red_threes_ends_nothing() -> None:
    dealt = given_deal("3H 4S 3D 5S 9D 3H", options=AUTOMATIC)
    dealt.when_nothing_happens().then(phase="draw", stock=0, holdings={1: ""}, red_threes=["", "3H 3D 3H"])


def test_without_automatic_red_threes_dealt_ones_stay_in_hand() -> None:
    given_deal("3H 4S 9D 6C", options=ONE_EACH).when_nothing_happens().then(holdings={1: "3H"}, stock="6C")


def test_turns_run_clockwise_and_pass_on_with_the_discard() -> None:
    start = given("samba-official", seat=3, hand="4S 5S", began="stock")
    start.when(discard("4S")).then(turn=0, phase="draw", began=None, had_turn=[False, False, False, True])


def test_a_turn_may_meld_any_number_of_times() -> None:
    table = given(hand="4S 4H 4D 5S 5H 5D 6S 7S", began="stock", melds={"m1": "KS KH KD"})
    table.when(meld("4S 4H 4D"), meld("5S 5H 5D"), discard("6S")).then(holding="7S")


def test_a_striped_stock_gives_each_seat_the_cards_of_its_own_stripe() -> None:
    dealt = given_deal("4S 5S 9D 4C 5C 6C 7C 8C TC", striped=True, options=ONE_EACH, dealer=0)
    dealt.when(draw(), discard("4C"), draw()).then(holdings={1: "4S 6C", 0: "5S 5C 7C"}, stock=2)


def test_an_empty_stripe_is_helped_out_by_the_longest_one() -> None:
    dealt = given_deal("4S 5S 6S 9D 4C 5C 6C 7C 8C", players=3, striped=True, options=ONE_EACH, dealer=0)
    first = dealt.when(draw(), discard("4C"), draw(), discard("5C"), draw())
    # Seat 1 drew 4C and 7C, seat 2 drew 5C and 8C; seat 0 has 6C only and finds no other stripe.
    first.then(holdings={1: "4S 7C", 2: "5S 8C", 0: "6S 6C"}, stock=0)


def test_of_equally_long_stripes_the_lowest_seat_helps_out() -> None:
    dealt = given_deal(
        "4S 5S 6S 9D 4C 5C 6C 7C 8C TC JC QC KC", players=3, striped=True, dealer=2,
        options={"hand_size": 1, "draw_count": 4},
    )  # fmt: skip
    # Seat 0 draws 4C 7C JC of its own and one of seat 1, whose stripe is as long as that of seat 2.
    dealt.when(draw()).then(holdings={0: "4S 4C 7C JC 5C"}, stock=5)


def test_replacements_come_from_the_own_stripe_too() -> None:
    dealt = given_deal("3H 4S 5S 6S 9D 4C 5C 6C 7C", striped=True, options=AUTOMATIC | {"draw_count": 1}, dealer=0)
    dealt.when_nothing_happens().then(holdings={1: "5S 4C"}, stock=3)
    dealt.when(draw()).then(holdings={1: "5S 4C 6C"}, stock=2)


def test_a_pile_turned_over_is_dealt_into_stripes_beginning_with_the_seat_that_draws() -> None:
    dealt = given_deal("4S 5S 9D", "samba-czech", striped=True, dealer=0, options={"hand_size": 1, "draw_count": 2})
    table = dealt.state.copy()
    table.pile = "9D8D7D6D"
    type(dealt)(table).when(draw()).then(holdings={1: "4S 9D 7D"}, stock=2, pile=0, recycles=1)
