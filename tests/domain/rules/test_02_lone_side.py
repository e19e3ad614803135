"""Rule book 2.3, 4.7 and 11.4: three seats, one of which comes to play alone."""

from tests.domain.builders import ask, by, discard, draw, given, meld, pass_, resign, take, take_onto, take_upcard

CLASSIC = "canasta-classic"


def test_with_a_lone_side_every_seat_is_a_side_throughout() -> None:
    table = given(CLASSIC, players=3, hand="8H 8D 5C 6C", pile="8S", melds={"m1": "KS KH KD"})
    assert table.state.table.rules.sides == ((0,), (1,), (2,))
    table.when(take("8H 8D")).then(scores=[0, 0, 0], lone=0)


def test_the_first_seat_to_take_the_whole_pile_becomes_lone_at_once() -> None:
    table = given(CLASSIC, players=3, seat=1, hand="8H 8D 5C 6C", pile="8S", melds={"m1": "KS KH KD"})
    table.when(take("8H 8D")).then(lone=1)


def test_lone_never_changes_again_in_the_hand() -> None:
    table = given(CLASSIC, players=3, seat=1, hand="8H 8D 5C 6C", pile="8S", melds={"m1": "KS KH KD"}, lone=0)
    table.when(take("8H 8D")).then(lone=0)


def test_taking_the_upcard_alone_makes_nobody_lone() -> None:
    options = {"three_player": "lone_side", "run_take": "upcard_only"}
    table = given("samba-official", options=options, players=3, hand="5C 6C", pile="8S", melds={"m1": "5S 6S 7S"})
    table.when(take_upcard("m1")).then(lone=None, melds={"m1": "5S 6S 7S 8S"})


def test_before_anyone_is_lone_each_seat_is_its_own_party() -> None:
    table = given(CLASSIC, players=3, began="stock", hand="8H 5C 6C", melds_of={1: {"m1": "8S 8D 8C"}})
    table.when(meld(add={"m1": "8H"})).then_refused("not_your_meld", meld="m1")
    table.when(ask(discard("5C"))).then_refused("no_partner")


def test_the_lone_seat_has_no_partner_and_no_share_in_the_melds_of_the_others() -> None:
    table = given(CLASSIC, players=3, began="stock", hand="8H 5C 6C", melds_of={1: {"m1": "8S 8D 8C"}}, lone=0)
    table.when(meld(add={"m1": "8H"})).then_refused("not_your_meld", meld="m1")
    table.when(ask(discard("5C"))).then_refused("no_partner")


def test_a_partner_may_add_to_the_melds_of_the_other_which_stay_where_they_were_laid() -> None:
    table = given(CLASSIC, players=3, seat=2, began="stock", hand="8H 5C 6C", melds_of={1: {"m1": "8S 8D 8C"}}, lone=0)
    table.when(meld(add={"m1": "8H"})).then(melds_of={0: {}, 1: {"m1": "8S 8D 8C 8H"}, 2: {}}, holding="5C 6C")


def test_a_partner_may_take_the_pile_onto_a_meld_of_the_other() -> None:
    table = given(CLASSIC, players=3, seat=2, hand="5C 6C", pile="9C 8H", melds_of={1: {"m1": "8S 8D 8C"}}, lone=0)
    table.when(take_onto("m1")).then(melds_of={1: {"m1": "8S 8D 8C 8H"}, 2: {}}, holding="5C 6C 9C")


def test_a_pair_take_of_a_partner_joins_the_group_of_the_rank_under_the_other() -> None:
    table = given(CLASSIC, players=3, seat=2, hand="8H 8D 6C", pile="9C 8H", melds_of={1: {"m1": "8S 8S 8C"}}, lone=0)
    table.when(take("8H 8D")).then(melds_of={1: {"m1": "8S 8S 8C 8H 8H 8D"}, 2: {}}, holding="6C 9C")


def test_a_partner_may_not_open_a_rank_that_lies_under_the_other() -> None:
    table = given(
        CLASSIC, players=3, seat=2, began="stock", hand="8H 8D 8H 6C 5C", melds_of={1: {"m1": "8S 8S 8C"}}, lone=0
    )
    table.when(meld("8H 8D 8H")).then_refused("rank_already_melded", rank="8", meld="m1")


