"""Commands: what is to happen in a game, what it comes to, and what it is denied for."""

from collections.abc import Awaitable, Callable

from msgspec import Struct

from domain.events import AnyEvent
from domain.refusals import Refusal
from domain.state import State
from service.store.append import Write


class Denied(Exception):
    """A request that cannot be served, told to the caller; a command's decision may raise it."""


class GameUnknown(Denied):
    """There is no game with this id."""


class StaleVersion(Denied):
    """The caller named a version at which the game no longer is; `current` is the present one."""

    def __init__(self, current: int) -> None:
        super().__init__(current)
        self.current = current


class MoveRefused(Denied):
    """The rules refuse it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class KeyConflict(Denied):
    """The idempotency key came with another request before."""


class GameContended(Denied):
    """Others were quicker every time."""


Decided = tuple[list[AnyEvent], State]


def moved_on(state: State) -> Exception:
    """What is told, unless a command says otherwise, to who named a version that is not the present one."""
    return StaleVersion(state.version)


class Command(Struct, frozen=True, kw_only=True):
    """Something that is to happen in a game.

    `decide` gives the events and the state after them, or a refusal, or raises `Denied` or `LobbyRefused`; it is asked
    anew for each state. `prepare` reads what the decision needs beside the state; what it reads belongs to that state
    or to a later one, and in the latter case the append finds the game moved on.
    `expected` is the version that the caller has seen, None where any will do; `outdated` gives what the caller hears
    where the game is at another one.
    """

    actor: str
    decide: Callable[[State], Decided | Refusal]
    prepare: Callable[[State], Awaitable[None]] | None = None
    key: str | None = None
    digest: str | None = None
    expected: int | None = None
    outdated: Callable[[State], Exception] = moved_on
    writes: tuple[Write, ...] = ()


class Done(Struct, frozen=True):
    """What a command has come to: the versions of its events and the state after them."""

    first_version: int
    state: State
    replayed: bool = False
