"""Leaderboards: pages that fit together whatever counts meanwhile, and the page around somebody."""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from service.cursors import CursorUnreadable
from service.ratings.leaderboard import Ladder, Page, Ranked, SubjectUnrated, page, page_around
from service.ratings.subjects import changes_of_subject, partnerships_of, ratings_of, ratings_of_player
from tests.service.ratings.archive import Archive, match, pair
from tests.service.ratings.test_projection import random_match

PERSONS = Ladder("samba-4", "person")
PAIRS = Ladder("samba-4", "partnership")
ALL = 500


async def walked(archive: Archive, ladder: Ladder, limit: int, between: Any = None) -> list[Ranked]:
    """All pages, and what happens between them."""
    entries: list[Ranked] = []
    cursor = None
    while True:
        found = await page(archive.pool, ladder, cursor, limit)
        entries += found.entries
        if found.next is None:
            return entries
        cursor = found.next
        if between is not None:
            await between()


async def whole(archive: Archive, ladder: Ladder) -> Page:
    return await page(archive.pool, ladder, None, ALL)


def told(entries: Sequence[Ranked]) -> list[tuple[int, int, str, Any]]:
    return [(each.rank, each.place, each.subject.subject, each.subject.value) for each in entries]


async def filled(archive: Archive, seed: int = 1, count: int = 25) -> random.Random:
    chance = random.Random(seed)
    await archive.settled(*[random_match(chance, name, 1) for name in range(count)])
    return chance


async def test_a_leaderboard_is_in_the_order_of_values_and_equal_ones_share_a_rank(archive: Archive) -> None:
    await archive.settled(match(1, pair("a", "b"), pair("c", "d")), match(2, pair("e", "f"), pair("g", "h")))
    found = await whole(archive, PERSONS)
    assert [(each.rank, each.place, each.subject.subject) for each in found.entries] == [
        (1, 1, "a"), (1, 2, "b"), (1, 3, "e"), (1, 4, "f"), (5, 5, "c"), (5, 6, "d"), (5, 7, "g"), (5, 8, "h"),
    ]  # fmt: skip
    assert [(each.rank, each.subject.subject) for each in (await whole(archive, PAIRS)).entries] == [
        (1, "a.b"), (1, "e.f"), (3, "c.d"), (3, "g.h"),
    ]  # fmt: skip


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("ladder", [PERSONS, PAIRS])
async def test_the_pages_of_a_walk_are_the_whole(archive: Archive, ladder: Ladder, limit: int) -> None:
    await filled(archive)
    entries = told(await walked(archive, ladder, limit))
    assert entries == told((await whole(archive, ladder)).entries)
    assert [place for _, place, _, _ in entries] == list(range(1, len(entries) + 1))
    values = [value for _, _, _, value in entries]
    assert values == sorted(values, reverse=True)
    assert [rank for rank, _, _, _ in entries] == [1 + values.index(value) for value in values]


@pytest.mark.parametrize("seed", range(5))
async def test_a_walk_shows_the_pool_as_it_was_at_its_beginning_whatever_counts_meanwhile(
    archive: Archive, seed: int
) -> None:
    chance = await filled(archive, seed)
    before = told((await whole(archive, PERSONS)).entries)
    names = iter(range(100, 1000))

    async def go_on() -> None:
        await archive.settled(*[random_match(chance, next(names), 1) for _ in range(2)])

    assert told(await walked(archive, PERSONS, 2, go_on)) == before
    assert told((await whole(archive, PERSONS)).entries) != before


async def test_a_cursor_goes_with_one_leaderboard(archive: Archive) -> None:
    await filled(archive)
    cursor = (await page(archive.pool, PERSONS, None, 2)).next
    for other in (PAIRS, Ladder("samba-6", "person"), replace(PERSONS, provisional=True)):
        with pytest.raises(CursorUnreadable):
            await page(archive.pool, other, cursor, 2)


@pytest.mark.parametrize("cursor", ["x", "AAAA", "W10", "bnVsbA", "ö", "a" * 999])
async def test_what_is_no_cursor_is_refused(archive: Archive, cursor: str) -> None:
    with pytest.raises(CursorUnreadable):
        await page(archive.pool, PERSONS, cursor, 2)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 9, 100])
