"""Formats part 3: positions are read strictly, every fault listed, filled and written out whole."""

from typing import Any

import pytest

from domain.placing import write_position
from domain.positions import PositionInvalidError, read_position, state_from
from tests.domain.builders import EIGHTS, answer, ask, by, discard, draw, given, given_deal, meld, position

CLASSIC = "canasta-classic"


def faults_of(raw: Any) -> list[str]:
    """The keys at fault, in the order listed."""
    with pytest.raises(PositionInvalidError) as invalid:
        state_from(raw)
    return [fault.key for fault in invalid.value.faults]


def test_absent_keys_take_the_value_they_have_at_the_start_of_a_hand() -> None:
    state = state_from({"ruleset": "samba-official", "players": 4, "dealer": 2})
    written = write_position(state)
    start = {
        "hand": 1, "dealer": 2, "turn": 3, "phase": "draw", "scores": [0, 0], "melds": [[], []],
        "red_threes": [[], []], "pile": [], "began": None, "melded_this_turn": False, "last_turn": False,
        "has_melded": [False] * 4, "had_turn": [False] * 4, "permission": None, "ask": None, "barred": [],
        "lone": None, "recycles": 0, "ended": None, "holdings": [[], [], [], []], "stock": {"count": 0, "next": []},
    }  # fmt: skip
    assert {key: written[key] for key in start} == start
    assert set(written) == {*start, "ruleset", "players"}


def test_an_absent_began_in_phase_play_is_stock_and_null_in_answer_means_asked_before_the_draw() -> None:
    given(phase="play", hand="9C 9D").when_nothing_happens().then(began="stock")
    table = given(phase="answer", hand="9C 9D", ask=ask(discard("9C")))
    table.when(by(2, answer(False))).then(phase="draw", permission="refused", began=None)
    begun = given(phase="answer", began="stock", hand="9C 9D", ask=ask(discard("9C")))
    begun.when(by(2, answer(False))).then(phase="play", permission="refused", began="stock")


def test_in_phase_answer_the_turn_stays_with_the_seat_that_asked() -> None:
    plan = ask(meld("9C 9D 9H"), discard("5S"))
    table = given(CLASSIC, phase="answer", began="stock", hand="9C 9D 9H 5S", melds={"m1": EIGHTS}, ask=plan)
    table.when_nothing_happens().then(turn=0, phase="answer")
    table.when(by(2, answer(True))).then_out(0)


def test_a_question_needs_somebody_to_answer_it() -> None:
    plan = ask(discard("9C"))
    assert faults_of(position(players=2, phase="answer", hand="9C 9D", ask=plan)) == ["phase"]
    assert faults_of(position(CLASSIC, players=3, phase="answer", hand="9C 9D", ask=plan)) == ["phase"]
    assert faults_of(position(CLASSIC, players=3, phase="answer", hand="9C 9D", ask=plan, lone=0)) == ["phase"]
    partners = given(CLASSIC, players=3, phase="answer", hand="9C 9D", ask=plan, lone=1)
    partners.when(by(2, answer(False))).then(permission="refused")


def test_the_plan_of_a_question_is_written_in_canonical_order() -> None:
    plan = ask(meld("9D 9H 9C"), discard("5S"))
    read = read_position(position(phase="answer", began="stock", hand="9C 9D 9H 5S", ask=plan))
    assert [list(each) for each in read["ask"]["then"][0]["new"]] == [["9H", "9D", "9C"]]


def test_numbers_are_filled_from_the_unplaced_cards_in_canonical_order_holdings_by_seat_then_the_stock() -> None:
    table = given(hand="JK", holdings={1: 4, 2: 2}, stock=3, pile="2S")
    table.when_nothing_happens().then(holdings={1: "JK JK JK JK", 2: "JK 2S", 3: ""}, stock="2S 2H 2H")


