"""A game rewritten by the rules with every hash anew: nothing in its rows shows it, what was signed or kept does."""

import asyncio
import random
import shutil
from pathlib import Path
from zlib import crc32

import asyncpg
import pytest

from service.audit.findings import FindingCode as F
from service.checkpoints.keys import KeyDirectory
from service.checkpoints.sealing import Sealing
from service.migrate import renew_epoch
from service.store.postgres import PostgresStore
from tests.service.audit.archive import TURNS
from tests.service.audit.conftest import Shared
from tests.service.audit.rewritings import rewritten_by_the_rules
from tests.service.audit.tampered import Archive, unguarded
from tests.service.audit.within import Part, findings_within


async def test_by_its_rows_alone_it_is_a_game_like_any_other(connection: asyncpg.Connection, archive: Archive) -> None:
    done = await rewritten_by_the_rules(connection, archive, random.Random(1))
    assert await findings_within(connection, Part(done.games, (), False), rules=True) == []


async def test_the_checkpoints_and_a_kept_head_show_it(connection: asyncpg.Connection, archive: Archive) -> None:
    done = await rewritten_by_the_rules(connection, archive, random.Random(1))
    findings = await findings_within(connection, heads=done.heads)
    assert {finding.code for finding in findings} == {F.ROOT_WRONG, F.KEPT_HEAD_DIFFERS}
    (root,) = [finding for finding in findings if finding.code is F.ROOT_WRONG]
    assert (root.shard, root.severity) == (archive.shard_of(done.games[0]), "error")
    first = await connection.fetchval("select min(position) from event where stream = $1", done.games[0])
    sizes = dict(
        await connection.fetch("select number, (sizes::jsonb ->> $1::int)::bigint from checkpoint", root.shard)
    )
    assert root.checkpoint == min(number for number, size in sizes.items() if size > first)


@pytest.mark.parametrize(("restored", "severity"), [(False, "error"), (True, "warning")])
async def test_an_epoch_that_tells_of_damage_excuses_nothing_one_that_tells_of_a_loss_leaves_a_warning(
    copy: str, shared: Shared, tmp_path: Path, restored: bool, severity: str
) -> None:
    await _rewritten(copy)
    if restored:
        await renew_epoch(copy)
    await _sealed(copy, shutil.copytree(shared.keys, tmp_path / "keys"))
    connection = await asyncpg.connect(copy)
    findings = await findings_within(connection)
    assert [(finding.code, finding.severity, finding.epoch) for finding in findings] == [(F.ROOT_WRONG, severity, 1)]
    reason = "restored" if restored else "checkpoint_wrong"
    assert f"epoch 2 was announced since ({reason})" in findings[0].message
    # Beside what somebody kept no announcement excuses anything, though every kept line is stored as it was.
    findings = await findings_within(connection, witness=shared.witness)
    await connection.close()
    assert {(finding.code, finding.severity) for finding in findings} == {
        (F.ROOT_WRONG, severity),
        (F.WITNESS_ROOT_WRONG, "error"),
    }


async def test_a_game_that_is_deleted_counter_and_all_is_an_error_though_the_service_has_noticed_it(
    copy: str, shared: Shared, tmp_path: Path
) -> None:
    connection = await asyncpg.connect(copy)
    await unguarded(connection)
    shard = await connection.fetchval("select shard from event where stream = 'aborted' limit 1")
    await connection.execute("delete from event where shard = $1", shard)
    await connection.execute(
        "delete from seat where game in (select id from game where id not in (select stream from event))"
    )
    await connection.execute("delete from secret where game not in (select stream from event)")
    await connection.execute("delete from game where id not in (select stream from event)")
    await connection.execute("update shard set head = 0 where shard = $1", shard)
    keys = shutil.copytree(shared.keys, tmp_path / "keys")
    await _sealed(copy, keys)
    findings = await findings_within(connection)
    assert F.CHECKPOINT_BEYOND in {finding.code for finding in findings if finding.severity == "error"}
    findings = await findings_within(connection, witness=shared.witness)
    await connection.close()
    assert F.WITNESS_ROOT_WRONG in {finding.code for finding in findings if finding.severity == "error"}


async def test_a_log_signed_anew_with_another_key_is_found_by_the_witness_alone(
    copy: str, shared: Shared, tmp_path: Path
) -> None:
    await _rewritten(copy)
    connection = await asyncpg.connect(copy)
    await unguarded(connection)
    for table in ("merkle_node", "checkpoint", "log_epoch", "log_key"):
        await connection.execute(f"delete from {table}")
    await _sealed(copy, tmp_path)
    assert await findings_within(connection) == []
    findings = await findings_within(connection, witness=shared.witness)
    await connection.close()
    codes = {finding.code for finding in findings}
    assert codes >= {F.WITNESS_ROOT_WRONG, F.WITNESS_DIFFERS}
    assert {finding.shard for finding in findings if finding.code is F.WITNESS_ROOT_WRONG} == {
        crc32(f"practice-{TURNS}".encode()) % 16
    }


async def test_witnessed_lines_of_a_log_that_is_gone_are_compared_with_the_rows(copy: str, shared: Shared) -> None:
    connection = await asyncpg.connect(copy)
    await unguarded(connection)
    for table in ("merkle_node", "checkpoint", "log_epoch", "log_key"):
        await connection.execute(f"delete from {table}")
    findings = await findings_within(connection, witness=shared.witness)
    assert {finding.code for finding in findings} == {F.WITNESS_MISSING}
    await rewritten_by_the_rules(connection, await _archive(connection), random.Random(1))
    findings = await findings_within(connection, witness=shared.witness)
    assert {finding.code for finding in findings} == {F.WITNESS_MISSING, F.WITNESS_ROOT_WRONG}
    await connection.close()


async def test_a_line_by_a_strangers_key_is_no_witness(connection: asyncpg.Connection, shared: Shared) -> None:
    forged = shared.witness[-1].replace(b'"signature":"', b'"signature":"0').replace(b'"}', b"", 1)[:-1]
    last = shared.witness[-1]
    altered = last[:-4] + (b"00" if last[-4:-2] != b"00" else b"11") + last[-2:]
    findings = await findings_within(connection, Part((), (), False), witness=[*shared.witness, altered, forged])
    assert [finding.code for finding in findings] == [F.WITNESS_FORGED] * 2
    assert [finding.line for finding in findings] == [len(shared.witness) + 1, len(shared.witness) + 2]


async def _rewritten(url: str) -> None:
    connection = await asyncpg.connect(url)
    await unguarded(connection)
    archive = await Archive.read(connection)
    await rewritten_by_the_rules(connection, archive, random.Random(1))
    await connection.close()


async def _archive(connection: asyncpg.Connection) -> Archive:
    rows = await connection.fetch("select stream, max(version) from event group by stream")
    return Archive(dict(rows), 16, {}, 0, 0)


async def _sealed(url: str, keys: Path) -> None:
    store = await PostgresStore.open(url)
    directory = KeyDirectory(keys)
    sealing = Sealing(store.pool, directory, seconds=0.0, events_max=1)
    while (step := await sealing.step()) is not None and step.more:
        await asyncio.sleep(0)
    await store.close()
