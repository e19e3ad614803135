"""Rule book part 9: malformed moves, and the order of checks for every move."""

from typing import Any

import pytest

from domain.moves import move_to_json, parse_move
from domain.refusals import Refused
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
    pass_,
    resign,
    take,
    take_onto,
    take_upcard,
)

OPEN = {"m1": "QS QH QD"}


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (None, "move"),
        ([], "move"),
        ("draw", "move"),
        ({}, "type"),
        ({"type": "deal"}, "type"),
        ({"type": None}, "type"),
        ({"type": ["draw"]}, "type"),
        ({"type": "draw", "cards": []}, "cards"),
        ({"type": "discard"}, "cards"),
        ({"type": "discard", "cards": []}, "cards"),
        ({"type": "discard", "cards": ["1S"]}, "cards"),
        ({"type": "discard", "cards": ["8s"]}, "cards"),
        ({"type": "discard", "cards": "8S"}, "cards"),
        ({"type": "discard", "cards": ["??"]}, "cards"),
        ({"type": "discard", "cards": [None]}, "cards"),
        ({"type": "take_pile"}, "with"),
        ({"type": "take_pile", "melds": [["8S", "8H", "8D"]]}, "with"),
        ({"type": "take_pile", "with": None}, "with"),
        ({"type": "take_pile", "with": ["XX"]}, "with"),
        ({"type": "take_pile", "with": ["8S"], "onto": None}, "onto"),
        ({"type": "take_pile", "with": ["8S"], "melds": [[]]}, "melds"),
        ({"type": "take_pile", "with": ["8S"], "melds": ["8S"]}, "melds"),
        ({"type": "take_upcard"}, "onto"),
        ({"type": "take_upcard", "onto": None}, "onto"),
        ({"type": "take_upcard", "onto": 1}, "onto"),
        ({"type": "meld"}, "new"),
        ({"type": "meld", "new": [], "add": {}, "join": []}, "new"),
        ({"type": "meld", "new": [[]]}, "new"),
        ({"type": "meld", "new": [["8S", "8H", "8X"]]}, "new"),
        ({"type": "meld", "add": {"m1": []}}, "add"),
        ({"type": "meld", "add": []}, "add"),
        ({"type": "meld", "join": [["m1"]]}, "join"),
        ({"type": "meld", "join": [[]]}, "join"),
        ({"type": "meld", "join": [["m1", "m1"]]}, "join"),
        ({"type": "meld", "join": [["m1", "m2"], ["m2", "m3"]]}, "join"),
        ({"type": "lay_red_three"}, "card"),
        ({"type": "lay_red_three", "card": "3X"}, "card"),
        ({"type": "answer"}, "yes"),
        ({"type": "answer", "yes": 1}, "yes"),
        ({"type": "answer", "yes": "true"}, "yes"),
        ({"type": "ask"}, "then"),
        ({"type": "ask", "then": []}, "then"),
        ({"type": "pass", "why": "tired"}, "why"),
        ({"type": "resign", "side": 1}, "side"),
        ({"type": "answer", "yes": True, "why": ""}, "why"),
        ({"type": "ask", "then": [{"type": "discard", "cards": ["9C"]}], "why": ""}, "why"),
        ({"type": "discard", "cards": ["9C"], "seat": 0}, "seat"),
        ({"type": "lay_red_three", "card": "3H", "cards": []}, "cards"),
        ({"type": "meld", "new": [["8S", "8H", "8D"]], "id": "m1"}, "id"),
        ({"type": "take_upcard", "onto": "m1", "with": []}, "with"),
        ({"type": "take_pile", "with": [], "new": []}, "new"),
    ],
)
def test_what_is_no_move_is_malformed_and_the_field_at_fault_is_named(raw: Any, field: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_move(raw)
    assert (refused.value.code, refused.value.params) == ("malformed_move", {"field": field})


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "take_pile", "with": []},
        {"type": "take_pile", "onto": "m1"},
        {"type": "take_pile", "onto": "m1", "with": [], "melds": []},
        {"type": "meld", "new": [["8S"]], "add": {}, "join": []},
        {"type": "meld", "join": [["m1", "m2"], ["m3", "m4"]]},
    ],
)
def test_what_is_well_formed_is_left_to_the_rules(raw: Any) -> None:
    assert move_to_json(parse_move(raw))["type"] == raw["type"]


