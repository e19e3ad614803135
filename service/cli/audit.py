"""`meldhouse audit`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from service import embedded
from service.audit.report import Report
from service.audit.run import Audit, Options, usable_processors
from service.audit.source import AuditImpossible
from service.cli.audit_progress import Progress, progress_of
from service.cli.chains import chains_option
from service.cli.faults import FOUND_WRONG, FoundWrong, WrongUse
from service.cli.inputs import EXISTING_FILE
from service.cli.printable import printable
from service.cli.settings import settings_from_environment
from service.embedded import EmbeddedFault
from service.embedded.running import url_of_running
from service.logs import configure_logs
from service.offline.beacons import Chains
from service.settings import Settings

PROCESSES_MAX: Final = 256
STANDARD_OUTPUT: Final = Path("-")


@click.command("audit", short_help="Check the whole archive of a database.")
@click.option("--rules", is_flag=True, help="Judge every move, deal and line anew, as for a record of each game.")
@click.option("--game", metavar="ID", help="This game only, and not the feed.")
@click.option("--heads", metavar="FILE", type=EXISTING_FILE, help='Hashes that players kept: {"game", "n", "hash"}.')
@click.option("--witness", metavar="FILE", type=EXISTING_FILE, help="Signed lines that were kept outside.")
@click.option(
    "--processes",
    metavar="N",
    type=click.IntRange(1, PROCESSES_MAX),
    help="How many processes check; as many as there are processors if it is not said.",
)
@click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the state there, and go on from it; it is removed at the end.",
)
@click.option(
    "--json",
    "report_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write the report as JSON; - for standard output.",
)
@click.option("--quiet", is_flag=True, help="Say nothing but what is wrong.")
@chains_option
@click.pass_context
def command(
    ctx: click.Context,
    rules: bool,
    game: str | None,
    heads: Path | None,
    witness: Path | None,
    processes: int | None,
    resume: Path | None,
    report_file: Path | None,
    quiet: bool,
    chains: Chains,
) -> None:
    """Check the whole archive of DATABASE_URL, or of the embedded database, running or not.

    Every event's bytes and hash, chain, place in the feed and fold; what is kept beside the games; the signed log. It
    only reads, beside a running service if there is one, and looks at what there was at its start. What a rewritten
    archive cannot show by itself is found by what was kept outside: --heads and --witness.

    The exit code is 0 where all is well, 1 where something is wrong, 2 where the audit could not be carried out.
    """
    settings = settings_from_environment()
    configure_logs(settings)
    try:
        with _database(settings) as url:
            options = Options(
                url=url,
                rules=rules,
                chains=chains.all,
                game=game,
                heads=heads,
                witness=witness,
                resume=resume,
                processes=processes or usable_processors(),
            )
            report = _carried_out(options, None if quiet else progress_of())
    except KeyboardInterrupt:
        way_on = "" if resume is None else f"; `--resume {resume}` goes on from here"
        raise WrongUse(f"Interrupted{way_on}.") from None
    except (AuditImpossible, EmbeddedFault) as fault:
        raise WrongUse(" ".join(str(fault).split())) from fault
    _tell(report, report_file, quiet)
    if game is not None and not report.counts.games:
        raise FoundWrong(f"The archive has no game {game!r}.")
    if not report.ok:
        ctx.exit(FOUND_WRONG)


@contextmanager
def _database(settings: Settings) -> Iterator[str]:
    """The address of the database; an embedded one is started for as long as it is needed, unless it runs."""
    url = settings.database_url or url_of_running(settings)
    if url is not None:
        yield url
        return
    with embedded.start(settings) as servers:
        yield servers.database_url


def _carried_out(options: Options, progress: Progress | None) -> Report:
    if progress is None:
        return Audit(options).run()
    with progress:
        return Audit(options, progress.show).run()


def _tell(report: Report, report_file: Path | None, quiet: bool) -> None:
    to_output = report_file == STANDARD_OUTPUT
    if not (quiet and report.ok):
        for line in report.lines():
            click.echo(printable(line), err=to_output)
    if to_output:
        click.echo(report.json(), nl=False)
    elif report_file is not None:
        try:
            report_file.write_bytes(report.json())
        except OSError as error:
            raise WrongUse(f"{report_file} cannot be written: {error.strerror or error}.") from error
