"""Random games in their thousands, looked over at every step: `python -m tests.domain.soak --games 10000`.

Every preset is played with every number of seats in turn. After every event the state must be sound (`problems`), and
at every state the list of legal moves must agree with `decide`: what is marked possible is accepted, what is not is
refused with the reason given. A line tells every fault, and the exit code is 1 if there is one.
"""

import sys
import time
from collections.abc import Iterator
from itertools import cycle

import click
from msgspec import UNSET

from domain.decide import decide
from domain.evolve import evolve
from domain.legal import legal_moves
from domain.options import LegalMoves, MeldOption, Option
from domain.problems import problems
from domain.refusals import Refusal
from domain.rulesets import PRESETS, resolve
from domain.simulation import Setup, simulate
from domain.state import State
from domain.waiting import seat_to_act

TABLES = [(preset, players) for preset in PRESETS for players in resolve(preset).players]
BOTS = (("random",), ("random", "greedy"))
LEGAL_EVERY = 3
"""At one step in so many the list of legal moves is put to `decide`, block by block."""

REPORT_EVERY = 500

TROUBLE = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What a fault of the engine raises; it spoils one game, not the whole run."""


def play(games: int, seed: bytes, hands_max: int) -> Iterator[tuple[int, list[str]]]:
    """The events of each game and the faults found in it."""
    for number, (preset, players) in zip(range(1, games + 1), cycle(TABLES), strict=False):
        levels = BOTS[number // len(TABLES) % len(BOTS)] * players
        setup = Setup(resolve(preset), levels[:players], hands_max)
        name = f"game {number}, {preset}, {players} players"
        events, faults = look_over(setup, seed, number)
        yield events, [f"{name}: {fault}" for fault in faults]


def look_over(setup: Setup, seed: bytes, number: int) -> tuple[int, list[str]]:
    """One game: how many events it had, and what was wrong with it."""
    faults: list[str] = []
    state: State | None = None
    after: State | None = None
    try:
        for step, (happened, after) in enumerate(simulate(setup, seed, number)):
            for event in happened:
                if state is None:
                    break
                state = evolve(state, event)
                if state.hand and (found := problems(state)):
                    faults.append(f"version {state.version}: {found!r}")
            if state is not None and state != after:
                faults.append(f"version {after.version}: the fold of single events leads elsewhere")
            state = after
            if step % LEGAL_EVERY == 0:
                faults += disagreements(after)
    except TROUBLE as trouble:
        faults.append(f"{type(trouble).__name__}: {trouble}")
    return 0 if after is None else after.version, faults


def disagreements(state: State) -> list[str]:
    """Where the legal moves of the seat to act and `decide` do not agree."""
    seat = seat_to_act(state)
    if seat is None:
        return []
    return [
        f"version {state.version}: {option.move} is {decided} and listed as {option.reason or 'possible'}"
        for option in options(legal_moves(state, seat))
        if (decided := _disagrees(state, seat, option)) is not None
    ]


def _disagrees(state: State, seat: int, option: Option | MeldOption) -> str | None:
    move = option.move if option.completion is UNSET else option.completion
    decision = decide(state, seat, move)
    if isinstance(decision, Refusal):
        return None if not option.possible and decision == option.reason else f"refused ({decision.code})"
    return None if option.possible else "accepted"


def options(legal: LegalMoves) -> Iterator[Option | MeldOption]:
    """Every block listed."""
    for single in (legal.draw, legal.pass_, legal.ask):
        if isinstance(single, Option):
            yield single
    for several in (
        legal.takes, legal.melds, legal.additions, legal.joins, legal.red_threes, legal.discards, legal.answers,
    ):  # fmt: skip
        yield from several


@click.command()
@click.option("--games", default=10_000, show_default=True)
@click.option("--hands", default=2, show_default=True, help="Hands of a game at most.")
@click.option("--seed", default="soak", show_default=True)
def main(games: int, hands: int, seed: str) -> None:
    """Play random games and look every step over."""
    began = time.monotonic()
    events = faulty = 0
    for number, (count, faults) in enumerate(play(games, seed.encode(), hands), start=1):
        events += count
        faulty += bool(faults)
        for fault in faults:
            click.echo(fault)
        if number % REPORT_EVERY == 0 or number == games:
            seconds = time.monotonic() - began
            click.echo(f"{number} games, {events} events, {faulty} with faults, {seconds:.0f} s", err=True)
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
