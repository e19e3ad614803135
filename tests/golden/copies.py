"""A copy of the engine, changed by script and run in a process of its own, and what golden games come to there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.golden.replay import differences
from tests.golden.stored import HERE

ROOT: Final = HERE.parent.parent
SECONDS_MAX: Final = 120

Rewriting = Callable[[str], str]
"""The text of a file, changed."""


class CopyFailed(Exception):
    """What ran on a copy ended with an error; the message is what it said."""


class Copy:
    """The engine and what replays golden games, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        shutil.copytree(ROOT / "domain", folder / "domain", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "tests" / "golden").mkdir(parents=True)
        for name in ("replay.py", "stored.py"):
            shutil.copy(HERE / name, folder / "tests" / "golden" / name)
        (folder / "tests" / "data").symlink_to(ROOT / "tests" / "data")

    def edit(self, file: str, *edits: tuple[str, str]) -> None:
        """Put other text in the place of some that stands in a file of the engine once."""
        path = self.root / "domain" / file
        text = path.read_text(encoding="utf-8")
        for old, new in edits:
            assert text.count(old) == 1, f"{file} has {text.count(old)} times: {old}"
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")

    def append(self, file: str, text: str) -> None:
        """Put text at the end of a file of the engine."""
        path = self.root / "domain" / file
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    def rewrite(self, rewriting: Rewriting) -> int:
        """Change every file of the engine; how many have changed."""
        changed = 0
        for path in sorted((self.root / "domain").rglob("*.py")):
            before = path.read_text(encoding="utf-8")
            after = rewriting(before)
            if after != before:
                path.write_text(after, encoding="utf-8")
                changed += 1
        return changed

    def run(self, *arguments: str, **environment: str) -> Any:
        """What a command of Python prints as JSON when it runs on the copy. Raises `CopyFailed`."""
        done = subprocess.run(
            (sys.executable, *arguments),
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1", **environment},
            capture_output=True,
            timeout=SECONDS_MAX,
            check=False,
        )
        if done.returncode != 0:
            raise CopyFailed(done.stderr.decode())
        return msgspec.json.decode(done.stdout)

    def script(self, text: str, *arguments: str) -> Any:
        """What a script prints as JSON when it runs on the copy."""
        return self.run("-c", text, *arguments)

    def replay(self, golden: Path, **environment: str) -> dict[str, Any]:
        """What the copy makes of a folder of golden games (`replay.replayed`)."""
        found: dict[str, Any] = self.run("-m", "tests.golden.replay", str(golden), **environment)
        assert found["engine"] == str(self.root / "domain"), "The copy itself is run."
        return found

    def differences(self, golden: Path) -> list[str]:
        """Where the copy makes something else of golden games than was kept."""
        return differences(golden, self.replay(golden))
