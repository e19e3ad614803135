"""Nobody plays boards of which they know how they were played at another table."""

from typing import Final

import pytest

from domain.tournaments import entering
from domain.tournaments.formats import Arena, Mitchell, RoundRobin
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import ImpMatch, Matchpoints
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Boards, Stage, Terms
from tests.domain.tournaments.directors import BY_HAND, Event, event, rule, swiss
from tests.domain.tournaments.scenarios import NOON, QUICK, terms_of

TEAMS: Final = Stage(format=RoundRobin(), match=QUICK, score=ImpMatch())


@pytest.mark.parametrize("forfeited", ["before the start", "after the start"])
def test_a_ruling_is_not_taken_back_to_play_boards_that_are_told_meanwhile(forfeited: str) -> None:
    tournament = event(swiss(2, boards=Boards()), 4)
    tournament.begin()
    tournament.act("pair")
    match = tournament.state.matches["r1m2"].paired
    if forfeited == "after the start":
        tournament.act("start_round", round=1)
    tournament.act("forfeit", match="r1m2", entrants=[match.sides[0][0]], reason="absence")
    if forfeited == "before the start":
        tournament.act("start_round", round=1)
    assert tournament.show("rule", match="r1m2", adjustment=None, reason="other").results, "Nothing is told yet."
    tournament.play_all()
    assert tournament.state.matches["r1m1"].results, "All tables that play the boards are through."
    told = tournament.refused("rule", TournamentCode.MATCH_WRONG_STATUS, match="r1m2", adjustment=None, reason="other")
    assert told["boards"] == [*match.boards]
    rule(tournament, "r1m2", {"kind": "average", "average": ["even", "even"]})


ROTATING: Final = terms_of(
    Stage(format=Mitchell(), match=QUICK, score=Matchpoints()), pace=BY_HAND, boards=Boards(movement="rotating")
)


@pytest.mark.parametrize("terms", [ROTATING, terms_of(Arena(minutes=60), pace=BY_HAND)], ids=["rotating", "arena"])
def test_a_ruling_is_not_taken_back_while_somebody_of_the_match_is_under_way_in_another_one(terms: Terms) -> None:
    tournament = event(terms, 8)
    tournament.begin()
    tournament.next_round()
    for match in ("r1m1", "r1m2"):
        sides = tournament.state.matches[match].paired.sides
        tournament.act("forfeit", match=match, entrants=[sides[0][0]], reason="absence")
    if terms is ROTATING:
        tournament.play_all()
    tournament.next_round()
    told = tournament.refused("rule", TournamentCode.MATCH_WRONG_STATUS, match="r1m1", adjustment=None, reason="other")
    assert sorted(told["entrants"]) == sorted(
        each for side in tournament.state.matches["r1m1"].paired.sides for each in side
    )
    busy = [entrant for game in wanted_games(tournament.state) for entrant in {*game.entrants}]
    assert sorted(busy) == sorted({*busy}), "One table for each entrant."
    rule(tournament, "r1m1", {"kind": "void"})


def team_match() -> Event:
    """Two teams of five at two tables, on the same boards."""
    tournament = event(terms_of(TEAMS, pace=BY_HAND, entrants="teams", boards=Boards()))
    tournament.act("open_registration")
    for team in "ab":
        entrant = tournament.sign_up(*(f"p{team}{number}" for number in range(5)))
        for number in range(1, 5):
            tournament.take(entering.consent(tournament.state, entrant, f"p{team}{number}", NOON))
    tournament.begin()
    tournament.next_round()
    return tournament


def test_who_left_one_table_of_a_match_does_not_come_in_at_the_other_one() -> None:
    tournament = team_match()
    one, other = wanted_games(tournament.state)
    seen = next(player for player in one.players if player.startswith("pa"))
    not_yet = next(player for player in other.players if player.startswith("pa"))
    tournament.act("substitute", entrant="e1", outgoing=seen, incoming="pa4")
    told = tournament.refused(
        "substitute", TournamentCode.LINEUP_INVALID, entrant="e1", outgoing=not_yet, incoming=seen
    )
    assert (told["match"], told["players"]) == ("r1m1", [seen])
    tournament.refused("substitute", TournamentCode.LINEUP_INVALID, entrant="e1", outgoing="pa4", incoming=seen)
    assert [{*game.players} for game in wanted_games(tournament.state)] == [
        {*one.players} - {seen} | {"pa4"},
        {*other.players},
    ]
