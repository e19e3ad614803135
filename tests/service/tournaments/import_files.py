"""Tournaments as their files, and what a file comes to."""

from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

import msgspec

from domain.tournaments.announcing import announce
from domain.tournaments.entering import consent
from domain.tournaments.event import Text
from domain.tournaments.fold import begin
from domain.tournaments.formats import Format, Swiss
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Stage
from service.tournaments.exporting import TournamentOut, exported, to_json
from service.tournaments.import_steps import steps_of
from service.tournaments.importing import Group, imported_terms, rehearsed
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import NOON, QUICK, draw, terms_of

HERE = "t" + "2" * 32


def file_of(state: Tournament) -> TournamentOut:
    """A tournament's file, written and read."""
    names = {each: f"Entrant {each}" for each in state.entrants}
    return msgspec.json.decode(to_json(exported(state, "The cup", names, {})), type=TournamentOut)


def imported(file: TournamentOut) -> tuple[list[Group], Tournament]:
    """What a file comes to, with another master than its own."""
    terms = imported_terms(file.terms)
    created = announce(terms, Text("x", "0" * 64), "0" * 64, "test", "p1", NOON, available_timezones())
    players = {each.id: tuple(f"p-{each.id}-{place}" for place in range(len(each.members))) for each in file.entrants}
    return rehearsed(
        begin(HERE, created), [*steps_of(file, players, {})], file, NOON, lambda each: draw(f"other/{each}")
    )


def check_same(state: Tournament, found: Tournament) -> None:
    """Standings, scores of matches and who is in."""
    for stage in state.stages:
        assert standings(found, stage.number).rows == standings(state, stage.number).rows
    assert [*found.entrants] == [*state.entrants]
    assert {each.id: each.status for each in found.entrants.values()} == {
        each.id: each.status for each in state.entrants.values()
    }
    assert {each.id: each.outcome and each.outcome.score for each in found.matches.values()} == {
        each.id: each.outcome and each.outcome.score for each in state.matches.values()
    }


def stage(form: Format, **changes: Any) -> Stage:
    return Stage(format=form, match=changes.pop("match", QUICK), **changes)


def directed(act: Callable[[Event], object], rounds: int = 3, **terms: Any) -> Event:
    """A Swiss with something in it that a director did, in the middle."""
    event = Event(terms_of(Swiss(rounds=rounds + 1), pace=BY_HAND, **terms), 9)
    event.begin()
    for number in range(1, rounds + 1):
        event.whole_round()
        if number == 2:
            act(event)
    return event


def late(event: Event) -> None:
    """Somebody enters late, and agrees."""
    event.act("enter", players=["pa", "pb"])
    entrant = [*event.state.entrants][-1]
    for player in event.state.entrants[entrant].players:
        event.take(consent(event.state, entrant, player, event.now))
