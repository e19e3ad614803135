"""The greedy bot, a sentence a habit."""

from typing import Any

from tests.domain.bots.choosing import chosen, only
from tests.domain.builders import EIGHTS, KINGS, SAMBA, position

LOOSE = "4S 6H 9D JC AS"
"""Cards that go with nothing."""

MELDED = {"m1": "QS QH QD"}


# --- beginning ---


def test_it_takes_a_big_pile_when_it_holds_a_pair() -> None:
    pile = "4H 5H 7C 9S TC 8D"
    move = only(position(hand=f"8S 8H {LOOSE}", pile=pile, melds=MELDED))
    assert (move["type"], sorted(move["with"])) == ("take_pile", ["8H", "8S"])


def test_it_draws_when_the_pile_would_cost_two_wild_cards_for_a_single_card() -> None:
    move = only(position("canasta-classic", hand=f"8S 2H 2D {LOOSE}", pile="8D", melds=MELDED))
    assert move == {"type": "draw"}


def test_it_leaves_a_big_pile_when_another_side_is_about_to_go_out() -> None:
    given = position(
        hand=f"8S 8H {LOOSE}",
        holdings={1: 2, 2: 9, 3: 9},
        pile="4H 5H 7C 9S TC JS KC QC JH KD 9C 5D 7H 6S 6C JD 8D",
        melds={"m1": "QS QH QD"},
        melds_of={1: {"m2": EIGHTS}},
    )
    assert only(given) == {"type": "draw"}


def test_it_leaves_a_pile_to_others_that_would_make_it_play_alone() -> None:
    given: dict[str, Any] = {"players": 3, "hand": f"8S 8H {LOOSE}", "pile": "4H 5H 7C 9S TC 8D", "melds": MELDED}
    assert only(position("canasta-classic", **given)) == {"type": "draw"}
    assert only(position("canasta-classic", **given, lone=1))["type"] == "take_pile"


def test_it_takes_the_upcard_that_finishes_a_samba() -> None:
    given = position(hand=LOOSE, pile="9H TD", melds={"m1": "4D 5D 6D 7D 8D 9D"})
    assert only(given) == {"type": "take_upcard", "onto": "m1"}


def test_it_opens_with_the_pile_where_that_reaches_the_requirement() -> None:
    given = position(hand=f"AS AH KD KC KH {LOOSE}", pile="4H 7H AD", scores=[1500, 0])
    move = only(given)
    assert move["type"] == "take_pile"
    assert sorted(move["with"]) >= ["AH", "AS"]


def test_it_passes_where_nothing_else_is_left() -> None:
    assert only(position(hand=LOOSE, stock=0)) == {"type": "pass"}


# --- laying ---


def test_it_opens_as_soon_as_it_can() -> None:
    move = only(position(hand=f"KS KH KD {LOOSE}", began="stock", scores=[-100, 0]))
    assert [sorted(meld) for meld in move["new"]] == [["KD", "KH", "KS"]]


def test_it_opens_without_wild_cards_where_it_can() -> None:
    move = only(position(hand=f"QD QH JK KC KH KD {LOOSE}", began="stock", scores=[-100, 0]))
    assert [sorted(meld) for meld in move["new"]] == [["KC", "KD", "KH"]]


def test_it_opens_with_several_melds_where_one_is_too_low() -> None:
    move = only(position(hand=f"KS KH KD QS QH QD {LOOSE}", began="stock", scores=[500, 0]))
    assert sorted(face[0] for meld in move["new"] for face in meld) == ["K"] * 3 + ["Q"] * 3


def test_it_adds_every_card_that_belongs_to_a_meld_in_one_move() -> None:
    move = only(position(hand=f"QC QC QS {LOOSE}", began="stock", melds=MELDED))
    assert sorted(move["add"]["m1"]) == ["QC", "QC", "QS"]


def test_it_finishes_a_canasta_with_a_wild_card() -> None:
    move = only(position(hand=f"2C {LOOSE}", began="stock", melds={"m1": "QS QH QD QC QS QH"}))
    assert move == {"type": "meld", "add": {"m1": ["2C"]}}


def test_it_spends_no_wild_card_on_a_small_group() -> None:
    move = only(position(hand=f"2C {LOOSE}", began="stock", melds=MELDED))
    assert move["type"] == "discard"


def test_it_lays_wild_cards_too_when_another_side_is_about_to_go_out() -> None:
    given = position(
        hand=f"2C QC {LOOSE}",
        holdings={1: 1, 2: 5, 3: 5},
        began="stock",
        melds={"m1": "QS QH QD"},
        melds_of={1: {"m2": EIGHTS}},
    )
    assert only(given)["type"] == "meld"
    assert "2C" in only(given)["add"]["m1"]


def test_it_leaves_a_natural_canasta_natural() -> None:
    move = only(position(hand=f"2C {LOOSE}", began="stock", melds={"m1": EIGHTS}))
    assert move["type"] == "discard"


def test_it_joins_two_runs_by_the_card_between_them() -> None:
    move = only(position(hand=f"7H {LOOSE}", began="stock", melds={"m1": "4H 5H 6H", "m2": "8H 9H TH"}))
    assert move["join"] == [["m1", "m2"]]


