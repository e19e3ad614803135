"""Nobody is seated who has not agreed to it, in a bracket as little as elsewhere."""

from msgspec.structs import replace

from domain.tournaments import entering
from domain.tournaments.given import Given, Person
from domain.tournaments.process import obstacle, step
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Pace
from tests.domain.tournaments.directors import Event, event, knockout
from tests.domain.tournaments.scenarios import draw

ASKED = Given(persons={"pnew": Person()})


def before_the_final() -> Event:
    """The final is paired; one of its players has left for somebody who was not asked yet."""
    tournament = event(knockout(), 4)
    tournament.begin()
    tournament.whole_round()
    tournament.act("substitute", entrant="e1", outgoing="p1x0", incoming="pnew", given=ASKED)
    tournament.act("pair")
    return tournament


def test_a_match_of_a_bracket_waits_until_everybody_has_agreed() -> None:
    tournament = before_the_final()
    told = tournament.refused("start_round", TournamentCode.CONSENT_MISSING, round=2)
    assert told["entrants"] == ["e1"]
    tournament.take(entering.consent(tournament.state, "e1", "pnew", tournament.now))
    tournament.act("start_round", round=2)
    assert "pnew" in tournament.game("r2m1").players


def test_a_match_that_is_forfeited_waits_for_nobody() -> None:
    tournament = before_the_final()
    tournament.act("forfeit", match="r2m1", entrants=["e1"], reason="absence")
    tournament.act("start_round", round=2)
    assert not tournament.play_list()


def test_an_automatic_bracket_says_whom_it_waits_for() -> None:
    tournament = before_the_final()
    terms = tournament.state.terms
    tournament.state.terms = replace(terms, pace=Pace())
    later = tournament.now.replace(hour=23)
    assert step(tournament.state, later, draw) == []
    refusal = obstacle(tournament.state, later)
    assert refusal is not None
    assert refusal.code is TournamentCode.CONSENT_MISSING
