"""What a tournament does of itself, in which order and when; and that it never loops and always says why it stands."""

from datetime import timedelta

import pytest

from domain.tournaments import events
from domain.tournaments.before_start import start, wants_beacon
from domain.tournaments.clocks import text
from domain.tournaments.endings import close_round
from domain.tournaments.entry_events import (
    ByeAsked,
    ChallengeAnswered,
    Challenged,
    CheckedIn,
    Entered,
    PairingForbidden,
    Seeded,
    Withdrawn,
)
from domain.tournaments.formats import Arena, Danish, Elimination, Ladder, RoundRobin, Swiss
from domain.tournaments.games import wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.process import next_moment, obstacle, step
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.results import record
from domain.tournaments.round_events import RoundPaired, StageBegun
from domain.tournaments.rounds_running import start_round
from domain.tournaments.terms import Boards, Pace, Registration, Stage
from tests.domain.tournaments.scenarios import NOON, QUICK, Desk, by_chance, by_seed, draw, result_of, terms_of

MANUAL = Pace(automatic=False, starts_at=text(NOON))


def kinds(desk: Desk, most: int = 200) -> list[str]:
    """The kinds of events of all steps up to the first that gives none."""
    found: list[str] = []
    for _ in range(most):
        happened = desk.step()
        if not happened:
            return found
        found += [type(each).__name__ for each in happened]
    raise AssertionError("Steps without end.")


def test_everything_up_to_the_first_games_happens_of_itself() -> None:
    pace = Pace(starts_at=text(NOON))
    desk = Desk(terms_of(RoundRobin(), pace=pace, boards=Boards()), 4)
    assert kinds(desk) == [
        "RegistrationOpened",
        "RegistrationClosed",
        "LotsDrawn",
        "BoardsCommitted",
        "Seeded",
        "TournamentStarted",
        "StageBegun",
        "RoundPaired",
        "RoundStarted",
    ]


def test_everything_after_the_last_game_happens_of_itself() -> None:
    desk = Desk(terms_of(RoundRobin()), 2)
    desk.run_to_start()
    desk.play(wanted_games(desk.state))
    assert kinds(desk) == ["RoundClosed", "StandingsPublished", "TournamentFinished", "BoardsRevealed"]


def test_a_director_who_runs_the_event_alone_is_not_forestalled() -> None:
    desk = Desk(terms_of(RoundRobin(), pace=MANUAL, boards=Boards()), 4)
    assert kinds(desk) == ["RegistrationOpened", "RegistrationClosed", "LotsDrawn", "BoardsCommitted"]
    desk.add(*start(desk.state, draw, "director"))
    assert kinds(desk) == []
    assert obstacle(desk.state, desk.now) is None


def test_time_is_called_for_a_director_too() -> None:
    desk = Desk(terms_of(RoundRobin()), 4)
    desk.run_to_start()
    desk.state.terms = terms_of(RoundRobin(), pace=MANUAL)
    due = next_moment(desk.state, desk.now)
    assert due == desk.now + timedelta(minutes=10)
    assert next_moment(desk.state, due) == desk.now + timedelta(minutes=25)
    desk.now += timedelta(minutes=25)
    assert kinds(desk) == ["TimeCalled"]
    assert all(each.time_called for each in wanted_games(desk.state))


def test_nothing_happens_before_its_time_and_the_time_is_told() -> None:
    terms = terms_of(
        RoundRobin(),
        registration=Registration(opens_at=text(NOON + timedelta(hours=1)), closes_at=text(NOON + timedelta(hours=2))),
        pace=Pace(starts_at=text(NOON + timedelta(hours=3))),
    )
    desk = Desk(terms, 2)
    for hours, happens in ((1, ["RegistrationOpened"]), (2, ["RegistrationClosed", "LotsDrawn"])):
        assert kinds(desk) == []
        assert next_moment(desk.state, desk.now) == NOON + timedelta(hours=hours)
        desk.now = NOON + timedelta(hours=hours) - timedelta(seconds=1)
        assert kinds(desk) == []
        desk.now = NOON + timedelta(hours=hours)
        assert kinds(desk) == happens
    assert next_moment(desk.state, desk.now) == NOON + timedelta(hours=3)


