"""Tournaments from their files: exported, imported, and the standings are the same; or refused before anything is."""

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import available_timezones

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.ruleset_faults import RuleSetInvalidError
from domain.rulesets import resolve
from domain.tournaments.announcing import announce
from domain.tournaments.entering import consent
from domain.tournaments.event import Text
from domain.tournaments.fold import begin
from domain.tournaments.formats import (
    Arena,
    Danish,
    Elimination,
    Format,
    Howell,
    Individual,
    Ladder,
    Mitchell,
    RoundRobin,
    Swiss,
)
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.matches import (
    BoardAMatch,
    Butler,
    CrossImps,
    FixedHands,
    ImpMatch,
    Matchpoints,
    MatchTerms,
    PerHand,
    RawPoints,
    WinDrawLoss,
)
from domain.tournaments.process import next_moment
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.seating import Adjustment
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Boards, Carry, Registration, Stage
from service.store.append import EVENTS_MAX
from service.tournaments.exporting import RulingOut, TournamentOut, exported, to_json
from service.tournaments.import_steps import rounds_over, steps_of
from service.tournaments.importing import Group, StepFailed, imported_terms, rehearsed, with_sound_rules
from service.tournaments.trf_import import tournament_of
from service.trf.reading import read_trf
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import NOON, QUICK, Desk, draw, result_of, terms_of
from tests.service.trf.files import DATA, by_chance, written

HERE = "t" + "2" * 32


def file_of(state: Tournament) -> TournamentOut:
    """A tournament's file, written and read."""
    names = {each: f"Entrant {each}" for each in state.entrants}
    return msgspec.json.decode(to_json(exported(state, "The cup", names, {})), type=TournamentOut)


def imported(file: TournamentOut) -> tuple[list[Group], Tournament]:
    """What a file comes to, with another master than its own."""
    terms = imported_terms(file.terms)
    created = announce(terms, Text("x", "0" * 64), "0" * 64, "test", "p1", NOON, available_timezones())
    players = {each.id: tuple(f"p-{each.id}-{place}" for place in range(len(each.members))) for each in file.entrants}
    return rehearsed(
        begin(HERE, created), [*steps_of(file, players, {})], file, NOON, lambda each: draw(f"other/{each}")
    )


def check_same(state: Tournament, found: Tournament) -> None:
    """Standings, scores of matches and who is in."""
    for stage in state.stages:
        assert standings(found, stage.number).rows == standings(state, stage.number).rows
    assert [*found.entrants] == [*state.entrants]
    assert {each.id: each.status for each in found.entrants.values()} == {
        each.id: each.status for each in state.entrants.values()
    }
    assert {each.id: each.outcome and each.outcome.score for each in found.matches.values()} == {
        each.id: each.outcome and each.outcome.score for each in state.matches.values()
    }


def stage(form: Format, **changes: Any) -> Stage:
    return Stage(format=form, match=changes.pop("match", QUICK), **changes)


