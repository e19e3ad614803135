"""The ratings are what follows from the results: at once or in parts, in order or superseded, kept or made anew."""

import json
import random
import threading
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from domain.ratings.folding import fold
from domain.ratings.models import MODELS, value_of
from domain.ratings.shapes import Result, ResultInvalid, Standing
from service.ratings import checking, projection
from service.ratings.preview import PreviewTooLong, preview_match
from service.ratings.projection import changes_of
from service.ratings.results import MatchResult, effective, rate_match
from tests.service.ratings.archive import Archive, match, pair

A, B, C, D = pair("a1", "a2"), pair("b1", "b2"), pair("c1", "c2"), pair("d1", "d2")
SIDES = (A, B, C, D)


def standings(*matches: MatchResult) -> dict[str, Standing]:
    """What follows from these results, reckoned by the domain alone."""
    known: dict[str, Standing] = {}
    fold([each.result() for each in matches if each.rated], known)
    return known


async def stored(archive: Archive) -> dict[str, Standing]:
    rows = await archive.pool.fetch("select * from rating")
    for row in rows:
        assert row["value"] == value_of(projection.standing_of(row).rating)
    return {row["subject"]: projection.standing_of(row) for row in rows}


async def made_anew(archive: Archive, pool: str = "samba-4") -> None:
    async with archive.pool.acquire() as connection:
        await checking.rebuild(connection, pool)


async def differences(archive: Archive, pool: str = "samba-4") -> tuple[str, ...]:
    async with archive.pool.acquire() as connection:
        return (await checking.check(connection, pool)).differences


async def test_a_match_is_rated_once_however_often_it_is_told(archive: Archive) -> None:
    assert await archive.ratings.rate_match(match(1, A, B))
    assert not await archive.ratings.rate_match(match(1, A, B))
    await archive.settle()
    assert not await archive.ratings.rate_match(match(1, B, A))
    await archive.settle()
    assert await stored(archive) == standings(match(1, A, B))


async def test_a_ruling_that_came_before_is_not_taken_back_by_an_old_message(archive: Archive) -> None:
    await archive.settled(match(1, A, B, revision=5), match(1, B, A, revision=9))
    assert not await archive.ratings.rate_match(match(1, A, B, revision=7))
    await archive.settle()
    assert await stored(archive) == standings(match(1, B, A))


async def test_a_superseded_result_counts_at_its_place_as_if_from_the_start(archive: Archive) -> None:
    await archive.settled(match(1, A, B), match(2, A, C), match(3, B, C))
    await archive.settled(match(1, B, A, revision=2))
    assert await stored(archive) == standings(match(1, B, A), match(2, A, C), match(3, B, C))
    assert await stored(archive) != standings(match(2, A, C), match(3, B, C), match(1, B, A))


async def test_a_void_match_counts_no_more_and_may_count_again_at_its_place(archive: Archive) -> None:
    await archive.settled(match(1, A, B), match(2, A, C))
    await archive.settled(match(1, A, B, revision=2, rated=False))
    assert await stored(archive) == standings(match(2, A, C))
    assert not await archive.rows("select from rating where subject like 'b%'")
    await archive.settled(match(1, A, B, revision=3))
    assert await stored(archive) == standings(match(1, A, B), match(2, A, C))


async def test_other_players_than_before_are_rated_and_those_of_before_are_not(archive: Archive) -> None:
    await archive.settled(match(1, A, B), match(2, C, D))
    await archive.settled(match(1, A, D, revision=2))
    assert await stored(archive) == standings(match(1, A, D), match(2, C, D))


async def test_bots_never_move_a_rating(archive: Archive) -> None:
    await archive.people("robot", kind="bot")
    await archive.settled(match(1, A, pair("b1", "robot")), match(2, A, pair("b1", "bot-greedy-1")))
    assert await stored(archive) == {}
    assert await archive.results() == ["match/t1/1", "match/t1/2"]


@pytest.mark.parametrize(
    "wrong",
    [
        match(1, A, B, pool="samba-7"),
        match(1, A, B, pool="samba-2"),
        match(1, A),
        match(1, A, A),
        match(1, A, B, ranks=(1, 2, 3)),
        match("m" * 65, A, B),
        match("\x00", A, B),
        match(1, A, pair("b\x00")),
        match(1, A, pair("ö")),
    ],
)
async def test_what_cannot_be_rated_is_refused_and_nothing_is_noted(archive: Archive, wrong: MatchResult) -> None:
    with pytest.raises(ResultInvalid):
        await archive.ratings.rate_match(wrong)
    assert await archive.results() == []


