"""Stepping through a game on a terminal, key by key."""

from collections.abc import Callable, Sequence
from typing import Final

import click
from rich.console import Console

from domain.events import AnyEvent, Dealt, Placed
from domain.evolve import replay
from domain.views import view_for
from service.cli.table import table
from service.cli.telling import Names, tell

NEXT: Final = (" ", "\r", "\n", "n", "\x1b[C", "\x1b[B")
BACK: Final = ("b", "p", "\x7f", "\x1b[D", "\x1b[A")
NEXT_HAND: Final = ("h", "\x1b[6~")
FIRST: Final = ("0", "\x1b[H")
LAST: Final = ("e", "\x1b[F")
QUIT: Final = ("q", "\x03", "\x04", "\x1b")
KEYS: Final = "space next · b back · h next hand · 0 first · e end · q quit"


def step_through(
    happened: Sequence[AnyEvent], names: Names, console: Console, key: Callable[[], str] = click.getchar
) -> None:
    """Show the game as it stood after one event after the other, all hands open, until the reader has enough."""
    at = 0
    while True:
        console.clear()
        state = replay(happened[: at + 1])
        console.print(table(view_for(state, "everyone"), names, tell(happened[at], names)))
        console.print(KEYS, style="dim")
        pressed = key()
        if pressed in QUIT:
            return
        at = _moved(happened, at, pressed)


def _moved(happened: Sequence[AnyEvent], at: int, pressed: str) -> int:
    """The place to go to from `at`."""
    last = len(happened) - 1
    if pressed in NEXT:
        return min(at + 1, last)
    if pressed in BACK:
        return max(at - 1, 0)
    if pressed in FIRST:
        return 0
    if pressed in LAST:
        return last
    if pressed in NEXT_HAND:
        deals = (place for place, event in enumerate(happened) if place > at and isinstance(event, Dealt | Placed))
        return next(deals, last)
    return at
