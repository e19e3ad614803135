"""A match as its entrants' rounds: one line each, ready to be ranked (FIDE C.07 for what was not played)."""

from collections.abc import Sequence
from typing import Final, Literal

from domain.standings.lines import Kind, Line, Outcome
from domain.standings.rounding import half_away, half_up
from domain.tournaments.history import UNPLAYED, is_winner_unplayed
from domain.tournaments.matches import Butler, CrossImps, RawPoints
from domain.tournaments.outcomes import TOO_FEW_HANDS
from domain.tournaments.state import Match
from domain.tournaments.terms import Stage

MatchKind = Literal["played", "adjusted", "forfeit", "void"]

UNBOUNDED: Final = (RawPoints, CrossImps, Butler)
"""Scores that nothing bounds: no number of points is a win there, so an unplayed round says itself what it is."""


def add_lines(into: dict[str, Line], stage: Stage, match: Match, number: int, scores: Sequence[int]) -> None:
    """The lines of everybody in a match that counts, as round `number`, by entrant; `scores` by side, in hundredths.

    A void match is a round in which nobody was to play. Who has more than every other side has won; where the whole
    match is an average nobody has: it is no win to have been kept from playing, as little as a bye is.
    """
    kind = match_kind(match)
    if kind == "void":
        line = Line(round=number, kind="full_bye", score=0, outcome="draw")
        into |= {entrant: line for side in match.paired.sides for entrant in side}
    elif kind == "forfeit":
        _add_forfeited(into, stage, match, number, scores)
    else:
        outcome = match.decided if match.ruling is None else match.outcome
        assert outcome is not None, "Only a match that is over counts."
        sides = match.paired.sides
        if is_average(match):
            _add_table(into, number, kind, sides, scores, outcome.points, drawn=True)
        elif len(sides) == 2 and len(sides[0]) == len(sides[1]) == 1:
            margin = outcome.points[0] - outcome.points[1]
            _add_two(into, number, kind, sides[0][0], sides[1][0], scores[0], scores[1], margin)
        else:
            _add_table(into, number, kind, sides, scores, outcome.points)


def match_kind(match: Match) -> MatchKind:
    """How a match that is over counts."""
    adjustment = None if match.ruling is None else match.ruling.adjustment
    if adjustment is not None:
        if adjustment.kind == "forfeit" or adjustment.kind == "void":
            return adjustment.kind
        return "adjusted"
    how = None if match.decided is None else match.decided.how
    if how in UNPLAYED:
        return "forfeit"
    return "adjusted" if how == TOO_FEW_HANDS else "played"


def is_average(match: Match) -> bool:
    """Whether a whole match is ruled to be an average, not single boards of it."""
    adjustment = None if match.ruling is None else match.ruling.adjustment
    return adjustment is not None and adjustment.kind == "average" and not adjustment.boards


def _add_two(
    into: dict[str, Line], number: int, kind: Kind, one: str, other: str, own: int, theirs: int, margin: int
) -> None:
    """A match of two entrants, which nearly all are: there are thousands of them in a large event."""
    first: Outcome
    second: Outcome
    if own == theirs:
        first = second = "draw"
    else:
        first, second = ("win", "loss") if own > theirs else ("loss", "win")
    into[one] = Line(
        round=number,
        kind=kind,
        score=own,
        opponents=(other,),
        opponent_score=theirs,
        margin=margin,
        outcome=first,
    )
    into[other] = Line(
        round=number,
        kind=kind,
        score=theirs,
        opponents=(one,),
        opponent_score=own,
        margin=-margin,
        outcome=second,
    )


def _add_table(
    into: dict[str, Line],
    number: int,
    kind: Kind,
    sides: Sequence[tuple[str, ...]],
    scores: Sequence[int],
    points: Sequence[int],
    *,
    drawn: bool = False,
) -> None:
    best = max(scores)
    shared = sum(score == best for score in scores) > 1
    others = len(sides) - 1
    for place, side in enumerate(sides):
        won: Outcome = "draw" if drawn else "loss" if scores[place] < best else "draw" if shared else "win"
        line = Line(
            round=number,
            kind=kind,
            score=scores[place],
            opponents=tuple(entrant for each in sides if each is not side for entrant in each),
            opponent_score=half_up(sum(scores) - scores[place], others),
            margin=points[place] - half_away(sum(points) - points[place], others),
            outcome=won,
        )
        into |= dict.fromkeys(side, line)


def _add_forfeited(into: dict[str, Line], stage: Stage, match: Match, number: int, scores: Sequence[int]) -> None:
    sides = match.paired.sides
    for place, side in enumerate(sides):
        came = is_winner_unplayed(match, place)
        outcome: Outcome | None = None
        if isinstance(stage.score, UNBOUNDED):
            outcome = "win" if came else "loss"
        line = Line(
            round=number,
            kind="forfeit_win" if came else "forfeit_loss",
            score=scores[place],
            opponents=tuple(entrant for each in sides if each is not side for entrant in each),
            opponent_score=half_up(sum(scores) - scores[place], len(sides) - 1),
            outcome=outcome,
        )
        into |= dict.fromkeys(side, line)
