"""Who comes into a team while its match is under way: they sit where games are to be played yet, and nowhere else."""

from typing import Any

import pytest

from domain.tournaments import entering
from domain.tournaments.entry_events import Substituted
from domain.tournaments.formats import Elimination, Format, RoundRobin
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms, PerHand
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.terms import Boards, Stage
from tests.domain.tournaments.directors import BY_HAND, Event, event
from tests.domain.tournaments.scenarios import NOON, by_chance, result_of, terms_of

BY_THE_HAND = MatchTerms(length=FixedHands(2), first_meld=PerHand(points=(50, 90)))


def teams(form: Format | Stage | None = None, **others: Any) -> Event:
    """Two teams of four in their first match; `e1` has nobody in reserve."""
    tournament = event(terms_of(form or RoundRobin(), pace=BY_HAND, entrants="teams", **others), 2)
    tournament.begin()
    tournament.next_round()
    return tournament


def play_at(tournament: Event, place: int) -> None:
    """The game at one of the two tables of the match comes to its end."""
    games = sorted(tournament.play_list(), key=lambda each: each.table)
    game = next(each for each in games if each.table == tables_of(tournament)[place].table)
    tournament.tell([result_of(game, by_chance(game))])


def tables_of(tournament: Event) -> Any:
    (match,) = tournament.state.matches.values()
    return match.paired.tables


def seated(tournament: Event, place: int) -> list[str]:
    """Who sits for the first team at a table of the match."""
    table = tables_of(tournament)[place]
    return [player for entrant, player in zip(table.entrants, table.players, strict=True) if entrant == "e1"]


def come(tournament: Event, incoming: str, outgoing: str) -> None:
    """Somebody new comes in and agrees."""
    tournament.act("substitute", entrant="e1", outgoing=outgoing, incoming=incoming)
    tournament.take(entering.consent(tournament.state, "e1", incoming, NOON))


@pytest.mark.parametrize("boards", [None, Boards()])
def test_who_played_a_table_to_its_end_stays_named_there(boards: Boards | None) -> None:
    """On boards nothing is told of the game yet but that it is over."""
    tournament = teams(boards=boards)
    assert (seated(tournament, 0), seated(tournament, 1)) == (["p1x0", "p1x1"], ["p1x2", "p1x3"])
    play_at(tournament, 0)
    come(tournament, "p8", "p1x0")
    assert tournament.state.entrants["e1"].players == ("p8", "p1x1", "p1x2", "p1x3")
    assert seated(tournament, 0) == ["p1x0", "p1x1"]
    assert not [event.matches for event in tournament.happened if isinstance(event, Substituted) and event.matches]


def test_a_seat_at_the_other_table_is_taken_in_its_turn() -> None:
    tournament = teams()
    play_at(tournament, 0)
    come(tournament, "p8", "p1x0")
    come(tournament, "p9", "p1x3")
    assert (seated(tournament, 0), seated(tournament, 1)) == (["p1x0", "p1x1"], ["p1x2", "p9"])
    (game,) = wanted_games(tournament.state)
    assert {"p1x2", "p9"} < {*game.players}
    last = next(event for event in reversed(tournament.happened) if isinstance(event, Substituted))
    assert last.seats == {"p1x3": "p9"}


def test_who_left_an_open_table_stays_out_of_the_match() -> None:
    tournament = teams()
    play_at(tournament, 0)
    come(tournament, "p9", "p1x3")
    tournament.act("substitute", entrant="e1", outgoing="p1x2", incoming="p8")
    tournament.refused("substitute", TournamentCode.LINEUP_INVALID, entrant="e1", outgoing="p9", incoming="p9")
    tournament.take(entering.consent(tournament.state, "e1", "p8", NOON))
    assert seated(tournament, 1) == ["p8", "p9"]


def test_a_substitution_names_the_tables_at_which_seats_change() -> None:
    tournament = teams()
    (match,) = tournament.state.matches
    play_at(tournament, 0)
    come(tournament, "p8", "p1x2")
    stored = [each for each in tournament.happened if isinstance(each, Substituted) and each.seats]
    over, open_table = [each.table for each in tournament.state.matches[match].paired.tables]
    assert [each.tables for each in stored] == [{match: (open_table,)}]
    assert over != open_table


def test_a_substitution_that_was_stored_without_its_tables_is_for_all_of_them() -> None:
    tournament = teams()
    (match,) = tournament.state.matches
    play_at(tournament, 0)
    players = ("p8", "p1x1", "p1x2", "p1x3")
    tournament.add(Substituted(entrant="e1", players=players, bots=(None,) * 4, matches=(match,), seats={"p1x0": "p8"}))
    assert seated(tournament, 0) == ["p8", "p1x1"]


def test_a_table_with_another_game_to_play_is_not_over() -> None:
    tournament = teams(Stage(format=RoundRobin(), match=BY_THE_HAND))
    play_at(tournament, 0)
    come(tournament, "p8", "p1x0")
    assert seated(tournament, 0) == ["p8", "p1x1"]
    play_at(tournament, 0)
    come(tournament, "p9", "p8")
    assert seated(tournament, 0) == ["p8", "p1x1"]


def test_a_table_that_may_have_a_hand_more_for_a_tie_is_not_over() -> None:
    tournament = teams(Elimination(tie="extra_hand"))
    games = sorted(tournament.play_list(), key=lambda each: each.table)
    level = ((100, 100), (0, 0))
    tournament.tell([result_of(games[0], level)])
    come(tournament, "p8", "p1x0")
    tournament.tell([result_of(games[1], level)])
    extra = min(tournament.play_list(), key=lambda each: each.table)
    assert (extra.leg, {"p8", "p1x1"} < {*extra.players}) == (2, True)
    tournament.tell([result_of(extra, ((100, 90),))])
    come(tournament, "p9", "p8")
    assert seated(tournament, 0) == ["p8", "p1x1"]


def test_before_a_round_starts_every_seat_is_free_to_change() -> None:
    tournament = event(terms_of(RoundRobin(), pace=BY_HAND, entrants="teams"), 2)
    tournament.begin()
    tournament.act("pair")
    come(tournament, "p8", "p1x0")
    assert seated(tournament, 0) == ["p8", "p1x1"]
