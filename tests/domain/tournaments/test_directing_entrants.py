"""Director's acts on entrants."""

from typing import Any

import pytest

from domain.tournaments import entering, substituting
from domain.tournaments.entry_events import ByeAsked
from domain.tournaments.formats import RoundRobin
from domain.tournaments.games import wanted_games
from domain.tournaments.given import Person
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.terms import Condition, Registration
from tests.domain.tournaments.directors import BY_HAND, DIRECTOR, Event, event, swiss, under_way
from tests.domain.tournaments.scenarios import NOON, terms_of


def change(tournament: Event, entrant: str, outgoing: str, incoming: str, by: str, **others: Any) -> None:
    persons = others.pop("persons", {})
    tournament.take(
        substituting.change_lineup(tournament.state, entrant, outgoing, incoming, by, NOON, persons, **others)
    )


def test_who_is_entered_by_a_director_still_has_to_agree() -> None:
    tournament = event(swiss())
    tournament.act("enter", players=["p1", "p2"], name="Les Rois", rating=1500)
    entered = tournament.state.entrants["e1"]
    assert (entered.status, entered.agreed, entered.rating) == ("entered", False, 1500)
    assert entered.name is not None
    for player in ("p1", "p2"):
        tournament.take(entering.consent(tournament.state, "e1", player, NOON))
    assert tournament.state.entrants["e1"].agreed


def test_a_director_enters_bots_only_where_the_terms_declare_them() -> None:
    event(swiss()).refused("enter", TournamentCode.BOT_NOT_PERMITTED, players=["b1", "b2"], bots=["greedy", "greedy"])
    tournament = event(swiss(stand_in_level="greedy"))
    tournament.act("enter", players=["b1", "b2"], bots=["greedy", "greedy"])
    assert tournament.state.entrants["e1"].agreed


def test_a_director_enters_nobody_twice_and_no_half_pair() -> None:
    tournament = event(swiss(), 1)
    tournament.refused("enter", TournamentCode.PLAYER_ENTERED, players=["p1x0", "p9"])
    tournament.refused("enter", TournamentCode.LINEUP_INVALID, players=["p9"])
    tournament.refused("enter", TournamentCode.LINEUP_INVALID, players=["p8", "p9"], bots=[None])


def test_conditions_are_not_asked_of_whom_a_director_enters() -> None:
    conditions = (Condition(kind="rated_games_at_least", value=100),)
    tournament = event(swiss(registration=Registration(conditions=conditions)))
    tournament.act("enter", players=["p1", "p2"])
    assert [(each.players, each.status) for each in tournament.state.entrants.values()] == [(("p1", "p2"), "entered")]


def test_a_director_lets_in_late_whom_the_terms_would_not() -> None:
    tournament = under_way()
    tournament.act("enter", players=["p1", "p2"])
    assert tournament.state.entrants["e7"].late_round == 2
    tournament.refused("enter", TournamentCode.ROUND_WRONG_STATUS, players=["p3", "p4"], late_round=1)
    tournament.act("enter", players=["p3", "p4"], late_round=3)


def test_a_director_admits_from_the_waiting_list_out_of_turn() -> None:
    tournament = event(swiss(registration=Registration(capacity=2)))
    for number in range(4):
        tournament.act("enter", players=[f"pa{number}", f"pb{number}"])
    tournament.act("admit", entrant="e4")
    assert [each.id for each in tournament.state.active] == ["e1", "e2", "e4"]
    tournament.refused("admit", TournamentCode.ENTRANT_WRONG_STATUS, entrant="e4")
    tournament.act("withdraw", entrant="e1")
    assert "e3" not in {each.id for each in tournament.state.active}, "There is no free place yet."
    tournament.act("withdraw", entrant="e2")
    assert "e3" in {each.id for each in tournament.state.active}


def test_after_the_start_nobody_moves_up_from_the_waiting_list_unasked() -> None:
    tournament = event(swiss(rounds=2, registration=Registration(capacity=4)), 4)
    tournament.act("enter", players=["p1", "p2"])
    tournament.begin()
    tournament.act("withdraw", entrant="e1")
    assert tournament.state.entrants["e5"].status == "waiting"


def test_who_is_admitted_after_the_start_comes_late() -> None:
    tournament = event(swiss(rounds=2, registration=Registration(capacity=4)), 4)
    tournament.act("enter", players=["p1", "p2"])
    tournament.begin()
    tournament.next_round()
    tournament.act("admit", entrant="e5")
    assert tournament.state.entrants["e5"].late_round == 2


