"""Moving about in a finished game: states, stops and keys."""

from collections.abc import Sequence
from random import Random

import pytest

from domain.events import AnyEvent
from domain.evolve import fold
from domain.highlights import highlights
from domain.redaction import Viewer
from domain.state import State
from service.cli.course import Course, Stop
from service.cli.stepper import STOPS, Stepper
from tests.domain.golden_games import NAMES, events_of, states_of

NAME = "g1-samba-official-4p"
LENGTH = len(events_of(NAME))
VIEWERS: list[Viewer] = ["everyone", 0, 1, 2, 3, "watcher"]


def stepper(n: int = 1) -> Stepper:
    return Stepper(Course(events_of(NAME)), VIEWERS, n)


def pressed(keys: str, n: int = 1) -> Stepper:
    """Where a reader is after these keys, apart from each other by a space."""
    reader = stepper(n)
    for key in keys.split():
        assert reader.press(key)
    return reader


# --- states ---


@pytest.mark.parametrize("name", NAMES)
def test_the_state_is_that_of_the_fold_wherever_one_goes(name: str) -> None:
    course, states = Course(events_of(name)), states_of(name)
    random = Random(name)
    places = [
        *range(1, 70),
        *range(140, 100, -1),
        course.length,
        1,
        *random.choices(range(1, course.length + 1), k=200),
    ]
    for n in places:
        assert course.state(n) == states[n - 1], n


def test_going_back_folds_fewer_than_64_events_and_going_on_folds_one(monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(events_of(NAME))
    course.state(course.length)
    folded: list[int] = []

    def counting(state: State, happened: Sequence[AnyEvent]) -> State:
        folded.append(len(happened))
        return fold(state, happened)

    monkeypatch.setattr("service.cli.course.fold", counting)
    for n in range(course.length, 0, -1):
        course.state(n)
    assert max(folded) < 64
    folded.clear()
    for n in range(1, course.length + 1):
        course.state(n)
    assert set(folded) == {1}


# --- stops ---


@pytest.mark.parametrize(
    ("stop", "kind"),
    [("hand", "hand_start"), ("take", "take"), ("canasta", "canasta"), ("going_out", "going_out")],
)
def test_stops_go_through_the_highlights_on_and_back(stop: Stop, kind: str) -> None:
    course = Course(events_of(NAME))
    expected = sorted({highlight.n for highlight in highlights(events_of(NAME)) if highlight.kind == kind})
    on: list[int] = []
    place: int | None = 0
    while (place := course.next_stop(stop, place or 0)) is not None:
        on.append(place)
    back: list[int] = []
    place = LENGTH + 1
    while (place := course.stop_before(stop, place)) is not None:
        back.append(place)
    assert on == back[::-1] == expected
    assert course.hands == 7


# --- keys ---


@pytest.mark.parametrize(
    ("keys", "n"),
    [
        ("", 1),
        ("right right left", 2),
        ("n enter backspace", 2),
        ("left", 1),
        ("end", LENGTH),
        ("end right", LENGTH),
        ("> <", 1),
        ("end home", 1),
        ("1 2 enter", 12),
        ("1 2 backspace enter", 1),
        ("1 2 backspace 5 enter right", 16),
        ("1 2 escape enter", 2),
        ("1 2 right", 2),
        ("9 9 9 9 9 9 9 9 9 enter", LENGTH),
        ("0 enter", 1),
        ("? 5 enter", 2),
        ("x unknown escape", 1),
    ],
)
def test_keys_go_where_they_say(keys: str, n: int) -> None:
    assert pressed(keys).n == n


@pytest.mark.parametrize("key", STOPS)
def test_a_key_for_a_stop_and_its_counterpart_bring_one_back(key: str) -> None:
    stop, direction = STOPS[key]
    course = Course(events_of(NAME))
    middle = 300
    to = course.next_stop(stop, middle) if direction > 0 else course.stop_before(stop, middle)
    assert pressed(key, middle).n == to
    back = next(other for other, (same, way) in STOPS.items() if same == stop and way == -direction)
    assert pressed(f"{key} {key} {back}", middle).n == to


def test_down_goes_to_the_next_end_of_a_turn() -> None:
    places = [pressed("down " * times, 20).n for times in range(1, 40)]
    assert {type(events_of(NAME)[n - 1]).__name__ for n in places} == {"Discarded", "HandEnded", "Dealt"}
    between = set(range(places[0], places[-1])) - set(places)
    assert not {type(events_of(NAME)[n - 1]).__name__ for n in between} & {"Discarded", "HandEnded", "Dealt"}


def test_where_there_is_no_further_stop_the_reader_stays_and_is_told_so() -> None:
    reader = pressed("g", LENGTH)
    assert (reader.n, reader.note) == (LENGTH, "There is no further going out.")
    assert pressed("H").note == "There is no earlier hand."
    assert pressed("g right", LENGTH).note == "This is the last event."
    assert pressed("left").note == "This is the first event."
    assert pressed("9 9 9 enter").note == f"There is no event 999; there are {LENGTH}."
    assert pressed("9 9 9 enter left").note == ""


def test_a_number_that_is_typed_is_shown_until_it_is_used_or_dropped() -> None:
    assert pressed("1 2").typed == "12"
    assert pressed("1 2 backspace").typed == "1"
    assert pressed("1 2 enter").typed == ""
    assert pressed("1 2 x").typed == ""


def test_s_goes_round_the_viewers() -> None:
    assert [pressed("s " * times).viewer for times in range(7)] == [*VIEWERS, "everyone"]


def test_help_is_closed_by_any_key() -> None:
    assert pressed("?").help
    assert not pressed("? right").help
    assert pressed("? right").n == 1


def test_q_and_the_end_of_the_input_are_enough() -> None:
    assert not stepper().press("q")
    assert not stepper().press("end_of_input")
    reader = pressed("?")
    assert not reader.press("q")
