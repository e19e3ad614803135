"""Text from elsewhere on its way to a terminal."""

from typing import Final

SHOWN_CHARACTERS_MAX: Final = 400
"""Of a text that may have any length so much is shown."""


def printable(text: str) -> str:
    """The text with everything that a terminal may take for a command, or that shows nothing, written as an escape."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


def in_short(text: str) -> str:
    """The beginning of a text that may have any length, as a terminal may have it."""
    if len(text) <= SHOWN_CHARACTERS_MAX:
        return printable(text)
    return f"{printable(text[:SHOWN_CHARACTERS_MAX])}… ({len(text)} characters)"