def test_an_empty_with_and_no_onto_is_judged_by_the_rules() -> None:
    given(hand="9C 9D", pile="8S", melds=OPEN).when(take("")).then_refused("natural_pair_needed", card="8S")


# 9.2, every move.


MOVES = [draw(), take("9C"), take_upcard("m1"), meld("9C 9D 9S"), lay("3H"), ask(discard("9C")), discard("9C"), pass_()]


@pytest.mark.parametrize("move", MOVES)
def test_when_the_game_is_over_every_move_is_refused_so_from_every_seat(move: dict[str, Any]) -> None:
    table = given(hand="9C 9D")
    for seat in range(4):
        table.when(resign(), by(seat, move)).then_refused("game_over")
    table.when(resign(), resign()).then_refused("game_over")
    table.when(resign(), answer(True)).then_refused("game_over")


@pytest.mark.parametrize("move", [*MOVES, answer(True), ask(take("9C"))])
def test_when_the_hand_is_over_every_move_but_a_resignation_is_refused_so(move: dict[str, Any]) -> None:
    over = given(phase="hand_over", ended={"by": None, "reason": "stock", "concealed": False})
    over.when(by(1, move)).then_refused("hand_over")
    over.when(by(3, resign())).then(phase="game_over").then_winners(0)


@pytest.mark.parametrize("move", MOVES)
def test_a_seat_that_is_not_to_act_is_told_whose_turn_it_is(move: dict[str, Any]) -> None:
    for position in ({"hand": "9C"}, {"hand": "9C", "began": "stock", "melds": {"m1": "3S 3S 3C"}}):
        given(seat=2, **position).when(by(1, move)).then_refused("not_your_turn", turn=2)


@pytest.mark.parametrize("move", [meld("9C 9D 9S"), discard("9C"), lay("3H")])
def test_in_phase_draw_the_turn_must_be_begun(move: dict[str, Any]) -> None:
    given(hand="9C").when(move).then_refused("must_begin_turn")


@pytest.mark.parametrize("began", ["stock", "pile", "upcard"])
@pytest.mark.parametrize("move", [draw(), take("9C"), take_onto("m9"), take_upcard("m9")])
def test_in_phase_play_the_turn_has_begun(move: dict[str, Any], began: str) -> None:
    given("canasta-classic", hand="9C", began=began).when(move).then_refused("turn_begun", began=began)


def test_must_discard_comes_before_turn_begun_and_off_in_ruleset() -> None:
    table = given("canasta-classic", hand="8C", began="stock", melds={"m1": EIGHTS, "m2": "3S 3S 3C"})
    table.when(draw()).then_refused("must_discard")
    table.when(lay("3H")).then_refused("must_discard")


def test_must_discard_is_of_the_phase_in_which_the_turn_has_begun() -> None:
    table = given(hand="8C", stock="5S 6S 7S", melds={"m1": EIGHTS, "m2": "3S 3S 3C"})
    table.when(draw()).then(phase="play")
    table.when(discard("8C")).then_refused("must_begin_turn")


def test_off_in_ruleset_comes_before_the_moves_own_checks() -> None:
    given("canasta-classic", hand="9C").when(take_upcard("m9")).then_refused("off_in_ruleset", parameter="run_take")
    table = given("canasta-classic", hand="9C", began="stock")
    table.when(lay("3H")).then_refused("off_in_ruleset", parameter="red_threes")


# 9.2, the checks of a meld.


