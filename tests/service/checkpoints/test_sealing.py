"""Sealing: what is signed, when, and by how many at once."""

import asyncio
from itertools import pairwise
from pathlib import Path

import asyncpg
import pytest

from service.checkpoints.keys import KeyUnusable
from service.checkpoints.rows import take_lock
from service.checkpoints.sealing import rotate
from service.checkpoints.signed import Epoch, Key, read_line
from tests.contracts.event_store import fill
from tests.service.checkpoints.conftest import SealedStore, checkpoint, told


async def test_the_log_begins_with_a_key_an_epoch_and_no_checkpoint_of_nothing(sealed: SealedStore) -> None:
    steps = await sealed.seal()
    assert [told(step) for step in steps] == [("first", None, None)]
    (key, epoch) = [read_line(line) for line in await sealed.lines()]
    assert isinstance(key.body, Key)
    assert key.body.by is None
    assert isinstance(epoch.body, Epoch)
    assert (epoch.body.epoch, epoch.body.after, epoch.body.log) == (1, 0, key.body.log)


async def test_a_checkpoint_has_the_roots_of_the_events_in_every_shard(sealed: SealedStore) -> None:
    await sealed.fill(games=40, events=3)
    assert [told(step) for step in await sealed.seal()] == [("first", None, None), (1,)]
    body = checkpoint((await sealed.watched()).last)
    assert (list(body.sizes), list(body.roots)) == await sealed.roots()
    assert body.previous is None


