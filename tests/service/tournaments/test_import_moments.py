"""A file may be written at any moment of a tournament; it is read again with the standings of the rounds then over."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.formats import Elimination, Format, Ladder, Mitchell, RoundRobin, Swiss
from domain.tournaments.given import Given, Person
from domain.tournaments.matches import FixedHands, Matchpoints, MatchTerms
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Boards, Registration
from service.tournaments.exporting import rounds_over
from service.tournaments.importing import StepFailed
from tests.domain.tournaments.campaign import SMALL, Campaign
from tests.domain.tournaments.directors import BY_HAND, NOTE, Event
from tests.domain.tournaments.scenarios import result_of, terms_of
from tests.domain.tournaments.test_directing_hostile import Hostile, names, some_terms
from tests.service.tournaments.import_files import check_same, directed, file_of, imported, late, stage

ROTATING = Boards(movement="rotating")


def check_moment(state: Tournament) -> int:
    """The file of this moment is read, as far as its rounds are over; how many are."""
    file = file_of(state)
    over = rounds_over(file.terms, file.rounds)
    _, found = imported(file)
    assert [*found.rounds] == [each.number for each in over]
    assert all(each.status == "closed" for each in found.rounds.values())
    for told in file.standings:
        assert standings(found, told.stage).rows == told.rows
    if len(over) == len(state.rounds):
        check_same(state, found)
    return len(over)


class Looked(Campaign):
    """A random tournament, exported and imported now and then."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, SMALL[:5])
        self.twice = False
        self.looks = Random(seed)
        self.found = 0

    def step(self) -> list[AnyTournamentEvent]:
        happened = super().step()
        if self.state.status in ("running", "finished") and self.looks.random() < 0.1:
            self.found += check_moment(self.state) + 1
        return happened


@pytest.mark.parametrize("ten", range(12))
def test_what_is_exported_at_any_moment_can_be_imported(ten: int) -> None:
    tournaments = [Looked(seed) for seed in range(10 * ten, 10 * ten + 10)]
    played = [each for each in tournaments if not isinstance(each.state.terms.stages[0].format, Ladder)]
    for each in played:
        each.run()
    assert sum(each.found for each in played) > 10


@pytest.mark.parametrize("twenty", range(5))
def test_whatever_directors_did_can_be_imported_at_any_moment(twenty: int) -> None:
    looks = 0
    for seed in range(20 * twenty, 20 * twenty + 20):
        chance = Random(seed)
        event = Event(some_terms(chance), chance.randrange(5, 12))
        if isinstance(event.state.terms.stages[0].format, Ladder):
            continue
        event.begin()
        for _ in range(80):
            name = names(chance)
            if name == "play":
                event.play([each for each in event.play_list() if chance.random() < 0.8])
                continue
            fields = Hostile(event, chance).fields(name)
            with suppress(TournamentRefused):
                event.act(name, Given(text=NOTE, persons={"pnew": Person()}), **fields)
                if chance.random() < 0.25:
                    check_moment(event.state)
                    looks += 1
    assert looks > 10


def under_way(form: Format, entrants: int = 9, **terms: Any) -> Event:
    """A first round is over, and a part of the second one."""
    event = Event(terms_of(form, pace=BY_HAND, **terms), entrants)
    event.begin()
    event.whole_round()
    event.next_round()
    event.play(event.play_list()[:2])
    return event


def late_and_gone(event: Event) -> None:
    late(event)
    event.act("withdraw", entrant="e10")


