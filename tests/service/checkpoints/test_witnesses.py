"""Witnesses of the service's own: a file and an address that get every signed line, whatever happens to either side."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.checkpoints.holding import read_kept
from service.checkpoints.sealing import rotate
from service.checkpoints.witness_file import WitnessBroken, WitnessFile
from service.checkpoints.witness_hook import NotTaken, WitnessHook
from service.migrate import renew_epoch
from tests.service.checkpoints.conftest import SealedStore

SECONDS_MAX = 30.0


@pytest.fixture
async def long_log(sealed: SealedStore) -> list[bytes]:
    """Two epochs, two keys and some checkpoints."""
    for _ in range(3):
        await sealed.fill()
        await sealed.seal()
    async with sealed.pool.acquire() as connection, connection.transaction():
        await rotate(connection, sealed.keys)
    await renew_epoch(sealed.url)
    await sealed.seal()
    await sealed.fill()
    await sealed.seal()
    return await sealed.lines()


def lines_in(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


async def test_the_file_gets_every_line_once_however_often_it_is_looked_at(
    sealed: SealedStore, long_log: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    file = WitnessFile(path)
    assert await file.catch_up(sealed.pool) == len(long_log) == 10
    assert await file.catch_up(sealed.pool) == 0
    assert await WitnessFile(path).catch_up(sealed.pool) == 0
    assert lines_in(path) == long_log
    read_kept(long_log)


async def test_a_file_cut_at_any_byte_is_made_whole_without_a_line_lost_or_doubled(
    sealed: SealedStore, long_log: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    await WitnessFile(path).catch_up(sealed.pool)
    whole = path.read_bytes()
    for size in (*range(0, len(whole), 97), *(whole.index(line) + len(line) for line in long_log)):
        path.write_bytes(whole[:size])
        await WitnessFile(path).catch_up(sealed.pool)
        assert sorted(set(lines_in(path))) == sorted(lines_in(path)), size
        assert set(lines_in(path)) == set(long_log), size
        read_kept(lines_in(path))


async def test_lines_signed_after_a_restart_are_added(
    sealed: SealedStore, long_log: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    await WitnessFile(path).catch_up(sealed.pool)
    for _ in range(3):
        await sealed.fill()
        await sealed.seal()
        await WitnessFile(path).catch_up(sealed.pool)
    assert lines_in(path) == await sealed.lines()


async def test_workers_of_one_machine_add_to_the_file_one_at_a_time(
    sealed: SealedStore, long_log: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    await asyncio.gather(*(WitnessFile(path).catch_up(sealed.pool) for _ in range(4)))
    assert lines_in(path) == long_log


async def test_a_file_that_knows_another_checkpoint_than_the_database_is_told(
    sealed: SealedStore, long_log: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    await WitnessFile(path).catch_up(sealed.pool)
    await sealed.tamper(
        "update checkpoint set body = replace(encode(body, 'escape'), 'Z', 'Y')::bytea where number = 5"
    )
    with capture_logs() as logs:
        await WitnessFile(path).catch_up(sealed.pool)
    assert [(entry["event"], entry["checkpoint"]) for entry in logs] == [("witness_contradicts", 5)]


async def test_a_file_of_something_else_is_left_alone(
    sealed: SealedStore, long_log: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("dear diary\n")
    with pytest.raises(WitnessBroken, match="move that away"):
        await WitnessFile(path).catch_up(sealed.pool)
    assert path.read_text() == "dear diary\n"


class Receiver:
    """An address that answers with these statuses in turn, and 200 after them; 0 hangs up without an answer."""

    def __init__(self, statuses: Iterable[int]) -> None:
        self.statuses = deque(statuses)
        self.taken: list[bytes] = []
        self.asked = 0
        self.url = ""
        self.open: set[asyncio.Task[None]] = set()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.open.add(task)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = int(head.lower().partition(b"content-length:")[2].partition(b"\r")[0])
                body = await reader.readexactly(size)
                self.asked += 1
                status = self.statuses.popleft() if self.statuses else 200
                if status == 0:
                    break
                if status == 200:
                    self.taken.append(body)
                writer.write(b"HTTP/1.1 %d X\r\ncontent-length: 0\r\n\r\n" % status)
                await writer.drain()
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


@asynccontextmanager
async def receiving(*statuses: int) -> AsyncIterator[Receiver]:
    receiver = Receiver(statuses)
    server = await asyncio.start_server(receiver.answer, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/lines"
    try:
        yield receiver
    finally:
        server.close()
        for task in receiver.open:
            task.cancel()
        await asyncio.gather(*receiver.open, return_exceptions=True)


async def at_once(sealed: SealedStore) -> None:
    """Let the pause after a failure be over."""
    await sealed.pool.execute("update witness_cursor set leased_until = null")


async def test_an_address_gets_every_line_in_order(sealed: SealedStore, long_log: list[bytes]) -> None:
    async with receiving() as receiver:
        hook = WitnessHook(receiver.url, 5.0)
        assert await hook.catch_up(sealed.pool) == len(long_log)
        assert await hook.catch_up(sealed.pool) == 0
        await sealed.fill()
        await sealed.seal()
        again = WitnessHook(receiver.url, 5.0)
        assert await again.catch_up(sealed.pool) == 1
        await hook.close()
        await again.close()
    assert receiver.taken == await sealed.lines()


async def test_an_address_that_fails_is_tried_again_until_it_has_every_line_at_least_once(
    sealed: SealedStore, long_log: list[bytes]
) -> None:
    async with receiving(500, 200, 0, 200, 404, 200, 200, 503, 0, 500) as receiver:
        failures = 0
        hook = WitnessHook(receiver.url, 5.0)
        while True:
            try:
                await hook.catch_up(sealed.pool)
                break
            except NotTaken:
                failures += 1
                await at_once(sealed)
        await hook.close()
    assert failures == 6
    assert list(dict.fromkeys(receiver.taken)) == long_log


async def test_after_a_failure_the_address_is_left_in_peace_for_longer_each_time(
    sealed: SealedStore, long_log: list[bytes]
) -> None:
    pauses = [1, 2, 4, 8, 16, 32, 60, 60, 60]
    async with receiving(*[500] * len(pauses)) as receiver:
        hook = WitnessHook(receiver.url, SECONDS_MAX)
        for seconds in pauses:
            before = await sealed.pool.fetchval("select clock_timestamp()")
            with pytest.raises(NotTaken, match="status 500"):
                await hook.catch_up(sealed.pool)
            until, after = await sealed.pool.fetchrow("select leased_until, clock_timestamp() from witness_cursor")
            if until > after:
                assert await hook.catch_up(sealed.pool) == 0
            # It began with the failure, which was somewhere between the two.
            assert before <= until - timedelta(seconds=seconds) <= after
            await at_once(sealed)
        await hook.close()
        assert receiver.asked == len(pauses)


async def test_an_address_that_never_answers_holds_up_one_attempt_only_so_long(
    sealed: SealedStore, long_log: list[bytes]
) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    hook = WitnessHook(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", 0.2)
    async with asyncio.timeout(SECONDS_MAX):
        with pytest.raises(NotTaken, match="does not answer"):
            await hook.catch_up(sealed.pool)
    await hook.close()
    server.close()


async def test_two_workers_do_not_post_the_same_lines(sealed: SealedStore, long_log: list[bytes]) -> None:
    async with receiving() as receiver:
        hooks = [WitnessHook(receiver.url, 5.0) for _ in range(3)]
        await asyncio.gather(*(hook.catch_up(sealed.pool) for hook in hooks))
        for hook in hooks:
            await hook.close()
    assert receiver.taken == long_log