async def test_a_match_does_not_move_to_another_pool(archive: Archive) -> None:
    await archive.ratings.rate_match(match(1, A, B))
    with pytest.raises(ResultInvalid):
        await archive.ratings.rate_match(match(1, A, B, pool="canasta-4", revision=2))


async def test_a_result_belongs_to_the_callers_transaction(archive: Archive) -> None:
    async with archive.pool.acquire() as connection:
        transaction = connection.transaction()
        await transaction.start()
        assert await rate_match(connection, match(1, A, B))
        await transaction.rollback()
    assert await archive.results() == []


async def test_results_are_only_ever_added(archive: Archive) -> None:
    await archive.settled(match(1, A, B))
    connection = await asyncpg.connect(archive.url)
    for statement in ("update rated_result set rated = false", "delete from rated_result", "truncate rated_result"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
    await connection.close()


async def test_the_database_says_the_same_of_the_models_as_the_program(archive: Archive) -> None:
    rows = await archive.rows("select id, name, version, parameters::text from rating_model order by id")
    assert [(*row[:3], json.loads(row[3])) for row in rows] == [
        (model.id, model.name, model.version, model.parameters) for _, model in sorted(MODELS.items())
    ]


def random_match(chance: random.Random, name: int, revision: int) -> MatchResult:
    players = [f"p{number}" for number in range(10)]
    chance.shuffle(players)
    count = chance.choice([2, 2, 3])
    sides = [pair(players[2 * side], players[2 * side + 1]) for side in range(count)]
    ranks = tuple(chance.randint(1, count) for _ in sides)
    rated, partners = chance.random() < 0.9, chance.random() < 0.8
    return match(name, *sides, ranks=ranks, revision=revision, rated=rated, partnerships=partners)


@pytest.mark.parametrize("seed", range(8))
async def test_any_history_comes_to_the_numbers_of_its_last_results(
    archive: Archive, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results, rulings and steps in any order; in small parts, so that parts meet everywhere."""
    chance = random.Random(seed)
    monkeypatch.setattr(projection, "CHUNK", 3)
    current: dict[int, MatchResult] = {}
    for revision in range(1, 70):
        name = chance.choice([len(current), chance.randrange(len(current) + 1)])
        current[name] = random_match(chance, name, revision)
        await archive.ratings.rate_match(current[name])
        if chance.random() < 0.4:
            await archive.settle()
    await archive.settle()
    assert await stored(archive) == standings(*current.values())
    sums, changes = await archive.sums(), await archive.changes()
    assert await differences(archive) == ()
    await made_anew(archive)
    assert await archive.sums() == sums
    assert await archive.changes() == changes


async def test_who_supersedes_a_result_while_it_is_folded_is_not_forgotten(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    await archive.ratings.rate_match(match(1, A, B))
    await archive.ratings.rate_match(match(2, A, C))

    async def and_then_a_ruling(*arguments: Any) -> Any:
        read = await effective(*arguments)
        monkeypatch.setattr("service.ratings.projection.effective", effective)
        await archive.ratings.rate_match(match(1, B, A, revision=2))
        return read

    monkeypatch.setattr("service.ratings.projection.effective", and_then_a_ruling)
    await archive.settle()
    assert await stored(archive) == standings(match(1, B, A), match(2, A, C))


async def test_one_worker_at_a_time_folds_a_pool(archive: Archive) -> None:
    await archive.ratings.rate_match(match(1, A, B))
    async with archive.pool.acquire() as one, archive.pool.acquire() as other, one.transaction():
        assert await projection.catch_up(one, "samba-4") == 1
        async with other.transaction():
            assert await projection.catch_up(other, "samba-4") == 0


@pytest.mark.parametrize(
    "harm",
    [
        "update rating set estimate = estimate + 0.000000001 where subject = 'a1'",
        "update rating set results = 7 where subject = 'b1.b2'",
        "update rating_change set deviation = 1 where subject = 'a1' and sequence = 1",
        "update rating_change set next = 3 where subject = 'a1' and sequence = 1",
        "delete from rating_change where subject = 'c1'",
        "delete from rating where subject = 'c1'",
        "update rating set subject = 'x' where subject = 'c1'",
        "update rating_change set sequence = 9 where subject = 'c1'",
    ],
)
async def test_ratings_that_do_not_follow_from_the_results_are_found_and_made_anew(archive: Archive, harm: str) -> None:
    await archive.settled(match(1, A, B), match(2, A, C))
    sums = await archive.sums()
    assert await differences(archive) == ()
    connection = await asyncpg.connect(archive.url)
    await connection.execute(harm)
    await connection.close()
    assert await differences(archive)
    await made_anew(archive)
    assert await differences(archive) == ()
    assert await archive.sums() == sums


async def test_a_preview_tells_what_then_happens_and_stores_nothing(archive: Archive) -> None:
    await archive.settled(match(1, A, B), match(2, A, C), match(3, C, D))
    sums, before = await archive.sums(), await stored(archive)
    ruling = match(1, B, A, revision=2)
    told = {each.subject: each for each in await archive.ratings.preview_match(ruling)}
    assert await archive.sums() == sums
    await archive.settled(ruling)
    after = await stored(archive)
    moved = {subject for subject in before.keys() | after.keys() if before.get(subject) != after.get(subject)}
    assert set(told) == moved
    assert {subject: (each.before, each.after) for subject, each in told.items()} == {
        subject: (before.get(subject), after.get(subject)) for subject in moved
    }
    assert told["a1.a2"].players == ("a1", "a2")


async def test_a_preview_of_a_new_result_of_newcomers_has_nothing_before_it(archive: Archive) -> None:
    told = await archive.ratings.preview_match(match(1, A, B))
    assert {each.before for each in told} == {None}
    assert {each.subject: each.after for each in told} == standings(match(1, A, B))


async def test_a_preview_counts_what_is_waiting_and_what_is_stale(archive: Archive) -> None:
    await archive.settled(match(1, A, B), match(2, A, C))
    await archive.ratings.rate_match(match(1, B, A, revision=2))
    await archive.ratings.rate_match(match(3, C, D))
    told = {each.subject: each for each in await archive.ratings.preview_match(match(3, D, C, revision=2))}
    assert set(told) == {"c1", "c2", "c1.c2", "d1", "d2", "d1.d2"}
    now = standings(match(1, B, A), match(2, A, C), match(3, C, D))
    assert told["c1"].before == now["c1"]
    assert told["c1"].after == standings(match(1, B, A), match(2, A, C), match(3, D, C))["c1"]


async def test_a_preview_of_a_void_match_takes_its_players_out(archive: Archive) -> None:
    await archive.settled(match(1, A, B))
    told = await archive.ratings.preview_match(match(1, A, B, revision=2, rated=False))
    assert {each.after for each in told} == {None}
    assert len(told) == 6


async def test_a_preview_is_reckoned_beside_the_event_loop(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are served meanwhile: 20,000 results take half a minute."""
    threads: set[threading.Thread] = set()

    def noted(*arguments: Any) -> list[projection.Row]:
        threads.add(threading.current_thread())
        return changes_of(*arguments)

    monkeypatch.setattr("service.ratings.preview.changes_of", noted)
    assert await archive.ratings.preview_match(match(1, A, B))
    assert threads
    assert threading.main_thread() not in threads


async def test_a_preview_folds_no_more_results_than_it_may(archive: Archive) -> None:
    await archive.settled(*[match(name, A, B) for name in range(5)])
    assert await preview_match(archive.pool, match(0, B, A, revision=2), 5)
    with pytest.raises(PreviewTooLong) as caught:
        await preview_match(archive.pool, match(0, B, A, revision=2), 4)
    assert caught.value.limit == 4


def test_a_result_is_kept_as_it_was_given() -> None:
    given = match(1, A, B, at=datetime(2026, 5, 4, tzinfo=UTC))
    assert given.result() == Result(sides=(A, B), ranks=(1, 2), model="plackett-luce-1")
    assert replace(given, pool="canasta-2", sides=(pair("a"), pair("b"))).result().model == "glicko-2-1"
