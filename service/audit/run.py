"""An audit from its beginning to its report."""

import asyncio
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from domain.records.lines import split_lines
from service.audit.feed import ShardState
from service.audit.findings import Findings
from service.audit.kept import read_heads, split_witness, witnessed_keys
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
from service.audit.log import LogView, read_log
from service.audit.pool import Pool
from service.audit.report import Counts, Figures, Report, report_of
from service.audit.resuming import FORMAT, Asked, Saved, check_same, load, save
from service.audit.source import AuditImpossible, Cut, check_cut, connect, read_cut
from service.audit.tasks import Assignment
from service.audit.worker import OPEN_FAULTS
from service.checkpoints.signed import LINE_BYTES_MAX
from service.offline.beacons import Chain
from service.store.database import reason_of

SAVE_SECONDS: Final = 2.0
LOOK_SECONDS: Final = 0.2
CHUNK_BYTES: Final = 1 << 20


class Options(Struct, frozen=True, kw_only=True):
    """What is to be audited, how, and by how many processes; `resume` is the file for the state."""

    url: str
    rules: bool = False
    chains: tuple[Chain, ...] = ()
    game: str | None = None
    heads: Path | None = None
    witness: Path | None = None
    resume: Path | None = None
    processes: int = 1

    def asked(self) -> Asked:
        """The part of the options that a resumed audit must share."""
        return Asked(self.rules, self.game, self.heads is not None, self.witness is not None)


class Reached(Struct, frozen=True):
    """How far an audit has come: events of games, of about so many, and how much was found so far."""

    events: int
    total: int
    findings: int


