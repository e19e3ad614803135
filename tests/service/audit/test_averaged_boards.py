"""The audit of a tournament in which single boards of a match are averages."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.tournaments.events import AnyTournamentEvent, TournamentCreated
from domain.tournaments.fold import begin, fold
from domain.tournaments.formats import RoundRobin
from domain.tournaments.matches import ImpMatch
from domain.tournaments.round_events import MatchDecided, RulingIssued, StandingsPublished
from domain.tournaments.terms import Boards, Stage
from service.audit.tournament_rows import decision_fault, standings_fault
from tests.domain.tournaments.directors import BY_HAND, event, rule
from tests.domain.tournaments.scenarios import QUICK, TOURNAMENT, terms_of


def faults(happened: Sequence[AnyTournamentEvent]) -> list[str]:
    """What is wrong with the decisions and standings of a stream."""
    created, *later = happened
    assert isinstance(created, TournamentCreated)
    state = begin(TOURNAMENT, created)
    found = []
    for each in later:
        if isinstance(each, StandingsPublished):
            found.append(standings_fault(state, each))
        elif isinstance(each, MatchDecided):
            found.append(decision_fault(state, each))
        state = fold(state, [each])
    return [each for each in found if each is not None]


def test_decisions_and_standings_follow_and_another_score_of_the_ruling_is_found() -> None:
    terms = terms_of(
        Stage(format=RoundRobin(), match=QUICK, score=ImpMatch()), entrants="teams", boards=Boards(), pace=BY_HAND
    )
    tournament = event(terms, 4)
    tournament.begin()
    tournament.whole_round()
    board = tournament.state.matches["r1m1"].paired.boards[0]
    rule(tournament, "r1m1", {"kind": "average", "average": ["plus", "plus"], "boards": [board]})
    assert isinstance(tournament.happened[-1], StandingsPublished)
    assert faults(tournament.happened) == []
    otherwise = [
        replace(each, score=(1200, 800)) if isinstance(each, RulingIssued) else each for each in tournament.happened
    ]
    assert len(faults(otherwise)) == 1
