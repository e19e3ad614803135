"""The clock of a round by a director: time called again, ends out of reach, and the ends that matches have apart."""

from datetime import timedelta

from domain.tournaments.acts import ROUND_MAX
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.formats import Arena
from domain.tournaments.games import wanted_games
from domain.tournaments.process import next_moment
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.round_events import TimeCalled
from tests.domain.tournaments.directors import Event, event, swiss
from tests.domain.tournaments.scenarios import NOON


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


def test_an_end_that_is_still_to_come_is_the_time_at_which_time_is_called() -> None:
    tournament = under_way()
    tournament.act("change_clock", round=1, minutes=30, matches=["r1m1"])
    tournament.now += timedelta(minutes=3)
    shown = tournament.act("call_time", round=1)
    assert ends(tournament) == ("2026-05-01T12:03:00Z", "2026-05-01T12:03:00Z", None)
    assert [(each.match, each.old, each.new) for each in shown.clocks] == [
        (None, "2026-05-01T12:25:00Z", "2026-05-01T12:03:00Z"),
        ("r1m1", "2026-05-01T12:55:00Z", "2026-05-01T12:03:00Z"),
    ]
    assert {game.due_at for game in wanted_games(tournament.state)} == {"2026-05-01T12:03:00Z"}
    assert next_moment(tournament.state, NOON + timedelta(minutes=20)) is None


def test_time_called_for_a_match_ends_its_clock_and_leaves_that_of_the_round() -> None:
    tournament = under_way()
    tournament.now += timedelta(minutes=3)
    shown = tournament.act("call_time", round=1, matches=["r1m2"])
    assert ends(tournament) == ("2026-05-01T12:25:00Z", None, "2026-05-01T12:03:00Z")
    assert [(each.match, each.new) for each in shown.clocks] == [("r1m2", "2026-05-01T12:03:00Z")]
    tournament.act("change_clock", round=1, due_at="2026-05-01T12:25:00Z", matches=["r1m2"])
    assert ends(tournament)[2] == "2026-05-01T12:25:00Z"
    assert not tournament.state.matches["r1m2"].time_called


def test_an_end_that_has_passed_stays_where_it_was_when_time_is_called() -> None:
    tournament = under_way()
    tournament.act("change_clock", round=1, minutes=30, matches=["r1m1"])
    tournament.now += timedelta(minutes=26)
    assert kinds_of(tournament.step()) == ["TimeCalled"]
    assert ends(tournament) == ("2026-05-01T12:25:00Z", "2026-05-01T12:55:00Z", None)
    assert tournament.act("call_time", round=1).clocks[0].match == "r1m1"
    assert ends(tournament) == ("2026-05-01T12:25:00Z", "2026-05-01T12:26:00Z", None)


def test_a_match_with_more_time_goes_along_with_a_round_that_is_given_time_anew() -> None:
    tournament = under_way()
    tournament.now += timedelta(minutes=3)
    tournament.act("call_time", round=1)
    tournament.act("change_clock", round=1, minutes=30, matches=["r1m1"])
    tournament.now += timedelta(minutes=2)
    tournament.act("change_clock", round=1, minutes=10)
    assert ends(tournament) == ("2026-05-01T12:15:00Z", "2026-05-01T12:45:00Z", None)
    assert not any(match.time_called for match in tournament.state.matches.values())


def test_the_end_of_a_call_is_told_to_the_second_as_all_ends_are() -> None:
    tournament = under_way()
    called = TimeCalled(n=tournament.state.version + 1, at="2026-05-01T12:03:04.567Z", by="p1", round=1)
    assert fold(tournament.state, [called]).rounds[1].due_at == "2026-05-01T12:03:04Z"


def test_a_call_that_has_no_time_yet_leaves_the_end_as_it_is() -> None:
    """Events get their time when they are stored."""
    tournament = under_way()
    called = fold(tournament.state, [TimeCalled(n=tournament.state.version + 1, by="p1", round=1)]).rounds[1]
    assert (called.due_at, called.time_called) == ("2026-05-01T12:25:00Z", True)


def kinds_of(happened: list[AnyTournamentEvent]) -> list[str]:
    return [type(each).__name__ for each in happened]


def test_acts_reach_every_round_that_an_arena_can_have() -> None:
    longest = Arena(minutes=1440, pairing_seconds=1)
    assert longest.minutes * 60 // longest.pairing_seconds <= ROUND_MAX
