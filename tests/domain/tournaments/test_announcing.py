"""A tournament is announced with terms that can be played, and every fault is told."""

import inspect
import re
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from domain.tournaments import plans
from domain.tournaments.announcing import KEYS, announce, change_terms, faults, retitle
from domain.tournaments.clocks import text
from domain.tournaments.event import Text
from domain.tournaments.fold import begin
from domain.tournaments.formats import Elimination, Format, Ladder, RoundRobin, Swiss
from domain.tournaments.matches import MatchTerms
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.terms import Boards, Carry, Condition, Pace, Registration, Stage, Terms
from tests.domain.tournaments.directors import DIRECTOR, NOTE, event, swiss
from tests.domain.tournaments.scenarios import NOON, QUICK, TOURNAMENT, terms_of

ZONES = frozenset({"UTC", "Europe/Berlin"})


def hours(number: float) -> str:
    return text(NOON + timedelta(hours=number))


def fields(terms: Terms) -> set[str]:
    return {each.field for each in faults(terms, NOON, ZONES)}


def with_match(**match: Any) -> Terms:
    return terms_of(Stage(format=Swiss(rounds=3), match=MatchTerms(**match)))


def going_on(form: Format, carry: Carry) -> Terms:
    """The best four of a Swiss go on."""
    return terms_of(Swiss(rounds=3), Stage(format=form, match=QUICK, qualifiers=4, carry=carry))


def test_an_announcement_holds_everything_that_was_settled() -> None:
    created = announce(swiss(), NOTE, "0" * 64, "9.9", DIRECTOR, NOON, ZONES)
    assert (created.n, created.by, created.at) == (1, DIRECTOR, text(NOON))
    assert begin(TOURNAMENT, created).status == "announced"


def test_every_fault_of_a_plan_that_needs_no_entrants_is_told_with_its_key() -> None:
    written = "".join(inspect.getsource(each) for each in (plans._whole, plans._stage, plans._boards))
    codes = {*re.findall(r'yield "(\w+)"', written), *re.findall(r'PlanFault\("(\w+)", 0', written)}
    assert codes == set(KEYS)


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (swiss(time_zone="Europe/Atlantis"), "time_zone"),
        (swiss(time_zone="../../etc/passwd"), "time_zone"),
        (replace(swiss(), ruleset_hash="0" * 64), "ruleset_hash"),
        (swiss(registration=Registration(closes_at="tomorrow")), "registration.closes_at"),
        (swiss(registration=Registration(closes_at="2026-13-01T00:00:00Z")), "registration.closes_at"),
        (swiss(registration=Registration(closes_at="2026-05-02T00:00:00+02:00")), "registration.closes_at"),
        (swiss(registration=Registration(closes_at=hours(-1))), "registration.closes_at"),
        (swiss(registration=Registration(opens_at=hours(2), closes_at=hours(1))), "registration.closes_at"),
        (swiss(registration=Registration(closes_at=hours(2)), pace=Pace(starts_at=hours(1))), "pace.starts_at"),
        (swiss(pace=Pace(starts_at=hours(0))), "pace.starts_at"),
        (swiss(pace=Pace(starts_at=hours(2), round_times=(hours(4), hours(3)))), "pace.round_times[1]"),
        (swiss(pace=Pace(round_times=(hours(4),))), "pace.starts_at"),
        (with_match(minutes=10, last_hand_minutes=10), "stages[0].match.last_hand_minutes"),
        (terms_of(Stage(format=Swiss(rounds=3), match=QUICK, tie_breaks=("wins", "wins"))), "stages[0].tie_breaks"),
        (terms_of(Ladder(days=3), boards=Boards()), "stages[0].format"),
        (terms_of(RoundRobin(), registration=Registration(late_rounds=1)), "stages[0].format"),
        (going_on(Elimination(), Carry(what="score", percent=50)), "stages[1].carry"),
        (going_on(Elimination(), Carry(what="head_to_head")), "stages[1].carry"),
        (going_on(Ladder(days=3), Carry(what="score")), "stages[1].carry"),
        (terms_of(Swiss(rounds=3, method="fide_dutch", first_round="drawn")), "stages[0].format.first_round"),
        (terms_of(Swiss(rounds=3, method="fide_team", first_round="drawn")), "stages[0].format.first_round"),
        (terms_of(Elimination(double=True, third_place=True)), "stages[0].format.third_place"),
    ],
)
def test_terms_that_cannot_be_played_are_refused(terms: Terms, field: str) -> None:
    assert field in fields(terms)
    with pytest.raises(TournamentRefused) as refusal:
        announce(terms, NOTE, "0" * 64, "9.9", DIRECTOR, NOON, ZONES)
    assert refusal.value.code is TournamentCode.TERMS_INVALID


