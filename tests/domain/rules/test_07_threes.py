"""Rule book part 7: red threes, optional and automatic, and the last card of the stock."""

import pytest

from domain.decide import brings_cards_too_early
from domain.moves import Discard, LayRedThree, Move
from tests.domain.builders import EIGHTS, KINGS, ask, by, discard, draw, given, lay, meld, pass_, take

OPEN = {"m1": "QS QH QD"}
TWO_SETS = {"m1": EIGHTS, "m2": KINGS}
CLASSIC = "canasta-classic"


# 7.2 optional


def test_a_red_three_is_a_card_in_hand_like_any_other() -> None:
    given(hand="9C", stock="3H 5S 6S").when(draw()).then(holding="9C 3H 5S", red_threes=["", ""])


def test_laying_a_red_three_needs_no_meld_does_not_open_and_is_no_meld_of_the_turn() -> None:
    table = given(hand="3H 9C 9D", began="stock", stock="5S 6S")
    laid = table.when(lay("3H"))
    laid.then(holding="9C 9D 5S", red_threes=["3H", ""], stock="6S", melded_this_turn=False, melds={})
    laid.then_event("laid_red_three", card="3H", replacement="5S")


def test_a_red_three_is_laid_in_phase_play_and_before_the_draw_only_where_the_rule_set_says_so() -> None:
    base = {"hand": "3H 9C", "stock": "5S 6S 7S"}
    given(**base).when(lay("3H")).then_refused("must_begin_turn")
    before = given(**base, options={"red_three_phase": "draw_or_play"}).when(lay("3H"))
    before.then(phase="draw", began=None, holding="9C 5S")
    later = {"had_turn": [True, False, False, False]}
    given(**base, **later, options={"red_three_phase": "draw_or_play"}).when(lay("3H")).then(phase="draw")
    given("samba-czech", **base).when(lay("3H"), draw()).then(phase="play", holding="9C 5S 6S 7S")
    given("samba-czech", **base, **later).when(lay("3H")).then_refused("must_begin_turn")
    given("samba-czech", **base, **later, began="stock").when(lay("3H")).then(holding="9C 5S")


def test_it_is_laid_in_the_own_turn_only() -> None:
    table = given(hand="9C 9D", began="stock", holdings={1: "3H 9S"})
    table.when(by(1, lay("3H"))).then_refused("not_your_turn", turn=0)


@pytest.mark.parametrize(
    ("policy", "began", "stock", "replacement"),
    [
        ("from_stock", "stock", "5S 6S", "5S"),
        ("from_stock", "upcard", "5S 6S", "5S"),
        ("from_stock", "pile", "5S 6S", None),
        ("from_stock", "stock", "", None),
        ("always", "stock", "5S 6S", "5S"),
        ("always", "pile", "5S 6S", "5S"),
        ("always", "pile", "", None),
        ("none", "stock", "5S 6S", None),
    ],
)
def test_what_replaces_a_red_three(policy: str, began: str, stock: str, replacement: str | None) -> None:
    table = given(hand="3H 9C 9D", began=began, stock=stock, options={"red_three_replacement": policy})
    laid = table.when(lay("3H")).then_event("laid_red_three", replacement=replacement)
    laid.then(holding=f"9C 9D {replacement or ''}")


def test_the_pile_is_never_turned_over_for_a_replacement() -> None:
    table = given("samba-czech", hand="3H 9C 9D", began="stock", stock=0, pile="5S 6S 7S 8S")
    table.when(lay("3H")).then(holding="9C 9D", pile="5S 6S 7S 8S", recycles=0)


def test_a_replacement_that_is_a_red_three_comes_to_the_hand() -> None:
    given(hand="3H 9C 9D", began="stock", stock="3D 5S").when(lay("3H")).then(holding="9C 9D 3D", red_threes=["3H", ""])


def test_before_the_draw_one_card_must_remain_after_the_replacement() -> None:
    options = {"red_three_phase": "draw_or_play"}
    table = given(hand="3H", stock=0, options=options)
    table.when(lay("3H")).then_refused("keep_two_cards", left=0, reason="sets_missing")
    given(hand="3H", stock="5S", options=options).when(lay("3H")).then(holding="5S", phase="draw")
    given(hand="3H 9C", stock=0, options=options).when(lay("3H")).then(holding="9C", phase="draw")
    sets = given(hand="3H", stock=0, options=options, melds=TWO_SETS)
    sets.when(lay("3H")).then_refused("keep_two_cards", left=0, reason="cards_left")


