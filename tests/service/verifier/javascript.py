"""The verifier in JavaScript, run by Node: that on the path, or the one in the tests' browser driver."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright._impl._driver import compute_driver_executable

ROOT: Final = Path(__file__).resolve().parents[3]
VERIFIER: Final = ROOT / "service" / "verifier"
CLI: Final = VERIFIER / "cli.mjs"
SECONDS_MAX: Final = 120


@lru_cache(maxsize=1)
def node() -> str:
    """The path of Node."""
    found = shutil.which("node")
    return found if found is not None else str(compute_driver_executable()[0])


def run(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Node with these arguments, whatever it comes to."""
    command = [node(), *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, timeout=SECONDS_MAX, check=False)


def answer(script: Path, given: object) -> Any:
    """What a script prints in JSON, which gets JSON on its standard input."""
    done = run(script, given=msgspec.json.encode(given))
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout)


def verdicts(records: Iterable[bytes]) -> list[dict[str, Any]]:
    """The verdicts on records, whole files each, in their order."""
    with tempfile.TemporaryDirectory() as directory:
        paths: list[Path] = []
        for number, record in enumerate(records):
            paths.append(Path(directory) / f"{number}.meld.jsonl")
            paths[-1].write_bytes(record)
        done = run(CLI, "--json", *paths)
        assert done.stderr == b"", done.stderr.decode()
        found: list[dict[str, Any]] = msgspec.json.decode(done.stdout)
    assert len(found) == len(paths)
    assert done.returncode == (0 if all(verdict["ok"] for verdict in found) else 1)
    return found


def faults(records: Iterable[Sequence[bytes]]) -> list[tuple[int, str] | None]:
    """The line and the code of the first fault of each record, which comes in lines."""
    return [
        None if verdict["ok"] else (verdict["fault"]["line"], verdict["fault"]["code"])
        for verdict in verdicts(b"".join(lines) for lines in records)
    ]
