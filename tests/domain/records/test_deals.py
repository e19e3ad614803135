"""The fairness of recorded deals: decks by the master, with a beacon, and on boards."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from domain.beacons import Beacon, BeaconShown, shown
from domain.boards import BoardChance, board_terms
from domain.chance import FairChance, PracticeChance, fair_terms
from domain.ending import abort
from domain.fairness import nonce_commitment
from domain.lobby import close, reveal_nonce
from domain.playing import begin
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import check_of
from domain.records.verification import verify
from domain.state import State, Table
from service.offline.beacons import KNOWN, Chains
from tests.domain import drand
from tests.domain.records.record_files import Game, Values, chained, told, values_of
from tests.domain.tables import GAME, MASTER, NONCE

CLOSED_AT = datetime(2026, 1, 1, 0, 0, 4, 500_000, tzinfo=UTC).timestamp()
"""When the game with a beacon is closed: at its fourth event (`record_files.Game.record`)."""

CHAIN = drand.chain(int(CLOSED_AT) - 1000)
CHAINS = Chains((*KNOWN, CHAIN))
FIXED = CHAIN.fixed_at(CLOSED_AT)
SHOWN = shown(FIXED, drand.signature(FIXED.round))
BOARDS = [2, 3]


def with_beacon(fixed: Beacon = FIXED, came: BeaconShown = SHOWN) -> list[bytes]:
    game = Game(fairness=fair_terms("server_only", MASTER))
    game.seat_everybody()
    game.add(close(game.state, [None, None], fixed))
    chance = FairChance(GAME, MASTER)
    game.add(begin(game.state, chance, came)[0])
    return game.finish(chance)


def given_up() -> list[bytes]:
    """A game whose beacon did not come."""
    game = Game(fairness=fair_terms("server_only", MASTER))
    game.seat_everybody()
    game.add(close(game.state, [None, None], FIXED))
    game.add(abort(game.state, "technical"))
    return game.finish(FairChance(GAME, MASTER))


def on_boards() -> list[bytes]:
    chance = BoardChance("T1", MASTER)
    game = Game(fairness=board_terms("T1", MASTER, BOARDS))
    game.begin(chance)
    while game.state.phase != "game_over":
        game.move(chance)
    return game.finish(chance)


def with_nonces() -> list[bytes]:
    game = Game(fairness=fair_terms("players", MASTER))
    game.seat_everybody()
    game.add(close(game.state, [nonce_commitment(NONCE), None]))
    game.add(reveal_nonce(game.state, 0, NONCE.hex()))
    chance = FairChance(GAME, MASTER)
    game.add(begin(game.state, chance)[0])
    return game.finish(chance)


@pytest.mark.parametrize(
    ("lines", "signature"),
    [
        (with_beacon, "passed"),
        (given_up, "not_applicable"),
        (on_boards, "not_applicable"),
        (with_nonces, "not_applicable"),
    ],
)
def test_decks_follow_from_the_master_and_what_was_fixed(lines: Callable[[], list[bytes]], signature: str) -> None:
    verdict = verify(lines(), beacon=CHAINS)
    assert verdict.fault is None
    assert (verdict.checks["fairness"], verdict.checks["beacon_signature"]) == ("passed", signature)


def first(events: list[Values], kind: str) -> Values:
    return next(event for event in events if event.get("type") == kind)


def in_beacon(kind: str, **changed: Any) -> Callable[[list[Values]], None]:
    return lambda events: first(events, kind)["beacon"].update(changed)


def set_in(kind: str, key: str, value: Any) -> Callable[[list[Values]], None]:
    return lambda events: first(events, kind).update({key: value})


@pytest.mark.parametrize(
    ("made", "change", "kind", "code"),
    [
        (with_beacon, in_beacon("started", round=FIXED.round + 1), "started", Code.BEACON_WRONG),
        (with_beacon, in_beacon("started", chain="ab" * 32), "started", Code.BEACON_WRONG),
        (with_beacon, in_beacon("started", randomness="x"), "started", Code.FAIRNESS_INVALID),
        (with_beacon, in_beacon("started", signature="ab"), "started", Code.FAIRNESS_INVALID),
        (with_beacon, in_beacon("started", randomness="00" * 32), "started", Code.BEACON_WRONG),
        (with_beacon, set_in("started", "beacon", None), "started", Code.BEACON_WRONG),
        (with_beacon, in_beacon("closed", round=FIXED.round + 1), "started", Code.BEACON_WRONG),
        (with_beacon, in_beacon("closed", round=0), "closed", Code.FAIRNESS_INVALID),
        (with_beacon, in_beacon("closed", chain="AB" * 32), "closed", Code.FAIRNESS_INVALID),
        (with_beacon, set_in("closed", "beacon", None), "started", Code.BEACON_WRONG),
        (given_up, set_in("closed", "beacon", None), "revealed", Code.FAIRNESS_INVALID),
        (with_beacon, set_in("revealed", "context", {}), "revealed", Code.FAIRNESS_INVALID),
        (on_boards, lambda events: events[0]["fairness"].update(boards=[2, 5]), "dealt", Code.DECK_WRONG),
        (on_boards, lambda events: events[0]["fairness"].update(boards=[3, 3]), "started", Code.DEALER_WRONG),
        (on_boards, lambda events: events[0]["fairness"].update(boards=[2]), "dealt", Code.OUT_OF_PLACE),
        (on_boards, lambda events: events[0]["fairness"].update(boards=[]), "created", Code.FAIRNESS_INVALID),
        (on_boards, lambda events: events[0]["fairness"].update(boards=[2, 2**40]), "created", Code.FAIRNESS_INVALID),
        (on_boards, lambda events: events[0]["fairness"].update(tournament="T2"), "revealed", Code.FAIRNESS_INVALID),
        (on_boards, set_in("revealed", "master", "00" * 128), "revealed", Code.COMMITMENT_WRONG),
    ],
)
def test_deals_that_do_not_follow_are_refused(
    made: Callable[[], list[bytes]], change: Callable[[list[Values]], None], kind: str, code: Code
) -> None:
    header, *events = values_of(made()[:-1])
    change(events)
    found = told(chained(header, events))
    assert found is not None
    assert (found[0] - 2 in [place for place, event in enumerate(events) if event["type"] == kind], found[1]) == (
        True,
        code,
    )


def assert_dealt_otherwise(lines: list[bytes]) -> None:
    """The first dealer is wrong or, where it is right by accident, the first deck."""
    events = values_of(lines)[1:-1]
    found = told(lines)
    assert found in (
        (first(events, "started")["n"] + 1, Code.DEALER_WRONG),
        (first(events, "dealt")["n"] + 1, Code.DECK_WRONG),
    )


@pytest.mark.parametrize("master", [b"one", b"another", b"a third"])
def test_a_game_dealt_from_another_master_is_refused(master: bytes) -> None:
    game = Game(fairness=fair_terms("server_only", MASTER))
    other = FairChance(GAME, master)
    game.begin(other)
    game.turns(2, other)
    assert_dealt_otherwise(game.finish(FairChance(GAME, MASTER)))


class ChosenDealer(FairChance, frozen=True):
    """Decks by the master, and another first dealer than it gives."""

    def first_dealer(self, table: Table) -> int:
        return 1 - super().first_dealer(table)


def test_the_first_dealer_follows_from_the_master_too() -> None:
    game = Game(fairness=fair_terms("server_only", MASTER))
    chance = ChosenDealer(GAME, MASTER)
    game.begin(chance)
    lines = game.finish(chance)
    assert told(lines) == (first(values_of(lines), "started")["n"] + 1, Code.DEALER_WRONG)


def test_a_nonce_left_out_of_the_deal_shows() -> None:
    header, *events = values_of(with_nonces()[:-1])
    first(events, "closed")["nonce_commitments"] = [None, None]
    first(events, "started")["entropy"] = [None, None]
    events.remove(first(events, "nonce_revealed"))
    assert_dealt_otherwise(chained(header, events))


def test_decks_that_leave_the_beacon_out_show() -> None:
    game = Game(fairness=fair_terms("server_only", MASTER))
    game.seat_everybody()
    game.add(close(game.state, [None, None], FIXED))
    chance = WithoutBeacon(GAME, MASTER)
    game.add(begin(game.state, chance, SHOWN)[0])
    assert_dealt_otherwise(game.finish(FairChance(GAME, MASTER)))


class WithoutBeacon(FairChance, frozen=True):
    """Decks by the master alone, whatever the beacon has said."""

    def deck(self, state: State) -> Sequence[str]:
        return super().deck(replace(state, table=replace(state.table, randomness=None)))


def test_a_signature_that_is_not_the_chains_is_wrong() -> None:
    """Whoever makes up a round can make everything fit but the signature."""
    forged = shown(FIXED, drand.signature(FIXED.round, secret_key=5))
    fault = verify(with_beacon(came=forged), beacon=CHAINS).fault
    assert fault is not None
    assert (fault.code, fault.line) == (Code.BEACON_WRONG, 6)
    assert check_of(fault.code) == "beacon_signature"


def test_the_signature_of_another_round_is_wrong() -> None:
    late = shown(FIXED, drand.signature(FIXED.round - 1))
    fault = verify(with_beacon(came=late), beacon=CHAINS).fault
    assert fault is not None
    assert fault.code == Code.BEACON_WRONG


def test_a_round_that_somebody_may_have_known_at_closing_is_refused() -> None:
    soon = Beacon(FIXED.chain, FIXED.round - 1)
    verdict = verify(with_beacon(soon, shown(soon, drand.signature(soon.round))), beacon=CHAINS)
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.line) == (Code.BEACON_FORESEEN, 5)
    assert verdict.checks["beacon_signature"] == "failed"


@pytest.mark.parametrize(
    ("chains", "why"),
    [
        (None, "No chain was given to check the signature by."),
        (Chains(), f"The chain {FIXED.chain} is not among those that are known here."),
    ],
)
def test_a_round_of_an_unknown_chain_is_told_to_be_unchecked(chains: Chains | None, why: str) -> None:
    verdict = verify(with_beacon(), beacon=chains)
    assert verdict.ok
    assert verdict.checks["beacon_signature"] == "not_checked"
    assert verdict.unchecked == {"beacon_signature": why}


def test_a_practice_game_uses_no_beacon() -> None:
    origin = {"kind": "seed", "seed": "00"}
    game = Game(origin=origin)
    game.begin(PracticeChance())
    header, *events = values_of(game.finish(PracticeChance())[:-1])
    first(events, "closed")["beacon"] = {"chain": FIXED.chain, "round": FIXED.round}
    assert told(chained(header, events)) == (first(events, "closed")["n"] + 1, Code.FAIRNESS_INVALID)


def test_in_the_mode_of_the_server_alone_no_nonce_counts() -> None:
    header, *events = values_of(with_nonces()[:-1])
    events[0]["fairness"]["mode"] = "server_only"
    assert told(chained(header, events)) == (5, Code.TABLE_REFUSED)
