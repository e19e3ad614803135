"""Who goes on with a tournament from its file has the round that the file has."""

from random import Random
from typing import Any

import pytest

from domain.tournaments.byes import ask_bye
from domain.tournaments.formats import Danish, Format, RoundRobin, Swiss
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Registration
from service.tournaments.importing import StepFailed
from service.tournaments.trf_export import trf_of
from service.tournaments.trf_notes import NotTaken, not_taken
from service.trf.reading import read_trf
from service.trf.writing import write_trf
from tests.domain.tournaments.directors import BY_HAND, Event
from tests.domain.tournaments.scenarios import NOON, terms_of
from tests.service.tournaments.import_files import file_of, imported
from tests.service.tournaments.next_rounds import NOBODY, NONE, by_the_file, by_the_service, state_of_trf
from tests.service.tournaments.test_trf_export import by_wins, come_late
from tests.service.trf.files import DATA, by_chance, player, written
from tests.service.trf.published import HIGHER, JAVAFO, LOWER, MID, ROBIN, UNPLAYED, lines

WORTH = {
    "usual": {"win": 10, "draw": 5, "loss": 0},
    "three points": {"win": 30, "draw": 10, "loss": 0},
    "something for all": {"win": 30, "draw": 20, "loss": 10},
}
SINGLE_DOWNFLOATER = """
4w= 6b= H 3w= 8b1 H
5b0 4b0 U 6w0 9w1 7b-
6w= 7b= 8w= 1b= 5w0 4w1
1b= 2w1 5b= 8w1 7w0 3b0
2w1 8b= 4w= 7b0 3b1 6w-
3b= 1w= 7w0 2b1 Z 5b+
H 3w= 6b1 5w1 4b1 2w+
U 5w= 3b= 4b0 1w0 9b1
Z Z H U 2b0 8w0
"""
"""c9_single_downfloater: nine players, six of nine rounds."""

PUBLISHED: dict[str, bytes] = {
    **{path.stem: path.read_bytes() for path in sorted(DATA.glob("dutch_*.trf"))},
    "javafo": written(lines(JAVAFO), "092 Individual: Swiss-System", "XXR 9", "XXC white1", "XXZ 22 28 43"),
    "higher": written(lines(HIGHER), "XXR 5", "XXC black1"),
    "lower": written(lines(LOWER), "XXR 5", "XXC white1"),
    "mid": written(lines(MID)),
    "unplayed": written(lines(UNPLAYED)),
    "single downfloater": written(lines(SINGLE_DOWNFLOATER), "XXR 9", "XXC white1"),
}


def some_file(chance: Random) -> bytes:
    """A tournament under way, with byes of rounds to come in every spelling."""
    worth = WORTH[chance.choice([*WORTH])]
    values = dict.fromkeys("1+FU", worth["win"]) | dict.fromkeys("=H", worth["draw"]) | {"0": worth["loss"]}
    count, rounds = chance.randrange(6, 13), chance.randrange(4)
    players = []
    for number, pasts in by_chance(chance.randrange(1000), count, rounds).items():
        tenths = sum(values.get(each[-1], 0) for each in pasts)
        coming = [*[""] * chance.randrange(2), chance.choice("HZF")] if chance.random() < 0.2 else []
        players.append(player(number, [*pasts, *coming], 2800 - number, points=f"{tenths // 10}.{tenths % 10}"))
    told = "".join(f"{name} {tenths / 10:.1f}    " for name, tenths in zip("WDL", worth.values(), strict=True))
    records = [f"142 {rounds + 2}", "152 W", f"162  {told}", f"XXZ {chance.randrange(1, count + 1)}"]
    records.append(f"240 {chance.choice('HZF')} {rounds + 1:3} {chance.randrange(1, count + 1):4}")
    return "\n".join([*players, *records, ""]).encode()


def check_goes_on(data: bytes) -> None:
    """The import, the import of its JSON export, and its report file pair the next round as the file does."""
    state = state_of_trf(data)
    expected = by_the_file(read_trf(data))
    assert by_the_service(state) == expected
    assert by_the_service(imported(file_of(state))[1]) == expected
    again = trf_of(state, "Cup", {each: each for each in state.entrants})
    assert by_the_file(read_trf(write_trf(again))) == expected


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_file_goes_on_as_on_the_command_line(name: str) -> None:
    check_goes_on(PUBLISHED[name])