class Audit:
    """One audit; `progress` is told how far it is, several times a second."""

    def __init__(self, options: Options, progress: Callable[[Reached], None] = lambda _: None) -> None:
        self._options: Final = options
        self._progress: Final = progress
        self._begun = time.monotonic()

    def run(self) -> Report:
        """Carry it out. Raises `AuditImpossible`; a state file is then as good as at any other moment."""
        options = self._options
        self._saved = None if options.resume is None else load(options.resume, options.asked())
        cut, log, self._log_findings = asyncio.run(self._open())
        saved = self._saved = self._saved or _fresh(cut, options.asked())
        self._log = log
        self._lanes(saved)
        if options.resume is not None:
            save(options.resume, saved)
        assignment = Assignment(url=options.url, cut=saved.cut, log=log, rules=options.rules, chains=options.chains)
        before = saved.seconds
        try:
            with Pool(assignment, options.processes) as pool:
                self._drive(pool, before)
                pool.finish()
        finally:
            saved.seconds = before + time.monotonic() - self._begun
            if options.resume is not None:
                save(options.resume, saved)
        report = self._report(saved, pool, before)
        if options.resume is not None:
            options.resume.unlink(missing_ok=True)
        return report

    async def _open(self) -> tuple[Cut, LogView, Findings]:
        """The cut, which is that of the audit resumed if one is, and the log."""
        try:
            connection = await connect(self._options.url)
            try:
                cut = await read_cut(connection)
                if self._saved is not None and self._options.resume is not None:
                    check_same(self._options.resume, self._saved.cut, cut)
                    self._saved.resumed += 1
                    cut = self._saved.cut
                log, found = await read_log(connection, cut)
            finally:
                connection.terminate()
        except OPEN_FAULTS as error:
            raise AuditImpossible(f"The database cannot be read: {reason_of(error)}.") from error
        findings = Findings()
        findings.add(found)
        return cut, log, findings

    def _lanes(self, saved: Saved) -> None:
        options, cut = self._options, saved.cut
        self._games = GamesLane(saved.games, options.game)
        whole = options.game is None
        self._shards = [ShardLane(done, cut) for done in saved.shards] if whole else []
        self._checkpoints = CheckpointsLane(saved.checkpoints, (cut.checkpoint or 0) if whole else 0)
        heads = () if options.heads is None else read_heads(_lines(options.heads))
        self._heads = HeadsLane(saved.heads, iter(heads))
        keys = self._log.public_keys
        self._key_findings = Findings()
        if options.witness is not None:
            ring, found = witnessed_keys(split_witness(_lines(options.witness)))
            keys = ring.public_keys or keys
            self._key_findings.add(found)
        lines = () if options.witness is None else split_witness(_lines(options.witness))
        self._witness = WitnessLane(saved.witness, iter(lines), keys)

    def _open_lanes(self) -> Iterator[Lane[Any]]:
        """The work that can be done now, what others wait for first."""
        yield self._witness
        yield self._checkpoints
        yield self._heads
        if self._witness.over:
            for lane in self._shards:
                lane.witnessed = self._witness.done.roots.get(lane.done.state.shard, [])
                yield lane
        yield self._games

    def _drive(self, pool: Pool, before: float) -> None:
        """Give out all the work, and take in what comes of it."""
        out: dict[int, Lane[Any]] = {}
        saved_at = time.monotonic()
        while True:
            self._give(pool, out)
            if not out and all(lane.over for lane in self._open_lanes()):
                return
            for number, answer in pool.answers(LOOK_SECONDS):
                out.pop(number).answered(number, answer)
            self._progress(self._reached())
            now = time.monotonic()
            if self._options.resume is not None and self._saved is not None and now - saved_at > SAVE_SECONDS:
                self._saved.seconds = before + now - self._begun
                save(self._options.resume, self._saved)
                saved_at = now

    def _give(self, pool: Pool, out: dict[int, Lane[Any]]) -> None:
        given = True
        while given and pool.room:
            given = False
            for lane in self._open_lanes():
                task = lane.next() if pool.room else None
                if task is not None:
                    number = pool.give(task)
                    lane.given(number, task)
                    out[number] = lane
                    given = True

    def _reached(self) -> Reached:
        assert self._saved is not None
        events = self._saved.games.checked.events
        total = self._saved.cut.events if self._options.game is None else events
        return Reached(events, max(total, events), sum(findings.number for findings in self._found(self._saved)))

    def _found(self, saved: Saved) -> Iterable[Findings]:
        heads = Findings()
        heads.add(check_cut(saved.cut))
        yield from (heads, self._log_findings, saved.checkpoints.findings)
        yield from (done.findings for done in saved.shards)
        yield from (saved.games.checked.findings, saved.heads.findings, self._key_findings, saved.witness.findings)

    def _report(self, saved: Saved, pool: Pool, before: float) -> Report:
        checked = saved.games.checked
        seconds = time.monotonic() - self._begun
        cpu = sum(usage.cpu_seconds for usage in pool.used)
        unit = 1 if sys.platform == "darwin" else 1024
        own_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
        counts = Counts(
            games=checked.games,
            tournaments=checked.tournaments,
            ended_games=checked.ended,
            events=checked.events,
            body_bytes=checked.bytes,
            shards=len(saved.shards),
            feed_events=sum(done.events for done in saved.shards),
            keys=len(self._log.keys),
            epochs=len(self._log.epochs),
            checkpoints=saved.checkpoints.checkpoints,
            roots=sum(done.roots for done in saved.shards),
            kept_heads=saved.heads.heads,
            witness_lines=saved.witness.lines,
            ruled=self._options.rules,
        )
        figures = Figures(
            seconds=round(before + seconds, 3),
            processes=self._options.processes,
            events_per_second=round(checked.events / (before + seconds), 1),
            events_per_core_second=round(checked.events / cpu, 1) if cpu and not saved.resumed else 0.0,
            cpu_seconds=round(cpu, 3),
            memory_bytes=max([own_memory, *(usage.memory_bytes for usage in pool.used)]),
            resumed=saved.resumed,
        )
        return report_of(saved.cut, self._options.game, counts, list(self._found(saved)), figures)


def usable_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _fresh(cut: Cut, asked: Asked) -> Saved:
    return Saved(
        state=FORMAT,
        asked=asked,
        cut=cut,
        games=GamesDone(),
        shards=[ShardDone(ShardState(head.shard)) for head in cut.heads],
        checkpoints=CheckpointsDone(),
        heads=HeadsDone(),
        witness=WitnessDone(),
    )


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a file. Raises `AuditImpossible`."""

    def chunks() -> Iterator[bytes]:
        try:
            with path.open("rb") as file:
                while chunk := file.read(CHUNK_BYTES):
                    yield chunk
        except OSError as error:
            raise AuditImpossible(f"{path} cannot be read: {error.strerror or error}.") from error

    return split_lines(chunks(), LINE_BYTES_MAX)
