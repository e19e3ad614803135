"""Entrants' own acts: entering, agreeing, checking in, leaving, coming back, byes."""

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from domain.tournaments import byes, entering
from domain.tournaments.clocks import text
from domain.tournaments.conditions import may_enter
from domain.tournaments.entering import Entry
from domain.tournaments.formats import Individual, RoundRobin, Swiss
from domain.tournaments.given import Person
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.terms import Condition, Pace, Registration, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, ask, event, swiss
from tests.domain.tournaments.scenarios import NOON, QUICK, terms_of


def open_event(entrants: int = 0, **registration: Any) -> Event:
    tournament = event(swiss(registration=Registration(**registration)))
    tournament.act("open_registration")
    for number in range(entrants):
        tournament.sign_up(f"pa{number}", f"pb{number}")
    return tournament


def refused(code: TournamentCode) -> Any:
    class Refused:
        params: dict[str, Any]

        def __enter__(self) -> "Refused":
            self.raises = pytest.raises(TournamentRefused)
            self.info = self.raises.__enter__()
            return self

        def __exit__(self, *error: Any) -> bool:
            caught = bool(self.raises.__exit__(*error))
            assert self.info.value.code is code, self.info.value
            self.params = self.info.value.params
            return caught

    return Refused()


def test_a_pair_entered_by_one_plays_when_the_other_agrees() -> None:
    tournament = open_event()
    entrant = tournament.sign_up("p1", "p2")
    assert not tournament.state.entrants[entrant].agreed
    tournament.take(entering.consent(tournament.state, entrant, "p2", NOON))
    assert tournament.state.entrants[entrant].agreed


def test_whoever_has_agreed_does_not_agree_again() -> None:
    tournament = open_event()
    entrant = tournament.sign_up("p1", "p2")
    with refused(TournamentCode.NOTHING_TO_CHANGE):
        entering.consent(tournament.state, entrant, "p1", NOON)


def test_only_a_member_enters_agrees_checks_in_and_withdraws() -> None:
    tournament = open_event()
    with refused(TournamentCode.NOT_YOUR_ENTRANT):
        entering.enter(tournament.state, Entry(players=("p1", "p2")), "p9", NOON, {})
    entrant = tournament.sign_up("p1", "p2")
    for own in (entering.consent, entering.check_in, entering.withdraw, entering.come_back):
        with refused(TournamentCode.NOT_YOUR_ENTRANT):
            own(tournament.state, entrant, "p9", NOON)
        with refused(TournamentCode.ENTRANT_UNKNOWN):
            own(tournament.state, "e99", "p1", NOON)


def test_nobody_is_in_two_entrants() -> None:
    tournament = open_event(entrants=1)
    with refused(TournamentCode.PLAYER_ENTERED) as refusal:
        tournament.sign_up("p7", "pb0")
    assert refusal.params == {"player": "pb0", "entrant": "e1"}


def test_who_withdrew_before_playing_may_enter_with_somebody_else_and_then_not_come_back() -> None:
    tournament = open_event(entrants=1)
    tournament.take(entering.withdraw(tournament.state, "e1", "pb0", NOON))
    tournament.sign_up("pa0", "p7")
    with refused(TournamentCode.PLAYER_ENTERED):
        entering.come_back(tournament.state, "e1", "pb0", NOON)


@pytest.mark.parametrize("players", [("p1",), ("p1", "p2", "p3"), ("p1", "p1"), ()])
def test_a_pair_is_two_different_players(players: tuple[str, ...]) -> None:
    tournament = open_event()
    with refused(TournamentCode.LINEUP_INVALID):
        entering.enter(tournament.state, Entry(players=players), "p1", NOON, {})


def test_an_individual_enters_alone_and_has_agreed_by_that() -> None:
    terms = terms_of(Individual(movement="swiss", rounds=2), entrants="individuals", pace=BY_HAND)
    tournament = event(terms)
    tournament.act("open_registration")
    entrant = tournament.sign_up("p1")
    assert tournament.state.entrants[entrant].agreed
    with refused(TournamentCode.LINEUP_INVALID):
        tournament.sign_up("p2", "p3")


def test_a_team_may_have_players_in_reserve_up_to_twelve() -> None:
    tournament = event(swiss(entrants="teams"))
    tournament.act("open_registration")
    tournament.sign_up("p1", "p2", "p3", "p4", "p5", "p6")
    with refused(TournamentCode.LINEUP_INVALID) as refusal:
        tournament.sign_up("p7", "p8", "p9")
    assert (refusal.params["least"], refusal.params["most"]) == (4, 12)


