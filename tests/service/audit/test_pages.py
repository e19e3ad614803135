"""How an archive is parted into tasks, and games that do not fit into one."""

import asyncpg
import pytest

from service.audit import rows
from service.audit.games import check_games
from service.audit.lanes import pages
from service.audit.rows import EVENTS_TOGETHER, Span, span_of
from service.audit.source import read_cut
from tests.service.audit.tampered import Archive


def test_pages_follow_each_other_without_leaving_out_an_id() -> None:
    games = [(f"g{number:03}", 3000) for number in range(10)]
    parts = list(pages("", games, None))
    assert parts[0].span.low == ""
    assert parts[-1].span.high is None
    assert [part.span.high for part in parts[:-1]] == [part.span.low for part in parts[1:]]
    assert [part.events for part in parts] == [6000] * 5
    assert all(part.together for part in parts)


def test_a_game_that_is_too_long_is_a_page_by_itself() -> None:
    games = [("a", 10), ("b", 10 * EVENTS_TOGETHER), ("c", 10)]
    parts = list(pages("", games, "d"))
    assert [(part.span, part.together) for part in parts] == [
        (Span("", "b"), True), (Span("b", "c"), False), (Span("c", "d"), True),
    ]  # fmt: skip


@pytest.mark.parametrize("together", [1, 7, 100])
async def test_a_game_read_in_parts_comes_to_the_same(
    connection: asyncpg.Connection, archive: Archive, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "EVENTS_TOGETHER", together)
    cut = await read_cut(connection)
    game = max(archive.games, key=lambda game: archive.games[game])
    for name in (game, "g5u-samba-online-4p-2", "practice-3"):
        if name in archive.games:
            checked = await check_games(connection, cut, span_of(name), None, together=False)
            assert checked.findings.kept == []
            assert checked.events == archive.games[name]


async def test_a_wrong_version_is_found_in_a_game_read_in_parts(
    connection: asyncpg.Connection, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "EVENTS_TOGETHER", 7)
    cut = await read_cut(connection)
    game = max(archive.games, key=lambda game: archive.games[game])
    await connection.execute("update game set version = version - 1 where id = $1", game)
    checked = await check_games(connection, cut, span_of(game), None, together=False)
    assert [finding.code for finding in checked.findings.kept] == ["game_version_wrong"]
