"""Tournaments as FIDE's report file: what is written reads back the same, here and in the library, or is refused."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.tournaments.entering import consent
from domain.tournaments.fold import replayed
from domain.tournaments.formats import Danish, Individual, RoundRobin, Swiss
from domain.tournaments.given import Given
from domain.tournaments.matches import Unplayed, WinDrawLoss
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament
from domain.tournaments.terms import DEFAULT_WDL, Registration, Stage, Terms
from service.tournaments.exporting import up_to
from service.tournaments.trf_export import ExportNotPossible, trf_of
from service.trf.ranking import ranked
from service.trf.reading import read_trf
from service.trf.shapes import Trf
from service.trf.writing import write_trf
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import QUICK, terms_of

WIN_OR_NOTHING = Unplayed(forfeit_win=100, forfeit_loss=0, bye=60)


def by_wins(form: Any = None, **changes: Any) -> Terms:
    """A tournament scored by wins, draws and losses, forfeits as in chess."""
    stage = Stage(
        format=form or Swiss(rounds=4), match=QUICK, score=WinDrawLoss(), tie_breaks=DEFAULT_WDL,
        unplayed=changes.pop("unplayed", WIN_OR_NOTHING),
    )  # fmt: skip
    return terms_of(stage, pace=BY_HAND, **changes)


def named(state: Tournament) -> dict[str, str]:
    return {each: f"Ä {each}" for each in state.entrants}


def told(state: Tournament, title: str = "Cup") -> Trf:
    return trf_of(state, title, named(state))


def played(terms: Terms, entrants: int, rounds: int, *, forfeits: bool = True) -> Event:
    """Rounds in which whoever entered earlier wins, but for one match, of which a side does not come."""
    event = Event(terms, entrants)
    event.begin()
    for number in range(1, rounds + 1):
        event.act("pair")
        match = event.state.matches_of(number)[-1]
        if forfeits and number < 3:
            absent = match.paired.sides[0] if number == 1 else [each for side in match.paired.sides for each in side]
            event.act("forfeit", match=match.id, entrants=list(absent), reason="absence")
        event.act("start_round", round=number)
        event.play_all()
        event.act("close_round", round=number)
    return event


@pytest.mark.parametrize(
    "form", [Swiss(rounds=4), Swiss(rounds=4, method="fide_dutch"), Danish(rounds=4), RoundRobin()]
)
def test_what_is_written_reads_back_the_same_and_ranks_the_same(form: Any) -> None:
    event = Event(by_wins(form), 9)
    event.begin()
    if not isinstance(form, RoundRobin):
        event.act("give_bye", entrant="e3", rounds=[2], bye="half_bye")
        event.act("give_bye", entrant="e9", rounds=[1], bye="zero_bye")
    for number in range(1, 4):
        event.act("pair")
        match = event.state.matches_of(number)[-1]
        if number < 3:
            event.act("forfeit", match=match.id, entrants=list(match.paired.sides[number - 1]), reason="absence")
        event.act("start_round", round=number)
        event.play_all()
        event.act("close_round", round=number)
    written = told(event.state)
    data = write_trf(written)
    read = read_trf(data)
    assert [(each.number, each.name, each.points, each.rank, each.rounds) for each in read.competitors] == [
        (each.number, each.name, each.points, each.rank, each.rounds) for each in written.competitors
    ]
    assert (read.worth, read.rounds, read.round_robin, read.absent) == (
        written.worth, written.rounds, written.round_robin, written.absent,
    )  # fmt: skip
    kinds = {past.code for each in read.competitors for past in each.rounds if past is not None}
    assert {"1", "0", "+", "-"} <= kinds
    if not isinstance(form, RoundRobin):
        assert {"H", "Z"} <= kinds
    own = standings(event.state)
    codes = ("SCORE", "DE", "BH-C1", "BH", "SB")
    found = ranked(read, codes)
    assert (found.differences, found.mismatches) == ((), ())
    places = {str(number): entrant for number, entrant in enumerate(event.state.stages[0].entrants, 1)}
    theirs = {places[each.entrant]: (each.score, each.values[1:]) for each in found.placings}
    assert theirs == {row.entrant: (row.score, row.values[:4]) for row in own.rows}


def test_the_library_reads_what_is_written() -> None:
    from gacrux.trf2json import trf2json

    state = played(by_wins(), 9, 3).state
    library = trf2json()
    library.parse_file(write_trf(told(state)).decode(), verbose=0)
    assert library.get_status() == 0, library.chessjson["status"]
    competitors = library.get_tournament(1)["competitors"]
    scores = {row.entrant: row.score for row in standings(state).rows}
    order = state.stages[0].entrants
    assert {order[each["cid"] - 1]: int(each["gamePoints"] * 100) for each in competitors} == scores


def test_who_has_left_and_who_may_not_meet_stand_in_the_file() -> None:
    event = played(by_wins(), 8, 1, forfeits=False)
    event.act("withdraw", entrant="e5")
    event.act("forbid_pairing", pair=["e1", "e2"])
    read = read_trf(write_trf(told(event.state)))
    places = {entrant: number for number, entrant in enumerate(event.state.stages[0].entrants, 1)}
    assert read.absent == {places["e5"]}
    assert {frozenset(pair) for pair in read.forbidden} == {frozenset((places["e1"], places["e2"]))}


def test_a_round_under_way_is_left_out() -> None:
    event = played(by_wins(), 8, 2)
    event.act("pair")
    event.act("start_round", round=3)
    assert {len(each.rounds) for each in read_trf(write_trf(told(event.state))).competitors} == {2}


@pytest.mark.parametrize(
    ("terms", "entrants", "needed"),
    [
        (terms_of(Swiss(rounds=3), pace=BY_HAND), 6, "not scored by them"),
        (terms_of(Swiss(rounds=3), RoundRobin(), pace=BY_HAND), 6, "one stage"),
        (by_wins(Individual(movement="swiss", rounds=2), entrants="individuals"), 8, "partners change"),
        (by_wins(unplayed=Unplayed(forfeit_win=70, forfeit_loss=30)), 6, "was forfeited"),
    ],
)
def test_what_the_file_cannot_tell_is_refused_with_the_reason(terms: Terms, entrants: int, needed: str) -> None:
    event = played(terms, entrants, 1, forfeits=needed == "was forfeited")
    with pytest.raises(ExportNotPossible, match=needed):
        told(event.state)


def test_scores_that_were_ruled_are_refused() -> None:
    for adjustment in ({"kind": "score", "score": [70, 30]}, {"kind": "void"}):
        event = played(by_wins(), 6, 1, forfeits=False)
        event.act("rule", match="r1m1", adjustment=adjustment, reason="conduct")
        with pytest.raises(ExportNotPossible, match="r1m1"):
            told(event.state)
    event = played(by_wins(), 6, 1, forfeits=False)
    event.act("penalty", entrant="e1", score=50, reason="conduct")
    with pytest.raises(ExportNotPossible, match="penalties"):
        told(event.state)
    score = replace(event.state.terms.stages[0], score=WinDrawLoss(win=333, draw=100))
    event.state.terms = replace(event.state.terms, stages=(score,))
    with pytest.raises(ExportNotPossible, match="one decimal"):
        told(event.state)


def come_late(event: Event, *players: str) -> str:
    """Somebody enters after the start; all of them agree."""
    event.act("enter", players=[*players], given=Given())
    entrant = [*event.state.entrants][-1]
    for player in players:
        event.take(consent(event.state, entrant, player, event.now))
    return entrant


@pytest.mark.parametrize(("percent", "codes"), [(0, "ZZ"), (50, "ZH"), (100, "ZF")])
def test_what_late_entrants_have_of_rounds_that_they_missed_is_told_at_every_moment(percent: int, codes: str) -> None:
    registration = Registration(late_rounds=3, late_score=percent)
    event = played(by_wins(Swiss(rounds=4), registration=registration), 7, 1)
    begun = event.state.version
    event.next_round()
    entrant = come_late(event, "pa", "pb")
    event.play_all()
    event.act("close_round", round=2)
    for _ in range(2):
        event.whole_round()
    event.act("finish")
    states = [replayed(event.state.id, event.happened[:number]) for number in range(begun, len(event.happened) + 1)]
    looks = 0
    for state in states:
        over = [each.number for each in state.rounds.values() if each.status == "closed"]
        competitors = {each.name: each for each in read_trf(write_trf(told(state))).competitors}
        assert {name: each.points for name, each in competitors.items()} == {
            f"Ä {row.entrant}": row.score for row in standings(up_to(state, over)).rows
        }
        if len(over) > 1:
            pasts = competitors[f"Ä {entrant}"].rounds[:2]
            assert "".join(past.code for past in pasts if past is not None) == codes
            looks += 1
    assert looks > 3
    state = event.state
    read = read_trf(write_trf(told(state)))
    found = ranked(read, ("SCORE", "BH-C1", "BH", "SB"))
    assert (found.differences, found.mismatches) == ((), ())
    places = {each.number: each.name for each in read.competitors}
    assert {places[int(each.entrant)]: each.values[1:] for each in found.placings} == {
        f"Ä {row.entrant}": row.values[1:4] for row in standings(state).rows
    }


def test_other_points_for_rounds_before_a_late_entry_are_refused_at_every_moment() -> None:
    terms = by_wins(registration=Registration(late_rounds=3, late_score=40))
    event = played(terms, 6, 1, forfeits=False)
    entrant = come_late(event, "pa", "pb")
    before = event.state.version
    event.whole_round()
    assert event.state.entrants[entrant].late_round == 2
    for number in range(before, event.state.version + 1):
        with pytest.raises(ExportNotPossible, match="Late entrants have 40 %"):
            told(replayed(event.state.id, event.happened[:number]))


def test_byes_of_rounds_to_come_stand_in_the_file() -> None:
    event = played(by_wins(Swiss(rounds=5), unplayed=Unplayed()), 9, 1, forfeits=False)
    event.act("give_bye", entrant="e1", rounds=[2], bye="half_bye")
    event.act("give_bye", entrant="e2", rounds=[3, 5], bye="zero_bye")
    event.act("give_bye", entrant="e3", rounds=[2], bye="bye")
    event.act("withdraw", entrant="e4")
    event.act("pair")
    read = read_trf(write_trf(told(event.state)))
    coming = {
        each.name: ["" if past is None else past.code for past in each.rounds[1:]]
        for each in read.competitors
        if len(each.rounds) > 1
    }
    assert coming == {
        "Ä e1": ["H"], "Ä e2": ["", "Z", "", "Z"], "Ä e3": ["F"], "Ä e4": ["Z", "Z", "Z", "Z"],
    }  # fmt: skip
    assert (read.paired, read.absent) == (1, frozenset({4}))
    assert ranked(read, ("SCORE",)).mismatches == ()


@pytest.mark.parametrize("name", ["\r\n001    2", "x" * 200, "\u202eabc", "001 99", "\x00", "é" * 40, "🂡 & 🂢"])
def test_no_name_shifts_a_column(name: str) -> None:
    state = played(by_wins(), 6, 1).state
    written = trf_of(state, name, dict.fromkeys(state.entrants, name))
    read = read_trf(write_trf(written))
    assert [each.rounds for each in read.competitors] == [each.rounds for each in written.competitors]
    assert len(read.competitors) == 6
