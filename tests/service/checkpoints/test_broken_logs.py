"""What is wrong is not signed: a new epoch says what was found, and nothing is ever signed twice."""

from collections import Counter
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from domain.merkle import CompactRange, leaf_hash
from service.checkpoints.keys import KeyUnusable
from service.checkpoints.signed import Checkpoint, Epoch, read_line
from service.migrate import renew_epoch
from tests.contracts.event_store import fill
from tests.service.checkpoints.conftest import GUARDED, SealedStore, checkpoint, told

FLIP = "update event set body = set_byte(body, 0, get_byte(body, 0) # 1) where stream = 'g_0' and version = {}"


async def place_of(sealed: SealedStore, version: int, stream: str = "g_0") -> tuple[int, int]:
    row = await sealed.pool.fetchrow(
        "select shard, position from event where stream = $1 and version = $2", stream, version
    )
    return row["shard"], row["position"]


async def nothing_is_signed_twice(sealed: SealedStore, *more: bytes) -> None:
    """Over all lines ever signed: one body a number, one checkpoint for the same sizes of an epoch."""
    lines = {read_line(line) for line in (*await sealed.lines(), *more)}
    checkpoints = [line.body for line in lines if isinstance(line.body, Checkpoint)]
    epochs = [line.body.epoch for line in lines if isinstance(line.body, Epoch)]
    for counted in (
        Counter(body.number for body in checkpoints),
        Counter((body.epoch, body.sizes) for body in checkpoints),
        Counter(epochs),
    ):
        assert set(counted.values()) == {1}, counted


@pytest.mark.parametrize("fresh", [False, True])
async def test_a_flipped_bit_between_append_and_seal_is_found_and_not_signed(sealed: SealedStore, fresh: bool) -> None:
    await sealed.fill()
    await sealed.seal()
    await sealed.fill()
    shard, position = await place_of(sealed, 7)
    await sealed.tamper(FLIP.format(7))
    steps = await sealed.seal(sealed.worker() if fresh else None)
    assert [told(step) for step in steps] == [("row_changed", shard, position), (2,)]
    watch = await sealed.watched()
    body = checkpoint(watch.last)
    assert (body.epoch, body.number) == (2, 2)
    # The new trees begin again at the first leaf, over the rows as they stand.
    assert (list(body.sizes), list(body.roots)) == await sealed.roots()
    await nothing_is_signed_twice(sealed)


async def test_after_the_announcement_the_log_goes_on_and_new_events_are_checked_again(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.tamper(FLIP.format(2), FLIP.format(3))
    shard, position = await place_of(sealed, 2)
    first = await sealed.seal()
    assert [told(step) for step in first] == [("first", None, None), ("row_changed", shard, position), (1,)]
    await sealed.fill()
    assert [told(step) for step in await sealed.seal()] == [(2,)]
    await sealed.fill()
    await sealed.tamper(FLIP.format(12))
    shard, position = await place_of(sealed, 12)
    assert [told(step) for step in await sealed.seal()] == [("row_changed", shard, position), (3,)]


async def test_an_event_that_is_gone_is_a_gap(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    await sealed.fill()
    shard, position = await place_of(sealed, 8)
    await sealed.tamper("delete from event where stream = 'g_0' and version = 8")
    assert [told(step) for step in await sealed.seal()] == [("gap", shard, position), (2,)]
    body = checkpoint((await sealed.watched()).last)
    rows = await sealed.pool.fetch("select position, hash from event where shard = $1 order by position", shard)
    data = {row["position"]: row["hash"] for row in rows}
    tree = CompactRange()
    for place in range(1, body.sizes[shard] + 1):
        tree.append(leaf_hash(data.get(place, b"")))
    assert position not in data
    assert tree.root().hex() == body.roots[shard]
    # And another worker finds the same trees.
    await sealed.fill()
    assert [told(step) for step in await sealed.seal(sealed.worker())] == [(3,)]


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        "update checkpoint set signature = set_byte(signature, 9, get_byte(signature, 9) # 1)",
        "update checkpoint set body = replace(encode(body, 'escape'), '\"epoch\":1', '\"epoch\":2')::bytea",
        "update checkpoint set body = '{\"sizes\":1}'",
    ],
)
async def test_a_changed_checkpoint_is_found(sealed: SealedStore, statement: str, fresh: bool) -> None:
    await sealed.fill()
    await sealed.seal()
    await sealed.tamper(statement)
    await sealed.fill()
    steps = await sealed.seal(sealed.worker() if fresh else None)
    assert [told(step) for step in steps] == [("checkpoint_wrong", None, None), (2,)]


