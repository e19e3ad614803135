"""A file written: the tournament in the columns of the edition of 2026, which readers of that of 2016 know too."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from service.trf.shapes import Competitor, Past, Trf, Worth

_COLOURS: Final = {"NS": "w", "EW": "b", None: "-"}
_LETTERS: Final = {"NS": "W", "EW": "B"}
NAME_LENGTH: Final = 33


def write_trf(trf: Trf) -> bytes:
    """The bytes of the file. Names longer than their column are cut."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(trf)).encode()


def _lines(trf: Trf) -> Iterator[str]:
    yield f"012 {trf.name}"
    yield f"062 {len(trf.competitors)}"
    yield f"092 {'Round Robin' if trf.round_robin else 'Swiss'}"
    if trf.rounds is not None:
        yield f"142 {trf.rounds}"
    if trf.top is not None:
        yield f"152 {_LETTERS[trf.top]}"
    yield f"162  {_worth(trf.worth)}"
    if trf.code:
        yield f"192 {trf.code}"
    if trf.tie_breaks:
        yield f"202 {', '.join(trf.tie_breaks)}"
    for each in trf.competitors:
        yield _player(each)
    for one, other in trf.forbidden:
        yield f"260   1 {trf.rounds or trf.paired + 1:3} {one:4} {other:4}"
    for bar in trf.barred:
        yield f"260 {bar.first:3} {bar.last:3} {bar.couple[0]:4} {bar.couple[1]:4}"
    for given in trf.virtual:
        for first, last in _runs(given.numbers):
            yield f"250      {_tenths(given.points):>4} {given.first:3} {given.last:3} {first:4} {last:4}"
    if trf.by_rank:
        yield "XXC rank"
    if trf.absent:
        yield f"XXZ {' '.join(map(str, sorted(trf.absent)))}"


def _worth(worth: Worth) -> str:
    values = {"W": worth.win, "D": worth.draw, "L": worth.loss, "P": worth.win if worth.bye is None else worth.bye}
    return "".join(f"{name}{_tenths(value):>4}    " for name, value in values.items())


def _tenths(points: int) -> str:
    return f"{points // 100}.{points % 100 // 10}"


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The numbers as spans without gaps."""
    for _, run in groupby(enumerate(numbers), key=lambda at: at[1] - at[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]


def _player(each: Competitor) -> str:
    points = "" if each.points is None else _tenths(each.points)
    head = f"001 {each.number:4}      {each.name[:NAME_LENGTH]:{NAME_LENGTH}} {each.rating or '':>4}"
    return f"{head:80}{points:>4} {each.rank or '':>4}  {''.join(map(_cell, each.rounds))}"


def _cell(past: Past | None) -> str:
    if past is None:
        return " " * 10
    opponent = "0000" if past.opponent is None else f"{past.opponent:4}"
    return f"{opponent} {_COLOURS[past.side]} {past.code}  "
