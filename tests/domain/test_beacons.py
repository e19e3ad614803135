"""Beacons in the lobby and in the deals: fixed at closing, shown at the start (fairness, 3, 5 and 6)."""

import pytest
from msgspec.structs import asdict, replace

from domain.beacons import Beacon, BeaconShown, randomness_of, shown
from domain.chance import FairChance, hand_deck
from domain.events import Dealt, Started
from domain.evolve import fold
from domain.fairness import nonce_commitment
from domain.labels import MEANINGS, chosen_by
from domain.lobby import close, reopen, start
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.playing import begin
from domain.rules import Rules
from domain.state import State, Table
from domain.views import view_for
from domain.waiting import awaited_beacon
from tests.domain.fairness_vectors import VECTORS, deck_sha256
from tests.domain.tables import GAME, MASTER, NONCE, seated

FIXED = Beacon("ab" * 32, 1000)
CAME = shown(FIXED, "cd" * 48)
CHANCE = FairChance(GAME, MASTER)
VECTOR = VECTORS["game_with_beacon"]


def waiting(committed: tuple[int, ...] = ()) -> State:
    state = seated(mode="players")
    commitments = [nonce_commitment(NONCE) if seat in committed else None for seat in range(4)]
    return fold(state, close(state, commitments, FIXED))


def refused(state: State, came: BeaconShown | None) -> tuple[LobbyCode, dict[str, object]]:
    with pytest.raises(LobbyRefused) as caught:
        start(state, CHANCE, came)
    return caught.value.code, caught.value.params


@pytest.mark.parametrize("hand", [1, 2])
def test_deals_with_a_beacon_are_those_of_the_vectors(hand: int) -> None:
    table = seated(mode="players").table
    context = VECTOR["context"]
    table = replace(
        table,
        rules=with_hash(table, context["ruleset_hash"]),
        closed_seats=tuple(context["seats"]),
        nonces=tuple(VECTOR["nonces_hex"]),
        beacon=Beacon(**context["beacon"]),
        randomness=VECTOR["randomness_hex"],
    )
    master = bytes.fromhex(VECTOR["master_hex"])
    expected = VECTOR["hands"][hand - 1]
    assert deck_sha256(hand_deck(table, context["game"], master, hand)) == expected["deck_sha256"]
    if hand == 1:
        assert FairChance(context["game"], master).first_dealer(table) == expected["first_dealer"]


def with_hash(table: Table, ruleset_hash: str) -> Rules:
    return replace(table.rules, ruleset_hash=ruleset_hash)


def test_closing_fixes_the_round_and_the_start_shows_it() -> None:
    state = waiting()
    assert (awaited_beacon(state.table), view_for(state, 0).beacon_due) == (FIXED, FIXED)
    (started, _dealt), after = begin(state, CHANCE, CAME)
    assert isinstance(started, Started)
    assert started.beacon == asdict(CAME)
    assert CAME.randomness == randomness_of(CAME.signature)
    assert (awaited_beacon(after.table), after.table.randomness) == (None, CAME.randomness)


def test_the_randomness_decides_every_deal_and_the_dealer() -> None:
    decks, dealers = set(), set()
    for number in range(16):
        came = shown(FIXED, f"{number:02x}" * 48)
        (started, dealt), _ = begin(waiting(), CHANCE, came)
        assert isinstance(started, Started)
        assert isinstance(dealt, Dealt)
        decks.add(dealt.deck)
        dealers.add(started.first_dealer)
    assert len(decks) == 16
    assert len(dealers) > 1


def test_a_table_does_not_start_without_the_round_or_with_another() -> None:
    state = waiting()
    assert refused(state, None) == (LobbyCode.BEACON_MISSING, {"chain": FIXED.chain, "round": 1000})
    assert refused(state, replace(CAME, round=1001)) == (LobbyCode.BEACON_ROUND_WRONG, {"needed": 1000})
    assert refused(state, replace(CAME, chain="cd" * 32)) == (LobbyCode.BEACON_CHAIN_WRONG, {"needed": FIXED.chain})
    assert refused(waiting((1,)), CAME)[0] == LobbyCode.NONCES_MISSING


def test_a_table_that_was_closed_without_a_beacon_takes_none() -> None:
    state = seated()
    assert refused(fold(state, close(state, [None] * 4)), CAME) == (LobbyCode.BEACON_NOT_USED, {})


def test_a_practice_table_fixes_no_round() -> None:
    state = seated(origin={"kind": "seed", "seed": "00"})
    with pytest.raises(LobbyRefused) as caught:
        close(state, [None] * 4, FIXED)
    assert caught.value.code == LobbyCode.BEACON_NOT_USED


def test_a_freed_seat_lets_the_round_lapse() -> None:
    state = waiting((1,))
    state = fold(state, reopen(state, 1))
    assert (state.table.beacon, awaited_beacon(state.table), chosen_by(state.table)) == (None, None, None)


@pytest.mark.parametrize(
    ("committed", "fixed", "label"),
    [((), None, "server_only"), ((1,), None, "players"), ((), FIXED, "beacon"), ((1,), FIXED, "players_and_beacon")],
)
def test_a_table_is_labelled_by_who_chose_its_deals(
    committed: tuple[int, ...], fixed: Beacon | None, label: str
) -> None:
    state = seated(mode="players")
    assert chosen_by(state.table) is None
    commitments = [nonce_commitment(NONCE) if seat in committed else None for seat in range(4)]
    state = fold(state, close(state, commitments, fixed))
    assert chosen_by(state.table) == label
    view = view_for(state, "watcher").fairness
    assert view is not None
    assert (view.chosen_by, view.beacon, view.server_alone) == (label, fixed, label == "server_only")
    assert label in MEANINGS
