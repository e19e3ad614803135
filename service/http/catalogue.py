"""Every operation of the service, in the order in which the description lists them."""

from typing import Final

from service.http import (
    creating,
    describing,
    games,
    health,
    history,
    moves,
    players,
    records,
    rulesets,
    seats,
    starting,
    streams,
    verifications,
)
from service.http.operations import Operation

OPERATIONS: Final[tuple[Operation, ...]] = (
    *players.OPERATIONS,
    *rulesets.OPERATIONS,
    *creating.OPERATIONS,
    *games.OPERATIONS,
    *seats.OPERATIONS,
    *starting.OPERATIONS,
    *moves.OPERATIONS,
    *history.OPERATIONS,
    *streams.OPERATIONS,
    *records.OPERATIONS,
    *verifications.OPERATIONS,
    *health.OPERATIONS,
    *describing.OPERATIONS,
)