def test_seeds_go_by_rating_and_then_by_the_order_of_entering() -> None:
    desk = Desk(terms_of(RoundRobin()))
    for rating in (None, 1200, 1500, 1200, None):
        desk.enter(rating=rating)
    desk.run_to_start()
    assert desk.state.seeding == ("e3", "e2", "e4", "e1", "e5")


def test_a_directors_seeds_stay() -> None:
    desk = Desk(terms_of(RoundRobin()), 3)
    desk.add(Seeded(order=("e3", "e1", "e2"), method="director"))
    desk.run_to_start()
    assert desk.state.seeding == ("e3", "e1", "e2")


def test_who_enters_after_the_director_seeded_stands_behind() -> None:
    desk = Desk(terms_of(RoundRobin()), 3)
    desk.add(Seeded(order=("e3", "e1", "e2"), method="director"))
    desk.enter(rating=3000)
    desk.run_to_start()
    assert desk.state.seeding == ("e3", "e1", "e2", "e4")


def test_rounds_of_a_league_begin_at_their_times() -> None:
    week = timedelta(days=7)
    pace = Pace(starts_at=text(NOON), round_times=(text(NOON + week), text(NOON + 2 * week)))
    desk = Desk(terms_of(RoundRobin(), pace=pace), 4)
    for number in range(3):
        desk.run_to_start()
        assert desk.now == NOON + number * week
        desk.play(wanted_games(desk.state))
        desk.now -= timedelta(minutes=1)


def test_a_pause_lies_between_rounds() -> None:
    desk = Desk(terms_of(RoundRobin(), pace=Pace(starts_at=text(NOON), pause_seconds=90)), 4)
    desk.run_to_start()
    desk.play(wanted_games(desk.state))
    closed = desk.now
    assert kinds(desk) == ["RoundClosed", "StandingsPublished", "RoundPaired"]
    assert next_moment(desk.state, desk.now) == closed + timedelta(seconds=90)


def test_who_has_not_checked_in_has_a_zero_bye_until_they_do() -> None:
    terms = terms_of(Swiss(rounds=2), registration=Registration(check_in_minutes=30))
    desk = Desk(terms, 5)
    for entrant in ("e1", "e2", "e3", "e4"):
        desk.add(CheckedIn(entrant=entrant))
    desk.run_to_start()
    assert desk.state.rounds[1].byes == {"e5": "zero_bye"}
    desk.add(CheckedIn(entrant="e5"))
    desk.play(wanted_games(desk.state))
    desk.run_to_start()
    assert "zero_bye" not in desk.state.rounds[2].byes.values()


def test_bots_are_there_without_checking_in() -> None:
    desk = Desk(terms_of(Swiss(rounds=1), registration=Registration(check_in_minutes=30), stand_in_level="greedy"), 3)
    for entrant in ("e1", "e2", "e3"):
        desk.add(CheckedIn(entrant=entrant))
    levels = ("greedy",) * len(desk.state.entrants["e1"].players)
    bots = tuple(f"b{number}" for number in range(len(levels)))
    desk.add(Entered(entrant="e4", players=bots, bots=levels, consents=(), status="entered"))
    desk.run_to_start()
    assert desk.state.rounds[1].byes == {}


def test_a_schedule_takes_only_who_is_there_when_it_begins() -> None:
    desk = Desk(terms_of(RoundRobin(), registration=Registration(check_in_minutes=30)), 4)
    for entrant in ("e1", "e2", "e4"):
        desk.add(CheckedIn(entrant=entrant))
    desk.run_to_start()
    assert desk.state.stages[0].entrants == ("e1", "e2", "e4")