def test_next_may_be_shorter_than_the_count() -> None:
    raw = position(hand="9C") | {"stock": {"count": 4, "next": ["5S", "6S"]}}
    state = state_from(raw)
    assert write_position(state)["stock"] == {"count": 4, "next": ["5S", "6S", "JK", "JK"]}


def test_cards_named_nowhere_are_out_of_play() -> None:
    given(CLASSIC, hand="9C 9D", pile="5S", began="stock", stock=0).when(discard("9C")).then(stock=0, pile="5S 9C")


@pytest.mark.parametrize(("barred", "read"), [(None, []), (2, [2]), ([3, 1], [1, 3]), ([], [])])
def test_a_bare_seat_or_null_is_read_as_a_list_of_barred_seats(barred: Any, read: list[int]) -> None:
    given(barred=barred).when_nothing_happens().then(barred=read)


def test_card_lists_are_accepted_in_any_order_and_written_in_canonical_order() -> None:
    raw = position(hand="4S AS JK 2C KD", melds={"m1": "8C 2S 8S 8H", "m2": "7S 5S 6S"}, red_threes=[["3D", "3H"], []])
    written = write_position(state_from(raw))
    assert written["holdings"][0] == ["JK", "2C", "AS", "KD", "4S"]
    assert [each["cards"] for each in written["melds"][0]] == [["2S", "8S", "8H", "8C"], ["5S", "6S", "7S"]]
    assert written["red_threes"][0] == ["3H", "3D"]


def test_what_is_written_is_read_back_the_same() -> None:
    dealt = given_deal("4S 5S 6S 7S 9D 5C 6C 7C", players=2, options={"hand_size": 2}).state
    middle = given(
        "samba-czech", seat=1, hand="9C 9D", began="pile", melded_this_turn=True, barred=[0, 3], recycles=2,
        melds={"m4": EIGHTS}, had_turn=[True] * 4, has_melded=[True, False, True, False], scores=[-5, 9000],
    )  # fmt: skip
    for state in (dealt, middle.state):
        written = write_position(state)
        assert write_position(state_from(written)) == written


def test_what_a_turn_had_come_to_is_not_written_once_the_hand_or_the_game_is_over() -> None:
    two_sets = {"m1": EIGHTS, "m2": "4H 5H 6H 7H 8H 9H TH"}
    out = given(hand="6S 6H 6D", began="stock", melds=two_sets, holdings={1: "4C"}).when(meld("6S 6H 6D"))
    asking = given(hand="6S 6H 6D 9C", began="stock", melds=two_sets)
    resigned = asking.when(ask(meld("6S 6H 6D"), discard("9C")), by(1, {"type": "resign"}))
    for table in (out, resigned):
        written = write_position(table.state)
        assert (written["began"], written["ask"]) == (None, None)
    written = write_position(out.state)
    assert write_position(state_from(written)) == written


def test_a_phase_that_is_none_is_the_only_fault_of_a_turn_begun_in_it() -> None:
    assert faults_of(position(hand="9C", phase="dance", began="stock")) == ["phase"]


def test_lines_totals_and_winners_follow_from_how_the_hand_ended() -> None:
    table = given(
        CLASSIC, phase="hand_over", hand="5C JD", holdings={2: ""}, scores=[4600, 0], melds={"m1": EIGHTS},
        ended={"by": 2, "reason": "out", "concealed": False},
    )  # fmt: skip
    over = table.when_nothing_happens().then_lines(0, cards=70, natural_canastas=500, going_out=100, in_hand=-15)
    over.then(scores=[4600, 0]).then_totals(5255, 0).then_winners(0)
    concealed = given(CLASSIC, phase="hand_over", ended={"by": 2, "reason": "out", "concealed": True})
    concealed.when_nothing_happens().then_lines(0, going_out=200)


