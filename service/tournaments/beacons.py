"""The beacon of a tournament's boards: its round is fixed once the entries are closed, and shown when it has come out.

Until then nobody can know the boards, whoever keeps the master (fairness, 3).
"""

from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec.structs import asdict

from domain.beacons import Beacon
from domain.tournaments.before_start import wants_beacon
from domain.tournaments.events import AnyTournamentEvent, BeaconFixed, BeaconShown
from domain.tournaments.given import Draw
from domain.tournaments.numbering import SERVICE, numbered
from domain.tournaments.state import Tournament
from service.beacons import Beacons
from service.before_start import moment
from service.offline.beacons import Chain, Chains
from service.tournaments.commands import Decide

LOOK_SECONDS: Final = 2.0
"""How long after a round was looked for in vain it is looked for again, at first."""

LATE_SECONDS_MAX: Final = 60.0
"""How long at most; the later a round is, the more rarely it is looked for."""

LATE_PART: Final = 10
"""Which part of its lateness is waited for."""


class BoardBeacons:
    """Beacons for tournaments. Everything may raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, chains: Chains, beacons: Beacons) -> None:
        self._chains = chains
        self._beacons = beacons

    async def next(self, state: Tournament) -> Decide | None:
        """What is to be decided about the beacon now; None where nothing is, or its round is still to come."""
        wanted = wants_beacon(state)
        if wanted == "fixed":
            chain = next(iter(self._chains.offered), None)
            return None if chain is None else fixing(chain)
        if wanted == "shown":
            found = await self._beacons.find(msgspec.convert(state.beacon, Beacon))
            return None if found is None else showing(BeaconShown(beacon=asdict(found)))
        return None

    def look_at(self, state: Tournament) -> datetime | None:
        """When the round that a tournament waits for is to be looked for; None where it waits for none."""
        due_at = beacon_due(self._chains, state)
        if due_at is None or wants_beacon(state) != "shown":
            return None
        now = datetime.now(UTC)
        if due_at > now:
            return due_at
        late = (now - due_at).total_seconds() / LATE_PART
        return now + timedelta(seconds=min(max(late, LOOK_SECONDS), LATE_SECONDS_MAX))


def beacon_due(chains: Chains, state: Tournament) -> datetime | None:
    """When the round that was fixed comes out; None where none was, or its chain is not known any more."""
    if state.beacon is None:
        return None
    beacon = msgspec.convert(state.beacon, Beacon)
    chain = chains.of(beacon.chain)
    return None if chain is None else moment(chain.due(beacon.round))


def fixing(chain: Chain) -> Decide:
    """The decision to fix the round, counted from the moment of the append itself, where none is fixed yet."""

    def decide(state: Tournament, now: datetime, _draw: Draw) -> list[AnyTournamentEvent]:
        fixed = BeaconFixed(beacon=asdict(chain.fixed_at(now.timestamp())))
        return numbered(state, SERVICE, [fixed]) if wants_beacon(state) == "fixed" else []

    return decide


def showing(shown: BeaconShown) -> Decide:
    """The decision to append the round that has come out to a state that still waits for it."""

    def decide(state: Tournament, _now: datetime, _draw: Draw) -> list[AnyTournamentEvent]:
        return numbered(state, SERVICE, [shown]) if wants_beacon(state) == "shown" else []

    return decide