def test_a_bye_that_was_asked_for_is_given_as_it_was_asked() -> None:
    desk = Desk(terms_of(Swiss(rounds=2)), 5)
    desk.add(ByeAsked(entrant="e1", rounds=(1,), bye="half_bye"))
    desk.run_to_start()
    assert desk.state.rounds[1].byes == {"e1": "half_bye"}


def test_a_late_entrant_is_paired_from_the_first_round_it_plays_in() -> None:
    desk = Desk(terms_of(Swiss(rounds=3), registration=Registration(late_rounds=1)), 5)
    desk.run_to_start()
    late = desk.enter(late_round=2)
    desk.play(wanted_games(desk.state))
    desk.run_to_start()
    seated = [entrant for pair in desk.sides(2) for entrant in pair]
    assert late in seated
    assert not desk.state.rounds[2].byes


def test_a_late_entrant_is_in_no_round_before_its_first_one() -> None:
    desk = Desk(terms_of(Swiss(rounds=3), registration=Registration(late_rounds=2)), 6)
    desk.run_to_start()
    late = desk.enter(late_round=3)
    for number in (2, 3):
        desk.play(wanted_games(desk.state))
        desk.run_to_start()
        seated = [entrant for pair in desk.sides(number) for entrant in pair]
        assert (late in seated or late in desk.state.rounds[number].byes) is (number == 3)


def test_boards_that_nobody_committed_to_are_not_played() -> None:
    desk = Desk(terms_of(Swiss(rounds=2), boards=Boards()), 6)
    desk.run_to_start()
    desk.add(events.BoardsCommitted(boards=2))
    desk.play(wanted_games(desk.state))
    kinds(desk)
    refusal = obstacle(desk.state, desk.now)
    assert refusal is not None
    assert (refusal.code, refusal.params) == ("boards_spent", {"boards": 2, "needed": 4})


def test_a_round_is_paired_anew_where_somebody_left_before_it_began() -> None:
    desk = Desk(terms_of(Swiss(rounds=2)), 6)
    desk.run_to(RoundPaired)
    desk.add(Withdrawn(entrant="e1"))
    assert kinds(desk) == ["PairingUndone", "RoundPaired", "RoundStarted"]
    assert "e1" not in [entrant for pair in desk.sides(1) for entrant in pair]


def test_a_directors_own_pairing_is_not_undone_but_waits_for_the_director() -> None:
    desk = Desk(terms_of(Swiss(rounds=2)), 6)
    paired = desk.run_to(RoundPaired)
    assert isinstance(paired, RoundPaired)
    desk.state.rounds[1] = type(desk.state.rounds[1])(
        number=1, stage=0, matches=desk.state.rounds[1].matches, byes={}, engine="director", relaxations=()
    )
    desk.add(Withdrawn(entrant="e1"))
    assert kinds(desk) == []
    waits = obstacle(desk.state, desk.now)
    assert waits is not None
    assert (waits.code, waits.params["entrants"]) == ("pairing_invalid", ["e1"])


def test_who_left_a_bracket_before_the_match_began_has_lost_it() -> None:
    desk = Desk(terms_of(Elimination()), 4)
    desk.run_to(RoundPaired)
    desk.add(Withdrawn(entrant="e1"))
    assert kinds(desk) == ["MatchDecided", "RoundStarted"]
    state = desk.finish(by_seed)
    assert [set(each) for each in desk.sides(2)] == [{"e4", "e2"}]
    assert state.matches["r1m1"].decided is not None
    assert state.matches["r1m1"].decided.how == "walkover"


