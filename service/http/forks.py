"""Forks: a practice game from any event of a finished one, linked to it."""

import secrets
from typing import Annotated, Any, Final

from msgspec import Meta

from domain.forks import Deck, ForkImpossible, fork_origin
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.practice import Seed
from domain.rules import Rules
from service.decoding import decoded
from service.http.access import check_public
from service.http.commands import digest
from service.http.games import ShareCode
from service.http.opening import LINKS, Plan, TableTerms, open_game
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.replays import event_not_found, gone_through
from service.http.tables import Game, find_game
from service.live import LiveGame
from service.live_stream import linked
from service.store.append import PutFork
from service.store.base import VERSION_MAX, StoredEvent

SEED_BYTES: Final = 32


class NewFork(TableTerms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A practice game that leaves a finished one after event `n`.

    With the `original` deck the cards to come are those that the finished game had to come, in its later hands too;
    with a `fresh` one they are shuffled by `seed`, which is drawn if left out, as are all hands beyond those that the
    finished game had. `seats` has one entry a seat, in order; without it all are open. `code` is that of the share link
    of the finished game.
    """

    n: Annotated[int, Meta(ge=1, le=VERSION_MAX)]
    deck: Deck = "original"
    seed: Seed | None = None
    code: ShareCode = ""


async def fork_game(call: Call) -> Reply:
    wanted: NewFork = call.body
    live, _ = await find_game(call, wanted.code)
    check_public(live)
    last = live.state.version
    if wanted.n > last:
        raise event_not_found(wanted.n, last)
    if wanted.visibility == "public" and live.facts.visibility != "public":
        # Its record would show everybody a game that exists for few.
        needed = "unlisted, as the game that is left"
        raise LobbyRefused(LobbyCode.TERMS_INVALID, field="visibility", needed=needed)
    origin = await _origin(call, live, wanted)
    rules: Rules = live.state.table.rules
    plan = Plan(
        ruleset=rules.ruleset,
        players=rules.players,
        stock="striped" if live.state.table.striped else "common",
        origin=origin,
    )
    scope = "forkGame"
    asked = digest(f"{scope} {live.facts.id}", call.raw)
    return await open_game(call, wanted, plan, scope, asked, (PutFork(live.facts.id, origin["n"]),))


async def _origin(call: Call, live: LiveGame, wanted: NewFork) -> dict[str, Any]:
    seed = wanted.seed or secrets.token_hex(SEED_BYTES)

    def left(stored: list[StoredEvent]) -> dict[str, Any]:
        happened = [link.event for link in linked(stored, decoded(stored))]
        return fork_origin(live.facts.id, happened, wanted.n, wanted.deck, seed)

    try:
        return await gone_through(call, live, live.state.version, left)
    except ForkImpossible as impossible:
        raise Problem(
            "fork_impossible",
            f"The game was over: it can be left up to event {impossible.last}.",
            params={"n": wanted.n, "last": impossible.last},
        ) from impossible


OPERATIONS: Final = (
    Operation(
        id="forkGame",
        method="POST",
        path="/v1/games/{game_id}/forks",
        tag="replay",
        summary="Play on from an event of a finished game",
        description="The new game is a practice game for ever, with a stream of its own; its `origin` names the game, "
        "the event that was left and its hash. An event that ended a hand is left after that end.",
        scope="play",
        beyond=True,
        body=NewFork,
        body_example={
            "n": 120, "deck": "original", "seats": [{"kind": "you"}, *[{"kind": "bot", "level": "greedy"}] * 3],
        },
        headers=("Idempotency-Key",),
        answers=(
            AnswerKind(
                status=201, description="The table.", kind=Game, headers=("ETag", "Location"), links=LINKS
            ),
        ),
        problems=(
            "game_not_found", "game_sealed", "record_not_public", "event_not_found", "fork_impossible",
            "game_too_long", "terms_invalid", "origin_invalid", "nonces_not_used", "already_seated",
            "idempotency_key_reused", "busy",
        ),
        run=fork_game,
    ),
)  # fmt: skip
