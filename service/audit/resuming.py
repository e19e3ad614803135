"""The state file of an audit: how far it has come, written whole or not at all, so that it can go on after anything."""

import os
import tempfile
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from service.audit.lanes import CheckpointsDone, GamesDone, HeadsDone, ShardDone, WitnessDone
from service.audit.source import AuditImpossible, Cut

FORMAT: Final = "meldhouse-audit-state/1"


class Asked(Struct, frozen=True):
    """What was asked for: an audit is resumed as it was begun."""

    rules: bool
    game: str | None
    heads: bool
    witness: bool


class Saved(Struct):
    """Everything that an audit has come to. `seconds` is the time taken, `resumed` how often it was taken up again."""

    state: str
    asked: Asked
    cut: Cut
    games: GamesDone
    shards: list[ShardDone]
    checkpoints: CheckpointsDone
    heads: HeadsDone
    witness: WitnessDone
    seconds: float = 0.0
    resumed: int = 0


_decoder: Final = msgspec.json.Decoder(Saved)


def load(path: Path, asked: Asked) -> Saved | None:
    """What was saved in a file; None where there is none. Raises `AuditImpossible` where it is of another audit."""
    try:
        saved = _decoder.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, ValueError) as error:
        raise AuditImpossible(f"{path} is no state of an audit: {error}.") from error
    if saved.state != FORMAT:
        raise AuditImpossible(f"{path} is the state of an audit by another version of this program.")
    if saved.asked != asked:
        raise AuditImpossible(f"{path} is of an audit with other options; give those again, or remove the file.")
    return saved


def save(path: Path, saved: Saved) -> None:
    """Put the state in place of an earlier one. Raises `AuditImpossible`."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(saved))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise AuditImpossible(f"The state cannot be written to {path}: {error.strerror or error}.") from error


def check_same(path: Path, saved: Cut, found: Cut) -> None:
    """Check that a state is of this archive. Raises `AuditImpossible`."""
    if (saved.database, saved.feed_epoch, saved.shards) != (found.database, found.feed_epoch, found.shards):
        raise AuditImpossible(f"{path} is of an audit of another archive, or from before its feed began a new epoch.")