def test_a_bracket_in_which_nobody_came_goes_on_without_them() -> None:
    desk = Desk(terms_of(Elimination()), 4)
    desk.run_to(RoundPaired)
    desk.add(Withdrawn(entrant="e1"))
    desk.add(Withdrawn(entrant="e4"))
    state = desk.finish(by_seed)
    decided = state.matches["r1m1"].decided
    assert decided is not None
    assert (decided.how, decided.winner) == ("nobody", None)
    assert len(state.rounds) == 1


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("form", [Swiss(rounds=4), Danish(rounds=4), RoundRobin(), Elimination(double=True)])
def test_a_stage_ends_where_one_is_left_or_nobody(form: Swiss, left: int) -> None:
    desk = Desk(terms_of(form), 5)
    desk.run_to_start()
    for entrant in list(desk.state.entrants)[left:]:
        desk.add(Withdrawn(entrant=entrant))
    assert desk.finish().status == "finished"
    assert len(desk.state.rounds) == 1 or isinstance(form, Elimination)
    assert len(desk.state.rounds) <= 5


def test_a_dead_end_is_told_and_never_loops() -> None:
    desk = Desk(terms_of(Swiss(rounds=2, relaxations=())), 4)
    desk.add(PairingForbidden(pair=("e1", "e2")))
    desk.add(PairingForbidden(pair=("e1", "e3")))
    desk.add(PairingForbidden(pair=("e1", "e4")))
    desk.go_on()
    desk.now = NOON + timedelta(hours=1)
    kinds(desk)
    assert step(desk.state, desk.now, draw) == []
    refusal = obstacle(desk.state, desk.now)
    assert refusal is not None
    assert (refusal.code, refusal.params["why"]) == ("no_pairing", "dead_end")


def test_an_impossible_number_of_rounds_is_told_before_the_start() -> None:
    desk = Desk(terms_of(Swiss(rounds=5)), 4)
    desk.now = NOON + timedelta(hours=1)
    assert kinds(desk) == ["RegistrationOpened", "RegistrationClosed"]
    refusal = obstacle(desk.state, desk.now)
    assert refusal is not None
    assert refusal.code == "rounds_impossible"
    assert refusal.params["faults"][0]["params"] == {
        "rounds": 5,
        "most": 2,
        "advised": 2,
        "offered": "round_robin",
        "offered_rounds": 3,
    }


def test_nobody_to_start_with_is_told() -> None:
    desk = Desk(terms_of(Swiss(rounds=1)), 1)
    desk.now = NOON + timedelta(hours=1)
    kinds(desk)
    refusal = obstacle(desk.state, desk.now)
    assert refusal is not None
    assert refusal.code == "entrants_too_few"


def test_boards_with_a_beacon_wait_for_it() -> None:
    desk = Desk(terms_of(RoundRobin(), boards=Boards(beacon=True)), 2)
    desk.now = NOON + timedelta(hours=1)
    kinds(desk)
    assert wants_beacon(desk.state) == "fixed"
    refusal = obstacle(desk.state, desk.now)
    assert refusal is not None
    assert refusal.code == "beacon_awaited"
    desk.add(events.BeaconFixed(beacon={"round": 7}))
    assert wants_beacon(desk.state) == "shown"
    desk.add(events.BeaconShown(beacon={"round": 7}))
    assert wants_beacon(desk.state) is None
    assert kinds(desk)[-1] == "RoundStarted"


def test_a_round_is_closed_only_when_every_match_is_over() -> None:
    desk = Desk(terms_of(RoundRobin()), 4)
    desk.run_to_start()
    desk.play(wanted_games(desk.state)[:1])
    assert kinds(desk) == []
    with pytest.raises(TournamentRefused) as refused:
        close_round(desk.state, 1)
    assert refused.value.params["open"] == ["r1m2"]


def test_a_round_starts_once() -> None:
    desk = Desk(terms_of(RoundRobin()), 2)
    desk.run_to_start()
    with pytest.raises(TournamentRefused) as refused:
        start_round(desk.state, desk.now)
    assert refused.value.code == "round_wrong_status"


