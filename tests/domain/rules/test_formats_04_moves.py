"""Formats parts 2, 4 and 5: lists of moves all or nothing, ids, and what the events of a move say."""

import pytest

from tests.domain.builders import (
    EIGHTS,
    KINGS,
    JsonMove,
    discard,
    draw,
    given,
    lay,
    meld,
    pass_,
    take,
    take_onto,
    take_upcard,
)

OPEN = {"m1": "QS QH QD"}
TABLE = {"hand": "8H 8D 4S 4H 4D 9C 9D", "pile": "5C 8S", "melds": OPEN}


def test_a_turn_that_begins_with_a_take_is_one_list() -> None:
    sent = given(**TABLE).when_sent_as_list(take("8H 8D"), meld("4S 4H 4D"), discard("9C"))
    sent.then(turn=1, holding="9D 5C", pile="9C").then_events("took_pile", "melded", "discarded")


@pytest.mark.parametrize(
    ("moves", "index", "code"),
    [
        ([take("8H"), meld("4S 4H 4D")], 0, "natural_pair_needed"),
        ([take("8H 8D"), meld("4S 4H"), discard("9C")], 1, "meld_too_small"),
        ([take("8H 8D"), meld("4S 4H 4D"), discard("4S")], 2, "cards_not_held"),
        ([take("8H 8D"), discard("9C"), discard("9D")], 2, "not_your_turn"),
    ],
)
def test_a_list_is_refused_with_the_index_of_the_first_move_refused_and_nothing_happens(
    moves: list[JsonMove], index: int, code: str
) -> None:
    table = given(**TABLE)
    outcome = table.when_sent_as_list(*moves)
    assert outcome.refusal is not None
    assert (outcome.refusal.code, outcome.refusal.at) == (code, index)
    assert outcome.state is table.state


def test_every_move_of_a_list_is_judged_by_its_own_result() -> None:
    table = given(hand="8H 8D 5S", pile="8S", melds={"m1": EIGHTS, "m2": "KS KS KH KH KD KC"})
    outcome = table.when_sent_as_list(take("8H 8D"), meld(add={"m2": "KC"}))
    outcome.then_refused_at(0, "keep_two_cards", left=1, reason="sets_missing")


def test_a_draw_may_stand_only_at_the_end_of_a_list() -> None:
    table = given("samba-czech", hand="3H 9C 9D", stock=0, pile="4S 5S 6S")
    table.when_sent_as_list(draw(), discard("9C")).then_refused("malformed_move", field="moves")
    table.when_sent_as_list(lay("3H"), draw()).then(phase="play", holding="9C 9D 4S 5S")
    table.when_sent_as_list(draw()).then(phase="play")


def test_what_brings_no_cards_may_stand_anywhere_in_a_list() -> None:
    table = given(hand="4S 4H 4D 9C 9D", began="stock", melds=OPEN)
    table.when_sent_as_list(meld("4S 4H 4D"), discard("9C")).then(turn=1, holding="9D")


def test_a_move_alone_is_refused_without_an_index() -> None:
    given(**TABLE).when_sent_as_list(take("8H")).then_refused_at(None, "natural_pair_needed", card="8S")


def test_such_a_list_is_malformed_before_anything_is_tried() -> None:
    over = given(phase="hand_over", ended={"by": None, "reason": "stock", "concealed": False})
    over.when_sent_as_list(draw(), discard("9C")).then_refused("malformed_move", field="moves")


@pytest.mark.parametrize(
    ("policy", "began", "stock", "early"),
    [
        ("from_stock", "stock", 20, True),
        ("from_stock", "upcard", 20, True),
        ("from_stock", "pile", 20, False),
        ("from_stock", "stock", 0, False),
        ("always", "pile", 20, True),
        ("none", "stock", 20, False),
    ],
)
def test_a_red_three_that_is_replaced_may_stand_only_at_the_end(
    policy: str, began: str, stock: int, early: bool
) -> None:
    table = given(hand="3H 9C 9D", began=began, stock=stock, options={"red_three_replacement": policy})
    outcome = table.when_sent_as_list(lay("3H"), discard("9C"))
    if early:
        outcome.then_refused("malformed_move", field="moves")
        table.when_sent_as_list(lay("3H")).then(phase="play")
    else:
        outcome.then(turn=1, holding="9D")


def test_after_a_take_in_the_same_list_a_red_three_is_not_replaced() -> None:
    table = given(hand="3H 8H 8D 9C 9D", pile="8S", melds=OPEN)
    table.when_sent_as_list(take("8H 8D"), lay("3H"), discard("9C")).then(holding="9D", red_threes=["3H", ""])
    upcard = given(hand="3H 9C 9D", pile="7S", melds={"m1": "4S 5S 6S"})
    upcard.when_sent_as_list(take_upcard("m1"), lay("3H"), discard("9C")).then_refused("malformed_move", field="moves")


