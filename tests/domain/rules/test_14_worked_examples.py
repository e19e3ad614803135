"""Rule book 14.3: the worked examples, number by number."""

import pytest

from tests.domain.builders import EIGHTS, KINGS, SAMBA, answer, ask, by, discard, draw, given, meld, pass_, take

CLASSIC = "canasta-classic"


def test_1_a_hand_of_4() -> None:
    table = given(
        CLASSIC, seat=2, hand="9C", began="stock", holdings={0: "5C JD"}, red_threes=[["3H"], []],
        melds={"m1": "KS KH KD KC KH 2S 2D", "m2": "8S 8H 8D"},
    )  # fmt: skip
    out = table.when(discard("9C")).then_out(2)
    out.then_lines(0, cards=120, mixed_canastas=300, red_threes=100, going_out=100, in_hand=-15, total=605)


def test_2_first_meld_with_a_take() -> None:
    table = given(hand="AH AD KS KH KD 4C 5C", pile="AC AS AS", scores=[1500, 0])
    table.when(take("AH AD", melds=["KS KH KD"])).then(holding="4C 5C AC AS")
    table.when(take("AH AD")).then_refused("first_meld_too_low", points=60, needed=90)


def test_3_judged_as_a_whole() -> None:
    table = given(hand="2D 8D 8C 8S 8H 8D 4C 5C", began="stock", melds={"m1": "8S 8H 2C"})
    table.when(meld(add={"m1": "2D"})).then_refused("too_few_naturals", naturals=2, wilds=2, ratio="two_to_one")
    table.when(meld(add={"m1": "2D 8D 8C"})).then(melds={"m1": "8S 8H 2C 2D 8D 8C"})
    table.when(meld("8S 8H 8D")).then(melds={"m1": "8S 8H 2C", "m2": "8S 8H 8D"})
    classic = given(CLASSIC, hand="8S 8H 8D 4C 5C", began="stock", melds={"m1": "8S 8H 2C"})
    classic.when(meld("8S 8H 8D")).then_refused("rank_already_melded", rank="8", meld="m1")


def test_4_joining() -> None:
    table = given(hand="7S 4C 5C", began="stock", melds={"m1": "4S 5S 6S", "m2": "8S 9S TS"})
    table.when(meld(add={"m1": "7S"}, join=["m1 m2"])).then(melds={"m1": "4S 5S 6S 7S 8S 9S TS"})
    table.when(meld(join=["m1 m2"])).then_refused("join_does_not_fit", melds="m1 m2")


def test_5_keep_a_card() -> None:
    base = {"hand": "8H 8D 5S", "melds": {"m1": "QS QH QD"}}
    given(**base, pile="8S").when(take("8H 8D")).then_refused("keep_two_cards", left=1, reason="sets_missing")
    given(**base, pile="4C 8S").when(take("8H 8D")).then(holding="5S 4C")
    sets = given(hand="8H 8D 5S", pile="8S", melds={"m1": KINGS, "m2": SAMBA})
    sets.when(take("8H 8D"), discard("5S")).then_out(0)


def test_6_black_threes() -> None:
    sets = {"m1": EIGHTS, "m2": KINGS}
    table = given(hand="3S 3S 3C JD", began="stock", melds=sets)
    table.when(meld("3S 3S 3C"), meld(add={"m1": "JD"})).then_refused("must_discard")
    table.when(meld("3S 3S 3C"), discard("JD")).then_out(0)
    more = given(hand="3S 3S 3C JD 5C", began="stock", melds=sets)
    more.when(meld("3S 3S 3C")).then_refused("black_threes_only_when_going_out", left=2, reason="cards_left")
    czech = given("samba-czech", hand="3S 3S 3C", began="stock", melds=sets)
    czech.when(meld("3S 3S 3C")).then_refused("off_in_ruleset", parameter="black_three_melds")
    czech.when(discard("3S 3S 3C")).then_out(0)


def test_7_one_fault_two_rule_sets() -> None:
    base = {"hand": "8H 2C 9H 4C", "pile": "2H 8S", "melds": {"m1": "QS QH QD"}}
    given(CLASSIC, **base).when(take("8H 2C")).then_refused("pile_frozen", because="wild_in_pile")
    given(**base).when(take("8H 2C")).then_refused("natural_pair_needed", card="8S")
    for ruleset in (CLASSIC, "samba-official"):
        given(ruleset, **base).when(take("8H 9H")).then_refused("upcard_does_not_fit", card="8S", meld=None)


