"""Seats: taken by the share link or at a listed table, filled with bots, left."""

from typing import Annotated, Any, Final, Never

from msgspec import Meta, Struct

from domain.events import AnyEvent
from domain.evolve import fold
from domain.lobby import Kind, hand_over, leave, sit
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.state import State, seat_of
from service.automata import STAND_IN_LEVEL, bot_player
from service.commands import Command, Decided, GameUnknown
from service.http.access import Access, access_of
from service.http.commands import COMMAND_HEADERS, COMMAND_PROBLEMS, command
from service.http.games import ShareCode
from service.http.opening import BotLevel, Commitment, check_commitment
from service.http.operations import PRIVATE, AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.tables import Game, etag, find_game, game_reply
from service.invitations import Invitations, Key
from service.live import LiveGame
from service.store.append import PutNonce
from service.visible import knows_version

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
    if live.facts.tournament is not None:
        # Whoever came in would see a hand of boards that they may have to play yet, or play for strangers.
        raise Problem("not_your_seat", "The seats of a match are given by its tournament: by entry and substitution.")
    if wanted.bot is not None and not allowed.opened:
        raise Problem("not_your_game", "Only the one who opened the table seats bots.")
    player = call.caller.player if wanted.bot is None else bot_player(wanted.bot)
    kind: Kind = "human" if wanted.bot is None else "bot"
    reserved: dict[int, str] = {}

    async def prepare(_: State) -> None:
        nonlocal reserved
        invitations = call.service.invitations
        key = _key(asked)
        if key is not None and allowed.opened:
            # Freeing a kept seat is no event, so the append knows nothing of its key.
            await invitations.freed(live.facts.id, key)
        reserved = await invitations.reserved(live.facts.id)

    def decide(state: State) -> Decided:
        if wanted.nonce_commitment is not None:
            if wanted.bot is not None:
                raise LobbyRefused(LobbyCode.NONCES_NOT_USED)
            check_commitment(state)
        stand_ins = {} if wanted.bot is not None else _stand_ins(state)
        seat = wanted.seat if wanted.seat is not None else _free_seat(state, player, reserved, stand_ins)
        if state.table.seats[seat : seat + 1] == (None,) and reserved.get(seat, player) != player:
            raise Problem("seat_reserved", f"Seat {seat} is kept for somebody else.", params={"seat": seat})
        stand_in = stand_ins.get(seat)
        if stand_in is None or seat_of(state.table, player) is not None:
            happened = sit(state, seat, player, kind, wanted.bot)
        else:
            happened = hand_over(state, seat, stand_in, player, kind, wanted.bot)
        return happened, fold(state, happened)

    committed = wanted.nonce_commitment
    asked = command(
        call,
        "takeSeat",
        decide,
        lambda: allowed,
        prepare=prepare,
        writes=() if committed is None else (PutNonce(player, committed),),
    )
    done = await call.service.games.perform(live, asked)
    return await _after(call, live, done.state, 201, wanted.code)


def _stand_ins(state: State) -> dict[int, str]:
    """By seat the bots that play on where a person has left: each makes room for a person, though for no other bot."""
    table = state.table
    if table.status != "playing":
        return {}
    return {
        seat: held.player
        for seat, held in enumerate(table.seats)
        if held is not None and held.kind == "bot" and held.player not in table.closed_seats
    }


def _free_seat(state: State, player: str, reserved: dict[int, str], stand_ins: dict[int, str]) -> int:
    """The seat kept for the player, or else the lowest that is kept for nobody."""
    seats = range(len(state.table.seats))
    free = [seat for seat in seats if state.table.seats[seat] is None or seat in stand_ins]
    own = [seat for seat in free if reserved.get(seat) == player]
    others = [seat for seat in free if seat not in reserved]
    if own or others:
        return min(own or others)
    # Whoever sits here already hears that, rather than that the table is full.
    held = seat_of(state.table, player)
    if held is not None:
        return held
    raise Problem("table_full", "No seat is free at this table.", params={"players": len(seats)})


async def leave_seat(call: Call) -> Reply:
    try:
        live, allowed = await find_game(call)
    except GameUnknown:
        # Who has left is a stranger, and yet hears again that they have.
        if call.key is None:
            raise
        return await _left_before(call)
    seat = _seat_number(call.path["seat"], live.state)

    def decide(state: State) -> Decided:
        happened = _leaving(state, seat, call.caller.player, allowed)
        return happened, fold(state, happened)

    asked = command(call, f"leaveSeat {seat}", decide, lambda: allowed)
    if allowed.opened and await _freed(call.service.invitations, live, seat, asked):
        return _left(allowed, live.state)
    return _left(allowed, (await call.service.games.perform(live, asked)).state)


