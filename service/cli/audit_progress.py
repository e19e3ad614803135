"""How far an audit is: a bar on a terminal, elsewhere a line now and then. All of it goes to standard error."""

from collections import deque
from time import monotonic
from types import TracebackType
from typing import Final, Self

import click
from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from service.audit.run import Reached

LINE_SECONDS: Final = 10.0
RATE_SECONDS: Final = 10.0
"""The rate is that of the last so many seconds."""


class Progress:
    """Shows how far an audit is, in a context."""

    def __init__(self, console: Console) -> None:
        self._bar: Bar | None = None
        if console.is_terminal:
            columns = TextColumn("audit"), BarColumn(), TextColumn("{task.description}")
            self._bar = Bar(*columns, console=console, transient=True)
            self._task = self._bar.add_task("", total=None)
        self._told_at = monotonic()
        self._recent: deque[tuple[float, int]] = deque()

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, reached: Reached) -> None:
        """Tell how far it is, if it is time to."""
        now = monotonic()
        text = self._text(reached, now)
        if self._bar is not None:
            self._bar.update(self._task, completed=reached.events, total=reached.total or None, description=text)
        elif now - self._told_at >= LINE_SECONDS:
            self._told_at = now
            click.echo(f"audit: {text}", err=True)

    def _text(self, reached: Reached, now: float) -> str:
        self._recent.append((now, reached.events))
        while now - self._recent[0][0] > RATE_SECONDS:
            self._recent.popleft()
        since, before = self._recent[0]
        rate = (reached.events - before) / (now - since) if now > since else 0.0
        parts = [f"{reached.events:,} of {reached.total:,} events", f"{rate:,.0f}/s"]
        if rate:
            minutes, seconds = divmod(int((reached.total - reached.events) / rate), 60)
            parts.append(f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d} left")
        if reached.findings:
            parts.append(f"{reached.findings} findings")
        return ", ".join(parts)


def progress_of() -> Progress:
    """Progress on the standard error."""
    return Progress(Console(stderr=True))
