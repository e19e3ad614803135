"""Opening a table: rule set, seats, clock, who may watch, how the deals come about."""

import os
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from domain.chance import fair_terms
from domain.fairness import MASTER_BYTES
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.practice import DecksOrigin, PositionOrigin, SeedOrigin
from domain.ruleset_faults import RuleSetInvalidError
from domain.rulesets import RuleSet, resolve
from service.http.opening import LINKS, Plan, TableTerms, open_game
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.rulesets import ruleset_problem
from service.http.tables import Game


class NewGame(TableTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to be opened.

    `seats` has one entry a seat, in order; without it all are open. With `practice` the game is marked as practice
    for ever, its deals follow from what is given, and `fairness` does not count. A `striped` stock gives each seat
    cards of its own (formats, part 8). Before `sealed_until` the game shows nothing but its status to anybody but
    its seats, and what it was dealt from is revealed no earlier. With `beacon` the deals depend on a round of drand
    too, which is fixed when the table is closed: true for the usual chain, or the name or hash of one that `GET
    /v1/fairness` lists.
    """

    players: Annotated[int, Meta(ge=2, le=6)]
    ruleset: Annotated[str, Meta(max_length=64)] | dict[str, Any] = "samba-official"
    options: dict[str, Any] | None = None
    fairness: Literal["server_only", "players"] = "players"
    beacon: bool | Annotated[str, Meta(max_length=64, pattern=r"^[a-z0-9-]*$(?!\n)")] = False
    practice: SeedOrigin | DecksOrigin | PositionOrigin | None = None
    stock: Literal["common", "striped"] = "common"
    sealed_until: Annotated[datetime, Meta(tz=True)] | None = None


async def create_game(call: Call) -> Reply:
    wanted: NewGame = call.body
    sealed_until = _seal(call, wanted)
    ruleset = _ruleset(wanted)
    digest = sha256(call.raw).hexdigest()
    beacon = _beacon(call, wanted)
    if wanted.practice is not None:
        origin = msgspec.to_builtins(wanted.practice)
        plan = Plan(ruleset=ruleset, players=wanted.players, stock=wanted.stock, origin=origin)
        return await open_game(call, wanted, plan, "createGame", digest)
    master = os.urandom(MASTER_BYTES)
    plan = Plan(
        ruleset=ruleset,
        players=wanted.players,
        stock=wanted.stock,
        fairness=fair_terms(wanted.fairness, master),
        master=master,
        sealed_until=sealed_until,
        beacon=beacon,
    )
    return await open_game(call, wanted, plan, "createGame", digest)


def _seal(call: Call, wanted: NewGame) -> datetime | None:
    """When the seal that is wanted ends. Raises `LobbyRefused`."""
    until = wanted.sealed_until
    if until is None:
        return None
    longest = call.service.settings.seal_seconds_max
    now = datetime.now(UTC)
    if not now < until <= now + timedelta(seconds=longest):
        needed = f"a time in the future, at most {longest} seconds from now"
        raise LobbyRefused(LobbyCode.TERMS_INVALID, field="sealed_until", needed=needed)
    if wanted.practice is not None:
        needed = "null: a practice game has nothing to reveal"
        raise LobbyRefused(LobbyCode.TERMS_INVALID, field="sealed_until", needed=needed)
    return until.astimezone(UTC)


def _beacon(call: Call, wanted: NewGame) -> str | None:
    """The hash of the chain that is wanted. Raises `LobbyRefused`."""
    if wanted.beacon is False:
        return None
    if wanted.practice is not None:
        raise LobbyRefused(LobbyCode.BEACON_NOT_USED)
    offered = call.service.chains.offered
    chain = offered[0] if wanted.beacon is True else call.service.chains.of(wanted.beacon)
    if chain is None:
        names = ", ".join(each.name for each in offered)
        raise LobbyRefused(LobbyCode.TERMS_INVALID, field="beacon", needed=f"true, or one of the chains {names}")
    return chain.chain


def _ruleset(wanted: NewGame) -> RuleSet:
    try:
        return resolve(wanted.ruleset, wanted.options)
    except RuleSetInvalidError as invalid:
        raise ruleset_problem(invalid) from invalid


OPERATIONS: Final = (
    Operation(
        id="createGame",
        method="POST",
        path="/v1/games",
        tag="games",
        summary="Open a table",
        description="The answer has a `share_url`: whoever has it may take a free seat.",
        scope="play",
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
            "beacon_not_used", "already_seated", "idempotency_key_reused", "busy",
        ),
        run=create_game,
    ),
)  # fmt: skip
