"""Keys in what a terminal sends."""

import pytest

from service.cli.keyboard import keys_in


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1bOA\x1bOB\x1bOC\x1bOD", ["up", "down", "right", "left"]),
        (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1bOH\x1bOF\x1b[7~\x1b[8~", ["home", "end"] * 4),
        (b"\x1b[5~\x1b[6~", ["page_up", "page_down"]),
        (b"h1\r\n\x7f\x08 \x04", ["h", "1", "enter", "enter", "backspace", "backspace", " ", "end_of_input"]),
        (b"\x1b[1;2C\x1b[15~\x00\x01", ["unknown"] * 4),
        ("é小".encode(), ["unknown"]),
        (b"\x1b\x1b[Aq", ["escape", "up", "q"]),
        (b"\x1bq", ["escape", "q"]),
        (b"", []),
    ],
)
def test_keys_are_told_by_their_names(sent: bytes, keys: list[str]) -> None:
    assert keys_in(sent) == (keys, b"")


@pytest.mark.parametrize("begun", [b"\x1b", b"\x1b[", b"\x1bO", b"\x1b[1;2"])
def test_the_beginning_of_a_key_is_kept_for_what_follows(begun: bytes) -> None:
    assert keys_in(b"q" + begun) == (["q"], begun)


def test_keys_are_the_same_however_they_are_cut() -> None:
    sent = b"\x1b[Ah\x1bOB\x1b[5~\x1b[1;2C\r"
    whole, _ = keys_in(sent)
    for cut in range(len(sent)):
        first, rest = keys_in(sent[:cut])
        second, nothing = keys_in(rest + sent[cut:])
        assert (first + second, nothing) == (whole, b"")
