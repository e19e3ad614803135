"""The greedy bot beats the random one by far, measured over the same deals with the seats swapped."""

import math
import statistics

import pytest

from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.simulation import Setup, simulate

BOARDS = 12
HANDS = 3
SIGMAS = 3


def points_a_hand(preset: str, players: int, greedy_side: int, board: int) -> float:
    """What the greedy sides score more than the random ones, in points a hand."""
    ruleset = resolve(preset)
    rules = compile_rules(ruleset, players)
    levels = tuple("greedy" if rules.side_of[seat] % 2 == greedy_side else "random" for seat in range(players))
    totals: tuple[int, ...] = ()
    hands = 1
    for _, state in simulate(Setup(ruleset, levels, HANDS), b"strength", board):
        totals, hands = state.totals, state.hand
    greedy = [total for side, total in enumerate(totals) if side % 2 == greedy_side]
    random = [total for side, total in enumerate(totals) if side % 2 != greedy_side]
    return (statistics.fmean(greedy) - statistics.fmean(random)) / hands


@pytest.mark.parametrize(
    ("preset", "players"),
    [("samba-official", 4), ("canasta-classic", 4), ("canasta-classic", 3), ("samba-czech", 4), ("bolivia", 4)],
)
def test_the_greedy_bot_beats_the_random_bot(preset: str, players: int) -> None:
    boards = [
        statistics.fmean(points_a_hand(preset, players, side, board) for side in (0, 1)) for board in range(BOARDS)
    ]
    error = statistics.stdev(boards) / math.sqrt(BOARDS)
    assert statistics.fmean(boards) > SIGMAS * error
