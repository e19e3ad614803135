"""`meldhouse witness`: an outsider's view of a real service, which may be one that cheats."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Literal, Self

import asyncpg
import httpx
import pytest
from msgspec.structs import replace

from service.checkpoints.holding import read_kept
from service.checkpoints.keys import KeyDirectory, key_directory
from service.checkpoints.signed import LINE_BYTES_MAX, Checkpoint, read_line
from service.checkpoints.watching import checkpoint_of
from service.cli.client import NotReached
from service.cli.outside import ANSWER_BYTES_MAX, PAGE_LINES, PAGES_MAX, Outside
from service.cli.printable import SHOWN_CHARACTERS_MAX
from service.migrate import renew_epoch
from service.settings import Settings
from tests.service.checkpoints.cheating import rewrite
from tests.service.checkpoints.conftest import GUARDED
from tests.service.checkpoints.test_lines import FIRST, announced, sealed, vouched
from tests.service.cli.serving import ROOT
from tests.service.http.conftest import LiveServer
from tests.service.http.tables import Table

SECONDS_MAX = 90.0


@pytest.fixture
def settings(database: str, redis_url: str, tmp_path: Path) -> Settings:
    return Settings(
        state_dir=tmp_path,
        port=0,
        database_url=database,
        redis_url=redis_url,
        checkpoint_seconds=0.05,
        log_level="error",
    )


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept.jsonl"


class Watched:
    """What the command said, and its exit code."""

    def __init__(self, code: int, told: str, warned: str) -> None:
        self.code = code
        self.told = told
        self.warned = warned


async def witness(url: str, kept: Path, *more: str) -> Watched:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "service.cli", "witness", url, str(kept), *more,
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        told, warned = await asyncio.wait_for(process.communicate(), SECONDS_MAX)
    except TimeoutError:
        process.kill()
        raise
    assert process.returncode is not None
    assert b"Traceback" not in warned, warned.decode()
    return Watched(process.returncode, told.decode(), warned.decode())


async def played(url: str, turns: int = 3, pause: float = 0.12) -> Table:
    """Some turns of a new game, with a checkpoint after each."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        table = await Table.of(client, 2)
        await table.start()
        for _ in range(turns):
            await table.play(1)
            await asyncio.sleep(pause)
        return table


async def all_sealed(settings: Settings) -> None:
    assert settings.database_url is not None
    connection = await asyncpg.connect(settings.database_url)
    try:
        async with asyncio.timeout(SECONDS_MAX):
            while await connection.fetchval(
                "select (select sum(head) from shard) > coalesce((select sum(size::bigint) from checkpoint c,"
                " jsonb_array_elements_text(c.sizes::jsonb) size"
                " where c.number = (select max(number) from checkpoint)), 0)"
                " or (select max(epoch) from log_epoch)"
                " > (select epoch from checkpoint order by number desc limit 1)"
            ):
                await asyncio.sleep(0.02)
    finally:
        await connection.close()


async def test_new_lines_are_checked_and_kept_and_nothing_new_is_fine_too(settings: Settings, kept: Path) -> None:
    async with LiveServer(settings) as live:
        empty = await witness(live.url, kept)
        assert (empty.code, empty.told) == (0, "Nothing is sealed yet.\n")
        await played(live.url)
        await all_sealed(settings)
        first = await witness(live.url, kept)
        assert first.code == 0, first.warned
        assert "The first key: " in empty.warned
        again = await witness(live.url, kept, "--once")
        assert (again.code, again.told.endswith("nothing new\n")) == (0, True)
        before = kept.read_bytes()
        await played(live.url)
        await all_sealed(settings)
        more = await witness(live.url, kept)
        assert more.code == 0
        assert "goes on from checkpoint" in more.told
        assert kept.read_bytes().startswith(before)
        async with live.client() as client:
            latest = (await client.get("/v1/log")).json()["latest"]
    newest = read_kept(kept.read_bytes().splitlines()).newest
    assert newest is not None
    assert newest.body == read_line(kept.read_bytes().splitlines()[-1]).body
    assert latest["body"]["number"] == newest.body.number if isinstance(newest.body, Checkpoint) else False


