"""What a round that was not played is worth in percent of a match: by the terms, else by the score and the length."""

from typing import Final

from msgspec import Struct

from domain.standings.victory_points import BYE, TOTAL, forfeit_points
from domain.tournaments.formats import Swiss
from domain.tournaments.matches import FixedHands, WinDrawLoss
from domain.tournaments.terms import Stage

MANY_HANDS: Final = 4
"""A match to a target counts as one of so many hands, or more."""

_WIN: Final = 100
_DRAW: Final = 50


class Percents(Struct, frozen=True):
    """A bye, and a match that one side did not come to: for the side that came, and for the other."""

    bye: int
    forfeit_win: int
    forfeit_loss: int


def percents_of(stage: Stage) -> Percents:
    """What the terms say. Where they say nothing: by win, draw and loss as FIDE has it, a win and nothing, the bye a
    win, in its team system a draw (C.04.6); else a bye of 60 %, forfeits 14 to 6 of 20, or 12 to 8 from four hands on
    (background b.2).
    """
    said = stage.unplayed
    if isinstance(stage.score, WinDrawLoss):
        team = isinstance(stage.format, Swiss) and stage.format.method == "fide_team"
        usual = Percents(_DRAW if team else _WIN, _WIN, 0)
    else:
        length = stage.match.length
        came, stayed = forfeit_points(length.hands if isinstance(length, FixedHands) else MANY_HANDS)
        usual = Percents(_of_all(BYE), _of_all(came), _of_all(stayed))
    return Percents(
        usual.bye if said.bye is None else said.bye,
        usual.forfeit_win if said.forfeit_win is None else said.forfeit_win,
        usual.forfeit_loss if said.forfeit_loss is None else said.forfeit_loss,
    )


def _of_all(points: int) -> int:
    return 100 * points // TOTAL
