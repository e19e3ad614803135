"""The signed log by HTTP: lines as they were signed, proofs that hold offline, and who may have them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import httpx
import pytest
from litestar import Litestar
from msgspec.structs import replace

from domain.merkle import leaf_hash
from domain.merkle_proofs import verify_consistency, verify_inclusion
from service.checkpoints.holding import judge, read_kept
from service.checkpoints.signed import Checkpoint, Epoch, line_bytes, read_line, verify_line
from service.checkpoints.watching import Contradiction, Watch
from service.running import Service
from service.settings import Settings
from tests.conftest import run_statement
from tests.service.http.conftest import running
from tests.service.http.tables import Table, guest, problem

SECONDS_MAX = 60.0


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[Litestar]:
    async with running(replace(settings, checkpoint_seconds=0.05)) as (application, _):
        yield application


async def lines_of(client: httpx.AsyncClient, name: str, limit: int = 1000) -> list[bytes]:
    """All lines of a kind, by following the links from page to page."""
    path: str | None = f"/v1/log/{name}?limit={limit}"
    found: list[bytes] = []
    while path is not None:
        answer = await client.get(path, headers={"accept": "application/x-ndjson"})
        assert answer.status_code == 200, answer.text
        found += answer.content.splitlines()
        path = answer.links.get("next", {}).get("url")
    return found


async def kept_lines(client: httpx.AsyncClient) -> list[bytes]:
    """The whole log as a witness keeps it: the keys, and each epoch before its first checkpoint."""
    checkpoints = [(read_line(line).body, line) for line in await lines_of(client, "checkpoints")]
    epochs = [(read_line(line).body, line) for line in await lines_of(client, "epochs")]
    ordered = [((body.number, 1), line) for body, line in checkpoints if isinstance(body, Checkpoint)]
    ordered += [((body.after + 1, 0), line) for body, line in epochs if isinstance(body, Epoch)]
    return [*await lines_of(client, "keys"), *(line for _, line in sorted(ordered))]


async def watched(client: httpx.AsyncClient) -> Watch:
    """What an outsider has of the whole log."""
    watch = Watch()
    for line in await kept_lines(client):
        watch.take(line)
    return watch


async def until(wanted: Callable[[Checkpoint], bool], client: httpx.AsyncClient) -> Checkpoint:
    """The newest checkpoint, once it is as wanted."""
    async with asyncio.timeout(SECONDS_MAX):
        while True:
            watch = await watched(client)
            if watch.last is not None and isinstance(watch.last.body, Checkpoint) and wanted(watch.last.body):
                return watch.last.body
            await asyncio.sleep(0.02)


async def events_sealed(client: httpx.AsyncClient, service: Service) -> Checkpoint:
    stored = await service.store.pool.fetchval("select count(*) from event")
    return await until(lambda body: sum(body.sizes) >= stored, client)


def raws(proof: list[str]) -> list[bytes]:
    return [bytes.fromhex(step) for step in proof]


async def test_every_event_of_every_game_is_proved_under_every_checkpoint_that_covers_it(
    client: httpx.AsyncClient, service: Service
) -> None:
    tables = [await Table.of(client, players) for players in (2, 4)]
    for table in tables:
        await table.start()
        for _ in range(4):
            await table.play(1)
            await asyncio.sleep(0.05)
    newest = await events_sealed(client, service)
    ring = (await watched(client)).ring
    assert newest.number >= 4
    proved = 0
    for table in tables:
        heads = (await table.get("/events")).json()["events"]
        for event in heads:
            for number in range(1, newest.number + 1):
                answer = await table.get(f"/proof?n={event['n']}&checkpoint={number}")
                if answer.status_code == 409:
                    problem(answer, "checkpoint_too_early")
                    continue
                told = answer.json()
                proved += 1
                # Offline from here on: the line is taken from the bytes of the answer.
                line = verify_line(answer.content.partition(b'"checkpoint":')[2][:-1], ring.public_keys)
                assert isinstance(line.body, Checkpoint)
                assert (told["hash"], told["root"]) == (event["hash"], line.body.roots[told["shard"]])
                assert told["size"] == line.body.sizes[told["shard"]]
                assert told["public_key"] == ring.public_keys[line.key].hex()
                leaf = leaf_hash(bytes.fromhex(event["hash"]))
                root = bytes.fromhex(line.body.roots[told["shard"]])
                assert verify_inclusion(leaf, told["index"], told["size"], raws(told["proof"]), root)
    assert proved > newest.number * 5


async def test_every_checkpoint_is_proved_to_go_on_from_every_earlier_one(
    client: httpx.AsyncClient, game: Table, service: Service
) -> None:
    for _ in range(3):
        await game.play(1)
        await asyncio.sleep(0.07)
    newest = await events_sealed(client, service)
    for old in range(1, newest.number + 1):
        for new in range(old, newest.number + 1):
            told = (await client.get(f"/v1/log/consistency?from={old}&to={new}")).json()
            first, second = told["from"]["body"], told["to"]["body"]
            assert (first["number"], second["number"]) == (old, new)
            for shard, proof in enumerate(told["proofs"]):
                assert verify_consistency(
                    first["sizes"][shard], bytes.fromhex(first["roots"][shard]),
                    second["sizes"][shard], bytes.fromhex(second["roots"][shard]), raws(proof),
                )  # fmt: skip


async def test_lines_come_as_they_were_signed_in_both_forms_and_page_by_page(
    client: httpx.AsyncClient, game: Table, service: Service
) -> None:
    await game.play(1)
    newest = await events_sealed(client, service)
    whole = await lines_of(client, "checkpoints")
    assert whole == await lines_of(client, "checkpoints", limit=1)
    page = await client.get("/v1/log/checkpoints")
    assert page.json()["next"] is None
    assert page.content == b'{"checkpoints":[%b],"next":null}' % b",".join(whole)
    one = await client.get(f"/v1/log/checkpoints/{newest.number}")
    assert one.content == whole[-1]
    assert (await client.get("/v1/log")).json()["latest"] == one.json()
    log = (await client.get("/v1/log")).json()
    assert (log["log"], log["epoch"]) == (newest.log, 1)
    assert [key["key"] for key in log["keys"]] == [one.json()["key"]]


async def test_before_anything_is_sealed_the_log_says_when_to_ask_again(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/log/consistency")
    problem(answer, "not_yet_sealed")
    assert answer.headers["retry-after"] == "1"


async def test_an_event_is_not_yet_sealed_for_a_moment(settings: Settings) -> None:
    async with running(replace(settings, checkpoint_seconds=0.05)) as (app, client):
        await Table.of(client)
        await events_sealed(client, app.state.service)
    async with running(replace(settings, checkpoint_seconds=60)) as (_, client):
        answer = await (await Table.of(client)).get("/proof")
        assert problem(answer, "not_yet_sealed")["detail"] == "The event is in no checkpoint yet."
        assert answer.headers["retry-after"] == "60"


def covers(events: int, body: Checkpoint) -> bool:
    return sum(body.sizes) >= events


async def test_so_many_new_events_are_sealed_without_waiting_for_the_time(settings: Settings) -> None:
    async with running(replace(settings, checkpoint_seconds=60, checkpoint_events_max=20)) as (_, client):
        for number in (1, 2):
            # 48 events or more: fewer than 20 of them wait, however many the worker sealed when it began.
            for _ in range(6):
                await (await Table.of(client)).start()
            await until(partial(covers, 20 * number), client)


async def test_while_nothing_happens_nothing_is_signed(
    client: httpx.AsyncClient, game: Table, service: Service
) -> None:
    newest = await events_sealed(client, service)
    await asyncio.sleep(0.5)
    assert await service.store.pool.fetchval("select max(number) from checkpoint") == newest.number


async def test_what_is_not_there_is_told(client: httpx.AsyncClient, game: Table, service: Service) -> None:
    newest = await events_sealed(client, service)
    problem(await client.get("/v1/log/checkpoints/1000"), "checkpoint_not_found")
    for wrong in ("0", "x", "01", "1.5", "-1", "١", "9" * 30):
        problem(await client.get(f"/v1/log/checkpoints/{wrong}"), "invalid_parameter")
    problem(await client.get(f"/v1/log/consistency?from={newest.number + 1}"), "checkpoint_not_found")
    problem(await client.get("/v1/log/consistency?from=0"), "invalid_parameter")
    problem(await game.get("/proof?n=1000"), "event_not_found")
    problem(await game.get("/proof?n=1&checkpoint=1000"), "checkpoint_not_found")
    problem(await client.get("/v1/games/nothing/proof?n=1"), "game_not_found")
    await game.play(1)
    await until(lambda body: body.number > newest.number, client)
    problem(await client.get(f"/v1/log/consistency?from={newest.number + 1}&to=1"), "invalid_parameter")


async def test_a_proof_is_for_those_who_may_see_the_games_events(client: httpx.AsyncClient, service: Service) -> None:
    closed = await Table.of(client, visibility="public", watch={"who": "nobody"})
    unlisted = await Table.of(client)
    await events_sealed(client, service)
    stranger = await guest(client)
    assert (await closed.get("/proof?n=1", seat=2)).status_code == 200
    problem(await client.get(f"{closed.path}/proof?n=1", headers=stranger), "watching_not_allowed")
    problem(await client.get(f"{unlisted.path}/proof?n=1", headers=stranger), "game_not_found")


async def test_a_watcher_who_is_kept_behind_gets_no_proof_of_what_they_may_not_know(
    client: httpx.AsyncClient, service: Service
) -> None:
    watch = {"who": "anyone", "delay_seconds": 600}
    table = await Table.of(client, visibility="public", watch=watch)
    await table.start()
    await events_sealed(client, service)
    version = (await table.get()).json()["version"]
    seen = await client.get(f"{table.path}/proof?n=1")
    assert seen.status_code == 200
    assert (await client.get(f"{table.path}/proof")).json()["n"] == 1
    beyond, absent = [await client.get(f"{table.path}/proof?n={n}") for n in (version, 10_000)]
    # There is no telling an event that is hidden from one that is not there.
    first, second = problem(beyond, "event_not_found"), problem(absent, "event_not_found")
    assert first["detail"] == second["detail"]
    assert (await table.get(f"/proof?n={version}")).status_code == 200


async def test_rows_that_were_changed_are_told_instead_of_proved(
    client: httpx.AsyncClient, game: Table, service: Service, settings: Settings
) -> None:
    await events_sealed(client, service)
    assert settings.database_url is not None
    shard = (await game.get("/proof?n=2")).json()["shard"]
    for statement in (
        "alter table event disable trigger all",
        "alter table event drop constraint event_hash_holds",
        f"update event set hash = sha256('x') where stream = '{game.id}' and version = 2",
    ):
        await run_statement(settings.database_url, statement)
    for answer in (await game.get("/proof?n=2"), await game.get("/proof?n=1")):
        assert problem(answer, "log_contradicted")["params"] == {"shard": shard}
    await run_statement(settings.database_url, f"delete from event where stream = '{game.id}' and version = 2")
    problem(await game.get("/proof?n=1"), "log_contradicted")


async def test_epochs_are_listed_and_proofs_across_them_are_for_those_who_ask(
    client: httpx.AsyncClient, game: Table, service: Service, settings: Settings
) -> None:
    before = await events_sealed(client, service)
    assert settings.database_url is not None
    await run_statement(settings.database_url, "update feed set epoch = 'another'")
    after = await until(lambda body: body.epoch == 2, client)
    epochs = (await client.get("/v1/log/epochs")).json()["epochs"]
    assert [(line["body"]["epoch"], line["body"]["reason"]) for line in epochs] == [(1, "first"), (2, "restored")]
    path = f"/v1/log/consistency?from={before.number}&to={after.number}"
    problem(await client.get(path), "checkpoints_of_two_epochs")
    told = (await client.get(f"{path}&across=true")).json()
    assert told["proofs"] == [[]] * len(before.sizes)
    assert told["from"]["body"]["roots"] == told["to"]["body"]["roots"]


async def test_a_worker_that_cannot_seal_serves_all_the_same_and_says_so(settings: Settings, tmp_path: Any) -> None:
    (tmp_path / "file").write_text("no directory")
    async with running(replace(settings, keys_dir=tmp_path / "file", checkpoint_seconds=0.05)) as (_, client):
        await (await Table.of(client)).start()
        assert (await client.get("/v1/health/ready")).status_code == 200
        problem(await client.get("/v1/log"), "not_yet_sealed")
        async with asyncio.timeout(SECONDS_MAX):
            while "meldhouse_not_sealing 1.0" not in (await client.get("/metrics")).text:
                await asyncio.sleep(0.02)


async def test_a_record_is_held_by_what_was_kept_and_a_rewritten_one_is_not(
    client: httpx.AsyncClient, game: Table, service: Service
) -> None:
    newest = await events_sealed(client, service)
    kept = read_kept(await kept_lines(client))
    events = (await game.get("/events")).json()["events"]
    n, head = events[-1]["n"], events[-1]["hash"]
    answer = (await game.get(f"/proof?n={n}&checkpoint={newest.number}")).content
    assert judge(game.id, n, head, answer, kept).ok
    for code, verdict in (
        ("head_differs", judge(game.id, n, "0" * 64, answer, kept)),
        ("not_an_answer", judge(game.id, n - 1, head, answer, kept)),
        ("not_an_answer", judge("other", n, head, answer, kept)),
        ("not_an_answer", judge(game.id, n, head, answer[:-9], kept)),
        ("not_an_answer", judge(game.id, n, head, b"{}", kept)),
        ("checkpoint_not_kept", judge(game.id, n, head, answer, replace(kept, digests={}))),
        ("checkpoint_differs", judge(game.id, n, head, answer, replace(kept, digests={newest.number: "0" * 64}))),
        ("proof_wrong", judge(game.id, n, head, answer.replace(b'"proof":["', b'"proof":["%b","' % (b"0" * 64)), kept)),
    ):
        assert (verdict.code, verdict.ok) == (code, False)


async def test_lines_that_are_forged_or_out_of_place_are_refused(
    client: httpx.AsyncClient, game: Table, service: Service
) -> None:
    for _ in range(4):
        await game.play(1)
        await events_sealed(client, service)
    good = await kept_lines(client)
    read_kept(good)
    last = read_line(good[-1])
    flipped = bytes([last.signature[0] ^ 1]) + last.signature[1:]
    renumbered = last.raw.replace(b'"epoch":1', b'"epoch":2')
    for code, lines in (
        ("line_wrong", [*good[:-1], line_bytes(last.raw, last.key, flipped)]),
        ("line_wrong", [*good[:-1], line_bytes(renumbered, last.key, last.signature)]),
        ("line_wrong", [*good[:-1], line_bytes(last.raw, "0" * 16, last.signature)]),
        ("line_wrong", [*good[:-1], good[-1].replace(b":", b": ", 1)]),
        ("line_wrong", [*good[:-1], good[-1][:-1]]),
        ("line_wrong", good[1:]),
        ("epoch_not_announced", [good[0], *good[2:]]),
        ("number_skipped", [*good[:3], *good[4:]]),
        ("number_reused", [*good[:2], good[3], good[2]]),
    ):
        with pytest.raises(Contradiction) as caught:
            read_kept(lines)
        assert caught.value.code == code, code
