"""From the bytes of a file to its lines, none of them longer than a limit."""

from collections.abc import Iterable, Iterator
from typing import Final

LINE_BYTES_MAX: Final = 256 * 1024
"""The longest line of a record or case file in bytes, its line feed included."""


def split_lines(chunks: Iterable[bytes], longest: int = LINE_BYTES_MAX) -> Iterator[bytes]:
    """The lines of a file that comes in chunks of any size, each with its line feed but for an unfinished last one.

    Only a line feed ends a line. A line longer than `longest` is cut off after `longest` + 1 bytes, and nothing
    follows it: whoever reads it sees that it is too long, and no more than that was ever held beside one chunk.
    """
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            line = chunk[start : end + 1]
            start = end + 1
            if held:
                line = b"".join((*held, line))
                held.clear()
                size = 0
            if len(line) > longest:
                yield line[: longest + 1]
                return
            yield line
        if start < len(chunk):
            held.append(chunk[start:])
            size += len(chunk) - start
            if size > longest:
                yield b"".join(held)[: longest + 1]
                return
    if held:
        yield b"".join(held)
