"""Lots that were out when registration opened again: nobody enters knowing those that count."""

from domain.standings.lots import lot_order
from domain.tournaments.events import LotsDrawn, RegistrationOpened
from domain.tournaments.fold import replayed
from domain.tournaments.formats import Swiss
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import lot_seed
from tests.domain.tournaments.directors import BY_HAND, Event, event
from tests.domain.tournaments.scenarios import QUICK, TOURNAMENT, draw, terms_of


def closed(entrants: int = 6) -> Event:
    """Registration is closed and the lots are drawn; the first round goes by them."""
    stage = Stage(format=Swiss(rounds=2, first_round="drawn"), match=QUICK, tie_breaks=())
    tournament = event(terms_of(stage, pace=BY_HAND), entrants)
    tournament.act("open_registration")
    tournament.act("close_registration")
    tournament.step()
    return tournament


def reopened() -> Event:
    """The same, opened again for one more and closed again."""
    tournament = closed()
    tournament.act("open_registration")
    tournament.enter()
    tournament.act("close_registration")
    tournament.step()
    return tournament


def test_lots_that_newcomers_could_know_are_drawn_anew() -> None:
    tournament = closed()
    assert [*tournament.state.lots] == ["lots"]
    tournament.act("open_registration")
    tournament.enter()
    tournament.act("close_registration")
    assert [(type(each), getattr(each, "purpose", None)) for each in tournament.step()] == [(LotsDrawn, "lots/2")]
    assert tournament.step() == []
    assert [*tournament.state.lots] == ["lots", "lots/2"]


def test_they_are_drawn_anew_as_often_as_registration_opens() -> None:
    tournament = reopened()
    tournament.act("open_registration")
    tournament.act("start")
    assert [*tournament.state.lots] == ["lots", "lots/2", "lots/3"]


def test_registration_that_opens_before_lots_are_out_has_the_first_ones() -> None:
    stage = Stage(format=Swiss(rounds=2), match=QUICK)
    tournament = event(terms_of(stage, pace=BY_HAND), 6)
    for act in ("open_registration", "close_registration", "open_registration", "start"):
        tournament.act(act)
    assert [*tournament.state.lots] == ["lots"]


def test_rounds_and_standings_go_by_the_lots_drawn_last() -> None:
    tournament = reopened()
    tournament.begin()
    tournament.act("pair")
    seed = bytes.fromhex(draw("lots/2"))
    assert lot_seed(tournament.state) == seed
    order = lot_order(seed, [*tournament.state.entrants])
    assert {frozenset(pair) for pair in tournament.sides(1)} == {
        frozenset((order[place], order[place + 3])) for place in range(3)
    }


def test_seeds_drawn_are_others_once_newcomers_could_know_their_lots() -> None:
    tournament = closed()
    tournament.act("seed", by="drawn")
    tournament.act("seed", by="drawn")
    assert [*tournament.state.lots] == ["lots", "seeds"], "Drawn twice they are the same."
    tournament.act("open_registration")
    tournament.enter()
    tournament.act("close_registration")
    tournament.act("seed", by="drawn")
    tournament.act("seed", by="drawn")
    assert [*tournament.state.lots] == ["lots", "seeds", "seeds/2"]
    assert tournament.state.seeding == lot_order(bytes.fromhex(draw("seeds/2")), [*tournament.state.entrants])


def test_a_tournament_that_was_begun_with_lots_out_before_keeps_them() -> None:
    tournament = closed()
    tournament.add(RegistrationOpened())
    tournament.act("start")
    old = [each for each in tournament.happened if getattr(each, "purpose", None) != "lots/2"]
    assert lot_seed(replayed(TOURNAMENT, old)) == bytes.fromhex(draw("lots"))
