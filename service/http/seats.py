"""Seats: taken by the share link or at a listed table, filled with bots, left."""

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from domain.evolve import fold
from domain.lobby import leave, sit
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.state import State
from service.commands import Decided
from service.http.access import Access, access
from service.http.commands import COMMAND_HEADERS, COMMAND_PROBLEMS, command
from service.http.creating import BotLevel, Commitment, bot_player
from service.http.games import ShareCode
from service.http.operations import PRIVATE, AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.tables import Game, etag, find_game, game_reply
from service.listing import reserved_seats
from service.live import LiveGame

SEATS_MAX: Final = 6


class SeatTaken(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A seat to be taken: by the caller, or with `bot` by a bot, which only the one who opened the table may seat.

    `seat` is the lowest free one if left out. `code` is that of the share link; a listed table needs none.
    `nonce_commitment` binds the caller to a nonce of their own for the deals (fairness document, step 2).
    """

    seat: Annotated[int, Meta(ge=0, lt=SEATS_MAX)] | None = None
    code: ShareCode = ""
    bot: BotLevel | None = None
    nonce_commitment: Commitment | None = None


async def take_seat(call: Call) -> Reply:
    wanted: SeatTaken = call.body
    live, allowed = await find_game(call, wanted.code)
    if wanted.bot is not None and not allowed.opened:
        raise Problem("not_your_game", "Only the one who opened the table seats bots.")
    player = call.caller.player if wanted.bot is None else bot_player(wanted.bot)
    if wanted.nonce_commitment is not None:
        _check_nonces_used(live.state, wanted)
        await call.service.nonces.bring(live.facts.id, player, wanted.nonce_commitment)
    reserved = await reserved_seats(call.service.store.pool, live.facts.id)

    def decide(state: State) -> Decided:
        seat = wanted.seat if wanted.seat is not None else _free_seat(state, player, reserved)
        if state.table.seats[seat : seat + 1] == (None,) and reserved.get(seat, player) != player:
            raise Problem("seat_reserved", f"Seat {seat} is kept for somebody else.", params={"seat": seat})
        happened = sit(state, seat, player, "human" if wanted.bot is None else "bot", wanted.bot)
        return happened, fold(state, happened)

    done = await call.service.games.perform(live, command(call, "takeSeat", decide))
    return await _after(call, live, done.state, 201, wanted.code)


def _check_nonces_used(state: State, wanted: SeatTaken) -> None:
    fairness = state.table.fairness
    if wanted.bot is not None or fairness is None or fairness.get("mode") != "players":
        raise LobbyRefused(LobbyCode.NONCES_NOT_USED)


def _free_seat(state: State, player: str, reserved: dict[int, str]) -> int:
    """The seat kept for the player, or else the lowest that is kept for nobody."""
    free = [seat for seat, held in enumerate(state.table.seats) if held is None]
    own = [seat for seat in free if reserved.get(seat) == player]
    for seat in (*own, *(seat for seat in free if seat not in reserved)):
        return seat
    # Whoever sits here already hears that, rather than that the table is full.
    held_by = {held.player: seat for seat, held in enumerate(state.table.seats) if held is not None}
    if player in held_by:
        return held_by[player]
    raise Problem("table_full", "No seat is free at this table.", params={"players": len(state.table.seats)})


async def leave_seat(call: Call) -> Reply:
    live, allowed = await find_game(call)
    seat = _seat_number(call.path["seat"], live.state)

    def decide(state: State) -> Decided:
        held = state.table.seats[seat]
        player = call.caller.player
        if held is not None and held.kind == "bot" and allowed.opened:
            player = held.player
        happened = leave(state, seat, player)
        return happened, fold(state, happened)

    done = await call.service.games.perform(live, command(call, f"leaveSeat {seat}", decide))
    return Reply(204, b"", (PRIVATE, etag(done.state.version)))


def _seat_number(text: str, state: State) -> int:
    players = state.table.rules.players
    if not (text.isascii() and text.isdigit() and len(text) == 1 and int(text) < players):
        raise LobbyRefused(LobbyCode.UNKNOWN_SEAT, seat=text, players=players)
    return int(text)


async def _after(call: Call, live: LiveGame, state: State, status: int, code: str) -> Reply:
    """The game after the caller's command, with the rights that it left them."""
    allowed: Access = access(live, call.principal, code)
    return await game_reply(call, live, allowed, state, status)


_SEAT_PROBLEMS: Final[tuple[str, ...]] = ("unknown_seat", "table_not_open", "game_over")

OPERATIONS: Final[tuple[Any, ...]] = (
    Operation(
        id="takeSeat",
        method="POST",
        path="/v1/games/{game_id}/seats",
        tag="seats",
        summary="Take a seat, or seat a bot",
        description="In a game under way a seat that was left can be taken; the newcomer sees what the seat sees.",
        body=SeatTaken,
        body_example={"code": "m5T0bq1hZk3w9XcA"},
        headers=COMMAND_HEADERS,
        answers=(AnswerKind(status=201, description="The table, with you at it.", kind=Game, headers=("ETag",)),),
        problems=(
            *COMMAND_PROBLEMS, *_SEAT_PROBLEMS, "seat_taken", "seat_reserved", "already_seated", "departed",
            "table_full", "not_your_game", "nonces_not_used",
        ),
        run=take_seat,
    ),
    Operation(
        id="leaveSeat",
        method="DELETE",
        path="/v1/games/{game_id}/seats/{seat}",
        tag="seats",
        summary="Leave your seat, or send a bot away",
        description="Who leaves a game under way cannot return to it.",
        headers=COMMAND_HEADERS,
        answers=(AnswerKind(status=204, description="The seat is free.", headers=("ETag",)),),
        problems=(*COMMAND_PROBLEMS, *_SEAT_PROBLEMS, "seat_empty", "not_your_seat"),
        run=leave_seat,
    ),
)  # fmt: skip
