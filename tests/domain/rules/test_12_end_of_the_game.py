"""Rule book part 12: the end of the game."""

import pytest

from domain.dealing import deal
from domain.ending import abort, adjudication, time_out
from domain.events import AnyEvent
from domain.evolve import fold
from tests.domain.builders import EIGHTS, KINGS, by, discard, given, pass_, resign
from tests.domain.outcomes import Outcome, cards

TWO_SETS = {"m1": EIGHTS, "m2": KINGS}


def ended_by(situation: Outcome, happened: list[AnyEvent]) -> Outcome:
    """What comes of events that no move made."""
    state = situation.state
    return Outcome(state, fold(state, happened), happened, None, 0)


def test_the_target_is_tested_only_after_a_hand_is_scored() -> None:
    table = given(hand="9C 9D", began="stock", scores=[12000, 0])
    table.when(discard("9C")).then(phase="draw").then_winners()


def test_a_side_at_the_target_wins_with_the_highest_total() -> None:
    # A pass costs side 0 the nine in hand.
    exact = given(hand="9C", stock=0, scores=[10010, 0]).when(pass_())
    exact.then_totals(10000, 0).then_winners(0).then(phase="game_over")
    exact.then_events("passed", "hand_ended", "game_ended").then_event(
        "game_ended", reason="target", totals=[10000, 0], winners=[0]
    )
    short = given(hand="9C", stock=0, scores=[10005, 0]).when(pass_())
    short.then_totals(9995, 0).then_winners().then(phase="hand_over").then_events("passed", "hand_ended")


def test_where_several_sides_pass_the_target_the_higher_total_wins() -> None:
    given(hand="9C", stock=0, scores=[10110, 11000]).when(pass_()).then_winners(1)


@pytest.mark.parametrize(("tie", "winners", "phase"), [("draw", (0, 1), "game_over"), ("play_on", (), "hand_over")])
def test_sides_that_share_the_highest_total_draw_or_play_on(tie: str, winners: tuple[int, ...], phase: str) -> None:
    table = given(hand="9C", stock=0, scores=[10510, 10500], options={"tie": tie})
    table.when(pass_()).then_totals(10500, 10500).then_winners(*winners).then(phase=phase)


def test_a_tie_below_the_best_is_none() -> None:
    table = given(players=3, hand="9C", stock=0, scores=[10510, 10500, 10600], options={"tie": "play_on"})
    table.when(pass_()).then_winners(2)
    shared = given(players=3, hand="9C", stock=0, scores=[10510, 10500, 10100])
    shared.when(pass_()).then_winners(0, 1)


@pytest.mark.parametrize(("hand", "over"), [(59, False), (60, True), (61, True)])
def test_after_so_many_hands_the_game_is_a_draw_whatever_the_totals(hand: int, over: bool) -> None:
    capped = given("samba-online", hand="9C", stock=0, scores=[5000, 10], hand_number=hand).when(pass_())
    if over:
        capped.then_winners(0, 1).then_event("game_ended", reason="hand_cap", winners=[0, 1])
    else:
        capped.then_winners().then(phase="hand_over")


def test_the_target_comes_before_the_cap() -> None:
    table = given("samba-online", hand="9C", stock=0, scores=[10510, 10], hand_number=60)
    table.when(pass_()).then_winners(0).then_event("game_ended", reason="target")


def test_a_tie_played_on_in_the_last_hand_is_a_draw_by_the_cap() -> None:
    table = given(
        "samba-online",
        players=3,
        hand="9C",
        stock=0,
        scores=[10510, 10500, 5],
        options={"tie": "play_on"},
        hand_number=60,
    )
    table.when(pass_()).then_winners(0, 1, 2).then_event("game_ended", reason="hand_cap")


def test_the_target_may_hang_on_the_number_of_seats() -> None:
    two = given("canasta-classic", players=2, hand="9C", stock=0, scores=[5010, 0]).when(pass_())
    two.then_winners(0)
    three = given("canasta-classic", players=3, hand="9C", stock=0, scores=[5010, 0, 0]).when(pass_())
    three.then_winners()


