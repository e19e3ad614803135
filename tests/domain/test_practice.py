"""Practice games: from a seed, from decks, from a position."""

from typing import Any

import msgspec
import pytest

from domain import shuffle
from domain.cards import faces_of, pack
from domain.events import Adjudicated, Dealt, GameEnded, HandEnded, Placed, Started
from domain.evolve import fold
from domain.lobby import close
from domain.lobby_refusals import LobbyRefused
from domain.playing import begin
from domain.practice import DECKS_MAX, SEED_BYTES_MAX, practice_deck
from domain.state import State
from tests.domain.playing_on import until_hand_ends
from tests.domain.tables import begun, chance_of, closed, opened, seated

PACK = list(pack(3, 6))
ENDED = {"by": 0, "reason": "out", "concealed": False}


def position(**keys: Any) -> dict[str, Any]:
    return {"ruleset": "samba-official", "players": 4, "dealer": 2, "holdings": [15] * 4, **keys}


def field_at_fault(origin: object, **terms: Any) -> tuple[str, Any]:
    with pytest.raises(LobbyRefused) as caught:
        opened(origin=origin, **terms)
    assert caught.value.code == "origin_invalid"
    return caught.value.params["field"], caught.value.params["faults"]


# --- a seed ---


def test_the_deck_of_a_hand_follows_from_the_seed_and_the_number_of_the_hand() -> None:
    table = opened(origin={"kind": "seed", "seed": "c0ffee"}).table
    # enc("MELD-PRACTICE-1/hand", seed, hand), written out.
    hand_seed = b"\0\0\0\x14MELD-PRACTICE-1/hand" + b"\0\0\0\x03\xc0\xff\xee" + b"\0\0\0\x04\0\0\0\x02"
    assert practice_deck(table, 2) == shuffle.deck(hand_seed, 3, 6)
    assert practice_deck(table, 1) != practice_deck(table, 2)


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (begun(origin={"kind": "seed", "seed": "01"}) for _ in range(2))
    assert first == second
    assert first != begun(origin={"kind": "seed", "seed": "02"})


def test_the_first_dealer_follows_from_the_seed_or_is_given() -> None:
    drawn = {begun(origin={"kind": "seed", "seed": f"{number:02x}"}).dealer for number in range(20)}
    assert drawn == {0, 1, 2, 3}
    given = [begun(origin={"kind": "seed", "seed": "01", "dealer": dealer}).dealer for dealer in range(4)]
    assert given == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", ["", "a", "AB", "zz", "00\n", "00" * (SEED_BYTES_MAX + 1)])
def test_a_seed_is_a_number_of_bytes_in_hex(seed: str) -> None:
    assert field_at_fault({"kind": "seed", "seed": seed})[0] == "origin"


def test_the_longest_seed_is_accepted() -> None:
    longest = {"kind": "seed", "seed": "00" * SEED_BYTES_MAX}
    assert opened(origin=longest).table.origin == longest


# --- decks ---


def test_hands_are_dealt_from_the_given_decks_in_turn() -> None:
    decks = [shuffle.shuffle(bytes([number]), PACK) for number in range(2)]
    table = opened(origin={"kind": "decks", "decks": decks}).table
    assert [practice_deck(table, 1), practice_deck(table, 2), practice_deck(table, 3)] == [*decks, None]


def test_seat_0_deals_the_first_given_deck_unless_another_is_named() -> None:
    assert begun(origin={"kind": "decks", "decks": [PACK]}).dealer == 0
    assert begun(origin={"kind": "decks", "decks": [PACK], "dealer": 3}).dealer == 3


def test_after_the_given_decks_a_seed_may_give_the_others() -> None:
    table = opened(origin={"kind": "decks", "decks": [PACK], "seed": "01"}).table
    assert practice_deck(table, 1) == PACK
    assert practice_deck(table, 2) == practice_deck(opened(origin={"kind": "seed", "seed": "01"}).table, 2)


def test_after_the_last_given_deck_the_game_ends_and_the_best_totals_win() -> None:
    state = begun(origin={"kind": "decks", "decks": [PACK]})
    happened, after = until_hand_ends(state)
    assert [type(event) for event in happened[-3:]] == [HandEnded, Adjudicated, GameEnded]
    ruling = happened[-2]
    assert isinstance(ruling, Adjudicated)
    assert (ruling.side, ruling.reason) == (None, "agreement")
    best = max(after.totals)
    assert after.winners == tuple(side for side, total in enumerate(after.totals) if total == best)


@pytest.mark.parametrize(
    ("decks", "field"),
    [
        ([], "origin"),
        ([PACK] * (DECKS_MAX + 1), "origin"),
        ([["XX"]], "origin"),
        ([PACK, PACK[1:]], "decks[1]"),
        ([[PACK[-1], *PACK[1:]]], "decks[0]"),
    ],
)
def test_every_given_deck_is_the_whole_pack(decks: object, field: str) -> None:
    assert field_at_fault({"kind": "decks", "decks": decks})[0] == field


