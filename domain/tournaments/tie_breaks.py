"""What a stage is ranked by: its tie-breaks as the ranking names them, and what a win and a draw are worth."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.standings.lines import VP_SCALE, Pairing, Scale
from domain.tournaments.draws import LOTS, drawn_last
from domain.tournaments.lengths import boards_of_match
from domain.tournaments.matches import BoardAMatch, Butler, CrossImps, Matchpoints, RawPoints, WinDrawLoss
from domain.tournaments.playing import goes_in_waves, is_open
from domain.tournaments.scores import most
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Stage, TieBreak

SCORE: Final = "SCORE"

CODES: Final[Mapping[TieBreak, str]] = MappingProxyType(
    {
        "direct_encounter": "DE",
        "opponents_vp_cut_1": "BH-C1",
        "opponents_vp": "BH",
        "buchholz": "BH",
        "buchholz_cut_1": "BH-C1",
        "median_buchholz": "BH-M1",
        "sonneborn_berger": "SB",
        "progressive": "PS",
        "koya": "KOYA",
        "wins": "WIN",
        "opponents_match_win": "OMW",
        "margin": "MPD",
        "lot": "LOT",
    }
)
"""A tie-break of the terms, as the ranking has it; in events of victory points Buchholz is their sum."""


def codes_of(stage: Stage) -> tuple[str, ...]:
    """What is compared, in order: the score, then the tie-breaks, each once."""
    return tuple(dict.fromkeys((SCORE, *(CODES[each] for each in stage.tie_breaks))))


def pairing_of(stage: Stage) -> Pairing:
    """How unplayed rounds count: matches that were due from the beginning count for opponents although nobody played.

    Where matches begin at will nobody misses a round.
    """
    return "swiss" if is_open(stage) and not goes_in_waves(stage) else "round_robin"


def scale_of(stage: Stage, mean: int) -> Scale:
    """What wins and draws are worth; `mean` (hundredths) is that of all scores, where nothing bounds a score."""
    match stage.score:
        case WinDrawLoss(win, draw, loss):
            return Scale(win=win, draw=draw, loss=loss, decimals=1 if win % 10 == draw % 10 == loss % 10 == 0 else 2)
        case RawPoints():
            return Scale(win=2 * mean, draw=mean, decimals=0)
        case CrossImps() | Butler():
            return Scale(win=0, draw=0, decimals=0)
        case BoardAMatch() | Matchpoints():
            top = most(stage, max(boards_of_match(stage), 1)) or 0
            return Scale(win=top, draw=top // 2, decimals=2)
        case _:
            return VP_SCALE


def lot_seed(state: Tournament) -> bytes | None:
    """The seed of lots, once they are drawn."""
    drawn = drawn_last(state.lots, LOTS)
    return None if drawn is None else bytes.fromhex(drawn)