def test_a_lone_side_lists_red_threes_by_seat() -> None:
    table = given(CLASSIC, players=3, red_threes_by_seat=[["3H"], [], ["3D"]])
    assert write_position(table.state)["red_threes_by_seat"] == [["3H"], [], ["3D"]]
    assert faults_of(position(CLASSIC, players=3, red_threes=[["3H"], [], []])) == ["red_threes"]
    assert faults_of(position(CLASSIC, red_threes_by_seat=[[], []])) == ["red_threes_by_seat"]


# Faults.


def test_more_copies_of_a_face_than_the_pack_has_are_refused_wherever_they_are_named() -> None:
    raw = position(CLASSIC, hand="8S", pile="8S", melds={"m1": "8S 8H 8D"}, red_threes=[["3H", "3H"], ["3H"]])
    with pytest.raises(PositionInvalidError) as invalid:
        state_from(raw)
    assert [fault.message for fault in invalid.value.faults] == [
        "3 times 8S are named, and the pack has 2.",
        "3 times 3H are named, and the pack has 2.",
    ]
    assert faults_of(position(CLASSIC, hand="KS", holdings={1: "KS"}, stock="KS")) == [""]
    assert faults_of(position(CLASSIC, hand="JK JK JK JK JK")) == [""]


@pytest.mark.parametrize(
    ("cards", "ruleset"),
    [
        ("8S 8H", CLASSIC),
        ("8S 8H 2D 2C", "samba-official"),
        ("4S 5S 7S", "samba-official"),
        ("4S 5S 6S", CLASSIC),
        ("8S 8H 3H", CLASSIC),
        ("2S 2H 2D", CLASSIC),
        ("3S 3C 2D", CLASSIC),
        ("3S 3S 3C", "samba-czech"),
        ("4S 5S 6S 7S 8S 9S TS JS", "samba-official"),
        ("2S 2S 2H 2H 2D 2D 2C 2C", "bolivia"),
    ],
)
def test_a_meld_that_is_not_legal_is_refused(cards: str, ruleset: str) -> None:
    assert faults_of(position(ruleset, melds={"m1": cards})) == ["melds"]


def test_a_meld_of_another_kind_than_it_says_is_refused() -> None:
    raw = position() | {"melds": [[{"id": "m1", "kind": "sequence", "cards": ["8S", "8H", "8D"]}], []]}
    assert faults_of(raw) == ["melds"]


def test_two_groups_of_a_rank_are_refused_where_one_may_lie_but_not_those_of_different_sides() -> None:
    assert faults_of(position(CLASSIC, melds={"m1": "8S 8H 8D", "m2": "8S 8C 8C"})) == ["melds"]
    given(CLASSIC, melds={"m1": "8S 8H 8D"}, melds_of={1: {"m2": "8S 8C 8C"}}).when_nothing_happens().then(turn=0)


@pytest.mark.parametrize("name", ["1", "m0", "m01", "M1", "m", "", "m-1", "m²", "m1234567"])
def test_an_id_that_is_none_is_refused(name: str) -> None:
    assert "melds" in faults_of(position(melds={name: "8S 8H 8D"}))


def test_the_largest_id_and_the_largest_sheet_total_are_still_read() -> None:
    table = given(hand="9C 9D 9H 4S 5S", began="stock", melds={"m999998": "8S 8H 8D"}, scores=[10_000_000, -10_000_000])
    table.when(meld("9C 9D 9H")).then(melds={"m999998": "8S 8H 8D", "m999999": "9C 9D 9H"})


def test_an_id_that_lies_twice_is_refused_across_sides() -> None:
    assert faults_of(position(melds={"m1": "8S 8H 8D"}, melds_of={1: {"m1": "9S 9H 9D"}})) == ["melds"]