@pytest.mark.parametrize("phase", ["draw", "play"])
def test_a_resignation_ends_the_game_at_once_and_the_hand_is_not_scored(phase: str) -> None:
    more = {"began": "stock"} if phase == "play" else {}
    table = given(hand="9C", holdings={1: "9D"}, scores=[500, 100], melds=TWO_SETS, **more)
    over = table.when(by(2, resign())).then(phase="game_over").then_totals(500, 100).then_winners(1)
    over.then_events("resigned", "game_ended").then_event("resigned", seat=2, side=0, reason=None)
    over.then_event("game_ended", reason="resigned", totals=[500, 100], winners=[1])
    assert over.state.lines == ()


@pytest.mark.parametrize(
    ("players", "scores", "seat", "winners"),
    [
        (2, [900, 100], 0, (1,)),
        (3, [900, 100, 200], 0, (2,)),
        (3, [900, 100, 200], 1, (0,)),
        (3, [900, 200, 200], 0, (1, 2)),
        (6, [900, 100, 200], 3, (2,)),
        (6, [900, 100, 200], 4, (0,)),
        (5, [5, 5, 5, 5, 0], 2, (0, 1, 3)),
    ],
)
def test_with_more_sides_the_best_of_the_others_wins(
    players: int, scores: list[int], seat: int, winners: tuple[int, ...]
) -> None:
    given(players=players, hand="9C", scores=scores).when(by(seat, resign())).then_winners(*winners)


def test_after_a_hand_the_resignation_looks_at_the_new_totals() -> None:
    table = given(players=3, hand="9C", stock=0, scores=[900, 100, 95])
    table.when(pass_(), by(0, resign())).then_totals(890, 100, 95).then_winners(1)


def test_a_ruling_or_time_against_a_side_ends_the_game_like_a_resignation() -> None:
    table = given(players=3, hand="9C", scores=[900, 100, 200]).when_nothing_happens()
    ruled = ended_by(table, adjudication(table.state, 0, "ruling")).then_winners(2)
    ruled.then_events("adjudicated", "game_ended").then_event("game_ended", reason="adjudicated")
    timed = ended_by(table, time_out(table.state, 2, "time")).then_winners(0)
    timed.then_events("timed_out", "game_ended").then_event("game_ended", reason="timed_out").then_event(
        "timed_out", side=2, reason="time"
    )


def test_a_ruling_against_nobody_lets_the_best_totals_win() -> None:
    table = given(players=3, hand="9C", scores=[900, 900, 200]).when_nothing_happens()
    ended_by(table, adjudication(table.state, None, "agreement")).then_winners(0, 1)


def test_an_aborted_game_has_no_winners() -> None:
    table = given(hand="9C", scores=[900, 100]).when_nothing_happens()
    over = ended_by(table, abort(table.state, "technical")).then_winners().then(phase="game_over").then_totals(900, 100)
    over.then_events("aborted", "game_ended").then_event("aborted", side=None, reason="technical")


def test_for_the_next_hand_everything_of_the_old_one_is_gone_and_the_new_totals_count() -> None:
    table = given(
        "samba-czech", hand="9C", stock=0, scores=[1600, 0], barred=[1], recycles=2, melds={"m1": EIGHTS},
        red_threes=[["3H"], []], has_melded=[True] * 4, had_turn=[True] * 4,
    )  # fmt: skip
    over = table.when(pass_())
    deck = cards(" ".join(["4S 5S 6S 7S 8S 9S TS JS QS KS AS 4H 5H 6H 7H"] * 4) + " 9D 4C 5C")
    fresh = deal(over.state.table, over.state.hand + 1, (over.state.dealer + 1) % 4, deck)
    next_hand = ended_by(over, [fresh])
    next_hand.then(
        hand=2, dealer=1, turn=2, phase="draw", pile="9D", stock="4C 5C", melds_of={0: {}, 1: {}}, barred=[],
        recycles=0, red_threes=["", ""], has_melded=[False] * 4, had_turn=[False] * 4, ended=None, began=None,
    )  # fmt: skip
    assert next_hand.state.scores == over.state.totals == (1600 + 70 + 500 + 100 - 10 - 200, -200)
    assert next_hand.state.lines == ()
    assert next_hand.state.next_meld == 1
