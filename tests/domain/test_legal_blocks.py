"""The list of legal moves in situations where a block is more than it seems."""

from typing import Any

from msgspec import UNSET

from domain.decide import decide
from domain.legal import legal_moves
from domain.moves import Ask, Discard, LayMelds, TakePile, move_to_json
from domain.options import LegalMoves, MeldOption, Option
from domain.refusals import Code, Refusal
from tests.domain.builders import EIGHTS, KINGS, SAMBA, given, meld
from tests.domain.listing import block_of, options, possible, to_send

PLAY: dict[str, Any] = {"began": "stock"}


def legal(ruleset: str = "samba-official", **more: Any) -> LegalMoves:
    state = given(ruleset, **more).state
    listed = legal_moves(state, state.turn)
    for option in possible(listed):
        assert not isinstance(decide(state, state.turn, to_send(option)), Refusal), option
    return listed


def group(listed: LegalMoves, rank: str, naturals: int, wilds: int = 0) -> MeldOption:
    return next(each for each in listed.melds if (each.rank, each.naturals, each.wilds) == (rank, naturals, wilds))


def run(listed: LegalMoves, cards: str) -> MeldOption:
    return next(each for each in listed.melds if each.kind == "sequence" and " ".join(_new(each)[0]) == cards)


def addition(listed: LegalMoves, meld_id: str, face: str) -> Option:
    return next(each for each in listed.additions if block_of(each) == ("add", meld_id, face))


def _new(option: MeldOption) -> tuple[tuple[str, ...], ...]:
    assert isinstance(option.move, LayMelds)
    return option.move.new


def code(option: Option | MeldOption) -> Code:
    assert isinstance(option.reason, Refusal)
    return option.reason.code


# --- interchangeable cards ---


def test_interchangeable_cards_count_once() -> None:
    listed = legal(hand="8S 8S 8H 8D JK 2S KC", melds={"m1": "AS AH AD"}, **PLAY)
    eights = [(each.naturals, each.wilds) for each in listed.melds if each.rank == "8"]
    assert eights == [(3, 0), (4, 0), (2, 1), (3, 1), (4, 1), (4, 2)]
    assert group(listed, "8", 3).points == 30
    assert len(listed.discards) == 6


def test_a_rank_that_may_lie_once_only_is_listed_with_the_reason() -> None:
    listed = legal("canasta-classic", hand="8S 8H 8D KC 4C", melds={"m1": "8S 8H 8C"}, **PLAY)
    assert code(group(listed, "8", 3)) is Code.RANK_ALREADY_MELDED


# --- first melds ---


def test_a_first_meld_that_is_too_little_is_completed_by_others() -> None:
    listed = legal(hand="8S 8H 8D KS KH KD 4S 5S 6S 9C JD", scores=[0, 0], **PLAY)
    option = group(listed, "8", 3)
    assert option.possible
    assert listed.requirement == 50
    whole = to_send(option)
    assert isinstance(whole, LayMelds)
    assert whole.new[0] == ("8S", "8H", "8D")
    assert ("KS", "KH", "KD") in whole.new


def test_a_first_meld_says_what_is_needed_where_nothing_completes_it() -> None:
    listed = legal(hand="8S 8H 8D 4S 5S 9C JD QH", scores=[0, 0], **PLAY)
    option = group(listed, "8", 3)
    assert not option.possible
    assert option.reason == Refusal(Code.FIRST_MELD_TOO_LOW, {"points": 30, "needed": 50})


def test_a_first_meld_is_completed_by_a_run_where_groups_are_not_enough() -> None:
    listed = legal(hand="8S 8H 8D QH KH AH 4S 5S 9C JD", scores=[0, 0], **PLAY)
    whole = to_send(group(listed, "8", 3))
    assert isinstance(whole, LayMelds)
    assert ("QH", "KH", "AH") in whole.new


