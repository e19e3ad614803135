"""Proofs that anybody can check: that an event is in the signed log, and that the log was only ever added to."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from service.checkpoints.holding import ConsistencyAnswer, ProofAnswer
from service.checkpoints.proofs import Contradicted, leaf_of, prove_consistency, prove_inclusion
from service.checkpoints.rows import key_ring
from service.checkpoints.signed import LineFault, Signed
from service.http.access import needed_viewer
from service.http.games import ShareCode
from service.http.log import NUMBER_MAX, contradicted, needed_checkpoint, not_yet_sealed
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.parameters import invalid
from service.http.problems import Problem
from service.http.tables import find_game
from service.store.base import VERSION_MAX
from service.store.database import reached
from service.visible import visible_version


class EventQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The event `n`, or with 0 the last one that you may know of; under this checkpoint, or with 0 the newest."""

    n: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    checkpoint: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 0


class ProofQuery(EventQuery, frozen=True, forbid_unknown_fields=True):
    """The event `n`, or with 0 the last one that you may know of; under this checkpoint, or with 0 the newest.
    `code` is that of a share link."""

    code: ShareCode = ""


class ConsistencyQuery(Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """Two checkpoints by number; with `to` 0 the newest. With `across` they may be of two epochs: then the proofs show
    that the new epoch begins with everything that the old one had sealed."""

    from_: Annotated[int, Meta(ge=1, le=NUMBER_MAX)] = 1
    to: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 0
    across: bool = False


async def get_proof(call: Call) -> Reply:
    query: ProofQuery = call.query
    live, allowed = await find_game(call, query.code)
    version = await visible_version(call.service.games, live, needed_viewer(allowed))
    return await prove(call, query, {"game": live.facts.id}, version)


async def prove(call: Call, query: EventQuery, stream: Mapping[str, str], version: int) -> Reply:
    """The proof for an event of a stream, of which the caller may know up to `version`.

    `stream` has one entry: what the stream is, and its name. Raises `Problem`: `event_not_found`,
    `checkpoint_not_found`, `checkpoint_too_early`, `not_yet_sealed`, `log_contradicted`.
    """
    ((what, name),) = stream.items()
    n = query.n or version
    pool = call.service.store.pool
    with reached():
        leaf = await leaf_of(pool, name, n) if n <= version else None
    if leaf is None:
        told = f"The {what} has no such event, or you may not know of it yet."
        raise Problem("event_not_found", told, params={"n": n})
    body, line = await needed_checkpoint(call, query.checkpoint or None)
    if leaf.index >= body.sizes[leaf.shard]:
        if not query.checkpoint:
            raise not_yet_sealed(call, "The event is in no checkpoint yet.")
        raise Problem(
            "checkpoint_too_early",
            f"The checkpoint {body.number} was signed before this event; a later one covers it.",
            params={"checkpoint": body.number, "n": n},
        )
    try:
        with reached():
            proof = await prove_inclusion(pool, body, leaf)
    except Contradicted as trouble:
        raise contradicted(trouble) from trouble
    claim = msgspec.json.encode(
        _Claim(
            n=n,
            hash=leaf.hash.hex(),
            shard=leaf.shard,
            index=leaf.index,
            size=body.sizes[leaf.shard],
            root=body.roots[leaf.shard],
            proof=tuple(step.hex() for step in proof),
            public_key=await _public_key(call, line),
        )
    )
    head = msgspec.json.encode(stream)[:-1]
    return Reply(200, b'%b,%b,"checkpoint":%b}' % (head, claim[1:-1], line.line))


async def get_consistency(call: Call) -> Reply:
    query: ConsistencyQuery = call.query
    new, new_line = await needed_checkpoint(call, query.to or None)
    old, old_line = await needed_checkpoint(call, query.from_)
    if old.number > new.number:
        raise invalid("from", f"a number of at most {new.number}")
    if old.epoch != new.epoch and not query.across:
        raise Problem(
            "checkpoints_of_two_epochs",
            "The trees began anew between the two; `across` asks whether they began with what was sealed before.",
            params={"epochs": [old.epoch, new.epoch]},
        )
    try:
        with reached():
            proofs = await prove_consistency(call.service.store.pool, old, new)
    except Contradicted as trouble:
        raise contradicted(trouble) from trouble
    shown = msgspec.json.encode([[step.hex() for step in proof] for proof in proofs])
    return Reply(200, b'{"from":%b,"to":%b,"proofs":%b}' % (old_line.line, new_line.line, shown))


async def _public_key(call: Call, line: Signed) -> str:
    with reached():
        try:
            ring = await key_ring(call.service.store.pool)
        except LineFault as fault:
            raise contradicted(Contradicted(None)) from fault
    public_key = ring.public_keys.get(line.key)
    if public_key is None:
        raise contradicted(Contradicted(None))
    return public_key.hex()


class _Claim(Struct, frozen=True, kw_only=True):
    """An `EventProof` without its checkpoint, which is sent as it was signed."""

    n: int
    hash: str
    shard: int
    index: int
    size: int
    root: str
    proof: tuple[str, ...]
    public_key: str


OPERATIONS: Final = (
    Operation(
        id="getConsistency",
        method="GET",
        path="/v1/log/consistency",
        tag="log",
        summary="The proof that the log was only added to between two checkpoints",
        credential="none",
        query=ConsistencyQuery,
        answers=(AnswerKind(status=200, description="A proof for each shard.", kind=ConsistencyAnswer),),
        problems=("checkpoint_not_found", "checkpoints_of_two_epochs", "not_yet_sealed", "log_contradicted"),
        run=get_consistency,
    ),
    Operation(
        id="getProof",
        method="GET",
        path="/v1/games/{game_id}/proof",
        tag="log",
        summary="The proof that an event is in the signed log",
        description="For whoever may see the game's events. All that is needed to check it without the service is in "
        "the answer, but for what you keep yourself: an earlier checkpoint, and the first key.",
        credential="optional",
        scope="watch",
        query=ProofQuery,
        answers=(AnswerKind(status=200, description="The proof.", kind=ProofAnswer),),
        problems=(
            "game_not_found", "watching_not_allowed", "game_sealed", "event_not_found", "checkpoint_not_found",
            "checkpoint_too_early", "not_yet_sealed", "log_contradicted",
        ),
        run=get_proof,
    ),
)  # fmt: skip
