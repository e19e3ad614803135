"""Rule book 8.5: asking the partner."""

from typing import Any

import pytest

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

CLASSIC = "canasta-classic"
SETS = {"m1": EIGHTS}
PLAN = ask(meld("6S 6H 6D"), discard("9C"))
ASKED = {"ruleset": CLASSIC, "hand": "6S 6H 6D 9C", "began": "stock", "melds": SETS}


def test_the_checks_of_a_question_in_order() -> None:
    everything = {"hand": "9C", "began": "stock", "permission": "refused", "melded_this_turn": True}
    off = {"partner_permission": "off"}
    one = discard("5S")
    given(hand="9C", began="stock", melded_this_turn=True, options=off, players=2).when(ask(one)).then_refused(
        "off_in_ruleset", parameter="partner_permission"
    )
    given(**everything, players=2).when(ask(one)).then_refused("no_partner")
    given(**everything).when(ask(one)).then_refused("already_asked")
    given(hand="9C", began="stock", melded_this_turn=True).when(ask(one)).then_refused("already_melded")
    given(hand="9C", began="stock").when(ask(one)).then_refused("keep_two_cards", left=1, reason="sets_missing")
    right = given(hand="9C", began="stock", melds={"m1": EIGHTS, "m2": KINGS})
    right.when(ask(one)).then_refused("keep_two_cards", left=1, reason="cards_left")
    given(hand="9C 9D", began="stock").when(ask(one)).then_refused("not_a_way_out", at=0, code="cards_not_held")


def test_a_granted_permission_is_an_answer_too() -> None:
    given(**ASKED, permission="granted").when(PLAN).then_refused("already_asked")


def test_the_question_is_put_and_the_partner_answers_yes_the_plan_happens_at_once() -> None:
    table = given(**ASKED)
    table.when(PLAN).then(phase="answer", turn=0, permission=None).then_events("asked")
    yes = table.when(PLAN, by(2, answer(True)))
    yes.then_out(0).then_event("answered", yes=True, seat=2)
    yes.then_events("asked", "answered", "melded", "discarded", "hand_ended")


def test_after_a_no_permission_is_refused_for_the_rest_of_the_turn() -> None:
    table = given(**ASKED)
    no = table.when(PLAN, by(2, answer(False))).then(
        phase="play", permission="refused", holding="6S 6H 6D 9C", ask=None
    )
    no.then_events("asked", "answered")
    table.when(PLAN, by(2, answer(False)), meld("6S 6H 6D")).then_refused(
        "keep_two_cards", left=1, reason="permission_refused"
    )
    table.when(PLAN, by(2, answer(False)), PLAN).then_refused("already_asked")
    table.when(PLAN, by(2, answer(False)), discard("9C")).then(turn=1, permission=None)


def test_an_advisory_no_does_not_bind() -> None:
    table = given(**ASKED, options={"partner_permission": "advisory"})
    table.when(PLAN, by(2, answer(False)), meld("6S 6H 6D"), discard("9C")).then_out(0)


def test_asking_is_optional_unless_it_is_required() -> None:
    given(**ASKED).when(meld("6S 6H 6D"), discard("9C")).then_out(0)
    table = given(**ASKED, options={"partner_permission": "required"})
    table.when(meld("6S 6H 6D")).then_refused("keep_two_cards", left=1, reason="permission_needed")
    table.when(PLAN, by(2, answer(True))).then_out(0)


def test_the_plan_is_judged_as_if_permission_were_granted_and_must_end_with_the_seat_out() -> None:
    table = given(**ASKED)
    table.when(ask(meld("6S 6H 6D"))).then_refused("not_a_way_out", at=1, code=None)
    table.when(ask(discard("9C"))).then_refused("not_a_way_out", at=1, code=None)
    table.when(ask(meld("6S 6H"), discard("9C"))).then_refused("not_a_way_out", at=0, code="meld_too_small")
    table.when(ask(meld("6S 6H 6D"), discard("5C"))).then_refused("not_a_way_out", at=1, code="cards_not_held")
    table.when(ask(discard("9C"), discard("6S"))).then_refused("not_a_way_out", at=1, code="not_your_turn")
    table.when(ask(meld("6S 6H 6D"), discard("9C"), discard("9C"))).then_refused(
        "not_a_way_out", at=2, code="hand_over"
    )
    few = given(CLASSIC, hand="6S 6H 6D 9C", began="stock", melds={"m1": "QS QH QD"})
    few.when(PLAN).then_refused("not_a_way_out", at=0, code="keep_two_cards")