def test_cards_of_a_group_can_be_others_where_the_completion_needs_its_own() -> None:
    # The king of hearts is wanted in the run.
    listed = legal(hand="KH KS KD KC QH AH 4S 4C 7D", scores=[0, 0], **PLAY)
    option = group(listed, "K", 3)
    whole = to_send(option)
    assert isinstance(whole, LayMelds)
    assert "KH" not in whole.new[0]
    assert ("QH", "KH", "AH") in whole.new


def test_a_concealed_exit_needs_no_minimum_and_its_melds_are_possible() -> None:
    listed = legal("canasta-classic", hand="7S 7H 7D 7C 7S 7H 7D 9C", scores=[3000, 0], **PLAY)
    assert group(listed, "7", 7).possible
    assert not group(listed, "7", 5).possible
    assert listed.way_out is not UNSET


# --- additions and joins ---


def test_a_wild_card_that_needs_naturals_comes_with_them() -> None:
    listed = legal(hand="2D 8D 8C 5H 6C", melds={"m1": "8S 8H 2C"}, **PLAY)
    option = addition(listed, "m1", "2D")
    assert option.possible
    assert to_send(option) == LayMelds(add={"m1": ("2D", "8D", "8C")})


def test_a_wild_card_without_the_naturals_says_what_is_lacking() -> None:
    listed = legal(hand="2D 8D 5H 6C", melds={"m1": "8S 8H 2C"}, **PLAY)
    assert code(addition(listed, "m1", "2D")) is Code.TOO_FEW_NATURALS


def test_a_wild_card_is_helped_by_the_naturals_of_a_joined_group() -> None:
    lying = {"m1": "8S 8H 2C", "m2": "8D 8C 8S 8H"}
    listed = legal(hand="2D 4D 5H 6C", melds=lying, options={"merge_groups": True}, **PLAY)
    option = addition(listed, "m1", "2D")
    assert option.possible
    assert to_send(option) == LayMelds(add={"m1": ("2D",)}, join=(("m1", "m2"),))


def test_a_card_beyond_a_gap_comes_with_the_card_between() -> None:
    listed = legal(hand="8S 9S KD 5H", melds={"m1": "5S 6S 7S"}, **PLAY)
    assert to_send(addition(listed, "m1", "8S")) == LayMelds(add={"m1": ("8S",)})
    assert to_send(addition(listed, "m1", "9S")) == LayMelds(add={"m1": ("8S", "9S")})


def test_two_runs_are_joined_by_the_card_between() -> None:
    listed = legal(hand="7S 9D KD 5H", melds={"m1": "4S 5S 6S", "m2": "8S 9S TS"}, **PLAY)
    (option,) = listed.joins
    assert option.possible
    assert to_send(option) == LayMelds(add={"m1": ("7S",)}, join=(("m1", "m2"),))


def test_a_card_may_come_to_one_run_because_it_is_joined_with_another() -> None:
    listed = legal(hand="JS 9D KD 5H", melds={"m1": "5S 6S 7S", "m2": "8S 9S TS"}, **PLAY)
    assert to_send(addition(listed, "m2", "JS")) == LayMelds(add={"m2": ("JS",)})
    assert to_send(addition(listed, "m1", "JS")) == LayMelds(add={"m1": ("JS",)}, join=(("m1", "m2"),))


def test_a_closed_samba_takes_no_card() -> None:
    listed = legal(hand="QD 9C KD 5H", melds={"m1": SAMBA}, **PLAY)
    assert listed.additions == []


def test_a_wild_meld_grows_past_seven_where_it_does_not_close() -> None:
    lying = {"m1": "JK JK 2S 2H 2D 2C 2S"}
    assert not legal("bolivia", hand="2H 9C KD", melds=lying, **PLAY).additions
    open_ended = legal("samba-czech", hand="2H 9C KD", melds=lying, **PLAY)
    assert addition(open_ended, "m1", "2H").possible


def test_groups_of_two_partners_of_a_lone_side_join() -> None:
    keys: dict[str, Any] = {
        "players": 3,
        "options": {"three_player": "lone_side"},
        "seat": 1,
        "lone": 0,
        "melds_of": {1: {"m1": "8S 8H 8D"}, 2: {"m2": "8C 8S 8H"}},
        "hand": "8D 4C KD",
        **PLAY,
    }
    listed = legal("canasta-classic", **keys)
    (option,) = listed.joins
    assert option.possible
    assert addition(listed, "m2", "8D").possible


