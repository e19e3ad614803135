"""What ratings take from a match: the places of its sides, where it was played and decided at the table."""

from typing import Final

from domain.tournaments.history import UNPLAYED
from domain.tournaments.outcomes import TOO_FEW_HANDS
from domain.tournaments.state import Match

UNRATED: Final = UNPLAYED | {TOO_FEW_HANDS}
"""How a match came to its result without having been played, or far enough to tell anything."""


def ranks_of(match: Match) -> tuple[int, ...] | None:
    """The places of the sides, 1 the best, level ones equal; None where the match is open or has none of its own.

    The score places them, which decides the match; where boards are compared with other tables, and the match has none
    of its own, its points do. It counts where a hand was played here, or a game given up. A ruling counts with its
    points or its score; averages and void matches do not, nor does what was played elsewhere. A ruled forfeit has no
    places by the play: the ratings put the side that loses by it last, where somebody of that side had discarded.
    """
    outcome = match.outcome
    if outcome is None or outcome.how in UNRATED:
        return None
    if not any(each.game is not None and (each.hands or each.loser is not None) for each in match.results):
        return None
    adjustment = match.ruling.adjustment if match.ruling is not None else None
    if adjustment is not None and adjustment.kind not in ("points", "score"):
        return None
    standing = outcome.points if outcome.score is None else outcome.score
    return tuple(1 + sum(other > own for other in standing) for own in standing)