def test_partners_join_their_groups_of_one_rank_whatever_merge_groups_says() -> None:
    table = given(
        CLASSIC, players=3, seat=2, began="stock", hand="5C 6C", lone=0,
        melds_of={1: {"m1": "8S 8S 8C"}, 2: {"m2": "8H 8H 8D 2C"}},
    )  # fmt: skip
    table.when(meld(join=["m2 m1"])).then(melds_of={1: {}, 2: {"m2": "8S 8S 8C 8H 8H 8D 2C"}})
    table.when(meld(join=["m1 m2"])).then(melds_of={1: {"m1": "8S 8S 8C 8H 8H 8D 2C"}, 2: {}})


def test_two_groups_under_one_partner_are_joined_by_merge_groups_only() -> None:
    options = {"several_melds_per_rank": True, "merge_groups": False}
    table = given(
        CLASSIC, options=options, players=3, seat=2, began="stock", hand="5C 6C", lone=0,
        melds={"m1": "8S 8S 8C", "m2": "8H 8H 8D"},
    )  # fmt: skip
    table.when(meld(join=["m1 m2"])).then_refused("off_in_ruleset", parameter="merge_groups")


def test_groups_that_lie_twice_stay_apart_until_a_partner_joins_them() -> None:
    table = given(
        CLASSIC, players=3, hand="9H 9D 5C 6C", pile="9S",
        melds={"m3": "KS KH KD"}, melds_of={1: {"m1": "8S 8S 8C"}, 2: {"m2": "8H 8H 8D"}},
    )  # fmt: skip
    table.when(take("9H 9D")).then(lone=0, melds_of={1: {"m1": "8S 8S 8C"}, 2: {"m2": "8H 8H 8D"}})


def test_a_party_has_melded_if_either_partner_has() -> None:
    table = given(
        CLASSIC, players=3, seat=2, began="stock", hand="4H 4D 4S 6C 5C", lone=0, melds_of={1: {"m1": "8S 8S 8C"}}
    )
    table.when(meld("4H 4D 4S")).then(melds_of={2: {"m2": "4H 4D 4S"}})


def test_while_the_party_has_not_melded_each_seat_needs_what_its_own_total_asks() -> None:
    position = {"players": 3, "began": "stock", "hand": "8H 8D 8S 6C 5C", "lone": 0, "scores": [0, 1500, 0]}
    given(CLASSIC, seat=1, **position).when(meld("8H 8D 8S")).then_refused("first_meld_too_low", points=30, needed=90)
    given(CLASSIC, seat=2, **position).when(meld("8H 8D 8S")).then_refused("first_meld_too_low", points=30, needed=50)


def test_the_pile_is_not_frozen_to_a_seat_whose_partner_has_melded() -> None:
    position = {"players": 3, "seat": 2, "hand": "8H 2D 6C", "pile": "9C 8S"}
    melded = {1: {"m1": "KS KH KD"}}
    given(CLASSIC, **position, lone=0, melds_of=melded).when(take("8H 2D")).then(holding="6C 9C")
    given(CLASSIC, **position, melds_of=melded).when(take("8H 2D")).then_refused("pile_frozen", because="not_melded")


def test_the_sets_of_both_partners_count_for_going_out() -> None:
    position = {
        "players": 3,
        "seat": 2,
        "began": "stock",
        "hand": "9C",
        "melds_of": {1: {"m1": "8S 8S 8H 8H 8D 8D 8C"}},
    }
    given(CLASSIC, **position, lone=0).when(discard("9C")).then_out(2)
    given(CLASSIC, **position).when(discard("9C")).then_refused("may_not_go_out", reason="sets_missing")


def test_the_partner_is_asked_and_answers() -> None:
    table = given(
        CLASSIC,
        players=3,
        seat=2,
        began="stock",
        hand="9C 9D 9H 5C",
        melds_of={1: {"m1": "8S 8S 8H 8H 8D 8D 8C"}},
        lone=0,
    )
    asked = table.when(ask(meld("9C 9D 9H"), discard("5C")))
    asked.then(phase="answer")
    plan = ask(meld("9C 9D 9H"), discard("5C"))
    yes = {"type": "answer", "yes": True}
    table.when(plan, by(0, yes)).then_refused("no_question")
    table.when(plan, by(1, yes)).then_out(2)


