"""Who was noted as missing when the time of a match is over: not coming is worth no more than a forfeit."""

import pytest

from domain.tournaments.explaining import explained
from domain.tournaments.formats import Elimination, Format, Individual, RoundRobin
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms, Placing, RawPoints, Score, VictoryPoints
from domain.tournaments.outcomes import is_tied
from domain.tournaments.standings import standings
from domain.tournaments.terms import Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event
from tests.domain.tournaments.scenarios import result_of, terms_of

Points = tuple[int, ...]


def ended(
    missing: tuple[str, ...],
    hands: list[Points] | None = None,
    reason: str = "time",
    form: Format | None = None,
    score: Score | None = None,
    hands_to_count: int = 1,
    players: int = 2,
) -> Event:
    """A match of the first round in which entrants were noted as missing, and which ended with its time."""
    match = MatchTerms(length=FixedHands(2), minutes=25, hands_to_count=hands_to_count)
    stage = Stage(format=form or RoundRobin(), match=match, score=score or VictoryPoints())
    tournament = event(terms_of(stage, pace=BY_HAND, players=players), players)
    tournament.begin()
    tournament.next_round()
    for entrant in missing:
        tournament.act("note_no_show", match="r1m1", entrant=entrant)
    (game,) = wanted_games(tournament.state)
    tournament.tell([result_of(game, hands or [], reason)])
    return tournament


@pytest.mark.parametrize("hands_to_count", [0, 1, 2])
def test_who_never_came_has_what_a_forfeit_leaves_and_the_other_side_wins(hands_to_count: int) -> None:
    tournament = ended(("e1",), hands_to_count=hands_to_count)
    decided = tournament.state.matches["r1m1"].decided
    assert decided is not None
    side = [each[0] for each in tournament.state.matches["r1m1"].paired.sides].index("e2")
    assert (decided.points, decided.how, decided.winner) == ((0, 0), "walkover", side)
    assert [(row.entrant, row.score) for row in standings(tournament.state).rows] == [("e2", 1400), ("e1", 600)]
    assert "did not come" in explained(tournament.state, "e1").rounds[0].text


def test_where_nobody_came_nobody_has_anything() -> None:
    tournament = ended(("e1", "e2"))
    decided = tournament.state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.score, decided.how, decided.winner) == ((0, 0), "nobody", None)


def test_a_hand_played_to_its_end_says_that_everybody_came_after_all() -> None:
    decided = ended(("e1",), [(300, 100)]).state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.points, decided.how) == ((300, 100), None)


def test_an_unfinished_hand_counts_where_none_is_needed() -> None:
    decided = ended(("e1",), [(300, 100)], "position", hands_to_count=0).state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.points, decided.how) == ((300, 100), None)


def test_nobody_missing_shares_a_match_without_hands() -> None:
    decided = ended(()).state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.score, decided.how) == ((1000, 1000), "too_few_hands")


def test_in_a_bracket_who_came_goes_on() -> None:
    tournament = ended(("e1",), form=Elimination())
    match = tournament.state.matches["r1m1"]
    assert match.decided is not None
    assert match.decided.winner == [each[0] for each in match.paired.sides].index("e2")


def test_in_a_bracket_nobody_goes_on_where_nobody_came_and_no_hand_decides_it() -> None:
    tournament = ended(("e1", "e2"), form=Elimination())
    match = tournament.state.matches["r1m1"]
    assert not is_tied(tournament.state, match)
    assert match.decided is not None
    assert (match.decided.winner, match.decided.how) == (None, "nobody")


@pytest.mark.parametrize("score", [RawPoints(), VictoryPoints()])
def test_points_do_not_reward_who_never_came(score: Score) -> None:
    rows = standings(ended(("e1",), score=score).state).rows
    assert [row.entrant for row in rows] == ["e2", "e1"]


def test_at_a_table_of_three_all_who_came_have_the_worth_of_a_win_without_play() -> None:
    tournament = ended(("e2",), form=Individual(rounds=1), score=Placing(), players=3)
    rows = {row.entrant: row.score for row in standings(tournament.state).rows}
    assert rows == {"e1": 1400, "e2": 600, "e3": 1400}
    assert "the other side did not come" in explained(tournament.state, "e3").rounds[0].text


def test_who_came_to_a_table_of_three_is_not_taken_for_missing_where_points_rank() -> None:
    form = Individual(movement="swiss", rounds=1)
    match = MatchTerms(length=FixedHands(2), minutes=25)
    terms = terms_of(
        Stage(format=form, match=match, score=RawPoints()), players=3, entrants="individuals", pace=BY_HAND
    )
    tournament = event(terms, 6)
    tournament.begin()
    tournament.next_round()
    tournament.act("note_no_show", match="r1m1", entrant="e1")
    idle, played = sorted(wanted_games(tournament.state), key=lambda game: game.match)
    tournament.tell([result_of(played, [(300, 200, 100)] * 2), result_of(idle, [], "time")])
    tournament.act("close_round", round=1)
    rows = {row.entrant: row.score for row in standings(tournament.state).rows}
    sides = [each[0] for each in tournament.state.matches["r1m1"].paired.sides]
    assert {each: rows[each] > rows["e1"] for each in sides} == {each: each != "e1" for each in sides}


def test_a_bot_that_took_the_seat_of_who_was_missing_is_there() -> None:
    match = MatchTerms(length=FixedHands(2), minutes=25)
    terms = terms_of(Stage(format=RoundRobin(), match=match), players=2, pace=BY_HAND, stand_in_level="greedy")
    tournament = event(terms, 2)
    tournament.begin()
    tournament.next_round()
    tournament.act("note_no_show", match="r1m1", entrant="e1")
    tournament.act("substitute", entrant="e1", outgoing="p1x0", incoming="b1", bot="greedy")
    (game,) = wanted_games(tournament.state)
    tournament.tell([result_of(game, [], "time")])
    decided = tournament.state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.score, decided.how) == ((1000, 1000), "too_few_hands")
