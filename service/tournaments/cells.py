"""Tables as CSV (RFC 4180), also for programs that take cells for formulas: what begins like one is marked as text."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from service.tournaments.one_line import one_line

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The last four are the wide forms of the first four: programs in East Asian languages take them for the same."""
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
MARK: Final = "'"
"""Before a cell that would be taken for a formula; reading takes it away again."""


def csv_of(rows: Iterable[Sequence[object]]) -> bytes:
    """The rows, with CRLF at the end of each, in UTF-8; None is an empty cell."""
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\r\n").writerows([*map(cell, row)] for row in rows)
    return written.getvalue().encode()


def cell(value: object) -> str:
    """A cell. Numbers stay numbers, below zero too."""
    text = "" if value is None else one_line(str(value))
    number = text.replace("−", "-")
    if _NUMBER.fullmatch(number) is not None:
        return number
    return MARK + text if text.startswith((*_FORMULA, MARK)) else text


def plain(text: str) -> str:
    """What a cell said before it was marked."""
    return text[1:] if text.startswith(MARK) and text[1:].startswith((*_FORMULA, MARK)) else text
