"""A moment of a game as lines for a terminal of a given size: the table, what has just happened, the keys."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from domain.cards import JOKER
from domain.meld_views import MeldView
from domain.telling import SUIT_SIGNS, Names, card
from domain.views import View
from service.cli.story import score_line
from service.cli.table import PILE_CARDS_SHOWN, RED, SET_NAMES, coloured

NAME_CELLS_MAX: Final = 18
SENTENCE_LINES_MAX: Final = 3
KEYS: Final = "←→ event  ↑↓ turn  h hand  t take  c canasta  g out  s seat  ? help  q quit"
HELP: Final = (
    ("→ ←", "next and previous event (also space, n and backspace, b)"),
    ("↓ ↑", "next and previous end of a turn"),
    ("h H", "next and previous hand (also page down, page up)"),
    ("t T", "next and previous take of the pile or the upcard"),
    ("c C", "next and previous canasta or samba completed"),
    ("g G", "next and previous going out"),
    ("home end", "first and last event"),
    ("12 enter", "go to event 12"),
    ("s", "switch whose cards are seen: all hands, each seat, a watcher"),
    ("q", "quit (also Ctrl-C)"),
)
FROZEN: Final = {
    "wild_in_pile": "a wild card lies in it",
    "red_three_in_pile": "a red three lies in it",
    "black_three_in_pile": "a black three lies in it",
    "not_melded": "nothing melded yet",
}


class Moment(Struct, frozen=True):
    """What a scene shows.

    `table` are the points that lie on the table by side, `seen_by` says whose view it is, `told` is the sentence of
    the event `n` of `length`; `hands` is the number of hands in the game, `note` what there is to say to the reader,
    and `typed` a number being typed.
    """

    view: View
    table: tuple[int, ...]
    names: Names
    seen_by: str
    told: str
    n: int
    length: int
    hands: int
    note: str = ""
    typed: str = ""
    help: bool = False


def scene(moment: Moment, width: int, height: int) -> list[Text]:
    """At most `height` lines of at most `width` cells. Where room is scarce, cards are written shorter and shorter."""
    head, foot = _head(moment, width), [*_foot(moment, width), _last(moment)]
    room = max(height - len(head) - len(foot), 0)
    lines = [*head, *_fitted(moment, width, room), *foot]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines[-height:]


def printed_scene(moment: Moment, width: int) -> list[Text]:
    """The same as lines to be printed, as many as it takes, without the keys."""
    return [*_head(moment, width), *_body(moment, width, _whole, _below), *_foot(moment, width)]


def _fitted(moment: Moment, width: int, room: int) -> list[Text]:
    """What stands in the middle, in just so many lines."""
    if moment.help:
        body = [Text(f"  {keys:<10}{what}") for keys, what in HELP]
    else:
        body = []
        for write, place in _WAYS_OF_WRITING:
            body = _body(moment, width, write, place)
            if len(body) <= room:
                break
    if len(body) > room:
        cut = len(body) - room + 1
        body = [*body[: max(room - 1, 0)], Text(f" … {cut} more lines in a larger window", style="dim")][:room]
    return [*body, *[Text()] * (room - len(body))]


# --- above and below ---


def _head(moment: Moment, width: int) -> list[Text]:
    view = moment.view
    dealt = "" if view.dealer is None else f" · hand {view.hand}, dealt by {_short_name(moment.names[view.dealer])}"
    title = Text(f" {view.ruleset}{dealt}", style="reverse")
    title.append(f"{moment.seen_by} ".rjust(max(width - title.cell_len, 1)))
    totals = _totals(moment, "on the table")
    if totals.cell_len > width:
        totals = _totals(moment, "")
    pile = Text(f" stock {view.stock}   pile {len(view.pile)}")
    if view.pile:
        shown = view.pile[-PILE_CARDS_SHOWN:]
        pile.append(": " + ("… " if len(shown) < len(view.pile) else "")).append(_whole(None, shown))
    for reason in dict.fromkeys(filter(None, view.frozen)):
        sides = [side for side, each in enumerate(view.frozen) if each == reason]
        whom = (
            ""
            if len(sides) == len(view.sides)
            else f" to {', '.join(_side(view, moment.names, side) for side in sides)}"
        )
        pile.append(f"  frozen{whom}: {FROZEN[reason]}", style="cyan")
    return [title, totals, pile, Text()]


def _totals(moment: Moment, where: str) -> Text:
    """The totals by side, and what lies on the table beside them while a hand is played."""
    view = moment.view
    text = Text()
    for side, total in enumerate(view.totals):
        text.append("   " if side else " ").append(_side(view, moment.names, side)).append(f" {total}", style="bold")
        if view.ended is None and moment.table[side]:
            text.append(f" (+{moment.table[side]} {where}".rstrip() + ")")
    return text


def _foot(moment: Moment, width: int) -> list[Text]:
    sentence = _flow([Text(word) for word in moment.told.split()], width - 2, " ")
    if len(sentence) > SENTENCE_LINES_MAX:
        sentence = [*sentence[: SENTENCE_LINES_MAX - 1], sentence[SENTENCE_LINES_MAX - 1].append(" …")]
    for line in sentence:
        line.stylize("bold")
    hand = f" · hand {moment.view.hand} of {moment.hands}" if moment.view.hand else ""
    progress = Text(f" event {moment.n} of {moment.length}{hand} ")
    cells = max(width - progress.cell_len - 1, 0)
    done = cells * moment.n // moment.length
    progress.append("━" * done, style="cyan").append("━" * (cells - done), style="dim")
    return [Text("─" * width, style="dim"), *[Text(" ") + line for line in sentence], progress]


def _last(moment: Moment) -> Text:
    """The lowest line: the keys, or what there is to say instead."""
    if moment.typed:
        return Text(f" go to event {moment.typed}▏(Enter)", style="bold")
    return Text(f" {moment.note}", style="bold") if moment.note else Text(f" {KEYS}", style="dim")


def _side(view: View, names: Names, side: int) -> str:
    return " + ".join(_short_name(names[seat]) for seat in view.sides[side])


def _short_name(name: str) -> str:
    return name if cell_len(name) <= NAME_CELLS_MAX else set_cell_size(name, NAME_CELLS_MAX - 1) + "…"


# --- the table ---

Writing = Callable[[MeldView | None, Sequence[str]], Text]
"""How cards are written: those of a meld as it lies, or of a holding."""


def _whole(_meld: MeldView | None, faces: Sequence[str]) -> Text:
    text = coloured(faces)
    text.rstrip()
    return text


def _by_rank(meld: MeldView | None, faces: Sequence[str]) -> Text:
    """Each rank once, with the suits behind it; a sequence by its ends."""
    if meld is not None and meld.kind == "sequence":
        return _whole(None, faces[:1]).append("–").append(_whole(None, faces[-1:]))
    text = Text()
    for rank, same in groupby(faces, key=_rank):
        text.append(" " if text else "")
        if rank == JOKER:
            text.append(" ".join(same))
            continue
        text.append(rank)
        for face in same:
            text.append(SUIT_SIGNS[face[1]], style=RED if face[1] in "HD" else "")
    return text


def _rank(face: str) -> str:
    return JOKER if face == JOKER else face[0]


def _short(meld: MeldView | None, faces: Sequence[str]) -> Text:
    """Sets by their name and number of cards only."""
    if meld is None or meld.set is None:
        return _by_rank(meld, faces)
    what = card(faces[0]) if meld.kind == "sequence" else faces[-1][0]
    return Text(f"{SET_NAMES[meld.set]} of {what} ({len(faces)})")


Placing = Callable[[Text, Sequence[Text], int], list[Text]]
"""Where the melds of a side stand, given its name and a width."""


def _below(name: Text, melds: Sequence[Text], width: int) -> list[Text]:
    name.stylize("underline")
    return [Text(), Text(" ") + name, *(Text("   ") + line for line in _flow(melds, width - 3, "  │  "))]


def _beside(name: Text, melds: Sequence[Text], width: int) -> list[Text]:
    name.stylize("underline")
    return [Text(" ") + line for line in _flow([name, *melds], width - 1, " │ ")]


_WAYS_OF_WRITING: Final[tuple[tuple[Writing, Placing], ...]] = (
    (_whole, _below), (_by_rank, _below), (_by_rank, _beside), (_short, _beside)
)  # fmt: skip
"""From the most readable to the shortest."""


def _body(moment: Moment, width: int, write: Writing, place: Placing) -> list[Text]:
    view = moment.view
    lines = list(_seats(moment, width, write))
    for side, melds in enumerate(view.melds):
        parts = [_whole(None, view.red_threes[side])] if view.red_threes[side] else []
        parts += [_meld(meld, write) for meld in melds]
        if parts:
            lines += place(Text(_side(view, moment.names, side)), parts, width)
    if view.lines and place is _below:
        lines.append(Text())
    for side, line in enumerate(view.lines):
        words = f"{_side(view, moment.names, side)}: {score_line(line)}".split()
        lines += [Text(" ") + told for told in _flow([Text(word) for word in words], width - 1, " ")]
    return lines


def _meld(meld: MeldView, write: Writing) -> Text:
    text = write(meld, meld.cards)
    if meld.set is not None:
        if write is not _short:
            text.append(f" {SET_NAMES[meld.set]}")
        text.stylize("bold")
    return text


def _seats(moment: Moment, width: int, write: Writing) -> Iterable[Text]:
    names = [_short_name(name) for name in moment.names]
    column = max(map(cell_len, names), default=0)
    indent = column + 10
    for seat, holding in enumerate(moment.view.holdings):
        acts = seat == moment.view.to_act
        label = Text(f" {'▶' if acts else ' '} ").append(
            set_cell_size(names[seat], column), style="bold" if acts else ""
        )
        label.append(f"{holding.count:>4}   ")
        if holding.cards is None:
            yield label.append("hidden" if holding.count else "", style="dim")
            continue
        parts = [write(None, group) for group in _groups(holding.cards, write)]
        first, *more = _flow(parts, max(width - indent - 1, 12), " ") or [Text()]
        yield label + first
        yield from (Text(" " * indent) + line for line in more)


def _groups(faces: Sequence[str], write: Writing) -> list[Sequence[str]]:
    """The cards of a holding in the parts that must stay together on a line."""
    if write is _whole:
        return [(face,) for face in faces]
    return [list(same) for _, same in groupby(faces, key=_rank)]


def _flow(parts: Iterable[Text], width: int, between: str) -> list[Text]:
    """Parts put one after another into lines of a width; a part that is too long for one has a line of its own."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + cell_len(between) + part.cell_len <= width:
            lines[-1].append(between).append(part)
        else:
            lines.append(part.copy())
    return lines