def test_out_by_laying_a_red_three() -> None:
    table = given(hand="3H", began="stock", stock=0, melds=TWO_SETS)
    table.when(lay("3H")).then_out(0).then_events("laid_red_three", "hand_ended")


def test_with_a_final_discard_required_the_last_red_three_is_not_laid_away() -> None:
    table = given("samba-czech", hand="3H", began="stock", stock=0, melds=TWO_SETS)
    table.when(lay("3H")).then_refused("final_discard_needed")


def test_a_card_that_is_no_red_three_or_not_held_cannot_be_laid() -> None:
    table = given(hand="3H 3S 9C", began="stock")
    table.when(lay("3S")).then_refused("malformed_move", field="card")
    table.when(lay("3D")).then_refused("cards_not_held", cards="3D")


def test_a_red_three_may_be_discarded_where_the_rule_set_says_so_and_blocks_the_pile() -> None:
    table = given(hand="3H 9C", began="stock", pile="8S", holdings={1: "8H 8D JC TC"}, melds_of={1: {"m1": "KS KH KD"}})
    table.when(discard("3H")).then(pile="8S 3H")
    table.when(discard("3H"), take("8H 8D")).then_refused("pile_blocked", card="3H")
    off = given(hand="3H 9C", began="stock", options={"red_three_discard": False})
    off.when(discard("3H")).then_refused("off_in_ruleset", parameter="red_three_discard")


def test_laying_a_red_three_does_not_disturb_a_concealed_exit() -> None:
    table = given(hand="3H 9C 9C 9S 9S 9H 9H 9D", began="stock", stock=0, melds={"m1": EIGHTS})
    table.when(lay("3H"), meld("9C 9C 9S 9S 9H 9H 9D")).then_out(0, concealed=True)


# 7.3 automatic


def test_after_every_draw_each_red_three_held_is_laid_and_replaced_in_rounds() -> None:
    table = given(CLASSIC, players=2, hand="9C", stock="3H 3D 5S 3H 6S 7S")
    drawn = table.when(draw())
    drawn.then(holding="9C 5S 6S", red_threes=["3H 3H 3D", ""], stock="7S")
    drawn.then_event(
        "drew", cards=["3H", "3D"],
        red_threes=[
            {"seat": 0, "card": "3H", "replacement": "5S"},
            {"seat": 0, "card": "3D", "replacement": "3H"},
            {"seat": 0, "card": "3H", "replacement": "6S"},
        ],
    )  # fmt: skip


def test_without_replacement_automatic_red_threes_are_laid_all_the_same() -> None:
    table = given(CLASSIC, players=2, hand="9C", stock="3H 5S 6S", options={"red_three_replacement": "none"})
    table.when(draw()).then(holding="9C 5S", red_threes=["3H", ""], stock="6S")


def test_a_red_three_of_the_pile_is_laid_without_replacement_unless_always() -> None:
    base = {"hand": "8H 8D JC TC", "pile": "3H 8S", "stock": "5S 6S", "melds": OPEN}
    taken = given(CLASSIC, **base).when(take("8H 8D"))
    taken.then(holding="JC TC", red_threes=["3H", ""], stock="5S 6S").then_event("took_pile", picked_up=["3H"])
    always = given("samba-online", **base).when(take("8H 8D"))
    always.then(holding="JC TC 5S", red_threes=["3H", ""], stock="6S")
    always.then_event("took_pile", red_threes=[{"seat": 0, "card": "3H", "replacement": "5S"}])


def test_lay_red_three_does_not_exist_in_automatic_mode() -> None:
    table = given(CLASSIC, hand="3H 9C 9D", began="stock")
    table.when(lay("3H")).then_refused("off_in_ruleset", parameter="red_threes")
    given(CLASSIC, hand="3H 9C 9D").when(lay("3H")).then_refused("must_begin_turn")


def test_what_brings_no_card_may_stand_anywhere_in_a_list() -> None:
    moves: list[Move] = [LayRedThree("3H"), Discard(("9C",))]
    assert not brings_cards_too_early(given(CLASSIC, hand="3H 9C 9D", began="stock").state, 0, moves)
    assert brings_cards_too_early(given(hand="3H 9C 9D", began="stock").state, 0, moves)


