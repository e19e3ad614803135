"""Simulated games with everything that a record needs: times and salts are made from the seed, too."""

from datetime import UTC, datetime, timedelta
from hashlib import shake_256
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.events import AnyEvent
from domain.fairness import enc
from domain.records.writer import players_of, write_record
from domain.simulation import Setup, game_id, simulate
from domain.state import State

SALT_BYTES: Final = 16

BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of a simulated game: every event is a second later than the one before."""


class SimulatedGame(Struct, frozen=True):
    """A game that was played to its end: its number from 1, its id, its events as stored, and its last state."""

    number: int
    id: str
    happened: list[AnyEvent]
    state: State

    def line(self) -> str:
        """The game in one line of `key=value`; several totals or winners are separated by commas."""
        state = self.state
        rules = state.table.rules
        told = {
            "game": self.number,
            "id": self.id,
            "ruleset": rules.ruleset.name,
            "players": rules.players,
            "hands": state.hand,
            "events": state.version,
            "end": state.end_reason,
            "totals": ",".join(map(str, state.totals)),
            "winners": ",".join(map(str, state.winners)),
        }
        return " ".join(f"{key}={value}" for key, value in told.items())


def play_game(setup: Setup, seed: bytes, number: int) -> SimulatedGame:
    """One whole game. Raises as `domain.simulation.simulate`."""
    happened: list[AnyEvent] = []
    final: State | None = None
    for events, after in simulate(setup, seed, number):
        happened += [_stamped(event, seed, number) for event in events]
        final = after
    assert final is not None
    return SimulatedGame(number, game_id(setup, seed, number), happened, final)


def _stamped(event: AnyEvent, seed: bytes, number: int) -> AnyEvent:
    salt = shake_256(enc(b"MELD-SIMULATION-1/salt", seed, number.to_bytes(4, "big"), event.n.to_bytes(4, "big")))
    at = (BEGAN + timedelta(seconds=event.n)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(event, at=at, salt=salt.hexdigest(SALT_BYTES))


def write_game(game: SimulatedGame, directory: Path) -> Path:
    """Write the record of a game into a directory, whole or not at all; the path of the file."""
    rules = game.state.table.rules
    names = {seated.player: f"{seated.bot} {seat}" for seat, seated in enumerate(game.state.table.seats) if seated}
    name = f"{game.number:05d}-{rules.ruleset.name}-{rules.players}p-{game.id[:8]}.meld.jsonl"
    path = directory / name
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        file.writelines(write_record(game.id, players_of(game.state, names), game.happened))
    unfinished.replace(path)
    return path
