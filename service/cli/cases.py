"""`meldhouse cases`."""

from pathlib import Path

import click
import msgspec

from service.cli.faults import FOUND_WRONG
from service.cli.inputs import EXISTING_FILE, chunks
from service.cli.printable import printable
from service.offline.case_files import verdicts


@click.command("cases", short_help="Run rule cases.")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=EXISTING_FILE)
@click.option("--json", "as_json", is_flag=True, help='Print a list of {"id", "ok", "why"} instead.')
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Run rule cases and tell, one line a case, whether they come out as they say.

    A case is a position, moves, and what must come of them. The exit code is 1 if one fails.
    """
    told = []
    for path in files:
        for verdict in verdicts(str(path), chunks(path)):
            told.append(verdict)
            if not as_json:
                line = f"ok    {verdict.id}" if verdict.ok else f"FAIL  {verdict.id}: {verdict.why}"
                click.echo(printable(line))
    failed = sum(not verdict.ok for verdict in told)
    if as_json:
        click.echo(msgspec.json.encode(told))
    else:
        click.echo(f"{len(told)} cases, {failed} failed", err=True)
    if failed:
        ctx.exit(FOUND_WRONG)
