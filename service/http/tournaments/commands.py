"""Commands of requests to a tournament: the idempotency key, the version that is named, the digest of what is asked."""

from typing import Final

from service.commands import StaleVersion
from service.http.commands import COMMAND_HEADERS, digest
from service.http.operations import Call
from service.store.append import Write
from service.tournaments.commands import Decide, TournamentCommand, TournamentDone
from service.tournaments.live import LiveTournament

HEADERS: Final = COMMAND_HEADERS
PROBLEMS: Final = ("tournament_not_found", "tournament_wrong_status", "stale_version", "idempotency_key_reused", "busy")
"""What every command may be refused with."""


def check_expected(call: Call, live: LiveTournament) -> None:
    """What is only looked at is looked at on the version that is named, too. Raises `StaleVersion`."""
    if call.expected not in (None, live.state.version):
        raise StaleVersion(live.state.version)


async def perform(
    call: Call, live: LiveTournament, operation: str, decide: Decide, writes: tuple[Write, ...] = ()
) -> TournamentDone:
    """Do what a request asks for; with an Idempotency-Key once only.

    Raises `TournamentRefused`, `StaleVersion`, `KeyConflict`, `GameContended`, `TournamentTooLarge`.
    """
    asked = "\n".join((operation, *sorted(call.path.values())))
    command = TournamentCommand(
        actor=call.caller.player,
        decide=decide,
        token=call.caller.named,
        key=call.key,
        digest=None if call.key is None else digest(asked, call.raw, call.expected),
        expected=call.expected,
        writes=writes,
    )
    return await call.service.tournaments.perform(live, command)
