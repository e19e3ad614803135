"""Opening a table: rule set, seats, clock, who may watch, how the deals come about."""

import os
import secrets
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from domain.chance import Chance, FairChance, PracticeChance, fair_terms
from domain.events import AnyEvent, Clock, Watch
from domain.evolve import fold, initial_state
from domain.fairness import MASTER_BYTES
from domain.lobby import open_table, sit
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.practice import DecksOrigin, PositionOrigin, SeedOrigin
from domain.ruleset_faults import RuleSetInvalidError
from domain.rulesets import RuleSet, resolve
from domain.state import State
from service.commands import Command
from service.http.access import access
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.rulesets import ruleset_problem
from service.http.tables import Game, Visibility, game_reply
from service.live import GameFacts
from service.store.append import PutGame, PutNonce, PutSeat, PutSecret, Write
from service.version import ENGINE

GAME_ID_BYTES: Final = 16
SHARE_CODE_BYTES: Final = 12
BOT_ID_BYTES: Final = 10
WATCH_DELAY_SECONDS_MAX: Final = 86_400

BotLevel = Literal["random", "greedy"]
Commitment = Annotated[
    str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)", description="SHA-256 of a nonce (fairness document, step 2), in hex")
]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[a-z0-9-]+$(?!\\n)")]


class OpenSeat(Struct, frozen=True, tag_field="kind", tag="open", forbid_unknown_fields=True):
    """A seat for whoever comes."""


class OwnSeat(Struct, frozen=True, tag_field="kind", tag="you", forbid_unknown_fields=True):
    """The caller's own seat; `nonce_commitment` as in taking a seat."""

    nonce_commitment: Commitment | None = None


class InvitedSeat(Struct, frozen=True, tag_field="kind", tag="invited", forbid_unknown_fields=True):
    """A seat that is kept for one player, who finds the game among their own and needs no share link."""

    player: PlayerId


class BotSeat(Struct, frozen=True, tag_field="kind", tag="bot", forbid_unknown_fields=True):
    """A seat that a bot of the service plays."""

    level: BotLevel


SeatWanted = OpenSeat | OwnSeat | InvitedSeat | BotSeat


class WatchWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may watch (`link`: those who have the share link), and how far behind the table."""

    who: Literal["anyone", "link", "nobody"] = "link"
    delay_seconds: Annotated[int, Meta(ge=0, le=WATCH_DELAY_SECONDS_MAX)] = 0


class ClockWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Time for each turn. When it is over a stand-in makes the moves of that turn."""

    move_seconds: Annotated[int, Meta(ge=1, le=10_000_000)]
    kind: Literal["per_move"] = "per_move"


class NewGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to be opened.

    `seats` has one entry a seat, in order; without it all are open. With `practice` the game is marked as practice for
    ever, its deals follow from what is given, and `fairness` does not count. A `striped` stock gives each seat cards
    of its own (formats, part 8).
    """

    players: Annotated[int, Meta(ge=2, le=6)]
    ruleset: Annotated[str, Meta(max_length=64)] | dict[str, Any] = "samba-official"
    options: dict[str, Any] | None = None
    seats: Annotated[tuple[SeatWanted, ...], Meta(min_length=2, max_length=6)] | None = None
    visibility: Visibility = "unlisted"
    watch: WatchWanted = WatchWanted()
    clock: ClockWanted | None = None
    fairness: Literal["server_only", "players"] = "players"
    practice: SeedOrigin | DecksOrigin | PositionOrigin | None = None
    stock: Literal["common", "striped"] = "common"


async def create_game(call: Call) -> Reply:
    """Open a table; with an Idempotency-Key once only, however often it is asked for."""
    wanted: NewGame = call.body
    key = call.key
    service = call.service
    _check_clock(call, wanted)
    ruleset = _ruleset(wanted)
    player = call.caller.player
    master = os.urandom(MASTER_BYTES)
    await _check_invited(call, wanted)
    happened, state = _opening(wanted, ruleset, player, master)
    game_id = "g" + secrets.token_hex(GAME_ID_BYTES)
    digest = sha256(call.raw).hexdigest()
    if key is not None:
        bound = await service.store.claim("createGame", player, key, digest, game_id.encode())
        game_id = bound.decode()
    facts = GameFacts(
        id=game_id,
        share_code=secrets.token_urlsafe(SHARE_CODE_BYTES),
        visibility=wanted.visibility,
        created_by=player,
        created_at=datetime.now(UTC),
        practice=wanted.practice is not None,
        ruleset=ruleset.name,
    )
    chance: Chance = PracticeChance() if facts.practice else FairChance(game_id, master)
    command = Command(
        actor=player,
        decide=lambda _: (happened, state),
        key=key,
        digest=None if key is None else digest,
        writes=(*_writes(wanted, facts, state, master), *_nonces(wanted, state, player)),
    )
    done = await service.games.create(facts, chance, command, happened, state)
    live = await service.games.find(game_id)
    location = (b"location", f"/v1/games/{game_id}".encode())
    return await game_reply(call, live, access(live, call.principal, None), done.state, 201, location)


def _check_clock(call: Call, wanted: NewGame) -> None:
    settings = call.service.settings
    least, most = settings.move_seconds_min, settings.move_seconds_max
    if wanted.clock is not None and not least <= wanted.clock.move_seconds <= most:
        raise LobbyRefused(
            LobbyCode.TERMS_INVALID, field="clock.move_seconds", needed=f"a number from {least} to {most}"
        )


async def _check_invited(call: Call, wanted: NewGame) -> None:
    """Seats are kept for players that there are, and for each of them one: or the table could never be full."""
    entries = wanted.seats or ()
    invited = {entry.player for entry in entries if isinstance(entry, InvitedSeat)}
    if not invited:
        return
    known = (await call.service.players.names(invited)).keys()
    sitting = {call.caller.player for entry in entries if isinstance(entry, OwnSeat)}
    for seat, entry in enumerate(entries):
        if isinstance(entry, InvitedSeat):
            if entry.player not in known or entry.player in sitting:
                needed = "the id of a player who has no other seat at this table"
                raise LobbyRefused(LobbyCode.TERMS_INVALID, field=f"seats[{seat}].player", needed=needed)
            sitting.add(entry.player)


def _ruleset(wanted: NewGame) -> RuleSet:
    try:
        return resolve(wanted.ruleset, wanted.options)
    except RuleSetInvalidError as invalid:
        raise ruleset_problem(invalid) from invalid


def _opening(wanted: NewGame, ruleset: RuleSet, player: str, master: bytes) -> tuple[list[AnyEvent], State]:
    """The table's first events: it is opened, the caller and the bots sit down."""
    created = open_table(
        ruleset,
        wanted.players,
        watch=Watch(wanted.watch.who, wanted.watch.delay_seconds),
        engine=ENGINE,
        clock=None if wanted.clock is None else Clock("per_move", wanted.clock.move_seconds),
        stock=wanted.stock,
        fairness=None if wanted.practice is not None else fair_terms(wanted.fairness, master),
        origin=None if wanted.practice is None else msgspec.to_builtins(wanted.practice),
    )
    if wanted.seats is not None and len(wanted.seats) != wanted.players:
        raise LobbyRefused(LobbyCode.TERMS_INVALID, field="seats", needed=f"{wanted.players} entries")
    happened: list[AnyEvent] = [created]
    state = initial_state(created)
    for seat, entry in enumerate(wanted.seats or ()):
        if isinstance(entry, OwnSeat):
            events = sit(state, seat, player)
        elif isinstance(entry, BotSeat):
            events = sit(state, seat, bot_player(entry.level), "bot", entry.level)
        else:
            continue
        happened += events
        state = fold(state, events)
    return happened, state


