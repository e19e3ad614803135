"""Texts that people wrote, made fit for a place that has one line: a heading, a cell, a field of a file."""

import re
from typing import Final

BREAKS: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+")
"""Whatever ends a line somewhere, and controls."""

TURNS: Final = re.compile("[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]|[\\ud800-\\udfff]")
"""Marks that turn the direction of what comes after them, and halves of characters, which no encoding takes."""


def one_line(text: str) -> str:
    """The text on one line: no controls, nothing that turns what stands beside it."""
    return TURNS.sub("", BREAKS.sub(" ", text)).strip()