async def test_a_changed_checkpoint_is_found_without_what_is_kept_beside_the_key(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    await sealed.tamper("update checkpoint set signature = set_byte(signature, 9, get_byte(signature, 9) # 1)")
    for file in sealed.keys.path.glob("*.last.json"):
        file.unlink()
    await sealed.fill()
    steps = await sealed.seal(sealed.worker())
    assert [told(step) for step in steps] == [("checkpoint_wrong", None, None), (2,)]


async def test_a_sealed_event_with_another_hash_or_a_changed_node_is_found_by_whoever_begins(
    sealed: SealedStore,
) -> None:
    await fill(sealed.store, 300, "g_0")
    await sealed.seal()
    await sealed.fill(games=1, events=1)
    shard, _ = await place_of(sealed, 1)
    await sealed.tamper("update event set hash = sha256('other') where stream = 'g_0' and version = 299")
    steps = await sealed.seal(sealed.worker())
    # The trees are not those signed; begun anew, they come upon the event itself.
    assert [told(step) for step in steps] == [
        ("checkpoint_wrong", shard, None), ("row_changed", shard, 299), (2,),
    ]  # fmt: skip
    await sealed.tamper("update merkle_node set hash = sha256('other') where epoch = 3")
    await sealed.fill(games=1, events=1)
    steps = await sealed.seal(sealed.worker())
    assert [told(step) for step in steps] == [
        ("checkpoint_wrong", shard, None), ("row_changed", shard, 299), (3,),
    ]  # fmt: skip


async def test_a_head_below_what_was_sealed_is_a_log_that_shrank(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    shard, _ = await place_of(sealed, 1)
    head = await sealed.pool.fetchval("select head from shard where shard = $1", shard)
    await sealed.tamper(
        f"delete from event where shard = {shard} and position = {head}",
        f"update shard set head = head - 1 where shard = {shard}",
    )
    assert await sealed.sealing.due()
    assert [told(step) for step in await sealed.seal()] == [("shrunk", shard, head), (2,)]


Backup = dict[str, tuple[list[str], list[tuple[Any, ...]]]]
"""By table, its columns and its rows."""


async def saved(url: str) -> Backup:
    """All rows of the events and of the log, as a backup holds them."""
    connection = await asyncpg.connect(url)
    backup = {}
    try:
        for table in (*GUARDED, "shard"):
            columns = [
                row["attname"]
                for row in await connection.fetch(
                    "select attname from pg_attribute where attrelid = $1::text::regclass and attnum > 0"
                    " and not attisdropped and attgenerated = ''",
                    table,
                )
            ]
            rows = await connection.fetch(f"select {', '.join(columns)} from {table}")
            backup[table] = (columns, [tuple(row) for row in rows])
    finally:
        await connection.close()
    return backup


async def restored(url: str, backup: Backup) -> None:
    """Put the rows of the backup in the place of those of today."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("set session_replication_role = replica")
        for table in GUARDED:
            await connection.execute(f"alter table {table} disable trigger all")
        await connection.execute(f"truncate {', '.join(backup)} cascade")
        for table, (columns, rows) in backup.items():
            await connection.copy_records_to_table(table, records=rows, columns=columns)
        for table in GUARDED:
            await connection.execute(f"alter table {table} enable always trigger {table}_is_append_only")
    finally:
        await connection.close()


@pytest.fixture
async def backup(sealed: SealedStore) -> Backup:
    """A backup that was made after the first of three checkpoints."""
    await sealed.fill()
    await sealed.seal()
    rows = await saved(sealed.url)
    for _ in range(2):
        await sealed.fill()
        await sealed.seal()
    return rows


@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize("fresh", [False, True])
async def test_a_backup_put_back_begins_an_epoch_whose_numbers_go_on_from_all_that_was_signed(
    sealed: SealedStore, backup: Backup, fresh: bool, announced: bool
) -> None:
    """Told by `meldhouse migrate --new-epoch` it is `restored`, untold it is found to be `shrunk`."""
    before = await sealed.lines()
    await restored(sealed.url, backup)
    if announced:
        await renew_epoch(sealed.url)
    await sealed.fill()
    steps = await sealed.seal(sealed.worker() if fresh else None)
    assert [told(step) for step in steps] == [("restored" if announced else "shrunk", None, None), (4,)]
    epoch = steps[0].line.body
    assert isinstance(epoch, Epoch)
    assert (epoch.epoch, epoch.after) == (2, 3)
    # It names the checkpoint that the database does not know any more.
    assert checkpoint(steps[1].line).previous == read_line(before[-1]).digest
    await nothing_is_signed_twice(sealed, *before)


async def test_a_worker_that_lived_through_a_restore_knows_what_the_others_had_signed(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    backup = await saved(sealed.url)
    other = sealed.worker()
    for _ in range(2):
        await sealed.fill()
        await sealed.seal(other)
    before = await sealed.lines()
    await restored(sealed.url, backup)
    signed = []
    for _ in range(2):
        await fill(sealed.store, 7, "g_0")
        signed += [told(step) for step in await sealed.seal()]
    assert signed == [("shrunk", None, None), (4,), (5,)]
    await nothing_is_signed_twice(sealed, *before)


async def test_a_worker_knows_what_it_has_signed_though_it_could_not_be_kept(
    sealed: SealedStore, backup: Backup
) -> None:
    before = await sealed.lines()
    for file in sealed.keys.path.glob("*.last.json"):
        file.unlink()
    await restored(sealed.url, backup)
    await sealed.fill()
    assert [told(step) for step in await sealed.seal()] == [("shrunk", None, None), (4,)]
    await nothing_is_signed_twice(sealed, *before)


async def test_a_restore_that_lost_nothing_begins_an_epoch_over_the_same_rows(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    await renew_epoch(sealed.url)
    assert await sealed.sealing.due()
    assert [told(step) for step in await sealed.seal()] == [("restored", None, None), (2,)]
    first, second = [read_line(line) for line in await sealed.lines() if b'"checkpoint":' in line]
    assert checkpoint(first).roots == checkpoint(second).roots


async def test_keys_that_nothing_vouches_for_stop_the_sealing(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    await sealed.fill()
    await sealed.tamper(
        "insert into log_key (number, key, after, body, signer, signature, own_signature)"
        " select 2, 'aaaaaaaaaaaaaaaa', 1, body, signer, signature, own_signature from log_key"
    )
    for worker in (sealed.sealing, sealed.worker()):
        with pytest.raises(KeyUnusable, match="cannot be trusted"):
            await worker.step()


async def test_what_is_kept_beside_the_key_must_be_readable(sealed: SealedStore, tmp_path: Path) -> None:
    await sealed.fill()
    await sealed.seal()
    (file,) = sealed.keys.path.glob("*.last.json")
    file.write_text("{")
    with pytest.raises(KeyUnusable, match="restored database could not be told"):
        await sealed.worker().step()


async def test_one_directory_serves_the_logs_of_two_databases(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    (line,) = [read_line(line) for line in await sealed.lines() if b'"key_added"' in line]
    other = line.body.log[::-1]
    assert sealed.keys.last(line.body.log) is not None
    assert sealed.keys.last(other) is None
