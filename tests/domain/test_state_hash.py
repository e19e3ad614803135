"""The hash of a state: everything that the state says is in it, and nothing else."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from domain.beacons import Beacon
from domain.cards import UNIT
from domain.departed import Departed
from domain.events import Clock, Meld, Watch
from domain.evolve import fold
from domain.moves import Discard
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.state import Ended, Laid, Occupant, State, Table
from domain.state_hash import state_hash
from tests.domain.golden_games import events_of, states_of
from tests.domain.records.record_files import SHORT

LAID: Final = Laid(Meld("m1", "group", ("8S", "8H", "8D")), UNIT["8S"] + UNIT["8H"] + UNIT["8D"])

OTHERWISE: Final[dict[str, Any]] = {
    "version": 99,
    "phase": "play",
    "hand": 7,
    "dealer": 3,
    "turn": 3,
    "scores": (5, 0),
    "holdings": [UNIT["8S"]] * 4,
    "melds": [{"m1": LAID}, {}],
    "red_threes": [UNIT["3D"], UNIT["3H"]],
    "pile": "8S9S",
    "stock": ("8S", "9S"),
    "stock_count": 2,
    "next_meld": 31,
    "began": "pile",
    "melded_this_turn": True,
    "turn_first_meld": 32,
    "touched_old": True,
    "last_turn": True,
    "has_melded": 2,
    "had_turn": 9,
    "permission": "granted",
    "ask": (Discard(("9S",)),),
    "barred": 4,
    "lone": 2,
    "recycles": 3,
    "stood_in": True,
    "ended": Ended(2, "out", True),
    "lines": ({"total": 5}, {"total": 6}),
    "totals": (5, 6),
    "end_reason": "target",
    "winners": (0,),
}

TABLE_OTHERWISE: Final[dict[str, Any]] = {
    "rules": compile_rules(resolve("samba-online", {"target": 7500}), 4),
    "status": "closed",
    "seats": (None, *[Occupant(f"x{seat}", "bot", "greedy") for seat in range(3)]),
    "clock": Clock("per_move", 7),
    "watch": Watch("link", 9),
    "striped": True,
    "fairness": {"algorithm": "another"},
    "origin": {"kind": "seed", "seed": "00"},
    "engine": "another/1",
    "closed_seats": ("x",),
    "nonce_commitments": ("00",) * 4,
    "nonces": ("11",) * 4,
    "beacon": Beacon("ab" * 32, 7),
    "randomness": "cd" * 32,
    "first_dealer": 3,
    "departed": Departed({"x"}),
    "revealed": True,
}


@pytest.fixture
def asking() -> State:
    """A state in phase `answer`, where every fact is told."""
    return replace(states_of(SHORT)[40], phase="answer", ask=(Discard(("8S",)),), began="stock", stock=("8S9S",))


def test_everything_that_a_state_says_is_in_its_hash(asking: State) -> None:
    assert {*OTHERWISE} | {"table"} == {*State.__struct_fields__}
    hashes = {state_hash(replace(asking, **{name: value})) for name, value in OTHERWISE.items()}
    assert len(hashes | {state_hash(asking)}) == len(OTHERWISE) + 1


def test_everything_that_a_table_says_is_in_the_hash(asking: State) -> None:
    assert {*TABLE_OTHERWISE} == {*Table.__struct_fields__}
    tables = [replace(asking.table, **{name: value}) for name, value in TABLE_OTHERWISE.items()]
    hashes = {state_hash(replace(asking, table=table)) for table in tables}
    assert len(hashes | {state_hash(asking)}) == len(TABLE_OTHERWISE) + 1


def test_every_state_of_a_game_has_a_hash_of_its_own_and_keeps_it() -> None:
    states = states_of(SHORT)
    hashes = [state_hash(state) for state in states]
    assert len({*hashes}) == len(states)
    assert state_hash(fold(states[0], events_of(SHORT)[1:])) == hashes[-1]
