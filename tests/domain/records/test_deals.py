"""The fairness of recorded deals: decks by the master, with a beacon, and on boards."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain import fairness, shuffle
from domain.chance import FairChance, fair_terms
from domain.events import Revealed
from domain.fairness import Beacon, BoardContext, DealContext, board_commitment, nonce_commitment
from domain.lobby import close, reveal_nonce
from domain.playing import begin
from domain.records.faults import RecordFaultCode as Code
from domain.records.verification import verify
from domain.state import State, Table
from tests.domain.records.record_files import Game, Values, chained, told, values_of
from tests.domain.tables import GAME, MASTER, NONCE

ROUND = {"chain": "ab" * 32, "round": 1000}
SHOWN = ROUND | {"signature": "cd" * 48, "randomness": "ef" * 32}
BOARDS = [2, 3]


class BeaconChance(Struct, frozen=True):
    """MELD-DEAL-1 with a beacon, of a game for two."""

    def _context(self, table: Table) -> DealContext:
        return DealContext(
            game=GAME,
            ruleset_hash=table.rules.ruleset_hash,
            players=2,
            seats=table.closed_seats,
            beacon=Beacon(str(ROUND["chain"]), 1000),
        )

    def _seed(self, table: Table, hand: int) -> bytes:
        return fairness.hand_seed(self._context(table), MASTER, [None, None], bytes.fromhex("ef" * 32), hand)

    def deck(self, state: State) -> list[str]:
        return shuffle.deck(self._seed(state.table, state.hand + 1), 3, 6)

    def first_dealer(self, table: Table) -> int:
        return fairness.first_dealer(self._seed(table, 1), 2)

    def revealed(self, state: State) -> Revealed:
        context = msgspec.to_builtins(self._context(state.table))
        return Revealed(n=state.version + 1, master=MASTER.hex(), context=context)


class BoardChance(Struct, frozen=True):
    """MELD-BOARD-1 without a beacon, of a game for two."""

    def _context(self, table: Table) -> BoardContext:
        return BoardContext(tournament="T1", ruleset_hash=table.rules.ruleset_hash, players=2, beacon=None)

    def deck(self, state: State) -> list[str] | None:
        if state.hand >= len(BOARDS):
            return None
        seed = fairness.board_seed(self._context(state.table), MASTER, None, BOARDS[state.hand])
        return shuffle.deck(seed, 3, 6)

    def first_dealer(self, _table: Table) -> int:
        return fairness.board_dealer(BOARDS[0], 2)

    def revealed(self, state: State) -> Revealed:
        context = msgspec.to_builtins(self._context(state.table))
        return Revealed(n=state.version + 1, master=MASTER.hex(), context=context)


def with_beacon() -> list[bytes]:
    game = Game(fairness=fair_terms("server_only", MASTER))
    game.seat_everybody()
    closed = close(game.state, [None, None])[0]
    game.add([replace(closed, beacon=ROUND)])
    chance = BeaconChance()
    started, *following = begin(game.state, chance)[0]
    game.add([replace(started, beacon=SHOWN), *following])
    return game.finish(chance)


def on_boards() -> list[bytes]:
    terms = {"algorithm": "MELD-BOARD-1", "tournament": "T1", "commitment": board_commitment(MASTER), "boards": BOARDS}
    game = Game(fairness=terms)
    chance = BoardChance()
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
    [(with_beacon, "not_checked"), (on_boards, "not_applicable"), (with_nonces, "not_applicable")],
)
def test_decks_follow_from_the_master_and_what_was_fixed(lines: Callable[[], list[bytes]], signature: str) -> None:
    verdict = verify(lines())
    assert verdict.fault is None
    assert (verdict.checks["fairness"], verdict.checks["beacon_signature"]) == ("passed", signature)


def first(events: list[Values], kind: str) -> Values:
    return next(event for event in events if event.get("type") == kind)


def set_in(kind: str, key: str, value: Any) -> Callable[[list[Values]], None]:
    return lambda events: first(events, kind).update({key: value})


@pytest.mark.parametrize(
    ("made", "change", "kind", "code"),
    [
        (with_beacon, set_in("started", "beacon", SHOWN | {"round": 1001}), "started", Code.DIFFERS),
        (with_beacon, set_in("started", "beacon", SHOWN | {"randomness": "x"}), "started", Code.FAIRNESS_INVALID),
        (with_beacon, set_in("started", "beacon", None), "started", Code.DIFFERS),
        (with_beacon, set_in("closed", "beacon", ROUND | {"round": 1001}), "started", Code.DIFFERS),
        (with_beacon, set_in("revealed", "context", {}), "revealed", Code.FAIRNESS_INVALID),
        (on_boards, lambda events: events[0]["fairness"].update(boards=[2, 5]), "dealt", Code.DECK_WRONG),
        (on_boards, lambda events: events[0]["fairness"].update(boards=[3, 3]), "dealt", Code.DIFFERS),
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


def test_another_randomness_of_the_beacon_shows() -> None:
    header, *events = values_of(with_beacon()[:-1])
    first(events, "started")["beacon"]["randomness"] = "00" * 32
    assert_dealt_otherwise(chained(header, events))


def test_in_the_mode_of_the_server_alone_no_nonce_counts() -> None:
    header, *events = values_of(with_nonces()[:-1])
    events[0]["fairness"]["mode"] = "server_only"
    assert told(chained(header, events)) == (5, Code.TABLE_REFUSED)
