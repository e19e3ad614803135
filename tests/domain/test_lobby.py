"""Before the first card and beside the play."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import FairChance, hand_deck, reveal
from domain.dealing import deal
from domain.ending import abort
from domain.events import (
    Clock,
    Closed,
    Dealt,
    HandEnded,
    NonceRevealed,
    Revealed,
    Seated,
    Started,
    StoodIn,
    Unseated,
    Watch,
)
from domain.evolve import fold, initial_state
from domain.fairness import nonce_commitment
from domain.lobby import (
    close,
    hand_over,
    leave,
    next_deal,
    open_table,
    reopen,
    reveal_nonce,
    sit,
    stand_in,
    start,
)
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.moves import Resign
from domain.playing import complete, play
from domain.refusals import Refusal
from domain.rulesets import resolve
from domain.shuffle import deck
from domain.state import State
from domain.waiting import missing_nonces
from tests.domain.golden_games import NAMES, bare, events_of, game_id, states_of
from tests.domain.tables import GAME, MASTER, NONCE, SEED_ORIGIN, begun, chance_of, closed, opened, seated


def refused(ask: Callable[[], object]) -> tuple[LobbyCode, dict[str, Any]]:
    with pytest.raises(LobbyRefused) as caught:
        ask()
    return caught.value.code, caught.value.params


def ended(state: State) -> State:
    after = play(state, 0, [Resign()], chance_of(state))
    assert not isinstance(after, Refusal)
    return after[1]


# --- opening ---


def test_a_table_opens_with_its_rule_set_whole_and_hashed() -> None:
    ruleset = resolve("canasta-classic")
    created = open_table(
        ruleset, 4, watch=Watch("link", 30), engine="meldhouse/1", fairness={"algorithm": "x", "commitment": "y"}
    )
    assert created.n == 1
    assert (created.ruleset, created.ruleset_hash) == (ruleset, ruleset.sha256())
    assert created.sides == ((0, 2), (1, 3))
    state = initial_state(created)
    assert (state.table.status, state.phase, state.version) == ("open", "lobby", 1)


def test_a_table_needs_a_permitted_number_of_seats() -> None:
    code, params = refused(lambda: opened(ruleset="canasta-standard", players=6))
    assert code == "players_not_permitted"
    assert params["players"] == 6
    assert 6 not in params["permitted"]


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"fairness": None, "origin": None}, "fairness"),
        ({"fairness": {"commitment": "x"}, "origin": SEED_ORIGIN}, "fairness"),
        ({"origin": SEED_ORIGIN, "clock": Clock("per_move", 0)}, "clock.move_seconds"),
        ({"origin": SEED_ORIGIN, "watch": Watch("anyone", -1)}, "watch.delay_seconds"),
    ],
)
def test_a_table_is_either_fair_or_practice_and_its_times_are_possible(terms: dict[str, Any], field: str) -> None:
    given: dict[str, Any] = {"watch": Watch("anyone", 0), "engine": "t"} | terms
    code, params = refused(lambda: open_table(resolve("samba-official"), 4, **given))
    assert (code, params["field"]) == ("terms_invalid", field)


# --- seats ---


def test_a_player_takes_a_free_seat() -> None:
    assert sit(opened(), 2, "anna") == [Seated(n=2, seat=2, player="anna", kind="human", bot=None)]


def test_a_bot_sits_down_with_its_level() -> None:
    assert sit(opened(), 0, "b1", "bot", "greedy") == [Seated(n=2, seat=0, player="b1", kind="bot", bot="greedy")]


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_that_the_table_does_not_have_cannot_be_taken(seat: int) -> None:
    assert refused(lambda: sit(opened(), seat, "anna")) == ("unknown_seat", {"seat": seat, "players": 4})


def test_a_taken_seat_cannot_be_taken_again() -> None:
    assert refused(lambda: sit(seated(), 1, "anna")) == ("seat_taken", {"seat": 1})


def test_nobody_holds_two_seats_of_a_game() -> None:
    state = fold(opened(), sit(opened(), 3, "anna"))
    assert refused(lambda: sit(state, 0, "anna")) == ("already_seated", {"seat": 3})


@pytest.mark.parametrize(("kind", "bot"), [("bot", None), ("bot", "brilliant"), ("human", "greedy")])
def test_a_bot_has_a_level_and_a_person_none(kind: Any, bot: Any) -> None:
    assert refused(lambda: sit(opened(), 0, "x", kind, bot))[0] == "bot_level_invalid"


def test_before_closing_a_player_may_leave_and_come_back() -> None:
    state = seated()
    left = leave(state, 1, "p1")
    assert left == [Unseated(n=6, seat=1, player="p1", kind="human", bot=None)]
    state = fold(state, left)
    assert state.table.seats[1] is None
    assert sit(state, 1, "p1")


def test_only_its_holder_may_leave_a_seat() -> None:
    assert refused(lambda: leave(seated(), 1, "p2")) == ("not_your_seat", {"seat": 1})
    assert refused(lambda: leave(opened(), 1, "p1")) == ("seat_empty", {"seat": 1})


def test_between_closing_and_the_start_nobody_sits_down_or_leaves() -> None:
    state = closed(committed=(1,))
    assert refused(lambda: leave(state, 1, "p1")) == ("table_not_open", {"status": "closed"})
    assert refused(lambda: sit(state, 1, "anna")) == ("table_not_open", {"status": "closed"})


def test_after_the_game_nobody_sits_down_or_leaves() -> None:
    state = ended(begun())
    assert refused(lambda: leave(state, 1, "p1"))[0] == "game_over"
    assert refused(lambda: sit(state, 1, "anna"))[0] == "game_over"


def test_in_a_game_under_way_a_seat_may_change_hands() -> None:
    state = begun()
    happened = hand_over(state, 1, "p1", "anna")
    assert [type(event) for event in happened] == [Unseated, Seated]
    assert [event.n for event in happened] == [state.version + 1, state.version + 2]
    after = fold(state, happened)
    occupant = after.table.seats[1]
    assert occupant is not None
    assert occupant.player == "anna"
    assert (after.phase, after.holdings) == (state.phase, state.holdings)


def test_who_left_a_game_under_way_may_take_no_seat_in_it() -> None:
    state = begun()
    state = fold(state, leave(state, 1, "p1"))
    assert refused(lambda: sit(state, 1, "p1")) == ("departed", {})
    state = fold(state, hand_over(state, 2, "p2", "anna"))
    assert refused(lambda: sit(state, 1, "p2")) == ("departed", {})
    assert sit(state, 1, "bert")


def test_a_seat_is_not_handed_to_somebody_who_sits_at_the_table() -> None:
    assert refused(lambda: hand_over(begun(), 1, "p1", "p2")) == ("already_seated", {"seat": 2})


# --- closing ---


def test_closing_fixes_seats_and_commitments() -> None:
    commitment = nonce_commitment(NONCE)
    state = seated(mode="players")
    happened = close(state, [None, commitment, None, None])
    assert happened == [
        Closed(n=6, seats=("p0", "p1", "p2", "p3"), nonce_commitments=(None, commitment, None, None), beacon=None)
    ]
    after = fold(state, happened)
    assert after.table.status == "closed"
    assert missing_nonces(after.table) == (1,)


def test_a_table_with_free_seats_is_not_closed() -> None:
    state = seated()
    state = fold(state, [*leave(state, 1, "p1")])
    state = fold(state, [*leave(state, 3, "p3")])
    assert refused(lambda: close(state, [None] * 4)) == ("seats_empty", {"seats": [1, 3]})


def test_a_table_is_closed_once() -> None:
    assert refused(lambda: close(closed(), [None] * 4)) == ("table_not_open", {"status": "closed"})


@pytest.mark.parametrize("commitment", ["a" * 63, "a" * 65, "A" * 64, "g" * 64, "é" * 64])
def test_a_commitment_is_a_hash(commitment: str) -> None:
    code, params = refused(lambda: close(seated(mode="players"), [None, None, commitment, None]))
    assert (code, params["seat"]) == ("commitment_malformed", 2)


def test_there_is_one_entry_a_seat() -> None:
    code, params = refused(lambda: close(seated(mode="players"), [None] * 3))
    assert (code, params["seat"]) == ("commitment_malformed", None)


@pytest.mark.parametrize("terms", [{"mode": "server_only"}, {"origin": SEED_ORIGIN}])
def test_only_tables_of_mode_players_know_nonces(terms: dict[str, Any]) -> None:
    assert refused(lambda: close(seated(**terms), ["a" * 64, None, None, None]))[0] == "nonces_not_used"


# --- nonces ---


def test_a_seat_reveals_the_nonce_it_committed_to() -> None:
    state = closed(committed=(1,))
    happened = reveal_nonce(state, 1, NONCE.hex())
    assert happened == [NonceRevealed(n=state.version + 1, seat=1, nonce=NONCE.hex())]
    assert missing_nonces(fold(state, happened).table) == ()


@pytest.mark.parametrize("nonce", ["00" * 32, NONCE.hex()[:-2], NONCE.hex().upper(), "zz" * 32, ""])
def test_another_nonce_is_turned_down(nonce: str) -> None:
    assert refused(lambda: reveal_nonce(closed(committed=(1,)), 1, nonce)) == ("nonce_wrong", {"seat": 1})


def test_a_nonce_is_revealed_once_by_who_committed_to_it_and_after_closing() -> None:
    state = closed(committed=(1,))
    assert refused(lambda: reveal_nonce(state, 0, NONCE.hex())) == ("nonce_not_committed", {"seat": 0})
    assert refused(lambda: reveal_nonce(seated(mode="players"), 1, NONCE.hex()))[0] == "table_not_closed"
    after = fold(state, reveal_nonce(state, 1, NONCE.hex()))
    assert refused(lambda: reveal_nonce(after, 1, NONCE.hex())) == ("nonce_already_revealed", {"seat": 1})


def test_a_seat_that_does_not_reveal_is_reopened_and_all_commitments_lapse() -> None:
    state = closed(committed=(0, 1))
    state = fold(state, reveal_nonce(state, 0, NONCE.hex()))
    happened = reopen(state, 1)
    assert happened == [Unseated(n=state.version + 1, seat=1, player="p1", kind="human", bot=None)]
    state = fold(state, happened)
    table = state.table
    assert (table.status, table.closed_seats, table.nonce_commitments, table.nonces) == ("open", (), (), ())
    assert table.seats[1] is None
    assert not table.departed


def test_after_reopening_the_table_is_filled_and_closed_again() -> None:
    state = closed(committed=(0, 1))
    state = fold(state, reopen(state, 1))
    state = fold(state, sit(state, 1, "anna"))
    state = fold(state, close(state, [nonce_commitment(NONCE), None, None, None]))
    assert state.table.closed_seats == ("p0", "anna", "p2", "p3")
    state = fold(state, reveal_nonce(state, 0, NONCE.hex()))
    assert isinstance(start(state, FairChance(GAME, MASTER))[0], Started)


def test_a_seat_is_reopened_only_while_its_nonce_is_due() -> None:
    state = closed(committed=(1,))
    assert refused(lambda: reopen(state, 0)) == ("nonce_not_committed", {"seat": 0})
    revealed = fold(state, reveal_nonce(state, 1, NONCE.hex()))
    assert refused(lambda: reopen(revealed, 1)) == ("nonce_already_revealed", {"seat": 1})
    assert refused(lambda: reopen(begun(), 1)) == ("table_not_closed", {"status": "playing"})


# --- the start ---


def test_a_fair_game_starts_with_the_deal_of_its_first_hand() -> None:
    state = closed(committed=(2,))
    state = fold(state, reveal_nonce(state, 2, NONCE.hex()))
    started, dealt = start(state, FairChance(GAME, MASTER))
    assert isinstance(started, Started)
    assert started.entropy == (None, None, NONCE.hex(), None)
    assert isinstance(dealt, Dealt)
    assert (started.n, dealt.n) == (state.version + 1, state.version + 2)
    assert (dealt.hand, dealt.dealer) == (1, started.first_dealer)
    assert dealt.deck == tuple(hand_deck(state.table, GAME, MASTER, 1))


def test_a_game_does_not_start_before_every_nonce_is_revealed() -> None:
    state = closed(committed=(0, 2))
    state = fold(state, reveal_nonce(state, 2, NONCE.hex()))
    assert refused(lambda: start(state, FairChance(GAME, MASTER))) == ("nonces_missing", {"seats": [0]})


def test_a_table_must_be_closed_to_start() -> None:
    assert refused(lambda: start(seated(), FairChance(GAME, MASTER))) == ("table_not_closed", {"status": "open"})
    assert refused(lambda: start(begun(), FairChance(GAME, MASTER))) == ("table_not_closed", {"status": "playing"})


@pytest.mark.parametrize(
    "change", [{"game": "game-2"}, {"master": bytes(128)}, {"hand": 2}, {"committed": (0,)}, {"players": 2}]
)
def test_the_deck_depends_on_the_game_the_master_the_hand_the_nonces_and_the_seats(change: dict[str, Any]) -> None:
    def made(*, game: str = GAME, master: bytes = MASTER, hand: int = 1, **terms: Any) -> list[str]:
        return hand_deck(begun(**terms).table, game, master, hand)

    assert made() == made()
    assert made(**change) != made()


@pytest.mark.parametrize("name", NAMES)
def test_the_decks_and_dealers_of_the_golden_games_follow_from_what_they_reveal(name: str) -> None:
    happened, states = events_of(name), states_of(name)
    revealed = happened[-1]
    assert isinstance(revealed, Revealed)
    chance = FairChance(game_id(name), bytes.fromhex(revealed.master))
    table = states[-1].table
    for event, before in zip(happened[1:], states, strict=False):
        if isinstance(event, Started):
            assert chance.first_dealer(table) == event.first_dealer
            assert bare(start(before, chance)[0]) == bare(event)
        if isinstance(event, Dealt):
            assert event.deck == tuple(chance.deck(before))
            if before.phase == "hand_over":
                assert next_deal(before, chance.deck(before)) == bare(event)
    assert reveal(states[-2], chance.game_id, chance.master) == bare(revealed)


# --- the hands that follow ---


def hand_is_over() -> State:
    happened, states = events_of(NAMES[0]), states_of(NAMES[0])
    return next(state for event, state in zip(happened, states, strict=True) if isinstance(event, HandEnded))


def test_the_next_hand_is_dealt_by_the_next_seat() -> None:
    state = hand_is_over()
    pack = deck(b"", state.table.rules.packs, state.table.rules.jokers)
    dealt = next_deal(state, pack)
    dealer = (state.dealer + 1) % state.table.rules.players
    assert dealt == replace(deal(state.table, state.hand + 1, dealer, pack), n=state.version + 1)


def test_nothing_is_dealt_while_a_hand_goes_on() -> None:
    assert refused(lambda: next_deal(begun(), [])) == ("hand_not_over", {"phase": "draw"})


def test_a_deck_is_the_whole_pack() -> None:
    state = hand_is_over()
    pack = deck(b"", state.table.rules.packs, state.table.rules.jokers)
    code, params = refused(lambda: next_deal(state, [pack[1], *pack[1:]]))
    assert (code, params) == ("deck_wrong", {"cards": len(pack)})


# --- the reveal ---


def test_an_ended_game_reveals_its_master_and_what_the_deals_were_bound_to() -> None:
    state = ended(begun(committed=(0,)))
    assert state.table.revealed
    unrevealed = replace(state, table=replace(state.table, revealed=False))
    revealed = reveal(unrevealed, GAME, MASTER)
    assert revealed.master == MASTER.hex()
    assert revealed.context == {
        "algorithm": "MELD-DEAL-1",
        "game": GAME,
        "ruleset_hash": state.table.rules.ruleset_hash,
        "players": 4,
        "seats": ["p0", "p1", "p2", "p3"],
        "beacon": None,
    }


def test_an_aborted_game_reveals_too_and_before_closing_without_seats() -> None:
    state = seated()
    happened, after = complete(fold(state, abort(state, "absence")), abort(state, "absence"), FairChance(GAME, MASTER))
    revealed = happened[-1]
    assert isinstance(revealed, Revealed)
    assert revealed.context["seats"] == []
    assert after.table.revealed


def test_the_context_keeps_the_seats_as_at_closing() -> None:
    state = begun()
    revealed = reveal_of(fold(state, hand_over(state, 1, "p1", "anna")))
    assert revealed.context["seats"] == ["p0", "p1", "p2", "p3"]


def reveal_of(state: State) -> Revealed:
    over = abort(state, None)
    return reveal(fold(state, over), GAME, MASTER)


def test_only_the_master_committed_to_is_revealed_once_and_in_the_end() -> None:
    state = begun()
    over = fold(state, abort(state, None))
    assert refused(lambda: reveal(state, GAME, MASTER)) == ("game_not_over", {"status": "playing"})
    assert refused(lambda: reveal(over, GAME, bytes(128))) == ("commitment_mismatch", {})
    assert refused(lambda: reveal(ended(state), GAME, MASTER)) == ("already_revealed", {})


def test_a_practice_game_has_no_master_to_reveal() -> None:
    assert refused(lambda: reveal(ended(begun(origin=SEED_ORIGIN)), GAME, MASTER)) == ("practice_game", {})


# --- stand-ins ---


def test_a_stand_in_acts_for_the_seat_to_act() -> None:
    state = begun()
    happened = stand_in(state, state.turn, "absence")
    assert happened == [StoodIn(n=state.version + 1, seat=state.turn, reason="absence")]
    assert fold(state, happened).stood_in


def test_a_stand_in_acts_for_nobody_else() -> None:
    state = begun()
    other = (state.turn + 1) % 4
    assert refused(lambda: stand_in(state, other, "time")) == ("not_to_act", {"seat": other, "to_act": state.turn})
    assert refused(lambda: stand_in(closed(), 0, "time")) == ("game_not_under_way", {"status": "closed"})
