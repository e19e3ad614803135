"""A fair game that ends is revealed with its end, however it ends, and its record verifies (fairness, 7)."""

from collections.abc import Callable
from typing import Any

import pytest

from domain import events
from domain.beacons import shown
from domain.chance import FairChance, fair_terms
from domain.ending import abort, adjudication, resignation, time_out
from domain.events import AnyEvent
from domain.evolve import fold
from domain.fairness import nonce_commitment
from domain.lobby import close, reopen, reveal_nonce
from domain.playing import begin, complete
from domain.records.verification import verify
from domain.state import State
from tests.domain import drand
from tests.domain.golden_games import NAMES
from tests.domain.records.record_files import Game, golden, values_of
from tests.domain.records.test_deals import CHAINS, FIXED
from tests.domain.tables import GAME, MASTER, NONCE

CHANCE = FairChance(GAME, MASTER)
End = Callable[[State], list[AnyEvent]]

ENDS: dict[str, End] = {
    "aborted": lambda state: abort(state, "ruling"),
    "adjudicated": lambda state: adjudication(state, None, "ruling"),
    "adjudicated against a side": lambda state: adjudication(state, 1, "ruling"),
    "timed out": lambda state: time_out(state, 0, "time"),
    "resigned": lambda state: resignation(state, state.turn),
}


def opened() -> Game:
    return Game(fairness=fair_terms("players", MASTER))


def seated() -> Game:
    game = opened()
    game.seat_everybody()
    return game


def closed() -> Game:
    """Waiting for two nonces and the beacon."""
    game = seated()
    game.add(close(game.state, [nonce_commitment(NONCE)] * 2, FIXED))
    return game


def revealing() -> Game:
    """Waiting for one nonce of two, and the beacon."""
    game = closed()
    game.add(reveal_nonce(game.state, 1, NONCE.hex()))
    return game


def awaiting_beacon() -> Game:
    game = revealing()
    game.add(reveal_nonce(game.state, 0, NONCE.hex()))
    return game


def reopened() -> Game:
    """Open again, because a nonce was not revealed: what was closed counts no more."""
    game = revealing()
    game.add(reopen(game.state, 0))
    return game


def dealt() -> Game:
    game = awaiting_beacon()
    game.add(begin(game.state, CHANCE, shown(FIXED, drand.signature(FIXED.round)))[0])
    return game


def in_a_turn() -> Game:
    game = dealt()
    for _ in range(3):
        game.move(CHANCE)
    return game


def in_the_second_hand() -> Game:
    game = dealt()
    while game.state.hand == 1:
        game.move(CHANCE)
    return game


def between_hands() -> Game:
    """After the count, before the next deal."""
    game = in_the_second_hand()
    assert isinstance(game.happened.pop(), events.Dealt)
    whole = Game(fairness=fair_terms("players", MASTER))
    whole.add(game.happened[1:])
    assert whole.state.phase == "hand_over"
    return whole


BEFORE_THE_START = (opened, seated, closed, revealing, awaiting_beacon, reopened)
UNDER_WAY = (dealt, in_a_turn, in_the_second_hand, between_hands)


@pytest.mark.parametrize(
    ("made", "end"),
    [(made, "aborted") for made in BEFORE_THE_START]
    + [(made, end) for made in UNDER_WAY for end in ENDS if not (made is between_hands and end == "resigned")],
)
def test_a_game_is_revealed_with_its_end(made: Callable[[], Game], end: str) -> None:
    game = made()
    ending = ENDS[end](game.state)
    happened, _ = complete(fold(game.state, ending), ending, CHANCE)
    assert [type(event) for event in happened[-2:]] == [events.GameEnded, events.Revealed]
    assert happened[: len(ending)] == ending
    game.add(happened)
    verdict = verify(game.record(), beacon=CHAINS)
    assert verdict.fault is None
    assert verdict.checks["fairness"] == "passed"


@pytest.mark.parametrize(
    ("made", "seats", "beacon"),
    [(opened, [], False), (seated, [], False), (reopened, [], False), (closed, ["p0", "p1"], True)],
)
def test_an_abort_reveals_what_was_fixed_by_then(made: Callable[[], Game], seats: list[str], beacon: bool) -> None:
    game = made()
    game.add(abort(game.state, None))
    revealed = values_of(game.finish(CHANCE))[-2]
    assert revealed["context"]["seats"] == seats
    assert (revealed["context"]["beacon"] is not None) == beacon


@pytest.mark.parametrize("name", NAMES)
def test_every_golden_game_that_is_fair_ends_with_its_reveal(name: str) -> None:
    lines = values_of(golden(name))
    fair = lines[1]["fairness"] is not None
    assert (lines[-2]["type"] == "revealed") == fair
    assert lines[-3 if fair else -2]["type"] == "game_ended"


@pytest.mark.parametrize("options", [{"hand_cap": 1}, {"hand_cap": 2}])
def test_the_last_move_of_a_game_comes_with_the_reveal(options: dict[str, Any]) -> None:
    """Whatever ends a hand for the last time: its events are one decision, which is stored whole."""
    game = Game(fairness=fair_terms("server_only", MASTER), options=options)
    game.begin(CHANCE)
    before = 0
    while game.state.phase != "game_over":
        before = len(game.happened)
        game.move(CHANCE)
    assert [type(event) for event in game.happened[-3:]] == [events.HandEnded, events.GameEnded, events.Revealed]
    assert len(game.happened) - before >= 4
    assert verify(game.record()).ok
