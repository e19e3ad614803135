"""Stepping through a game on a real pseudo-terminal."""

import os
import re
import signal
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.highlights import highlights
from tests.domain.golden_games import RECORDS, events_of
from tests.service.cli.terminal import HOME, Terminal, on_terminal

NAME = "g1-samba-official-4p"
RECORD = RECORDS / f"{NAME}.meld.jsonl"
LENGTH = len(events_of(NAME))
ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"
HIDE, SHOW = b"\x1b[?25l", b"\x1b[?25h"
COLOUR = re.compile(rb"\x1b\[[0-9;]*3[0-9][;m]")


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with on_terminal("replay", RECORD) as terminal:
        shows(terminal, 1)
        yield terminal


def shows(terminal: Terminal, n: int) -> list[str]:
    """The screen once it shows the table after an event."""
    return terminal.until(lambda lines: len(lines) > 1 and f" event {n} of {LENGTH} " in "\n".join(lines[-2:]))


def put_back(terminal: Terminal) -> bool:
    """Whether screen, cursor and the way of reading keys are as before."""
    written = terminal.written
    return (
        written.rindex(NORMAL) > written.rindex(ALTERNATE)
        and written.rindex(SHOW) > written.rindex(HIDE)
        and terminal.mode() == terminal.before
    )


def first(kind: str) -> int:
    return next(highlight.n for highlight in highlights(events_of(NAME)) if highlight.kind == kind)


def test_arrow_keys_step_from_event_to_event(terminal: Terminal) -> None:
    terminal.press("\x1b[C\x1b[C")
    shows(terminal, 3)
    terminal.press("\x1bOD")
    shows(terminal, 2)
    terminal.press("\x1b[B")
    assert "Hand 1:" in "\n".join(shows(terminal, first("hand_start")))


@pytest.mark.parametrize(("key", "kind"), [("h", "hand_start"), ("t", "take"), ("c", "canasta"), ("g", "going_out")])
def test_keys_jump_to_the_moments_of_the_game(terminal: Terminal, key: str, kind: str) -> None:
    terminal.press(key)
    shows(terminal, first(kind))


def test_a_number_and_enter_go_to_that_event(terminal: Terminal) -> None:
    terminal.press("30")
    assert terminal.until_line("go to event 30")
    terminal.press("0\r")
    shows(terminal, 300)
    terminal.press("\x1b")
    terminal.press("99999\r")
    terminal.until_line(f"There is no event 99999; there are {LENGTH}.")
    shows(terminal, LENGTH)


def test_s_switches_the_seat_whose_cards_are_shown(terminal: Terminal) -> None:
    terminal.press("h")
    shows(terminal, first("hand_start"))
    terminal.press("s")
    screen = terminal.until_line("as Seat 0 sees it")
    assert sum(line.endswith("hidden") for line in screen) == 3
    terminal.press("ssss")
    screen = terminal.until_line("as a watcher sees it")
    assert sum(line.endswith("hidden") for line in screen) == 4
    terminal.press("s")
    terminal.until_line("all hands open")


def test_help_comes_and_goes(terminal: Terminal) -> None:
    terminal.press("?")
    terminal.until_line("next and previous event")
    terminal.press("x")
    terminal.until(lambda lines: not any("next and previous event" in line for line in lines))


def test_q_ends_it_and_leaves_the_terminal_as_it_was(terminal: Terminal) -> None:
    assert terminal.mode() != terminal.before
    terminal.press("q")
    assert terminal.ended() == 0
    assert put_back(terminal)


def test_ctrl_c_ends_it_and_leaves_the_terminal_as_it_was(terminal: Terminal) -> None:
    terminal.press("\x03")
    assert terminal.ended() == 1
    assert put_back(terminal)
    assert b"Traceback" not in terminal.written


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_being_told_to_end_leaves_the_terminal_as_it_was(terminal: Terminal, number: signal.Signals) -> None:
    terminal.process.send_signal(number)
    assert terminal.ended() == 128 + number
    assert put_back(terminal)


def test_ctrl_z_does_not_stop_it(terminal: Terminal) -> None:
    assert terminal.mode()[6][termios.VSUSP] == b"\0"
    terminal.press("\x1a")
    terminal.press("\x1b[C")
    shows(terminal, 2)


def test_the_end_of_the_input_ends_it(terminal: Terminal) -> None:
    terminal.press("\x04")
    assert terminal.ended() == 0
    assert put_back(terminal)


def test_a_fault_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    faulty = "import service.cli.stepping as stepping; stepping.scene = None"
    (tmp_path / "sitecustomize.py").write_text(faulty)
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).resolve().parents[3])])
    with on_terminal("replay", RECORD, PYTHONPATH=path) as terminal:
        assert terminal.ended() == 1
        assert b"TypeError" in terminal.written
        assert put_back(terminal)


def test_another_size_is_drawn_at_once(terminal: Terminal) -> None:
    terminal.press("90\r")
    shows(terminal, 90)
    for rows, columns in ((40, 120), (12, 50), (3, 10), (24, 80)):
        terminal.resize(rows, columns)
        screen = terminal.until_lines(rows)
        assert all(len(line) <= columns for line in screen)
    shows(terminal, 90)


def test_the_screen_is_never_cleared_between_two_frames(terminal: Terminal) -> None:
    terminal.press("h")
    shows(terminal, first("hand_start"))
    before = len(terminal.written)
    for n in range(first("hand_start") + 1, first("hand_start") + 6):
        terminal.press("\x1b[C")
        shows(terminal, n)
    frames = terminal.written[before:]
    assert frames.count(HOME) == 5
    assert b"\x1b[2J" not in frames
    assert b"\x1b[J" not in frames


def test_keys_that_came_together_are_drawn_together(terminal: Terminal) -> None:
    before = terminal.written.count(HOME)
    terminal.press("\x1b[C" * 200)
    shows(terminal, 201)
    assert terminal.written.count(HOME) - before < 20


def test_it_can_begin_anywhere_and_as_any_seat() -> None:
    with on_terminal("replay", RECORD, "--at", "90", "--seat", "2") as terminal:
        assert "as Seat 2 sees it" in shows(terminal, 90)[0]


def test_colours_are_left_out_where_they_are_not_wanted() -> None:
    with on_terminal("replay", RECORD, "--at", "90") as coloured:
        shows(coloured, 90)
    with on_terminal("replay", RECORD, "--at", "90", NO_COLOR="1") as plain:
        shows(plain, 90)
    assert COLOUR.search(coloured.written)
    assert not COLOUR.search(plain.written)


def test_a_terminal_that_can_do_nothing_gets_the_story() -> None:
    with on_terminal("replay", RECORD, TERM="dumb") as terminal:
        assert terminal.ended() == 0
        assert "The game ends (" in terminal.written.decode()
        assert ALTERNATE not in terminal.written
