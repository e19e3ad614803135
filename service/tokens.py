"""Further tokens of a person: made with one that speaks for the whole person, shown, revoked.

What tokens say, and to what they are narrowed, is in `service.principals`. The secret of a token is kept nowhere: it
is made from a salt that is kept and from what only the caller has, so that a repeated request gives it again.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg
import msgspec
from msgspec import Struct

from service.cursors import read_cursor, write_cursor
from service.principals import Principal, Principals, Scope, digest, held
from service.store.database import Pool, reached
from service.store.errors import KeyReused

TOKEN_BYTES: Final = 32
ID_BYTES: Final = 10
CLAIM_SCOPE: Final = "createToken"

INSERT: Final = """
insert into token (hash, id, player, name, scopes, created_at, game, seat, tournament, expires_at, maker)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
_GOOD: Final = "revoked_at is null and (expires_at is null or expires_at > now())"
_COLUMNS: Final = "id, name, scopes, game, seat, tournament, maker, created_at, expires_at"
_LOCK: Final = "select from player where id = $1 for no key update"
_MAKER: Final = f"select expires_at from token where id = $1 and player = $2 and {_GOOD}"
_COUNT: Final = f"select count(*) from token where player = $1 and {_GOOD}"
_FIRST_ANSWER: Final = """
select encode(command_digest, 'hex') as digest, value from claim
where scope = $1 and actor = $2 and command_key = $3
"""
_CLAIM: Final = """
insert into claim (scope, actor, command_key, command_digest, value) values ($1, $2, $3, decode($4, 'hex'), $5)
"""
_ONE: Final = f"select {_COLUMNS}, {_GOOD} as good from token where id = $1 and player = $2"
_LIST: Final = f"""
select {_COLUMNS} from token where player = $1 and {_GOOD} order by created_at desc, id desc limit $2
"""
_LIST_AFTER: Final = f"""
select {_COLUMNS} from token where player = $1 and {_GOOD} and (created_at, id) < ($3, $4)
order by created_at desc, id desc limit $2
"""
# The new time lets every worker drop what it knows of the player's tokens.
_REVOKE: Final = """
with gone as (
    update token set revoked_at = coalesce(revoked_at, now()) where id = $1 and player = $2 returning player
)
update player set changed_at = now() from gone where player.id = gone.player
"""
_DELEGABLE: Final = "select 1 from tournament where id = $1 and organiser = $2"


class TokenGone(Exception):
    """The token has been revoked, or has expired."""


class TooManyTokens(Exception):
    """The player has as many tokens as they may have."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class ExpiryRefused(Exception):
    """The end that is asked for is past, or too far away; `latest` is the last one that there may be."""

    def __init__(self, latest: datetime) -> None:
        super().__init__(latest)
        self.latest = latest


class Wanted(Struct, frozen=True, kw_only=True):
    """A token to be made; without an `expires_at` it lasts as long as it may."""

    name: str | None
    scopes: tuple[Scope, ...]
    game: str | None
    seat: int | None
    tournament: str | None
    expires_at: datetime | None


class Token(Struct, frozen=True, kw_only=True):
    """A token without its secret. `game`, `seat` and `tournament` are what it is narrowed to."""

    id: str
    name: str | None
    scopes: tuple[Scope, ...]
    game: str | None
    seat: int | None
    tournament: str | None
    created_at: datetime
    expires_at: datetime | None


class Key(Struct, frozen=True):
    """An idempotency key as it is kept, and the digest of the request that it stands for, in hex."""

    name: str
    digest: str


class Made(Struct, frozen=True):
    """A token and its secret."""

    token: Token
    secret: str


class _Kept(Struct, frozen=True):
    """What is kept for a key: the id of the token, and the half of its secret that is not the caller's."""

    token: str
    salt: bytes