async def test_it_catches_up_with_many_pages(settings: Settings, kept: Path) -> None:
    async with LiveServer(replace(settings, checkpoint_seconds=0.001, checkpoint_events_max=1)) as live:
        # A busy machine may seal several turns together.
        async with asyncio.timeout(SECONDS_MAX):
            while await _newest(live.url) <= PAGE_LINES:
                await played(live.url, turns=20, pause=0.01)
                await all_sealed(settings)
        done = await witness(live.url, kept)
    assert done.code == 0, done.warned
    numbers = [
        line.body.number for line in map(read_line, kept.read_bytes().splitlines()) if isinstance(line.body, Checkpoint)
    ]
    assert len(numbers) > PAGE_LINES
    assert numbers == list(range(1, len(numbers) + 1))


async def test_it_follows_until_it_is_stopped_and_through_an_outage(settings: Settings, kept: Path) -> None:
    async with LiveServer(settings) as live:
        command = [sys.executable, "-m", "service.cli", "witness", live.url, str(kept), "--follow", "--seconds", "0.1"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                await played(live.url)
                await all_sealed(settings)
                newest = (await _log(live.url))["latest"]["body"]["number"]
                deadline = time.monotonic() + SECONDS_MAX
                while not kept.exists() or b'"number":%d,' % newest not in kept.read_bytes():
                    assert time.monotonic() < deadline
                    await asyncio.sleep(0.05)
                assert process.poll() is None
                refused = await witness(live.url, kept)
                assert (refused.code, refused.warned) == (2, f"Error: Another process adds to {kept}.\n")
            finally:
                process.send_signal(signal.SIGTERM)
                await asyncio.to_thread(process.wait, SECONDS_MAX)
        assert (await witness(live.url, kept)).code == 0


async def _log(url: str) -> Any:
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        return (await client.get("/v1/log")).json()


async def _newest(url: str) -> int:
    """The number of the newest checkpoint; 0 while there is none."""
    latest = (await _log(url)).get("latest")
    return 0 if latest is None else int(latest["body"]["number"])


Cheat = Callable[[str, KeyDirectory, str], Awaitable[None]]


async def everything(url: str, keys: KeyDirectory, game: str) -> None:
    """The game, its hashes, all nodes, and all checkpoints signed anew with the real key."""
    await rewrite(url, keys, game)


async def rows_and_nodes(url: str, keys: KeyDirectory, game: str) -> None:
    """The checkpoints stay; what is signed from then on is over other events."""
    await rewrite(url, keys, game, sign=False)


async def under_a_new_epoch(url: str, keys: KeyDirectory, game: str) -> None:
    """As if a backup had been restored, which is announced as the runbook says."""
    await rewrite(url, keys, game, sign=False)
    await renew_epoch(url)


async def cut(url: str, keys: KeyDirectory, game: str) -> None:
    """The last checkpoint is gone, and what is kept beside the key too."""
    await _as_owner(url, "delete from checkpoint where number = (select max(number) from checkpoint)")
    for file in keys.path.glob("*.last.json"):
        file.unlink()


async def forged_signature(url: str, keys: KeyDirectory, game: str) -> None:
    """Somebody without the key puts in a checkpoint."""
    await _as_owner(
        url,
        "insert into checkpoint (number, epoch, at, body, key, signature) select number + 1, epoch, at,"
        " replace(replace(encode(body, 'escape'), '\"number\":' || number, '\"number\":' || number + 1),"
        " '\"sizes\":[', '\"sizes\":[1')::bytea, key, signature from checkpoint order by number desc limit 1",
    )


async def _as_owner(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("set session_replication_role = replica")
        for table in GUARDED:
            await connection.execute(f"alter table {table} disable trigger all")
        await connection.execute(statement)
        for table in GUARDED:
            await connection.execute(f"alter table {table} enable always trigger {table}_is_append_only")
    finally:
        await connection.close()


@pytest.mark.parametrize(
    ("cheat", "codes", "restart"),
    [
        (everything, {"number_reused"}, False),
        (everything, {"number_reused"}, True),
        (rows_and_nodes, {"rewritten"}, True),
        (under_a_new_epoch, {"rewritten"}, True),
        (cut, {"log_shrank", "number_reused"}, True),
        (forged_signature, {"line_wrong"}, False),
    ],
)
async def test_a_log_that_was_tampered_with_is_found_by_what_was_kept(
    settings: Settings, kept: Path, cheat: Cheat, codes: set[str], restart: bool
) -> None:
    assert settings.database_url is not None
    async with LiveServer(settings) as live:
        game = (await played(live.url)).id
        await all_sealed(settings)
        assert (await witness(live.url, kept)).code == 0
        before = kept.read_bytes()
        found = None
        if not restart:
            await cheat(settings.database_url, key_directory(settings), game)
            found = await witness(live.url, kept)
    if restart:
        await cheat(settings.database_url, key_directory(settings), game)
        async with LiveServer(settings) as live:
            await played(live.url, turns=1)
            await all_sealed(settings)
            found = await witness(live.url, kept)
    assert found is not None
    assert found.code == 1
    assert any(f"CONTRADICTION ({code})" in found.warned for code in codes), found.warned
    # What was good stays, and the two lines that contradict each other are named and kept.
    assert kept.read_bytes().startswith(before)
    evidence = kept.with_name("kept.jsonl.contradiction").read_bytes().splitlines()
    assert evidence
    assert all(line.decode()[:SHOWN_CHARACTERS_MAX] in found.warned for line in evidence)
    assert "number_reused" not in codes or len(evidence) == 2 or "log_shrank" in found.warned


async def test_a_new_epoch_over_the_same_events_is_told_aloud_and_accepted(settings: Settings, kept: Path) -> None:
    assert settings.database_url is not None
    async with LiveServer(settings) as live:
        await played(live.url)
        await all_sealed(settings)
        assert (await witness(live.url, kept)).code == 0
        await renew_epoch(settings.database_url)
        async with asyncio.timeout(SECONDS_MAX):
            while (await _log(live.url))["epoch"] < 2:
                await asyncio.sleep(0.02)
        await played(live.url)
        await all_sealed(settings)
        found = await witness(live.url, kept)
        assert found.code == 0, found.warned
        assert "NEW EPOCH 2 after checkpoint" in found.warned
        assert "restored" in found.warned
        assert (await witness(live.url, kept)).warned == ""


async def test_the_operators_first_key_can_be_named(settings: Settings, kept: Path) -> None:
    async with LiveServer(settings) as live:
        await played(live.url)
        await all_sealed(settings)
        wrong = await witness(live.url, kept, "--key", "0" * 16)
        assert (wrong.code, "The first key of this log is" in wrong.warned) == (1, True)
        key = (await _log(live.url))["keys"][0]["key"]
        assert (await witness(live.url, kept, "--key", key)).code == 0


async def test_a_line_of_the_own_file_that_was_changed_is_named(settings: Settings, kept: Path) -> None:
    async with LiveServer(settings) as live:
        await played(live.url)
        await all_sealed(settings)
        assert (await witness(live.url, kept)).code == 0
        good = kept.read_bytes()
        kept.write_bytes(good.replace(b'"epoch":1,"log"', b'"epoch":2,"log"', 1))
        found = await witness(live.url, kept)
        assert (found.code, f"{kept}:3: " in found.warned) == (1, True), found.warned
        # A line that was cut off is fetched again.
        kept.write_bytes(good[:-100])
        assert (await witness(live.url, kept)).code == 0
        assert kept.read_bytes() == good


async def test_a_service_that_is_not_there_is_told_in_one_line(kept: Path) -> None:
    found = await witness("http://127.0.0.1:1", kept)
    assert (found.code, found.told) == (1, "")
    assert found.warned.startswith("Error: The service at http://127.0.0.1:1 does not answer")
    assert (await witness("ftp://nowhere", kept)).code == 2


class Liar:
    """A service that answers with what it is told to, whatever is asked; its lines are rightly signed.

    `link` is the header of every answer, of which `{}` becomes another number each time. What is `slow` of an answer
    comes a byte at a time.
    """

    def __init__(
        self, answers: dict[str, bytes], *, link: str | None = None, slow: Literal["head", "body"] | None = None
    ) -> None:
        numbers = count(1)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = answers.get(self.path.partition("?")[0], b"")
                head = f"HTTP/1.0 200 OK\r\nContent-Length: {len(content)}\r\n"
                if link is not None:
                    head += f"Link: {link.format(next(numbers))}\r\n"
                with suppress(OSError):
                    self._put(head.encode() + b"\r\n", slow == "head")
                    self._put(content, slow == "body")

            def _put(self, content: bytes, slow: bool) -> None:
                for piece in (bytes([byte]) for byte in content) if slow else [content]:
                    self.wfile.write(piece)
                    if slow:
                        time.sleep(0.1)

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.mark.parametrize("proofs", [b"[]", b"[[]]", b'[["%b"]]' % (b"0" * 64), b"no JSON"])
async def test_a_proof_is_checked_here_and_not_believed(kept: Path, proofs: bytes) -> None:
    first = sealed(1, (3,))
    honest = [vouched(FIRST, None).line, announced(1, 0).line, first.line]
    kept.write_bytes(b"".join(line + b"\n" for line in honest))
    forged = FIRST.sign(replace(checkpoint_of(sealed(2, (5,), first)), roots=("0" * 64,)))
    answers = {
        "/v1/log/keys": honest[0],
        "/v1/log/epochs": honest[1],
        "/v1/log/checkpoints": forged.line,
        "/v1/log/checkpoints/1": honest[2],
        "/v1/log/consistency": b'{"proofs":%b}' % proofs,
    }
    with Liar(answers) as liar:
        found = await witness(liar.url, kept)
    assert (found.code, "CONTRADICTION (rewritten)" in found.warned) == (1, True), found.warned
    assert kept.with_name("kept.jsonl.contradiction").read_bytes().splitlines() == [first.line, forged.line]
    assert kept.read_bytes().splitlines() == honest


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("</v1/log/epochs?limit=100>", "does not lead on from its epochs after 0"),
        ("</v1/log/epochs?after=7>", "does not lead on from its epochs after 7"),
        ("</v1/log/epochs?after={}>", f"has more than {PAGES_MAX} pages of epochs"),
    ],
)
async def test_pages_that_do_not_come_to_an_end_are_not_followed(kept: Path, link: str, told: str) -> None:
    with Liar({"/v1/log/epochs": announced(1, 0).line}, link=f'{link}; rel="next"') as liar:
        found = await witness(liar.url, kept)
    assert (found.code, told in found.warned) == (1, True), found.warned


