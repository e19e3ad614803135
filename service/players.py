"""Players and their first tokens, in Postgres; how players are called is kept in memory for a while.

All that is personal is here: events name players by ids that are drawn at random, so whoever is erased here is erased.
"""

import secrets
import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Any, Final, Self

from msgspec import Struct

from service.principals import Principals, digest
from service.store.database import Pool, reached
from service.tokens import ID_BYTES, INSERT, TOKEN_BYTES, secret_of

ERASED_NAME: Final = "erased player"
"""For a person who has been erased, wherever some name must stand."""

GUEST_SCOPES: Final = ("play", "watch")
NAMES_CACHED_MAX: Final = 100_000
NAMES_CACHED_SECONDS: Final = 60.0
INSERTED: Final = "INSERT 0 1"
"""The database's answer where the row was new."""
UPDATED: Final = "UPDATE 1"
"""The database's answer where the row was there."""

_NEW_PLAYER: Final = """
insert into player (id, name, kind, created_at) values ($1, $2, $3, $4) on conflict do nothing
"""
_PLAYER: Final = "select id, name, kind, created_at from player where id = $1"
_NAMES: Final = "select id, name from player where id = any($1::text[])"
_RENAME: Final = "update player set name = $2, changed_at = now() where id = $1 and erased_at is null"
_ERASE: Final = """
update player set name = null, erased_at = now(), created_at = now(), changed_at = now(), leaving = true
where id = $1 and erased_at is null
"""
_DIRECTED: Final = """
select id from tournament where organiser = $1 and status not in ('finished', 'cancelled')
and exists (select from event where stream = tournament.id and actor = $1)
order by created_at limit 100
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
    "update tournament_text set body = null, key = null where author = $1 and kind = 'name' and body is not null",
)


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
        """The token that the guest is known by."""
        return secret_of(self.salt, own)


class Players:
    """Makes guests, knows names. Raises `StoreUnavailable` where the database is gone, or `StoreBusy`."""

    def __init__(self, pool: Pool, principals: Principals) -> None:
        self._pool = pool
        self._principals = principals
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
                        INSERT, digest(token.encode()), birth.token, player.id, "guest", GUEST_SCOPES,
                        player.created_at, None, None, None, None, None,
                    )  # fmt: skip
        return player, token

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

    async def directs(self, player_id: str) -> list[str]:
        """The tournaments that are not over and have this organiser, the oldest first, 100 at most.

        Those that were handed over to them, and in which they have done nothing yet, are not theirs to answer for.
        """
        with reached():
            rows = await self._pool.fetch(_DIRECTED, player_id)
        return [row["id"] for row in rows]

    async def erase(self, player_id: str) -> bool:
        """Erase the person behind an id, for good; False where there is none, or no more.

        Gone with the commit are the name, every token, what was kept of requests that made something, the names that
        they gave entrants of tournaments, and the seats that were kept for them; `service.erasure` leaves the seats
        that they hold, and their tournaments. What stays is the id, which stands in events, and when it was erased;
        and what they wrote as directors, which belongs to the tournament.
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
        self._principals.forget(ids)
