"""Lines of a file, whatever chunks it comes in."""

import random
from collections.abc import Iterator

import pytest

from domain.records.lines import LINE_BYTES_MAX, split_lines

FILE = b"one\n\ntwo\r\nthr\xc3\xa9e\n" + b"x" * 300 + b"\nlast"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_lines_are_the_same_in_chunks_of_any_size(size: int) -> None:
    chunks = [FILE[at : at + size] for at in range(0, len(FILE), size)]
    assert list(split_lines(chunks)) == FILE.splitlines(keepends=True)


def test_only_a_line_feed_ends_a_line() -> None:
    assert list(split_lines([b"a\rb\x0bc\x85d\ne"])) == [b"a\rb\x0bc\x85d\n", b"e"]


def test_a_file_of_nothing_has_no_lines() -> None:
    assert list(split_lines([])) == list(split_lines([b""])) == []


def test_a_line_as_long_as_the_limit_is_whole() -> None:
    line = b"x" * 9 + b"\n"
    assert list(split_lines([line, line], longest=10)) == [line, line]


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_a_line_beyond_the_limit_is_cut_off_and_ends_the_reading(size: int) -> None:
    file = b"short\n" + b"x" * 50 + b"\nmore\n"
    chunks = [file[at : at + size] for at in range(0, len(file), size)]
    assert list(split_lines(chunks, longest=10)) == [b"short\n", b"x" * 11]


def test_no_more_than_the_limit_and_a_chunk_is_asked_for() -> None:
    asked = 0

    def endless() -> Iterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield b"x" * 1024

    assert len(next(split_lines(endless()))) == LINE_BYTES_MAX + 1
    assert asked == LINE_BYTES_MAX // 1024 + 1


def test_random_bytes_in_random_chunks_are_the_same_lines() -> None:
    chance = random.Random(5)
    for _ in range(200):
        file = bytes(chance.choice(b"\n\r ab") for _ in range(chance.randrange(60)))
        cuts = sorted(chance.choices(range(len(file) + 1), k=4))
        chunks = [file[start:end] for start, end in zip([0, *cuts], [*cuts, len(file)], strict=True)]
        lines = list(split_lines(chunks))
        assert b"".join(lines) == file
        assert all(line.index(b"\n") == len(line) - 1 for line in lines[:-1])
