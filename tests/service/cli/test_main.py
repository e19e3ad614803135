"""The command line as a whole: its help, and what it says to those who use it wrongly."""

import pytest

from service.cli.main import COMMANDS
from tests.service.cli.running import meldhouse, refused, told


def test_the_help_names_every_command_in_the_order_of_use() -> None:
    text = told("--help")
    places = [text.index(f"\n  {name}") for name in COMMANDS]
    assert places == sorted(places)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_of_its_own(name: str) -> None:
    text = told(name, "--help")
    assert text.startswith("Usage: ")
    assert len(text.splitlines()) > 5


def test_the_help_of_serve_lists_every_setting() -> None:
    text = told("serve", "--help")
    assert {"MELDHOUSE_PORT", "DATABASE_URL", "REDIS_URL"} <= {word.strip("()") for word in text.split()}


def test_the_version_is_told() -> None:
    assert told("--version").startswith("meldhouse, version ")


def test_without_a_command_the_help_is_shown() -> None:
    result = meldhouse()
    assert "Usage: " in result.output
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nonsense"], "nonsense"),
        (["--nonsense"], "--nonsense"),
        (["verify"], "FILE"),
        (["verify", "--nonsense"], "--nonsense"),
        (["verify", "no-such-file"], "no-such-file"),
        (["cases", "/"], "directory"),
        (["replay"], "FILE|ID"),
        (["serve", "--port", "many"], "many"),
        (["serve", "--workers", "0"], "0"),
        (["demo", "--ruleset", "chess"], "chess"),
        (["demo", "--hands", "0"], "0"),
        (["bench", "nonsense"], "nonsense"),
        (["migrate", "more"], "more"),
        (["openapi", "more"], "more"),
    ],
)
def test_wrong_use_is_told_in_one_line_with_exit_code_2(arguments: list[str], expected: str) -> None:
    assert expected in refused(*arguments)


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_settings_that_cannot_be_used_are_all_told_in_one_line(command: str) -> None:
    line = refused(command, MELDHOUSE_PORT="many", MELDHOUSE_WORKERS="0")
    assert "MELDHOUSE_PORT" in line
    assert "MELDHOUSE_WORKERS" in line
