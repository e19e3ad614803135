"""Moves, the hot route: read, decided, stored, and answered with the caller's view.

The body is one move, a list of moves, or `{"moves": [...], "expected_version": n}`.
"""

from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.legal import legal_moves
from domain.moves import Move, malformed, parse_move
from domain.options import LegalMoves
from domain.playing import play
from domain.refusals import Refusal, Refused
from domain.state import State, seat_of
from domain.views import View, encode_view, viewer_now
from service.games import Decided, MoveRefused, StaleVersion
from service.http.access import access, needed_seat
from service.http.bodies import shape
from service.http.commands import COMMAND_HEADERS, COMMAND_PROBLEMS, command
from service.http.dry_run import DryRun, dry_run
from service.http.operations import PRIVATE, AnswerKind, Call, Operation, Reply, reply
from service.http.problems import Problem
from service.http.tables import etag, find_game
from service.live import LiveGame

VERSION_MAX: Final = 2**31 - 1
MOVES_MAX: Final = 64
"""As described; what is refused hangs on the settings."""


class MoveQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run` nothing happens: the answer tells whether the moves would be accepted."""

    dry_run: bool = False


class MoveList(Struct, frozen=True, forbid_unknown_fields=True):
    """Several moves, all accepted or none, judged in order; what brings cards from the stock may stand last only.

    `expected_version` is the version that the caller has seen, as in `If-Match`.
    """

    moves: Annotated[tuple[Move, ...], Meta(min_length=1, max_length=MOVES_MAX)]
    expected_version: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | UnsetType = UNSET


class _Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """A `MoveList` whose moves have not been read yet."""

    moves: list[Any]
    expected_version: Annotated[int, Meta(ge=0, le=VERSION_MAX)] | UnsetType = UNSET


async def make_moves(call: Call) -> Reply:
    """Play, or with `dry_run` only ask."""
    live = await call.service.games.find(call.path["game_id"])
    moves, expected = read_moves(call.body, call.service.settings.moves_per_request_max)
    if call.query.dry_run:
        return await _dry_run(call, live, moves, expected)
    player = call.caller.player

    def decide(state: State) -> Decided | Refusal:
        seat = seat_of(state.table, player)
        return play(state, _own_seat(call, live) if seat is None else seat, moves, live.chance)

    done = await call.service.games.perform(live, command(call, "makeMoves", decide, expected))
    seat = seat_of(done.state.table, player)
    assert seat is not None
    content = encode_view(done.state, viewer_now(done.state, seat))
    return Reply(201, content, (PRIVATE, etag(done.state.version)))


def read_moves(body: Any, moves_max: int) -> tuple[tuple[Move, ...], int | None]:
    """The moves of a body and the version it expects. Raises `Problem`, `MoveRefused` with the index."""
    expected = None
    if type(body) is list:
        raw: list[Any] = body
    elif type(body) is dict and "moves" in body:
        envelope = shape(body, _Envelope)
        raw = envelope.moves
        expected = None if envelope.expected_version is UNSET else envelope.expected_version
    else:
        raw = [body]
    if len(raw) > moves_max:
        raise Problem(
            "too_many_moves",
            f"At most {moves_max} moves can be sent at once, and these are {len(raw)}.",
            params={"limit": moves_max, "found": len(raw)},
        )
    if not raw:
        raise MoveRefused(malformed("moves").refusal())
    moves = []
    for index, item in enumerate(raw):
        try:
            moves.append(parse_move(item))
        except Refused as refused:
            raise MoveRefused(refused.refusal(index if len(raw) > 1 else None)) from refused
    return tuple(moves), expected


def _own_seat(call: Call, live: LiveGame) -> int:
    """The seat that the caller holds; raises what tells others that they hold none."""
    return needed_seat(access(live, call.principal, None))


async def _dry_run(call: Call, live: LiveGame, moves: tuple[Move, ...], expected: int | None) -> Reply:
    wanted = command(call, "dryRun", lambda _: ([], live.state), expected)
    await call.service.games.refresh(live)
    seat = _own_seat(call, live)
    state = live.state
    if wanted.expected is not None and wanted.expected != state.version:
        raise StaleVersion(state.version)
    told = dry_run(state, seat, moves)
    if isinstance(told, Refusal):
        raise MoveRefused(told)
    return reply(200, told, etag(state.version))


async def list_legal(call: Call) -> Reply:
    """What the caller's seat may do now."""
    live, allowed = await find_game(call)
    seat = needed_seat(allowed)
    return reply(200, legal_moves(live.state, seat), etag(live.state.version))


_EXAMPLE: Final = [
    {"type": "meld", "new": [["8S", "8H", "8D"]]},
    {"type": "discard", "cards": ["5C"]},
]

OPERATIONS: Final = (
    Operation(
        id="makeMoves",
        method="POST",
        path="/v1/games/{game_id}/moves",
        tag="play",
        summary="Play one move or several",
        description="Several moves are accepted together or not at all. What brings cards from the stock may stand "
        "last only. The answer is your view of the game after the moves.",
        query=MoveQuery,
        body=(Move, Annotated[list[Move], Meta(min_length=1, max_length=MOVES_MAX)], MoveList),
        body_shaped=False,
        body_example=_EXAMPLE,
        headers=COMMAND_HEADERS,
        answers=(
            AnswerKind(status=201, description="The moves are played.", kind=View, headers=("ETag",)),
            AnswerKind(status=200, description="A dry run: they would be.", kind=DryRun, headers=("ETag",)),
        ),
        problems=(*COMMAND_PROBLEMS, "not_your_seat", "too_many_moves"),
        refusals=True,
        run=make_moves,
    ),
    Operation(
        id="listLegalMoves",
        method="GET",
        path="/v1/games/{game_id}/legal_moves",
        tag="play",
        summary="What your seat may do now, and why not what it may not",
        answers=(AnswerKind(status=200, description="The legal moves.", kind=LegalMoves, headers=("ETag",)),),
        problems=("game_not_found", "not_your_seat"),
        run=list_legal,
    ),
)
