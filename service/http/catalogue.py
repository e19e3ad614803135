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
    ratings,
    records,
    replays,
    rulesets,
    seats,
    starting,
    streams,
    tokens,
    verifications,
    verifier,
)
from service.http.operations import Operation
from service.http.tournaments import act_log as tournament_acts
from service.http.tournaments import (
    acting,
    announcing,
    boards,
    entrants,
    exports,
    file_imports,
    imports,
    ladder,
    list_page,
    own_acts,
    pages,
    rounds,
    standings,
)
from service.http.tournaments import beacons as tournament_beacons
from service.http.tournaments import calendar as tournament_calendar
from service.http.tournaments import history as tournament_history
from service.http.tournaments import proofs as tournament_proofs
from service.http.tournaments import streams as tournament_streams

OPERATIONS: Final[tuple[Operation, ...]] = (
    *players.OPERATIONS,
    *tokens.OPERATIONS,
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
    *ratings.OPERATIONS,
    *announcing.OPERATIONS,
    *entrants.OPERATIONS,
    *own_acts.OPERATIONS,
    *ladder.OPERATIONS,
    *acting.OPERATIONS,
    *tournament_acts.OPERATIONS,
    *rounds.OPERATIONS,
    *standings.OPERATIONS,
    *boards.OPERATIONS,
    *tournament_beacons.OPERATIONS,
    *tournament_history.OPERATIONS,
    *tournament_proofs.OPERATIONS,
    *tournament_streams.OPERATIONS,
    *tournament_calendar.OPERATIONS,
    *list_page.OPERATIONS,
    *pages.OPERATIONS,
    *exports.OPERATIONS,
    *imports.OPERATIONS,
    *file_imports.OPERATIONS,
    *health.OPERATIONS,
    *describing.OPERATIONS,
)