def test_an_arena_pairs_who_is_free_while_others_play() -> None:
    desk = Desk(terms_of(Stage(format=Arena(minutes=30, pairing_seconds=60), match=QUICK)), 6)
    desk.run_to_start()
    first = wanted_games(desk.state)
    desk.tell([result_of(each, by_chance(each)) for each in first[:2]])
    assert kinds(desk) == []
    desk.now += timedelta(seconds=60)
    assert kinds(desk) == ["RoundPaired", "RoundStarted"]
    playing = [entrant for each in wanted_games(desk.state) for entrant in set(each.entrants)]
    assert len(playing) == len(set(playing)) == 6
    assert len({each.table for each in wanted_games(desk.state)}) == 3


def test_an_arena_counts_only_matches_begun_before_its_end() -> None:
    desk = Desk(terms_of(Stage(format=Arena(minutes=30), match=QUICK)), 4)
    desk.run_to_start()
    desk.now += timedelta(minutes=31)
    wanted = wanted_games(desk.state)
    assert wanted
    desk.tell([result_of(each, by_chance(each)) for each in wanted])
    assert kinds(desk)[-3:] == ["StandingsPublished", "TournamentFinished", "BoardsRevealed"]


def test_two_in_an_arena_meet_again_and_again() -> None:
    desk = Desk(terms_of(Stage(format=Arena(minutes=5), match=QUICK)), 2)
    state = desk.finish()
    assert len(state.matches) > 2


def test_a_challenge_that_was_accepted_becomes_a_match_and_moves_the_ladder() -> None:
    desk = Desk(terms_of(Ladder(days=2)), 6)
    desk.run_to(StageBegun)
    assert desk.state.ladder == ("e1", "e2", "e3", "e4", "e5", "e6")
    desk.add(Challenged(challenger="e6", challenged="e2"))
    assert kinds(desk) == []
    desk.add(ChallengeAnswered(challenger="e6", challenged="e2", accepted=True))
    assert kinds(desk) == ["RoundPaired", "RoundStarted"]
    assert desk.state.accepted == {}
    (game,) = wanted_games(desk.state)
    side = game.side_of[game.entrants.index("e6")]
    desk.tell([result_of(game, [(500, 0) if side == 0 else (0, 500)] * 2)])
    assert kinds(desk) == ["RoundClosed", "RungsMoved", "StandingsPublished"]
    assert desk.state.ladder == ("e1", "e2", "e3", "e6", "e4", "e5")


def test_a_double_elimination_lets_nobody_go_who_lost_once() -> None:
    desk = Desk(terms_of(Elimination(double=True)), 8)
    state = desk.finish(by_seed)
    losses: dict[str, int] = {}
    for match in state.matches.values():
        assert match.decided is not None
        loser = match.paired.sides[1 - (match.decided.winner or 0)][0]
        losses[loser] = losses.get(loser, 0) + 1
    assert len(state.matches) == 14
    assert losses == {f"e{number}": 2 for number in range(2, 9)}


def test_a_cut_match_is_decided_by_what_it_has() -> None:
    desk = Desk(terms_of(Stage(format=RoundRobin(), match=MatchTerms(length=FixedHands(4), minutes=50))), 2)
    desk.run_to_start()
    (game,) = wanted_games(desk.state)
    desk.now += timedelta(minutes=50)
    assert kinds(desk) == ["TimeCalled"]
    assert wanted_games(desk.state)[0].time_called
    happened = record(desk.state, [result_of(game, [(400, 100)], "time")])
    desk.add(*happened)
    assert kinds(desk)[0] == "RoundClosed"


def test_a_cancelled_tournament_shows_its_master_and_no_games() -> None:
    desk = Desk(terms_of(RoundRobin()), 4)
    desk.run_to_start()
    desk.add(events.TournamentCancelled(reason="other"))
    assert wanted_games(desk.state) == []
    assert kinds(desk) == ["BoardsRevealed"]