async def test_the_page_around_anybody_is_a_part_of_the_whole_with_them_in_it(archive: Archive, limit: int) -> None:
    await filled(archive)
    entries = told((await whole(archive, PERSONS)).entries)
    for place, (_, _, subject, _) in enumerate(entries):
        found = await page_around(archive.pool, PERSONS, subject, limit)
        around = told(found.entries)
        first = around[0][1] - 1
        assert around == entries[first : first + min(limit, len(entries))]
        assert subject in [name for _, _, name, _ in around]
        # As near to the middle as the ends allow.
        assert first == max(0, min(place - (limit - 1) // 2, len(entries) - limit))
        assert (found.next is None) == (first + len(around) == len(entries))


async def test_a_walk_goes_on_from_the_page_around_somebody(archive: Archive) -> None:
    await filled(archive)
    entries = told((await whole(archive, PERSONS)).entries)
    found = await page_around(archive.pool, PERSONS, entries[4][2], 3)
    following = await page(archive.pool, PERSONS, found.next, ALL)
    assert told([*found.entries, *following.entries]) == entries[3:]


async def test_around_somebody_who_is_not_there_is_nothing(archive: Archive) -> None:
    await filled(archive)
    for subject in ("nobody", "p1.p2"):
        with pytest.raises(SubjectUnrated):
            await page_around(archive.pool, PERSONS, subject, 5)


async def test_provisional_ratings_can_be_left_out_or_shown_alone(archive: Archive) -> None:
    await archive.settled(*[match(name, pair("a", "b"), pair("c", f"x{name}")) for name in range(20)])
    everybody = {each.subject.subject for each in (await whole(archive, PERSONS)).entries}
    established = await whole(archive, replace(PERSONS, provisional=False))
    assert {each.subject.subject for each in established.entries} == {"a", "b", "c"}
    assert [(each.rank, each.place) for each in established.entries] == [(1, 1), (1, 2), (3, 3)]
    provisional = await whole(archive, replace(PERSONS, provisional=True))
    assert {each.subject.subject for each in provisional.entries} == everybody - {"a", "b", "c"}
    assert not any(each.subject.provisional for each in established.entries)
    with pytest.raises(SubjectUnrated):
        await page_around(archive.pool, replace(PERSONS, provisional=False), "x1", 5)
    around = await page_around(archive.pool, replace(PERSONS, provisional=False), "c", 1)
    assert [(each.rank, each.place, each.subject.subject) for each in around.entries] == [(3, 3, "c")]


async def test_the_nineteenth_result_leaves_a_rating_provisional_and_the_twentieth_does_not(archive: Archive) -> None:
    await archive.settled(*[match(name, pair("a", "b"), pair("c", "d")) for name in range(19)])
    assert (await ratings_of(archive.pool, "samba-4", ["a"]))["a"].provisional
    await archive.settled(match(19, pair("a", "b"), pair("c", "d")))
    assert not (await ratings_of(archive.pool, "samba-4", ["a"]))["a"].provisional


async def test_who_was_erased_is_shown_nowhere_and_the_others_keep_their_numbers(archive: Archive) -> None:
    await archive.people("a", "b", "c", "d")
    await archive.settled(match(1, pair("a", "b"), pair("c", "d")), match(2, pair("a", "c"), pair("b", "d")))
    sums = {row[1]: row for row in await archive.sums()}
    await archive.erase("a")
    persons, pairs = await whole(archive, PERSONS), await whole(archive, PAIRS)
    left = sorted("bcd", key=lambda name: (-sums[name][7], name))
    assert [each.subject.subject for each in persons.entries] == left
    assert persons.entries[0].rank == 1
    assert {each.subject.subject for each in pairs.entries} == {"b.d", "c.d"}
    assert all(each.subject.value == sums[each.subject.subject][7] for each in (*persons.entries, *pairs.entries))
    assert await ratings_of(archive.pool, "samba-4", ["a", "a.b"]) == {}
    assert await ratings_of_player(archive.pool, ["samba-4"], "a") == []
    assert await partnerships_of(archive.pool, "a", ("", ""), 9) == []
    assert await changes_of_subject(archive.pool, "samba-4", "a", 99, 9) == []
    with pytest.raises(SubjectUnrated):
        await page_around(archive.pool, PERSONS, "a", 5)
    last = await page_around(archive.pool, PERSONS, left[-1], 1)
    assert told(last.entries) == told(persons.entries)[2:]
    await archive.settled(match(3, pair("a", "b"), pair("c", "d")))
    assert "a" not in {each.subject.subject for each in (await whole(archive, PERSONS)).entries}


async def test_changes_come_last_one_first_and_each_goes_on_from_the_one_before(archive: Archive) -> None:
    await filled(archive)
    subject = (await whole(archive, PERSONS)).entries[0].subject
    changes = await changes_of_subject(archive.pool, "samba-4", subject.subject, 10**6, ALL)
    assert changes[0].after == subject
    assert [each.sequence for each in changes] == sorted((each.sequence for each in changes), reverse=True)
    for later, earlier in pairwise(changes):
        assert later.before == earlier.after.rating
        assert later.after.results == earlier.after.results + 1
    assert changes[-1].after.results == 1
    part = await changes_of_subject(archive.pool, "samba-4", subject.subject, changes[1].sequence, 2)
    assert part == changes[2:4]


async def test_partnerships_of_a_person_come_in_pages(archive: Archive) -> None:
    await archive.settled(*[match(name, pair("a", f"x{name}"), pair("c", "d")) for name in range(5)])
    first = await partnerships_of(archive.pool, "a", ("", ""), 3)
    second = await partnerships_of(archive.pool, "a", (first[-1].pool, first[-1].subject), 3)
    assert [each.subject for each in [*first, *second]] == [f"a.x{name}" for name in range(5)]
    (alone,) = await ratings_of_player(archive.pool, ["samba-4", "samba-2"], "a")
    assert alone.results == 5
    assert not alone.with_fixed_partner_only
    assert (await ratings_of(archive.pool, "samba-4", ["c"]))["c"].with_fixed_partner_only