@pytest.mark.parametrize(
    ("condition", "field"),
    [
        (Condition(kind="rating_at_least"), "value"),
        (Condition(kind="listed"), "players"),
        (Condition(kind="listed", players=("p1",), value=3), "value"),
        (Condition(kind="account_days_at_least", value=3, players=("p1",)), "players"),
    ],
)
def test_a_condition_has_what_its_kind_needs(condition: Condition, field: str) -> None:
    assert fields(swiss(registration=Registration(conditions=(condition,)))) == {f"registration.conditions[0].{field}"}


def test_where_only_persons_play_no_bot_stands_in() -> None:
    persons = Registration(conditions=(Condition(kind="persons_only"),))
    assert fields(swiss(registration=persons, stand_in_level="greedy")) == {"stand_in_level"}


def test_every_fault_is_told_at_once() -> None:
    terms = swiss(
        time_zone="Mars/Olympus",
        pace=Pace(starts_at=hours(-2)),
        registration=Registration(conditions=(Condition(kind="listed"),)),
    )
    assert fields(terms) == {"time_zone", "pace.starts_at", "registration.conditions[0].players"}


def test_good_terms_have_no_fault() -> None:
    terms = swiss(
        time_zone="Europe/Berlin",
        registration=Registration(opens_at=hours(-1), closes_at=hours(1), check_in_minutes=20),
        pace=Pace(starts_at=hours(2), round_times=(hours(3), hours(4))),
    )
    assert fields(terms) == set()


def test_a_drawn_first_round_and_a_third_place_are_no_fault_where_they_come_about() -> None:
    assert fields(terms_of(Swiss(rounds=3, first_round="drawn"), Elimination(third_place=True))) == set()
    assert fields(terms_of(Swiss(rounds=3, method="fide_dutch"), Elimination(double=True))) == set()


def test_what_is_carried_is_no_fault_where_scores_rank_nor_is_nothing_into_a_bracket() -> None:
    assert fields(going_on(RoundRobin(), Carry(what="head_to_head"))) == set()
    assert fields(going_on(Elimination(), Carry())) == set()


def test_terms_change_before_the_start_and_new_places_go_to_who_waits() -> None:
    tournament = event(swiss(registration=Registration(capacity=2)), 2)
    tournament.act("enter", players=["p1", "p2"])
    terms = replace(tournament.state.terms, registration=Registration(capacity=3))
    tournament.take(change_terms(tournament.state, terms, DIRECTOR, NOON, ZONES))
    assert tournament.state.terms.registration.capacity == 3
    assert tournament.state.entrants["e3"].status == "entered"
    with pytest.raises(TournamentRefused) as refusal:
        change_terms(tournament.state, terms, DIRECTOR, NOON, ZONES)
    assert refusal.value.code is TournamentCode.NOTHING_TO_CHANGE


def test_who_an_entrant_is_does_not_change_once_there_are_some() -> None:
    tournament = event(swiss(), 2)
    with pytest.raises(TournamentRefused) as refusal:
        change_terms(tournament.state, swiss(entrants="teams"), DIRECTOR, NOON, ZONES)
    assert [each.field for each in refusal.value.params["faults"]] == ["entrants"]


def test_after_the_start_terms_stay_and_the_title_may_change() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    with pytest.raises(TournamentRefused) as refusal:
        change_terms(tournament.state, swiss(rounds=4), DIRECTOR, NOON, ZONES)
    assert refusal.value.code is TournamentCode.WRONG_STATUS
    tournament.take(retitle(tournament.state, Text("t2", "2" * 64), DIRECTOR, NOON))
    assert tournament.state.title.id == "t2"
    with pytest.raises(TournamentRefused):
        retitle(tournament.state, Text("t2", "2" * 64), DIRECTOR, NOON)


def test_a_relaxation_is_told_once() -> None:
    twice = terms_of(Swiss(rounds=2, relaxations=("any_rematch", "avoided", "any_rematch")))
    told = faults(twice, NOON, {"UTC"})
    assert [(each.field, each.needed) for each in told] == [("stages[0].format.relaxations", "each of them once")]
