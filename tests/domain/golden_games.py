"""The golden games: finished records, as lists of events and as the states between them."""

from functools import lru_cache
from pathlib import Path
from typing import Final, cast

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain import events
from domain.events import AnyEvent, Created
from domain.evolve import evolve, initial_state
from domain.state import State

RECORDS: Final = Path(__file__).resolve().parent.parent / "data" / "records"
NAMES: Final = sorted(path.name.removesuffix(".meld.jsonl") for path in RECORDS.glob("*.meld.jsonl"))


@lru_cache(maxsize=2)
def events_of(name: str) -> tuple[AnyEvent, ...]:
    """Every event of a golden game, complete."""
    lines = (RECORDS / f"{name}.meld.jsonl").read_bytes().splitlines()
    return tuple(events.decode(line) for line in lines[1:-1])


@lru_cache(maxsize=2)
def states_of(name: str) -> tuple[State, ...]:
    """The state after each event of a golden game."""
    first, *rest = events_of(name)
    states = [initial_state(cast(Created, first))]
    for event in rest:
        states.append(evolve(states[-1], event))
    return tuple(states)


def game_id(name: str) -> str:
    """The id that the record's header gives the game."""
    header = (RECORDS / f"{name}.meld.jsonl").read_bytes().splitlines()[0]
    return str(msgspec.json.decode(header)["game"])


def bare(event: AnyEvent) -> AnyEvent:
    """An event without what its storing added: time, salt and hashes."""
    return replace(event, at="", salt=UNSET, prev=UNSET, hash=UNSET)
