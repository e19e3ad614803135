"""What a ruling or a penalty on something long past brings with it."""

from datetime import timedelta
from typing import Any

from domain.tournaments.fold import replayed
from domain.tournaments.formats import Elimination, Swiss
from domain.tournaments.games import WantedGame
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.round_events import StandingsPublished
from domain.tournaments.standings import standings
from domain.tournaments.terms import Carry, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event, knockout, scores, two_stages
from tests.domain.tournaments.scenarios import QUICK, TOURNAMENT, terms_of


def ranks(tournament: Event, stage: int | None = None) -> dict[str, int]:
    return {row.entrant: row.rank for row in standings(tournament.state, stage).rows}


def won_by(tournament: Event, match: str, entrant: str) -> dict[str, Any]:
    """A ruling by which an entrant has all of the score of a match."""
    sides = tournament.state.matches[match].paired.sides
    return {
        "match": match,
        "adjustment": {"kind": "score", "score": [2000 * (side == (entrant,)) for side in sides]},
        "reason": "conduct",
    }


# --- a bracket ---


def ruled_final() -> Event:
    """e4 goes on by a ruling and plays the final, then the ruling is taken back."""
    tournament = event(knockout(), 4)
    tournament.begin()
    tournament.next_round()
    tournament.play_all()
    match = tournament.match_between("e1", "e4")
    tournament.act("rule", **won_by(tournament, match, "e4"))
    tournament.act("close_round", round=1)
    tournament.next_round()
    tournament.act("rule", match=match, adjustment=None, reason="other", accept_dependants=True)
    return tournament


def test_a_ruling_taken_back_leaves_who_went_on_where_the_next_match_has_begun() -> None:
    tournament = ruled_final()
    match = tournament.state.matches[tournament.match_between("e1", "e4")]
    assert match.outcome is not None
    assert match.decided is not None
    assert (match.outcome.points, match.outcome.score) == (match.decided.points, match.decided.score)
    assert match.paired.sides[match.outcome.winner or 0] == ("e4",)
    assert ranks(tournament) == {"e4": 1, "e2": 1, "e1": 3, "e3": 3}


def test_who_went_on_by_a_ruling_that_was_taken_back_can_win_the_bracket() -> None:
    tournament = ruled_final()

    def fourth_wins(game: WantedGame) -> list[list[int]]:
        sides = tournament.state.matches[game.match].paired.sides
        return [[3000 * (side == ("e4",)) for side in sides]] * 2

    tournament.now += timedelta(minutes=5)
    tournament.play(tournament.play_list(), fourth_wins)
    tournament.act("close_round", round=2)
    tournament.act("finish")
    assert tournament.state.order == ("e4", "e2", "e1", "e3")
    assert replayed(TOURNAMENT, tournament.happened) == tournament.state


def test_a_ruling_after_which_nobody_is_left_to_meet_pairs_nothing_anew() -> None:
    tournament = event(terms_of(Elimination(double=True), pace=BY_HAND), 2)
    tournament.begin()
    tournament.whole_round()
    tournament.next_round()

    def other_wins(game: WantedGame) -> list[list[int]]:
        sides = tournament.state.matches[game.match].paired.sides
        return [[3000 * (side == ("e2",)) for side in sides]] * 2

    tournament.play(tournament.play_list(), other_wins)
    tournament.act("pair")
    assert [each.paired.bracket for each in tournament.state.matches_of(3)] == ["F2"]
    shown = tournament.act("rule", **won_by(tournament, "r2m1", "e1"))
    assert [(each.round, each.new) for each in shown.rounds] == [(3, None)]
    tournament.act("finish")
    assert tournament.state.order == ("e1", "e2")


def test_both_forfeiting_takes_back_a_match_that_nobody_can_play() -> None:
    tournament = event(knockout(), 4)
    tournament.begin()
    tournament.whole_round()
    tournament.act("pair")
    tournament.act("forfeit", match=tournament.match_between("e1", "e4"), entrants=["e1", "e4"], reason="conduct")
    assert [*tournament.state.rounds] == [1]
    assert ranks(tournament)["e2"] == 1