def test_two_groups_of_one_partner_join_with_one_of_the_other() -> None:
    listed = legal(
        "samba-hoyle",
        players=3,
        options={"three_player": "lone_side", "merge_groups": False},
        seat=1,
        lone=0,
        melds_of={1: {"m1": "8S 8H 8D", "m2": "8C 8C 8D"}, 2: {"m3": "8C 8S 8H"}},
        hand="4C KD 9H",
        **PLAY,
    )
    by_pair = {block_of(option): to_send(option) for option in listed.joins}
    assert by_pair["join", "m1", "m2"] == LayMelds(join=(("m1", "m2", "m3"),))
    assert by_pair["join", "m1", "m3"] == LayMelds(join=(("m1", "m3"),))


# --- going out ---


def test_black_threes_are_possible_where_the_rest_goes_with_them() -> None:
    lying = {"m1": EIGHTS, "m2": KINGS}
    listed = legal(hand="3S 3S 3C 9C 9D 9H JD", melds=lying, **PLAY)
    option = group(listed, "3", 3)
    assert option.possible
    assert to_send(option) == LayMelds(new=(("3S", "3S", "3C"), ("9H", "9D", "9C")))
    assert code(group(legal(hand="3S 3S 3C 9C 9D JD", melds=lying, **PLAY), "3", 3)) is (
        Code.BLACK_THREES_ONLY_WHEN_GOING_OUT
    )


def test_dutch_black_threes_lie_at_any_time() -> None:
    options = {"black_three_wilds": True, "black_three_melds_any_time": True}
    listed = legal(hand="3S 3S 3C 2H 9C JD", melds={"m1": "8S 8H 8D"}, options=options, **PLAY)
    assert group(listed, "3", 3).possible
    assert group(listed, "3", 2, 1).possible


def test_the_last_cards_may_lie_where_a_join_makes_the_set_that_is_lacking() -> None:
    lying = {"m1": EIGHTS, "m2": "4S 5S 6S", "m3": "8S 9S TS"}
    listed = legal(hand="7S 9C 9D 9H", melds=lying, **PLAY)
    option = group(listed, "9", 3)
    assert to_send(option) == LayMelds(new=(("9H", "9D", "9C"),), add={"m2": ("7S",)}, join=(("m2", "m3"),))
    assert listed.way_out is not UNSET


def test_without_the_sets_two_cards_are_kept() -> None:
    listed = legal(hand="9C 9D 9H JD", melds={"m1": EIGHTS}, **PLAY)
    assert code(group(listed, "9", 3)) is Code.KEEP_TWO_CARDS
    assert listed.way_out is UNSET


def test_where_the_last_card_must_be_discarded_one_is_left() -> None:
    listed = legal("samba-czech", hand="9C 9D 9H 8C", melds={"m1": EIGHTS, "m2": KINGS}, **PLAY)
    assert listed.way_out is not UNSET
    assert [move_to_json(move)["type"] for move in listed.way_out] == ["meld", "discard"]
    assert not any(isinstance(move, LayMelds) and "8C" in move.add.get("m1", ()) for move in listed.way_out)


def test_a_question_is_possible_with_the_way_out_as_its_plan() -> None:
    keys: dict[str, Any] = {"hand": "6S 6H 6D 9C", "melds": {"m1": EIGHTS}, **PLAY}
    listed = legal("canasta-classic", **keys)
    assert isinstance(listed.ask, Option)
    assert listed.ask.possible
    assert isinstance(listed.ask.move, Ask)
    assert listed.ask.move.then[-1] == Discard(("9C",))
    refused = legal("canasta-classic", permission="refused", **keys)
    assert isinstance(refused.ask, Option)
    assert code(refused.ask) is Code.ALREADY_ASKED
    assert refused.way_out is UNSET


