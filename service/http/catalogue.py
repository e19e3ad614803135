"""Every operation of the service, in the order in which the description lists them."""

from typing import Final

from service.http import (
    creating,
    describing,
    fairness,
    forks,
    games,
    health,
    history,
    log,
    log_proofs,
    moves,
    players,
    records,
    replays,
    rulesets,
    seats,
    starting,
    streams,
    verifications,
    verifier,
)
from service.http.operations import Operation

OPERATIONS: Final[tuple[Operation, ...]] = (
    *players.OPERATIONS,
    *rulesets.OPERATIONS,
    *creating.OPERATIONS,
    *games.OPERATIONS,
    *seats.OPERATIONS,
    *starting.OPERATIONS,
    *fairness.OPERATIONS,
    *moves.OPERATIONS,
    *history.OPERATIONS,
    *streams.OPERATIONS,
    *records.OPERATIONS,
    *replays.OPERATIONS,
    *forks.OPERATIONS,
    *verifications.OPERATIONS,
    *verifier.OPERATIONS,
    *log.OPERATIONS,
    *log_proofs.OPERATIONS,
    *health.OPERATIONS,
    *describing.OPERATIONS,
)
