"""`meldhouse demo`."""

import click
from rich.console import Console
from rich.live import Live

from domain.events import GameEnded, HandEnded
from domain.evolve import replay
from domain.records.faults import RecordInvalidError
from domain.records.lines import split_lines
from domain.records.verification import replay_record, verify
from domain.rulesets import PRESETS, resolve
from domain.state import State
from domain.telling import tell
from domain.views import View, view_for
from service.cli.api_players import ApiPlayers
from service.cli.client import NotReached, Problem
from service.cli.faults import FoundWrong
from service.cli.own_service import OwnService, ServiceFault
from service.cli.table import table

DEMO_SECONDS_MAX = 300.0
"""A game that takes longer is given up."""

PLAYERS = 4
HANDS_MAX = 1000


@click.command("demo", short_help="Let four bots play through the API, and check the game.")
@click.option("--ruleset", type=click.Choice(list(PRESETS)), default="samba-official", show_default=True)
@click.option("--hands", metavar="M", type=click.IntRange(1, HANDS_MAX), help="End after so many hands, as a draw.")
def command(ruleset: str, hands: int | None) -> None:
    """Start everything, let four bots play a game through the public API, show it live, and check it.

    The bots are ordinary players: each has a token, sees its own cards only, and sends its moves by HTTP. Then the
    game is replayed from its events and its record is verified. All this runs on a free port with a database of its
    own that is removed at the end. The exit code is 0 if the game was played, replayed and verified.
    """
    try:
        with OwnService() as service:
            click.echo(f"For this demonstration the service runs at {service.address}")
            with ApiPlayers(service, ruleset, PLAYERS, _options(ruleset, hands)) as players:
                _play(players)
                _check(players)
    except (ServiceFault, NotReached, Problem) as fault:
        raise FoundWrong(" ".join(str(fault).split())) from fault


def _options(ruleset: str, hands: int | None) -> dict[str, object] | None:
    """A cap on the hands, but never above the one that the rule set has."""
    cap = resolve(ruleset).hand_cap
    return None if hands is None or (cap is not None and cap <= hands) else {"hand_cap": hands}


def _play(players: ApiPlayers) -> None:
    """Play to the end: live on a terminal, elsewhere told in a line a hand."""
    console = Console()
    if not console.is_terminal:
        for step in players.play(DEMO_SECONDS_MAX):
            for event in step.happened:
                if isinstance(event, HandEnded | GameEnded):
                    click.echo(tell(event, players.names))
        return
    with Live(console=console, auto_refresh=False, transient=True) as live:
        for step in players.play(DEMO_SECONDS_MAX):
            told = "; ".join(tell(event, players.names) for event in step.happened)
            live.update(table(step.view, players.names, told), refresh=True)
    console.print(table(players.step.view, players.names))


def _check(players: ApiPlayers) -> None:
    """Replay the game and verify its record. Raises `FoundWrong`."""
    final = players.view(0)
    click.echo(f"Played: {final.version} events, {final.hand} hands, totals {_numbers(final.totals)}.")
    _compare(final, replay(players.events(0)), "The events")
    lines = list(split_lines([players.get("record").body]))
    try:
        _compare(final, replay_record(lines), "The events of the record")
    except RecordInvalidError as invalid:
        raise FoundWrong(f"The record is wrong: {invalid}") from invalid
    click.echo("Replayed: the events and the record lead to the same table, card for card.")
    verdict = verify(lines)
    if verdict.fault is not None:
        raise FoundWrong(f"The record is wrong: line {verdict.fault.line}: {verdict.fault.message}")
    click.echo(f"Verified: {verdict.moves} moves decided anew, {verdict.hands} deals checked, head {verdict.head}.")


def _compare(final: View, state: State, what: str) -> None:
    """Check that a state is the one that the API shows, all cards open now that the game is over."""
    if view_for(state, "everyone", final.seat) != final:
        raise FoundWrong(f"{what} do not lead to the table that the API shows.")


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))
