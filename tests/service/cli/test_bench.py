"""`meldhouse bench`: how figures are told. The figures themselves are no matter of a test."""

from collections.abc import Callable

import pytest

from service.cli import bench
from tests.bench import http
from tests.bench.load import Load
from tests.bench.measuring import Result, summarise
from tests.service.cli.running import told, told_in_json

LOAD = Load(moves=300, requests=300, seconds=0.1, milliseconds=[1.0, 2.0, 3.0])
HTTP_FIGURES = http._results([9000.0], [LOAD], [LOAD], [1234.5], [(900.0, 0.0371)], LOAD)


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """What the benches of a test give instead of measuring for minutes."""
    given = [
        summarise("rate", "events/s", [1234567.89], 800_000, "other", [500_000.0]),
        summarise("small", "fsyncs", [0.0371]),
        summarise("none", "fsyncs", [0.0]),
        summarise("slow", "ms", [20.0], 15.0, low_is_good=True),
    ]

    def run_of(_name: str) -> Callable[[], list[Result]]:
        return lambda: given

    monkeypatch.setattr(bench, "_run_of", run_of)
    return given


def test_each_figure_is_a_line_with_its_goal_and_its_yardstick(figures: list[Result]) -> None:
    lines = told("bench", "http").splitlines()
    assert len(lines) == len(figures)
    assert lines[0].split() == ["rate", "1,234,567.9", "events/s", "goal", "800,000:", "met", "2.47", "×", "other"]
    assert lines[3].split() == ["slow", "20.0", "ms", "goal", "15:", "MISSED"]


def test_small_figures_keep_the_digits_that_say_something(figures: list[Result]) -> None:
    lines = told("bench", "http").splitlines()
    assert lines[1].split() == ["small", "0.0371", "fsyncs"]
    assert lines[2].split() == ["none", "0.0", "fsyncs"]


def test_json_has_the_keys_that_scripts_rely_on_and_no_others(figures: list[Result]) -> None:
    rows = told_in_json("bench", "http", "--json")
    assert [list(row) for row in rows] == [["name", "value", "unit", "goal", "met", "yardstick", "ratio"]] * 4
    assert rows[0]["met"] is True
    assert rows[3] == {
        "name": "slow", "value": 20.0, "unit": "ms", "goal": 15.0, "met": False, "yardstick": None, "ratio": None
    }  # fmt: skip


def test_the_http_bench_tells_the_single_inserts_beside_the_moves() -> None:
    by_name = {figure.name: figure for figure in HTTP_FIGURES}
    inserts = by_name["single inserts, 64 connections"]
    assert (inserts.value, inserts.unit) == (1234.5, "inserts/s")
    assert by_name["fsyncs per move"].value == 0.0371
    assert by_name["single moves"].ratio == pytest.approx(3000 / 9000)