def test_a_meld_with_absurdly_many_copies_is_a_fault_of_the_pack() -> None:
    for face in ("3S", "8S", "2S", "4C"):
        assert "" in faults_of(position(melds={"m1": " ".join([face] * 16)}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hand", 0),
        ("hand", "1"),
        ("hand", True),
        ("dealer", 4),
        ("dealer", -1),
        ("turn", 4),
        ("scores", [0]),
        ("scores", [0, 0.5]),
        ("scores", [10_000_001, 0]),
        ("scores", [0, -10_000_001]),
        ("phase", "dealing"),
        ("holdings", [[], [], []]),
        ("holdings", [["9X"], [], [], []]),
        ("holdings", [-1, 0, 0, 0]),
        ("holdings", [500, 0, 0, 0]),
        ("melds", [[]]),
        ("red_threes", [["3S"], []]),
        ("red_threes", [[]]),
        ("pile", "9C"),
        ("stock", {"count": 1, "next": ["5S", "6S"]}),
        ("stock", {"count": 1000}),
        ("stock", {"count": -1}),
        ("stock", {"next": ["5S"]}),
        ("stock", {"count": 1, "more": 1}),
        ("began", "stock"),
        ("permission", "maybe"),
        ("barred", [4]),
        ("barred", [1, 1]),
        ("barred", -1),
        ("has_melded", [True]),
        ("had_turn", [1, 0, 0, 0]),
        ("lone", 0),
        ("lone", 5),
        ("recycles", -1),
        ("ended", {"by": None, "reason": "stock", "concealed": False}),
        ("ask", {"type": "ask", "then": [{"type": "discard", "cards": ["9C"]}]}),
        ("colour", "red"),
    ],
)
def test_a_key_with_a_value_that_cannot_be_is_at_fault(key: str, value: Any) -> None:
    assert faults_of(position() | {key: value}) == [key]


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"phase": "hand_over"}, "ended"),
        ({"phase": "hand_over", "ended": {"by": None, "reason": "out", "concealed": False}}, "ended"),
        ({"phase": "hand_over", "ended": {"by": 0, "reason": "stock", "concealed": False}}, "ended"),
        ({"phase": "hand_over", "ended": {"by": 4, "reason": "out", "concealed": False}}, "ended"),
        ({"phase": "answer"}, "ask"),
        ({"phase": "answer", "ask": {"type": "draw"}}, "ask"),
        ({"phase": "answer", "ask": {"type": "ask", "then": []}}, "ask"),
    ],
)
def test_keys_that_hang_on_the_phase(more: dict[str, Any], fault: str) -> None:
    assert faults_of(position() | more) == [fault]


@pytest.mark.parametrize(
    ("raw", "keys"),
    [
        (None, [""]),
        ([], [""]),
        ({}, ["ruleset"]),
        ({"ruleset": "whist", "players": 4}, ["ruleset"]),
        ({"ruleset": 5, "players": 4}, ["ruleset"]),
        ({"ruleset": "samba-official"}, ["players"]),
        ({"ruleset": "samba-official", "players": 7}, ["players"]),
        ({"ruleset": "samba-official", "players": "4"}, ["players", "players"]),
        ({"ruleset": "samba-official", "players": 4, "options": []}, ["options"]),
        ({"ruleset": "samba-official", "players": 4, "options": {"packs": 0, "jokers": -1}}, ["ruleset", "ruleset"]),
    ],
)
def test_a_position_needs_a_rule_set_and_a_number_of_seats(raw: Any, keys: list[str]) -> None:
    assert faults_of(raw) == keys


def test_every_fault_is_listed() -> None:
    raw = position(melds={"m1": "8S 8H"}, hand="8S 8S 8S") | {"turn": 9, "colour": "red", "pile": ["9X"]}
    assert sorted(faults_of(raw)) == ["", "colour", "melds", "pile", "turn"]


def test_a_complete_rule_set_object_serves_as_well_as_a_name() -> None:
    complete = write_position(given(CLASSIC).state)["ruleset"]
    raw = position(hand="9C", stock="5S 6S") | {"ruleset": complete}
    assert write_position(state_from(raw))["ruleset"] == complete
    given(CLASSIC, hand="9C", stock="5S 6S").when(draw()).then(holding="9C 5S")
