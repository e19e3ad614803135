"""`meldhouse replay` where there is no terminal to step in."""

import os
from pathlib import Path

import msgspec
import pytest

from domain.events import AnyEvent, HandEnded
from domain.records.reader import RecordReader
from domain.statistics import Statistics, statistics
from service.cli.figures import clock_time
from tests.service.cli.running import RECORD, RECORDS, edited, refused, told


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


def test_the_table_after_an_event_is_printed_where_there_is_no_terminal() -> None:
    opened = told("replay", RECORD, "--at", "80")
    assert "event 80 of 253 · hand 1 of 3" in opened
    assert "all hands open" in opened
    assert "quit" not in opened
    seen = told("replay", RECORD, "--at", "80", "--seat", "5", COLUMNS="100")
    assert "as Seat 5 sees it" in seen
    assert seen.count("hidden") == 5


@pytest.mark.parametrize(
    ("options", "told_of"),
    [
        (["--at", "254"], "there are 253"),
        (["--at", "0"], "--at"),
        (["--at", "1", "--seat", "6"], "the seats are 0 to 5"),
        (["--seat", "1"], "--at"),
        (["--json"], "--statistics"),
        (["--statistics", "--at", "3"], "stepping"),
        (["--plot", "game.svg", "--seat", "0"], "stepping"),
        (["--story", "--statistics"], "one at a time"),
        (["--plot", "game.svg", "--statistics"], "one at a time"),
    ],
)
def test_options_that_mean_nothing_together_are_told(options: list[str], told_of: str) -> None:
    assert told_of in refused("replay", RECORD, *options)


def test_statistics_in_json_are_those_of_the_record() -> None:
    counted = msgspec.json.decode(told("replay", RECORD, "--statistics", "--json"), type=Statistics)
    assert counted == statistics(events_of(RECORD))


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.name.split(".")[0])
def test_statistics_are_printed_as_tables(path: Path) -> None:
    text = told("replay", path, "--statistics", COLUMNS="160")
    counted = statistics(events_of(path))
    assert f"{counted.events} events, {len(counted.hands)} hands, {counted.turns} turns" in text
    for hand in counted.hands:
        for line, total in zip(hand.lines, hand.totals, strict=True):
            assert f"{line['total']:+d} = {total}" in text
    rows = {
        " ".join(line.split()[: -len(counted.seats)]): line.split()[-len(counted.seats) :] for line in text.splitlines()
    }
    assert rows["turns"] == [str(seat.turns) for seat in counted.seats]
    assert rows["cards taken with them"] == [str(seat.taken) for seat in counted.seats]


@pytest.mark.parametrize(
    ("milliseconds", "told_as"), [(0, "0:00"), (59_499, "0:59"), (59_500, "1:00"), (3_785_000, "1:03:05")]
)
def test_a_length_of_time_reads_as_on_a_clock(milliseconds: int, told_as: str) -> None:
    assert clock_time(milliseconds) == told_as


def test_names_in_a_record_are_no_markup(tmp_path: Path) -> None:
    named = edited(RECORD, 1, b'"name":"Seat 0"', b'"name":"[/red]"', tmp_path / "named")
    for options in (["--at", "80"], ["--statistics"], ["--story"]):
        assert "[/red]" in told("replay", named, *options, COLUMNS="160")


def test_it_works_without_a_home(tmp_path: Path) -> None:
    assert told("replay", RECORD, HOME=os.devnull, COLUMNS="40")
