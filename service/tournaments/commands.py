"""Commands to a tournament: what is to happen, what it comes to, and what it is denied for."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from msgspec import Struct

from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.given import Draw
from domain.tournaments.state import Tournament
from service.commands import Denied
from service.store.append import Write
from service.store.errors import StoreError

Decide = Callable[[Tournament, datetime, Draw], list[AnyTournamentEvent]]
"""What follows on a state at a time; nothing where nothing is to be done. Raises `TournamentRefused`, `Denied`."""


class TournamentUnknown(Denied):
    """There is no tournament with this id."""


class VersionNotReached(StoreError):
    """A tournament has not come to this version, as far as the store tells: who asked named one that there is not."""

    def __init__(self, tournament: str, version: int) -> None:
        super().__init__(f"{tournament} has not come to version {version}.")
        self.tournament = tournament
        self.version = version


class TournamentTooLarge(Denied):
    """One command would have more events, or more bytes of them, than one append takes (`service.store.append`)."""

    def __init__(self, limit: Literal["events", "bytes"], most: int) -> None:
        super().__init__(limit, most)
        self.limit = limit
        self.most = most


class TournamentCommand(Struct, frozen=True, kw_only=True):
    """Something that is to happen in a tournament.

    `decide` is asked anew for each state. `key` and `digest` make a command that is repeated have its first answer.
    `expected` is the version that the caller has seen, None where any will do. `token` is the id of a token that is not
    the person's first one.
    """

    actor: str
    decide: Decide
    token: str | None = None
    key: str | None = None
    digest: str | None = None
    expected: int | None = None
    writes: tuple[Write, ...] = ()


class TournamentDone(Struct, frozen=True):
    """What a command has come to: the version of its first event, 0 where it had none, and the state after it."""

    first_version: int
    state: Tournament
    replayed: bool = False
