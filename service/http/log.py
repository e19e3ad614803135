"""The signed log for outsiders: its keys, epochs and checkpoints, line by line as they were signed."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
import structlog
from msgspec import Meta, Struct

from service.checkpoints.lines import checkpoint_page, epoch_page, key_page
from service.checkpoints.proofs import Contradicted, checkpoint_line
from service.checkpoints.rows import key_ring, log_state
from service.checkpoints.signed import Checkpoint, CheckpointLine, EpochLine, KeyId, KeyLine, LineFault, LogId, Signed
from service.http.operations import JSON, NDJSON, PRIVATE, AnswerKind, Call, Operation, Reply
from service.http.parameters import invalid
from service.http.problems import Problem
from service.store.database import reached

log = structlog.get_logger(__name__)

PAGE_DEFAULT: Final = 100
PAGE_MAX: Final = 1000
NUMBER_MAX: Final = 10**15
ROWS_NUMBER_MAX: Final = 2**31 - 1
"""Keys and epochs are counted in integers of four bytes."""


class LinesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Those above the number `after`, at most `limit` of them."""

    after: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


class KeyShown(Struct, frozen=True, kw_only=True):
    """A key that may have signed: its id, which begins the SHA-256 of the raw public key, and that key in hex."""

    key: KeyId
    public_key: str


class Log(Struct, frozen=True, kw_only=True):
    """The log at the moment. The last of `keys` signs; `latest` is null until something of the epoch is sealed."""

    log: LogId
    epoch: int
    keys: tuple[KeyShown, ...]
    latest: CheckpointLine | None


class CheckpointPage(Struct, frozen=True, kw_only=True):
    """Checkpoints in order; `next` is the `after` of the next page, null where these are the last so far."""

    checkpoints: tuple[CheckpointLine, ...]
    next: int | None


class EpochPage(Struct, frozen=True, kw_only=True):
    """Announcements of epochs in order; `next` is the `after` of the next page, null at the end."""

    epochs: tuple[EpochLine, ...]
    next: int | None


class KeyPage(Struct, frozen=True, kw_only=True):
    """Statements of keys in order, numbered from 1. What another key vouches for stands twice, as both have signed it;
    `next` is the `after` of the next page, null at the end."""

    keys: tuple[KeyLine, ...]
    next: int | None


async def get_log(call: Call) -> Reply:
    pool = call.service.store.pool
    with reached():
        state = await log_state(pool)
        try:
            ring = await key_ring(pool)
        except LineFault as fault:
            raise contradicted(Contradicted(None)) from fault
    if state.epoch is None:
        raise not_yet_sealed(call, "The log has not begun yet.")
    latest = b"null"
    if state.checkpoint is not None and state.checkpoint.epoch == state.epoch.epoch:
        latest = (await needed_checkpoint(call, state.checkpoint.number))[1].line
    keys = [KeyShown(key=key, public_key=public.hex()) for key, public in ring.public_keys.items()]
    parts = (msgspec.json.encode(ring.log), state.epoch.epoch, msgspec.json.encode(keys), latest)
    return Reply(200, b'{"log":%b,"epoch":%d,"keys":%b,"latest":%b}' % parts)


async def list_checkpoints(call: Call) -> Reply:
    after, limit = _page(call)
    with reached():
        rows = await checkpoint_page(call.service.store.pool, after, limit + 1)
    return _lines_reply(call, "checkpoints", [(number, (line,)) for number, line in rows], limit)


async def list_epochs(call: Call) -> Reply:
    after, limit = _page(call)
    with reached():
        rows = await epoch_page(call.service.store.pool, min(after, ROWS_NUMBER_MAX), limit + 1)
    return _lines_reply(call, "epochs", [(row.number, row.lines) for row in rows], limit)


async def list_keys(call: Call) -> Reply:
    after, limit = _page(call)
    with reached():
        try:
            rows = await key_page(call.service.store.pool, min(after, ROWS_NUMBER_MAX), limit + 1)
        except LineFault as fault:
            raise contradicted(Contradicted(None)) from fault
    return _lines_reply(call, "keys", [(row.number, row.lines) for row in rows], limit)


async def get_checkpoint(call: Call) -> Reply:
    text = call.path["number"]
    # No second way to write a number.
    if not text.isascii() or not text.isdecimal() or text[0] == "0" or int(text) > NUMBER_MAX:
        raise invalid("number", f"a number of at least 1 and at most {NUMBER_MAX}")
    _, line = await needed_checkpoint(call, int(text))
    return Reply(200, line.line)


