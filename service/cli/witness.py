"""`meldhouse witness`."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedRandom
from pathlib import Path
from typing import Final

import click

from service.checkpoints.signed import LINE_BYTES_MAX, Epoch, Key, Signed
from service.checkpoints.watching import Contradiction, Watch, checkpoint_of
from service.cli.client import NotReached, Problem
from service.cli.faults import FOUND_WRONG, FoundWrong, WrongUse
from service.cli.outside import Outside
from service.cli.printable import in_short

FOLLOW_SECONDS: Final = 10.0
EVIDENCE: Final = ".contradiction"


@click.command(
    "witness", short_help="Keep the signed checkpoints of a service, and check that it only adds to its log."
)
@click.argument("url")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--follow/--once", default=False, help="Go on until it is stopped, or look once (what it does otherwise)."
)
@click.option("--seconds", type=click.FloatRange(0.1, 86_400), default=FOLLOW_SECONDS, help="Pause with --follow.")
@click.option("--key", help="Id of the log's first key, as its operator has published it.")
@click.pass_context
def command(ctx: click.Context, url: str, file: Path, follow: bool, seconds: float, key: str | None) -> None:
    """Fetch the new signed lines of the service at URL, check them against those in FILE, and add them there.

    It needs no account and trusts nothing: signatures, the keys' vouching for each other, the order of the checkpoints,
    and proofs that each goes on from the one kept before. FILE is yours: keep it where the operator cannot reach it.

    The exit code is 1, and the two lines that contradict each other are kept in FILE.contradiction, if the log was
    rewritten or cut. A new epoch that the service announces is told aloud; it is accepted if everything that was sealed
    before it is proved to be unchanged, and a contradiction if not.
    """
    with _held(file) as kept, Outside(url) as outside:
        try:
            watch = _read(kept, file, key)
            while True:
                try:
                    _look(outside, watch, kept, key)
                except (NotReached, Problem) as trouble:
                    if not follow:
                        raise FoundWrong(in_short(str(trouble))) from trouble
                    click.echo(f"{in_short(str(trouble))} Trying again.", err=True)
                if not follow:
                    break
                time.sleep(seconds)
        except Contradiction as found:
            _tell(found, file)
            ctx.exit(FOUND_WRONG)
    if watch.unsettled is not None:
        raise FoundWrong(
            f"The new epoch has not yet reached what checkpoint {checkpoint_of(watch.unsettled).number} had sealed: "
            "look again soon. If that stays so, events were lost."
        )


@contextmanager
def _held(file: Path) -> Iterator[BufferedRandom]:
    """The file, for this process alone. Raises `WrongUse`."""
    try:
        kept = file.open("ab+")
    except OSError as error:
        raise WrongUse(f"{file} cannot be used: {error.strerror or error}.") from error
    with kept:
        try:
            fcntl.flock(kept, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise WrongUse(f"Another process adds to {file}.") from error
        yield kept


def _read(kept: BufferedRandom, file: Path, key: str | None) -> Watch:
    """Take what was kept before; a last line that was cut off is taken away. Raises `Contradiction`."""
    watch = Watch()
    kept.seek(0)
    whole = 0
    for number, line in enumerate(kept, 1):
        if not line.endswith(b"\n"):
            kept.truncate(whole)
            break
        whole += len(line)
        try:
            watch.take(line)
        except Contradiction as found:
            raise FoundWrong(f"{file}:{number}: {found}") from found
    _check_first(watch, key)
    return watch


def _check_first(watch: Watch, key: str | None) -> None:
    first = next(iter(watch.ring.public_keys), None)
    if key is not None and first is not None and first != key:
        raise FoundWrong(f"The first key of this log is {first}, not {key}.")


def _look(outside: Outside, watch: Watch, kept: BufferedRandom, key: str | None) -> None:
    """Take everything new; what was found to be good is in the file when this returns or raises `Contradiction`."""

    def keep(line: Signed) -> None:
        kept.write(line.line + b"\n")
        _announce(line)

    before = watch.last
    try:
        outside.check_last(watch)
        outside.take_new(watch, keep, lambda: _check_first(watch, key))
    finally:
        kept.flush()
    if watch.last is None:
        click.echo("Nothing is sealed yet.")
        return
    last = checkpoint_of(watch.last)
    since = "" if before is None else f", goes on from checkpoint {checkpoint_of(before).number}"
    news = "nothing new" if before is watch.last else f"{sum(last.sizes)} events sealed{since}"
    click.echo(f"checkpoint {last.number} of epoch {last.epoch}, {last.at}: {news}")


def _announce(line: Signed) -> None:
    """Tell aloud what is no everyday line."""
    body = line.body
    if isinstance(body, Epoch) and body.reason != "first":
        place = "" if body.shard is None else f" (shard {body.shard}, position {body.position})"
        click.echo(
            f"NEW EPOCH {body.epoch} after checkpoint {body.after}: {body.reason.replace('_', ' ')}{place}, {body.at}. "
            "Ask the operator why.",
            err=True,
        )
    elif isinstance(body, Key) and line.key == body.key:
        told = "The first key" if body.by is None else f"A new key, vouched for by {body.by}"
        click.echo(f"{told}: {body.key}, public key {body.public_key}", err=True)


def _tell(found: Contradiction, file: Path) -> None:
    """Name the lines that contradict each other, and keep them as evidence."""
    lines = [found.kept.line if found.kept is not None else None, found.new]
    evidence = file.with_name(file.name + EVIDENCE)
    with evidence.open("ab") as writing:
        writing.writelines(line[:LINE_BYTES_MAX] + b"\n" for line in lines if line is not None)
    click.echo(f"CONTRADICTION ({found.code}): {in_short(str(found))}", err=True)
    for name, line in zip(("kept", "told"), lines, strict=True):
        if line is not None:
            click.echo(f"{name}: {in_short(line.decode(errors='replace'))}", err=True)
    click.echo(f"Both are in {evidence}.", err=True)
