"""The course of a game as a figure: points by turn, and the pile. The same game gives the same bytes."""

import io
import logging
import warnings
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final, Literal

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from domain.highlights import Highlight
from domain.statistics import Statistics
from domain.statistics_shapes import HandStatistics, TurnPoint
from domain.telling import Names

INCHES: Final = (12.0, 7.5)
DOTS_PER_INCH: Final = 120
NAME_LENGTH_MAX: Final = 24
MARGIN: Final = 0.02
"""Room behind the last turn, as a part of all turns."""


COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""By side; people who confuse red and green tell them apart (the palette of Okabe and Ito)."""

_STYLE: Final = {
    "axes.edgecolor": "#888888",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 10.0,
    "svg.fonttype": "none",
    "svg.hashsalt": "meldhouse",
    # A dollar sign in a name is no formula.
    "text.parse_math": False,
}
_MARKS: Final = {
    "natural_canasta": ("natural canasta", "o"),
    "mixed_canasta": ("mixed canasta", "o"),
    "wild_canasta": ("wild canasta", "s"),
    "samba": ("samba", "^"),
    "going_out": ("going out", "*"),
}
_GREY: Final = "#666666"
_STOCK: Final = "#8c6d1f"

Place = Callable[[int], float]
"""From an event to its place along the turns: 3.0 is the end of the third turn, 2.5 halfway through it."""


def draw(
    counted: Statistics, found: Sequence[Highlight], names: Names, title: str, form: Literal["svg", "png"]
) -> bytes:
    """The figure of a game from its statistics and highlights. Names and title must be printable."""
    # The first figure in a home that cannot be written to, and letters that the font lacks, are not worth a word.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with matplotlib.style.context(["default", _STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = Figure(figsize=INCHES, layout="constrained")
        points, pile = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        figure.suptitle(title, x=0.012, horizontalalignment="left", fontweight="bold")
        place = _places(counted)
        _draw_hands(points, pile, counted)
        for side in range(len(counted.sides)):
            _draw_side(points, counted, side, _sides_name(counted, names, side))
        marks = _draw_marks(points, counted, found)
        _draw_pile(pile, counted, place)
        _label(points, pile, counted)
        if marks:
            figure.legend(handles=marks, loc="outside lower center", ncols=len(marks), frameon=False)
        written = io.BytesIO()
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(written, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
    return written.getvalue()


def _places(counted: Statistics) -> Place:
    """Within a turn its events lie evenly; the first turn of a hand begins with the deal."""
    ends: list[int] = []
    begins: list[int] = []
    for hand, turns in _by_hand(counted):
        begins += [hand.first, *(point.n for point in turns[:-1])]
        ends += [point.n for point in turns]

    def place(n: int) -> float:
        index = bisect_left(ends, n)
        if index == len(ends):
            return float(index)
        return index + max(n - begins[index], 0) / (ends[index] - begins[index])

    return place


def _sides_name(counted: Statistics, names: Names, side: int) -> str:
    named = counted.sides[side]
    short = [name if len(name) <= NAME_LENGTH_MAX else name[: NAME_LENGTH_MAX - 1] + "…" for name in names]
    return f"{' + '.join(short[seat] for seat in named.seats)}: {named.total}"


def _by_hand(counted: Statistics) -> list[tuple[HandStatistics, list[TurnPoint]]]:
    """The hands in which a turn was ended, each with its turns."""
    hands = []
    done = 0
    for hand in counted.hands:
        turns = list(counted.course[done : done + hand.turns])
        done += hand.turns
        if turns:
            hands.append((hand, turns))
    return hands


def _draw_hands(points: Axes, pile: Axes, counted: Statistics) -> None:
    """A band for every other hand, and its number above."""
    for index, (hand, turns) in enumerate(_by_hand(counted)):
        begin, end = turns[0].turn - 1, turns[-1].turn
        for axes in (points, pile):
            if index % 2:
                axes.axvspan(begin, end, color="#f2f2f2", linewidth=0, zorder=0)
        points.annotate(
            f"hand {hand.hand}" if end - begin >= counted.turns / 16 else str(hand.hand),
            ((begin + end) / 2, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            horizontalalignment="center",
            color=_GREY,
        )


def _draw_side(points: Axes, counted: Statistics, side: int, label: str) -> None:
    """The sheet total of a side as a thick line, and above it what lies on the table as an area."""
    colour = COLOURS[side]
    sheet_x: list[float] = []
    sheet: list[int] = []
    for hand, turns in _by_hand(counted):
        x = [turns[0].turn - 1, *(point.turn for point in turns)]
        total = turns[0].totals[side]
        heights = [total, *(total + point.table[side] for point in turns)]
        points.fill_between(x, total, heights, step="post", color=colour, alpha=0.15, linewidth=0)
        points.plot(x, heights, drawstyle="steps-post", color=colour, linewidth=0.9)
        sheet_x += [x[0], x[-1]]
        sheet += [total, total]
        if hand.totals:
            # The next hand goes on from there; what the last one came to is seen in the margin.
            sheet_x += [x[-1], x[-1] + counted.turns * MARGIN] if hand.last == counted.hands[-1].last else [x[-1]]
            sheet += [hand.totals[side]] * (len(sheet_x) - len(sheet))
    points.plot(sheet_x, sheet, color=colour, linewidth=2.4, label=label)


def _draw_marks(points: Axes, counted: Statistics, found: Sequence[Highlight]) -> list[Line2D]:
    """Canastas and goings out where they happened; a legend of the marks that occur."""
    ends = [point.n for point in counted.course]
    occurring = set()
    for each in found:
        mark = "going_out" if each.kind == "going_out" else each.set
        index = bisect_left(ends, each.n)
        if mark is None or each.side is None or index == len(ends):
            continue
        occurring.add(mark)
        point = counted.course[index]
        height = point.totals[each.side] + point.table[each.side]
        points.add_line(_mark(mark, "_nolegend_", COLOURS[each.side], [point.turn], [height]))
    return [_mark(mark, label, _GREY, [], []) for mark, (label, _) in _MARKS.items() if mark in occurring]


def _mark(mark: str, label: str, colour: str, x: Sequence[float], y: Sequence[float]) -> Line2D:
    return Line2D(
        x,
        y,
        label=label,
        linestyle="",
        marker=_MARKS[mark][1],
        markersize=14 if mark == "going_out" else 8,
        markeredgecolor="white" if mark == "going_out" else colour,
        markerfacecolor="white" if mark == "mixed_canasta" else colour,
        markeredgewidth=0.8 if mark == "going_out" else 1.6,
        zorder=4 if mark == "going_out" else 5,
    )


def _draw_pile(pile: Axes, counted: Statistics, place: Place) -> None:
    """Cards in the pile as an area and in the stock as a line with a scale of its own, event by event."""
    stock = pile.twinx()
    for hand, turns in _by_hand(counted):
        levels = [level for level in counted.piles if hand.first <= level.n <= turns[-1].n]
        levels.append(levels[-1])
        x = [*(place(level.n) for level in levels[:-1]), turns[-1].turn]
        sizes = [level.pile for level in levels]
        left = [level.stock for level in levels]
        pile.fill_between(x, sizes, step="post", color="#444444", linewidth=0)
        stock.plot(x, left, drawstyle="steps-post", color=_STOCK, linewidth=1.4)
    pile.set_ylabel("pile")
    pile.set_ylim(bottom=0)
    stock.set_ylabel("stock (line)", color=_STOCK)
    stock.tick_params(axis="y", colors=_STOCK)
    stock.set_ylim(bottom=0)


def _label(points: Axes, pile: Axes, counted: Statistics) -> None:
    points.set_ylabel("points on the sheet (thick)\nwith what lies on the table (area)")
    points.set_xlim(0, max(counted.turns, 1) * (1 + MARGIN))
    points.margins(y=0.06)
    points.grid(axis="y", color="#dddddd", linewidth=0.6)
    points.set_axisbelow(True)
    points.legend(loc="upper left", framealpha=0.9, title="sides and totals", alignment="left")
    pile.set_xlabel("turns" if counted.turns else "no turn was ended in this game")
    for axis in (pile.xaxis, pile.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
