"""What all new tables have in common: seats, who may find and watch them, clock; and how one is opened.

A new game has no stream yet: its id is bound to the idempotency key first, so that a request sent twice opens one.
"""

import secrets
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.chance import Chance, FairChance, PracticeChance
from domain.events import AnyEvent, Clock, Watch
from domain.evolve import fold, initial_state
from domain.lobby import open_table, sit
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.rulesets import RuleSet
from domain.state import State
from service.automata import bot_player
from service.commands import Command
from service.http.access import access
from service.http.operations import Call, Reply
from service.http.tables import Visibility, game_reply
from service.live import GameFacts
from service.store.append import PutBeacon, PutGame, PutNonce, PutSeal, PutSeat, PutSecret, Write
from service.version import ENGINE

GAME_ID_BYTES: Final = 16
SHARE_CODE_BYTES: Final = 12
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


class TableTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every new table has beside its rules and its deals.

    `seats` has one entry a seat, in order; without it all are open.
    """

    seats: Annotated[tuple[SeatWanted, ...], Meta(min_length=2, max_length=6)] | None = None
    visibility: Visibility = "unlisted"
    watch: WatchWanted = WatchWanted()
    clock: ClockWanted | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """The rules of a table to be opened, and where its deals come from.

    It has either a `master` with `fairness`, or is a practice game with an `origin`.
    """

    ruleset: RuleSet
    players: int
    stock: Literal["common", "striped"] = "common"
    fairness: dict[str, object] | None = None
    origin: object = None
    master: bytes = b""
    sealed_until: datetime | None = None
    beacon: str | None = None


async def open_game(
    call: Call, terms: TableTerms, plan: Plan, scope: str, digest: str, writes: tuple[Write, ...] = ()
) -> Reply:
    """Open a table; with an Idempotency-Key once only, however often it is asked for.

    `digest` is that of the request among those of the `scope`; `writes` are done with the table's first events.
    Raises `LobbyRefused`, `KeyReused`, `KeyConflict`.
    """
    key = call.key
    service = call.service
    player = call.caller.player
    _check_clock(call, terms)
    await _check_invited(call, terms)
    happened, state = _opening(terms, plan, player)
    game_id = "g" + secrets.token_hex(GAME_ID_BYTES)
    if key is not None:
        bound = await service.store.claim(scope, player, key, digest, game_id.encode())
        game_id = bound.decode()
    facts = GameFacts(
        id=game_id,
        share_code=secrets.token_urlsafe(SHARE_CODE_BYTES),
        visibility=terms.visibility,
        created_by=player,
        created_at=datetime.now(UTC),
        practice=plan.origin is not None,
        ruleset=plan.ruleset.name,
        sealed_until=plan.sealed_until,
        beacon=plan.beacon,
    )
    chance: Chance = PracticeChance() if facts.practice else FairChance(game_id, plan.master)
    command = Command(
        actor=player,
        decide=lambda _: (happened, state),
        key=key,
        digest=None if key is None else digest,
        writes=(*_writes(terms, plan, facts, state), *_nonces(terms, state, player), *writes),
    )
    done = await service.games.create(facts, chance, command, happened, state)
    live = await service.games.find(game_id)
    location = (b"location", f"/v1/games/{game_id}".encode())
    return await game_reply(call, live, access(live, call.principal, None), done.state, 201, location)


def _check_clock(call: Call, terms: TableTerms) -> None:
    settings = call.service.settings
    least, most = settings.move_seconds_min, settings.move_seconds_max
    if terms.clock is not None and not least <= terms.clock.move_seconds <= most:
        raise LobbyRefused(
            LobbyCode.TERMS_INVALID, field="clock.move_seconds", needed=f"a number from {least} to {most}"
        )


async def _check_invited(call: Call, terms: TableTerms) -> None:
    """Seats are kept for players that there are, and for each of them one: or the table could never be full."""
    entries = terms.seats or ()
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


def _opening(terms: TableTerms, plan: Plan, player: str) -> tuple[list[AnyEvent], State]:
    """The table's first events: it is opened, the caller and the bots sit down."""
    created = open_table(
        plan.ruleset,
        plan.players,
        watch=Watch(terms.watch.who, terms.watch.delay_seconds),
        engine=ENGINE,
        clock=None if terms.clock is None else Clock("per_move", terms.clock.move_seconds),
        stock=plan.stock,
        fairness=plan.fairness,
        origin=plan.origin,
    )
    if terms.seats is not None and len(terms.seats) != plan.players:
        raise LobbyRefused(LobbyCode.TERMS_INVALID, field="seats", needed=f"{plan.players} entries")
    happened: list[AnyEvent] = [created]
    state = initial_state(created)
    for seat, entry in enumerate(terms.seats or ()):
        if isinstance(entry, OwnSeat):
            events = sit(state, seat, player)
        elif isinstance(entry, BotSeat):
            events = sit(state, seat, bot_player(entry.level), "bot", entry.level)
        else:
            continue
        happened += events
        state = fold(state, events)
    return happened, state


def _writes(terms: TableTerms, plan: Plan, facts: GameFacts, state: State) -> tuple[Write, ...]:
    game = PutGame(
        share_code=facts.share_code,
        visibility=facts.visibility,
        status=state.table.status,
        ruleset=facts.ruleset,
        players=plan.players,
        practice=facts.practice,
        created_by=facts.created_by,
        created_at=facts.created_at,
    )
    entries = terms.seats or (OpenSeat(),) * plan.players
    free = [
        PutSeat(seat=seat, kind="invited", player=entry.player)
        if isinstance(entry, InvitedSeat)
        else PutSeat(seat=seat, kind="open")
        for seat, entry in enumerate(entries)
        if isinstance(entry, OpenSeat | InvitedSeat)
    ]
    secret = () if facts.practice else (PutSecret(plan.master.hex()),)
    seal = () if facts.sealed_until is None else (PutSeal(facts.sealed_until),)
    beacon = () if facts.beacon is None else (PutBeacon(facts.beacon),)
    return (game, *free, *secret, *seal, *beacon)


def _nonces(terms: TableTerms, state: State, player: str) -> tuple[Write, ...]:
    """The commitment that the caller brings to their own seat."""
    for entry in terms.seats or ():
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
