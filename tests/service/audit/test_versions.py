"""The version in the row of a game is that of the append that last changed its turn or status, and no other."""

import asyncpg

from service.audit.findings import FindingCode
from tests.service.audit.archive import TURNS
from tests.service.audit.tampered import Archive
from tests.service.audit.within import Part, findings_within


async def test_every_other_version_is_found(connection: asyncpg.Connection, archive: Archive) -> None:
    # One of them has had an append since that changed neither turn nor status.
    moved = await connection.fetchval(
        "select id from game where status = 'playing' and version < "
        "(select max(version) from event where stream = id) order by version limit 1"
    )
    for game in (f"practice-{TURNS}", "aborted", "closed", moved):
        right = await connection.fetchval("select version from game where id = $1", game)
        for version in range(archive.games[game] + 2):
            await connection.execute("update game set version = $1 where id = $2", version, game)
            found = await findings_within(connection, Part((game,), (), False))
            expected = [] if version == right else [FindingCode.GAME_VERSION_WRONG]
            assert [finding.code for finding in found] == expected, (game, version, right)
