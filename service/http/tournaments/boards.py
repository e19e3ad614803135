"""Duplicate boards: what every table made of a board, once all of them have played it."""

from typing import Final, Literal

from msgspec import Struct

from domain.standings.boards import Share
from domain.tournaments.board_results import Board, BoardTable, Unit, boards_told, boards_used
from domain.tournaments.games import game_id
from domain.tournaments.state import Tournament
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.parameters import if_none_match
from service.http.problems import Problem
from service.http.tables import etag
from service.http.tournaments.rounds import number_in
from service.http.tournaments.shown import AsOfQuery, find_at, names_of
from service.tournaments.tournaments import worked_out

BoardStatus = Literal["sealed", "told"]


class BoardListed(Struct, frozen=True, kw_only=True):
    """A board: `sealed` until all tables have played it, and nothing is known of it so long. `results` counts tables
    where it was played to a result."""

    board: int
    status: BoardStatus
    stage: int | None
    results: int | None


class BoardList(Struct, frozen=True, kw_only=True):
    """All boards that are committed to, by number."""

    version: int
    boards: tuple[BoardListed, ...]


class BoardTableShown(Struct, frozen=True, kw_only=True):
    """A board at one table. `game` is where it was played; its record is public as soon as it is revealed.

    points     of both sides, North-South first; null where there is no result that counts
    margin     North-South's points less East-West's
    adjusted   where a ruling or a lost game stands in the place of the result, what either side is given:
               `plus`, `even` or `minus`
    score      in the unit of the board, in hundredths, North-South first; null where nothing is compared
    """

    match: str
    round: int
    table: int
    game: str
    north_south: tuple[str, ...]
    east_west: tuple[str, ...]
    points: tuple[int, ...] | None
    margin: int | None
    adjusted: tuple[Share, Share] | None
    score: tuple[int, int] | None


class BoardShown(Struct, frozen=True, kw_only=True):
    """A board, best North-South result first. `unit` says what scores are in, `top` is the most in matchpoints, in
    hundredths. A sealed one has nothing but its number."""

    version: int
    board: int
    status: BoardStatus
    stage: int | None
    unit: Unit | None
    top: int | None
    tables: tuple[BoardTableShown, ...]
    names: dict[str, str]


async def list_boards(call: Call) -> Reply:
    query: AsOfQuery = call.query
    _, state = await find_at(call, query.at)
    if if_none_match(call.headers, state.version):
        return Reply(304, b"", (etag(state.version),))
    told = await worked_out(state, lambda: boards_told(state))
    listed = tuple(_listed(number, told.get(number)) for number in range(1, boards_used(state) + 1))
    return reply(200, BoardList(version=state.version, boards=listed), etag(state.version))


async def get_board(call: Call) -> Reply:
    query: AsOfQuery = call.query
    _, state = await find_at(call, query.at)
    number = _number(state, call.path["board"])
    if if_none_match(call.headers, state.version):
        return Reply(304, b"", (etag(state.version),))
    board = (await worked_out(state, lambda: boards_told(state))).get(number)
    if board is None:
        sealed = BoardShown(
            version=state.version,
            board=number,
            status="sealed",
            stage=None,
            unit=None,
            top=None,
            tables=(),
            names={},
        )
        return reply(200, sealed, etag(state.version))
    seated = {entrant for each in board.tables for entrant in (*each.north_south, *each.east_west)}
    shown = BoardShown(
        version=state.version,
        board=number,
        status="told",
        stage=board.stage,
        unit=board.unit,
        top=board.top,
        tables=tuple(_table(state, each) for each in sorted(board.tables, key=_best_first)),
        names=await names_of(call, state, seated),
    )
    return reply(200, shown, etag(state.version))


def _number(state: Tournament, text: str) -> int:
    """The number of a board in a path. Raises `Problem`."""
    boards = boards_used(state)
    number = number_in(text)
    if not 1 <= number <= boards:
        raise Problem("board_not_found", f"The boards have the numbers 1 to {boards}.", params={"boards": boards})
    return number


def _listed(number: int, board: Board | None) -> BoardListed:
    if board is None:
        return BoardListed(board=number, status="sealed", stage=None, results=None)
    results = sum(each.points is not None for each in board.tables)
    return BoardListed(board=number, status="told", stage=board.stage, results=results)


def _best_first(each: BoardTable) -> tuple[bool, int, int, int]:
    margin = 0 if each.points is None else each.points[0] - each.points[1]
    return each.points is None, -margin, each.round, each.table


def _table(state: Tournament, each: BoardTable) -> BoardTableShown:
    return BoardTableShown(
        match=each.match,
        round=each.round,
        table=each.table,
        game=game_id(state.id, each.match, each.table, each.leg),
        north_south=each.north_south,
        east_west=each.east_west,
        points=each.points,
        margin=None if each.points is None else each.points[0] - each.points[1],
        adjusted=each.adjusted,
        score=each.score,
    )


_HAVE_IT: Final = AnswerKind(status=304, description="You have it already.", headers=("ETag",))

OPERATIONS: Final = (
    Operation(
        id="listBoards",
        method="GET",
        path="/v1/tournaments/{tournament_id}/boards",
        tag="tournaments",
        summary="The duplicate boards: which are told, which are sealed",
        credential="optional",
        scope="watch",
        query=AsOfQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="The boards.", kind=BoardList, headers=("ETag",)),
            _HAVE_IT,
        ),
        problems=("tournament_not_found", "event_not_found"),
        run=list_boards,
    ),
    Operation(
        id="getBoard",
        method="GET",
        path="/v1/tournaments/{tournament_id}/boards/{board}",
        tag="tournaments",
        summary="A board, compared over all tables",
        credential="optional",
        scope="watch",
        query=AsOfQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="The board.", kind=BoardShown, headers=("ETag",)),
            _HAVE_IT,
        ),
        problems=("tournament_not_found", "board_not_found", "event_not_found"),
        run=get_board,
    ),
)
