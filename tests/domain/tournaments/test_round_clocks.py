"""The clock of a round by a director: time called again, ends out of reach, and the ends that matches have apart."""

from domain.tournaments.acts import ROUND_MAX
from domain.tournaments.formats import Arena
from domain.tournaments.refusals import TournamentCode
from tests.domain.tournaments.directors import Event, event, swiss


def under_way(entrants: int = 4) -> Event:
    """A round of 25 minutes from noon."""
    tournament = event(swiss(2), entrants)
    tournament.begin()
    tournament.next_round()
    return tournament


def test_time_is_called_again_on_a_match_that_had_more_of_it() -> None:
    tournament = under_way()
    tournament.act("call_time", round=1)
    tournament.refused("call_time", TournamentCode.NOTHING_TO_CHANGE, round=1)
    tournament.act("change_clock", round=1, minutes=30, matches=["r1m1"])
    tournament.refused("call_time", TournamentCode.NOTHING_TO_CHANGE, round=1, matches=["r1m2"])
    tournament.act("call_time", round=1, matches=["r1m1"])
    assert tournament.state.matches["r1m1"].time_called
    tournament.act("change_clock", round=1, minutes=40, matches=["r1m1"])
    tournament.act("call_time", round=1)
    assert tournament.state.matches["r1m1"].time_called


def test_a_clock_does_not_end_beyond_the_last_time_there_is() -> None:
    tournament = under_way()
    told = tournament.refused("change_clock", TournamentCode.TIME_INVALID, round=1, due_at="9999-12-31T23:59:59Z")
    assert told["latest"] == "9000-01-01T00:00:00Z"
    tournament.act("change_clock", round=1, due_at="8999-12-31T23:59:59Z")
    told = tournament.refused("change_clock", TournamentCode.TIME_INVALID, round=1, minutes=100_000)
    assert told["latest"] == "9000-01-01T00:00:00Z"


def ends(tournament: Event) -> tuple[str | None, str | None, str | None]:
    state = tournament.state
    return state.rounds[1].due_at, state.matches["r1m1"].due_at, state.matches["r1m2"].due_at


def test_the_end_that_a_match_has_apart_moves_along_with_its_round() -> None:
    tournament = under_way()
    tournament.act("change_clock", round=1, minutes=30, matches=["r1m1"])
    assert ends(tournament) == ("2026-05-01T12:25:00Z", "2026-05-01T12:55:00Z", None)
    tournament.act("change_clock", round=1, minutes=5)
    assert ends(tournament) == ("2026-05-01T12:30:00Z", "2026-05-01T13:00:00Z", None)
    tournament.act("change_clock", round=1, due_at="2026-05-01T12:20:00Z")
    assert ends(tournament) == ("2026-05-01T12:20:00Z", "2026-05-01T12:50:00Z", None)


def test_a_match_is_not_moved_along_to_an_end_that_has_passed() -> None:
    tournament = under_way()
    tournament.act("change_clock", round=1, minutes=-20, matches=["r1m2"])
    told = tournament.refused("change_clock", TournamentCode.TIME_INVALID, round=1, minutes=-10)
    assert told["match"] == "r1m2"


def test_acts_reach_every_round_that_an_arena_can_have() -> None:
    longest = Arena(minutes=1440, pairing_seconds=1)
    assert longest.minutes * 60 // longest.pairing_seconds <= ROUND_MAX