class Tokens:
    """The tokens of players. Raises `StoreUnavailable` where the database is gone, or `StoreBusy`."""

    def __init__(self, pool: Pool, principals: Principals, most: int, longest_seconds: int) -> None:
        self._pool = pool
        self._principals = principals
        self._most = most
        self._longest = timedelta(seconds=longest_seconds)

    async def made(self, maker: Principal, key: Key, own: bytes) -> Made | None:
        """What was made for this key before. Raises `KeyReused`."""
        with reached():
            async with self._pool.acquire() as connection:
                return await _made(connection, maker, key, own)

    async def make(self, maker: Principal, wanted: Wanted, key: Key | None, own: bytes) -> Made:
        """A new token, or the first one for this key. `own` is the caller's half of the secret.

        It lasts no longer than the token with which it is made. All of it happens, or nothing. Raises `KeyReused`,
        `TokenGone`, `TooManyTokens`, `ExpiryRefused`.
        """
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                # One at a time for each person; so neither a revocation nor the number is overtaken.
                await connection.execute(_LOCK, maker.player)
                before = None if key is None else await _made(connection, maker, key, own)
                if before is not None:
                    return before
                with_this = await connection.fetchrow(_MAKER, maker.token, maker.player)
                if with_this is None:
                    raise TokenGone
                created_at = datetime.now(UTC)
                expires_at = self._expiry(wanted.expires_at, created_at, with_this["expires_at"])
                if await connection.fetchval(_COUNT, maker.player) >= self._most:
                    raise TooManyTokens(self._most)
                kept = _Kept("t" + secrets.token_hex(ID_BYTES), secrets.token_bytes(TOKEN_BYTES))
                secret = secret_of(kept.salt, own)
                await connection.execute(
                    INSERT, digest(secret.encode()), kept.token, maker.player, wanted.name, wanted.scopes,
                    created_at, wanted.game, wanted.seat, wanted.tournament, expires_at, maker.token,
                )  # fmt: skip
                if key is not None:
                    value = msgspec.json.encode(kept)
                    await connection.execute(_CLAIM, CLAIM_SCOPE, maker.player, key.name, key.digest, value)
                row = await connection.fetchrow(_ONE, kept.token, maker.player)
                return Made(_token(row), secret)

    def _expiry(self, wanted: datetime | None, now: datetime, of_maker: datetime | None) -> datetime:
        latest = now + self._longest
        if of_maker is not None:
            latest = min(latest, of_maker)
        if wanted is None:
            return latest
        if not now < wanted <= latest:
            raise ExpiryRefused(latest)
        return wanted.astimezone(UTC)

    async def page(self, player: str, cursor: str | None, limit: int) -> tuple[list[Token], str | None]:
        """The good tokens of a player, newest first, and the cursor of the next page. Raises `CursorUnreadable`."""
        with reached():
            if cursor is None:
                rows = await self._pool.fetch(_LIST, player, limit + 1)
            else:
                rows = await self._pool.fetch(_LIST_AFTER, player, limit + 1, *read_cursor(cursor))
        tokens = [_token(row) for row in rows[:limit]]
        more = len(rows) > limit
        return tokens, write_cursor(tokens[-1].created_at, tokens[-1].id) if more else None

    async def one(self, player: str, token: str) -> Token | None:
        """A token of a player, None where they never had one of this id. Raises `TokenGone`."""
        with reached():
            row = await self._pool.fetchrow(_ONE, token, player)
        if row is not None and not row["good"]:
            raise TokenGone
        return None if row is None else _token(row)

    async def revoke(self, player: str, token: str) -> bool:
        """End a token of a player for good, here at once; whether they have, or had, one of this id."""
        with reached():
            done: str = await self._pool.execute(_REVOKE, token, player)
        self._principals.forget({player})
        return done == "UPDATE 1"

    async def may_delegate(self, player: str, tournament: str) -> bool:
        """Whether a player organises a tournament, and so may let others direct it."""
        with reached():
            return await self._pool.fetchval(_DELEGABLE, tournament, player) is not None


def secret_of(salt: bytes, own: bytes) -> str:
    """A token: who has only one of the two halves, the salt or what the caller sent, cannot make it."""
    return urlsafe_b64encode(hmac.digest(salt, own, "sha256")).decode().rstrip("=")


async def _made(connection: asyncpg.Connection, maker: Principal, key: Key, own: bytes) -> Made | None:
    claim = await connection.fetchrow(_FIRST_ANSWER, CLAIM_SCOPE, maker.player, key.name)
    if claim is None:
        return None
    if claim["digest"] != key.digest:
        raise KeyReused("The key was used for another request.")
    kept = msgspec.json.decode(claim["value"], type=_Kept)
    row = await connection.fetchrow(_ONE, kept.token, maker.player)
    return None if row is None else Made(_token(row), secret_of(kept.salt, own))


def _token(row: Any) -> Token:
    return Token(
        id=row["id"],
        name=row["name"],
        scopes=held(row["scopes"], row["maker"]),
        game=row["game"],
        seat=row["seat"],
        tournament=row["tournament"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
    )
