"""What an audit came to."""

import platform
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.editions import EDITION
from domain.upcasting import SCHEMA
from service.audit.findings import FINDINGS_MAX, Finding, FindingCode, Findings
from service.audit.source import Cut
from service.version import VERSION

FORMAT: Final = "meldhouse-audit/1"

LINES_MAX: Final = 50
"""The most findings that are told line by line; all that are kept are in the JSON report."""


class Counts(Struct, frozen=True, kw_only=True):
    """How much was looked at.

    feed_events     positions of the feed
    roots           comparisons of a tree with a root that was signed
    ruled           whether every game was checked by the rules
    """

    games: int
    tournaments: int = 0
    ended_games: int
    events: int
    body_bytes: int
    shards: int
    feed_events: int
    keys: int
    epochs: int
    checkpoints: int
    roots: int
    kept_heads: int
    witness_lines: int
    ruled: bool


class Figures(Struct, frozen=True, kw_only=True):
    """How fast it was. `events_per_core_second` counts the processor time of the audit's own processes only; of memory
    it is the most that one process had at a time. Of an audit that was resumed, the last run."""

    seconds: float
    processes: int
    events_per_second: float
    events_per_core_second: float
    cpu_seconds: float
    memory_bytes: int
    resumed: int


class Report(Struct, frozen=True, kw_only=True):
    """The report. `ok` says that there is no error; `findings` are those kept, `counts_by_code` counts all."""

    report: str
    ok: bool
    cut: Cut
    game: str | None
    counts: Counts
    findings: list[Finding]
    counts_by_code: dict[FindingCode, int]
    errors: int
    warnings: int
    left_out: int
    figures: Figures
    versions: dict[str, Any]

    def json(self) -> bytes:
        """The report as a file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"

    def lines(self) -> Iterator[str]:
        """The report for people."""
        for finding in self.findings[:LINES_MAX]:
            place = finding.place()
            yield f"{finding.severity}: {finding.code}{': ' if place else ''}{place}: {finding.message}"
        hidden = sum(self.counts_by_code.values()) - min(len(self.findings), LINES_MAX)
        if hidden:
            yield f"… and {hidden} more (at most {FINDINGS_MAX} of each kind of work are in the JSON report)"
        for code, number in sorted(self.counts_by_code.items()):
            yield f"{number:>8} {code}"
        yield self._summary()

    def _summary(self) -> str:
        counts, figures = self.counts, self.figures
        parts = [f"{counts.games} games, {counts.events} events{' checked by the rules' if counts.ruled else ''}"]
        if self.game is None:
            parts.append(f"{counts.feed_events} positions of {counts.shards} shards")
            parts.append(f"{counts.checkpoints} checkpoints, {counts.roots} roots, {counts.keys} keys")
        if counts.tournaments:
            parts.append(f"{counts.tournaments} tournaments")
        if counts.kept_heads:
            parts.append(f"{counts.kept_heads} kept heads")
        if counts.witness_lines:
            parts.append(f"{counts.witness_lines} witnessed lines")
        verdict = "ok" if self.ok else f"{self.errors} ERRORS"
        if self.warnings:
            verdict += f", {self.warnings} warnings"
        return (
            f"{verdict}: {', '.join(parts)}, in {figures.seconds:.1f} s "
            f"({figures.events_per_second:,.0f} events/s, {figures.events_per_core_second:,.0f} per core)"
        )


def report_of(cut: Cut, game: str | None, counts: Counts, found: Sequence[Findings], figures: Figures) -> Report:
    """The report with all findings, in the order given."""
    together = Findings()
    for findings in found:
        together.include(findings)
    return Report(
        report=FORMAT,
        ok=not together.errors,
        cut=cut,
        game=game,
        counts=counts,
        findings=together.kept,
        counts_by_code=together.counts,
        errors=together.errors,
        warnings=together.number - together.errors,
        left_out=together.number - len(together.kept),
        figures=figures,
        versions={
            "meldhouse": VERSION,
            "edition": EDITION,
            "schema": SCHEMA,
            "python": platform.python_version(),
            "postgres": cut.postgres,
        },
    )
