"""A large round: all its tables finish in the same second; how long until the standings are right and the next round
is paired and dealt.

    python -m tests.bench.tournament --tables 500

The workers, one unless `--workers` says more, a durable Postgres and the players share one process and the machine;
each worker ends its part of the tables. With `--boards` all tables play the same deals, and the games are revealed in
the end. `--profile` tells where the time goes.
"""

import argparse
import asyncio
import cProfile
import pstats
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import uvloop
from msgspec import Struct

from domain.rulesets import resolve
from domain.tournaments.acts import CloseRegistration, Enter
from domain.tournaments.directing import decide
from domain.tournaments.entering import consent
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.formats import Danish, Format, Swiss
from domain.tournaments.given import Draw, Given, Person
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Boards
from service.embedded import ephemeral
from service.logs import configure_logs
from service.migrate import migrate
from service.settings import Settings
from service.tournaments.commands import TournamentCommand
from service.tournaments.live import LiveTournament
from tests.service.tournaments.hall import ORGANISER, Hall, terms_of

RULESET: Final = resolve("samba-official")
ENTERED_TOGETHER: Final = 100
FORMATS: Final[dict[str, Format]] = {"swiss": Swiss(rounds=5), "danish": Danish(rounds=5)}


class Figures(Struct):
    """Seconds from the moment at which the last game had ended; `ending` is how long the games took to end."""

    ending: float
    told: float = 0.0
    closed: float = 0.0
    paired: float = 0.0
    dealt: float = 0.0
    settled: float = 0.0


async def enter_all(hall: Hall, live: LiveTournament, entrants: int) -> None:
    """So many pairs, entered by the director; everybody has agreed."""

    def decided(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
        happened: list[AnyTournamentEvent] = []
        for number in range(len(state.entrants), min(entrants, len(state.entrants) + ENTERED_TOGETHER)):
            players = (f"p-{2 * number}", f"p-{2 * number + 1}")
            given = Given(persons={player: Person() for player in players})
            happened += decide(state, Enter(players=players), ORGANISER, now, draw, given)
            state = fold(state, happened[-1:])
            for player in players:
                more = consent(state, f"e{number + 1}", player, now)
                happened += more
                state = fold(state, more)
        return happened

    while len(live.state.entrants) < entrants:
        await hall.service.tournaments.perform(live, TournamentCommand(actor=ORGANISER, decide=decided))


async def measure(
    settings: Settings, tables: int, form: Format, *, workers: int, boards: bool, profile: bool
) -> Figures:
    """Play the first round, all games ending at once."""
    hall = await Hall.open(settings, workers)
    terms = terms_of(
        form, players=4, ruleset=RULESET, ruleset_hash=RULESET.sha256(), boards=Boards() if boards else None
    )
    live = await hall.announce(terms)
    await hall.until(live, lambda state: state.status == "registration")
    await enter_all(hall, live, 2 * tables)
    begun = time.perf_counter()
    await hall.act(live, CloseRegistration())
    await hall.settle(live)
    print(f"first round paired and dealt in {time.perf_counter() - begun:.2f} s", file=sys.stderr)
    games = await hall.wanted(live)
    assert len(games) == tables
    for place, game in enumerate(games):
        # Who plays at a table has it in memory.
        await hall.workers[place % workers].games.find(game.game)
    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    begun = time.perf_counter()
    await asyncio.gather(
        *(hall.resign(game, service=hall.workers[place % workers]) for place, game in enumerate(games))
    )
    ended = time.perf_counter()
    figures = Figures(ended - begun)
    marks: dict[str, Callable[[], bool]] = {
        "told": lambda: all(match.decided is not None for match in live.state.matches_of(1)),
        "closed": lambda: live.state.rounds[1].status == "closed",
        "paired": lambda: 2 in live.state.rounds,
    }
    while marks:
        if workers > 1:
            await hall.fresh(live)
        for name in [name for name, reached in marks.items() if reached()]:
            setattr(figures, name, time.perf_counter() - ended)
            del marks[name]
        await asyncio.sleep(0.005)
    number = "select count(*) from tournament_game where tournament = $1 and round = 2"
    while await hall.pool.fetchval(number, live.id) < tables:
        await asyncio.sleep(0.01)
    figures.dealt = time.perf_counter() - ended
    await hall.settle(live)
    figures.settled = time.perf_counter() - ended
    if profile:
        profiler.disable()
        untyped: Any = pstats
        untyped.Stats(profiler).sort_stats("tottime").print_stats(35)
    table = standings(live.state)
    assert len(table.rows) == 2 * tables
    assert all(row.played == 1 for row in table.rows)
    await hall.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--format", choices=sorted(FORMATS), default="swiss")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--boards", action="store_true")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as state_dir, ephemeral(durable=True) as servers:
        settings = Settings(
            state_dir=Path(state_dir),
            database_url=servers.database_url,
            redis_url=servers.redis_url,
            log_level="warning",
        )
        configure_logs(settings)
        asyncio.run(migrate(servers.database_url))
        figures = uvloop.run(
            measure(
                settings,
                asked.tables,
                FORMATS[asked.format],
                workers=asked.workers,
                boards=asked.boards,
                profile=asked.profile,
            )
        )
    print(f"{asked.tables} tables ended within {figures.ending:.2f} s; from the end of the last one:")
    print(f"  every result told, every match decided   {figures.told:6.2f} s")
    print(f"  round closed, standings published        {figures.closed:6.2f} s")
    print(f"  next round paired                        {figures.paired:6.2f} s")
    print(f"  its games dealt                          {figures.dealt:6.2f} s")
    print(f"  nothing left to do                       {figures.settled:6.2f} s")


if __name__ == "__main__":
    main()
