"""The lean list says the same as the full one."""

from collections import Counter
from random import Random

import pytest

from domain.legal import legal_moves
from domain.moves import Answer, Ask
from domain.options import Option
from domain.possible import possible_moves
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.state import State
from domain.waiting import seat_to_act
from tests.domain.builders import EIGHTS, ask, discard, given, meld
from tests.domain.chance_positions import position_at_random, rules_at_random
from tests.domain.listing import possible, to_send
from tests.domain.random_games import hands


def full(state: State, seat: int) -> Counter[str]:
    """What the full list has, the question only where going out needs leave."""
    listed = [to_send(option) for option in possible(legal_moves(state, seat))]
    needed = state.table.rules.partner_permission == "required"
    return Counter(str(move) for move in listed if needed or not isinstance(move, Ask))


def lean(state: State, seat: int) -> Counter[str]:
    return Counter(str(choice.move()) for choice in possible_moves(state, seat))


@pytest.mark.parametrize("phase", ["draw", "play"])
def test_the_lean_list_is_what_the_full_list_marks_possible(phase: str) -> None:
    for seed in range(600):
        chance = Random(seed)
        rules = rules_at_random(chance, options_max=8)
        held = chance.choice((1, 2, 3, 4, 5, 6, 8, 11, 15, 40))
        state = position_at_random(chance, rules, held=held, melds=chance.choice((0, 1, 4, 8)), phase=phase)
        assert lean(state, state.turn) == full(state, state.turn), seed


def test_the_lists_agree_all_through_a_game() -> None:
    for preset in ("samba-official", "canasta-classic", "bolivia"):
        rules = compile_rules(resolve(preset), 4)
        for state, seat, _, _ in hands(rules, Random(preset), 1):
            assert lean(state, seat) == full(state, seat)


def test_who_is_not_to_act_has_no_choice() -> None:
    state = given(hand="8S 8H 4C 5D").state
    assert [len(possible_moves(state, seat)) for seat in range(4)] == [1, 0, 0, 0]


def test_a_choice_beyond_the_last_is_none() -> None:
    choices = possible_moves(given(hand="8S 8H 4C 5D").state, 0)
    with pytest.raises(IndexError):
        choices[len(choices)]


def test_a_question_is_a_choice_only_where_going_out_needs_leave() -> None:
    keys = {"hand": "6S 6H 6D 9C", "melds": {"m1": EIGHTS}, "began": "stock"}
    for permission, listed in (("required", True), ("optional", False)):
        state = given("canasta-classic", options={"partner_permission": permission}, **keys).state
        choices = [choice.move() for choice in possible_moves(state, 0)]
        assert any(isinstance(move, Ask) for move in choices) is listed
        option = legal_moves(state, 0).ask
        assert isinstance(option, Option)
        assert option.possible


def test_both_answers_are_choices_of_the_partner_asked() -> None:
    plan = ask(meld("6S 6H 6D"), discard("9C"))
    state = given("canasta-classic", hand="6S 6H 6D 9C", melds={"m1": EIGHTS}, began="stock").when(plan).state
    assert seat_to_act(state) == 2
    assert [choice.move() for choice in possible_moves(state, 2)] == [Answer(yes=True), Answer(yes=False)]