def test_forced_takes_look_at_the_melds_of_both_partners() -> None:
    table = given(
        CLASSIC, players=3, seat=2, hand="9C 5C", pile="8S", stock=0, melds_of={1: {"m1": "8D 8H 8C"}}, lone=0
    )
    table.when(pass_()).then_refused("take_required", meld="m1")


def test_a_resignation_is_against_the_seat_alone() -> None:
    table = given(CLASSIC, players=3, seat=2, scores=[100, 200, 300], lone=0)
    table.when(resign()).then(phase="game_over").then_winners(1)


def test_lines_are_those_of_the_party_but_red_threes_by_seat() -> None:
    table = given(
        CLASSIC, players=3, seat=1, began="stock", hand="9C", holdings={0: "AS 5S", 2: "KC"}, lone=0,
        melds={"m1": "8S 8S 8H 8H 8D 8D 8C"}, red_threes_by_seat=[["3H"], [], ["3D", "3H"]],
    )  # fmt: skip
    ended = table.when(discard("9C")).then_out(1)
    ended.then_lines(0, cards=0, natural_canastas=0, red_threes=-100, going_out=0, in_hand=-25, total=-125)
    ended.then_lines(1, cards=70, natural_canastas=500, red_threes=0, going_out=100, in_hand=-10, total=660)
    ended.then_lines(2, cards=70, natural_canastas=500, red_threes=200, going_out=100, in_hand=-10, total=860)


def test_a_seat_that_goes_out_while_nobody_is_lone_counts_as_the_lone_one() -> None:
    table = given(
        CLASSIC, players=3, seat=1, began="stock", hand="9C", holdings={0: "AS", 2: "KC"},
        melds={"m1": "8S 8S 8H 8H 8D 8D 8C"}, melds_of={0: {"m2": "QS QH QD"}},
    )  # fmt: skip
    ended = table.when(discard("9C")).then_out(1)
    ended.then_lines(0, cards=30, in_hand=-30, going_out=0)
    ended.then_lines(1, cards=70, in_hand=0, going_out=100)
    ended.then_lines(2, cards=30, in_hand=-30, going_out=0)


def test_where_the_stock_ends_the_hand_and_nobody_is_lone_each_seat_is_its_own_party() -> None:
    table = given(
        CLASSIC, players=3, seat=1, hand="9C 9D", holdings={0: "AS", 2: "KC"}, stock=0,
        melds_of={0: {"m2": "QS QH QD"}},
    )  # fmt: skip
    ended = table.when(pass_()).then_stock_ends_the_hand()
    ended.then_lines(0, cards=30, in_hand=-20)
    ended.then_lines(1, cards=0, in_hand=-20)
    ended.then_lines(2, cards=0, in_hand=-10)


def test_all_red_threes_count_as_all_only_if_one_seat_laid_them() -> None:
    position = {"players": 3, "seat": 1, "hand": "9C 9D", "stock": 0, "lone": 0, "melds_of": {2: {"m1": "QS QH QD"}}}
    one = given(CLASSIC, **position, red_threes_by_seat=[[], ["3H", "3H", "3D", "3D"], []]).when(pass_())
    one.then_lines(1, red_threes=800)
    two = given(CLASSIC, **position, red_threes_by_seat=[[], ["3H", "3H"], ["3D", "3D"]]).when(pass_())
    two.then_lines(1, red_threes=200).then_lines(2, red_threes=200)


def test_with_a_lone_side_the_unmelded_red_threes_of_a_party_cost_once_per_side() -> None:
    options = {"three_player": "lone_side", "unmelded_red_three_scope": "per_side"}
    table = given(
        "samba-official", options=options, players=3, seat=0, hand="5C", holdings={1: "3H", 2: "3D 3D"}, stock=0, lone=0
    )
    table.when(pass_()).then_lines(1, in_hand=-750).then_lines(2, in_hand=-750).then_lines(0, in_hand=-5)


def test_turns_go_round_whoever_is_lone() -> None:
    table = given(CLASSIC, players=3, seat=2, hand="5C 6C", lone=1, stock="4S 4H 4D 4C")
    table.when(draw(), discard("5C")).then(turn=0, lone=1)
