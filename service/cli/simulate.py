"""`meldhouse simulate`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
import msgspec

from domain.bots import LEVELS
from domain.rules import PlayersNotPermittedError, compile_rules
from domain.rulesets import PRESETS, RuleSet, RuleSetInvalidError, resolve
from domain.simulation import Setup
from service.cli.faults import WrongUse
from service.cli.progress import Advance, progress_bar
from service.offline.simulated import SimulatedGame, play_game, write_game
from service.offline.tally import Tally

HANDS_MAX: Final = 1000
"""After so many hands a game is ended by a ruling if nothing else is said: options can make one that never ends."""

GAMES_MAX: Final = 1_000_000
SEED_LENGTH_MAX: Final = 256


@click.command("simulate", short_help="Let bots play whole games, offline.")
@click.option("--ruleset", metavar="NAME", required=True, help=f"A preset: {', '.join(PRESETS)}.")
@click.option("--options", metavar="JSON", help="Overrides, e.g. '{\"hand_cap\": 3}'.")
@click.option("--players", metavar="N", required=True, type=int, help="Number of seats.")
@click.option("--games", metavar="K", default=1, show_default=True, type=click.IntRange(1, GAMES_MAX))
@click.option("--seed", metavar="S", required=True, help="Any text: the same seed gives the same games.")
@click.option(
    "--bots",
    metavar="LEVELS",
    required=True,
    help=f"Levels by seat, separated by commas ({', '.join(LEVELS)}); fewer than seats are repeated round the table.",
)
@click.option(
    "--max-hands",
    metavar="M",
    default=HANDS_MAX,
    show_default=True,
    type=click.IntRange(1),
    help="End a game after so many hands; the best totals win.",
)
@click.option(
    "--records",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the record of every game into this directory.",
)
def command(
    ruleset: str,
    options: str | None,
    players: int,
    games: int,
    seed: str,
    bots: str,
    max_hands: int,
    records: Path | None,
) -> None:
    """Let bots play whole games against each other, offline, and tell how they end, one line a game.

    The same seed gives the same deals whoever plays, so that bots can be compared on them. Records that are written
    can be checked with `meldhouse verify`.
    """
    setup = Setup(_ruleset(ruleset, options), _bots(bots, players), max_hands)
    try:
        compile_rules(setup.ruleset, players)
    except PlayersNotPermittedError as error:
        raise WrongUse(str(error)) from error
    if len(seed) > SEED_LENGTH_MAX:
        raise WrongUse(f"A seed has at most {SEED_LENGTH_MAX} characters.")
    tally = Tally(setup)
    with _directory(records), progress_bar("Playing", games) as advance:
        for game in _games(setup, _seed(seed), games, advance):
            tally.add(game)
            click.echo(game.line())
            if records is not None:
                write_game(game, records)
    if games > 1:
        click.echo(tally.text(), err=True)


def _games(setup: Setup, seed: bytes, games: int, advance: Advance) -> Iterator[SimulatedGame]:
    for number in range(1, games + 1):
        yield play_game(setup, seed, number)
        advance()


def _ruleset(name: str, options: str | None) -> RuleSet:
    try:
        return resolve(name, None if options is None else msgspec.json.decode(options))
    except RuleSetInvalidError as error:
        raise WrongUse(" ".join(fault.message for fault in error.faults)) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise WrongUse(f"The value of --options is not JSON: {error}.") from error


def _bots(levels: str, players: int) -> tuple[str, ...]:
    named = [level.strip() for level in levels.split(",")]
    unknown = [level for level in named if level not in LEVELS]
    if unknown:
        raise WrongUse(f"There is no bot {unknown[0]!r}; there are {', '.join(LEVELS)}.")
    if len(named) > max(players, 1):
        raise WrongUse(f"{len(named)} bots do not fit at a table of {players}.")
    return tuple((named * players)[:players])


def _seed(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise WrongUse("The seed is not text in UTF-8.") from error


@contextmanager
def _directory(records: Path | None) -> Iterator[None]:
    """The directory for records, there if one is asked for; what cannot be written is told in one line."""
    try:
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        if records is None:
            raise
        raise WrongUse(f"Records cannot be written into {records}: {error.strerror or error}.") from error
