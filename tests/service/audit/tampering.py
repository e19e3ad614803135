"""A campaign of tamperings: `python -m tests.service.audit.tampering --count 1000 [--database URL] [--seed TEXT]`

Each tampering is done inside of a transaction, audited there as far as it may reach, and taken back. It has a set of
codes by which it must be found, and the place that must be named.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final

import asyncpg

from service.audit.findings import Finding
from service.embedded import ephemeral
from service.migrate import migrate
from tests.service.audit import event_tamperings as events
from tests.service.audit import log_tamperings as log
from tests.service.audit import rewritings
from tests.service.audit import row_tamperings as rows
from tests.service.audit.archive import build
from tests.service.audit.tampered import Archive, Kind, Tampered, unguarded
from tests.service.audit.within import Part, findings_within

KINDS: Final[tuple[Kind, ...]] = (
    events.body_flipped,
    events.last_body_flipped,
    events.body_damaged,
    events.body_huge,
    events.hash_flipped,
    events.hash_cut,
    events.prev_flipped,
    events.type_changed,
    events.schema_changed,
    events.last_version_changed,
    events.position_beyond,
    events.positions_swapped,
    events.shard_changed,
    events.moved_to_another_game,
    events.row_deleted,
    events.game_deleted,
    events.row_inserted,
    events.row_doubled,
    events.position_doubled,
    events.tail_cut,
    events.tail_cut_with_counter,
    events.counter_changed,
    events.counter_deleted,
    rows.game_row_changed,
    rows.game_row_deleted,
    rows.seat_changed,
    rows.master_changed,
    rows.master_deleted,
    rows.master_added,
    rows.board_game_moved,
    rows.board_commitment_changed,
    rows.tournament_row_changed,
    rows.tournament_row_deleted,
    rewritings.times_rewritten,
    rewritings.head_rewritten,
    rewritings.cut_short,
    rewritings.fact_rewritten,
    rewritings.form_rewritten,
    rewritings.totals_rewritten,
    rewritings.rewritten_by_the_rules,
    rewritings.reveal_removed,
    log.checkpoint_changed,
    log.checkpoint_deleted,
    log.node_changed,
    log.node_deleted,
    log.announcement_removed,
    log.announcement_changed,
    log.key_changed,
)

BY_THE_RULES: Final = (events.row_inserted,)
"""What may be a game like any other for whoever does not ask the rules."""


def name_of(kind: Kind) -> str:
    """What a kind of tampering is called."""
    return kind.__name__


async def found(
    connection: asyncpg.Connection, archive: Archive, kind: Kind, chance: random.Random
) -> tuple[Tampered, list[Finding]]:
    """Tamper, in the transaction of the connection, and audit what it may have touched."""
    done = await kind(connection, archive, chance)
    part = Part(done.games, done.shards, done.log)
    return done, await findings_within(connection, part, rules=kind in BY_THE_RULES, heads=done.heads)


async def campaign(url: str, number: int, seed: str) -> Counter[tuple[str, bool]]:
    """So many tamperings of random kinds; how many of each were found, and not found."""
    connection = await asyncpg.connect(url)
    archive = await Archive.read(connection)
    counts: Counter[tuple[str, bool]] = Counter()
    whole = connection.transaction()
    await whole.start()
    await unguarded(connection)
    for turn in range(number):
        chance = random.Random(f"{seed}/{turn}")
        kind = KINDS[turn % len(KINDS)]
        step = connection.transaction()
        await step.start()
        done, findings = await found(connection, archive, kind, chance)
        await step.rollback()
        shown = any(map(done.shown_by, findings))
        counts[name_of(kind), shown] += 1
        if not shown:
            print(f"NOT FOUND: {name_of(kind)}, turn {turn}: {done}, but {findings[:3]}", flush=True)
    await whole.rollback()
    await connection.close()
    return counts


def main() -> None:
    """Run a campaign on a database that is named, or on one of its own."""
    parser = argparse.ArgumentParser(description="Tamper with an archive, and look whether every tampering is found.")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--database", help="a superuser's address; without it an archive is made for the campaign")
    given = parser.parse_args()
    begun = time.monotonic()
    if given.database is not None:
        counts = asyncio.run(campaign(given.database, given.count, given.seed))
    else:
        counts = _on_its_own(given.count, given.seed)
    for kind in KINDS:
        name = name_of(kind)
        print(f"{counts[name, True]:>6} found {counts[name, False]:>4} missed  {name}")
    missed = sum(number for (_, shown), number in counts.items() if not shown)
    print(f"{counts.total()} tamperings, {missed} missed, {time.monotonic() - begun:.0f} s")
    sys.exit(missed > 0)


def _on_its_own(number: int, seed: str) -> Counter[tuple[str, bool]]:
    with ephemeral() as servers, tempfile.TemporaryDirectory() as keys:
        asyncio.run(migrate(servers.database_url))
        asyncio.run(build(servers.database_url, Path(keys)))
        return asyncio.run(campaign(servers.database_url, number, seed))


if __name__ == "__main__":
    main()