def test_every_accepted_meld_and_a_takes_further_melds_end_the_time_to_ask_but_not_what_the_take_itself_makes() -> None:
    table = given(CLASSIC, hand="6S 6H 6D 9C 4S 4H 4D", began="stock", melds=SETS)
    table.when(meld("4S 4H 4D"), PLAN).then_refused("already_melded")
    taken = given(CLASSIC, hand="8C 6S 6H 6D 9C 4S 4H 4D 9D 9H", pile="5D 9S", melds=SETS)
    plan = ask(meld("6S 6H 6D", "4S 4H 4D", add={"m1": "8C"}), discard("5D"))
    taken.when(take("9D 9H")).then(melded_this_turn=False)
    taken.when(take("9D 9H"), ask(meld("6S 6H 6D", "4S 4H 4D", add={"m1": "8C", "m2": "9C"}), discard("5D"))).then(
        phase="answer"
    )
    taken.when(take("9D 9H", melds=["4S 4H 4D"])).then(melded_this_turn=True)
    taken.when(take("9D 9H", melds=["4S 4H 4D"]), plan).then_refused("already_melded")


# From phase draw.


DRAW = {"ruleset": CLASSIC, "hand": "9C 9D 5S", "pile": "9S", "melds": SETS}


def test_before_the_turn_is_begun_the_plan_begins_with_a_take() -> None:
    table = given(**DRAW)
    plan = ask(take("9C 9D"), discard("5S"))
    table.when(plan).then(phase="answer", began=None)
    yes = table.when(plan, by(2, answer(True)))
    yes.then_out(0).then_events("asked", "answered", "took_pile", "discarded", "hand_ended")
    no = table.when(plan, by(2, answer(False))).then(phase="draw", permission="refused", holding="9C 9D 5S")
    assert no.state.began is None
    table.when(plan, by(2, answer(False)), take("9C 9D")).then_refused(
        "keep_two_cards", left=1, reason="permission_refused"
    )
    table.when(plan, by(2, answer(False)), draw()).then(phase="play", permission="refused")


def test_the_upcard_alone_may_begin_the_plan() -> None:
    table = given(hand="9C 9D 9S", pile="7D", melds={"m1": EIGHTS, "m2": KINGS, "m3": "4D 5D 6D"})
    table.when(ask(take_upcard("m3"), meld("9C 9D 9S")), by(2, answer(True))).then_out(0)


@pytest.mark.parametrize(
    "plan",
    [
        ask(discard("5S")),
        ask(meld("9C 9D 9S"), discard("5S")),
        ask(take("9C 9D"), take("9C 9D")),
        ask(take("9C 9D"), draw()),
        ask(draw()),
        ask(take("9C 9D"), lay("3H")),
        ask(take("9C 9D"), pass_()),
        ask(resign()),
        ask(ask(discard("5S"))),
        ask(answer(True)),
        ask(),
        {"type": "ask"},
        {"type": "ask", "then": [{"type": "take_pile", "with": ["9C", "9D"]}, {"type": "discard", "cards": []}]},
        {"type": "ask", "then": {"type": "discard", "cards": ["9C"]}},
    ],
)
def test_a_plan_of_anything_else_is_malformed(plan: dict[str, Any]) -> None:
    given(**DRAW).when(plan).then_refused("malformed_move", field="then")


def test_in_phase_play_a_plan_holds_melds_and_discards_only() -> None:
    for first in (take("9C 9D"), take_onto("m1"), take_upcard("m1")):
        given(**ASKED).when(ask(first, discard("9C"))).then_refused("malformed_move", field="then")


def test_a_take_that_would_bring_replacements_from_the_stock_is_no_plan() -> None:
    base = {"ruleset": "samba-online", "hand": "9C 9D 5S", "melds": {"m1": EIGHTS, "m2": KINGS}}
    plan = ask(take("9C 9D"), discard("5S"))
    given(**base, pile="3H 9S").when(plan).then_refused("malformed_move", field="then")
    given(**base | {"hand": "3H 9C 9D 5S"}, pile="9S").when(plan).then_refused("malformed_move", field="then")
    given(**base, pile="3H 9S", stock=0).when(plan).then(phase="answer")
    given(**base, pile="9S").when(plan).then(phase="answer")
    given("samba-online", hand="9C 9D 5S", pile="3H").when(plan).then_refused(
        "not_a_way_out", at=0, code="pile_blocked"
    )


