"""`meldhouse verify --witness`: a record beside checkpoints that were kept, with the real service that proves it."""

import asyncio
import subprocess
import sys
from pathlib import Path

import httpx

from service.checkpoints.keys import key_directory
from service.settings import Settings
from tests.service.checkpoints.cheating import another_time, rewrite
from tests.service.cli.serving import ROOT
from tests.service.cli.test_witness import SECONDS_MAX, all_sealed, kept, settings, witness
from tests.service.http.conftest import LiveServer
from tests.service.http.tables import Table

__all__ = ["kept", "settings"]


async def verified(record: Path, *more: str | Path) -> tuple[int, str]:
    """The exit code, and the code of what is said after the verdict."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "service.cli", "verify", str(record), *map(str, more),
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    told, warned = await asyncio.wait_for(process.communicate(), SECONDS_MAX)
    assert process.returncode is not None
    assert not warned, warned.decode()
    verdict, *compared = told.decode().splitlines()
    assert ": ok, " in verdict
    return process.returncode, " ".join(line.split(": ")[1] for line in compared)


async def finished(url: str, record: Path) -> Table:
    """A game that has ended, and its record in a file."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        table = await Table.of(client, 2, visibility="public", watch={"who": "anyone"})
        await table.start()
        await table.play(4)
        await table.move({"type": "resign"}, 0)
        record.write_bytes((await client.get(f"{table.path}/record")).content)
        return table


async def test_a_record_is_held_to_the_checkpoint_that_was_kept(settings: Settings, kept: Path, tmp_path: Path) -> None:
    before, after, proof = tmp_path / "before.meld.jsonl", tmp_path / "after.meld.jsonl", tmp_path / "proof.json"
    async with LiveServer(settings) as live:
        table = await finished(live.url, before)
        await all_sealed(settings)
        assert (await witness(live.url, kept)).code == 0
        assert await verified(before, "--witness", kept, "--url", live.url) == (0, "held")
        async with live.client() as client:
            proof.write_bytes((await client.get(f"{table.path}/proof")).content)
        assert await verified(before, "--witness", kept, "--proof", proof) == (0, "held")
        later = tmp_path / "later.meld.jsonl"
        await finished(live.url, later)
        # What was kept does not reach so far yet, and the proof is of another game.
        assert await verified(later, "--witness", kept, "--url", live.url) == (1, "no_proof")
        assert await verified(later, "--witness", kept, "--proof", proof) == (1, "not_an_answer")
    assert settings.database_url is not None
    await rewrite(settings.database_url, key_directory(settings), table.id, change=another_time)
    async with LiveServer(settings) as live, live.client() as client:
        after.write_bytes((await client.get(f"{table.path}/record")).content)
        assert after.read_bytes() != before.read_bytes()
        assert await verified(after) == (0, "")
        assert await verified(after, "--witness", kept, "--url", live.url) == (1, "checkpoint_differs")
        # Who has kept the record finds it as well: the service has other events now.
        assert await verified(before, "--witness", kept, "--url", live.url) == (1, "head_differs")
    assert await verified(before, "--witness", kept, "--url", live.url) == (1, "no_proof")