def test_a_question_may_be_put_before_the_pile_is_taken() -> None:
    listed = legal("canasta-classic", hand="6S 6H 9C 9D 9H", pile="6D", melds={"m1": EIGHTS})
    assert isinstance(listed.ask, Option)
    assert listed.ask.possible
    assert move_to_json(listed.ask.move)["then"][0]["type"] == "take_pile"


# --- takes ---


def test_a_take_that_is_too_little_to_begin_with_is_completed_by_further_melds() -> None:
    listed = legal(hand="AH AD KS KH KD 4C 5D 9S", pile="7C AS", scores=[1500, 0])
    (option,) = listed.takes
    assert to_send(option) == TakePile(with_=("AH", "AD"), melds=(("KS", "KH", "KD"),))


def test_an_opening_take_may_make_a_run() -> None:
    listed = legal(
        "samba-czech", players=2, hand="QS KS 4C 5D 9S 9H", pile="7C AS", options={"opening_take": "any_meld"}
    )
    whole = [to_send(option) for option in listed.takes]
    assert any(isinstance(move, TakePile) and set(move.with_ or ()) == {"QS", "KS"} for move in whole)


def test_an_upcard_without_a_natural_pair_says_so() -> None:
    (option,) = legal(hand="8H 9C 4D", pile="5C 8S").takes
    assert code(option) is Code.NATURAL_PAIR_NEEDED


def test_a_blocked_pile_is_listed_once_with_the_reason() -> None:
    (option,) = legal(hand="8H 9C 4D", pile="5C 3S").takes
    assert code(option) is Code.PILE_BLOCKED


def test_a_frozen_pile_yields_to_the_pair_and_not_to_the_extension() -> None:
    listed = legal("canasta-classic", hand="8S 8H KC 4D", pile="2H 8D", melds={"m1": "8C 8S 8H"})
    reasons = {str(move_to_json(option.move)): option.possible for option in listed.takes}
    assert sorted(reasons.values()) == [False, False, True, True]


# --- who may do what ---


def test_a_seat_that_is_not_to_act_is_told_whose_turn_it_is() -> None:
    state = given(hand="8H 9C 4D").state
    listed = legal_moves(state, 2)
    assert options(listed) == []
    assert listed.reason == Refusal(Code.NOT_YOUR_TURN, {"turn": 0})
    assert listed.resign


def test_the_partner_asked_may_answer_and_nobody_else() -> None:
    asked = given("canasta-classic", hand="6S 6H 6D 9C", melds={"m1": EIGHTS}, **PLAY).when(
        {"type": "ask", "then": [meld("6S 6H 6D"), {"type": "discard", "cards": ["9C"]}]}
    )
    assert len(legal_moves(asked.state, 2).answers) == 2
    assert options(legal_moves(asked.state, 1)) == []


def test_after_black_threes_only_the_discard_is_left() -> None:
    done = given(hand="3S 3S 3C JD", melds={"m1": EIGHTS, "m2": KINGS}, **PLAY).when(meld("3S 3S 3C"))
    listed = legal_moves(done.state, 0)
    assert [option.move for option in possible(listed)] == [option.move for option in listed.discards]
    assert len(listed.discards) == 1


def test_where_no_card_may_be_discarded_a_pass_ends_the_hand() -> None:
    listed = legal("canasta-standard", players=2, hand="9C", **PLAY)
    assert isinstance(listed.pass_, Option)
    assert listed.pass_.possible
    assert not listed.discards[0].possible


def test_a_take_that_is_required_is_listed_and_passing_is_not_possible() -> None:
    keys: dict[str, Any] = {"hand": "9C 4D KH", "pile": "5C 8S", "stock": 0, "melds": {"m1": "8C 8D 8H"}}
    listed = legal("canasta-standard", options={"stock_end": "forced_take", "pile_take_extend": "any"}, **keys)
    assert isinstance(listed.pass_, Option)
    assert code(listed.pass_) is Code.TAKE_REQUIRED
    assert any(option.possible and to_send(option) == TakePile(with_=(), onto="m1") for option in listed.takes)
