"""`meldhouse pair`."""

from pathlib import Path

import click
import msgspec

from domain.pairing.shapes import NoPairing
from service.cli.faults import FoundWrong, WrongUse
from service.cli.inputs import READABLE
from service.cli.printable import printable
from service.cli.tournament_files import tournament_of
from service.trf.pairing import SystemUnsupported, pair_round


@click.command("pair", short_help="Pair the next round of a tournament file, offline.")
@click.argument("file", metavar="FILE.trf", type=READABLE)
@click.option("--round", "number", type=click.IntRange(1, 1000), help="This round; later ones are left aside.")
@click.option("--json", "as_json", is_flag=True, help="Print the round as one object instead.")
def command(file: Path, number: int | None, as_json: bool) -> None:
    """Pair the next round of a tournament file (TRF of 2016 or 2026), offline.

    FILE.trf is `-` for standard input. The system is that of the file: FIDE's Dutch Swiss of 2026, team Swiss without
    colours where there are teams, Berger tables for a round robin. First the number of pairs, then a
    pair a line, White first; 0 stands for nobody. Which of two teams is White is our own choice. Notes go to standard
    error. The exit code is 1 where the file contradicts itself, or the round cannot be paired or is none of its rounds.
    """
    trf = tournament_of(file)
    if number is not None and trf.paired + 1 < number <= (trf.rounds or number):
        raise WrongUse(f"{file}: round {trf.paired + 1} is the next one, not {number}.")
    try:
        paired = pair_round(trf, number)
    except NoPairing as trouble:
        raise FoundWrong(f"{file}: {trouble.code}: {trouble}") from trouble
    except SystemUnsupported as trouble:
        raise FoundWrong(f"{file}: {trouble}") from trouble
    if as_json:
        click.echo(msgspec.json.encode(paired))
        return
    for note in paired.notes:
        click.echo(printable(f"Note: {note}"), err=True)
    click.echo(len(paired.pairs) + len(paired.byes))
    for one, other in (*paired.pairs, *((each, 0) for each in paired.byes)):
        click.echo(f"{one} {other}")
