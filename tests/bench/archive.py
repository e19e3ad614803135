"""Fills a database with finished games, as if they had been played at the same time: `python -m tests.bench.archive`.

The games are copies of a few played ones under fresh ids, each with a chain of its own; moves of games that went on
side by side lie side by side, as in a real archive.
"""

import argparse
import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import asyncpg
from msgspec import Struct

from service.checkpoints.keys import KeyDirectory
from service.checkpoints.sealing import Sealing
from service.migrate import migrate
from service.store.database import DatabaseLimits, open_pool
from tests.bench.templates import Template, templates

GAMES_AT_ONCE: Final = 64
AT: Final = datetime(2026, 1, 1, tzinfo=UTC)

EVENTS: Final = ("stream", "version", "shard", "position", "type", "body", "prev_hash", "hash", "actor", "command_last")
GAMES: Final = (
    "id", "share_code", "visibility", "status", "ruleset", "players", "practice", "created_by", "created_at",
    "version", "turn", "finished_at",
)  # fmt: skip
SEATS: Final = ("game", "seat", "kind", "player", "level")

Record = tuple[Any, ...]


class _Game(Struct):
    """A copy of a template under an id of its own, as far as it has been written."""

    id: str
    shard: int
    template: Template
    head: bytes
    written: int = 0


async def fill(url: str, events: int, keys: Path | None) -> int:
    """Add about so many events of finished games to a migrated database; how many were added.

    With a directory for `keys` checkpoints are signed on the way, by a key that is there or is made.
    """
    connection = await asyncpg.connect(url)
    heads: dict[int, int] = dict(await connection.fetch("select shard, head from shard"))
    added = 0
    async with _sealing(url, keys) as step:
        while added < events:
            games = [_new_game(len(heads)) for _ in range(GAMES_AT_ONCE)]
            rows = list(_rows(games, heads))
            async with connection.transaction():
                await connection.copy_records_to_table("event", records=rows, columns=EVENTS)
                await connection.copy_records_to_table("game", records=map(_game_row, games), columns=GAMES)
                seats = [(game.id, *seat) for game in games for seat in game.template.seats]
                await connection.copy_records_to_table("seat", records=seats, columns=SEATS)
                await connection.executemany("update shard set head = $2 where shard = $1", list(heads.items()))
            added += len(rows)
            await step()
    await connection.execute("analyze event")
    await connection.close()
    return added


def _new_game(shards: int) -> _Game:
    game_id = "g" + secrets.token_hex(12)
    raw = game_id.encode()
    return _Game(game_id, crc32(raw) % shards, secrets.choice(templates()), sha256(raw).digest())


def _rows(games: list[_Game], heads: dict[int, int]) -> Iterator[Record]:
    """The rows of these games, an append of each in turn; `heads` go on with them."""
    going_on = games
    while going_on:
        for game in going_on:
            template = game.template
            last = template.lasts[game.written]
            command_last: int | None = last
            while game.written < last:
                place = game.written
                prev, body = game.head, template.bodies[place]
                game.head = sha256(b"%b\n%b" % (prev.hex().encode(), body)).digest()
                position = heads[game.shard] = heads[game.shard] + 1
                game.written = place + 1
                yield (
                    game.id, place + 1, game.shard, position, template.types[place], body, prev, game.head, "bench",
                    command_last,
                )  # fmt: skip
                command_last = None
        going_on = [game for game in going_on if game.written < len(game.template.bodies)]


def _game_row(game: _Game) -> Record:
    template = game.template
    return (
        game.id, game.id, "public", template.status, template.ruleset, template.players, False, "bench", AT,
        template.version, None, AT,
    )  # fmt: skip


@asynccontextmanager
async def _sealing(url: str, keys: Path | None) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """A function that signs everything new."""
    if keys is None:
        yield _nothing
        return
    pool = await open_pool(url, DatabaseLimits(statement_seconds=60.0), name="meldhouse bench")
    sealing = Sealing(pool, KeyDirectory(keys), seconds=0.0, events_max=1)

    async def step() -> None:
        while (done := await sealing.step()) is not None and done.more:
            pass

    yield step
    pool.terminate()


async def _nothing() -> None:
    return


def main() -> None:
    """Fill the database of the command line."""
    parser = argparse.ArgumentParser(description="Fill a database with finished games.")
    parser.add_argument("--events", type=int, required=True)
    parser.add_argument("--database", required=True, help="the owner's address; it is migrated if it must be")
    parser.add_argument("--keys", type=Path, help="directory of the key that signs checkpoints; without it none are")
    given = parser.parse_args()
    begun = time.monotonic()
    asyncio.run(migrate(given.database))
    added = asyncio.run(fill(given.database, given.events, given.keys))
    print(f"{added} events in {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
