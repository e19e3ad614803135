"""What a tampering has done, what there is in an archive to tamper with, and the means to do it."""

import random
from collections.abc import Awaitable, Callable
from typing import Any, Final, Self
from zlib import crc32

import asyncpg
from msgspec import Struct

from service.audit.findings import Finding, FindingCode
from service.audit.kept import KeptHead
from service.tournaments.ids import is_tournament

GUARDED: Final = (
    "event", "game", "seat", "secret", "checkpoint", "log_epoch", "log_key", "merkle_node", "tournament_game",
    "board_set", "tournament", "tournament_player",
)  # fmt: skip


class Tampered(Struct, frozen=True):
    """What was done: the codes of which one must be found, at which place, and what it may have touched.

    A place that is None does not matter. `kept` says that it shows only beside what was kept outside.
    """

    codes: frozenset[FindingCode]
    games: tuple[str, ...] = ()
    shards: tuple[int, ...] = ()
    game: str | None = None
    n: int | None = None
    shard: int | None = None
    position: int | None = None
    checkpoint: int | None = None
    heads: tuple[KeptHead, ...] = ()
    log: bool = False

    def shown_by(self, finding: Finding) -> bool:
        """Whether a finding tells of it."""
        places = ("game", "n", "shard", "position", "checkpoint")
        return finding.code in self.codes and all(
            getattr(self, place) in (None, getattr(finding, place)) for place in places
        )


class Archive(Struct, frozen=True):
    """What is in an archive: its games with the number of their events, and how much was signed."""

    games: dict[str, int]
    shards: int
    heads: dict[int, int]
    checkpoints: int
    epochs: int

    @classmethod
    async def read(cls, connection: asyncpg.Connection) -> Self:
        """Look."""
        games = dict(await connection.fetch("select stream, max(version) from event group by stream"))
        heads = dict(await connection.fetch("select shard, head from shard where head > 0"))
        checkpoints = await connection.fetchval("select max(number) from checkpoint")
        epochs = await connection.fetchval("select max(epoch) from log_epoch")
        return cls(games, await connection.fetchval("select shards from feed"), heads, checkpoints, epochs)

    @property
    def rows(self) -> list[str]:
        """The games, without the tournaments."""
        return [stream for stream in self.games if not is_tournament(stream)]

    def shard_of(self, game: str) -> int:
        """The shard of a game."""
        return crc32(game.encode()) % self.shards

    def event(self, chance: random.Random, *, above: int = 0, below_last: bool = False) -> tuple[str, int]:
        """Some event."""
        while True:
            game = chance.choice(list(self.games))
            last = self.games[game] - below_last
            if last > above:
                return game, chance.randint(above + 1, last)


Kind = Callable[[asyncpg.Connection, Archive, random.Random], Awaitable[Tampered]]


async def unguarded(connection: asyncpg.Connection) -> None:
    """Take every guard of the database away, as its superuser can."""
    for table in GUARDED:
        await connection.execute(f"alter table {table} disable trigger all")
    await connection.execute("alter table event drop constraint if exists event_hash_holds")


def codes(*found: FindingCode) -> frozenset[FindingCode]:
    """A set of codes."""
    return frozenset(found)


def flipped(raw: bytes, chance: random.Random) -> bytes:
    changed = bytearray(raw)
    changed[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return bytes(changed)


async def column(connection: asyncpg.Connection, name: str, game: str, n: int) -> Any:
    return await connection.fetchval(f"select {name} from event where stream = $1 and version = $2", game, n)


async def put(connection: asyncpg.Connection, name: str, value: object, game: str, n: int) -> None:
    await connection.execute(f"update event set {name} = $1 where stream = $2 and version = $3", value, game, n)
