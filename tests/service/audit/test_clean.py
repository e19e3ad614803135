"""An archive in which nothing is wrong."""

from pathlib import Path

import asyncpg

from service.audit.kept import KeptHead
from service.audit.run import Audit, Options
from tests.domain.golden_games import NAMES
from tests.service.audit.conftest import Shared
from tests.service.audit.within import findings_within


async def test_nothing_is_found_in_an_archive_of_games_of_every_preset_and_state(
    connection: asyncpg.Connection, shared: Shared
) -> None:
    rows = await connection.fetch("select stream, version, hash from event")
    heads = [KeptHead(game, n, hash_.hex()) for game, n, hash_ in rows]
    assert await findings_within(connection, rules=True, heads=heads, witness=shared.witness) == []


def test_an_audit_in_processes_counts_everything_it_looked_at(shared: Shared, tmp_path: Path) -> None:
    witness = tmp_path / "witness.jsonl"
    witness.write_bytes(b"".join(line + b"\n" for line in shared.witness))
    report = Audit(Options(url=shared.url, rules=True, witness=witness, processes=2)).run()
    assert report.findings == []
    assert report.ok
    counts = report.counts
    assert counts.events == counts.feed_events == report.cut.events > 8_000
    assert counts.games > counts.ended_games >= len(NAMES)
    assert (counts.shards, counts.keys, counts.epochs) == (16, 2, 1)
    assert counts.checkpoints == report.cut.checkpoint
    assert counts.roots >= counts.checkpoints
    assert counts.witness_lines == len(shared.witness)
