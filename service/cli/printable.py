"""Text from elsewhere on its way to a terminal."""


def printable(text: str) -> str:
    """The text with everything that a terminal may take for a command, or that shows nothing, written as an escape."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )
