"""Players and their bearer tokens, in Postgres; what they say and how players are called is kept in memory for a while.

All that is personal is here: events name players by ids that are drawn at random, so whoever is erased here is erased.
"""

import hmac
import secrets
import time
from base64 import urlsafe_b64encode
from collections import OrderedDict
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, Self

from msgspec import Struct

from service.store.database import Pool, reached

TOKEN_BYTES: Final = 32
TOKEN_LENGTH_MAX: Final = 128
ID_BYTES: Final = 10
ERASED_NAME: Final = "erased player"
"""For a person who has been erased, wherever some name must stand."""

GUEST_SCOPES: Final = ("play", "watch")
TOKENS_CACHED_MAX: Final = 100_000
TOKENS_CACHED_SECONDS: Final = 60.0
NAMES_CACHED_MAX: Final = 100_000
NAMES_CACHED_SECONDS: Final = 60.0
INSERTED: Final = "INSERT 0 1"
"""The database's answer where the row was new."""
UPDATED: Final = "UPDATE 1"
"""The database's answer where the row was there."""

_NEW_PLAYER: Final = """
insert into player (id, name, kind, created_at) values ($1, $2, $3, $4) on conflict do nothing
"""
_NEW_CREDENTIAL: Final = """
insert into token (hash, id, player, name, scopes, created_at) values ($1, $2, $3, $4, $5, $6)
"""
_CREDENTIAL: Final = """
select t.id, t.player from token t join player p on p.id = t.player
where t.hash = $1 and t.revoked_at is null and p.erased_at is null
and (t.expires_at is null or t.expires_at > now())
"""
_PLAYER: Final = "select id, name, kind, created_at from player where id = $1"
_NAMES: Final = "select id, name from player where id = any($1::text[])"
_RENAME: Final = "update player set name = $2, changed_at = now() where id = $1 and erased_at is null"
_ERASE: Final = """
update player set name = null, erased_at = now(), created_at = now(), changed_at = now(), leaving = true
where id = $1 and erased_at is null
"""
_ERASE_BESIDE: Final = (
    "delete from token where player = $1",
    "delete from claim where actor = $1",
    # It holds the half of the token that is not the caller's, and the digest of a request with the name in it.
    """
    delete from claim
    where scope = 'createPlayer' and substring(encode(value, 'escape') from '"player":"([^"]+)"') = $1
    """,
    "update seat set kind = 'open', player = null where player = $1 and kind = 'invited'",
)


class Principal(Struct, frozen=True, gc=False):
    """The token, by its id, and the player whom it speaks for."""

    token: str
    player: str


class Player(Struct, frozen=True, kw_only=True):
    """A person or a program that may sit at tables. `name` is null once the person has been erased."""

    id: str
    name: str | None
    kind: str
    created_at: datetime


class Birth(Struct, frozen=True):
    """What is settled of a guest before the rows are made. `salt` and the caller's secret make the token."""

    player: str
    token: str
    salt: bytes
    created_at: datetime

    @classmethod
    def now(cls) -> Self:
        """A new one, all of it drawn at random."""
        return cls(
            player="p" + secrets.token_hex(ID_BYTES),
            token="t" + secrets.token_hex(ID_BYTES),
            salt=secrets.token_bytes(TOKEN_BYTES),
            created_at=datetime.now(UTC),
        )

    def secret(self, own: bytes) -> str:
        """The token: who has only one of the two halves, the salt or what the caller sent, cannot make it."""
        return urlsafe_b64encode(hmac.digest(self.salt, own, "sha256")).decode().rstrip("=")


