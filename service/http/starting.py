"""The start: the table is closed, nonces are revealed, the first hand is dealt (fairness document, steps 3 to 5)."""

import time
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.evolve import fold
from domain.lobby import close, hand_over, reveal_nonce
from domain.playing import begin
from domain.state import State
from domain.waiting import awaited_beacon, missing_nonces
from service.commands import Decided
from service.http.access import Access, access, needed_seat
from service.http.commands import COMMAND_HEADERS, COMMAND_PROBLEMS, command
from service.http.opening import Commitment, check_commitment, uses_nonces
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.tables import Game, find_game, game_reply
from service.live import LiveGame
from service.offline.beacons import Chain
from service.store.append import PutNonce

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
    commitments: list[str | None] = []
    chain = _chain(call, live)

    async def prepare(state: State) -> None:
        nonlocal commitments
        commitments = await _commitments(call, live, state)

    def decide(state: State) -> Decided:
        closing = close(state, commitments, None if chain is None else chain.fixed_at(time.time()))
        state = fold(state, closing)
        if missing_nonces(state.table) or awaited_beacon(state.table) is not None:
            return closing, state
        happened, state = begin(state, live.chance)
        return [*closing, *happened], state

    def rights() -> Access:
        return allowed

    done = await call.service.games.perform(live, command(call, "startGame", decide, rights, prepare=prepare))
    return await game_reply(call, live, access(live, call.principal, None), done.state, 201)


def _chain(call: Call, live: LiveGame) -> Chain | None:
    """The chain of the table's beacon. Raises `Problem`."""
    if live.facts.beacon is None:
        return None
    chain = call.service.chains.of(live.facts.beacon)
    if chain is None:
        raise Problem("beacon_unknown", f"The chain {live.facts.beacon} is not known to this service any more.")
    return chain


async def _commitments(call: Call, live: LiveGame, state: State) -> list[str | None]:
    """By seat what its holder has committed to."""
    players = [None if held is None else held.player for held in state.table.seats]
    if not uses_nonces(state) or state.table.status != "open":
        return [None] * len(players)
    seated = [player for player in players if player is not None]
    brought = dict(zip(seated, await call.service.nonces.brought(live.facts.id, seated), strict=True))
    return [None if player is None else brought[player] for player in players]


async def commit_nonce(call: Call) -> Reply:
    """Sit down anew with a commitment, as long as the table is open."""
    live, allowed = await find_game(call)
    needed_seat(allowed)
    player = call.caller.player

    def rights() -> Access:
        return access(live, call.principal, None)

    def decide(state: State) -> Decided:
        seat = needed_seat(rights())
        check_commitment(state)
        happened = hand_over(state, seat, player, player)
        return happened, fold(state, happened)

    writes = (PutNonce(player, call.body.commitment),)
    done = await call.service.games.perform(live, command(call, "commitNonce", decide, rights, writes=writes))
    return await game_reply(call, live, rights(), done.state)


async def reveal(call: Call) -> Reply:
    """Show the nonce; after the last one the first hand is dealt, unless a beacon's round is awaited."""
    live, allowed = await find_game(call)
    needed_seat(allowed)

    def rights() -> Access:
        return access(live, call.principal, None)

    def decide(state: State) -> Decided:
        seat = needed_seat(rights())
        revealing = reveal_nonce(state, seat, call.body.nonce)
        state = fold(state, revealing)
        if missing_nonces(state.table) or awaited_beacon(state.table) is not None:
            return revealing, state
        happened, state = begin(state, live.chance)
        return [*revealing, *happened], state

    done = await call.service.games.perform(live, command(call, "revealNonce", decide, rights))
    return await game_reply(call, live, rights(), done.state, 201)


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
        "of them are revealed, and where the table uses a beacon, once the round has come out that is fixed now; "
        "otherwise at once.",
        scope="play",
        headers=COMMAND_HEADERS,
        answers=(AnswerKind(status=201, description="The game.", kind=Game, headers=("ETag",)),),
        problems=(*COMMAND_PROBLEMS, "not_your_seat", "table_not_open", "seats_empty", "beacon_unknown"),
        run=start_game,
    ),
    Operation(
        id="sendNonce",
        method="POST",
        path="/v1/games/{game_id}/nonce",
        tag="seats",
        summary="Commit to a nonce, or reveal it",
        description="To commit is to sit down anew with the commitment: the events say that you left the seat and took "
        "it again.",
        scope="play",
        body=NonceMessage,
        body_example={"type": "reveal", "nonce": "00" * 32},
        headers=COMMAND_HEADERS,
        answers=(
            AnswerKind(status=200, description="You sit with this commitment.", kind=Game, headers=("ETag",)),
            AnswerKind(status=201, description="The nonce is revealed.", kind=Game, headers=("ETag",)),
        ),
        problems=(
            *COMMAND_PROBLEMS, "not_your_seat", "table_not_open", "table_not_closed", "nonces_not_used",
            "nonce_not_committed", "nonce_already_revealed", "nonce_wrong",
        ),
        run=nonce,
    ),
)  # fmt: skip