def test_a_red_three_not_yet_laid_goes_down_at_the_next_draw_or_take() -> None:
    given(CLASSIC, hand="3H 9C", stock="5S 6S 7S").when(draw()).then(holding="9C 5S 6S", red_threes=["3H", ""])
    table = given(CLASSIC, hand="3H 8H 8D JC TC", pile="8S", melds=OPEN)
    table.when(take("8H 8D")).then(holding="JC TC", red_threes=["3H", ""])


def test_until_then_it_can_be_neither_melded_nor_discarded() -> None:
    table = given(CLASSIC, hand="3H 9C 9D 9S", began="stock", melds=OPEN)
    table.when(meld("3H 9C 9D")).then_refused("red_three_in_meld", cards="9D 9C 3H")
    table.when(discard("3H")).then_refused("off_in_ruleset", parameter="red_three_discard")


# 7.4 the last card of the stock is a red three


@pytest.mark.parametrize(
    ("ruleset", "stock", "ends", "laid", "held"),
    [
        ("samba-official", "9H 3H", True, "3H", "9C 9H"),
        ("samba-official", "3D 3H", True, "3D 3H", "9C"),
        ("samba-official", "3H 5C", False, "", "9C 3H 5C"),
        ("samba-official", "9H 3H 5C", False, "", "9C 9H 3H"),
        ("samba-official", "3H", True, "3H", "9C"),
        ("samba-online", "9H 3H", True, "3H", "9C 9H"),
        ("samba-online", "3H 5C", False, "3H", "9C 5C"),
        ("samba-online", "3H 5C 3D", True, "3H 3D", "9C 5C"),
        ("samba-online", "3H 5C 6C", False, "3H", "9C 5C 6C"),
    ],
)
def test_the_hand_ends_where_the_last_card_to_leave_the_stock_is_a_red_three(
    ruleset: str, stock: str, ends: bool, laid: str, held: str
) -> None:
    drawn = given(ruleset, hand="9C", stock=stock).when(draw()).then(holding=held, red_threes=[laid, ""])
    if ends:
        drawn.then_stock_ends_the_hand().then_events("drew", "hand_ended")
    else:
        drawn.then(phase="play")


def test_red_threes_held_before_stay_in_hand_in_optional_mode() -> None:
    table = given(hand="3D 9C", stock="9H 3H")
    ended = table.when(draw()).then_stock_ends_the_hand()
    ended.then(holding="3D 9C 9H", red_threes=["3H", ""])
    ended.then_event("drew", cards=["9H", "3H"], red_threes=[{"seat": 0, "card": "3H", "replacement": None}])


def test_the_other_cards_drawn_count_in_hand() -> None:
    given(hand="", stock="9H 3H").when(draw()).then_lines(0, in_hand=-10, red_threes=-100)


def test_a_replacement_that_is_the_last_card_and_a_red_three_is_laid_by_a_second_event() -> None:
    table = given(hand="3H 3D 9C 9D", began="stock", stock="3D")
    ended = table.when(lay("3H")).then_stock_ends_the_hand()
    ended.then_events("laid_red_three", "laid_red_three", "hand_ended")
    ended.then(holding="3D 9C 9D", red_threes=["3H 3D", ""])
    ended.then_event("laid_red_three", card="3D", replacement=None)


def test_an_automatic_replacement_after_a_take_ends_the_hand_too() -> None:
    table = given("samba-online", hand="8H 8D JC TC", pile="3H 8S", stock="3D", melds=OPEN)
    ended = table.when(take("8H 8D")).then_stock_ends_the_hand()
    ended.then(holding="JC TC", red_threes=["3H 3D", ""]).then_events("took_pile", "hand_ended")
    another = given("samba-online", hand="8H 8D JC TC", pile="3H 8S", stock="5D", melds=OPEN)
    another.when(take("8H 8D")).then(phase="play", holding="JC TC 5D", stock=0)


def test_a_take_without_a_replacement_ends_nothing_though_the_stock_is_empty() -> None:
    table = given("samba-online", hand="8H 8D JC TC", pile="3H 8S", stock=0, melds=OPEN)
    table.when(take("8H 8D")).then(phase="play", red_threes=["3H", ""])


