"""Verdicts on records that people send in, each found by a process of its own.

A process that is judging holds up no move, dies with whatever the file does to it, and can be ended when its time is
over. It reads the record as it comes in, so that nothing of it is kept here.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Final

import msgspec
import structlog

from domain.records.verdicts import Verdict
from service.commands import Denied

log = structlog.get_logger(__name__)

_VERIFY: Final = ("-m", "service.cli", "verify", "--json", "-")
_verdicts: Final = msgspec.json.Decoder(tuple[Verdict])


class TooManyUploads(Denied):
    """As many records are being judged as may be."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class JudgingTooSlow(Denied):
    """A verdict was not there in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class JudgeFailed(RuntimeError):
    """The process ended without a verdict, which no record should bring about."""


class Judges:
    """The processes of one worker, at most `judges_max` at a time, each for at most `seconds`."""

    def __init__(self, judges_max: int, seconds: float) -> None:
        self._judges_max = judges_max
        self._seconds = seconds
        self._busy = 0

    async def judge(self, chunks: AsyncIterator[bytes]) -> Verdict:
        """The verdict on the record that comes in these chunks.

        Raises `TooManyUploads`, `JudgingTooSlow`, `JudgeFailed`, and what reading a chunk raises.
        """
        if self._busy >= self._judges_max:
            raise TooManyUploads(self._judges_max)
        self._busy += 1
        try:
            async with asyncio.timeout(self._seconds):
                return await _judged(chunks)
        except TimeoutError:
            raise JudgingTooSlow(self._seconds) from None
        finally:
            self._busy -= 1


async def _judged(chunks: AsyncIterator[bytes]) -> Verdict:
    pipe = asyncio.subprocess.PIPE
    # In a session of its own, so that a Ctrl-C in the terminal is left to the service.
    judge = await asyncio.create_subprocess_exec(
        sys.executable, *_VERIFY, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    )
    assert judge.stdin is not None
    assert judge.stdout is not None
    assert judge.stderr is not None
    telling = asyncio.gather(judge.stdout.read(), judge.stderr.read())
    try:
        await _hand_over(chunks, judge.stdin)
        told, complaint = await telling
        await judge.wait()
    finally:
        if judge.returncode is None:
            judge.kill()
            await judge.wait()
        telling.cancel()
    try:
        return _verdicts.decode(told)[0]
    except msgspec.MsgspecError as error:
        log.error("judge_failed", exit_code=judge.returncode, complaint=complaint.decode(errors="replace")[-500:])
        raise JudgeFailed from error


async def _hand_over(chunks: AsyncIterator[bytes], stdin: asyncio.StreamWriter) -> None:
    """Pass a record on; what comes after the judge has seen enough is read and let go."""
    async for chunk in chunks:
        try:
            stdin.write(chunk)
            await stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            continue
    stdin.close()
