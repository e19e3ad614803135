"""The contract of `service.store.base.EventStore`: a subclass gives the fixture `store` and inherits every rule."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from zlib import crc32

import msgspec
import pytest

from domain.chain import first_prev, link
from domain.excerpts import excerpt
from service.store.append import Append, NewEvent, chained
from service.store.base import (
    Appended,
    EventStore,
    Head,
    IdempotencyConflict,
    Outcome,
    Replayed,
    StoredEvent,
    VersionConflict,
)
from service.store.errors import AppendInvalid, CursorInvalid, CursorOutdated, HeadMismatch, KeyReused

STREAM = "g_contract"
ODD_BODIES = (
    b"",
    b"\x00",
    b'{"name":"\\u0000"}',
    bytes(range(256)),
    b"\n\n",
    "\u2028 and \U0001f0cf".encode(),
    b"x" * 9000,
)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def command(
    head: Head,
    *bodies: bytes,
    stream: str = STREAM,
    key: str | None = None,
    request: str = "request",
    actor: str = "p_anna",
    answer: bytes | None = None,
) -> Append:
    """An append onto `head`; without bodies it has one event."""
    return Append(
        stream=stream,
        expected_version=head.version,
        prev_hash=head.hash,
        events=chained(head.hash, [("moved", body) for body in bodies or (b"{}",)]),
        actor=actor,
        command_key=key,
        command_digest=None if key is None else digest(request),
        answer=answer,
    )


async def fill(store: EventStore, count: int, stream: str = STREAM) -> Head:
    """Append events one by one until the stream has that many more."""
    head = await store.head(stream)
    for _ in range(count):
        append = command(head, b'{"n":%d}' % (head.version + 1), stream=stream)
        assert await store.append(append) == Appended(head.version + 1, head.version + 1)
        head = Head(head.version + 1, append.events[-1].hash)
    return head


async def whole_feed(store: EventStore, limit: int = 500) -> list[StoredEvent]:
    events: list[StoredEvent] = []
    cursor = None
    while True:
        page = await store.read_feed(cursor, limit)
        if not page.events:
            return events
        events += page.events
        cursor = page.cursor


def assert_chained(stream: str, events: Sequence[StoredEvent]) -> None:
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    prev = first_prev(stream)
    for event in events:
        assert event.prev_hash == prev
        assert event.hash == link(prev, event.body)
        prev = event.hash


class EventStoreContract:
    async def test_an_empty_stream_is_at_version_0_with_the_hash_of_its_id(self, store: EventStore) -> None:
        assert await store.head(STREAM) == Head(0, first_prev(STREAM))
        assert await store.read(STREAM) == []

    async def test_what_was_appended_is_read_back_byte_for_byte(self, store: EventStore) -> None:
        append = command(await store.head(STREAM), *ODD_BODIES)
        assert await store.append(append) == Appended(1, len(ODD_BODIES))
        events = await store.read(STREAM)
        assert tuple(event.body for event in events) == ODD_BODIES
        assert {(event.stream, event.type) for event in events} == {(STREAM, "moved")}

    async def test_the_chain_holds_over_many_appends(self, store: EventStore) -> None:
        for bodies in ((b"1",), (b"2", b"3"), (b"4",)):
            await store.append(command(await store.head(STREAM), *bodies))
        events = await store.read(STREAM)
        assert_chained(STREAM, events)
        assert await store.head(STREAM) == Head(4, events[-1].hash)

    async def test_reading_goes_on_after_a_version_and_stops_at_the_limit(self, store: EventStore) -> None:
        await fill(store, 5)
        assert [event.version for event in await store.read(STREAM, after=2)] == [3, 4, 5]
        assert [event.version for event in await store.read(STREAM, after=1, limit=2)] == [2, 3]
        assert await store.read(STREAM, after=5) == []

    async def test_an_excerpt_is_what_the_domain_picks_of_the_events_up_to_a_version(self, store: EventStore) -> None:
        hand = ["dealt", "drew", "seated", "stood_in", "discarded", "hand_ended"]
        types = ["created", "seated", "closed", "started", "placed", "drew", "hand_ended", *hand, *hand, "unseated"]
        events = chained(first_prev(STREAM), [(kind, b"%d" % place) for place, kind in enumerate(types)])
        append = msgspec.structs.replace(command(Head(0, first_prev(STREAM))), events=events)
        assert isinstance(await store.append(append), Appended)
        await fill(store, 3, "g_other")
        whole = await store.read(STREAM)
        for last in range(len(types) + 1):
            assert await store.read_excerpt(STREAM, last) == [whole[place] for place in excerpt(types[:last])]
        assert await store.read_excerpt(STREAM) == await store.read_excerpt(STREAM, len(types))
        assert [event.version for event in await store.read_excerpt(STREAM)] == [1, 2, 3, 4, 5, 10, 13, *range(14, 21)]
        assert await store.read_excerpt("g_none") == []

    async def test_streams_do_not_touch_each_other(self, store: EventStore) -> None:
        await fill(store, 3, "g_one")
        await fill(store, 2, "g_two")
        assert_chained("g_one", await store.read("g_one"))
        assert_chained("g_two", await store.read("g_two"))

    @pytest.mark.parametrize("expected", [0, 1, 3, 7])
    async def test_another_version_than_expected_stores_nothing(self, store: EventStore, expected: int) -> None:
        head = await fill(store, 2)
        outcome = await store.append(command(Head(expected, head.hash), b"stale"))
        assert outcome == VersionConflict(2)
        assert await store.head(STREAM) == head

    @pytest.mark.parametrize("length", [0, 2])
    async def test_the_right_version_upon_another_hash_is_told(self, store: EventStore, length: int) -> None:
        head = await fill(store, length)
        with pytest.raises(HeadMismatch):
            await store.append(command(Head(length, digest("elsewhere"))))
        assert await store.head(STREAM) == head

    async def test_an_append_after_a_version_conflict_succeeds(self, store: EventStore) -> None:
        head = await fill(store, 1)
        await store.append(command(Head(0, first_prev(STREAM)), b"stale"))
        assert await store.append(command(head)) == Appended(2, 2)

    async def test_the_same_command_again_gets_the_first_answer(self, store: EventStore) -> None:
        first = command(await store.head(STREAM), b"1", b"2", key="k", answer=b"\x00told")
        assert await store.append(first) == Appended(1, 2)
        assert await store.append(first) == Replayed(1, 2, b"\x00told")
        assert len(await store.read(STREAM)) == 2

    async def test_the_first_answer_stays_however_far_the_stream_has_gone(self, store: EventStore) -> None:
        first = command(await store.head(STREAM), b"1", key="k", answer=b"told")
        await store.append(first)
        head = await fill(store, 3)
        assert await store.append(first) == Replayed(1, 1, b"told")
        assert await store.append(command(head, b"new", key="k")) == Replayed(1, 1, b"told")
        assert await store.head(STREAM) == head

    async def test_an_answer_may_be_absent_or_empty(self, store: EventStore) -> None:
        for key, answer in (("none", None), ("empty", b"")):
            append = command(await store.head(STREAM), b"1", key=key, answer=answer)
            await store.append(append)
            outcome = await store.append(append)
            assert isinstance(outcome, Replayed)
            assert outcome.answer == answer

    async def test_a_key_with_another_request_is_refused(self, store: EventStore) -> None:
        await store.append(command(await store.head(STREAM), b"1", b"2", key="k", request="one"))
        head = await store.head(STREAM)
        for append in (
            command(head, b"3", key="k", request="two"),
            command(Head(0, first_prev(STREAM)), b"3", key="k", request="two"),
        ):
            assert await store.append(append) == IdempotencyConflict(1, 2)
        assert await store.head(STREAM) == head

    async def test_a_key_belongs_to_one_actor_and_one_stream(self, store: EventStore) -> None:
        assert await store.append(command(await store.head(STREAM), key="k")) == Appended(1, 1)
        assert await store.append(command(await store.head(STREAM), key="k", actor="p_ben")) == Appended(2, 2)
        other = await store.head("g_other")
        assert await store.append(command(other, stream="g_other", key="k")) == Appended(1, 1)

    async def test_another_key_at_a_stale_version_is_a_version_conflict(self, store: EventStore) -> None:
        append = command(await store.head(STREAM), b"1", key="k")
        await store.append(append)
        again = command(Head(0, first_prev(STREAM)), b"1b", key="other")
        assert await store.append(again) == VersionConflict(1)

    async def test_the_very_same_events_without_a_key_count_as_stored(self, store: EventStore) -> None:
        append = command(await store.head(STREAM), b"1", b"2")
        assert await store.append(append) == Appended(1, 2)
        assert await store.append(append) == Replayed(1, 2, None)

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("events", []),
            ("events", [NewEvent("moved", b"", digest(""))] * 513),
            ("events", [NewEvent("moved", b"x" * (1 << 20), digest("")), NewEvent("moved", b"x", digest(""))]),
            ("events", [NewEvent("moved", b"", "short")]),
            ("events", [NewEvent("mo\nved", b"", digest(""))]),
            ("expected_version", -1),
            ("prev_hash", "ab"),
            ("stream", ""),
            ("stream", "g_\x00"),
            ("stream", "g" * 65),
            ("actor", "a\nb"),
            ("actor", "\ud800"),
            ("command_key", ""),
            ("command_key", "k" * 256),
            ("command_key", "k\x00"),
            ("command_key", "ключ"),
            ("command_digest", None),
        ],
    )
    async def test_a_malformed_append_is_refused_and_named(self, store: EventStore, field: str, value: object) -> None:
        parts: dict[str, object] = {
            "stream": STREAM,
            "expected_version": 0,
            "prev_hash": first_prev(STREAM),
            "events": chained(first_prev(STREAM), [("moved", b"{}")]),
            "actor": "p_anna",
            "command_key": "k",
            "command_digest": digest("request"),
        }
        parts[field] = value
        with pytest.raises(AppendInvalid):
            await store.append(Append(**parts))  # type: ignore[arg-type]
        assert await store.head(STREAM) == Head(0, first_prev(STREAM))

    async def test_of_64_appends_at_one_version_exactly_one_wins(self, store: EventStore) -> None:
        for _ in range(5):
            head = await store.head(STREAM)
            appends = [command(head, b"%d" % number, key=f"k{head.version}-{number}") for number in range(64)]
            outcomes = await asyncio.gather(*(store.append(append) for append in appends))
            version = head.version + 1
            assert Counter(outcomes) == {Appended(version, version): 1, VersionConflict(version): 63}
        assert_chained(STREAM, await store.read(STREAM))

    async def test_one_key_from_64_callers_is_one_event_and_64_equal_answers(self, store: EventStore) -> None:
        append = command(await store.head(STREAM), b"1", key="k", answer=b"told")
        outcomes = await asyncio.gather(*(store.append(append) for _ in range(64)))
        assert Counter(outcomes) == {Appended(1, 1): 1, Replayed(1, 1, b"told"): 63}
        assert len(await store.read(STREAM)) == 1

    async def test_good_and_bad_commands_side_by_side_do_not_mix(self, store: EventStore) -> None:
        heads = {f"g_{number}": await fill(store, 1, f"g_{number}") for number in range(30)}

        async def one(number: int, stream: str, head: Head) -> Outcome | str:
            stale = Head(0, first_prev(stream))
            wrong = Head(head.version, digest("wrong"))
            try:
                return await store.append(command((head, stale, wrong)[number % 3], b"a", b"b", stream=stream, key="k"))
            except HeadMismatch:
                return "mismatch"

        outcomes = await asyncio.gather(*(one(i, s, h) for i, (s, h) in enumerate(heads.items())))
        assert outcomes == [(Appended(2, 3), VersionConflict(1), "mismatch")[i % 3] for i in range(30)]
        for number, stream in enumerate(heads):
            events = await store.read(stream)
            assert_chained(stream, events)
            assert len(events) == (3 if number % 3 == 0 else 1)
        assert len(await whole_feed(store)) == 30 + 2 * 10

    async def test_a_cancelled_caller_leaves_the_others_and_the_stream_whole(self, store: EventStore) -> None:
        streams = [f"g_{number}" for number in range(40)]
        heads = [await store.head(stream) for stream in streams]
        tasks = [
            asyncio.create_task(store.append(command(head, stream=stream)))
            for stream, head in zip(streams, heads, strict=True)
        ]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert outcomes[1::2] == [Appended(1, 1)] * 20
        for stream in streams:
            head = await store.head(stream)
            assert await store.append(command(head, stream=stream)) == Appended(head.version + 1, head.version + 1)

    async def test_the_feed_has_every_event_once_and_each_stream_in_order(self, store: EventStore) -> None:
        await asyncio.gather(*(fill(store, 7, f"g_{number}") for number in range(20)))
        for limit in (1000, 13, 1):
            events = await whole_feed(store, limit)
            assert len(events) == 140
            for number in range(20):
                stream = f"g_{number}"
                assert_chained(stream, [event for event in events if event.stream == stream])

    async def test_the_feed_goes_on_where_the_cursor_stands(self, store: EventStore) -> None:
        await fill(store, 2, "g_one")
        page = await store.read_feed()
        assert (await store.read_feed(page.cursor)).events == []
        await fill(store, 1, "g_one")
        await fill(store, 1, "g_two")
        later = await store.read_feed(page.cursor)
        assert sorted((event.stream, event.version) for event in later.events) == [("g_one", 3), ("g_two", 1)]

    async def test_a_page_of_the_feed_is_not_filled_by_one_busy_stream(self, store: EventStore) -> None:
        busy = next(name for name in (f"g_busy{number}" for number in range(1000)) if crc32(name.encode()) % 16 == 0)
        await fill(store, 50, busy)
        await asyncio.gather(*(fill(store, 1, f"g_quiet{number}") for number in range(60)))
        page = await store.read_feed(None, 40)
        assert len(page.events) == 40
        assert len({event.stream for event in page.events}) > 16

    async def test_a_reader_beside_32_writers_misses_nothing_and_repeats_nothing(self, store: EventStore) -> None:
        done = asyncio.Event()
        seen: list[StoredEvent] = []

        async def reader() -> None:
            cursor = None
            while True:
                last_round = done.is_set()
                page = await store.read_feed(cursor, 50)
                seen.extend(page.events)
                cursor = page.cursor
                if last_round and not page.events:
                    return
                await asyncio.sleep(0)

        reading = asyncio.create_task(reader())
        await asyncio.gather(*(fill(store, 25, f"g_{number}") for number in range(32)))
        done.set()
        await reading
        assert len(seen) == len({(event.stream, event.version) for event in seen}) == 32 * 25
        for number in range(32):
            versions = [event.version for event in seen if event.stream == f"g_{number}"]
            assert all(later == earlier + 1 for earlier, later in pairwise(versions))

    @pytest.mark.parametrize("cursor", ["", "x", "not base64 !", "k" * 20_000, "wA", "kqF4kf8"])
    async def test_an_unreadable_cursor_is_refused(self, store: EventStore, cursor: str) -> None:
        with pytest.raises(CursorInvalid):
            await store.read_feed(cursor)

    async def test_a_cursor_beyond_the_end_is_outdated(self, store: EventStore, fresh_store: EventStore) -> None:
        await fill(store, 1)
        page = await store.read_feed()
        with pytest.raises(CursorOutdated):
            await fresh_store.read_feed(page.cursor)

    async def test_a_claim_gives_everybody_the_first_value(self, store: EventStore) -> None:
        values = await asyncio.gather(
            *(store.claim("games", "p_anna", "k", digest("r"), b"g_%d" % number) for number in range(16))
        )
        assert len(set(values)) == 1
        assert await store.claim("games", "p_ben", "k", digest("r"), b"g_ben") == b"g_ben"
        with pytest.raises(KeyReused):
            await store.claim("games", "p_anna", "k", digest("other"), b"g_x")
