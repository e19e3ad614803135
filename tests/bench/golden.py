"""The golden games as the benches use them: decoded events, record bytes, and every move with the state before it."""

from functools import cache
from pathlib import Path
from typing import Final

from domain.events import AnyEvent, Created, decode
from domain.evolve import fold, initial_state
from domain.moves import Move
from domain.records.moves import move_of
from domain.state import State

RECORDS: Final = Path(__file__).parent.parent / "data" / "records"


@cache
def record_bytes() -> list[bytes]:
    """The golden records as they lie on disk."""
    return [path.read_bytes() for path in sorted(RECORDS.glob("*.meld.jsonl"))]


@cache
def games() -> list[list[AnyEvent]]:
    """The events of every golden game, decoded."""
    return [[decode(line) for line in record.split(b"\n")[1:-2]] for record in record_bytes()]


@cache
def asked() -> list[tuple[State, int, Move]]:
    """Every move of the golden games: the state it was asked in, the seat, the move."""
    found: list[tuple[State, int, Move]] = []
    for happened in games():
        created = happened[0]
        assert isinstance(created, Created)
        state = initial_state(created)
        for event in happened[1:]:
            move = move_of(state, event)
            if move is not None:
                found.append((state, event.seat, move))  # type: ignore[union-attr]
            state = fold(state, [event])
    return found


@cache
def events_count() -> int:
    """How many events the golden games have."""
    return sum(map(len, games()))
