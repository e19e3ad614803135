"""A progress bar on standard error, for people only: where that is no terminal there is none."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Advance = Callable[[], None]


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Advance]:
    """A bar of `total` steps; what is yielded counts one."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    # Lines for the same terminal go above the bar; lines for a file or a pipe go there untouched.
    with Progress(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as progress:
        task = progress.add_task(title, total=total)
        yield lambda: progress.advance(task)
