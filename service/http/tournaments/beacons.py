"""The beacon of a tournament's boards, brought by whoever has its round: it proves itself by its signature."""

from typing import Final

import msgspec
from msgspec.structs import asdict

from domain.beacons import Beacon
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.tournaments.before_start import wants_beacon
from domain.tournaments.events import BeaconShown
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Tournament
from service.http.fairness import BeaconBrought, already_shown, proved_round
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.tables import etag
from service.http.tournaments.shown import find
from service.http.tournaments.view import TournamentShown, show
from service.tournaments.beacons import showing
from service.tournaments.commands import TournamentCommand


async def send_beacon(call: Call) -> Reply:
    """Bring the round that the boards wait for."""
    live = await find(call)
    found = proved_round(call.service, _awaited(live.state), call.body)
    await call.service.beacons.keep(found)
    decide = showing(BeaconShown(beacon=asdict(found)))
    done = await call.service.tournaments.perform(live, TournamentCommand(actor=call.caller.player, decide=decide))
    if not done.first_version:
        raise already_shown()
    return reply(201, await show(call, done.state), etag(done.state.version))


def _awaited(state: Tournament) -> Beacon:
    """The round that the boards wait for. Raises `LobbyRefused`, `TournamentRefused`, `Problem`."""
    if wants_beacon(state) == "shown":
        return msgspec.convert(state.beacon, Beacon)
    if state.beacon_shown is not None:
        raise already_shown()
    if state.terms.boards is None or not state.terms.boards.beacon:
        raise LobbyRefused(LobbyCode.BEACON_NOT_USED)
    raise TournamentRefused(TournamentCode.WRONG_STATUS, status=state.status, needed="a round fixed for the boards")


OPERATIONS: Final = (
    Operation(
        id="sendTournamentBeacon",
        method="POST",
        path="/v1/tournaments/{tournament_id}/beacon",
        tag="tournaments",
        summary="Bring the round of the beacon that the boards depend on",
        description="Where the service has a relay it gets the round itself; anybody may be quicker. Which round it is "
        "stands in `boards.beacon` of the tournament, and when it comes out in `boards.beacon_due_at`.",
        scope="watch",
        body=BeaconBrought,
        body_example={"round": 657413, "signature": "b7" * 48},
        answers=(AnswerKind(status=201, description="The tournament.", kind=TournamentShown, headers=("ETag",)),),
        problems=(
            "tournament_not_found", "tournament_wrong_status", "beacon_not_used", "beacon_chain_wrong",
            "beacon_round_wrong", "beacon_too_early", "beacon_wrong", "beacon_already_shown", "beacon_unknown", "busy",
        ),
        run=send_beacon,
    ),
)  # fmt: skip
