"""What stands beside a game's events and must agree with them: its row, its seats, the master of its deals."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from domain.boards import is_on_boards
from domain.fairness import check_commitment
from domain.state import State
from service.audit.findings import Finding, FindingCode
from service.audit.play import Standing

GRACE: Final = timedelta(hours=1)
"""How long the reveal may take after a seal has ended or boards were opened: what is due waits while nothing runs."""

YEAR_WITHOUT_END: Final = 9999
"""A seal without an end of its own stands at the last moment there is."""


class GameRow(Struct, frozen=True):
    """The row of a game, and if it is on boards its tournament with their commitment and when they were opened."""

    id: str
    status: str
    ruleset: str
    players: int
    practice: bool
    version: int
    turn: int | None
    finished_at: datetime | None
    sealed_until: datetime | None
    tournament: str | None = None
    board_commitment: str | None = None
    boards_opened_at: datetime | None = None


class SeatRow(Struct, frozen=True):
    """The row of a seat."""

    seat: int
    kind: str
    player: str | None
    level: str | None


class TournamentRow(Struct, frozen=True):
    """The row of a tournament."""

    id: str
    status: str
    version: int
    organiser: str


class Beside(Struct, frozen=True):
    """Everything that is kept beside the events of a game or a tournament; None for what is missing.

    `boards` is the commitment of a tournament's boards.
    """

    row: GameRow | None = None
    seats: Sequence[SeatRow] = ()
    master: bytes | None = None
    tournament: TournamentRow | None = None
    boards: str | None = None


def disagreements(game: str, state: State, standing: Standing, beside: Beside, at: datetime) -> Iterator[Finding]:
    """Where the state after all events and what is kept beside it are not the same; `at` is the time of the look."""

    def found(code: FindingCode, message: str) -> Finding:
        return Finding(code, message, game=game)

    row = beside.row
    if row is None:
        yield found(FindingCode.GAME_MISSING, f"There are {state.version} events, and no row of the game.")
    else:
        yield from (found(FindingCode.GAME_STATUS_WRONG, why) for why in _status_faults(row, standing))
        yield from (
            found(FindingCode.GAME_FACTS_WRONG, why) for why in (*_fact_faults(row, state), *_places(row, state))
        )
    yield from (found(FindingCode.SEAT_WRONG, why) for why in _seat_faults(state, beside.seats))
    yield from (found(code, why) for code, why in _secret_faults(state, beside.master))
    if _keeps_back(state) and not _is_kept_back(row, state, at):
        yield found(FindingCode.NOT_REVEALED, "The game has ended, and its master is not revealed.")


def _status_faults(row: GameRow, standing: Standing) -> Iterator[str]:
    if row.status != standing.status:
        yield f"The status is {row.status!r}, and by the events {standing.status!r}."
    if row.turn != standing.turn:
        yield f"The seat to act is {row.turn}, and by the events {standing.turn}."
    ended = standing.status == "ended"
    if (row.finished_at is not None) != ended:
        yield f"`finished_at` is {'missing' if ended else 'set'}, and the game is {standing.status}."


def _fact_faults(row: GameRow, state: State) -> Iterator[str]:
    rules = state.table.rules
    if row.ruleset != rules.ruleset.name:
        yield f"The rule set is {row.ruleset!r}, and by the first event {rules.ruleset.name!r}."
    if row.players != rules.players:
        yield f"There are {row.players} seats, and by the first event {rules.players}."
    if row.practice != (state.table.origin is not None):
        yield f"`practice` is {row.practice}, which is not what the first event says."


def _places(row: GameRow, state: State) -> Iterator[str]:
    """What is wrong with the tournament of a game on boards. One that is revealed needs none any more."""
    table = state.table
    terms = table.fairness if is_on_boards(table) and table.fairness is not None else {}
    tournament = terms.get("tournament")
    if row.tournament != tournament and (row.tournament is not None or not table.revealed):
        yield f"It is kept among the boards of {row.tournament}, and by the first event on those of {tournament}."
    elif row.tournament is not None and row.board_commitment != terms.get("commitment"):
        yield f"Its commitment is not the one of the boards of {tournament}."


def _seat_faults(state: State, seats: Sequence[SeatRow]) -> Iterator[str]:
    rows: Mapping[int, SeatRow] = {row.seat: row for row in seats}
    for seat, occupant in enumerate(state.table.seats):
        row = rows.get(seat)
        if row is None:
            yield f"Seat {seat} has no row."
        elif occupant is None:
            if row.kind not in ("open", "invited") or (row.kind == "invited") != (row.player is not None):
                yield f"Seat {seat} is {row.kind!r} for {row.player!r}, and by the events free."
        elif (row.kind, row.player, row.level) != (occupant.kind, occupant.player, occupant.bot):
            yield f"Seat {seat} is {row.kind!r} for {row.player!r}, and by the events {occupant.player!r} holds it."
    strange = sorted(rows.keys() - range(len(state.table.seats)))
    if strange:
        yield f"There is no seat {strange[0]} at this table."


def _secret_faults(state: State, master: bytes | None) -> Iterator[tuple[FindingCode, str]]:
    fairness = state.table.fairness
    # That of boards is kept with the tournament.
    kept = fairness is not None and not is_on_boards(state.table)
    needed = kept and not state.table.revealed
    if master is None:
        if needed:
            yield FindingCode.MASTER_MISSING, "The master of the deals is not kept, and not revealed."
    elif not needed:
        yield FindingCode.MASTER_LEFT, "A master is kept that is needed no more."
    elif fairness is not None and not check_commitment(str(fairness.get("commitment")), master):
        yield FindingCode.MASTER_WRONG, "The master that is kept is not the one committed to."


def _keeps_back(state: State) -> bool:
    table = state.table
    return table.status == "ended" and table.fairness is not None and not table.revealed


def _is_kept_back(row: GameRow | None, state: State, at: datetime) -> bool:
    """Whether a game that has ended may be unrevealed still: its boards are closed, or its seal has not ended."""
    if row is None:
        return False
    if is_on_boards(state.table):
        return row.boards_opened_at is None or row.boards_opened_at + GRACE > at
    until = row.sealed_until
    return until is not None and (until.year >= YEAR_WITHOUT_END or until.astimezone(UTC) + GRACE > at)