@pytest.mark.parametrize("kind", [{"kind": "seed", "seed": "01"}, {"kind": "decks", "decks": [PACK]}])
@pytest.mark.parametrize("dealer", [-1, 4])
def test_the_dealer_is_a_seat(kind: dict[str, Any], dealer: int) -> None:
    assert field_at_fault(kind | {"dealer": dealer})[0] == "dealer"


# --- a position ---


def test_a_game_may_begin_from_a_position() -> None:
    given = position(hand=3, scores=[500, -20], turn=1, holdings=[["AS", "JK"], 3, 4, 5], stock={"count": 30})
    state = closed(origin={"kind": "position", "position": given})
    happened, after = begin(state, chance_of(state))
    assert [type(event) for event in happened] == [Started, Placed]
    assert (after.hand, after.dealer, after.turn, after.phase) == (3, 2, 1, "draw")
    assert faces_of(after.holdings[0]) == ("JK", "AS")
    assert after.scores == (500, -20)
    assert after.table.first_dealer == 2
    assert after.table.status == "playing"


def test_hands_after_a_position_follow_from_its_seed() -> None:
    seed = {"kind": "seed", "seed": "0123"}
    state = begun(origin={"kind": "position", "position": position(hand=3, stock={"count": 2}), "seed": "0123"})
    happened, after = until_hand_ends(state)
    dealt = happened[-1]
    assert isinstance(dealt, Dealt)
    assert (dealt.hand, dealt.dealer) == (4, 3)
    assert dealt.deck == tuple(practice_deck(opened(origin=seed).table, 4) or ())
    assert after.phase == "draw"


def test_without_a_seed_a_game_from_a_position_ends_with_its_hand() -> None:
    state = begun(origin={"kind": "position", "position": position(stock={"count": 2})})
    happened, _ = until_hand_ends(state)
    assert [type(event) for event in happened[-3:]] == [HandEnded, Adjudicated, GameEnded]


def test_a_position_between_two_hands_is_followed_by_the_next_deal() -> None:
    given = position(phase="hand_over", holdings=[[], ["AS"], [], []], ended=ENDED)
    state = closed(origin={"kind": "position", "position": given, "seed": "01"})
    happened, after = begin(state, chance_of(state))
    assert [type(event) for event in happened] == [Started, Placed, Dealt]
    assert (after.hand, after.dealer, after.phase) == (2, 3, "draw")
    assert after.scores == (200, -20)


def test_a_fork_names_the_game_and_the_event_that_it_left() -> None:
    origin = {"kind": "fork", "game": "g7", "n": 41, "position": position(), "seed": "01"}
    table = begun(origin=origin).table
    assert table.origin is not None
    assert (table.origin["game"], table.origin["n"]) == ("g7", 41)


def test_every_fault_of_a_position_is_told() -> None:
    field, faults = field_at_fault({"kind": "position", "position": position(turn=9, scores=[1], pile=["XX"])})
    assert field == "position"
    assert {fault["key"] for fault in faults} >= {"turn", "scores", "pile"}


@pytest.mark.parametrize("other", [{"ruleset": "canasta-classic"}, {"players": 2, "holdings": [1, 1]}])
def test_a_position_has_the_rules_and_the_seats_of_its_table(other: dict[str, Any]) -> None:
    assert field_at_fault({"kind": "position", "position": position(**other)})[0] == "position"


@pytest.mark.parametrize(
    "over",
    [
        {"phase": "game_over"},
        {"phase": "hand_over", "ended": ENDED, "scores": [10_000, 0], "holdings": [[], [], [], []]},
    ],
)
def test_a_game_does_not_begin_from_its_end(over: dict[str, Any]) -> None:
    assert field_at_fault({"kind": "position", "position": position(**over)})[0] == "position.phase"


def test_a_position_does_not_fit_a_striped_stock() -> None:
    assert field_at_fault({"kind": "position", "position": position()}, stock="striped")[0] == "stock"


@pytest.mark.parametrize("origin", [7, {}, {"kind": "board"}, {"kind": "seed"}, {"kind": "seed", "seed": "00", "x": 1}])
def test_anything_else_is_no_origin(origin: object) -> None:
    assert field_at_fault(origin)[0] == "origin"


@pytest.mark.parametrize(
    "origin",
    [
        {"kind": "decks", "decks": [PACK], "seed": "01"},
        {"kind": "position", "position": position(melds=[[{"id": "m1", "kind": "group", "cards": ["8S"] * 3}], []])},
    ],
)
def test_an_origin_reads_back_as_it_was_kept(origin: object) -> None:
    state = begun(origin=origin)
    assert state.table.origin == msgspec.json.decode(msgspec.json.encode(state.table.origin))


# --- the lobby of a practice game ---


def test_a_practice_game_is_closed_and_started_like_any_other_without_entropy() -> None:
    state: State = seated(origin={"kind": "seed", "seed": "01"})
    state = fold(state, close(state, [None] * 4))
    started = begin(state, chance_of(state))[0][0]
    assert isinstance(started, Started)
    assert started.entropy == (None,) * 4
    assert started.beacon is None