class Players:
    """Makes guests, knows tokens and names. Raises `StoreUnavailable` where the database is gone, or `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._principals: OrderedDict[bytes, tuple[float, Principal]] = OrderedDict()
        self._names: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def create_guest(self, name: str, birth: Birth, own: bytes) -> tuple[Player, str]:
        """A new guest and the token that speaks for them; the same ones for the same birth.

        `own` is the caller's half of the secret, or nothing where they did not bring one.
        """
        player = Player(id=birth.player, name=name, kind="guest", created_at=birth.created_at)
        token = birth.secret(own)
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                made: str = await connection.execute(
                    _NEW_PLAYER, player.id, player.name, player.kind, player.created_at
                )
                if made == INSERTED:
                    await connection.execute(
                        _NEW_CREDENTIAL, _digest(token.encode()), birth.token, player.id, "guest", GUEST_SCOPES,
                        player.created_at,
                    )  # fmt: skip
        return player, token

    def known(self, token: bytes) -> Principal | None:
        """Who a token speaks for, if it was seen a short time ago."""
        entry = self._principals.get(_digest(token))
        return entry[1] if entry is not None and entry[0] >= time.monotonic() else None

    async def principal(self, token: bytes) -> Principal | None:
        """Who a token speaks for; None for anything that is not a valid token."""
        if len(token) > TOKEN_LENGTH_MAX:
            return None
        known = self.known(token)
        if known is not None:
            return known
        digest = _digest(token)
        with reached():
            row = await self._pool.fetchrow(_CREDENTIAL, digest)
        if row is None:
            self._principals.pop(digest, None)
            return None
        principal = Principal(row["id"], row["player"])
        self._principals[digest] = (time.monotonic() + TOKENS_CACHED_SECONDS, principal)
        self._principals.move_to_end(digest)
        if len(self._principals) > TOKENS_CACHED_MAX:
            self._principals.popitem(last=False)
        return principal

    async def player(self, player_id: str) -> Player | None:
        """The player of this id."""
        with reached():
            row = await self._pool.fetchrow(_PLAYER, player_id)
        return None if row is None else Player(**row)

    async def names(self, ids: set[str]) -> dict[str, str]:
        """The names of players, of those that have one."""
        now = time.monotonic()
        entries = ((player, self._names.get(player)) for player in ids)
        known = {player: entry[1] for player, entry in entries if entry is not None and entry[0] >= now}
        unknown = ids - known.keys()
        if unknown:
            with reached():
                rows: list[Any] = await self._pool.fetch(_NAMES, list(unknown))
            found = {row["id"]: row["name"] for row in rows if row["name"] is not None}
            known |= found
            for player, name in found.items():
                self._names[player] = (now + NAMES_CACHED_SECONDS, name)
                self._names.move_to_end(player)
            while len(self._names) > NAMES_CACHED_MAX:
                self._names.popitem(last=False)
        return known

    async def rename(self, player_id: str, name: str) -> bool:
        """Call a player so from now on; False where there is none of this id, or no more."""
        with reached():
            done: str = await self._pool.execute(_RENAME, player_id, name)
        self._names.pop(player_id, None)
        return done == UPDATED

    async def erase(self, player_id: str) -> bool:
        """Erase the person behind an id, for good; False where there is none, or no more.

        Gone with the commit are the name, every token, what was kept of requests that made something, and the seats
        that were kept for them; `service.erasure` leaves the seats that they hold. What stays is the id, which stands
        in events, and when it was erased.
        """
        with reached():
            async with self._pool.acquire() as connection, connection.transaction():
                done: str = await connection.execute(_ERASE, player_id)
                if done != UPDATED:
                    return False
                for statement in _ERASE_BESIDE:
                    await connection.execute(statement, player_id)
        self.forget({player_id})
        return True

    def forget(self, ids: set[str]) -> None:
        """Drop what is in memory of these players: it is read anew, if it is still there."""
        for player in ids:
            self._names.pop(player, None)
        tokens = [digest for digest, (_, principal) in self._principals.items() if principal.player in ids]
        for digest in tokens:
            del self._principals[digest]


def _digest(token: bytes) -> bytes:
    """What is stored and looked up in place of a token: comparing digests tells nothing of the token by its time."""
    return sha256(token).digest()