def test_a_bot_is_shown_as_one_and_needs_the_terms_to_declare_it() -> None:
    plain = open_event()
    with refused(TournamentCode.BOT_NOT_PERMITTED):
        plain.sign_up("p1", "pbot", bots=(None, "greedy"))
    declared = event(swiss(stand_in_level="greedy"))
    declared.act("open_registration")
    entrant = declared.sign_up("p1", "pbot", bots=(None, "greedy"))
    assert declared.state.entrants[entrant].bots == (None, "greedy")
    assert declared.state.entrants[entrant].agreed, "A bot is not asked."
    with refused(TournamentCode.BOT_NOT_PERMITTED) as refusal:
        declared.sign_up("p3", "pbot2", bots=(None, "careful"))
    assert refusal.params["permitted"] == "greedy"


def test_conditions_are_for_persons_and_a_bot_is_free_of_them() -> None:
    conditions = (Condition(kind="rated_games_at_least", value=5),)
    tournament = event(swiss(stand_in_level="greedy", registration=Registration(conditions=conditions)))
    tournament.act("open_registration")
    tournament.sign_up("p1", "pbot", bots=(None, "greedy"), persons={"p1": Person(rated_games=5)})
    assert [each.status for each in tournament.state.entrants.values()] == ["entered"]
    with refused(TournamentCode.CONDITIONS_NOT_MET) as refusal:
        tournament.sign_up("p2", "pbot2", bots=(None, "greedy"), persons={"p2": Person(rated_games=4)})
    assert {each.player: each.ok for each in refusal.params["verdicts"]} == {"p2": False, "pbot2": True}


def test_where_only_persons_play_no_bot_does() -> None:
    terms = swiss(stand_in_level="greedy", registration=Registration(conditions=(Condition(kind="persons_only"),)))
    tournament = event(terms)
    tournament.act("open_registration")
    with refused(TournamentCode.BOT_NOT_PERMITTED):
        tournament.sign_up("p1", "pbot", bots=(None, "greedy"))


def test_an_entry_code_is_asked_for_and_compared_by_its_hash() -> None:
    tournament = open_event(code_hash=sha256(b"samba").hexdigest())
    with refused(TournamentCode.ENTRY_CODE_WRONG):
        tournament.sign_up("p1", "p2")
    with refused(TournamentCode.ENTRY_CODE_WRONG):
        tournament.sign_up("p1", "p2", code="Samba")
    tournament.sign_up("p1", "p2", code="samba")


def test_every_member_meets_every_condition_or_is_told_each_verdict() -> None:
    tournament = open_event(
        conditions=(
            Condition(kind="rating_at_least", value=10),
            Condition(kind="rating_at_most", value=20),
            Condition(kind="rated_games_at_least", value=5),
            Condition(kind="account_days_at_least", value=30),
        )
    )
    good = Person(rating=1500, rated_games=9, account_days=99)
    with refused(TournamentCode.CONDITIONS_NOT_MET) as refusal:
        tournament.sign_up("p1", "p2", persons={"p1": good, "p2": Person(rating=999, rated_games=5, account_days=2)})
    unmet = [(each.player, each.condition) for each in refusal.params["verdicts"] if not each.ok]
    assert unmet == [("p2", "rating_at_least"), ("p2", "account_days_at_least")]
    assert len(refusal.params["verdicts"]) == 8
    tournament.sign_up("p1", "p2", persons={"p1": good, "p2": Person(rating=1000, rated_games=5, account_days=30)})


def test_who_has_no_rating_is_not_above_a_limit_and_not_as_high_as_one() -> None:
    tournament = open_event(conditions=(Condition(kind="rating_at_most", value=20),))
    assert tournament.sign_up("p1", "p2", persons={"p1": Person(), "p2": Person(rating=2000)}) == "e1"
    with refused(TournamentCode.CONDITIONS_NOT_MET):
        tournament.sign_up("p3", "p4", persons={"p3": Person(), "p4": Person(rating=2001)})
    lower = open_event(conditions=(Condition(kind="rating_at_least", value=1),))
    with refused(TournamentCode.CONDITIONS_NOT_MET):
        lower.sign_up("p1", "p2", persons={"p1": Person(), "p2": Person(rating=2000)})


def test_only_those_on_a_list_may_enter() -> None:
    tournament = open_event(conditions=(Condition(kind="listed", players=("p1", "p2")),))
    with refused(TournamentCode.CONDITIONS_NOT_MET):
        tournament.sign_up("p1", "p3")
    tournament.sign_up("p1", "p2")


