"""Commands of a request: its idempotency key, the version it names, and the digest of what it asks."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from domain.refusals import Refusal
from domain.state import State
from service.commands import Command, Decided
from service.http.operations import Call

COMMAND_HEADERS: Final = ("If-Match", "Idempotency-Key")
COMMAND_PROBLEMS: Final = ("game_not_found", "stale_version", "idempotency_key_reused", "busy")


def command(
    call: Call, operation: str, decide: Callable[[State], Decided | Refusal], expected: int | None = None
) -> Command:
    """The command of a request, its version from the body or from `If-Match`."""
    key = call.key
    return Command(
        actor=call.caller.player,
        decide=decide,
        key=key,
        digest=None if key is None else digest(operation, call.raw),
        expected=expected if call.expected is None else call.expected,
    )


def digest(operation: str, body: bytes) -> str:
    """What tells two requests with one key apart: the operation and the bytes of the body."""
    return sha256(operation.encode() + b"\n" + body).hexdigest()
