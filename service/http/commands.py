"""Commands of a request: its idempotency key, the version it names, and the digest of what it asks."""

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final

from domain.lobby_refusals import LobbyRefused
from domain.refusals import Refusal
from domain.state import State
from service.commands import Command, Decided, Denied, StaleVersion
from service.http.access import Access
from service.http.operations import Call
from service.http.problems import Problem
from service.store.append import Write
from service.visible import knows_version

COMMAND_HEADERS: Final = ("If-Match", "Idempotency-Key")
COMMAND_PROBLEMS: Final = ("game_not_found", "stale_version", "idempotency_key_reused", "busy")

NO_VERSION: Final = -1
"""No game is ever at it."""

Decide = Callable[[State], Decided | Refusal]
Rights = Callable[[], Access]
"""What the caller is to the game now; raises what those hear who may not ask for this at all."""


def command(
    call: Call,
    operation: str,
    decide: Decide,
    rights: Rights,
    *,
    expected: int | None = None,
    prepare: Callable[[State], Awaitable[None]] | None = None,
    writes: tuple[Write, ...] = (),
) -> Command:
    """The command of a request, its version from `If-Match` or else from the body."""
    key = call.key
    return Command(
        actor=call.caller.player,
        decide=decide,
        prepare=prepare,
        key=key,
        digest=None if key is None else digest(operation, call.raw, call.expected),
        expected=expected_version(call, expected),
        outdated=lambda state: outdated(state, decide, rights),
        writes=writes,
    )


def expected_version(call: Call, in_body: int | None) -> int | None:
    """The version that the caller has seen, from `If-Match` or the body; of two that differ one at least is stale."""
    if call.expected is None:
        return in_body
    return call.expected if in_body in (None, call.expected) else NO_VERSION


def outdated(state: State, decide: Decide, rights: Rights) -> Exception:
    """What the caller hears of a version that is not the present one, which only those are told who may see it.

    Who may not hears first what would be refused at any version, so that no guess can tell which one it is.
    """
    try:
        found = rights()
        if found.seat is not None or knows_version(state, found.viewer):
            return StaleVersion(state.version)
        decide(state)
    except (Denied, LobbyRefused) as trouble:
        return trouble
    return Problem("stale_version", "The game has moved on: look again before you go on.")


def digest(operation: str, body: bytes, expected: int | None = None) -> str:
    """What tells two requests with one key apart: the operation, the version of `If-Match`, the bytes of the body."""
    version = "" if expected is None else str(expected)
    return sha256(f"{operation}\n{version}\n".encode() + body).hexdigest()
