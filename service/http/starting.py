"""The start: the table is closed, nonces are revealed, the first hand is dealt (fairness document, steps 3 to 5)."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.events import Closed
from domain.evolve import fold
from domain.lobby import close, reveal_nonce
from domain.playing import begin
from domain.state import State
from domain.waiting import missing_nonces
from service.commands import Decided, StaleVersion
from service.http.access import access, needed_seat
from service.http.commands import COMMAND_HEADERS, COMMAND_PROBLEMS, command
from service.http.creating import Commitment
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.tables import Game, find_game, game_reply
from service.live import LiveGame

Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)", description="32 bytes in hex.")]


class RevealNonce(Struct, frozen=True, tag_field="type", tag="reveal", forbid_unknown_fields=True):
    """The nonce that the seat has committed to, once the table is closed."""

    nonce: Nonce


class CommitNonce(Struct, frozen=True, tag_field="type", tag="commit", forbid_unknown_fields=True):
    """A commitment to a nonce, in place of the one brought when the seat was taken, while the table is open."""

    commitment: Commitment


NonceMessage = CommitNonce | RevealNonce


async def start_game(call: Call) -> Reply:
    """Close the table, and deal the first hand unless nonces have to be revealed before."""
    live, allowed = await find_game(call)
    if not allowed.inside:
        raise Problem("not_your_seat", "Only those at the table, and who opened it, can start the game.")
    commitments = await _commitments(call, live)

    def decide(state: State) -> Decided:
        by_seat = [commitments.get(held.player) if held is not None else None for held in state.table.seats]
        closing = close(state, by_seat)
        state = fold(state, closing)
        if missing_nonces(state.table):
            return closing, state
        happened, state = begin(state, live.chance)
        return [*closing, *happened], state

    done = await call.service.games.perform(live, command(call, "startGame", decide))
    return await game_reply(call, live, access(live, call.principal, None), done.state, 201)


async def _commitments(call: Call, live: LiveGame) -> dict[str, str]:
    """By player what they committed to, without commitments of an earlier closing: those have lapsed (step 4)."""
    fairness = live.state.table.fairness
    if fairness is None or fairness.get("mode") != "players" or live.state.table.status != "open":
        return {}
    players = [held.player for held in live.state.table.seats if held is not None]
    brought = await call.service.nonces.brought(live.facts.id, players)
    lapsed: set[str | None] = set()
    async for event in call.service.games.events(live, 0, live.state.version):
        if isinstance(event, Closed):
            lapsed.update(event.nonce_commitments)
    return {
        player: commitment
        for player, commitment in zip(players, brought, strict=True)
        if commitment is not None and commitment not in lapsed
    }


async def commit_nonce(call: Call) -> Reply:
    """Bring a commitment after all, as long as the table is open."""
    live, allowed = await find_game(call)
    needed_seat(allowed)
    if call.expected is not None and call.expected != live.state.version:
        raise StaleVersion(live.state.version)
    table = live.state.table
    if table.fairness is None or table.fairness.get("mode") != "players":
        raise Problem("nonces_not_used", "This table uses no nonces.")
    if table.status != "open":
        raise Problem("table_not_open", "The table is closed.", params={"status": table.status})
    await call.service.nonces.bring(live.facts.id, call.caller.player, call.body.commitment)
    return await game_reply(call, live, allowed, live.state)


async def reveal(call: Call) -> Reply:
    """Show the nonce; after the last one the first hand is dealt."""
    live, allowed = await find_game(call)
    needed_seat(allowed)

    def decide(state: State) -> Decided:
        seat = needed_seat(access(live, call.principal, None))
        revealing = reveal_nonce(state, seat, call.body.nonce)
        state = fold(state, revealing)
        if missing_nonces(state.table):
            return revealing, state
        happened, state = begin(state, live.chance)
        return [*revealing, *happened], state

    done = await call.service.games.perform(live, command(call, "revealNonce", decide))
    return await game_reply(call, live, access(live, call.principal, None), done.state, 201)


async def nonce(call: Call) -> Reply:
    return await (commit_nonce(call) if isinstance(call.body, CommitNonce) else reveal(call))


OPERATIONS: Final = (
    Operation(
        id="startGame",
        method="POST",
        path="/v1/games/{game_id}/start",
        tag="games",
        summary="Start the game",
        description="Every seat must be taken. Where seats have committed to nonces, the first hand is dealt once all "
        "of them are revealed; otherwise at once.",
        headers=COMMAND_HEADERS,
        answers=(AnswerKind(status=201, description="The game.", kind=Game, headers=("ETag",)),),
        problems=(*COMMAND_PROBLEMS, "not_your_seat", "table_not_open", "seats_empty"),
        run=start_game,
    ),
    Operation(
        id="sendNonce",
        method="POST",
        path="/v1/games/{game_id}/nonce",
        tag="seats",
        summary="Commit to a nonce, or reveal it",
        body=NonceMessage,
        body_example={"type": "reveal", "nonce": "00" * 32},
        headers=COMMAND_HEADERS,
        answers=(
            AnswerKind(status=200, description="The commitment is kept.", kind=Game, headers=("ETag",)),
            AnswerKind(status=201, description="The nonce is revealed.", kind=Game, headers=("ETag",)),
        ),
        problems=(
            *COMMAND_PROBLEMS, "not_your_seat", "table_not_open", "table_not_closed", "nonces_not_used",
            "nonce_not_committed", "nonce_already_revealed", "nonce_wrong",
        ),
        run=nonce,
    ),
)  # fmt: skip
