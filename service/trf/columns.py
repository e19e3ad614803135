"""The columns of a file: the line of a player, and the figures in it."""

import re
from typing import Final, get_args

from msgspec.structs import replace

from service.trf.shapes import BYES, FORFEITED, Code, Competitor, Fault, Past

ROUNDS_MAX: Final = 100
NUMBER_MAX: Final = 9999
FIRST_ROUND: Final = 91
"""Where the columns of the first round begin; each round has ten."""

ROUND_WIDTH: Final = 10
WORTH: Final = re.compile("([A-Z]{1,3}) ?=? *([0-9]{1,3}(?:[.,][0-9])?)")
"""A letter or a few, and how many points they stand for."""

_CODES: Final[dict[str, Code]] = {code: code for code in get_args(Code)}
_SPELLINGS: Final = {"½": "=", "R": "+", "?": "", "*": "", "X": ""}
_OLD_BYES: Final[dict[str, Code]] = {"+": "U", "1": "U", "=": "H", "-": "Z", "0": "Z"}
_NAME: Final = slice(14, 47)
_INTEGER: Final = re.compile("[0-9]{1,9}")
_POINTS: Final = re.compile("([0-9]{1,4})(?:[.,]([0-9]))?")


class Unreadable(Exception):
    """A line whose columns do not make sense."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


def whole(text: str, what: str) -> int:
    """A number of a file, 0 where nothing stands there. Raises `Unreadable`."""
    text = text.strip()
    if not text:
        return 0
    if _INTEGER.fullmatch(text) is None:
        raise Unreadable("number_invalid", f"{what} is no number: {text!r}.")
    return int(text)


def points(text: str, what: str) -> int | None:
    """Points in hundredths; None where nothing stands there. Raises `Unreadable`."""
    text = text.strip()
    if not text:
        return None
    found = _POINTS.fullmatch(text)
    if found is None:
        raise Unreadable("points_invalid", f"{what} are no points: {text!r}.")
    return 100 * int(found[1]) + 10 * int(found[2] or 0)


def span(text: str, at: int, width: int = 3) -> tuple[int, int] | None:
    """From which round or number to which, two figures; the second may be left out. None where there are none.

    Raises `Unreadable`.
    """
    first = whole(text[at : at + width], "The first of a span")
    last = whole(text[at + width + 1 : at + 2 * width + 1], "The last of a span")
    return (first, last or first) if first else None


def player(number: int, text: str) -> Competitor:
    """The player of a line. Raises `Unreadable`.

    Columns are letters; where they make no sense as such they are bytes, as some programs count them.
    """
    try:
        return _player(number, text)
    except Unreadable as trouble:
        octets = text.encode()
        if len(octets) == len(text):
            raise
        try:
            found = _player(number, octets.decode("latin-1"))
        except Unreadable:
            raise trouble from None
        return replace(found, name=octets[_NAME].decode(errors="ignore").strip())


def _player(number: int, text: str) -> Competitor:
    start = whole(text[4:8], "The starting number")
    if not 1 <= start <= NUMBER_MAX:
        raise Unreadable("number_invalid", f"A starting number is from 1 to {NUMBER_MAX}.")
    return Competitor(
        line=number,
        number=start,
        name=text[_NAME].strip(),
        rating=whole(text[48:52], "The rating"),
        points=points(text[80:84], "The points"),
        rank=whole(text[85:89], "The rank") or None,
        rounds=_rounds(text, start),
    )


def _rounds(text: str, own: int) -> tuple[Past | None, ...]:
    text = text.rstrip()
    count = -(-max(len(text) - FIRST_ROUND, 0) // ROUND_WIDTH)
    if count > ROUNDS_MAX:
        raise Unreadable("too_many_rounds", f"A file has {ROUNDS_MAX} rounds at most.")
    cells = [text[at : at + ROUND_WIDTH] for at in range(FIRST_ROUND, FIRST_ROUND + count * ROUND_WIDTH, ROUND_WIDTH)]
    return tuple(_past(number, cell, own) for number, cell in enumerate(cells, 1))


def _past(number: int, cell: str, own: int) -> Past | None:
    if not cell.strip():
        return None
    cell = cell.ljust(ROUND_WIDTH)
    opponent = whole(cell[:4], f"The opponent of round {number}")
    colour, code = cell[5].lower(), cell[7].upper()
    code = _SPELLINGS.get(code, code)
    if cell[4] != " " or cell[6] != " " or cell[8:].strip() or colour not in "wb- ":
        raise Unreadable("columns_shifted", f"The columns of round {number} are not where they should be: {cell!r}.")
    if code.strip() and code not in _CODES:
        raise Unreadable("result_invalid", f"The result of round {number} is none that there is: {cell[7]!r}.")
    if opponent == 0:
        return _without_opponent(number, code)
    if not code.strip():
        raise Unreadable("result_missing", f"Round {number} has an opponent and no result.")
    if colour not in "wb" and code in FORFEITED:
        # Nobody sat anywhere, and some programs write so.
        colour = "w" if own < opponent else "b"
    if code in BYES or colour not in "wb":
        raise Unreadable("result_invalid", f"Round {number} against {opponent} needs a colour and a result.")
    return Past(_CODES[code], opponent, "NS" if colour == "w" else "EW")


def bye_of(code: str) -> Past | None:
    """A round without an opponent, by its letter; None for what is none."""
    return Past(_CODES[code]) if code in BYES else None


def _without_opponent(number: int, code: str) -> Past | None:
    if not code.strip():
        return None
    if code in BYES:
        return Past(_CODES[code])
    # Older programs write a bye as a game without anybody: won, as the pairing gives it, drawn, or lost.
    if code in _OLD_BYES:
        return Past(_OLD_BYES[code])
    raise Unreadable("result_invalid", f"Round {number} has a result and no opponent.")


def fault_of(line: int, trouble: Unreadable) -> Fault:
    """The fault of a line."""
    return Fault(line, trouble.code, trouble.message)