def test_verdicts_tell_before_entering_what_stands_in_the_way() -> None:
    tournament = open_event(
        code_hash=sha256(b"x").hexdigest(), conditions=(Condition(kind="rated_games_at_least", value=5),)
    )
    told = {each.condition: each.ok for each in may_enter(tournament.state, "p1", Person(rated_games=4), "x", NOON)}
    assert told == {
        "registration": True,
        "capacity": True,
        "one_entrant": True,
        "code": True,
        "rated_games_at_least": False,
    }


def test_registration_is_taken_only_in_its_window() -> None:
    closes_at = text(NOON + timedelta(hours=1))
    tournament = event(swiss(registration=Registration(closes_at=closes_at)))
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p1", "p2")
    tournament.act("open_registration")
    tournament.sign_up("p1", "p2")
    tournament.now += timedelta(hours=1)
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p3", "p4")


def test_registration_opened_again_after_its_time_has_none_any_more() -> None:
    tournament = open_event(closes_at=text(NOON + timedelta(hours=1)))
    tournament.act("close_registration")
    tournament.now += timedelta(hours=2)
    assert tournament.act("open_registration").terms_changed
    tournament.sign_up("p1", "p2")
    assert tournament.step() == [], "It does not close at once."


def test_beyond_the_capacity_one_waits_and_is_admitted_in_order() -> None:
    tournament = open_event(entrants=4, capacity=2)
    statuses = [each.status for each in tournament.state.entrants.values()]
    assert statuses == ["entered", "entered", "waiting", "waiting"]
    happened = entering.withdraw(tournament.state, "e1", "pa0", NOON)
    tournament.take(happened)
    assert len(happened) == 2, "Leaving and moving up are one append."
    statuses = [each.status for each in tournament.state.entrants.values()]
    assert statuses == ["withdrawn", "entered", "entered", "waiting"]


def test_without_a_waiting_list_a_full_tournament_takes_nobody() -> None:
    tournament = open_event(entrants=2, capacity=2, waiting_list=False)
    with refused(TournamentCode.TOURNAMENT_FULL) as refusal:
        tournament.sign_up("p1", "p2")
    assert refusal.params["needed"] == 2


def test_who_withdrew_comes_back_only_to_a_free_place() -> None:
    tournament = open_event(entrants=3, capacity=2)
    tournament.take(entering.withdraw(tournament.state, "e1", "pa0", NOON))
    with refused(TournamentCode.TOURNAMENT_FULL):
        entering.come_back(tournament.state, "e1", "pa0", NOON)
    tournament.take(entering.withdraw(tournament.state, "e2", "pa1", NOON))
    tournament.take(entering.come_back(tournament.state, "e1", "pa0", NOON))
    with refused(TournamentCode.ENTRANT_WRONG_STATUS):
        entering.come_back(tournament.state, "e1", "pa0", NOON)


def test_checking_in_opens_some_minutes_before_the_start() -> None:
    starts_at = NOON + timedelta(hours=2)
    terms = swiss(registration=Registration(check_in_minutes=30), pace=Pace(automatic=False, starts_at=text(starts_at)))
    tournament = event(terms)
    tournament.act("open_registration")
    tournament.sign_up("p1", "p2")
    with refused(TournamentCode.CHECK_IN_NOT_OPEN) as refusal:
        entering.check_in(tournament.state, "e1", "p1", starts_at - timedelta(minutes=31))
    assert refusal.params["opens_at"] == text(starts_at - timedelta(minutes=30))
    tournament.take(entering.check_in(tournament.state, "e1", "p2", starts_at - timedelta(minutes=30)))
    assert tournament.state.entrants["e1"].checked_in
    with refused(TournamentCode.NOTHING_TO_CHANGE):
        entering.check_in(tournament.state, "e1", "p1", starts_at)


def test_nobody_checks_in_where_the_terms_do_not_ask() -> None:
    tournament = open_event(entrants=1)
    with refused(TournamentCode.CHECK_IN_NOT_OPEN):
        entering.check_in(tournament.state, "e1", "pa0", NOON)


def running(entrants: int = 6, **others: Any) -> Event:
    tournament = event(swiss(**others), entrants)
    tournament.begin()
    return tournament


def test_a_late_entrant_plays_from_the_next_round_until_late_entry_is_over() -> None:
    tournament = running(registration=Registration(late_rounds=1))
    tournament.next_round()
    late = tournament.sign_up("p1", "p2")
    assert tournament.state.entrants[late].late_round == 2
    tournament.play_all()
    tournament.act("close_round", round=1)
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p3", "p4")
    tournament.take(entering.consent(tournament.state, late, "p2", NOON))
    tournament.next_round()
    assert tournament.state.rounds[2].byes == {late: "bye"}, "It is in the round, and the lowest of seven."