async def test_a_checkpoint_that_is_repeated_for_ever_is_not_taken_for_ever(kept: Path) -> None:
    first = sealed(1, (3,))
    honest = [vouched(FIRST, None).line, announced(1, 0).line, first.line]
    kept.write_bytes(b"".join(line + b"\n" for line in honest))
    answers = {
        "/v1/log/keys": honest[0],
        "/v1/log/epochs": honest[1],
        "/v1/log/checkpoints": b"\n".join(PAGE_LINES * [first.line]),
        "/v1/log/checkpoints/1": first.line,
    }
    with Liar(answers) as liar:
        found = await witness(liar.url, kept)
    assert (found.code, "repeats the checkpoint 1 for ever" in found.warned) == (1, True), found.warned


@pytest.mark.parametrize("slow", ["head", "body"])
def test_an_answer_that_trickles_is_not_waited_for(
    slow: Literal["head", "body"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.outside.REQUEST_SECONDS_MAX", 0.5)
    with (
        Liar({"/v1/games/g/proof": b"." * 40}, slow=slow) as liar,
        Outside(liar.url) as outside,
        pytest.raises(NotReached, match=r"does not end its answer within 0\.5 seconds"),
    ):
        outside.proof("g", 1, 1, None)


async def test_an_answer_has_a_size(kept: Path) -> None:
    with Liar({"/v1/log/checkpoints": b"." * (ANSWER_BYTES_MAX + 1)}) as liar:
        found = await witness(liar.url, kept)
    assert found.code == 1
    assert f"answers with more than {ANSWER_BYTES_MAX} bytes" in found.warned, found.warned[:1000]


async def test_of_a_line_too_long_for_a_terminal_the_beginning_is_shown_and_kept(kept: Path) -> None:
    with Liar({"/v1/log/checkpoints": b"\x1b" + b"." * 5_000_000}) as liar:
        found = await witness(liar.url, kept)
    assert found.code == 1
    shown = "told: \\x1b" + "." * (SHOWN_CHARACTERS_MAX - 1) + "… (5000001 characters)\n"
    assert shown in found.warned, found.warned[:1000]
    evidence = kept.with_name("kept.jsonl.contradiction").read_bytes()
    assert evidence == b"\x1b" + b"." * (LINE_BYTES_MAX - 1) + b"\n"
