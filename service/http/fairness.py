"""Beacons brought by players, and what everybody may know of the fairness of all games (fairness document)."""

import time
from datetime import datetime
from typing import Final

from msgspec import Struct

from domain.beacons import Beacon, BeaconShown, ChainHash, Round, Signature, shown
from domain.lobby import check_round
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.state import Table
from domain.waiting import awaited_beacon
from service.before_start import moment
from service.fairness_counters import FairnessCounts
from service.http.access import access
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.problems import Problem
from service.http.tables import Game, find_game, game_reply
from service.offline.beacons import Chain
from service.running import Service


class BeaconBrought(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A round of the beacon that is waited for, as any relay of drand gives it. `chain` may be left out."""

    round: Round
    signature: Signature
    chain: ChainHash | None = None


class ChainOffered(Struct, frozen=True, kw_only=True):
    """A chain of drand that tables may use: one round each `period_seconds`, the first at `genesis_at`."""

    name: str
    chain: str
    scheme: str
    public_key: str
    period_seconds: int
    genesis_at: datetime


class Fairness(Struct, frozen=True, kw_only=True):
    """The public counters, and the beacons that are offered.

    `relay` says whether the service gets rounds itself; otherwise somebody at the table brings them.
    """

    counts: FairnessCounts
    chains: tuple[ChainOffered, ...]
    relay: bool
    beacon_late_seconds: float


async def send_beacon(call: Call) -> Reply:
    """Bring the round that a closed table waits for; it proves itself by its signature."""
    live, allowed = await find_game(call)
    if not allowed.inside:
        raise Problem("not_your_seat", "Only those at the table, and who opened it, can bring its beacon.")
    brought: BeaconBrought = call.body
    service = call.service
    beacon = _awaited(live.state.table)
    found = proved_round(service, beacon, brought)
    new = await service.beacons.keep(found)
    started = await service.beacons.start(live)
    if not (new or started):
        raise already_shown()
    return await game_reply(call, live, access(live, call.principal, None), live.state, 201)


def proved_round(service: Service, beacon: Beacon, brought: BeaconBrought) -> BeaconShown:
    """The round that is waited for, as it was brought and has been verified.

    Raises `LobbyRefused`: `beacon_chain_wrong`, `beacon_round_wrong`; `Problem`: `beacon_unknown`, `beacon_too_early`,
    `beacon_wrong`.
    """
    check_round(beacon, Beacon(brought.chain or beacon.chain, brought.round))
    chain = service.chains.of(beacon.chain)
    if chain is None:
        raise Problem("beacon_unknown", f"The chain {beacon.chain} is not known to this service any more.")
    due_at = moment(chain.due(beacon.round))
    if time.time() < chain.due(beacon.round):
        params = {"due_at": due_at.isoformat()}
        raise Problem("beacon_too_early", f"Round {beacon.round} comes out at {due_at.isoformat()}.", params=params)
    found = shown(beacon, brought.signature)
    if not service.chains.signed(found):
        needed = f"This is not the signature of the chain {chain.name} under round {beacon.round}."
        raise Problem("beacon_wrong", needed, params={"chain": beacon.chain, "round": beacon.round})
    return found


def _awaited(table: Table) -> Beacon:
    """The round that the table waits for. Raises `LobbyRefused`, `Problem`."""
    beacon = awaited_beacon(table)
    if beacon is not None:
        return beacon
    if table.randomness is not None:
        raise already_shown()
    if table.status == "open" or not table.closed_seats:
        raise LobbyRefused(LobbyCode.TABLE_NOT_CLOSED, status=table.status)
    if table.beacon is None:
        raise LobbyRefused(LobbyCode.BEACON_NOT_USED)
    raise LobbyRefused(LobbyCode.GAME_OVER)


def already_shown() -> Problem:
    """The refusal of a round that is known."""
    return Problem("beacon_already_shown", "Somebody has brought this round before.")


async def get_fairness(call: Call) -> Reply:
    service = call.service
    return reply(
        200,
        Fairness(
            counts=await service.fairness_counters.counts(),
            chains=tuple(map(_offered, service.chains.offered)),
            relay=service.settings.beacon_url is not None,
            beacon_late_seconds=service.settings.beacon_late_seconds,
        ),
    )


def _offered(chain: Chain) -> ChainOffered:
    return ChainOffered(
        name=chain.name,
        chain=chain.chain,
        scheme=chain.scheme,
        public_key=chain.public_key,
        period_seconds=chain.period_seconds,
        genesis_at=moment(chain.genesis),
    )


OPERATIONS: Final = (
    Operation(
        id="sendBeacon",
        method="POST",
        path="/v1/games/{game_id}/beacon",
        tag="seats",
        summary="Bring the round of the table's beacon",
        description="Where the service has a relay it gets the round itself; anybody at the table may be quicker. The "
        "first hand is dealt once the round and every nonce are there. Nothing is lost by asking twice: the second "
        "time it is said that the round is known.",
        scope="play",
        body=BeaconBrought,
        body_example={"round": 657413, "signature": "b7" * 48},
        answers=(
            AnswerKind(
                status=201,
                description="The round is kept, and the game has begun unless nonces are awaited.",
                kind=Game,
                headers=("ETag",),
            ),
        ),
        problems=(
            "game_not_found", "not_your_seat", "table_not_closed", "game_over", "beacon_not_used",
            "beacon_chain_wrong", "beacon_round_wrong", "beacon_too_early", "beacon_wrong", "beacon_already_shown",
            "beacon_unknown", "busy",
        ),
        run=send_beacon,
    ),
    Operation(
        id="getFairness",
        method="GET",
        path="/v1/fairness",
        tag="records",
        summary="How many games were revealed, and how many were not",
        description="Counted from the events of all games but practice games; `counts.unrevealed` is to be 0 always.",
        credential="none",
        answers=(AnswerKind(status=200, description="The counters and the beacons.", kind=Fairness),),
        problems=("busy",),
        run=get_fairness,
    ),
)  # fmt: skip
