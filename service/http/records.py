"""Records of finished games, and the verdict on them (formats, part 7)."""

import asyncio
from collections.abc import Iterator
from typing import Any, Final

from domain.records.verdicts import Verdict
from domain.records.verification import verify
from domain.records.writer import header_of, players_of, stored_record
from service.http.access import check_public
from service.http.games import GameQuery
from service.http.operations import NDJSON, PRIVATE, AnswerKind, Call, Operation, Reply, reply
from service.http.tables import find_game, show_seats
from service.live import LiveGame
from service.players import ERASED_NAME

CHUNK_BYTES: Final = 65_536


async def get_record(call: Call, _receive: Any, send: Any) -> int:
    """Send the record of a finished game, line by line."""
    live = await _finished(call)
    lines = await _lines(call, live)
    headers = [
        (b"content-type", NDJSON.encode()),
        (b"content-disposition", b'attachment; filename="%b.meld.jsonl"' % live.facts.id.encode()),
        PRIVATE,
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for chunk in _chunks(lines):
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
    return 200


def _chunks(lines: Iterator[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size >= CHUNK_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


async def get_verification(call: Call) -> Reply:
    """Judge the record of a finished game, as anybody can offline."""
    live = await _finished(call)

    async def judge() -> Verdict:
        # Many moves are decided anew: that must not hold up the moves of others.
        return await asyncio.to_thread(verify, await _lines(call, live), beacon=call.service.chains)

    return reply(200, await call.service.verdicts.of(live.facts.id, judge))


async def _finished(call: Call) -> LiveGame:
    """The game that the path names, if its record is public. Raises `Problem`, `GameUnknown`."""
    live, _ = await find_game(call, call.query.code)
    check_public(live)
    return live


async def _lines(call: Call, live: LiveGame) -> Iterator[bytes]:
    seats = await show_seats(call, live.state.table)
    people = [seat for seat in seats if seat.kind == "human"]
    names = {seat.player: seat.name or ERASED_NAME for seat in people if seat.player is not None}
    header = header_of(live.facts.id, players_of(live.state, names), live.state)
    stored = await call.service.games.stored(live)
    return stored_record(header, [(event.body, event.hash) for event in stored])


OPERATIONS: Final = (
    Operation(
        id="getRecord",
        method="GET",
        path="/v1/games/{game_id}/record",
        tag="records",
        summary="The record of a finished game",
        description="JSON Lines: a header, every event with nothing hidden and its hashes, a trailer. A record without "
        "its trailer is cut off.",
        credential="optional",
        scope="watch",
        query=GameQuery,
        answers=(AnswerKind(status=200, description="The record.", kind=str, media_types=(NDJSON,)),),
        problems=("game_not_found", "game_sealed", "record_not_public"),
        run_raw=get_record,
    ),
    Operation(
        id="getVerification",
        method="GET",
        path="/v1/games/{game_id}/verification",
        tag="records",
        summary="The verdict on a finished game",
        credential="optional",
        scope="watch",
        query=GameQuery,
        answers=(AnswerKind(status=200, description="The verdict.", kind=Verdict),),
        problems=("game_not_found", "game_sealed", "record_not_public", "busy"),
        run=get_verification,
    ),
)
