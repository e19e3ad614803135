"""`meldhouse replay`, and stepping through a game."""

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from domain.events import AnyEvent, HandEnded
from domain.records.reader import RecordReader
from service.cli.stepping import step_through
from service.cli.telling import tell
from tests.service.cli.running import RECORD, RECORDS, edited, refused, told

NAMES = [f"Seat {seat}" for seat in range(6)]


def events_of(path: Path) -> list[AnyEvent]:
    return list(RecordReader(path.read_bytes().splitlines(keepends=True)))


def test_without_a_terminal_the_game_is_told_hand_by_hand() -> None:
    text = told("replay", RECORD)
    ended = [event for event in events_of(RECORD) if isinstance(event, HandEnded)]
    assert text.splitlines()[0] == "samba-official, 6 players"
    for event in ended:
        assert f"Hand {event.hand} ends: " in text
        assert ", ".join(map(str, event.totals)) in text
    assert text.splitlines()[-1].startswith("The game ends (")


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.name.split(".")[0])
def test_every_event_of_every_record_can_be_told(path: Path) -> None:
    for event in events_of(path):
        sentence = tell(event, NAMES)
        assert sentence == sentence.strip()
        assert "UNSET" not in sentence


def stepped(keys: str, path: Path = RECORD) -> list[str]:
    """The numbers of the events shown, one after the other, while these keys are pressed."""
    pressed: Iterator[str] = iter([*keys, "q"])
    shown = io.StringIO()
    console = Console(file=shown, width=160, force_terminal=True, color_system=None)
    step_through(events_of(path), NAMES, console, lambda: next(pressed))
    return [line.split("event ")[1].split()[0] for line in shown.getvalue().splitlines() if "event " in line]


def test_keys_step_on_and_back_and_from_hand_to_hand() -> None:
    last = str(len(events_of(RECORD)))
    deals = [str(event.n) for event in events_of(RECORD) if type(event).__name__ == "Dealt"]
    assert stepped("") == ["1"]
    assert stepped("  b") == ["1", "2", "3", "2"]
    assert stepped("hh") == ["1", deals[0], deals[1]]
    assert stepped("e 0b") == ["1", last, last, "1", "1"]
    assert stepped("?") == ["1", "1"]


def test_every_state_of_a_game_can_be_shown() -> None:
    path = RECORDS / "g9-canasta-classic-3p.meld.jsonl"
    assert len(stepped(" " * len(events_of(path)), path)) == len(events_of(path)) + 1


def test_a_record_that_is_wrong_is_not_told(tmp_path: Path) -> None:
    bad = edited(RECORD, 40, b'"n":39', b'"n":38', tmp_path / "bad")
    assert f"{bad}:40: " in refused("replay", bad, exit_code=1)


def test_a_directory_is_no_record(tmp_path: Path) -> None:
    assert str(tmp_path) in refused("replay", tmp_path)


@pytest.mark.parametrize("source", ["no/such/file", "x" * 100, "é", "nosuchgame"])
def test_what_is_neither_file_nor_game_is_told_so(source: str) -> None:
    # Nobody listens on port 1.
    assert source in refused("replay", source, MELDHOUSE_PORT="1")


def test_names_in_a_record_send_nothing_to_the_terminal(tmp_path: Path) -> None:
    named = edited(RECORD, 1, b'"name":"Seat 0"', rb'"name":"\u001b[2JEvil"', tmp_path / "named")
    text = told("replay", named)
    assert "\x1b" not in text
    assert r"\x1b[2JEvil" in text


def test_names_are_shown_as_they_are_written_not_as_markup() -> None:
    shown = io.StringIO()
    keys = iter("hq")
    names = ["[/red]", "[bold]Ben[/bold]", "\x1b[2J", *NAMES[3:]]
    step_through(events_of(RECORD), names, Console(file=shown, width=160), lambda: next(keys))
    assert {"[/red]", "[bold]Ben[/bold]", r"\x1b[2J"} <= set(shown.getvalue().split())


def test_it_works_without_a_home(tmp_path: Path) -> None:
    assert told("replay", RECORD, HOME=os.devnull, COLUMNS="40")
