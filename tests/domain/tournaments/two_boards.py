"""A match of two boards in tests, with averages on single boards of it."""

from typing import Any, Final

from domain.standings.boards import Share
from domain.tournaments.formats import Elimination, Format, RoundRobin
from domain.tournaments.matches import BoardAMatch, FixedHands, ImpMatch, MatchTerms, Score, Steps, VictoryPoints
from domain.tournaments.state import Decided
from domain.tournaments.terms import Boards, Stage, TieBreak
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told

BY_STEPS: Final = VictoryPoints(Steps(tuple(range(100, 1100, 100))))
BY_TEAMS: Final = (ImpMatch(), BoardAMatch())
TIES: Final[tuple[TieBreak, ...]] = ("margin", "wins")


def played(score: Score, form: Format | None = None, **others: Any) -> Told:
    """A match of two boards that its first side won by 300 on board 1 and lost by 80 on board 2.

    In teams by IMPs, at two tables, by 600 and 80 points, which are +4 and −1 IMP.
    """
    teams = score in BY_TEAMS
    form = form or RoundRobin()
    match = others.pop("match", MatchTerms(length=FixedHands(2)))
    boards = (1, 2, 3) if isinstance(form, Elimination) else (1, 2)
    stage = Stage(format=form, match=match, score=score, tie_breaks=TIES)
    told = Told(terms_of(stage, boards=Boards(), entrants="teams" if teams else "fixed"), 2)
    bracket = ["F"] if isinstance(form, Elimination) else []
    told.pair([(("e1",), ("e2",))], boards=[boards], brackets=bracket)
    if teams:
        told.end("r1m1", [(700, 0), (0, 300)], table=1, **others)
        told.end("r1m1", [(0, 100), (220, 0)], table=2)
    else:
        told.end("r1m1", [(500, 200), (0, 80)], **others)
    return told


def outcome(told: Told) -> Decided:
    found = told.state.matches["r1m1"].outcome
    assert found is not None
    return found


def ruled(told: Told, average: tuple[Share, Share], *boards: int) -> tuple[int, ...] | None:
    """The score of the match with this average on these boards, which the standings have too."""
    told.rule("r1m1", kind="average", average=average, boards=boards)
    found = outcome(told).score
    assert found == (told.row("e1").score, told.row("e2").score)
    return found