def test_a_director_checks_in_several_at_once_and_who_is_in_already_is_passed_over() -> None:
    tournament = event(swiss(), 3)
    tournament.refused("check_in", TournamentCode.ENTRANT_UNKNOWN, entrants=["e1", "e9"])
    tournament.act("check_in", entrants=["e1", "e3"])
    assert [each.checked_in for each in tournament.state.active] == [True, False, True]
    tournament.refused("check_in", TournamentCode.NOTHING_TO_CHANGE, entrants=["e1"])
    tournament.refused("check_in", TournamentCode.NOTHING_TO_CHANGE, entrants=[])
    tournament.act("withdraw", entrant="e3")
    tournament.refused("check_in", TournamentCode.ENTRANT_WRONG_STATUS, entrants=["e2", "e3"])
    tournament.act("check_in", entrants=["e1", "e2", "e2"])
    assert [each.checked_in for each in tournament.state.active] == [True, True]


def test_who_withdraws_is_not_paired_any_more_until_they_return() -> None:
    tournament = under_way()
    tournament.play_all()
    tournament.act("withdraw", entrant="e1", reason="request", note="Ill.")
    tournament.refused("withdraw", TournamentCode.ENTRANT_WRONG_STATUS, entrant="e1")
    tournament.next_round()
    assert not any("e1" in side for match in tournament.state.matches_of(2) for side in match.paired.sides)
    assert "e1" not in tournament.state.rounds[2].byes
    tournament.play_all()
    tournament.act("return", entrant="e1")
    tournament.refused("return", TournamentCode.ENTRANT_WRONG_STATUS, entrant="e1")
    tournament.act("pair")
    assert any("e1" in side for match in tournament.state.matches_of(3) for side in match.paired.sides)


def test_who_is_disqualified_forfeits_the_match_under_way_in_the_same_append() -> None:
    tournament = under_way()
    shown = tournament.act("disqualify", entrant="e4", reason="conduct")
    assert [(each.entrant, each.new) for each in shown.entrants] == [("e4", "disqualified")]
    assert [(each.match, each.score_new) for each in shown.results] == [("r1m1", (1400, 600))]
    with pytest.raises(TournamentRefused) as refusal:
        entering.come_back(tournament.state, "e4", "p4x0", NOON)
    assert refusal.value.code is TournamentCode.ENTRANT_WRONG_STATUS
    with pytest.raises(TournamentRefused):
        entering.enter(tournament.state, entering.Entry(players=("p4x0", "p9")), "p9", NOON, {})
    tournament.refused("enter", TournamentCode.PLAYER_ENTERED, players=["p4x0", "p9"])
    tournament.act("return", entrant="e4")


def test_a_director_gives_byes_of_any_kind_for_rounds_to_come() -> None:
    tournament = under_way()
    tournament.act("give_bye", entrant="e1", rounds=[2, 3], bye="bye")
    tournament.refused("give_bye", TournamentCode.NOTHING_TO_CHANGE, entrant="e1", rounds=[3], bye="bye")
    tournament.refused("give_bye", TournamentCode.ROUND_WRONG_STATUS, entrant="e1", rounds=[1], bye="bye")
    tournament.refused("give_bye", TournamentCode.ROUND_WRONG_STATUS, entrant="e1", rounds=[4], bye="bye")
    tournament.play_all()
    tournament.act("pair")
    assert tournament.state.rounds[2].byes["e1"] == "bye"


def test_byes_that_were_asked_for_or_given_are_taken_back_while_their_rounds_are_to_come() -> None:
    tournament = under_way()
    tournament.act("give_bye", entrant="e1", rounds=[2, 3], bye="zero_bye")
    (shown,) = tournament.act("give_bye", entrant="e1", rounds=[2, 3], bye=None).entrants
    assert (shown.byes_asked_old, shown.byes_asked_new) == ({2: "zero_bye", 3: "zero_bye"}, {})
    told = tournament.refused("give_bye", TournamentCode.NOTHING_TO_CHANGE, entrant="e1", rounds=[2], bye=None)
    assert told == {"entrant": "e1", "rounds": [2], "bye": None}
    tournament.refused("give_bye", TournamentCode.ROUND_WRONG_STATUS, entrant="e1", rounds=[1], bye=None)
    tournament.act("give_bye", entrant="e1", rounds=[3], bye="zero_bye")
    tournament.act("give_bye", entrant="e1", rounds=[2, 3], bye=None)
    assert tournament.happened[-1] == ByeAsked(
        n=tournament.state.version, at=tournament.state.at, by=DIRECTOR, entrant="e1", rounds=(3,), bye=None
    )
    tournament.play_all()
    tournament.act("pair")
    assert "e1" in tournament.sides(2)[0]


