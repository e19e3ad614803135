"""Records sent in by anybody, and the verdict on them (formats, part 7)."""

from collections.abc import AsyncIterator
from typing import Any, Final

from domain.records.verdicts import Verdict
from service.http.bodies import receive_pieces
from service.http.endpoints import send_reply
from service.http.operations import JSON, NDJSON, AnswerKind, Call, Operation, reply
from service.http.problems import Problem
from service.judging import JudgingTooSlow, TooManyUploads

OCTETS: Final = "application/octet-stream"
MEDIA_TYPES: Final = (NDJSON, OCTETS)


async def create_verification(call: Call, receive: Any, send: Any) -> int:
    """Judge a record while it comes in; nothing of it is kept."""
    kind = call.headers.get(b"content-type", b"").partition(b";")[0].strip().lower().decode("latin-1")
    if kind not in MEDIA_TYPES:
        needed = " or ".join(MEDIA_TYPES)
        raise Problem("unsupported_media_type", f"Send the record as {needed}.", params={"needed": list(MEDIA_TYPES)})
    limit = call.service.settings.verification_bytes_max
    pieces: AsyncIterator[bytes] = receive_pieces(receive, call.headers, limit)
    try:
        verdict = await call.service.judges.judge(pieces)
    except TooManyUploads as busy:
        raise Problem(
            "busy",
            f"{busy.limit} records are being verified; try again.",
            params={"limit": busy.limit},
            headers=((b"connection", b"close"),),
        ) from busy
    except JudgingTooSlow as slow:
        raise Problem(
            "verification_too_slow",
            f"A record has {slow.seconds:g} seconds to come in and be verified; `meldhouse verify` takes its time.",
            params={"seconds": slow.seconds},
            headers=((b"connection", b"close"),),
        ) from slow
    answer = reply(200, verdict)
    await send_reply(send, answer)
    return answer.status


OPERATIONS: Final = (
    Operation(
        id="createVerification",
        method="POST",
        path="/v1/verifications",
        tag="records",
        summary="The verdict on a record that you send",
        description="Send the file as it is. It is judged while it comes in, as `meldhouse verify` does it, and not "
        "kept; that it is wrong is an answer like any other (200, `ok` false, and the first fault with its line).",
        credential="optional",
        scope="watch",
        upload=MEDIA_TYPES,
        answers=(AnswerKind(status=200, description="The verdict.", kind=Verdict, media_types=(JSON,)),),
        problems=("busy", "verification_too_slow"),
        run_raw=create_verification,
    ),
)