MEANWHILE: dict[str, Callable[[Event], Any]] = {
    "nothing": lambda event: None,
    "all is over": lambda event: event.play_all(),
    "late entry": late,
    "late entry, gone again": late_and_gone,
    "withdrawal": lambda event: event.act("withdraw", entrant="e1"),
    "disqualification": lambda event: event.act("disqualify", entrant="e2", reason="conduct"),
    "penalty of the round": lambda event: event.act("penalty", entrant="e3", score=250, round=2, reason="late"),
    "penalty": lambda event: event.act("penalty", entrant="e3", score=250, reason="late"),
    "ruling": lambda event: event.act(
        "rule", match="r2m4", adjustment={"kind": "average", "average": ["plus", "minus"]}, reason="conduct"
    ),
    "ruling on the round before": lambda event: event.act(
        "rule", match="r1m1", adjustment={"kind": "points", "points": [100, 900]}, reason="scoring_error"
    ),
    "forfeit": lambda event: event.act(
        "forfeit", match="r2m3", entrants=[event.state.matches["r2m3"].paired.sides[0][0]], reason="absence"
    ),
}


@pytest.mark.parametrize("boards", [None, Boards()])
@pytest.mark.parametrize("name", MEANWHILE)
def test_a_round_under_way_is_left_out_with_what_happened_in_it(name: str, boards: Boards | None) -> None:
    event = under_way(Swiss(rounds=4), boards=boards, registration=Registration(late_rounds=3, late_score=40))
    MEANWHILE[name](event)
    assert check_moment(event.state) == 1


@pytest.mark.parametrize("form", [Swiss(rounds=4), RoundRobin(), Elimination(third_place=True)])
def test_the_next_round_is_paired_from_what_was_imported(form: Format) -> None:
    event = under_way(form, 8)
    _, found = imported(file_of(event.state))
    assert found.status == "running"
    assert [*found.rounds] == [1]


def test_who_came_after_the_last_round_is_there() -> None:
    event = Event(terms_of(Swiss(rounds=4), pace=BY_HAND, registration=Registration(late_rounds=3, late_score=40)), 8)
    event.begin()
    event.whole_round()
    late(event)
    check_moment(event.state)
    event.whole_round()
    check_moment(event.state)


def test_who_came_late_and_left_before_its_first_round_has_no_part_in_it() -> None:
    event = under_way(Swiss(rounds=4), registration=Registration(late_rounds=3))
    late_and_gone(event)
    event.play_all()
    event.act("close_round", round=2)
    event.whole_round()
    assert "e10" not in {row.entrant for row in standings(event.state).rows}
    assert check_moment(event.state) == 3


def test_a_penalty_before_the_first_round_is_over_stays_with_its_stage() -> None:
    event = Event(terms_of(Swiss(rounds=4), pace=BY_HAND), 8)
    event.begin()
    event.act("penalty", entrant="e3", score=250, reason="late")
    event.next_round()
    assert check_moment(event.state) == 0
    assert [each.score for each in imported(file_of(event.state))[1].penalties.values()] == [250]


def test_a_forfeit_beside_boards_that_were_played_is_imported() -> None:
    event = Event(terms_of(Swiss(rounds=3), pace=BY_HAND, boards=Boards()), 8)
    event.begin()
    event.next_round()
    event.act("forfeit", match="r1m2", entrants=["e2"], reason="absence")
    event.play_all()
    event.act("close_round", round=1)
    assert check_moment(event.state) == 1


def test_a_ruling_before_results_were_told_has_none_of_their_points() -> None:
    event = Event(terms_of(Swiss(rounds=3), pace=BY_HAND, boards=Boards()), 8)
    event.begin()
    event.next_round()
    event.play([each for each in event.play_list() if each.match == "r1m1"])
    event.act("rule", match="r1m1", adjustment={"kind": "average", "average": ["plus", "minus"]}, reason="conduct")
    event.play_all()
    event.act("close_round", round=1)
    match = event.state.matches["r1m1"]
    assert match.decided is not None
    assert match.outcome is not None
    assert any(match.decided.points)
    assert match.outcome.points == (0, 0)
    assert check_moment(event.state) == 1