def bot_player(level: BotLevel) -> str:
    """A new player id for a bot, as random as that of a player, so that no two are the same."""
    return f"bot-{level}-{secrets.token_hex(BOT_ID_BYTES)}"


def _writes(wanted: NewGame, facts: GameFacts, state: State, master: bytes) -> tuple[Write, ...]:
    game = PutGame(
        share_code=facts.share_code,
        visibility=facts.visibility,
        status=state.table.status,
        ruleset=facts.ruleset,
        players=wanted.players,
        practice=facts.practice,
        created_by=facts.created_by,
        created_at=facts.created_at,
    )
    entries = wanted.seats or (OpenSeat(),) * wanted.players
    free = [
        PutSeat(seat=seat, kind="invited", player=entry.player)
        if isinstance(entry, InvitedSeat)
        else PutSeat(seat=seat, kind="open")
        for seat, entry in enumerate(entries)
        if isinstance(entry, OpenSeat | InvitedSeat)
    ]
    secret = () if facts.practice else (PutSecret(master.hex()),)
    return (game, *free, *secret)


def _nonces(wanted: NewGame, state: State, player: str) -> tuple[Write, ...]:
    """The commitment that the caller brings to their own seat."""
    for entry in wanted.seats or ():
        if isinstance(entry, OwnSeat) and entry.nonce_commitment is not None:
            check_commitment(state)
            return (PutNonce(player, entry.nonce_commitment),)
    return ()


def uses_nonces(state: State) -> bool:
    """Whether players may bring nonces of their own to this table (fairness, 1)."""
    fairness = state.table.fairness
    return fairness is not None and fairness.get("mode") == "players"


def check_commitment(state: State) -> None:
    """Raises `LobbyRefused` where the table uses no nonces, or is closed and takes no commitment any more."""
    if not uses_nonces(state):
        raise LobbyRefused(LobbyCode.NONCES_NOT_USED)
    if state.table.status != "open":
        raise LobbyRefused(LobbyCode.TABLE_NOT_OPEN, status=state.table.status)


LINKS: Final = dict.fromkeys(
    ("getGame", "takeSeat", "startGame", "makeMoves", "listLegalMoves", "listEvents", "getRecord"), "/id"
)
"""What goes on from a new table."""

OPERATIONS: Final = (
    Operation(
        id="createGame",
        method="POST",
        path="/v1/games",
        tag="games",
        summary="Open a table",
        description="The answer has a `share_url`: whoever has it may take a free seat.",
        body=NewGame,
        body_example={
            "ruleset": "samba-official",
            "players": 4,
            "seats": [{"kind": "you"}, {"kind": "open"}, {"kind": "bot", "level": "greedy"}, {"kind": "open"}],
        },
        headers=("Idempotency-Key",),
        answers=(
            AnswerKind(
                status=201, description="The table.", kind=Game, headers=("ETag", "Location"), links=LINKS
            ),
        ),
        problems=(
            "ruleset_invalid", "players_not_permitted", "terms_invalid", "origin_invalid", "nonces_not_used",
            "already_seated", "idempotency_key_reused", "busy",
        ),
        run=create_game,
    ),
)  # fmt: skip
