"""The gate of a release: golden games, and the state hashes of an archive."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain.chain import first_prev
from service.store.append import EVENTS_MAX, Append, NewEvent, PutGame, PutSeat, Touch
from service.store.base import Appended
from service.store.postgres import PostgresStore
from tests.golden import gate
from tests.golden.archive import Line, changed_states, read_states, write_states
from tests.golden.stored import HERE, Kept, Row, expected_of, rows_of

V1 = HERE / "v1"
NAMES = ("striped", "forked", "g5u-samba-online-4p", "g1-samba-official-4p")


@pytest.fixture
async def archive(database: str) -> str:
    """A database that holds some golden games, each with the rows beside it."""
    store = await PostgresStore.open(database)
    for name in NAMES:
        kept = expected_of(V1).games[name]
        await keep(store, kept, rows_of(V1, name, kept))
    await store.close()
    return database


async def keep(store: PostgresStore, kept: Kept, rows: list[Row]) -> None:
    created = msgspec.json.decode(rows[0].body)
    now = datetime.now(UTC)
    put = PutGame(
        share_code=kept.game,
        visibility="public",
        status="ended",
        ruleset=created["ruleset"]["name"],
        players=created["players"],
        practice=created["origin"] is not None,
        created_by="test",
        created_at=now,
    )
    seats = [PutSeat(seat=seat, kind=kind, player=player, level=level) for seat, player, kind, level in seated(rows)]
    prev, done = first_prev(kept.game), 0
    while done < len(rows):
        # The row of a game is there once its first event is, and is moved on from then.
        part = rows[done : done + EVENTS_MAX] if done else rows[:1]
        append = Append(
            stream=kept.game,
            expected_version=done,
            prev_hash=prev,
            events=[NewEvent(msgspec.json.decode(row.body)["type"], row.body, row.hash) for row in part],
            actor="test",
            touch=Touch("ended", finished_at=now),
            writes=() if done else (put, *seats),
        )
        assert isinstance(await store.append(append), Appended)
        prev, done = part[-1].hash, done + len(part)


def seated(rows: list[Row]) -> list[tuple[int, str, str, str | None]]:
    """Who sat down where, and was never followed by another."""
    happened = [msgspec.json.decode(row.body) for row in rows]
    return [(each["seat"], each["player"], each["kind"], each["bot"]) for each in happened if each["type"] == "seated"]


def kept_states(kept: Kept) -> set[Line]:
    return {Line(kept.game, int(n), state) for n, state in kept.result["states"].items()}


async def test_the_state_hashes_of_an_archive_are_those_of_the_games_in_it(archive: str, tmp_path: Path) -> None:
    lines = await write_states(archive, tmp_path / "states")
    found = set(read_states(tmp_path / "states"))
    expected = {line for name in NAMES for line in kept_states(expected_of(V1).games[name])}
    assert len(found) == lines > 12
    assert found == expected


async def test_the_gate_is_open_to_an_archive_that_is_as_it_was_and_to_no_other(
    archive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", archive)
    kept = tmp_path / "states"
    assert await asyncio.to_thread(gate.main, ["--states", str(kept)]) == 0
    first, *others = kept.read_bytes().splitlines(keepends=True)
    line = msgspec.json.decode(first, type=Line)
    kept.write_bytes(b"".join([msgspec.json.encode(replace(line, state="0" * 64)) + b"\n", *others]))
    assert await asyncio.to_thread(gate.main, ["--before", str(kept)]) == 1
    assert f"{line.game}: after event {line.n} the state is {line.state}" in capsys.readouterr().out
    store = await PostgresStore.open(archive)
    other = expected_of(V1).games["aborted"]
    rows = rows_of(V1, "aborted", other)
    await keep(store, other, rows[:-3])
    await store.close()
    assert await asyncio.to_thread(gate.main, []) == 1, "its row says that the game has ended"
    assert "The audit of the archive ended with 1." in capsys.readouterr().out


def test_what_two_releases_disagree_about_is_told() -> None:
    before = [Line("a", 9, "1"), Line("a", 12, "2"), Line("b", 7, "3"), Line("c", 8, "4"), Line("d", 5, "5")]
    after = [Line("a", 9, "1"), Line("a", 20, "6"), Line("b", 7, "X"), Line("d", 4, "5"), Line("e", 1, "7")]
    assert changed_states(before, before) == []
    assert changed_states(before, after) == [
        "b: after event 7 the state is X, was 3",
        "c: the game is not there any more",
        "d: there is no event 5 any more",
    ]


def test_the_gate_is_open_while_golden_games_are_as_they_were(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert gate.main([]) == 0
    assert "Every game is as it was." in capsys.readouterr().out
    monkeypatch.setattr(gate, "SCHEMA", 2)
    assert gate.main([]) == 1
    assert "no golden games of v2" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        gate.main(["--states", "x"])