def test_a_ruling_reaches_matches_that_somebody_came_to_without_playing() -> None:
    tournament = event(knockout(), 8)
    tournament.begin()
    tournament.next_round()
    first = tournament.match_between("e1", "e8")
    tournament.act("forfeit", match=first, entrants=["e1", "e8"], reason="absence")
    tournament.play_all()
    tournament.act("close_round", round=1)
    tournament.whole_round()
    tournament.next_round()
    assert tournament.sides(3) == [["e4", "e2"]]
    final = tournament.state.rounds[3].matches
    told = tournament.refused("rule", TournamentCode.DEPENDANTS, **won_by(tournament, first, "e1"))
    assert told["matches"] == [*final]
    tournament.act("rule", **won_by(tournament, first, "e1"), accept_dependants=True)
    tournament.play_all()
    tournament.act("close_round", round=3)
    assert ranks(tournament)["e2"] == 1


# --- later stages ---


def test_what_is_carried_follows_a_ruling_on_the_stage_before() -> None:
    tournament = two_stages(carry=Carry(what="score"))
    match = tournament.match_between("e1", "e4")
    tournament.next_round()
    shown = tournament.act("rule", **won_by(tournament, match, "e4"))
    assert {(each.stage, each.entrant) for each in shown.ranks} >= {(0, "e1"), (1, "e1"), (1, "e4")}
    assert (scores(tournament)["e1"], scores(tournament)["e4"]) == (0, 2000)
    assert replayed(TOURNAMENT, tournament.happened) == tournament.state


def test_what_is_carried_follows_a_penalty_on_the_stage_before_and_its_lifting() -> None:
    tournament = two_stages(carry=Carry(what="score", percent=50))
    tournament.next_round()
    before = scores(tournament)["e1"]
    tournament.act("penalty", entrant="e1", score=500, round=1, reason="conduct")
    assert scores(tournament)["e1"] == before - 250
    penalty = next(iter(tournament.state.penalties))
    tournament.act("lift_penalty", penalty=penalty, reason="conduct")
    assert scores(tournament)["e1"] == before


def test_a_ruling_publishes_the_standings_of_every_stage_that_it_reaches() -> None:
    tournament = two_stages(carry=Carry(what="score"))
    tournament.whole_round()
    tournament.act("finish")
    before = len(tournament.happened)
    tournament.act("rule", **won_by(tournament, tournament.state.rounds[1].matches[0], "e1"))
    published = [each.stage for each in tournament.happened[before:] if isinstance(each, StandingsPublished)]
    assert published == [0, 1]
    assert tournament.state.order == tuple(row.entrant for row in standings(tournament.state).rows)


def test_a_ruling_that_changes_the_cut_begins_a_stage_anew_of_which_nothing_has_started() -> None:
    tournament = two_stages(Elimination(), qualifiers=2)
    tournament.act("pair")
    assert "e4" not in tournament.state.stages[1].entrants
    match = tournament.match_between("e1", "e4")
    shown = tournament.act("rule", **won_by(tournament, match, "e4"))
    assert {each.entrant for each in shown.qualifiers if each.new} == {"e4"}
    assert [each.stage for each in shown.stages] == [1]
    assert tournament.state.stages[1].entrants[0] == "e4"
    assert len(tournament.state.stages) == 2
    (sides,) = tournament.sides(2)
    assert set(sides) == set(tournament.state.stages[1].entrants)
    assert replayed(TOURNAMENT, tournament.happened) == tournament.state


def test_a_penalty_that_changes_the_cut_begins_the_stage_anew_as_well() -> None:
    tournament = two_stages(Elimination(), qualifiers=2)
    first = tournament.state.stages[1].entrants[0]
    tournament.act("penalty", entrant=first, score=2000, round=1, reason="conduct")
    assert first not in tournament.state.stages[1].entrants