def _left(allowed: Access, state: State) -> Reply:
    """That it is done, with the version for those who may know it."""
    return Reply(204, b"", (PRIVATE, etag(state.version)) if knows_version(state, allowed.viewer) else (PRIVATE,))


async def _left_before(call: Call) -> Reply:
    """The first answer to who left with this key. Raises `GameUnknown` for everybody else."""
    live = await call.service.games.find(call.path["game_id"])

    def unknown(*_: State) -> Never:
        raise GameUnknown

    done = await call.service.games.perform(live, command(call, f"leaveSeat {call.path['seat']}", unknown, unknown))
    return Reply(204, b"", (PRIVATE, etag(done.state.version)))


async def _freed(invitations: Invitations, live: LiveGame, seat: int, asked: Command) -> bool:
    """Keep the seat for nobody any more; whether it was kept, or this request has freed it before."""
    key = _key(asked)
    if key is not None and await invitations.freed(live.facts.id, key):
        return True
    table = live.state.table
    if table.status != "open" or table.seats[seat] is not None:
        return False
    if asked.expected is not None and asked.expected != live.state.version:
        raise asked.outdated(live.state)
    return await invitations.free(live.facts.id, seat, key)


def _key(asked: Command) -> Key | None:
    return None if asked.key is None or asked.digest is None else Key(asked.actor, asked.key, asked.digest)


def _leaving(state: State, seat: int, player: str, allowed: Access) -> list[AnyEvent]:
    """The caller leaves the seat, or sends the bot away that sits there.

    A game under way goes on: a bot keeps its seat, and takes that of a person at once.
    """
    held = state.table.seats[seat]
    playing = state.table.status == "playing"
    if held is not None and held.kind == "bot" and allowed.opened:
        if playing:
            raise Problem("bot_stays", f"The bot at seat {seat} plays to the end.", params={"seat": seat})
        return leave(state, seat, held.player)
    if playing:
        return hand_over(state, seat, player, bot_player(STAND_IN_LEVEL), "bot", STAND_IN_LEVEL)
    return leave(state, seat, player)


def _seat_number(text: str, state: State) -> int:
    players = state.table.rules.players
    if not (text.isascii() and text.isdigit() and len(text) == 1 and int(text) < players):
        raise LobbyRefused(LobbyCode.UNKNOWN_SEAT, seat=text, players=players)
    return int(text)


async def _after(call: Call, live: LiveGame, state: State, status: int, code: str) -> Reply:
    """The game after the caller's command, with the rights that it left them."""
    allowed = await access_of(call.service.invitations, live, call.principal, code)
    return await game_reply(call, live, allowed, state, status)


_SEAT_PROBLEMS: Final[tuple[str, ...]] = ("unknown_seat", "table_not_open", "game_over")

OPERATIONS: Final[tuple[Any, ...]] = (
    Operation(
        id="takeSeat",
        method="POST",
        path="/v1/games/{game_id}/seats",
        tag="seats",
        summary="Take a seat, or seat a bot",
        description="In a game under way the seat of somebody who left can be taken over from the bot that plays it; "
        "the newcomer sees what the seat sees. A seat that is kept for you needs no `code`. Seats of matches are given "
        "by their tournaments only.",
        scope="play",
        body=SeatTaken,
        body_example={"code": "m5T0bq1hZk3w9XcA"},
        headers=COMMAND_HEADERS,
        answers=(AnswerKind(status=201, description="The table, with you at it.", kind=Game, headers=("ETag",)),),
        problems=(
            *COMMAND_PROBLEMS, *_SEAT_PROBLEMS, "seat_taken", "seat_reserved", "already_seated", "departed",
            "table_full", "not_your_game", "not_your_seat", "nonces_not_used",
        ),
        run=take_seat,
    ),
    Operation(
        id="leaveSeat",
        method="DELETE",
        path="/v1/games/{game_id}/seats/{seat}",
        tag="seats",
        summary="Leave your seat, send a bot away, or free a kept seat",
        description="Before the start the one who opened the table also sends bots away and frees seats that are kept "
        "for others. In a game under way a greedy bot plays on at the seat that you leave, and you cannot return.",
        scope="play",
        headers=COMMAND_HEADERS,
        answers=(AnswerKind(status=204, description="The seat is left.", headers=("ETag",)),),
        problems=(*COMMAND_PROBLEMS, *_SEAT_PROBLEMS, "seat_empty", "not_your_seat", "bot_stays"),
        run=leave_seat,
    ),
)  # fmt: skip
