"""`meldhouse verify`."""

from pathlib import Path
from typing import Any

import click
import msgspec

from domain.records.lines import split_lines
from domain.records.verdicts import Verdict
from domain.records.verification import verify
from service.cli.faults import FOUND_WRONG
from service.cli.inputs import READABLE, chunks
from service.cli.printable import printable


@click.command("verify", short_help="Check records of games, offline.")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=READABLE)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as a list of objects instead.")
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Check records of games, offline: their form and chain, every event by the rules, every deal by the master.

    FILE is `-` for standard input. One line a file; for one that is wrong the first line that is. The exit code is 1 if one is.
    """
    verdicts: list[dict[str, Any]] = []
    good = True
    for path in files:
        verdict = verify(split_lines(chunks(path)))
        good = good and verdict.ok
        if as_json:
            verdicts.append({"file": str(path), **msgspec.to_builtins(verdict)})
        else:
            click.echo(printable(_line(path, verdict)))
    if as_json:
        click.echo(msgspec.json.encode(verdicts))
    if not good:
        ctx.exit(FOUND_WRONG)


def _line(path: Path, verdict: Verdict) -> str:
    if verdict.fault is not None:
        return f"{path}:{verdict.fault.line}: {verdict.fault.code}: {verdict.fault.message}"
    return (
        f"{path}: ok, {verdict.ruleset}, {verdict.players} players, {verdict.hands} hands, {verdict.events} events, "
        f"totals {' '.join(map(str, verdict.totals))}, head {verdict.head}"
    )
