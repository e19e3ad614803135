"""Director's acts on results: recorded by hand, adjudicated from the position."""

import pytest

from domain.tournaments import entering
from domain.tournaments.formats import Swiss
from domain.tournaments.given import Given
from domain.tournaments.matches import FixedHands, MatchTerms, PerHand
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.seating import GameResult
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, DIRECTOR, Event, event, rule, swiss, under_way
from tests.domain.tournaments.scenarios import result_of, terms_of


def test_a_match_played_elsewhere_is_recorded_once() -> None:
    tournament = under_way()
    table = tournament.state.matches["r1m2"].paired.tables[0].table
    hands = [[500, 200], [300, 700]]
    shown = tournament.act("record_result", match="r1m2", table=table, hands=hands, reason="technical")
    assert [(each.match, each.points_new, each.hands_new) for each in shown.results] == [("r1m2", (800, 900), 2)]
    told = tournament.refused("record_result", TournamentCode.RESULT_RECORDED, match="r1m2", table=table, hands=hands)
    assert told["needed"] == "a ruling"


def test_a_result_is_for_a_table_of_the_match_and_has_points_for_each_side() -> None:
    tournament = under_way()
    hands = [[500, 200]]
    tournament.refused("record_result", TournamentCode.RESULT_WRONG_TABLE, match="r1m2", table=1, hands=hands)
    tournament.refused("record_result", TournamentCode.RESULT_WRONG_LEG, match="r1m2", table=2, leg=2, hands=hands)
    tournament.refused("record_result", TournamentCode.RESULT_INVALID, match="r1m2", table=2, hands=[[1, 2, 3]])
    tournament.refused("record_result", TournamentCode.RESULT_INVALID, match="r1m2", table=2, hands=[[1, 2], [3]])
    tournament.refused("record_result", TournamentCode.MATCH_UNKNOWN, match="r2m2", table=2, hands=hands)
    rule(tournament, "r1m2", {"kind": "void"})
    tournament.refused("record_result", TournamentCode.MATCH_WRONG_STATUS, match="r1m2", table=2, hands=hands)
    waiting = event(swiss(), 6)
    waiting.begin()
    waiting.act("pair")
    waiting.refused("record_result", TournamentCode.ROUND_NOT_STARTED, match="r1m2", table=2, hands=hands)


def test_no_more_hands_are_recorded_than_the_match_has() -> None:
    tournament = under_way()
    hands = [[100, 0]] * 3
    told = tournament.refused("record_result", TournamentCode.RESULT_INVALID, match="r1m2", table=2, hands=hands)
    assert told["needed"] == "at most 2 hands"
    tournament.act("record_result", match="r1m2", table=2, hands=hands[:2])


def test_a_look_tells_by_how_many_hands_a_score_goes() -> None:
    tournament = under_way()
    (shown,) = tournament.act("record_result", match="r1m2", table=2, hands=[[800, 900]]).results
    assert (shown.hands_old, shown.hands_new) == (None, 1)
    ruling = {"kind": "points", "points": [800, 900]}
    (shown,) = tournament.act("rule", match="r1m2", adjustment=ruling, reason="scoring_error").results
    assert (shown.hands_old, shown.hands_new) == (1, 1)
    (shown,) = tournament.act("rule", match="r1m2", adjustment={"kind": "void"}, reason="other").results
    assert (shown.hands_old, shown.hands_new) == (1, None)
    (shown,) = tournament.act("rule", match="r1m3", adjustment=ruling, reason="agreement").results
    assert (shown.hands_old, shown.hands_new) == (None, 2)


@pytest.mark.parametrize("boards", [None, Boards()], ids=["deals of their own", "boards"])
def test_a_result_by_hand_stands_for_the_hands_of_all_further_games(boards: Boards | None) -> None:
    per_hand = MatchTerms(length=FixedHands(3), minutes=40, first_meld=PerHand((125, 155)))
    tournament = event(terms_of(Stage(format=Swiss(rounds=1), match=per_hand), pace=BY_HAND, boards=boards), 4)
    tournament.begin()
    tournament.next_round()
    rule(tournament, "r1m2", {"kind": "forfeit", "forfeit": [True, False]})
    hands = [[100, 0]] * 4
    told = tournament.refused("record_result", TournamentCode.RESULT_INVALID, match="r1m1", table=1, hands=hands)
    assert told["needed"] == "at most 3 hands"
    tournament.act("record_result", match="r1m1", table=1, hands=hands[:3])
    decided = tournament.state.matches["r1m1"].decided
    assert decided is not None
    assert decided.points == (300, 0)


def lying(tournament: Event, match: str) -> GameResult:
    """The open game of a match as it lies: a hand played, and one unfinished."""
    return result_of(tournament.game(match), [[700, 100], [50, -35]], "position")


def test_an_unfinished_hand_is_adjudicated_with_the_points_that_the_position_comes_to() -> None:
    tournament = under_way()
    given = Given(game=lying(tournament, "r1m1"))
    tournament.act("adjudicate", given, match="r1m1", table=1, reason="technical")
    match = tournament.state.matches["r1m1"]
    assert match.decided is not None
    assert match.decided.points == (750, 65)
    assert match.results[0].reason == "position"
    tournament.refused("adjudicate", TournamentCode.RESULT_RECORDED, given, match="r1m1", table=1, reason="technical")


def test_without_a_game_under_way_nothing_is_adjudicated() -> None:
    tournament = under_way()
    tournament.refused("adjudicate", TournamentCode.RESULT_INVALID, match="r1m1", table=1, reason="technical")
    given = Given(game=lying(tournament, "r1m2"))
    tournament.refused("adjudicate", TournamentCode.RESULT_INVALID, given, match="r1m1", table=1, reason="technical")


def test_boards_that_others_still_play_are_not_adjudicated_but_averaged() -> None:
    tournament = under_way(boards=Boards())
    given = Given(game=lying(tournament, "r1m1"))
    told = tournament.refused("adjudicate", TournamentCode.BOARDS_SEALED, given, match="r1m1", table=1, reason="other")
    assert told["needed"] == "an average"
    tournament.refused("record_result", TournamentCode.BOARDS_SEALED, match="r1m1", table=1, hands=[[1, 2], [3, 4]])
    rule(tournament, "r1m2", {"kind": "average", "average": ["even", "even"]})
    rule(tournament, "r1m3", {"kind": "average", "average": ["even", "even"]})
    tournament.act("adjudicate", given, match="r1m1", table=1, reason="other")


def test_who_directs_and_plays_is_not_told_what_the_open_hand_of_their_own_match_comes_to() -> None:
    tournament = event(swiss(), 4)
    tournament.act("open_registration")
    for players in ((DIRECTOR, "p50"), ("p60", "p61")):
        entrant = tournament.sign_up(*players)
        tournament.take(entering.consent(tournament.state, entrant, players[1], tournament.now))
    tournament.begin()
    tournament.next_round()
    matches = tournament.state.matches_of(1)
    own = next(match for match in matches if any("e5" in side for side in match.paired.sides))
    table = own.paired.tables[0].table
    given = Given(game=lying(tournament, own.id))
    told = tournament.refused(
        "adjudicate", TournamentCode.RESULT_INVALID, given, match=own.id, table=table, reason="other"
    )
    assert told["needed"] == "a ruling, since you play in this match yourself"
    other = next(match for match in matches if match.id != own.id)
    given = Given(game=lying(tournament, other.id))
    tournament.act("adjudicate", given, match=other.id, table=other.paired.tables[0].table, reason="other")