def test_it_rather_begins_a_samba_than_a_canasta() -> None:
    move = only(position(hand="7S 8S 9S 9H 9D 4C 6H", began="stock", melds=MELDED))
    assert move["new"] == [["7S", "8S", "9S"]]


def test_it_keeps_two_cards_while_it_may_not_go_out() -> None:
    move = only(position(hand="QC QC QS 9D", began="stock", melds=MELDED))
    assert len(move["add"]["m1"]) == 2


def test_it_lays_its_red_threes_first() -> None:
    assert only(position(hand=f"3H KS KH KD {LOOSE}", began="stock")) == {"type": "lay_red_three", "card": "3H"}


# --- going out ---


def test_it_goes_out_when_it_may() -> None:
    moves = chosen(position(hand="KC 9D", began="stock", melds={"m1": EIGHTS, "m2": KINGS}))
    assert moves == [{"type": "meld", "add": {"m2": ["KC"]}}, {"type": "discard", "cards": ["9D"]}]


def test_it_asks_where_permission_is_required() -> None:
    given = position(
        options={"partner_permission": "required"},
        hand="KC 9D",
        began="stock",
        holdings={1: 9, 2: 9, 3: 9},
        melds={"m1": EIGHTS, "m2": KINGS},
    )
    assert only(given)["type"] == "ask"


def test_it_asks_before_a_take_with_which_it_would_be_out() -> None:
    given = position(
        options={"partner_permission": "required"},
        hand="9S 9H 4D",
        pile="9D",
        holdings={1: 9, 2: 9, 3: 9},
        melds={"m1": EIGHTS, "m2": KINGS},
    )
    assert [move["type"] for move in only(given)["then"]] == ["take_pile", "discard"]


def test_it_plays_on_after_a_no() -> None:
    given = position(
        options={"partner_permission": "required"},
        hand="KC 9D 4S",
        began="stock",
        permission="refused",
        holdings={1: 9, 2: 9, 3: 9},
        melds={"m1": EIGHTS, "m2": KINGS},
    )
    assert only(given)["type"] in ("meld", "discard")


def _asked(partner: str, others: int) -> dict[str, object]:
    return position(
        options={"partner_permission": "required"},
        hand="KC 9D",
        phase="answer",
        began="stock",
        ask={
            "type": "ask",
            "then": [{"type": "meld", "add": {"m2": ["KC"]}}, {"type": "discard", "cards": ["9D"]}],
        },
        holdings={1: others, 2: partner, 3: others},
        melds={"m1": EIGHTS, "m2": KINGS},
    )


def test_it_lets_its_partner_go_out_when_its_own_cards_cost_little() -> None:
    assert only(_asked("4S 5H", 12)) == {"type": "answer", "yes": True}


def test_it_keeps_its_partner_from_going_out_when_its_own_cards_cost_much() -> None:
    assert only(_asked("JK JK JK AS AS AH AD 2C 2S 3H", 4)) == {"type": "answer", "yes": False}


# --- discarding ---


def _discarded(**given: object) -> str:
    move = only(position(began="stock", **given))  # type: ignore[arg-type]
    assert move["type"] == "discard"
    (card,) = move["cards"]
    return str(card)


def test_it_discards_no_card_that_the_others_can_use_on_a_meld() -> None:
    melds_of = {0: {"m1": "AS AH AD"}, 1: {"m2": "9S 9H 9C", "m3": "JC QC KC"}}
    assert _discarded(hand="9D TC 4S 4S 6H 6H", melds_of=melds_of, holdings={1: 9, 2: 9, 3: 9}) not in ("9D", "TC")


def test_it_keeps_pairs() -> None:
    assert _discarded(hand="4S 4H 6H 6D JS JH 9D", melds=MELDED) == "9D"


def test_it_keeps_neighbours_of_a_suit_where_there_are_sequences() -> None:
    given = position(hand="8D 9D KH", began="stock", melds=MELDED)
    assert {only(given, seed=bytes([seed]))["cards"][0] for seed in range(10)} == {"KH"}


def test_it_discards_a_rank_of_which_most_cards_are_gone() -> None:
    given = position(hand="5H 8D KS", began="stock", melds=MELDED, pile="8S 8H 8C 8S 4C")
    assert {only(given, seed=bytes([seed]))["cards"][0] for seed in range(10)} == {"8D"}


def test_it_never_discards_a_wild_card_while_it_has_another() -> None:
    assert _discarded(hand="JK 2C 4S 6H 9D", pile="4C") not in ("JK", "2C")


def test_it_stops_a_big_pile_with_a_black_three() -> None:
    gone = "9S 9S 9S 9H 9H 9H 9C 9C 9C 4C"
    assert _discarded(hand="3S 4H 9D KH AS", pile=gone, melds=MELDED) == "3S"


def test_it_keeps_a_black_three_while_the_pile_is_small() -> None:
    assert _discarded(hand="3S 4H 9D KH AS", pile="4C", melds=MELDED) != "3S"


def test_it_closes_with_its_black_threes_at_once_where_that_is_the_rule() -> None:
    given = position(
        "samba-czech", players=3, hand="3S 3S 3C", began="stock", melds={"m1": EIGHTS, "m2": KINGS, "m3": SAMBA}
    )
    assert chosen(given)[-1] == {"type": "discard", "cards": ["3S", "3S", "3C"]}
