"""An audit on one connection, inside of whatever transaction that is in: the same tasks, done by no other process."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

import asyncpg
from msgspec import Struct

from service.audit.feed import ShardState
from service.audit.findings import Finding, Findings
from service.audit.kept import KeptHead, KeptLine, witnessed_keys
from service.audit.lanes import (
    CheckpointsDone,
    CheckpointsLane,
    GamesDone,
    GamesLane,
    HeadsDone,
    HeadsLane,
    Lane,
    ShardDone,
    ShardLane,
    WitnessDone,
    WitnessLane,
)
from service.audit.log import read_log
from service.audit.source import check_cut, read_cut
from service.audit.tasks import Assignment, perform
from service.offline.beacons import Chains


class Part(Struct, frozen=True):
    """The part of an archive that is audited; None for all of it."""

    games: Sequence[str] | None = None
    shards: Sequence[int] | None = None
    checkpoints: bool = True


WHOLE = Part()


async def findings_within(
    connection: asyncpg.Connection,
    part: Part = WHOLE,
    *,
    rules: bool = False,
    heads: Iterable[KeptHead] = (),
    witness: Sequence[bytes] = (),
) -> list[Finding]:
    """Everything that an audit finds in the database as the connection sees it."""
    cut = await read_cut(connection)
    log, found = await read_log(connection, cut)
    given = Assignment(url="", cut=cut, log=log, rules=rules, chains=Chains().all)
    findings = Findings()
    findings.add(check_cut(cut))
    findings.add(found)
    kept = [KeptLine(number, line) for number, line in enumerate(witness, 1)]
    ring, found = witnessed_keys(kept)
    findings.add(found)
    witness_lane = WitnessLane(WitnessDone(), iter(kept), ring.public_keys or log.public_keys)
    await _drive(connection, given, witness_lane)
    lanes: list[Lane[Any]] = [HeadsLane(HeadsDone(), enumerate(heads, 1))]
    if part.checkpoints:
        lanes.append(CheckpointsLane(CheckpointsDone(), cut.checkpoint or 0))
    for head in cut.heads:
        if part.shards is None or head.shard in part.shards:
            shard_lane = ShardLane(ShardDone(ShardState(head.shard)), cut)
            shard_lane.witnessed = witness_lane.done.roots.get(head.shard, [])
            lanes.append(shard_lane)
    lanes += [GamesLane(GamesDone())] if part.games is None else [GamesLane(GamesDone(), game) for game in part.games]
    for lane in lanes:
        await _drive(connection, given, lane)
    for lane in (witness_lane, *lanes):
        done = lane.done
        findings.include(done.checked.findings if isinstance(done, GamesDone) else done.findings)
    return findings.kept


async def _drive(connection: asyncpg.Connection, given: Assignment, lane: Lane[Any]) -> None:
    rulebook = given.rulebook()
    for number in count():
        task = lane.next()
        if task is None:
            assert lane.over
            return
        lane.given(number, task)
        lane.answered(number, await perform(connection, given, rulebook, task))
