"""Moves, the hot route: read, decided, stored, and answered with the caller's view."""

import time
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.legal import legal_moves
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.moves import Move
from domain.options import LegalMoves
from domain.playing import play
from domain.refusals import Refusal
from domain.state import State, seat_of
from domain.views import View, encode_view, viewer_now
from service.commands import Decided, GameUnknown, MoveRefused, StaleVersion
from service.http.access import Access, access, needed_seat
from service.http.commands import COMMAND_HEADERS, COMMAND_PROBLEMS, command, expected_version
from service.http.dry_run import DryRun, dry_run
from service.http.move_bodies import MOVES_MAX, AskedMoves, MoveList, read_moves
from service.http.operations import PRIVATE, AnswerKind, Call, Operation, Reply, reply
from service.http.tables import etag, find_game
from service.live import LiveGame


class MoveQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run` nothing happens: the answer tells whether the moves would be accepted."""

    dry_run: bool = False


async def make_moves(call: Call) -> Reply:
    """Play, or with `dry_run` only ask."""
    asked: AskedMoves = call.body
    games = call.service.games
    if call.query.dry_run:
        return await _dry_run(call, asked)
    live = await games.find(call.path["game_id"])
    principal = call.caller
    player = principal.player
    moves = asked.moves

    def decide(state: State) -> Decided | Refusal:
        seat = seat_of(state.table, player)
        _check_begun(call, live, state)
        if seat is None or principal.seat not in (None, seat):
            seat = _own_seat(call, live)
        return play(state, seat, moves, live.chance)

    def rights() -> Access:
        found = access(live, call.principal, None)
        needed_seat(found)
        return found

    try:
        done = await games.perform(live, command(call, "makeMoves", decide, rights, expected=asked.expected))
    except GameUnknown:
        # Who is invited may know of the game, which only a look into the database tells.
        needed_seat((await find_game(call))[1])
        raise
    if done.replayed:
        # Who has left the seat since then has no right to what they were told.
        await games.read_since(live, time.monotonic())
        _own_seat(call, live)
    seat = seat_of(done.state.table, player)
    assert seat is not None
    content = encode_view(done.state, viewer_now(done.state, seat), seat)
    return Reply(201, content, (PRIVATE, etag(done.state.version)))


def _own_seat(call: Call, live: LiveGame) -> int:
    """The seat that the caller holds; raises what tells others that they hold none."""
    return needed_seat(access(live, call.principal, None))


def _check_begun(call: Call, live: LiveGame, state: State) -> None:
    """Before the start there is no hand to play, nor one that is over. Raises `LobbyRefused`."""
    if state.table.status not in ("playing", "ended"):
        _own_seat(call, live)
        raise LobbyRefused(LobbyCode.GAME_NOT_UNDER_WAY, status=state.table.status)


async def _dry_run(call: Call, asked: AskedMoves) -> Reply:
    live, allowed = await find_game(call)
    seat = needed_seat(allowed)
    state = live.state
    expected = expected_version(call, asked.expected)
    if expected is not None and expected != state.version:
        raise StaleVersion(state.version)
    _check_begun(call, live, state)
    told = dry_run(state, seat, asked.moves)
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
        scope="play",
        query=MoveQuery,
        body=(Move, Annotated[list[Move], Meta(min_length=1, max_length=MOVES_MAX)], MoveList),
        read=read_moves,
        body_example=_EXAMPLE,
        headers=COMMAND_HEADERS,
        answers=(
            AnswerKind(status=201, description="The moves are played.", kind=View, headers=("ETag",)),
            AnswerKind(status=200, description="A dry run: they would be.", kind=DryRun, headers=("ETag",)),
        ),
        problems=(*COMMAND_PROBLEMS, "not_your_seat", "too_many_moves", "game_not_under_way"),
        refusals=True,
        run=make_moves,
    ),
    Operation(
        id="listLegalMoves",
        method="GET",
        path="/v1/games/{game_id}/legal_moves",
        tag="play",
        summary="What your seat may do now, and why not what it may not",
        scope="watch",
        answers=(AnswerKind(status=200, description="The legal moves.", kind=LegalMoves, headers=("ETag",)),),
        problems=("game_not_found", "not_your_seat"),
        run=list_legal,
    ),
)