def test_8_joining_the_meld_of_the_rank() -> None:
    table = given(CLASSIC, hand="8H 8D 2C 4C 5C", pile="8S", melds={"m1": "8C 8C 2S 2H 2D"})
    table.when(take("8H 8D")).then(melds={"m1": "8C 8C 2S 2H 2D 8S 8H 8D"})
    table.when(take("8H 2C")).then_refused("too_many_wilds", wilds=4, maximum=3)


def test_9_asking() -> None:
    table = given(CLASSIC, hand="6S 6H 6D 9C", began="stock", melds={"m1": EIGHTS})
    plan = ask(meld("6S 6H 6D"), discard("9C"))
    table.when(plan).then(phase="answer")
    yes = table.when(plan, by(2, answer(True)))
    yes.then_events("asked", "answered", "melded", "discarded", "hand_ended")
    table.when(plan, by(2, answer(False)), meld("6S 6H 6D")).then_refused(
        "keep_two_cards", left=1, reason="permission_refused"
    )


@pytest.mark.parametrize(
    ("ruleset", "laid", "own", "others"),
    [
        ("samba-official", 6, -600, 0),
        ("samba-online", 6, -1000, 0),
        ("samba-czech", 6, 1000, -1000),
        (CLASSIC, 4, -800, 0),
    ],
)
def test_10_all_red_threes_of_a_side_without_sets_and_melds(ruleset: str, laid: int, own: int, others: int) -> None:
    threes = ["3H"] * (laid // 2) + ["3D"] * (laid // 2)
    ended = given(ruleset, hand="9C", stock=0, red_threes=[threes, []]).when(pass_())
    ended.then_lines(0, red_threes=own).then_lines(1, red_threes=others)


def test_11_turning_the_pile() -> None:
    pile = "4C 5C 6C 7C 8C 9C TC JC QC"
    table = given("samba-czech", hand="9H 9D", stock="5S", pile=pile)
    drawn = table.when(draw()).then(holding="9H 9D 5S 4C", stock=8, pile=0).then_event("drew", recycled=9)
    drawn.then(recycles=1)
    one = given("samba-czech", hand="4H 9D 9H", stock=0, pile="4C", scores=[-5, 0])
    one.when(draw()).then_refused("cannot_draw", stock=0, needed=2)
    one.when(pass_()).then_stock_ends_the_hand()
    taking = given("samba-czech", hand="4H 4D 9D 9H", stock=0, pile="4C", scores=[-5, 0])
    taking.when(take("4H 4D"), discard("9D")).then(turn=1)


def test_12_lone_side() -> None:
    table = given(
        CLASSIC, players=3, hand="5C", began="stock", lone=0, holdings={1: "5C JD", 2: "AS"},
        melds={"m1": "KS KH KD KC KH 2S 2D"}, melds_of={1: {"m2": "8S 8H 8D"}},
        red_threes_by_seat=[["3H"], ["3H", "3D"], []],
    )  # fmt: skip
    out = table.when(discard("5C")).then_out(0)
    out.then_lines(0, cards=90, mixed_canastas=300, red_threes=100, going_out=100, total=590)
    out.then_lines(1, cards=30, red_threes=200, in_hand=-35, total=195)
    out.then_lines(2, cards=30, red_threes=0, in_hand=-35, total=-5)


def test_13_concealed() -> None:
    sevens = "7S 7H 7D 7C 7S 7H 7D"
    table = given(CLASSIC, hand=f"{sevens} 9C", began="stock", scores=[3000, 0])
    out = table.when(meld(sevens), discard("9C")).then_out(0, concealed=True)
    out.then_lines(0, cards=35, natural_canastas=500, going_out=200)
    after_take = given(CLASSIC, hand=f"{sevens} 9C", began="pile", scores=[3000, 0])
    after_take.when(meld(sevens)).then_refused("first_meld_too_low", points=35, needed=120)


def test_14_last_card_a_red_three() -> None:
    ended = given(hand="", stock="9H 3H").when(draw()).then_stock_ends_the_hand()
    ended.then(red_threes=["3H", ""]).then_lines(0, in_hand=-10)
    given(hand="9C", stock="3H 5C").when(draw()).then(phase="play", holding="9C 3H 5C")
    online = given("samba-online", hand="9C", stock="3H 5C").when(draw())
    online.then(phase="play", holding="9C 5C", red_threes=["3H", ""])