@pytest.mark.parametrize("ten", range(4))
def test_any_file_goes_on_as_on_the_command_line(ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        check_goes_on(some_file(Random(seed)))


def test_who_has_a_bye_in_the_round_to_come_is_not_paired_in_it() -> None:
    state = state_of_trf(PUBLISHED["dutch_2025_C5"])
    assert by_the_service(state) == {("e1", "e5"), ("e3", "e2"), ("e6", NOBODY)}
    assert {each.id: each.byes_asked for each in state.entrants.values() if each.byes_asked} == {"e4": {3: "zero_bye"}}


@pytest.mark.parametrize(
    ("record", "bye"),
    [("XXZ 1", "zero_bye"), ("240 Z   2    1", "zero_bye"), ("240 H   2    1", "half_bye"), ("240 F   2    1", "bye")],
)
def test_every_record_of_a_bye_to_come_is_one_that_was_given(record: str, bye: str) -> None:
    data = written({1: ["2w1"], 2: ["1b0"], 3: ["4w1"], 4: ["3b0"]}, "142 2", record)
    assert state_of_trf(data).entrants["e1"].byes_asked == {2: bye}
    check_goes_on(data)


def with_byes(form: Format, **terms: Any) -> Event:
    """Byes asked for and given, for rounds that were played and for those to come."""
    event = Event(terms_of(form, pace=BY_HAND, **terms), 9)
    event.take(ask_bye(event.state, "e5", [1], event.state.entrants["e5"].players[0], event.now))
    event.begin()
    event.act("give_bye", entrant="e2", rounds=[3, 4], bye="half_bye")
    event.whole_round()
    event.act("give_bye", entrant="e3", rounds=[2], bye="bye")
    event.whole_round()
    event.act("give_bye", entrant="e1", rounds=[3], bye="zero_bye")
    return event


def asked(state: Tournament) -> dict[str, Any]:
    return {each.id: each.byes_asked for each in state.entrants.values()}


@pytest.mark.parametrize("form", [Swiss(rounds=5), Danish(rounds=5), Swiss(rounds=5, first_round="drawn")])
def test_a_tournament_from_its_own_file_is_paired_as_it_would_have_been(form: Format) -> None:
    event = with_byes(form, registration=Registration(late_rounds=4, late_score=40))
    _, found = imported(file_of(event.state))
    assert asked(found) == asked(event.state)
    assert by_the_service(found) == by_the_service(event.state)
    event.act("pair")
    _, found = imported(file_of(event.state))
    assert by_the_service(found) == {
        match.paired.sides[0] + match.paired.sides[1] for match in event.state.matches_of(3)
    } | {(each, NOBODY) for each, bye in event.state.rounds[3].byes.items() if bye == "bye"}


@pytest.mark.parametrize(("percent", "late"), [(0, ["e9", "e8"]), (50, ["e8", "e9"])])
def test_the_report_file_of_an_event_with_late_entrants_is_paired_as_the_event(percent: int, late: list[str]) -> None:
    registration = Registration(late_rounds=4, late_score=percent)
    event = Event(by_wins(Swiss(rounds=5, method="fide_dutch"), registration=registration), 7)
    event.begin()
    event.whole_round()
    come_late(event, "pa", "pb")
    event.act("withdraw", entrant="e8")
    come_late(event, "pc", "pd")
    event.whole_round()
    event.act("return", entrant="e8")
    event.whole_round()
    read = read_trf(write_trf(trf_of(event.state, "Cup", {each: each for each in event.state.entrants})))
    names = {f"e{place}": each.name for place, each in enumerate(read.competitors, 1)} | {NOBODY: NOBODY}
    found = by_the_file(read)
    assert not isinstance(found, str)
    assert {(names[one], names[other]) for one, other in found} == by_the_service(event.state)
    assert [names["e8"], names["e9"]] == late


def test_byes_that_were_asked_for_before_count_on() -> None:
    _, found = imported(file_of(with_byes(Swiss(rounds=5)).state))
    with pytest.raises(TournamentRefused) as refused:
        ask_bye(found, "e5", [4], found.entrants["e5"].players[0], NOON)
    assert refused.value.code is TournamentCode.BYES_USED_UP


def test_byes_before_the_start_are_kept() -> None:
    event = Event(terms_of(Swiss(rounds=3), pace=BY_HAND), 7)
    event.act("give_bye", entrant="e2", rounds=[1], bye="half_bye")
    _, found = imported(file_of(event.state))
    assert asked(found) == asked(event.state)


def notes(data: bytes) -> dict[str, str]:
    found: list[NotTaken] = [*not_taken(read_trf(data))]
    return {each.place: each.message for each in found}


def test_more_rounds_than_are_sure_to_find_opponents_stay_a_swiss_and_are_told() -> None:
    data = PUBLISHED["single downfloater"]
    state = state_of_trf(data)
    assert state.terms.stages[0].format == Swiss(rounds=9, method="fide_dutch")
    assert notes(data)["142"].startswith("9 entrants have room for 8 rounds, 9 are asked for")
    met = written(lines("3w= 2b= 4w=\n4b= 1w= 3w=\n1b= 4w= 2b=\n2w= 3b= 1b="), "XXR 5", "XXC white1")
    assert by_the_service(state_of_trf(met)) == NONE
    assert notes(PUBLISHED["lower"]) == {}


def test_a_round_robin_goes_on_from_its_own_file_and_from_one_of_another_schedule_it_does_not() -> None:
    event = Event(by_wins(RoundRobin()), 6)
    event.begin()
    for _ in range(3):
        event.whole_round()
    data = write_trf(trf_of(event.state, "Cup", {each: each for each in event.state.entrants}))
    ids = {f"e{place}": each for place, each in enumerate(event.state.stages[0].entrants, 1)}
    found = by_the_service(state_of_trf(data))
    assert not isinstance(found, str)
    assert {(ids[one], ids[other]) for one, other in found} == by_the_service(event.state)
    rounds = lines(ROBIN)
    with pytest.raises(StepFailed) as failed:
        state_of_trf(written({number: past[:3] for number, past in rounds.items()}, "092 Round Robin", "XXR 5"))
    assert (failed.value.place, failed.value.code) == ("092", "schedule_differs")
    assert state_of_trf(written(rounds, "092 Round Robin", "XXR 5")).status == "finished"


def test_tie_breaks_are_those_of_the_file_and_others_are_told() -> None:
    data = written({1: ["2w1"], 2: ["1b0"]}, "142 1", "212 PTS,KS,BH/C2,ARO,SB")
    assert state_of_trf(data).terms.stages[0].tie_breaks == ("koya", "sonneborn_berger")
    assert notes(data) == {"202, 212": "Tournaments are not ranked by BH/C2, ARO here."}
    data = written({1: ["2w1"], 2: ["1b0"]}, "142 1", "212 PTS,ARO")
    assert notes(data)["202, 212"].endswith("The usual ones are there instead.")


def test_what_else_is_not_taken_over_is_told_with_its_place() -> None:
    two = {1: ["2w1", "", "Z"], 2: ["1b0"]}
    assert notes(written(two, "142 2"))["line 2"] == "No bye for number 1 in 3: there are 2 rounds."
    assert set(notes(written(two, "142 3", "092 Round Robin", "XXZ 2"))) == {"line 2", "XXZ", "092"}
    assert "142" in notes(written({1: ["2w1"], 2: ["1b0"], 3: ["4w1"], 4: ["3b0"]}))
    assert set(notes(written(lines(HIGHER), "XXR 5", "XXC black1", "192 FIDE_BURSTEIN"))) == {"152", "192"}
    assert notes(written(lines(HIGHER), "XXR 3", "XXC black1", "192 FIDE_BURSTEIN")) == {}


THREE = "162  W 3.0    D 1.0    L 0.0"


def with_points(players: dict[str, str], *records: str) -> bytes:
    """A file of players by their rounds, with the points that it says of each."""
    told = [player(number, each.split(), points=players[each]) for number, each in enumerate(players, 1)]
    return "\n".join([*told, *records, ""]).encode()


def test_draws_that_are_no_percentage_of_a_win_are_taken_and_half_byes_count_as_much() -> None:
    data = with_points({"2w= H": "2.0", "1b= 3w1": "4.0", "U 2b0": "3.0"}, "142 3", THREE)
    state = state_of_trf(data)
    assert {row.entrant: row.score for row in file_of(state).standings[0].rows} == {"e1": 200, "e2": 400, "e3": 300}
    check_goes_on(data)


def test_what_a_bye_is_worth_is_not_asked_for_where_none_is_given_any_more() -> None:
    state = state_of_trf(with_points({"2w=": "1.0", "1b=": "1.0"}, "142 1", f"{THREE}    P 1.0"))
    assert [row.score for row in file_of(state).standings[0].rows] == [100, 100]


@pytest.mark.parametrize(
    ("players", "rounds", "worth", "place"),
    [
        ({"2w1": "3.0", "1b0": "0.0"}, 2, f"{THREE}    P 1.0", "162"),
        ({"2w1": "3.0", "1b0": "0.0", "U": "1.0"}, 1, f"{THREE}    P 1.0", "line 3"),
        ({"2w1": "3.0", "1b0": "0.0", "F": "3.0"}, 1, f"{THREE}    P 1.0", "line 3"),
        ({"2w=": "1.0", "1b=": "1.0"}, 1, "162  W 101.0    D 1.0    L 0.0", "162"),
        ({"2w1": "1.0", "1b0": "0.0"}, 201, "162  W 1.0    D 0.5    L 0.0", "142"),
    ],
)
def test_what_cannot_be_told_exactly_is_refused_with_its_place(
    players: dict[str, str], rounds: int, worth: str, place: str
) -> None:
    with pytest.raises(StepFailed) as failed:
        state_of_trf(with_points(players, f"142 {rounds}", worth))
    assert failed.value.place == place, failed.value
