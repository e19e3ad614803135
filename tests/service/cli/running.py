"""The commands as scripts run them: arguments in, exit code and two streams out."""

from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner, Result

from service.cli.main import main

RECORDS = Path(__file__).resolve().parents[2] / "data" / "records"
RECORD = RECORDS / "g2-samba-official-6p.meld.jsonl"


def meldhouse(*arguments: str | Path, **environment: str) -> Result:
    """What `meldhouse` with these arguments comes to. A traceback is never an answer."""
    result = CliRunner(env=environment).invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def told(*arguments: str | Path, **environment: str) -> str:
    """The standard output of a command that is fine."""
    result = meldhouse(*arguments, **environment)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def told_in_json(*arguments: str | Path, exit_code: int = 0) -> Any:
    """The standard output as JSON values."""
    result = meldhouse(*arguments)
    assert result.exit_code == exit_code, result.stderr
    return msgspec.json.decode(result.stdout)


def refused(*arguments: str | Path, exit_code: int = 2, **environment: str) -> str:
    """The one line on the standard error of a command that was refused."""
    result = meldhouse(*arguments, **environment)
    assert result.exit_code == exit_code, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def edited(path: Path, number: int, old: bytes, new: bytes, copy: Path) -> Path:
    """A copy of a record in which one line is changed."""
    lines = path.read_bytes().splitlines(keepends=True)
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    copy.write_bytes(b"".join(lines))
    return copy
