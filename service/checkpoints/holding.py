"""Answers of the service about its log, and the verdict whether a record stands under lines kept elsewhere."""

from collections.abc import Iterable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from domain.merkle import leaf_hash
from domain.merkle_proofs import verify_inclusion
from service.checkpoints.signed import CheckpointLine, Hash, LineFault, Signed, read_line
from service.checkpoints.watching import Watch, checkpoint_of

HoldingCode = Literal[
    "held", "not_an_answer", "head_differs", "checkpoint_not_kept", "checkpoint_differs", "proof_wrong"
]
Place = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class EventProof(Struct, frozen=True, kw_only=True):
    """The event `n` is leaf `index` of a shard's tree, which under the signed `checkpoint` has this size and root;
    `proof` leads from the leaf, whose data are the 32 bytes of `hash`, to the root (RFC 6962)."""

    n: int
    hash: Hash
    shard: Place
    index: Place
    size: Place
    root: Hash
    proof: tuple[Hash, ...]
    public_key: Hash
    checkpoint: CheckpointLine


class ProofAnswer(EventProof, frozen=True, kw_only=True):
    """The proof for the event `n` of a game."""

    game: str


class TournamentProofAnswer(EventProof, frozen=True, kw_only=True):
    """The proof for the event `n` of a tournament."""

    tournament: str


class ConsistencyAnswer(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """Two signed checkpoints, and by shard the proof that the later tree begins with the earlier one (RFC 6962)."""

    from_: CheckpointLine
    to: CheckpointLine
    proofs: tuple[tuple[Hash, ...], ...]


class Holding(Struct, frozen=True):
    """The verdict on a record: held, or what is wrong, for people in `message`."""

    code: HoldingCode
    message: str
    checkpoint: int | None

    @property
    def ok(self) -> bool:
        return self.code == "held"


class Kept(Struct, frozen=True):
    """Lines that were kept outside: the digests of the checkpoints by number, and the newest checkpoint."""

    digests: dict[int, str]
    newest: Signed | None


class _Sent(Struct, frozen=True):
    game: str
    n: int
    hash: Hash
    shard: Place
    index: Place
    proof: tuple[Hash, ...]
    checkpoint: msgspec.Raw


_sent: Final = msgspec.json.Decoder(_Sent)


def read_kept(lines: Iterable[bytes]) -> Kept:
    """Lines as `meldhouse witness` or the service's witness file has them, each checked. Raises `Contradiction`."""
    watch = Watch()
    digests: dict[int, str] = {}
    for line in lines:
        signed = watch.take(line)
        if signed is not None and signed is watch.last:
            digests[checkpoint_of(signed).number] = signed.digest
    return Kept(digests, watch.last)


def judge(game: str, events: int, head: str, answer: bytes, kept: Kept) -> Holding:
    """Whether the record of a game, with so many events and this head hash, is under a checkpoint that was kept.

    `answer` is what `GET /v1/games/{game}/proof?n=<events>&checkpoint=<number>` gave, with the number of a kept
    checkpoint such as `kept.newest`. Nothing in it is believed but what leads to the root that was kept.
    """
    try:
        sent = _sent.decode(answer)
        checkpoint = read_line(bytes(sent.checkpoint))
        body = checkpoint_of(checkpoint)
    except (msgspec.DecodeError, LineFault, AssertionError, UnicodeDecodeError):
        return Holding("not_an_answer", "This is no proof of an event.", None)
    number = body.number
    if (sent.game, sent.n) != (game, events):
        return Holding("not_an_answer", f"The proof is of event {sent.n} of the game {sent.game}.", number)
    if sent.hash != head:
        return Holding("head_differs", f"The service has another event {events}: the record was rewritten.", number)
    known = kept.digests.get(number)
    if known is None:
        return Holding("checkpoint_not_kept", f"Checkpoint {number} is not among those kept.", number)
    if known != checkpoint.digest:
        return Holding("checkpoint_differs", f"The checkpoint {number} that was kept is another one.", number)
    proof = [bytes.fromhex(step) for step in sent.proof]
    inside = sent.shard < len(body.sizes)
    if not inside or not verify_inclusion(
        leaf_hash(bytes.fromhex(head)), sent.index, body.sizes[sent.shard], proof, bytes.fromhex(body.roots[sent.shard])
    ):
        return Holding("proof_wrong", f"The proof does not lead to the root of checkpoint {number}.", number)
    return Holding("held", f"The record's head is under checkpoint {number}, which was kept, of {body.at}.", number)
