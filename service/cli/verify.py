"""`meldhouse verify`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from domain.records.lines import split_lines
from domain.records.verdicts import Verdict
from domain.records.verification import verify
from service.cli.chains import chains_option
from service.cli.faults import FOUND_WRONG, WrongUse
from service.cli.inputs import EXISTING_FILE, READABLE, chunks
from service.cli.kept import Comparison, Heads, Witness
from service.cli.printable import printable
from service.cli.settings import PLAYERS_VARIABLE
from service.offline.beacons import Chains


@click.command("verify", short_help="Check records of games, offline.")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=READABLE)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as a list of objects instead.")
@click.option("--heads", type=EXISTING_FILE, help='Hashes that were kept: {"game", "n", "hash"}, one a line.')
@click.option("--witness", type=EXISTING_FILE, help="Signed lines that were kept (`meldhouse witness`).")
@click.option("--url", help="With --witness: the service that proves that the game is under a checkpoint kept.")
@click.option("--proof", type=EXISTING_FILE, help="With --witness: such a proof, fetched before, instead of --url.")
@click.option("--code", help="With --url: that of the game's share link, if the game is not public.")
@click.option("--token", metavar="TOKEN", envvar=PLAYERS_VARIABLE, help="With --url: yours, if the game is not public.")
@chains_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[Path, ...],
    as_json: bool,
    heads: Path | None,
    witness: Path | None,
    url: str | None,
    proof: Path | None,
    code: str | None,
    token: str | None,
    chains: Chains,
) -> None:
    """Check records of games, offline: their form and chain, every event by the rules, every deal by the master.

    FILE is `-` for standard input. One line a file; for one that is wrong the first line that is. The exit code is 1 if
    one is.

    A record alone cannot show that the whole game was rewritten into another legal one. What you kept can: --heads
    compares hashes that you noted while you played, --witness asks whether the game is under a checkpoint kept before.
    """
    kept = _kept(heads, witness, url, proof, code, token)
    verdicts: list[dict[str, Any]] = []
    good = True
    for path in files:
        verdict, comparisons = kept.judge(split_lines(chunks(path)), chains)
        good = good and verdict.ok and all(each.ok for each in comparisons)
        if as_json:
            compared = {"kept": comparisons} if heads is not None or witness is not None else {}
            verdicts.append({"file": str(path), **msgspec.to_builtins(verdict), **msgspec.to_builtins(compared)})
        else:
            click.echo(printable(_line(path, verdict)))
            for each in comparisons:
                click.echo(printable(f"{path}: {each.code}: {each.message}"))
    if as_json:
        click.echo(msgspec.json.encode(verdicts))
    if not good:
        ctx.exit(FOUND_WRONG)


def _kept(
    heads: Path | None, witness: Path | None, url: str | None, proof: Path | None, code: str | None, token: str | None
) -> "Kept":
    """What the records are compared with. Raises `WrongUse`."""
    if witness is None and (url is not None or proof is not None):
        raise WrongUse("--url and --proof are for --witness: name the file with the signed lines.")
    if witness is not None and (url is None) == (proof is None):
        raise WrongUse("--witness needs --url, the service that proves it, or --proof, a proof fetched before.")
    return Kept(
        None if heads is None else Heads(heads),
        None if witness is None else Witness(witness, url=url, proof=proof, code=code, token=token),
    )


class Kept(Struct, frozen=True):
    """What was kept outside the service, and is compared with every record."""

    heads: Heads | None
    witness: Witness | None

    def judge(self, lines: Iterable[bytes], chains: Chains) -> tuple[Verdict, list[Comparison]]:
        """The verdict on a record, and what comes of each comparison."""
        watched = lines if self.heads is None else self.heads.watch(lines)
        verdict = verify(watched, beacon=chains)
        comparisons = [] if self.heads is None else [self.heads.compare(verdict)]
        if self.witness is not None:
            comparisons.append(self.witness.compare(verdict))
        return verdict, comparisons


def _line(path: Path, verdict: Verdict) -> str:
    if verdict.fault is not None:
        return f"{path}:{verdict.fault.line}: {verdict.fault.code}: {verdict.fault.message}"
    unchecked = "".join(f", {check} not checked: {why}" for check, why in verdict.unchecked.items())
    return (
        f"{path}: ok, {verdict.ruleset}, {verdict.players} players, {verdict.hands} hands, {verdict.events} events, "
        f"totals {' '.join(map(str, verdict.totals))}, head {verdict.head}{unchecked}"
    )
