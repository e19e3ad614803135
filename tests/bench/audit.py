"""The audit of an archive of a few hundred thousand events, without and with the rules, by one process."""

import asyncio
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from service.audit.report import Report
from service.audit.run import Audit, Options
from service.embedded import ephemeral
from service.migrate import migrate
from tests.bench import yardsticks
from tests.bench.archive import fill
from tests.bench.measuring import Result, rate, summarise

EVENTS: Final = 300_000

ROUNDS: Final = 3
MIB: Final = 1 << 20


def run() -> Iterable[Result]:
    """Measure the audit beside the reading of chess records."""
    with ephemeral(durable=True) as servers, tempfile.TemporaryDirectory() as keys:
        url = servers.database_url
        asyncio.run(migrate(url))
        asyncio.run(fill(url, EVENTS, Path(keys)))
        yardstick = yardsticks.chess_pgn()
        yardstick.batch()
        for name, rules, goal in (("audit", False, 200_000), ("audit with every rule", True, 80_000)):
            theirs: list[float] = []
            reports: list[Report] = []
            for _ in range(ROUNDS):
                theirs.append(rate(yardstick.batch))
                reports.append(Audit(Options(url=url, rules=rules, processes=1)).run())
                assert reports[-1].ok, reports[-1].findings
            ours = [report.figures.events_per_core_second for report in reports]
            yield summarise(f"{name}, a core", "events/s", ours, goal, yardstick.name, theirs)
            wall = [report.figures.events_per_second for report in reports]
            yield summarise(f"{name}, one process and Postgres beside it", "events/s", wall)
            memory = max(report.figures.memory_bytes for report in reports) / MIB
            yield Result(f"{name}, memory of a process", memory, "MiB", None, None, None, None)
