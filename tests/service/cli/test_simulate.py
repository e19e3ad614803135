"""`meldhouse simulate`."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.cli.running import meldhouse, refused, told

TABLE = ("simulate", "--ruleset", "samba-official", "--players", "4", "--seed", "s", "--max-hands", "2")


def test_a_game_is_told_in_one_line() -> None:
    (line,) = told(*TABLE, "--bots", "greedy").splitlines()
    pairs = dict(pair.split("=", 1) for pair in line.split(" "))
    assert (pairs["game"], pairs["ruleset"], pairs["players"], pairs["hands"]) == ("1", "samba-official", "4", "2")
    assert len(pairs["totals"].split(",")) == 2


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    command = (*TABLE, "--games", "3", "--bots", "greedy,random")
    assert told(*command) == told(*command)
    other = ["t" if argument == "s" else argument for argument in command]
    assert told(*command) != told(*other)


def test_other_bots_play_the_same_deals(tmp_path: Path) -> None:
    for bots in ("greedy", "random"):
        told(*TABLE, "--bots", bots, "--records", tmp_path / bots)
    greedy, random = (next((tmp_path / bots).glob("*")).read_bytes().splitlines() for bots in ("greedy", "random"))
    deals = [next(line for line in lines if b'"type":"dealt"' in line) for lines in (greedy, random)]
    decks = [line[line.index(b'"deck"') : line.index(b'"hand"')] for line in deals]
    assert decks[0] == decks[1]


@pytest.mark.parametrize(("ruleset", "players"), [("samba-czech", "5"), ("canasta-classic", "3"), ("bolivia", "2")])
def test_records_verify(tmp_path: Path, ruleset: str, players: str) -> None:
    told(
        "simulate", "--ruleset", ruleset, "--players", players, "--games", "2", "--seed", "s", "--max-hands", "3",
        "--bots", "random,greedy", "--records", tmp_path / "new" / "directory",
    )  # fmt: skip
    paths = sorted((tmp_path / "new" / "directory").iterdir())
    assert [path.name[:6] for path in paths] == ["00001-", "00002-"]
    assert all(": ok, " in line for line in told("verify", *paths).splitlines())


def test_records_of_the_same_seed_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        told(*TABLE, "--bots", "greedy", "--records", tmp_path / name)
    first, second = (next((tmp_path / name).iterdir()) for name in ("a", "b"))
    assert (first.name, first.read_bytes()) == (second.name, second.read_bytes())


def test_a_game_cut_off_by_max_hands_is_adjudicated_on_time(tmp_path: Path) -> None:
    line = told(*TABLE, "--bots", "greedy", "--records", tmp_path)
    assert " end=adjudicated " in line
    record = next(tmp_path.iterdir()).read_bytes()
    assert b'"reason":"time"' in record
    assert b'"side":null,"type":"adjudicated"' in record


def test_options_lie_over_the_preset() -> None:
    line = told(
        "simulate", "--ruleset", "samba-official", "--options", '{"hand_cap": 1}', "--players", "4", "--seed", "s",
        "--bots", "greedy",
    )  # fmt: skip
    assert " hands=1 " in line
    assert " end=hand_cap " in line


def test_several_games_end_with_a_tally_on_standard_error() -> None:
    result = meldhouse(*TABLE, "--games", "3", "--bots", "greedy,random")
    assert "side 0 (greedy+greedy): won " in result.stderr
    assert "side 1 (random+random): won " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--ruleset", "whist"], "no preset"),
        (["--players", "7"], "7 players"),
        (["--players", "-1"], "-1"),
        (["--bots", "careful"], "careful"),
        (["--bots", "greedy,greedy,greedy,random,random"], "5 bots"),
        (["--bots", ""], "no bot"),
        (["--options", "{"], "not JSON"),
        (["--options", "[]"], "must be an object"),
        (["--options", '{"target": "much", "colour": 1}'], "colour"),
        (["--games", "0"], "--games"),
        (["--max-hands", "0"], "--max-hands"),
        (["--seed", "s" * 300], "256"),
        (["--seed", "\udcff"], "UTF-8"),
        (["--records", "/dev/null/records"], "/dev/null"),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_told_in_one_line(arguments: list[str], expected: str) -> None:
    assert expected in refused(*TABLE, "--bots", "greedy", *arguments)


def test_a_progress_bar_is_drawn_on_a_terminal_only_and_leaves_the_output_alone() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "service.cli", *TABLE, "--games", "2", "--bots", "greedy"]
    running = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, check=True, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    drawn = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "2/2" in drawn
    assert len(running.stdout.splitlines()) == 2
    assert b"\x1b" not in running.stdout
    assert "2/2" not in meldhouse(*TABLE, "--games", "2", "--bots", "greedy").stderr