def test_the_upcard_alone_brings_no_replacements() -> None:
    runs = {"m1": EIGHTS, "m2": KINGS, "m3": "4D 5D 6D"}
    table = given("samba-online", hand="9C 9D 9S", pile="3H 7D", melds=runs)
    table.when(ask(take_upcard("m3"), meld("9C 9D 9S"))).then(phase="answer")


def test_the_form_of_a_plan_comes_before_everything_else() -> None:
    off = given(**DRAW, options={"partner_permission": "off"})
    off.when(ask(discard("5S"))).then_refused("malformed_move", field="then")
    given(**DRAW).when(by(1, ask(take("9C 9D"), discard("5S")))).then_refused("not_your_turn", turn=0)


# The answer.


def test_while_an_answer_is_awaited_every_other_move_is_refused_but_a_resignation() -> None:
    table = given(**ASKED)
    for move in (draw(), pass_(), discard("9C"), meld("6S 6H 6D"), PLAN, take("9C"), lay("3H")):
        table.when(PLAN, move).then_refused("answer_awaited", seat=2)
        table.when(PLAN, by(2, move)).then_refused("answer_awaited", seat=2)
    table.when(PLAN, ask(take("9C"))).then_refused("answer_awaited", seat=2)
    table.when(PLAN, by(1, resign())).then(phase="game_over")


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_only_the_partner_answers(seat: int) -> None:
    given(**ASKED).when(PLAN, by(seat, answer(True))).then_refused("no_question")


@pytest.mark.parametrize("seat", [0, 2])
def test_an_answer_to_nothing_asked_is_refused(seat: int) -> None:
    given(**ASKED).when(by(seat, answer(True))).then_refused("no_question")


@pytest.mark.parametrize(("asker", "answering"), [(0, 2), (2, 4), (4, 0)])
def test_in_a_trio_the_next_seat_of_the_party_clockwise_answers(asker: int, answering: int) -> None:
    table = given(
        hand="6S 6H 6D 9C", seat=asker, began="stock", players=6, options={"six_player_teams": "two_trios"},
        melds={"m1": EIGHTS, "m2": KINGS},
    )  # fmt: skip
    third = 6 - asker - answering
    table.when(PLAN, by(third, answer(True))).then_refused("no_question")
    table.when(PLAN, by(answering, answer(True))).then_out(asker)


def test_six_in_three_pairs_ask_the_seat_opposite() -> None:
    table = given(hand="6S 6H 6D 9C", seat=5, began="stock", players=6, melds={"m1": EIGHTS, "m2": KINGS})
    table.when(PLAN, by(2, answer(True))).then_out(5)


def test_the_plan_is_written_with_its_cards_in_canonical_order() -> None:
    asked_plan = given(**ASKED).when(ask(meld("6D 6S 6H"), discard("9C")))
    written = [{"type": "meld", "new": [["6S", "6H", "6D"]]}, {"type": "discard", "cards": ["9C"]}]
    asked_plan.then_event("asked", then=written)
    asked_plan.then(ask={"type": "ask", "then": written})
    taking = given(CLASSIC, hand="9D 9S 2D 4H 4D 4S 8C 5S", pile="9C", melds=SETS)
    plan = ask(take("2D 9D 9S", melds=["4H 4D 4S"]), meld(add={"m1": "8C"}), discard("5S"))
    taking.when(plan).then_event(
        "asked",
        then=[
            {"type": "take_pile", "with": ["2D", "9S", "9D"], "melds": [["4S", "4H", "4D"]]},
            {"type": "meld", "add": {"m1": ["8C"]}},
            {"type": "discard", "cards": ["5S"]},
        ],
    )


def test_what_a_plan_does_not_name_is_not_written_into_it() -> None:
    taking = given(CLASSIC, hand="9D 9S 5S", pile="9C", melds=SETS).when(ask(take("9S 9D"), discard("5S")))
    taking.then_event("asked", then=[{"type": "take_pile", "with": ["9S", "9D"]}, {"type": "discard", "cards": ["5S"]}])