BOARDS = Boards()
PLAYED: dict[str, tuple[Any, int]] = {
    "swiss": (terms_of(Swiss(rounds=4)), 9),
    "dutch": (terms_of(stage(Swiss(rounds=4, method="fide_dutch"), score=WinDrawLoss())), 9),
    "danish": (terms_of(Danish(rounds=4)), 7),
    "round robin": (terms_of(RoundRobin(cycles=2)), 5),
    "mitchell": (terms_of(Mitchell()), 8),
    "mitchell, boards go round": (
        terms_of(stage(Mitchell(), score=Matchpoints()), boards=Boards(movement="rotating")), 8,
    ),
    "howell, matchpoints": (terms_of(stage(Howell(), score=Matchpoints()), boards=BOARDS), 6),
    "cross-IMPs": (terms_of(stage(Swiss(rounds=3), score=CrossImps()), boards=BOARDS), 8),
    "butler": (terms_of(stage(Swiss(rounds=3), score=Butler()), boards=BOARDS), 8),
    "teams, board a match": (
        terms_of(stage(Swiss(rounds=3), score=BoardAMatch()), boards=BOARDS, entrants="teams"), 6,
    ),
    "teams, IMPs": (terms_of(stage(RoundRobin(), score=ImpMatch()), boards=BOARDS, entrants="teams"), 4),
    "points": (terms_of(stage(Swiss(rounds=3), score=RawPoints())), 7),
    "individual": (terms_of(Individual(), entrants="individuals"), 8),
    "individual swiss": (terms_of(Individual(movement="swiss", rounds=3), entrants="individuals"), 9),
    "elimination": (terms_of(Elimination(third_place=True)), 11),
    "double elimination, hands for ties": (terms_of(Elimination(double=True, tie="extra_hand")), 7),
    "first meld per hand": (
        terms_of(stage(Swiss(rounds=2), match=MatchTerms(length=FixedHands(3), first_meld=PerHand((50, 90))))), 6,
    ),
    "two stages": (
        terms_of(Swiss(rounds=3), stage(RoundRobin(), qualifiers=4, carry=Carry(what="score", percent=50))), 9,
    ),
    "three at a table": (terms_of(Individual(movement="swiss", rounds=3), players=3), 9),
    "arena": (terms_of(Arena(minutes=30)), 8),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_exported_and_imported_has_the_same_standings(name: str) -> None:
    terms, entrants = PLAYED[name]
    event = Desk(terms, entrants)
    event.twice = False
    state = event.finish()
    groups, found = imported(file_of(state))
    check_same(state, found)
    assert found.status == "finished"
    assert found.order == state.order
    assert (found.terms.rated, found.terms.shown, found.terms.pace.automatic) == (False, "unlisted", False)
    assert groups


def directed(act: Callable[[Event], object], rounds: int = 3, **terms: Any) -> Event:
    """A Swiss with something in it that a director did, in the middle."""
    event = Event(terms_of(Swiss(rounds=rounds + 1), pace=BY_HAND, **terms), 9)
    event.begin()
    for number in range(1, rounds + 1):
        event.whole_round()
        if number == 2:
            act(event)
    return event


def rule_of(kind: str, **fields: Any) -> Callable[[Event], object]:
    return lambda event: event.act("rule", match="r1m1", adjustment={"kind": kind, **fields}, reason="conduct")


def late(event: Event) -> None:
    event.act("enter", players=["pa", "pb"])
    entrant = [*event.state.entrants][-1]
    for player in event.state.entrants[entrant].players:
        event.take(consent(event.state, entrant, player, event.now))


DIRECTED: dict[str, Callable[[Event], Any]] = {
    "withdrawal": lambda event: event.act("withdraw", entrant="e1"),
    "disqualification": lambda event: event.act("disqualify", entrant="e2", reason="conduct"),
    "penalty": lambda event: event.act("penalty", entrant="e3", score=250, reason="late"),
    "penalty of a round": lambda event: event.act("penalty", entrant="e3", score=-50, round=1, reason="late"),
    "half bye": lambda event: event.act("give_bye", entrant="e4", rounds=[3], bye="half_bye"),
    "score": rule_of("score", score=[1500, 200]),
    "points": rule_of("points", points=[100, 900]),
    "average": rule_of("average", average=["plus", "minus"]),
    "forfeit": rule_of("forfeit", forfeit=[False, True]),
    "both missing": rule_of("forfeit", forfeit=[True, True]),
    "void": rule_of("void"),
    "late entry": late,
}


@pytest.mark.parametrize("name", DIRECTED)
def test_what_directors_did_is_in_it(name: str) -> None:
    event = directed(DIRECTED[name], registration=Registration(late_rounds=3, late_score=40))
    check_same(event.state, imported(file_of(event.state))[1])


def test_a_tournament_that_has_not_started_brings_its_entrants() -> None:
    event = Event(terms_of(Swiss(rounds=3), pace=BY_HAND), 6)
    found = imported(file_of(event.state))[1]
    assert found.status == "registration"
    assert len(found.active) == 6


def test_a_round_under_way_is_left_out() -> None:
    event = directed(lambda _event: None)
    event.act("pair")
    event.act("start_round", round=4)
    file = replace(file_of(event.state), standings=())
    assert len(rounds_over(file)) == 3
    assert len(imported(file)[1].rounds) == 3


def test_lots_of_the_file_are_those_of_the_import_and_have_a_reason() -> None:
    terms = terms_of(stage(Swiss(rounds=2), tie_breaks=("lot",), score=WinDrawLoss()))
    state = Desk(terms, 16).finish()
    groups, found = imported(file_of(state))
    assert found.lots["lots"] == state.lots["lots"]
    check_same(state, found)
    assert sum(len(group.steps) for group in groups) > 16


def test_lots_that_decided_who_goes_on_are_those_of_the_file() -> None:
    terms = terms_of(
        stage(Swiss(rounds=2), score=WinDrawLoss(), tie_breaks=("wins",)), stage(RoundRobin(), qualifiers=3)
    )
    state = Desk(terms, 8).finish(lambda game: [(100, 100)] * 2)
    assert "cut/1" in state.lots
    check_same(state, imported(file_of(state))[1])


def test_hands_that_decide_ties_are_games_of_their_own() -> None:
    def points(game: WantedGame) -> list[tuple[int, int]]:
        return [(100, 100)] * 2 if game.leg == 1 else [(50, 300)]

    state = Desk(terms_of(Elimination(tie="extra_hand")), 6).finish(points)
    assert any(result.leg > 1 for match in state.matches.values() for result in match.results)
    _, found = imported(file_of(state))
    check_same(state, found)
    assert found.matches["r1m1"].outcome == state.matches["r1m1"].outcome


def test_who_gave_a_game_up_has_lost_it_with_its_points() -> None:
    event = Desk(terms_of(Swiss(rounds=2)), 6)
    while not event.state.revealed:
        if not event.step():
            games = wanted_games(event.state)
            event.tell([replace(result_of(each, [(900, 100)] * 2), loser=0) for each in games])
            event.now = next_moment(event.state, event.now) or event.now
    _, found = imported(file_of(event.state))
    check_same(event.state, found)
    assert found.matches["r1m1"].ruling is None


def test_a_penalty_counts_in_the_stage_in_which_it_was_given() -> None:
    terms = terms_of(Swiss(rounds=2), stage(RoundRobin(), qualifiers=4), pace=BY_HAND)
    event = Event(terms, 6)
    event.begin()
    event.whole_round()
    event.act("penalty", entrant="e1", score=700, reason="late")
    event.whole_round()
    event.now += timedelta(hours=1)
    event.act("advance")
    event.whole_round()
    file = file_of(event.state)
    assert [each.stage for each in file.penalties] == [0]
    check_same(event.state, imported(file)[1])


def test_groups_are_appends_that_the_store_takes_and_end_where_nothing_is_played() -> None:
    state = Desk(terms_of(Swiss(rounds=5)), 200).finish()
    file = file_of(state)
    groups, _ = imported(file)
    assert [group.number for group in groups] == [*range(1, len(groups) + 1)]
    assert len(groups) >= 3
    assert all(len(group.steps) <= EVENTS_MAX for group in groups)
    with pytest.raises(StepFailed, match="512 events"):
        imported(file_of(Desk(terms_of(Swiss(rounds=1)), 520).finish()))


def changed(file: TournamentOut, change: str) -> TournamentOut:
    """A file with one thing wrong in it."""
    first, *others = file.rounds
    match, *matches = first.matches
    rounds = {
        "opponents unknown": replace(match, sides=(("e1",), ("e77",))),
        "oneself": replace(match, sides=(("e1",), ("e1",))),
        "three sides": replace(match, sides=(("e1",), ("e2",), ("e3",))),
        "twice": replace(match, sides=matches[0].sides),
        "points wrong": replace(match, results=tuple(replace(each, points=(1, 2)) for each in match.results)),
        "hands too short": replace(match, results=tuple(replace(each, hands=((1,),)) for each in match.results)),
        "score wrong": replace(match, score=(123, 456)),
        "ruling wrong": replace(
            match,
            ruling=RulingOut(adjustment=Adjustment(kind="score"), reason="other"),
        ),
    }
    if change in rounds:
        return replace(file, rounds=(replace(first, matches=(rounds[change], *matches)), *others))
    match change:
        case "round number":
            return replace(file, rounds=(replace(first, number=5), *others))
        case "stage number":
            return replace(file, rounds=(replace(first, stage=3), *others))
        case "entrant id":
            return replace(file, entrants=file.entrants[1:])
        case "member missing":
            return replace(file, entrants=(replace(file.entrants[0], members=()), *file.entrants[1:]))
        case "stage differs":
            return replace(file, stages=(replace(file.stages[0], carried=(5,) * 8),))
        case "nobody begins":
            return replace(file, stages=(replace(file.stages[0], entrants=()),))
        case "ladder":
            ladder = replace(file.terms.stages[0], format=Ladder(days=3))
            return replace(file, terms=replace(file.terms, stages=(ladder,)))
        case _:
            return replace(file, standings=(replace(file.standings[0], rows=file.standings[0].rows[::-1]),))


@pytest.mark.parametrize(
    "change",
    [
        "opponents unknown", "oneself", "three sides", "twice", "hands too short", "score wrong", "ruling wrong",
        "round number", "stage number", "entrant id", "member missing", "stage differs", "nobody begins", "ladder",
        "standings differ",
    ],
)  # fmt: skip
def test_a_file_that_contradicts_itself_is_refused_with_the_place(change: str) -> None:
    file = file_of(directed(lambda _event: None, rounds=2).state)
    with pytest.raises(StepFailed) as failed:
        imported(changed(file, change))
    assert failed.value.place
    assert failed.value.message


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in JSON values."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in items:
        found += places(each, (*path, name))
    return found


FILE: Any = msgspec.to_builtins(file_of(directed(lambda _: None, rounds=2).state))
PLACES = [path for path in places(FILE) if path[:2] != ("terms", "ruleset")]
WRONG: st.SearchStrategy[Any] = st.sampled_from(
    [None, 0, 1, -1, 2**70, "", "e1", "e9", "e99", "x", True, [], {}, [["e1"], ["e1"]], [[1]], [1, 2], "swiss", "void"]
)


@settings(max_examples=400, deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), WRONG | st.just("gone")), min_size=1, max_size=3))
def test_a_file_with_anything_wrong_in_it_is_imported_or_refused(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    file = copy.deepcopy(FILE)
    for (*path, last), wrong in changes:
        try:
            inner = file
            for name in path:
                inner = inner[name]
            if wrong == "gone":
                del inner[last]
            else:
                inner[last] = copy.deepcopy(wrong)
        except (LookupError, TypeError):
            continue
    try:
        imported(with_sound_rules(msgspec.convert(file, TournamentOut)))
    except (StepFailed, TournamentRefused, msgspec.ValidationError, RuleSetInvalidError):
        return


@pytest.mark.parametrize("change", ["players", "going_out_requirement"])
def test_a_rule_set_that_is_none_is_refused(change: str) -> None:
    file = copy.deepcopy(FILE)
    file["terms"]["ruleset"][change] = {}
    with pytest.raises((RuleSetInvalidError, msgspec.ValidationError)):
        imported(with_sound_rules(msgspec.convert(file, TournamentOut)))


@pytest.mark.parametrize("seed", range(12))
def test_report_files_become_tournaments_with_the_same_points(seed: int) -> None:
    rounds = by_chance(seed, players=8 + seed % 3, rounds=5)
    trf = read_trf(written(rounds, f"XXR {5 + seed % 2}"))
    _, found = imported(tournament_of(trf, resolve("canasta-classic")))
    assert {int(row.entrant[1:]): row.score for row in standings(found).rows} == {
        each.number: each.points for each in trf.competitors
    }
    assert found.status == ("finished" if seed % 2 == 0 else "running")


def test_the_published_files_can_be_imported() -> None:
    for name in ("dutch_2025_C5", "dutch_2025_C9"):
        trf = read_trf((DATA / f"{name}.trf").read_bytes())
        _, found = imported(tournament_of(trf, resolve("canasta-classic")))
        assert len(found.rounds) == trf.paired


def test_report_files_that_cannot_be_one_are_refused() -> None:
    ruleset = resolve("canasta-classic")
    for data, code in (
        (written({1: ["2w1"], 2: ["1b0"]}).replace(b" 1.0", b" 2.5"), "points_differ"),
        (written({1: ["2w1"], 2: ["1b0"]}, "013 A".ljust(36) + "   1", "013 B".ljust(36) + "   2"), "teams_not_taken"),
        (written({1: ["2w1"], 2: ["1b0"]}, "162  W 1.0    D 0.5    L 0.0    P 1.5"), "worth_invalid"),
    ):
        with pytest.raises(StepFailed) as failed:
            imported(tournament_of(read_trf(data), ruleset))
        assert failed.value.code == code