async def needed_checkpoint(call: Call, number: int | None) -> tuple[Checkpoint, Signed]:
    """The checkpoint of this number, or the newest one. Raises `Problem`."""
    try:
        with reached():
            found = await checkpoint_line(call.service.store.pool, number)
    except Contradicted as trouble:
        raise contradicted(trouble) from trouble
    if found is not None:
        return found
    if number is None:
        raise not_yet_sealed(call, "Nothing is sealed yet.")
    raise Problem("checkpoint_not_found", f"There is no checkpoint {number}.", params={"number": number})


def not_yet_sealed(call: Call, detail: str) -> Problem:
    """The problem of what the next checkpoint will cover."""
    seconds = math.ceil(call.service.settings.checkpoint_seconds)
    return Problem("not_yet_sealed", detail, headers=((b"retry-after", b"%d" % seconds),))


def contradicted(trouble: Contradicted) -> Problem:
    """The problem of a proof that cannot be given, because what is stored is not what was signed."""
    log.error("log_contradicted", shard=trouble.shard)
    return Problem(
        "log_contradicted",
        "What is stored is not what was signed. Keep what you have, and show it to whoever should know.",
        params={"shard": trouble.shard},
    )


def _page(call: Call) -> tuple[int, int]:
    query: LinesQuery = call.query
    return query.after, min(query.limit, call.service.settings.page_checkpoints_max)


def _lines_reply(call: Call, name: str, rows: Sequence[tuple[int, tuple[bytes, ...]]], limit: int) -> Reply:
    """A page as it was asked for; one row beyond the limit tells that there is more."""
    shown = rows[:limit]
    following = shown[-1][0] if len(rows) > limit else None
    lines = [line for _, several in shown for line in several]
    headers: list[Any] = [PRIVATE]
    if following is not None:
        headers.append((b"link", f'</v1/log/{name}?after={following}&limit={limit}>; rel="next"'.encode()))
    if call.accepts(NDJSON):
        return Reply(200, b"".join(line + b"\n" for line in lines), tuple(headers), NDJSON)
    content = b'{"%b":[%b],"next":%b}' % (name.encode(), b",".join(lines), msgspec.json.encode(following))
    return Reply(200, content, tuple(headers))


def _pages(description: str, page: type[Struct], line: type[Struct]) -> tuple[AnswerKind, ...]:
    return (
        AnswerKind(status=200, description=description, kind=page),
        AnswerKind(status=200, description=description, kind=line, media_types=(NDJSON,)),
    )


OPERATIONS: Final = (
    Operation(
        id="getLog",
        method="GET",
        path="/v1/log",
        tag="log",
        summary="The signed log: its keys and its newest checkpoint",
        credential="none",
        answers=(AnswerKind(status=200, description="The log.", kind=Log, media_types=(JSON,)),),
        problems=("not_yet_sealed", "log_contradicted"),
        run=get_log,
    ),
    Operation(
        id="listCheckpoints",
        method="GET",
        path="/v1/log/checkpoints",
        tag="log",
        summary="Signed checkpoints, oldest first",
        description="NDJSON has one signed line a line, as a witness keeps them; a `Link` header leads to the next "
        "page of either form. A body is signed as the bytes that it has here.",
        credential="none",
        query=LinesQuery,
        answers=_pages("A page of checkpoints.", CheckpointPage, CheckpointLine),
        run=list_checkpoints,
    ),
    Operation(
        id="getCheckpoint",
        method="GET",
        path="/v1/log/checkpoints/{number}",
        tag="log",
        summary="A signed checkpoint",
        credential="none",
        answers=(AnswerKind(status=200, description="The checkpoint.", kind=CheckpointLine),),
        problems=("checkpoint_not_found", "log_contradicted"),
        run=get_checkpoint,
    ),
    Operation(
        id="listKeys",
        method="GET",
        path="/v1/log/keys",
        tag="log",
        summary="The keys that sign, each vouched for by the one before",
        credential="none",
        query=LinesQuery,
        answers=_pages("A page of keys.", KeyPage, KeyLine),
        problems=("log_contradicted",),
        run=list_keys,
    ),
    Operation(
        id="listEpochs",
        method="GET",
        path="/v1/log/epochs",
        tag="log",
        summary="The epochs of the log and why each began",
        credential="none",
        query=LinesQuery,
        answers=_pages("A page of epochs.", EpochPage, EpochLine),
        run=list_epochs,
    ),
)