def test_the_checks_of_a_meld_in_order() -> None:
    melds = {"m1": "4S 5S 6S", "m2": "8S 9S TS"}
    foreign = {1: {"m5": "QS QH QD"}}
    table = given(hand="9H 9D 4H 4D 4C 5C", began="stock", melds=melds, melds_of=foreign)
    table.when(meld("KS KH", add={"m9": "9H"})).then_refused("cards_not_held", cards="KS KH")
    table.when(meld("4H 4D", add={"m9": "9H", "m5": "9D"})).then_refused("not_your_meld", meld="m5")
    table.when(meld("4H 4D", add={"m9": "9H", "m10": "9D"})).then_refused("unknown_meld", meld="m9")
    table.when(meld("4H 4D", add={"m9": "9H"}, join=["m5 m1"])).then_refused("unknown_meld", meld="m9")
    table.when(meld("4H 4D", add={"m1": "9H"}, join=["m1 m5"])).then_refused("not_your_meld", meld="m5")
    table.when(meld("4H 4D", join=["m8 m7"])).then_refused("unknown_meld", meld="m8")
    table.when(meld("4H 4D", "9H 9D", add={"m1": "9H 9D"})).then_refused("cards_not_held", cards="9H 9D")
    table.when(meld("4H 4D", "5C")).then_refused("meld_too_small", cards="4H 4D", minimum=3)
    table.when(meld("5C", "4H 4D")).then_refused("meld_too_small", cards="5C", minimum=3)


def test_ids_that_are_none_are_unknown_and_come_last() -> None:
    table = given(hand="9H 9D 4H 4D", began="stock", melds={"m1": "9S 9C 9C"})
    for name in ("m", "", "m01", "M1", "m1 ", "x1", "m²", "m" + "9" * 30):
        table.when(meld(add={name: "9H"})).then_refused("unknown_meld", meld=name)
    for name in ("zz", "m²", "m", "m" + "9" * 5000):
        table.when(meld(add={name: "9H", "m7": "9D"})).then_refused("unknown_meld", meld="m7")


def test_ids_are_looked_at_by_number_also_where_the_numbers_are_large() -> None:
    table = given(hand="9H 9D 4H 4D", began="stock", melds={"m1": "9S 9C 9C"})
    table.when(meld(add={"m1000000": "9H", "m999999": "9D"})).then_refused("unknown_meld", meld="m999999")


def test_the_first_meld_comes_before_black_threes_and_those_before_the_cards_kept() -> None:
    low = given(hand="4S 4H 4D 3S 3S 3C", began="stock")
    low.when(meld("4S 4H 4D", "3S 3S 3C")).then_refused("first_meld_too_low", points=30, needed=50)
    table = given(hand="4S 4H 4D 3S 3S 3C", began="stock", melds={"m1": EIGHTS})
    table.when(meld("4S 4H 4D", "3S 3S 3C")).then_refused(
        "black_threes_only_when_going_out", left=0, reason="sets_missing"
    )
    final = given(
        hand="4S 4H 4D 3S 3S 3C",
        began="stock",
        melds={"m1": EIGHTS, "m2": KINGS},
        options={"final_discard_required": True},
    )
    final.when(meld("4S 4H 4D", "3S 3S 3C")).then_refused("final_discard_needed")


# 9.2, the checks of a discard.


def test_the_checks_of_a_discard_in_order() -> None:
    last = {"last_turn": True, "options": {"last_red_three_may_meld": True, "red_three_discard": False}}
    table = given(hand="3H 9C 9D", began="stock", stock=0, **last)
    table.when(discard("9H 9S")).then_refused("cards_not_held", cards="9S 9H")
    table.when(discard("9C 9D")).then_refused("no_discard_now")
    table.when(discard("3H")).then_refused("no_discard_now")
    red = given(hand="3H 9C", began="stock", options={"red_three_discard": False})
    red.when(discard("3H 9C")).then_refused("closing_discard_wrong", cards="9C 3H")
    one = given(hand="3H", began="stock", options={"red_three_discard": False})
    one.when(discard("3H")).then_refused("off_in_ruleset", parameter="red_three_discard")


def test_cards_named_are_counted_over_the_whole_move() -> None:
    table = given(hand="9H 9D 8S 8H 8D 5C 6C", began="stock", melds={"m1": "9S 9C 9C"})
    table.when(meld("8S 8H 9H", add={"m1": "9H"})).then_refused("cards_not_held", cards="9H")
    table.when(discard("5C 5C")).then_refused("cards_not_held", cards="5C")
    pile = given(hand="9H 9D 8S 8H 8D 5C 6C", pile="9S", melds=OPEN)
    pile.when(take("9H 9D", melds=["9H 8S 8H"])).then_refused("cards_not_held", cards="9H")
