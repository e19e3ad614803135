"""Whom a token speaks for and what it may do: looked up in Postgres, and kept in memory for a while.

scopes        what a token may do; some bring others along (`FOLLOWING`)
narrowing     one game, one of its seats, or one tournament: beyond it the token may do nothing
Watch         for what lasts longer than a request: whether the token behind it is still good
"""

import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from hashlib import sha256
from types import TracebackType
from typing import Final, Literal, Self, get_args

from msgspec import Struct

from service.store.database import Pool, reached

Scope = Literal["play", "watch", "bot", "tournament", "account", "admin"]
"""`play` acts at tables for the player, `watch` reads what the player may see, `tournament` directs, `account` is for
the person: names, tokens, erasure. No operation needs `bot` or `admin`."""

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
FOLLOWING: Final[Mapping[Scope, frozenset[Scope]]] = {
    "play": frozenset({"watch"}),
    "tournament": frozenset({"watch"}),
    "account": frozenset({"tournament", "watch"}),
}
"""What a scope brings along: who acts may look, and a person directs what they organise."""

FIRST: Final[Scope] = "account"
"""What the first token of a person may do beside the scopes that are stored with it."""

TOKEN_LENGTH_MAX: Final = 128
TOKENS_CACHED_MAX: Final = 100_000
TOKENS_CACHED_SECONDS: Final = 60.0

_CREDENTIAL: Final = """
select t.id, t.player, t.scopes, t.maker, t.game, t.seat, t.tournament,
    extract(epoch from t.expires_at - now())::float8 as seconds_left
from token t join player p on p.id = t.player
where t.hash = $1 and t.revoked_at is null and p.erased_at is null
and (t.expires_at is null or t.expires_at > now())
"""


class Principal(Struct, frozen=True, gc=False):
    """The token, by its id, the player whom it speaks for, and what it may do for them.

    `scopes` has those that follow from others too. At most one of `game` and `tournament` is there, `seat` only with a
    `game`. `good_until` is on the clock of `time.monotonic`, None without an end. `first` is whether it is the one that
    a person was given first.
    """

    token: str
    player: str
    scopes: frozenset[Scope]
    game: str | None = None
    seat: int | None = None
    tournament: str | None = None
    good_until: float | None = None
    first: bool = True

    @property
    def narrowed(self) -> bool:
        """Whether it is good for one game or tournament only."""
        return self.game is not None or self.tournament is not None

    @property
    def named(self) -> str | None:
        """The token as events name it with which something was done; None for the first one of a person."""
        return None if self.first else self.token

    def within(self, game: str | None, tournament: str | None) -> bool:
        """Whether what concerns this game or tournament is what it is narrowed to."""
        return (self.game is None or self.game == game) and (self.tournament is None or self.tournament == tournament)

    def may_direct(self, tournament: str, organiser: str | None = None) -> bool:
        """Whether it may direct a tournament: by being narrowed to it, or as a token of the organiser for everything.

        Where the organiser is named, a token of anybody else may not, whatever it is narrowed to.
        """
        if "tournament" not in self.scopes or organiser not in (None, self.player):
            return False
        return self.tournament == tournament or (organiser is not None and not self.narrowed)


def held(scopes: Iterable[Scope], maker: str | None) -> tuple[Scope, ...]:
    """The scopes of a token as its row has them, in the order of `SCOPES`; one without a maker is a person's first."""
    stored = {*scopes, *(() if maker is not None else (FIRST,))}
    return tuple(scope for scope in SCOPES if scope in stored)


def with_following(scopes: Iterable[Scope]) -> frozenset[Scope]:
    """Scopes and those that they bring along."""
    given = frozenset(scopes)
    return given.union(*(FOLLOWING.get(scope, ()) for scope in given))


def digest(token: bytes) -> bytes:
    """What is stored and looked up in place of a token: comparing digests tells nothing of the token by its time."""
    return sha256(token).digest()


class Principals:
    """Knows tokens. Raises `StoreUnavailable` where the database is gone, or `StoreBusy`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept: OrderedDict[bytes, tuple[float, Principal]] = OrderedDict()
        self._watches: dict[str, set[Watch]] = {}

    def known(self, token: bytes) -> Principal | None:
        """Who a token speaks for, if it was seen a short time ago."""
        entry = self._kept.get(digest(token))
        return entry[1] if entry is not None and entry[0] >= time.monotonic() else None

    async def principal(self, token: bytes) -> Principal | None:
        """Who a token speaks for; None for anything that is not a valid token."""
        if len(token) > TOKEN_LENGTH_MAX:
            return None
        known = self.known(token)
        if known is not None:
            return known
        hashed = digest(token)
        with reached():
            row = await self._pool.fetchrow(_CREDENTIAL, hashed)
        if row is None:
            self._kept.pop(hashed, None)
            return None
        now, left = time.monotonic(), row["seconds_left"]
        principal = Principal(
            token=row["id"],
            player=row["player"],
            scopes=with_following(held(row["scopes"], row["maker"])),
            game=row["game"],
            seat=row["seat"],
            tournament=row["tournament"],
            good_until=None if left is None else now + left,
            first=row["maker"] is None,
        )
        kept_for = TOKENS_CACHED_SECONDS if left is None else min(left, TOKENS_CACHED_SECONDS)
        self._kept[hashed] = (now + kept_for, principal)
        self._kept.move_to_end(hashed)
        if len(self._kept) > TOKENS_CACHED_MAX:
            self._kept.popitem(last=False)
        return principal

    def forget(self, players: set[str]) -> None:
        """Drop the tokens of these players from memory, and let whatever lasts by one of them look again."""
        for hashed in [hashed for hashed, (_, principal) in self._kept.items() if principal.player in players]:
            del self._kept[hashed]
        for player in players & self._watches.keys():
            for watch in self._watches[player]:
                watch.doubt()

    def watch(self, principal: Principal | None, token: bytes | None) -> "Watch":
        """A watch over the token of a request, as a context manager; over none, for who came without."""
        return Watch(self, principal, token)

    def begin(self, watch: "Watch", player: str) -> None:
        self._watches.setdefault(player, set()).add(watch)

    def end(self, watch: "Watch", player: str) -> None:
        watches = self._watches[player]
        watches.discard(watch)
        if not watches:
            del self._watches[player]


class Watch:
    """Whether the token behind something that lasts is still good; a context manager."""

    def __init__(self, principals: Principals, principal: Principal | None, token: bytes | None) -> None:
        self._principals = principals
        self._principal = principal
        self._token = token
        self._doubts = 0
        self._answered = 0

    def __enter__(self) -> Self:
        if self._principal is not None:
            self._principals.begin(self, self._principal.player)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._principal is not None:
            self._principals.end(self, self._principal.player)

    def doubt(self) -> None:
        """Something has changed about the player: the token may be no more."""
        self._doubts += 1

    @property
    def doubted(self) -> bool:
        """Whether `valid` would have to look."""
        if self._principal is None:
            return False
        until = self._principal.good_until
        return self._doubts != self._answered or (until is not None and time.monotonic() >= until)

    async def valid(self) -> bool:
        """Whether the token is still good; always where there is none. Raises `StoreUnavailable`, `StoreBusy`."""
        if self._token is None or not self.doubted:
            return True
        asked = self._doubts
        if await self._principals.principal(self._token) is None:
            return False
        self._answered = asked
        return True