def test_a_stage_is_begun_anew_with_another_cut_while_nothing_of_it_has_started() -> None:
    tournament = two_stages(Elimination(), qualifiers=2)
    tournament.act("advance", qualifiers=4, anew=True)
    assert len(tournament.state.stages[1].entrants) == 4
    assert len(tournament.state.stages) == 2
    tournament.next_round()
    tournament.refused("advance", TournamentCode.ROUND_WRONG_STATUS, qualifiers=3, anew=True)


# --- rulings on matches to come ---


def test_a_round_with_a_ruling_on_it_is_neither_taken_back_nor_swapped() -> None:
    tournament = event(terms_of(Swiss(rounds=2), pace=BY_HAND), 6)
    tournament.begin()
    tournament.act("pair")
    forfeiting, *others = [each.paired.sides[0][0] for each in tournament.state.matches_of(1)]
    tournament.act("forfeit", match="r1m1", entrants=[forfeiting], reason="absence")
    told = tournament.refused("undo_pairing", TournamentCode.ROUND_WRONG_STATUS, round=1)
    assert told["ruled"] == ["r1m1"]
    tournament.refused("swap", TournamentCode.ROUND_WRONG_STATUS, round=1, entrants=others)
    tournament.refused("finish", TournamentCode.ROUND_WRONG_STATUS)
    tournament.act("rule", match="r1m1", adjustment=None, reason="other")
    tournament.act("swap", round=1, entrants=others)


def test_who_came_after_the_rounds_of_a_stage_and_has_left_is_in_nobodys_way() -> None:
    later = Stage(format=Swiss(rounds=1), match=QUICK, carry=Carry(what="score"))
    tournament = event(terms_of(Swiss(rounds=1), later, pace=BY_HAND), 6)
    tournament.begin()
    tournament.whole_round()
    late = tournament.enter(late_round=2)
    tournament.act("end_stage")
    assert late in tournament.state.stages[1].entrants
    tournament.next_round()
    tournament.act("withdraw", entrant=late)
    match = tournament.state.rounds[1].matches[0]
    tournament.act("rule", **won_by(tournament, match, "e4"), accept_dependants=True)
    assert (tournament.state.stages[1].carried["e4"], tournament.state.stages[1].carried[late]) == (2000, 0)


def test_who_was_disqualified_in_the_last_stage_is_behind_those_who_did_not_reach_it() -> None:
    tournament = two_stages(qualifiers=4)
    tournament.next_round()
    first = tournament.state.stages[1].entrants[0]
    tournament.act("disqualify", entrant=first, reason="conduct")
    tournament.play_all()
    tournament.act("finish")
    assert tournament.state.order[-1] == first


def test_a_ruling_that_undoes_what_a_lot_decided_at_the_cut_has_to_accept_the_stage_as_it_is() -> None:
    drawn = Stage(format=Swiss(rounds=1), match=QUICK, tie_breaks=())
    tournament = event(terms_of(drawn, Stage(format=Swiss(rounds=1), match=QUICK, qualifiers=2), pace=BY_HAND), 6)
    tournament.begin()
    tournament.next_round()
    tournament.play(tournament.play_list(), lambda _: [[500, 0]] * 2)
    tournament.act("close_round", round=1)
    level = {row.entrant for row in standings(tournament.state).rows if row.rank == 1}
    assert len(level) == 3
    tournament.act("end_stage")
    (out,) = level.difference(tournament.state.stages[1].entrants)
    tournament.next_round()
    match = next(each.id for each in tournament.state.matches_of(1) if (out,) in each.paired.sides)
    told = tournament.refused("rule", TournamentCode.DEPENDANTS, **won_by(tournament, match, out))
    assert told["matches"] == ["r2m1"]
    shown = tournament.show("rule", **won_by(tournament, match, out))
    assert [(each.entrant, each.old, each.new) for each in shown.qualifiers if each.new] == [(out, False, True)]
