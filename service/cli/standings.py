"""`meldhouse standings`."""

from pathlib import Path

import click
import msgspec

from domain.standings.keys import KEYS, shown
from service.cli.faults import FOUND_WRONG, WrongUse
from service.cli.inputs import READABLE
from service.cli.printable import printable
from service.cli.tournament_files import tournament_of
from service.trf.ranking import RankedFile, codes_of, explained, ranked, unknown_codes, written
from service.trf.shapes import Trf


@click.command("standings", short_help="The standings of a tournament file, by two engines, offline.")
@click.argument("file", metavar="FILE.trf", type=READABLE)
@click.option("--after", type=click.IntRange(0, 100), help="After this round; later ones are left aside.")
@click.option("--tie-breaks", "asked", metavar="CODES", default="", help=f"With commas between: {', '.join(KEYS)}.")
@click.option("--explain", "entrant", metavar="NUMBER", help="How this one's values came about.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one object instead.")
@click.pass_context
def command(ctx: click.Context, file: Path, after: int | None, asked: str, entrant: str | None, as_json: bool) -> None:
    """The standings of a tournament file (TRF of 2016 or 2026), offline.

    FILE.trf is `-` for standard input. Every value is worked out by our own sums and by the library gacrux, with
    unplayed rounds as FIDE has them (C.07 of 2026). Teams are ranked by match points, or by game points where the file
    says so. The exit code is 1 where the two differ, where the points of the file are not those of its results, or
    where the file contradicts itself; tie-breaks of the file that are not known here are told and left out.
    """
    trf = tournament_of(file)
    try:
        own = [each for each in asked.split(",") if each.strip()]
        codes = codes_of(trf, own)
        unknown = () if own else unknown_codes(trf)
        found = ranked(trf, codes, after)
        told = () if entrant is None else explained(trf, codes, entrant, after)
    except ValueError as wrong:
        raise WrongUse(str(wrong)) from wrong
    if as_json:
        rows = [{**msgspec.to_builtins(each), "shown": written(found, each)} for each in found.placings]
        shown_also = {"placings": rows, "explained": told, "unknown": unknown}
        click.echo(msgspec.json.encode({**msgspec.to_builtins(found), **shown_also}))
    else:
        for line in _table(trf, found):
            click.echo(printable(line))
        for each in told:
            click.echo(printable(each.text))
        if unknown:
            click.echo(printable(f"Tie-breaks of the file that are not known here: {', '.join(unknown)}."))
    if found.differences or found.mismatches:
        ctx.exit(FOUND_WRONG)


def _table(trf: Trf, found: RankedFile) -> list[str]:
    """The standings in columns, then what does not agree."""
    names = {str(each.number): each.name for each in trf.competitors}
    rows = [["rank", "no", "name", *found.codes]]
    rows += [[str(each.rank), each.entrant, names[each.entrant], *written(found, each)] for each in found.placings]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column == 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    for difference in found.differences:
        own, other = (shown(difference.code, value, found.scale) for value in (difference.ours, difference.theirs))
        lines.append(f"{difference.entrant}: {difference.code} is {own}, and {other} by gacrux.")
    for mismatch in found.mismatches:
        own, other = (shown("SCORE", value, found.scale) for value in (mismatch.points, mismatch.found))
        lines.append(f"{mismatch.entrant}: the file says {own} {mismatch.of}, the results add up to {other}.")
    return lines