@pytest.mark.parametrize(
    ("ruleset", "hand", "pile", "stock", "early"),
    [
        ("samba-online", "8H 8D 9C 9D", "3H 8S", 20, True),
        ("samba-online", "3H 8H 8D 9C 9D", "5S 8S", 20, True),
        ("samba-online", "8H 8D 9C 9D", "5S 8S", 20, False),
        ("samba-online", "8H 8D 9C 9D", "3H 8S", 0, False),
        ("canasta-classic", "8H 8D 9C 9D", "3H 8S", 20, False),
        ("samba-czech", "8H 8D 9C 9D", "3H 8S", 20, False),
    ],
)
def test_a_take_whose_red_threes_are_replaced_may_stand_only_at_the_end(
    ruleset: str, hand: str, pile: str, stock: int, early: bool
) -> None:
    table = given(ruleset, hand=hand, pile=pile, stock=stock, melds=OPEN)
    outcome = table.when_sent_as_list(take("8H 8D"), discard("9C"))
    if early:
        outcome.then_refused("malformed_move", field="moves")
        table.when_sent_as_list(take("8H 8D")).then(phase="play")
    else:
        outcome.then(turn=1)


def test_a_blocked_pile_brings_no_red_three() -> None:
    table = given("samba-online", hand="8H 8D 9C 9D", pile="3H", melds=OPEN)
    table.when_sent_as_list(take("8H 8D"), discard("9C")).then_refused_at(0, "pile_blocked", card="3H")


# What the events say.


def test_the_event_of_a_take() -> None:
    taken = given(**TABLE | {"pile": "3S JK 5C 8S"}).when(take("8D 8H", melds=["4D 4S 4H"]))
    taken.then_event(
        "took_pile", seat=0, red_threes=[], picked_up=["JK", "5C", "3S"],
        meld={"id": "m2", "kind": "group", "cards": ["8S", "8H", "8D"]},
        melds=[{"id": "m3", "kind": "group", "cards": ["4S", "4H", "4D"]}],
    )  # fmt: skip


def test_ids_go_on_over_the_moves_of_a_hand() -> None:
    table = given(hand="8H 8D 4S 4H 4D 9C 9D 9H 5S 6S", pile="5C 8S", melds=OPEN)
    table.when(take("8H 8D"), meld("4S 4H 4D"), meld("9C 9D 9H")).then(
        melds=OPEN | {"m2": "8S 8H 8D", "m3": "4S 4H 4D", "m4": "9C 9D 9H"}
    )


def test_the_event_of_an_extension_tells_the_meld_as_it_now_lies() -> None:
    taken = given("samba-czech", hand="9C 9D", pile="5C 7S", melds={"m4": "4S 5S 6S"}).when(take_onto("m4"))
    taken.then_event("took_pile", meld={"id": "m4", "kind": "sequence", "cards": ["4S", "5S", "6S", "7S"]}, melds=[])
    upcard = given(hand="9C 9D", pile="5C 7S", melds={"m4": "4S 5S 6S"}).when(take_upcard("m4"))
    upcard.then_event("took_upcard", seat=0, meld={"id": "m4", "kind": "sequence", "cards": ["4S", "5S", "6S", "7S"]})


def test_the_event_of_a_meld_tells_new_melds_added_and_joined() -> None:
    table = given(hand="9C 9D 9H 2S QC 4H 5H", began="stock", melds=OPEN | {"m2": "4S 5S 6S", "m3": "7S 8S 9S"})
    made = table.when(meld("9C 9D 9H", add={"m1": "2S QC"}, join=["m3 m2"]))
    made.then_event(
        "melded", seat=0,
        new=[{"id": "m4", "kind": "group", "cards": ["9H", "9D", "9C"]}],
        added=[{"id": "m1", "kind": "group", "cards": ["2S", "QS", "QH", "QD", "QC"]}],
        joined=[{"id": "m3", "kind": "sequence", "cards": ["4S", "5S", "6S", "7S", "8S", "9S"], "of": ["m3", "m2"]}],
    )  # fmt: skip


def test_an_addition_to_a_meld_that_is_joined_is_told_once() -> None:
    table = given(hand="7S 4H 5H", began="stock", melds={"m1": "4S 5S 6S", "m2": "8S 9S TS"})
    made = table.when(meld(add={"m2": "7S"}, join=["m1 m2"]))
    made.then_event("melded", new=[], added=[])
    assert len(made.happened) == 1


def test_several_additions_are_told_by_number() -> None:
    table = given(hand="QC 9D 4H 5H", began="stock", melds={"m2": "9S 9H 9C", "m10": "QS QH QD"})
    made = table.when(meld(add={"m10": "QC", "m2": "9D"}))
    made.then_event(
        "melded",
        added=[
            {"id": "m2", "kind": "group", "cards": ["9S", "9H", "9D", "9C"]},
            {"id": "m10", "kind": "group", "cards": ["QS", "QH", "QD", "QC"]},
        ],
    )


def test_drawn_cards_are_told_in_canonical_order() -> None:
    given(hand="9C", stock="4S AS 5S").when(draw()).then_event("drew", cards=["AS", "4S"], red_threes=[], stock=1)


def test_the_end_of_a_hand_tells_all_holdings_lines_and_totals() -> None:
    table = given(
        hand="9C", began="stock", holdings={1: "4S AS", 2: "5D"}, melds={"m1": EIGHTS, "m2": KINGS}, hand_number=3
    )
    out = table.when(discard("9C"))
    out.then_event(
        "hand_ended", hand=3, reason="out", by=0, concealed=False, holdings=[[], ["AS", "4S"], ["5D"], []],
        totals=[1155, -25],
    )  # fmt: skip
    assert [line["total"] for line in out.state.lines] == [1155, -25]
    passed = given(hand="9C", stock=0).when(pass_()).then_events("passed", "hand_ended")
    passed.then_event("hand_ended", reason="stock", by=None, concealed=False)
