"""Single games come into the results once each, whoever reads the feed and whoever is killed at it."""

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from domain import events
from domain.chain import first_prev
from service.ratings import intake
from service.ratings.intake import take_in
from service.ratings.worker import Ratings
from service.store.append import Append, PutGame, chained
from service.store.errors import GameNewer, StoreError
from tests.domain.ratings.test_games import over, played
from tests.domain.tables import SEED_ORIGIN
from tests.service.ratings.archive import BEGINNING, Archive

FOUR = ("p0", "p1", "p2", "p3")


def in_seconds(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


async def test_a_game_that_ended_moves_the_ratings_of_its_players(archive: Archive) -> None:
    await archive.end("g1", *FOUR)
    await archive.settle()
    assert await archive.results() == ["game/g1"]
    sums = {row[1]: row for row in await archive.sums()}
    assert set(sums) == {*FOUR, "p0.p2", "p1.p3"}
    assert {str(sums[name][4]) for name in ("p0", "p2")} == {"26.964294622000"}
    assert {str(sums[name][4]) for name in ("p1", "p3")} == {"23.035705378000"}


async def test_a_game_counts_once_however_often_one_looks(archive: Archive) -> None:
    await archive.end("g1", "a", "b")
    for _ in range(3):
        await archive.settle()
        await Ratings(archive.pool, 60, 1).step()
    assert len(await archive.changes()) == 2


async def test_what_ended_at_once_is_taken_in_by_several_steps(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "SHARD_GAMES_MAX", 1)
    for number in range(40):
        await archive.end(f"g{number}", "a", "b")
    assert await archive.ratings.step() < 40
    await archive.settle()
    assert sorted(await archive.results()) == sorted(f"game/g{number}" for number in range(40))


async def test_games_count_in_the_order_in_which_they_ended(archive: Archive) -> None:
    for number in range(12):
        await archive.end(f"g{number}", "a", "b")
    await archive.settle()
    assert await archive.results() == [f"game/g{number}" for number in range(12)]


@pytest.mark.parametrize("seal", [in_seconds(86_400), datetime(9999, 12, 31, tzinfo=UTC)])
async def test_a_sealed_game_moves_nothing_before_its_seal_is_over(archive: Archive, seal: datetime) -> None:
    await archive.end("g1", "a", "b", sealed_until=seal)
    await archive.end("g2", "a", "b")
    await archive.settle()
    assert await archive.results() == ["game/g2"]
    assert await archive.rows("select game from rating_held") == [("g1",)]
    await archive.settle()
    assert await archive.results() == ["game/g2"]
    await archive.pool.execute("update game set sealed_until = now() where id = 'g1'")
    await archive.settle()
    assert await archive.results() == ["game/g2", "game/g1"]
    assert await archive.rows("select game from rating_held") == []


async def test_a_seal_that_is_over_by_itself_is_over_for_ratings(archive: Archive) -> None:
    over_at = in_seconds(2)
    await archive.end("g1", "a", "b", sealed_until=over_at)
    await archive.ratings.step()
    assert await archive.results() == []
    await asyncio.sleep(max(0.0, (over_at - datetime.now(UTC)).total_seconds()) + 0.1)
    await archive.settle()
    assert await archive.results() == ["game/g1"]


async def test_games_of_tournaments_do_not_count_by_themselves(archive: Archive) -> None:
    await archive.end("g1", *FOUR)
    await archive.pool.execute(
        "insert into tournament_game (game, tournament, match, round, table_number, leg, on_boards)"
        " values ('g1', 't1', 'm1', 1, 1, 1, false)"
    )
    await archive.settle()
    assert await archive.results() == []


async def test_practice_games_and_those_with_bots_do_not_count(archive: Archive) -> None:
    await archive.people("robot", kind="bot")
    await archive.append("g1", played(over(), origin=SEED_ORIGIN), FOUR)
    await archive.append("g2", played(over(), kinds=["human", "human", "human", "bot"]), FOUR)
    await archive.end("g3", "a", "robot")
    await archive.end("g4", "a", "bot-greedy-1")
    await archive.end("g5", "a", "b")
    await archive.settle()
    assert await archive.results() == ["game/g5"]


@pytest.mark.parametrize(("discards", "results"), [(0, []), (1, ["game/g1"])])
async def test_a_game_given_up_counts_from_its_first_discard_on(
    archive: Archive, discards: int, results: list[str]
) -> None:
    happened = played(*[events.Discarded(seat=0, cards=("4S",))] * discards, over("resigned", (0, 0), (1,)))
    await archive.append("g1", happened, FOUR)
    await archive.settle()
    assert await archive.results() == results


async def test_a_game_that_cannot_be_read_keeps_no_other_waiting(archive: Archive) -> None:
    game = PutGame(
        share_code="g1", visibility="public", status="ended", ruleset="samba-official", players=2, practice=False,
        created_by="a", created_at=BEGINNING,
    )  # fmt: skip
    garbage = chained(first_prev("g1"), [("created", b"{}"), ("game_ended", b"{}")])
    await archive.store.append(
        Append(stream="g1", expected_version=0, prev_hash=first_prev("g1"), events=garbage, actor="test", writes=[game])
    )
    await archive.end("g2", "a", "b")
    await archive.settle()
    assert await archive.results() == ["game/g2"]


async def test_a_game_that_cannot_be_rated_keeps_no_other_waiting(archive: Archive) -> None:
    await archive.end("g1", "a", "a")
    await archive.end("g2", "a", "b")
    await archive.settle()
    assert await archive.results() == ["game/g2"]


async def test_a_game_of_a_newer_program_is_left_to_a_newer_worker(archive: Archive) -> None:
    await archive.end("g1", "a", "b")
    connection = await asyncpg.connect(archive.url)
    await connection.execute("alter table event disable trigger all")
    await connection.execute("update event set schema = 99 where stream = 'g1'")
    with pytest.raises(GameNewer):
        await archive.ratings.step()
    assert await archive.rows("select * from rating_cursor") == []
    await connection.execute("update event set schema = 1 where stream = 'g1'")
    await connection.close()
    await archive.settle()
    assert await archive.results() == ["game/g1"]


async def test_one_worker_at_a_time_takes_games_in(archive: Archive) -> None:
    await archive.end("g1", "a", "b")
    async with archive.pool.acquire() as one, archive.pool.acquire() as other:
        transaction = one.transaction()
        await transaction.start()
        assert await take_in(one) == 1
        async with other.transaction():
            assert await take_in(other) == 0
        await transaction.rollback()
        async with other.transaction():
            assert await take_in(other) == 1


@pytest.mark.parametrize("at", ["insert into rating_cursor", "insert into rated_result", "update rating_pool"])
async def test_a_kill_in_between_leaves_nothing_half_done(
    archive: Archive, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is cut right after the statement, within the transaction."""
    await archive.end("g1", "a", "b")
    execute = asyncpg.Connection.execute
    cut: list[str] = []

    async def cutting(self: Any, query: str, *arguments: Any, **more: Any) -> Any:
        done = await execute(self, query, *arguments, **more)
        if at in query and not cut:
            cut.append(query)
            self.terminate()
        return done

    monkeypatch.setattr(asyncpg.Connection, "execute", cutting)
    with suppress(StoreError):
        await archive.ratings.step()
    assert cut
    await archive.settle()
    assert await archive.results() == ["game/g1"]
    assert len(await archive.changes()) == 2


async def test_workers_that_are_killed_again_and_again_rate_every_game_once(archive: Archive) -> None:
    """Three workers at once, whose connections the server cuts while they work."""
    admin = await asyncpg.connect(archive.url)
    workers = [Ratings(archive.pool, 0.005, 1) for _ in range(3)]
    for worker in workers:
        worker.start()
    for number in range(60):
        with suppress(StoreError):
            await archive.end(f"g{number}", *FOUR)
        if number % 4 == 0:
            await admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid() and application_name = 'meldhouse'"
            )
    await admin.close()
    for worker in workers:
        await worker.close()
    await archive.settle()
    ended = await archive.rows("select 'game/' || stream from event where type = 'game_ended'")
    assert len(ended) > 30
    assert Counter(await archive.results()) == Counter(key for (key,) in ended)
    changed = Counter((row[5], row[2]) for row in await archive.changes())
    assert set(changed.values()) == {1}
    assert len(changed) == 6 * len(ended)
