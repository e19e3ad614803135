"""Tournaments from their files: exported, imported, and the standings are the same; or refused before anything is."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.rulesets import resolve
from domain.tournaments.event import Text
from domain.tournaments.events import TournamentCreated
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
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Boards, Carry, Registration, Stage
from service.store.append import EVENTS_MAX
from service.tournaments.exporting import RulingOut, TournamentOut, exported, to_json
from service.tournaments.import_steps import rounds_over, steps_of
from service.tournaments.importing import Group, StepFailed, imported_terms, rehearsed
from service.tournaments.trf_import import tournament_of
from service.trf.reading import read_trf
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import NOON, QUICK, Desk, draw, terms_of
from tests.service.trf.files import DATA, by_chance, written

HERE = "t" + "2" * 32


def file_of(state: Tournament) -> TournamentOut:
    """A tournament's file, written and read."""
    names = {each: f"Entrant {each}" for each in state.entrants}
    return msgspec.json.decode(to_json(exported(state, "The cup", names, {})), type=TournamentOut)


def imported(file: TournamentOut) -> tuple[list[Group], Tournament]:
    """What a file comes to, with another master than its own."""
    created = TournamentCreated(
        n=1, at="2026-05-01T12:00:00Z", terms=imported_terms(file.terms), commitment="0" * 64,
        title=Text("x", "0" * 64), engine="test", by="p1",
    )  # fmt: skip
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
    event.act("enter", players=["pa", "pb"], given=None)
    entrant = [*event.state.entrants][-1]
    for player in event.state.entrants[entrant].players:
        from domain.tournaments.entering import consent

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
            ruling=RulingOut(adjustment=msgspec.convert({"kind": "score"}, type=type(_adjustment())), reason="other"),
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


def _adjustment() -> Any:
    from domain.tournaments.seating import Adjustment

    return Adjustment(kind="void")


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