def rotating(rounds: int) -> Event:
    """So many rounds of four have been played, all of whose results are held back."""
    event = Event(terms_of(stage(Mitchell(rounds=4), score=Matchpoints()), pace=BY_HAND, boards=ROTATING), 10)
    event.begin()
    for _ in range(rounds):
        event.next_round()
        event.play_all()
    return event


def test_results_that_are_held_back_are_left_out() -> None:
    assert check_moment(rotating(2).state) == 0


def test_a_stage_whose_boards_went_round_is_imported_from_when_its_results_are_told() -> None:
    event = rotating(4)
    assert all(each.status == "started" for each in event.state.rounds.values())
    assert check_moment(event.state) == 4
    event.act("close_round", round=1)
    assert check_moment(event.state) == 4


def test_a_stage_whose_boards_went_round_and_that_was_ended_early_is_imported() -> None:
    event = rotating(3)
    event.act("finish")
    event.tell_what_is_open()
    assert check_moment(event.state) == 3
    while event.step():
        check_moment(event.state)
    assert event.state.status == "finished"
    assert imported(file_of(event.state))[1].status == "finished"


def test_who_missed_a_round_of_boards_that_go_round_is_imported() -> None:
    event = rotating(1)
    event.act("withdraw", entrant="e3")
    event.next_round()
    event.play_all()
    event.act("return", entrant="e3")
    for _ in range(2):
        event.next_round()
        event.play_all()
    assert check_moment(event.state) == 4
    assert imported(file_of(event.state))[1].entrants["e3"].status == "entered"


def test_who_left_after_a_stage_had_begun_began_it() -> None:
    event = Event(terms_of(Swiss(rounds=1), stage(RoundRobin(), qualifiers=4), pace=BY_HAND), 6)
    event.begin()
    event.whole_round()
    event.act("advance")
    event.act("withdraw", entrant=event.state.stages[1].entrants[0])
    check_moment(event.state)


def test_a_stage_that_began_before_a_ruling_keeps_its_entrants() -> None:
    event = Event(terms_of(Swiss(rounds=1), stage(RoundRobin(), qualifiers=4), pace=BY_HAND), 6)
    event.begin()
    event.whole_round()
    event.act("advance")
    event.next_round()
    last = event.state.matches["r1m1"].paired.sides
    event.act(
        "rule",
        match="r1m1",
        adjustment={"kind": "points", "points": [0, 9000] if "e1" in last[0] else [9000, 0]},
        reason="scoring_error",
        accept_dependants=True,
    )
    check_moment(event.state)


def test_a_match_with_too_few_hands_is_shared_again_without_a_margin() -> None:
    event = Event(terms_of(stage(Swiss(rounds=2), match=MatchTerms(length=FixedHands(2), minutes=25)), pace=BY_HAND), 8)
    event.begin()
    event.next_round()
    event.tell([result_of(each, [(900, 150)], "position") for each in event.play_list()])
    event.act("close_round", round=1)
    (how,) = {match.decided and match.decided.how for match in event.state.matches.values()}
    assert how == "too_few_hands"
    _, found = imported(file_of(event.state))
    check_same(event.state, found)
    assert {match.decided and match.decided.how for match in found.matches.values()} == {how}
    assert not any(match.ruling for match in found.matches.values())


def test_standings_that_differ_are_told_by_what_differs() -> None:
    file = file_of(directed(lambda _event: None, rounds=2).state)
    first, *others = file.standings[0].rows
    place = file.terms.stages[0].tie_breaks.index("margin")
    values = (*first.values[:place], 77, *first.values[place + 1 :])
    wrong = replace(first, values=values, played=5)
    with pytest.raises(StepFailed) as failed:
        imported(replace(file, standings=(replace(file.standings[0], rows=(wrong, *others)),)))
    own = f"played {first.played}, margin {first.values[place]} for {first.entrant}"
    told = f"played 5, margin 77 for {first.entrant}"
    assert failed.value.message == f"The rounds come to {own}, and not to {told}."
