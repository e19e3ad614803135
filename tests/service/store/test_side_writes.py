"""What is written beside the events: in the same transaction, and only with events that are stored."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from service.store.append import (
    DropDeadline,
    DropSeat,
    DropSecret,
    PutDeadline,
    PutGame,
    PutSeat,
    PutSecret,
    Touch,
    Write,
)
from service.store.base import Appended, Outcome, Replayed, VersionConflict
from service.store.deadlines import Deadline, Deadlines
from service.store.games import Game, GameFilter, Games, Seat
from service.store.postgres import PostgresStore
from service.store.secrets import Secrets
from tests.contracts.event_store import STREAM, command

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=3650)


def new_game(code: str = "code", **changes: object) -> PutGame:
    fields: dict[str, object] = {
        "share_code": code,
        "visibility": "listed",
        "status": "open",
        "ruleset": "samba-official",
        "players": 4,
        "practice": False,
        "created_by": "p_anna",
        "created_at": NOW,
    }
    return msgspec.convert(fields | changes, PutGame)


async def write(
    store: PostgresStore,
    *writes: Write,
    touch: Touch | None = None,
    stream: str = STREAM,
    bodies: Sequence[bytes] = (b"{}",),
) -> Outcome:
    append = command(await store.head(stream), *bodies, stream=stream)
    return await store.append(msgspec.structs.replace(append, writes=writes, touch=touch))


@pytest.fixture
def games(postgres_store: PostgresStore) -> Games:
    return Games(postgres_store.pool)


@pytest.fixture
def deadlines(postgres_store: PostgresStore) -> Deadlines:
    return Deadlines(postgres_store.pool)


async def test_a_game_comes_with_its_first_events(postgres_store: PostgresStore, games: Games) -> None:
    seats = [PutSeat(seat=0, kind="human", player="p_anna"), PutSeat(seat=1, kind="bot", level="greedy")]
    await write(postgres_store, new_game(), *seats, bodies=(b"1", b"2", b"3"))
    expected = Game(
        id=STREAM,
        share_code="code",
        visibility="listed",
        status="open",
        ruleset="samba-official",
        players=4,
        practice=False,
        created_by="p_anna",
        created_at=NOW,
        version=3,
        turn=None,
        finished_at=None,
        seats=[Seat(0, "human", "p_anna", None), Seat(1, "bot", None, "greedy")],
    )
    assert await games.game(STREAM) == expected
    assert await games.with_share_code("code") == expected
    assert await games.game("g_other") is None
    assert await games.with_share_code("other") is None


async def test_a_touch_keeps_the_row_at_the_version_of_its_append(postgres_store: PostgresStore, games: Games) -> None:
    await write(postgres_store, new_game())
    await write(postgres_store, touch=Touch("playing", 2), bodies=(b"1", b"2"))
    game = await games.game(STREAM)
    assert game is not None
    assert (game.version, game.status, game.turn, game.finished_at) == (3, "playing", 2, None)
    await write(postgres_store, touch=Touch("finished", None, NOW))
    game = await games.game(STREAM)
    assert game is not None
    assert (game.version, game.status, game.turn, game.finished_at) == (4, "finished", None, NOW)


async def test_seats_are_taken_changed_and_left(postgres_store: PostgresStore, games: Games) -> None:
    await write(postgres_store, new_game(), PutSeat(seat=0, kind="open"), PutSeat(seat=1, kind="open"))
    await write(postgres_store, PutSeat(seat=1, kind="human", player="p_ben"), DropSeat(0))
    game = await games.game(STREAM)
    assert game is not None
    assert game.seats == [Seat(1, "human", "p_ben", None)]


async def test_what_is_refused_writes_nothing_beside(
    postgres_store: PostgresStore, games: Games, deadlines: Deadlines
) -> None:
    await write(postgres_store, new_game())
    stale = command(await postgres_store.head("g_none"), b"stale")
    writes = (PutSeat(seat=0, kind="human", player="p_eve"), PutDeadline("move", NOW), PutSecret("ff"))
    refused = msgspec.structs.replace(stale, writes=writes, touch=Touch("finished", 1, NOW))
    with_head = msgspec.structs.replace(refused, prev_hash=(await postgres_store.head(STREAM)).hash)
    assert await postgres_store.append(with_head) == VersionConflict(1)
    game = await games.game(STREAM)
    assert game is not None
    assert (game.status, game.seats) == ("open", [])
    assert await deadlines.next_due() is None
    assert await Secrets(postgres_store.pool).master(STREAM) is None


async def test_a_repeated_command_writes_nothing_a_second_time(postgres_store: PostgresStore) -> None:
    append = command(await postgres_store.head(STREAM), key="k")
    assert await postgres_store.append(msgspec.structs.replace(append, writes=[PutSecret("aa")])) == Appended(1, 1)
    again = msgspec.structs.replace(append, writes=[PutSecret("bb")])
    assert await postgres_store.append(again) == Replayed(1, 1, None)
    assert await Secrets(postgres_store.pool).master(STREAM) == b"\xaa"


async def test_a_secret_goes_when_it_is_revealed(postgres_store: PostgresStore) -> None:
    secrets = Secrets(postgres_store.pool)
    master = bytes(range(128))
    await write(postgres_store, PutSecret(master.hex()))
    assert await secrets.master(STREAM) == master
    await write(postgres_store, DropSecret())
    assert await secrets.master(STREAM) is None


async def test_lists_of_games_are_filtered_and_go_on_by_age(postgres_store: PostgresStore, games: Games) -> None:
    for number in range(7):
        status, who = ("open", "p_anna") if number % 2 else ("finished", "p_ben")
        await write(
            postgres_store,
            new_game(f"c{number}", status=status, created_by=who, created_at=NOW + timedelta(seconds=number // 3)),
            PutSeat(seat=0, kind="human", player=f"p_{number}"),
            stream=f"g_{number}",
        )
    newest_first = [f"g_{number}" for number in (6, 5, 4, 3, 2, 1, 0)]
    assert [game.id for game in await games.page(GameFilter())] == newest_first
    seen: list[str] = []
    before = None
    while page := await games.page(GameFilter(), before, 2):
        seen += [game.id for game in page]
        before = (page[-1].created_at, page[-1].id)
    assert seen == newest_first
    assert [game.id for game in await games.page(GameFilter(status="open"))] == ["g_5", "g_3", "g_1"]
    assert [game.id for game in await games.page(GameFilter(player="p_4"))] == ["g_4"]
    assert len(await games.page(GameFilter(created_by="p_ben", visibility="listed"))) == 4
    assert await games.page(GameFilter(visibility="unlisted")) == []
    assert await games.page(GameFilter(ruleset="bolivia")) == []


async def test_a_due_timer_is_claimed_by_one_worker_only(postgres_store: PostgresStore, deadlines: Deadlines) -> None:
    for number in range(6):
        due = LONG_AGO + timedelta(seconds=number)
        await write(postgres_store, PutDeadline("move", due), stream=f"g_{number}", bodies=(b"1", b"2"))
    await write(postgres_store, PutDeadline("move", NOW + timedelta(days=36500)), stream="g_later")
    first = await deadlines.claim_due(limit=4)
    assert first == [Deadline(f"g_{n}", "move", 2, LONG_AGO + timedelta(seconds=n)) for n in range(4)]
    assert [deadline.game for deadline in await deadlines.claim_due()] == ["g_4", "g_5"]
    assert await deadlines.claim_due() == []


async def test_a_timer_of_a_worker_that_died_falls_to_another(
    postgres_store: PostgresStore, deadlines: Deadlines
) -> None:
    await write(postgres_store, PutDeadline("move", LONG_AGO))
    assert len(await deadlines.claim_due(lease_seconds=0.0)) == 1
    assert len(await deadlines.claim_due(lease_seconds=60.0)) == 1
    assert await deadlines.claim_due() == []


async def test_moving_a_timer_frees_it_and_dropping_it_ends_it(
    postgres_store: PostgresStore, deadlines: Deadlines
) -> None:
    await write(postgres_store, PutDeadline("move", LONG_AGO))
    (claimed,) = await deadlines.claim_due()
    later = LONG_AGO + timedelta(hours=1)
    await write(postgres_store, PutDeadline("move", later))
    await deadlines.done(claimed)
    assert await deadlines.next_due() == later
    assert await deadlines.claim_due() == [Deadline(STREAM, "move", 2, later)]
    await write(postgres_store, DropDeadline("move"))
    assert await deadlines.next_due() is None


async def test_a_timer_without_meaning_is_done_away_with(postgres_store: PostgresStore, deadlines: Deadlines) -> None:
    await write(postgres_store, PutDeadline("move", LONG_AGO))
    (claimed,) = await deadlines.claim_due(lease_seconds=0.0)
    await deadlines.done(claimed)
    assert await deadlines.claim_due() == []
