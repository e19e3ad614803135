"""What a ranking is made from: for each entrant one line a round, and what a win, a draw and a loss are worth.

Scores are integers in hundredths: 14.50 victory points are 1450, one match point is 100. Margins are plain points.
"""

from typing import Final, Literal

from msgspec import Struct

Kind = Literal["played", "adjusted", "full_bye", "half_bye", "zero_bye", "forfeit_win", "forfeit_loss"]
"""How a round went. `adjusted`: played, the score set by a ruling. `full_bye`: also the bye given for an odd number."""

Outcome = Literal["win", "draw", "loss"]
Pairing = Literal["swiss", "round_robin"]

PLAYED: Final[frozenset[Kind]] = frozenset({"played", "adjusted"})
FORFEITS: Final[frozenset[Kind]] = frozenset({"forfeit_win", "forfeit_loss"})


class Line(Struct, frozen=True, kw_only=True, gc=False):
    """One entrant's round. A round without a line counts as a `zero_bye` of no score.

    `opponents` is empty in a bye, one entrant in a match, and two or more at a table of individuals, where their mean
    counts in tie-breaks. `margin` is own points less theirs. Without an `outcome`, a played round above the draw's
    score is a win and one below it a loss, and an unplayed round is a win only at the win's score.
    """

    round: int
    kind: Kind
    score: int
    opponents: tuple[str, ...] = ()
    opponent_score: int = 0
    margin: int = 0
    outcome: Outcome | None = None


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """An entrant with its lines.

    `penalty` is taken from the total, but not from what the entrant is worth to its opponents. `seed` orders those
    whom nothing parts, the lower first. Entrants of different pools are not compared: a lower pool stands before.
    """

    entrant: str
    seed: int
    lines: tuple[Line, ...]
    penalty: int = 0
    rating: int | None = None
    pool: int = 0


class Scale(Struct, frozen=True, kw_only=True):
    """What a win, a draw and a loss are worth, and how many decimals a score is shown with at least."""

    win: int
    draw: int
    loss: int = 0
    decimals: int = 1


VP_SCALE: Final = Scale(win=2000, draw=1000, decimals=2)
MATCH_POINTS: Final = Scale(win=200, draw=100)
CHESS_POINTS: Final = Scale(win=100, draw=50)


def outcome_of(line: Line, scale: Scale) -> Outcome | None:
    """Won, drawn or lost; None for a round without opponents that was worth less than a win."""
    if line.outcome is not None:
        return line.outcome
    if line.kind not in PLAYED:
        if line.score >= scale.win:
            return "win"
        return "loss" if line.kind == "forfeit_loss" else None
    if line.score == scale.draw:
        return "draw"
    return "win" if line.score > scale.draw else "loss"
