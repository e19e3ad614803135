"""State hashes of an archive: what every game of a database folds to, kept from one release to compare with the next.

A line of such a file is `{"game": id, "n": event, "state": hash}`: one for each end of a hand and of the game, and one
for the last event.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import asyncpg
import msgspec
from msgspec import Struct

from domain.events import AnyEvent, type_of
from domain.evolve import fold_into, initial_state
from domain.state import State
from domain.state_hash import state_hash
from domain.upcasting import decode_stored

PAGE: Final = 5000
ENDS: Final = ("hand_ended", "game_ended")

_PAGE: Final = """
select stream, version, schema, body from event
where (stream, version) > ($1, $2) order by stream, version limit $3
"""


class Line(Struct, frozen=True):
    """The hash of a game's state after event `n`."""

    game: str
    n: int
    state: str


async def states_of(url: str) -> AsyncIterator[Line]:
    """The lines of a database, game by game. Raises `SchemaUnknown` and what reading and folding may raise."""
    connection = await asyncpg.connect(url)
    try:
        game, state, told = "", None, 0
        async for stream, schema, body in _rows(connection):
            if stream != game:
                if state is not None and told < state.version:
                    yield Line(game, state.version, state_hash(state))
                game, state, told = stream, None, 0
            event = decode_stored(schema, body)
            state = _folded(state, event)
            if type_of(event) in ENDS:
                told = state.version
                yield Line(game, told, state_hash(state))
        if state is not None and told < state.version:
            yield Line(game, state.version, state_hash(state))
    finally:
        await connection.close()


async def _rows(connection: asyncpg.Connection) -> AsyncIterator[tuple[str, int, bytes]]:
    place = ("", 0)
    while True:
        rows = await connection.fetch(_PAGE, *place, PAGE)
        for row in rows:
            yield row["stream"], row["schema"], row["body"]
        if len(rows) < PAGE:
            return
        place = (rows[-1]["stream"], rows[-1]["version"])


def _folded(state: State | None, event: AnyEvent) -> State:
    if state is None:
        first: Any = event
        return initial_state(first)
    fold_into(state, (event,))
    return state


async def write_states(url: str, file: Path) -> int:
    """Write the file of a database; how many lines there are."""
    lines = 0
    with file.open("wb") as out:
        async for line in states_of(url):
            out.write(msgspec.json.encode(line) + b"\n")
            lines += 1
    return lines


def read_states(file: Path) -> Iterator[Line]:
    with file.open("rb") as lines:
        yield from (msgspec.json.decode(line, type=Line) for line in lines)


def changed_states(before: Iterable[Line], after: Iterable[Line]) -> list[str]:
    """What two releases disagree about, a line each. A game may have gone on, and others may have begun, since then."""
    now = {(line.game, line.n): line.state for line in after}
    # A last event is followed by others once the game goes on, and is not told of again.
    lasts: dict[str, int] = {}
    for game, n in now:
        lasts[game] = max(n, lasts.get(game, 0))
    told = []
    for line in before:
        state = now.get((line.game, line.n))
        if line.game not in lasts:
            told.append(f"{line.game}: the game is not there any more")
        elif lasts[line.game] < line.n:
            told.append(f"{line.game}: there is no event {line.n} any more")
        elif state is not None and state != line.state:
            told.append(f"{line.game}: after event {line.n} the state is {state}, was {line.state}")
    return told
