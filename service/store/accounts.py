"""Players and their tokens."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg
from msgspec import Struct

from service.store.database import reached

FIND = """
select t.id, t.player, p.kind, p.name, t.scopes, t.game, t.seat, t.tournament, t.expires_at
from token t join player p on p.id = t.player
where t.hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
"""

ADD_PLAYER = "insert into player (id, name, kind, created_at) values ($1, $2, $3, $4)"

ADD_BEARER = """
insert into token (hash, id, player, name, scopes, game, seat, tournament, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
"""

TOKENS = """
select id, player, name, scopes, game, seat, tournament, created_at, expires_at from token
where player = $1 and revoked_at is null and ($2::timestamptz is null or (created_at, id) < ($2, $3))
order by created_at desc, id desc limit $4
"""

REVOKE = "update token set revoked_at = now() where player = $1 and id = $2 and revoked_at is null"

ERASE = "update player set name = null, erased_at = coalesce(erased_at, now()) where id = $1"


class Player(Struct, frozen=True, kw_only=True):
    """`name` is None once the person has been erased; `kind` is guest, human or bot."""

    id: str
    name: str | None
    kind: str
    created_at: datetime
    erased_at: datetime | None = None


class Token(Struct, frozen=True, kw_only=True):
    """What a token may do; the secret itself is never stored. `game`, `seat`, `tournament` narrow the scopes."""

    id: str
    player: str
    scopes: Sequence[str]
    created_at: datetime
    name: str | None = None
    game: str | None = None
    seat: int | None = None
    tournament: str | None = None
    expires_at: datetime | None = None


class Bearer(Struct, frozen=True, kw_only=True):
    """Whom a valid token speaks for, and what it may do until when."""

    token: str
    player: str
    kind: str
    name: str | None
    scopes: frozenset[str]
    game: str | None
    seat: int | None
    tournament: str | None
    expires_at: datetime | None


class Accounts:
    """All calls raise `StoreUnavailable` when the database is gone."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def add_player(self, player: Player, token_hash: bytes, token: Token) -> None:
        """A player and its first token. `token_hash` is the SHA-256 of the secret, 32 bytes."""
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute(ADD_PLAYER, player.id, player.name, player.kind, player.created_at)
                await connection.execute(ADD_BEARER, token_hash, *_columns(token))

    async def player(self, player: str) -> Player | None:
        with reached():
            row = await self._pool.fetchrow(
                "select id, name, kind, created_at, erased_at from player where id = $1", player
            )
        return None if row is None else Player(**row)

    async def names(self, players: Sequence[str]) -> dict[str, str | None]:
        """The display names of those players that exist."""
        with reached():
            rows = await self._pool.fetch("select id, name from player where id = any ($1::text[])", players)
        return {row["id"]: row["name"] for row in rows}

    async def rename(self, player: str, name: str) -> bool:
        """False if there is no such player, or it was erased."""
        with reached():
            tag = await self._pool.execute(
                "update player set name = $2 where id = $1 and erased_at is null", player, name
            )
        return _changed(tag)

    async def erase(self, player: str) -> None:
        """Forget the person: the name is gone, every token revoked; the id stays in the games."""
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute(ERASE, player)
                await connection.execute("update token set revoked_at = now(), name = null where player = $1", player)

    async def add_token(self, token_hash: bytes, token: Token) -> None:
        with reached():
            await self._pool.execute(ADD_BEARER, token_hash, *_columns(token))

    async def bearer(self, token_hash: bytes) -> Bearer | None:
        """Whom a token speaks for; None if it is unknown, revoked or expired."""
        with reached():
            row = await self._pool.fetchrow(FIND, token_hash)
        if row is None:
            return None
        return Bearer(
            token=row["id"],
            player=row["player"],
            kind=row["kind"],
            name=row["name"],
            scopes=frozenset(row["scopes"]),
            game=row["game"],
            seat=row["seat"],
            tournament=row["tournament"],
            expires_at=row["expires_at"],
        )

    async def tokens(self, player: str, before: tuple[datetime, str] | None, limit: int) -> list[Token]:
        """The player's valid or expired, not revoked tokens, newest first, older than `before` (created_at, id)."""
        with reached():
            rows = await self._pool.fetch(TOKENS, player, *(before or (None, None)), limit)
        return [Token(**row) for row in rows]

    async def revoke_token(self, player: str, token: str) -> bool:
        """False if the player has no such token that is not revoked yet."""
        with reached():
            return _changed(await self._pool.execute(REVOKE, player, token))


def _columns(token: Token) -> tuple[Any, ...]:
    return (
        token.id,
        token.player,
        token.name,
        list(token.scopes),
        token.game,
        token.seat,
        token.tournament,
        token.created_at,
        token.expires_at,
    )


def _changed(tag: str) -> bool:
    """Whether a command tag such as `UPDATE 1` tells of a row."""
    return not tag.endswith(" 0")