async def test_nothing_new_is_nothing_signed(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    before = await sealed.lines()
    assert not await sealed.sealing.due()
    assert await sealed.seal() == []
    assert await sealed.seal(sealed.worker()) == []
    assert await sealed.lines() == before


async def test_each_checkpoint_names_the_one_before(sealed: SealedStore) -> None:
    for _ in range(5):
        await sealed.fill()
        await sealed.seal()
    found = [read_line(line) for line in await sealed.lines()][2:]
    assert [checkpoint(line).number for line in found] == [1, 2, 3, 4, 5]
    assert all(checkpoint(second).previous == first.digest for first, second in pairwise(found))
    assert checkpoint((await sealed.watched()).last).sizes == tuple((await sealed.roots())[0])


async def test_a_worker_goes_on_where_another_stopped_at_every_size(sealed: SealedStore) -> None:
    """Past the sizes at which subtrees are stored, with each checkpoint by a worker that has just begun."""
    for _ in range(14):
        await fill(sealed.store, 41, "g_one")
        await sealed.seal(sealed.worker())
    watch = await sealed.watched()
    body = checkpoint(watch.last)
    assert body.number == 14
    assert max(body.sizes) == 14 * 41
    assert (list(body.sizes), list(body.roots)) == await sealed.roots()
    assert await sealed.pool.fetchval("select count(*) from merkle_node") == 2


async def test_workers_take_turns_and_each_seals_what_the_others_have_not(sealed: SealedStore) -> None:
    workers = [sealed.worker() for _ in range(3)]
    for turn in range(9):
        await sealed.fill(games=5, events=2)
        await fill(sealed.store, 70, "g_long")
        await sealed.seal(workers[turn % 3])
    body = checkpoint((await sealed.watched()).last)
    assert body.number == 9
    assert (list(body.sizes), list(body.roots)) == await sealed.roots()


async def test_checkpoints_under_concurrent_appends_have_no_gap_and_no_double(sealed: SealedStore) -> None:
    workers = [sealed.worker() for _ in range(3)]
    done = False

    async def seal_always(number: int) -> int:
        signed = 0
        while not done:
            signed += sum(len(told(step)) == 1 for step in await sealed.seal(workers[number]))
            await asyncio.sleep(0.005)
        return signed

    sealing = [asyncio.create_task(seal_always(number)) for number in range(3)]
    await asyncio.gather(*(fill(sealed.store, 60, f"g_{game}") for game in range(24)))
    done = True
    signed = sum(await asyncio.gather(*sealing))
    await sealed.seal()
    watch = await sealed.watched()
    body = checkpoint(watch.last)
    assert sum(body.sizes) == 24 * 60
    assert (list(body.sizes), list(body.roots)) == await sealed.roots()
    assert body.epoch == 1
    assert body.number >= signed >= 5


async def test_a_step_waits_for_nobody(sealed: SealedStore) -> None:
    await sealed.seal()
    await sealed.fill()
    async with sealed.pool.acquire() as connection, connection.transaction():
        assert await take_lock(connection)
        assert await sealed.sealing.step() is None
    assert len(await sealed.seal()) == 1


async def test_a_step_that_did_not_come_to_its_end_leaves_nothing(sealed: SealedStore) -> None:
    await sealed.seal()
    await sealed.fill(games=1, events=300)
    before = await sealed.lines()
    step = asyncio.create_task(sealed.sealing.step())
    await asyncio.sleep(0.004)
    step.cancel()
    await asyncio.gather(step, return_exceptions=True)
    assert step.cancelled()
    assert await sealed.lines() == before
    assert [told(step) for step in await sealed.seal()] == [(1,)]
    assert (await sealed.roots())[1] == list(checkpoint((await sealed.watched()).last).roots)


async def test_an_older_archive_is_sealed_in_short_steps(sealed: SealedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.checkpoints.sealing.STEP_EVENTS_MAX", 70)
    await sealed.fill(games=10, events=20)
    assert [told(step) for step in await sealed.seal()] == [("first", None, None), (1,), (2,), (3,)]
    body = checkpoint((await sealed.watched()).last)
    assert (list(body.sizes), list(body.roots)) == await sealed.roots()


async def test_the_database_refuses_a_second_checkpoint_of_the_same_sizes_or_number(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    for number, needle in ((2, "checkpoint_epoch_sizes_key"), (1, "checkpoint_pkey")):
        with pytest.raises(asyncpg.UniqueViolationError, match=needle):
            await sealed.pool.execute(
                "insert into checkpoint (number, epoch, at, body, key, signature)"
                " select $1, epoch, at, body, key, signature from checkpoint",
                number,
            )


@pytest.mark.parametrize("table", ["checkpoint", "log_epoch", "log_key", "merkle_node"])
@pytest.mark.parametrize("statement", ["delete from {}", "truncate {} cascade", "update {} set {}"])
async def test_nobody_rewrites_the_log(sealed: SealedStore, table: str, statement: str) -> None:
    column = {"checkpoint": "at = now()", "log_epoch": "at = now()", "log_key": "after = 9", "merkle_node": "index = 9"}
    owner = await asyncpg.connect(sealed.url)
    try:
        for connection, role in ((owner, "replica"), (owner, "origin")):
            await connection.execute(f"set session_replication_role = {role}")
            with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
                await connection.execute(statement.format(table, column[table]))
    finally:
        await owner.close()
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await sealed.pool.execute(statement.format(table, column[table]))


async def test_a_new_key_is_vouched_for_and_signs_from_then_on(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    async with sealed.pool.acquire() as connection, connection.transaction():
        assert await take_lock(connection)
        added = await rotate(connection, sealed.keys)
    assert added is not None
    assert isinstance(added.body, Key)
    await sealed.fill()
    await sealed.seal()
    watch = await sealed.watched()
    assert watch.last is not None
    assert watch.last.key == added.body.key != added.key
    assert list(watch.ring.public_keys) == [added.key, added.body.key]
    assert checkpoint(watch.last).number == 2


async def test_a_worker_without_the_key_does_not_seal_and_says_why(sealed: SealedStore, tmp_path: Path) -> None:
    await sealed.fill()
    await sealed.seal()
    await sealed.fill()
    with pytest.raises(KeyUnusable, match=r"is not in .*: copy .*pem there"):
        await sealed.worker(tmp_path / "elsewhere").step()
    assert len(await sealed.seal()) == 1


async def test_a_key_file_that_holds_another_key_signs_nothing(sealed: SealedStore) -> None:
    await sealed.fill()
    await sealed.seal()
    before = await sealed.lines()
    (file,) = sealed.keys.path.glob("*.pem")
    other = sealed.keys.make()
    (sealed.keys.path / f"{other.id}.pem").replace(file)
    await sealed.fill()
    with pytest.raises(KeyUnusable, match=f"holds another key, {other.id}"):
        await sealed.worker().step()
    file.write_bytes(b"no key")
    with pytest.raises(KeyUnusable, match="no private key"):
        await sealed.worker().step()
    file.chmod(0o644)
    with pytest.raises(KeyUnusable, match="Others may read"):
        await sealed.worker().step()
    assert await sealed.lines() == before


async def test_the_key_is_for_its_owner_only(sealed: SealedStore) -> None:
    await sealed.seal()
    (file,) = sealed.keys.path.glob("*.pem")
    assert (file.stat().st_mode & 0o777, sealed.keys.path.stat().st_mode & 0o777) == (0o600, 0o700)