def test_a_substitute_takes_the_seat_in_a_match_under_way_on_agreeing() -> None:
    tournament = under_way()
    tournament.act("substitute", entrant="e1", outgoing="p1x1", incoming="p50", reason="technical")
    assert tournament.state.entrants["e1"].players == ("p1x0", "p50")
    assert "p50" not in tournament.game("r1m1").players, "Nobody is seated without having agreed."
    tournament.take(entering.consent(tournament.state, "e1", "p50", NOON))
    assert "p50" in tournament.game("r1m1").players
    assert "p1x1" not in tournament.game("r1m1").players


def test_a_bot_takes_a_seat_at_once_and_its_level_is_told_to_the_game() -> None:
    tournament = under_way(stand_in_level="greedy")
    tournament.refused(
        "substitute", TournamentCode.BOT_NOT_PERMITTED, entrant="e1", outgoing="p1x1", incoming="b1", bot="search"
    )
    tournament.act("substitute", entrant="e1", outgoing="p1x1", incoming="b1", bot="greedy")
    game = tournament.game("r1m1")
    assert game.bots[game.players.index("b1")] == "greedy"


def test_a_substitute_is_in_no_other_entrant_and_comes_for_a_member() -> None:
    tournament = under_way()
    tournament.refused("substitute", TournamentCode.PLAYER_ENTERED, entrant="e1", outgoing="p1x1", incoming="p2x0")
    tournament.refused("substitute", TournamentCode.LINEUP_INVALID, entrant="e1", outgoing="p2x0", incoming="p50")
    tournament.refused("substitute", TournamentCode.LINEUP_INVALID, entrant="e1", outgoing="p1x1", incoming="p1x1")


def test_members_change_the_line_up_between_matches_up_to_the_limit() -> None:
    tournament = event(swiss(substitutes_max=1), 4)
    change(tournament, "e1", "p1x1", "p50", by="p1x0")
    change(tournament, "e1", "p50", "p1x1", by="p1x0")
    change(tournament, "e1", "p1x1", "p50", by="p1x0")
    with pytest.raises(TournamentRefused) as refusal:
        change(tournament, "e1", "p50", "p51", by="p1x0")
    assert refusal.value.code is TournamentCode.SUBSTITUTES_USED_UP
    tournament.act("substitute", entrant="e1", outgoing="p50", incoming="p51")


def test_members_do_not_change_the_line_up_while_they_play() -> None:
    tournament = under_way()
    with pytest.raises(TournamentRefused) as refusal:
        change(tournament, "e1", "p1x1", "p50", by="p1x0")
    assert refusal.value.code is TournamentCode.MATCH_WRONG_STATUS
    tournament.play_all()
    change(tournament, "e1", "p1x1", "p50", by="p1x0")


def test_a_match_that_is_over_keeps_those_who_played_it() -> None:
    tournament = under_way(stand_in_level="greedy")
    tournament.play_all()
    seated = tournament.state.matches["r1m1"].paired.tables
    tournament.act("substitute", entrant="e1", outgoing="p1x1", incoming="b1", bot="greedy")
    assert tournament.state.matches["r1m1"].paired.tables == seated


def test_a_substitute_meets_the_conditions() -> None:
    conditions = (Condition(kind="rated_games_at_least", value=5),)
    tournament = event(swiss(registration=Registration(conditions=conditions)), 4)
    with pytest.raises(TournamentRefused) as refusal:
        change(tournament, "e1", "p1x1", "p50", by="p1x0", persons={"p50": Person(rated_games=4)})
    assert refusal.value.code is TournamentCode.CONDITIONS_NOT_MET
    change(tournament, "e1", "p1x1", "p50", by="p1x0", persons={"p50": Person(rated_games=5)})


def test_a_player_in_reserve_of_a_team_changes_places_without_being_counted() -> None:
    tournament = event(terms_of(RoundRobin(), pace=BY_HAND, entrants="teams", substitutes_max=0))
    tournament.act("open_registration")
    for team in "ab":
        tournament.sign_up(*(f"p{team}{number}" for number in range(5)))
        for number in range(1, 5):
            tournament.take(entering.consent(tournament.state, f"e{'ab'.index(team) + 1}", f"p{team}{number}", NOON))
    change(tournament, "e1", "pa0", "pa4", by="pa1")
    assert tournament.state.entrants["e1"].players == ("pa4", "pa1", "pa2", "pa3", "pa0")
    tournament.act("start")
    tournament.next_round()
    seated = {player for game in wanted_games(tournament.state) for player in game.players}
    assert seated == {"pa4", "pa1", "pa2", "pa3", "pb0", "pb1", "pb2", "pb3"}
    tournament.act("substitute", entrant="e1", outgoing="pa4", incoming="pa0")
    seated = {player for game in wanted_games(tournament.state) for player in game.players}
    assert seated == {"pa0", "pa1", "pa2", "pa3", "pb0", "pb1", "pb2", "pb3"}
