"""Standings of large events, beside the library for FIDE's tie-breaks: `python -m tests.bench.standings`.

Ours rank by the whole default lists, direct encounter and lot included. The library makes points and the Buchholz and
Sonneborn-Berger sums of the same event. The last lines are whole tournaments: from the state of one that was just read,
and again after one event more. Times are milliseconds of this process's own processor time, so that other work on the
machine counts little; the goal is 50 ms for 1,000 entrants and 11 rounds.
"""

import gc
import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Final

from msgspec import Struct

from domain.standings.lines import MATCH_POINTS, VP_SCALE, Entry, Scale
from domain.standings.ranking import rank
from domain.standings.second_opinion import library_values
from domain.tournaments.fold import fold, replayed
from domain.tournaments.formats import Swiss
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.standings import standings
from domain.tournaments.terms import Stage
from tests.domain.standings.defaults import DEFAULT_VP, DEFAULT_WDL
from tests.domain.standings.random_fields import random_field
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told, met

TIMES: Final = 9
GOAL_MS: Final = 50.0
LIBRARY: Final = ("SCORE", "BH-C1", "BH", "SB")


class Case(Struct, frozen=True):
    """An event to rank: its size, its list, and the chance of an unplayed round."""

    name: str
    entrants: int
    rounds: int
    scale: Scale
    codes: tuple[str, ...]
    trouble: float


CASES: Final = (
    Case("victory points, all played", 1000, 11, VP_SCALE, DEFAULT_VP, 0.0),
    Case("win, draw, loss, all played", 1000, 11, MATCH_POINTS, DEFAULT_WDL, 0.0),
    Case("victory points, byes and forfeits", 1000, 11, VP_SCALE, DEFAULT_VP, 0.05),
    Case("win, draw, loss, byes and forfeits", 1000, 11, MATCH_POINTS, DEFAULT_WDL, 0.05),
    Case("victory points, all played", 128, 7, VP_SCALE, DEFAULT_VP, 0.0),
    Case("win, draw, loss, byes and forfeits", 128, 7, MATCH_POINTS, DEFAULT_WDL, 0.05),
)


def milliseconds(work: Callable[[], object]) -> float:
    """Processor time of one run."""
    gc.collect()
    begin = time.process_time()
    work()
    return 1000 * (time.process_time() - begin)


def measure(case: Case) -> tuple[list[float], list[float]]:
    """Our times and the library's, taken in turns."""
    entries: list[Entry] = random_field(1, case.scale, entrants=case.entrants, rounds=case.rounds, trouble=case.trouble)

    def ours() -> object:
        return rank(entries, case.codes, after=case.rounds, scale=case.scale, lot_seed=b"seed")

    def theirs() -> object:
        return library_values(entries, LIBRARY, after=case.rounds, scale=case.scale)

    theirs()
    pairs = [(milliseconds(ours), milliseconds(theirs)) for _ in range(TIMES)]
    return [own for own, _ in pairs], [other for _, other in pairs]


def tournament(entrants: int, rounds: int) -> Told:
    """A Swiss by victory points, one match of the last round ruled upon last."""
    chance = Random(1)
    stage = Stage(format=Swiss(rounds=rounds), match=MatchTerms(length=FixedHands(1)))
    told = Told(terms_of(stage), entrants)
    order = [*told.state.entrants]
    for _ in range(rounds):
        chance.shuffle(order)
        told.round(
            [
                met(one, other, 5 * chance.randrange(800), 5 * chance.randrange(800))
                for one, other in zip(order[::2], order[1::2], strict=True)
            ]
        )
    told.rule(f"r{rounds}m1", kind="points", points=(0, 5))
    return told


def measure_tournament(entrants: int, rounds: int) -> tuple[list[float], list[float]]:
    """Times of the first standings of a tournament that was just read, and of those after one more event."""
    told = tournament(entrants, rounds)
    first, again = [], []
    for _ in range(TIMES):
        before = replayed(told.state.id, told.happened[:-1])
        first.append(milliseconds(lambda state=before: standings(state)))  # type: ignore[misc]
        after = fold(before, told.happened[-1:])
        again.append(milliseconds(lambda state=after: standings(state)))  # type: ignore[misc]
    return first, again


def main() -> None:
    print(f"{'event':<36} {'size':>9}  {'median':>8} {'least':>8} {'most':>8}   {'library':>8} {'ratio':>6}")
    for case in CASES:
        ours, theirs = measure(case)
        median, library = statistics.median(ours), statistics.median(theirs)
        size = f"{case.entrants}×{case.rounds}"
        print(
            f"{case.name:<36} {size:>9}  {median:8.1f} {min(ours):8.1f} {max(ours):8.1f}   "
            f"{library:8.1f} {library / median:6.1f}{'' if median <= GOAL_MS else '  over the goal'}"
        )
    for entrants, rounds in ((1000, 11), (128, 7)):
        names = ("tournament, just read", "tournament, one event later")
        for name, times in zip(names, measure_tournament(entrants, rounds), strict=True):
            median = statistics.median(times)
            size = f"{entrants}×{rounds}"
            print(
                f"{name:<36} {size:>9}  {median:8.1f} {min(times):8.1f} {max(times):8.1f}"
                f"{'' if median <= GOAL_MS else '                    over the goal'}"
            )


if __name__ == "__main__":
    main()
