"""A game on the terminal: the table as a viewer sees it."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from domain.telling import card
from domain.views import View
from service.cli.printable import printable

RED: Final = "red3"
PILE_CARDS_SHOWN: Final = 14
SET_NAMES: Final = {
    "natural_canasta": "natural canasta",
    "mixed_canasta": "mixed canasta",
    "wild_canasta": "wild canasta",
    "samba": "samba",
}


def table(view: View, names: Sequence[str], told: str = "") -> RenderableType:
    """The table as a view shows it, with a sentence about what has just happened."""
    parts: list[RenderableType] = [_head(view), _seats(view, names), _melds(view)]
    if told:
        parts.append(Text(printable(told), style="bold"))
    title = Text(printable(f"{view.ruleset} · hand {view.hand}"))
    return Panel(Group(*parts), title=title, subtitle=f"event {view.version}")


def coloured(faces: Sequence[str]) -> Text:
    """Cards with their red suits in red."""
    text = Text()
    for face in faces:
        text.append(card(face) + " ", style=RED if face[1] in "HD" else "")
    return text


def _head(view: View) -> RenderableType:
    totals = "  ".join(f"side {side}: {total}" for side, total in enumerate(view.totals))
    pile = view.pile[-PILE_CARDS_SHOWN:]
    line = Text(
        f"{totals}    stock {view.stock}    pile {len(view.pile)}: {'… ' if len(view.pile) > len(pile) else ''}"
    )
    return line + coloured(pile)


def _seats(view: View, names: Sequence[str]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    for seat, holding in enumerate(view.holdings):
        mark = "▶" if seat == view.to_act else " "
        known = Text("") if holding.cards is None else coloured(holding.cards)
        grid.add_row(mark, Text(printable(names[seat])), f"{holding.count} cards", known)
    return grid


def _melds(view: View) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    for side, melds in enumerate(view.melds):
        threes = view.red_threes[side]
        if threes:
            grid.add_row(f"side {side}", coloured(threes), "")
        for meld in melds:
            grid.add_row(f"side {side}", coloured(meld.cards), SET_NAMES[meld.set] if meld.set else "")
    return grid
