"""Damage below the level of rows, and findings without end: the audit tells of it and goes on."""

from collections.abc import AsyncIterator
from typing import NoReturn

import asyncpg
import pytest

from service.audit import findings as findings_module
from service.audit import games, rows
from service.audit.findings import Finding, FindingCode, Findings
from service.audit.rows import Row, Rows, Span
from service.audit.source import Cut, read_cut
from tests.service.audit.within import Part, findings_within


async def test_text_that_is_none_is_told_with_its_event(connection: asyncpg.Connection) -> None:
    await connection.execute("create cast (bytea as text) without function")
    await connection.execute(
        r"update event set type = '\xff6472'::bytea::text where stream = 'aborted' and version = 3"
    )
    for names in (("aborted", "practice-3"), None):
        found = await findings_within(connection, Part(names, (), False))
        assert [(finding.code, finding.game, finding.n) for finding in found] == [
            (FindingCode.TYPE_WRONG, "aborted", 3)
        ]


async def test_a_game_that_postgres_cannot_read_is_told_and_the_others_are_checked(
    connection: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Damaged files cannot be made on a server that runs, so the error is raised here as the driver would.
    async def unreadable(*_: object) -> NoReturn:
        raise asyncpg.DataCorruptedError("missing chunk number 0 for toast value")

    read_part, read_singly = rows.read_part, rows.read_singly

    async def part(connected: asyncpg.Connection, cut: Cut, game: str, after: int) -> Rows | None:
        return await (unreadable() if game == "aborted" else read_part(connected, cut, game, after))

    async def singly(
        connected: asyncpg.Connection, cut: Cut, game: str, after: int, longest: int
    ) -> AsyncIterator[Row]:
        async for row in read_singly(connected, cut, game, after, longest):
            if game == "aborted" and row.version == 4:
                await unreadable()
            yield row

    monkeypatch.setattr(games, "read_games", unreadable)
    monkeypatch.setattr(games, "read_part", part)
    monkeypatch.setattr(games, "read_singly", singly)
    cut = await read_cut(connection)
    checked = await games.check_games(connection, cut, Span("", None), None, together=True)
    (finding,) = checked.findings.kept
    assert (finding.code, finding.game, finding.n) == (FindingCode.UNREADABLE, "aborted", 4)
    assert checked.events > 0.9 * cut.events


def test_of_many_findings_some_are_kept_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings_module, "FINDINGS_MAX", 3)
    found = Findings()
    found.add(Finding(FindingCode.ROOT_WRONG, str(number)) for number in range(5))
    assert [finding.message for finding in found.kept] == ["0", "1", "2"]
    assert (found.number, found.errors, found.counts) == (5, 5, {FindingCode.ROOT_WRONG: 5})


async def test_a_column_without_a_value_is_told(connection: asyncpg.Connection) -> None:
    for column in ("body", "hash", "prev_hash", "type", "shard", "position"):
        await connection.execute(f"alter table event alter column {column} drop not null")
    for number, column in enumerate(("body", "hash", "prev_hash", "type", "shard", "position"), 2):
        step = connection.transaction()
        await step.start()
        await connection.execute(f"update event set {column} = null where stream = 'aborted' and version = $1", number)
        found = await findings_within(connection, Part(("aborted",), (), False))
        await step.rollback()
        assert [(finding.game, finding.n) for finding in found if finding.game] == [("aborted", number)], column
