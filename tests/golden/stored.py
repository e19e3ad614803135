"""The golden games: finished games as the event store has them, kept for every schema of events that there has been.

    v1/expected.json        what every game folds to, and the verdict on it, as the first release had it
    v1/<name>.events        the rows of a game: schema, hash (hex) and body, a line each, `prev` being the hash before

Games whose record is kept in `tests/data/records` already are named in `expected.json` with its file: the body of an
event is its line there without `prev` and `hash`. A folder is written once and never again.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

HERE: Final = Path(__file__).resolve().parent
RECORDS: Final = HERE.parent / "data" / "records"
EXPECTED: Final = "expected.json"

_members: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_encode: Final = msgspec.json.Encoder(order="sorted").encode


class Row(Struct, frozen=True):
    """An event as it is stored: the schema of its body, its hash in hex, its body."""

    schema: int
    hash: str
    body: bytes


class Kept(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A golden game as `expected.json` names it.

    game      its id
    players   who held each seat last: seat, name, kind
    sha256    of the file that holds it
    record    the record in `tests/data/records`, where it is one of those
    result    what `replay.result_of` gives for it
    """

    game: str
    players: tuple[tuple[int, str, str], ...]
    sha256: str
    record: str | None = None
    result: dict[str, Any]


class Tampering(Struct, frozen=True, kw_only=True):
    """A golden record after a change of one event, every hash made anew, and the verdict on it: line and code."""

    name: str
    n: int
    change: dict[str, Any]
    fault: tuple[int, str] | None


class Expected(Struct, frozen=True):
    """The whole of `expected.json`."""

    schema: int
    games: dict[str, Kept]
    tampered: tuple[Tampering, ...]


def versions() -> list[Path]:
    """The folders of golden games, the oldest first."""
    return sorted(HERE.glob("v[0-9]*"), key=lambda folder: int(folder.name[1:]))


def expected_of(folder: Path) -> Expected:
    return msgspec.json.decode((folder / EXPECTED).read_bytes(), type=Expected)


def file_of(folder: Path, name: str, kept: Kept) -> Path:
    """Where a game's rows are."""
    return folder / f"{name}.events" if kept.record is None else RECORDS / kept.record


def rows_of(folder: Path, name: str, kept: Kept) -> list[Row]:
    """The rows of a game, from the first. Raises `ValueError` where the file is not the one that was kept."""
    content = file_of(folder, name, kept).read_bytes()
    if sha256(content).hexdigest() != kept.sha256:
        raise ValueError(f"The file of {name} has been changed: golden games stay as they are.")
    return read_rows(content) if kept.record is None else rows_of_record(content)


def write_rows(rows: list[Row]) -> bytes:
    return b"".join(b"%d %b %b\n" % (row.schema, row.hash.encode(), row.body) for row in rows)


def read_rows(content: bytes) -> list[Row]:
    return [_row(*line.split(b" ", 2)) for line in content.splitlines()]


def _row(schema: bytes, hashed: bytes, body: bytes) -> Row:
    return Row(int(schema), hashed.decode(), body)


def rows_of_record(content: bytes) -> list[Row]:
    """What the store holds of a game of schema 1 whose record this is."""
    return [_unchained(line) for line in content.splitlines()[1:-1]]


def _unchained(line: bytes) -> Row:
    members = _members(line)
    hashed = msgspec.json.decode(members.pop("hash"), type=str)
    del members["prev"]
    return Row(1, hashed, _encode(members))


def golden_games() -> Iterator[tuple[Path, str, Kept]]:
    """Every golden game of every version: its folder, its name, and what is known of it."""
    for folder in versions():
        for name, kept in expected_of(folder).games.items():
            yield folder, name, kept