def test_nobody_comes_late_when_the_last_round_is_paired() -> None:
    tournament = running(rounds=1, registration=Registration(late_rounds=5))
    tournament.act("pair")
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p1", "p2")


def test_nobody_comes_late_into_a_further_stage() -> None:
    stages = (Stage(format=Swiss(rounds=4), match=QUICK), Stage(format=Swiss(rounds=1), match=QUICK, qualifiers=4))
    tournament = event(terms_of(*stages, pace=BY_HAND, registration=Registration(late_rounds=5)), 6)
    tournament.begin()
    tournament.whole_round()
    tournament.act("advance")
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p1", "p2")


def test_a_late_entrant_without_the_partners_consent_is_not_seated() -> None:
    tournament = running(registration=Registration(late_rounds=1))
    late = tournament.sign_up("p1", "p2")
    tournament.next_round()
    assert tournament.state.rounds[1].byes[late] == "zero_bye"


def test_a_round_robin_takes_nobody_late() -> None:
    tournament = event(terms_of(RoundRobin(), pace=BY_HAND), 4)
    tournament.begin()
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p1", "p2")
    tournament.refused("enter", TournamentCode.STAGE_WRONG, players=["p1", "p2"])


def test_nobody_comes_late_where_the_terms_do_not_allow_it() -> None:
    tournament = running()
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p1", "p2")


def test_half_byes_are_asked_for_as_often_as_the_terms_allow() -> None:
    tournament = running()
    ask(tournament, "e1", 2)
    with refused(TournamentCode.BYES_USED_UP) as refusal:
        ask(tournament, "e1", 3)
    assert refusal.params["half_byes_max"] == 1
    ask(tournament, "e1", 3, bye="zero_bye")
    assert tournament.state.entrants["e1"].byes_asked == {2: "half_bye", 3: "zero_bye"}


def test_a_half_bye_taken_back_may_be_asked_for_again() -> None:
    tournament = running()
    ask(tournament, "e1", 2)
    ask(tournament, "e1", 2, bye=None)
    assert tournament.state.entrants["e1"].byes_asked == {}
    ask(tournament, "e1", 3)
    assert tournament.state.entrants["e1"].byes_asked == {3: "half_bye"}
    with refused(TournamentCode.NOT_YOUR_ENTRANT):
        ask(tournament, "e1", 3, by="p2x0", bye=None)


def test_a_full_bye_is_not_to_be_asked_for() -> None:
    tournament = running()
    with refused(TournamentCode.BYES_USED_UP):
        ask(tournament, "e1", 1, bye="bye")


@pytest.mark.parametrize("number", [0, 1, 4])
def test_a_bye_is_for_a_round_that_is_to_come(number: int) -> None:
    tournament = running()
    tournament.act("pair")
    with refused(TournamentCode.ROUND_WRONG_STATUS) as refusal:
        ask(tournament, "e1", number)
    assert (refusal.params["first"], refusal.params["last"]) == (2, 3)


def test_the_same_bye_is_not_asked_for_twice() -> None:
    tournament = running()
    ask(tournament, "e1", 2)
    with refused(TournamentCode.NOTHING_TO_CHANGE):
        ask(tournament, "e1", 2)


def test_who_asked_for_a_half_bye_is_not_paired_in_that_round() -> None:
    tournament = running()
    ask(tournament, "e1", 1)
    tournament.act("pair")
    assert tournament.state.rounds[1].byes["e1"] == "half_bye"


def test_byes_are_only_for_formats_that_are_paired_round_by_round() -> None:
    tournament = event(terms_of(RoundRobin(), pace=BY_HAND), 4)
    tournament.begin()
    with refused(TournamentCode.STAGE_WRONG):
        byes.ask_bye(tournament.state, "e1", (1,), "p1x0", NOON)


def test_after_the_end_nobody_does_anything() -> None:
    tournament = event(terms_of(Swiss(rounds=1), pace=BY_HAND), 4)
    tournament.act("cancel", reason="other")
    for own in (entering.consent, entering.check_in, entering.withdraw):
        with refused(TournamentCode.WRONG_STATUS):
            own(tournament.state, "e1", "p1x0", NOON)
    with refused(TournamentCode.REGISTRATION_CLOSED):
        tournament.sign_up("p1", "p2")