def test_the_rule_may_be_off() -> None:
    off = {"last_red_three_ends_hand": False}
    given(hand="9C", stock="9H 3H", options=off).when(draw()).then(phase="play", holding="9C 9H 3H")
    table = given(hand="3H 9C 9D", began="stock", stock="3D", options=off)
    table.when(lay("3H")).then(phase="play", holding="9C 9D 3D", last_turn=False)
    given(hand="9C", stock="9H 3H", options=off).when(draw()).then(last_turn=False)
    taken = given("samba-online", hand="8H 8D JC TC", pile="3H 8S", stock="3D", melds=OPEN, options=off)
    taken.when(take("8H 8D")).then(phase="play", holding="JC TC", red_threes=["3H 3D", ""], last_turn=False)


# A last turn.


LAST = {"last_red_three_may_meld": True}


def test_with_the_option_the_turn_goes_on_without_a_discard() -> None:
    table = given(hand="4S 4H 4D 9C 9D", stock="5C 3H", melds=OPEN, options=LAST)
    drawn = table.when(draw()).then(phase="play", last_turn=True, red_threes=["3H", ""], holding="4S 4H 4D 9C 9D 5C")
    drawn.then_events("drew")
    table.when(draw(), meld("4S 4H 4D"), discard("9C")).then_refused("no_discard_now")
    table.when(draw(), meld("4S 4H 4D"), pass_()).then_stock_ends_the_hand().then_lines(0, cards=45, in_hand=-25)


def test_in_a_last_turn_the_seat_may_go_out_by_melding_everything_and_may_ask() -> None:
    table = given(hand="4S 4H 4D", stock="4C 3H", melds=TWO_SETS, options=LAST)
    table.when(draw(), meld("4S 4H 4D 4C")).then_out(0)
    table.when(draw(), ask(meld("4S 4H 4D 4C"))).then(phase="answer")


def test_a_last_turn_begins_by_a_replacement_as_well() -> None:
    table = given(hand="3H 9C 9D", began="stock", stock="3D", options=LAST)
    table.when(lay("3H")).then(phase="play", last_turn=True, holding="9C 9D", red_threes=["3H 3D", ""])
    another = given(hand="3H 9C 9D", began="stock", stock="5D", options=LAST)
    another.when(lay("3H")).then(last_turn=False, holding="9C 9D 5D")
    more = given(hand="3H 9C 9D", began="stock", stock="3D 5D", options=LAST)
    more.when(lay("3H")).then(last_turn=False, holding="9C 9D 3D", red_threes=["3H", ""])
    given(hand="9C", stock="5D 3H 6D", options=LAST).when(draw()).then(last_turn=False, red_threes=["", ""])


def test_a_last_turn_begins_by_the_replacements_of_a_take_as_well() -> None:
    table = given("samba-online", hand="8H 8D JC TC", pile="3H 8S", stock="3D", melds=OPEN, options=LAST)
    taken = table.when(take("8H 8D")).then(phase="play", last_turn=True, holding="JC TC", red_threes=["3H 3D", ""])
    table.when(take("8H 8D"), discard("JC")).then_refused("no_discard_now")
    table.when(take("8H 8D"), pass_()).then_stock_ends_the_hand()
    assert taken.state.stock_count == 0
    another = given("samba-online", hand="8H 8D JC TC", pile="3H 8S", stock="5D", melds=OPEN, options=LAST)
    another.when(take("8H 8D")).then(last_turn=False)


def test_a_seat_left_without_a_card_by_its_last_red_three_is_out() -> None:
    table = given(hand="3H", began="stock", stock="3D", melds=TWO_SETS, options=LAST)
    table.when(lay("3H")).then_out(0).then_events("laid_red_three", "laid_red_three", "hand_ended")


def test_before_the_draw_nobody_goes_out_by_a_red_three() -> None:
    options = LAST | {"red_three_phase": "draw_or_play"}
    table = given(hand="3H", stock="3D", melds=TWO_SETS, options=options)
    table.when(lay("3H")).then(phase="draw", last_turn=True, holding="", red_threes=["3H 3D", ""])
    table.when(lay("3H"), pass_()).then_stock_ends_the_hand()


def test_the_last_red_three_in_automatic_mode_opens_a_last_turn() -> None:
    table = given(CLASSIC, hand="9C 9D", stock="3H", melds=OPEN, options=LAST)
    table.when(draw()).then(phase="play", last_turn=True, holding="9C 9D", red_threes=["3H", ""])
    table.when(draw(), pass_()).then_stock_ends_the_hand()
    other = given(CLASSIC, players=2, hand="9C 9D", stock="3H 5C", melds=OPEN, options=LAST)
    other.when(draw()).then(last_turn=False)
