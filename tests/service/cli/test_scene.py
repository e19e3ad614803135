"""A moment of a game as lines that fit a terminal."""

import pytest
from rich.cells import cell_len
from rich.text import Text

from domain.events import Dealt, Drew, GameEnded, HandEnded
from domain.redaction import Viewer
from service.cli.course import Course
from service.cli.scene import KEYS, Moment, printed_scene, scene
from service.cli.stepper import Stepper
from service.cli.stepping import moment, viewers
from tests.domain.golden_games import NAMES, events_of, states_of

PLAYERS = ["Ada", "Ben the Elder of the Northern Isles", "小林 明美", "[bold]Dan[/bold]", "Eve", "Fay"]
SIZES = [(80, 24), (120, 50), (40, 12), (20, 5), (5, 2), (1, 1)]


def at(name: str, n: int, viewer: Viewer = "everyone", **more: object) -> Moment:
    course = Course(events_of(name))
    reader = Stepper(course, [viewer], n)
    for key, value in more.items():
        setattr(reader, key, value)
    return moment(course, PLAYERS, reader)


def plain(lines: list[Text]) -> str:
    return "\n".join(line.plain for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_every_moment_of_every_game_fits_every_size(name: str) -> None:
    course = Course(events_of(name))
    reader = Stepper(course, ["everyone"])
    for n in [*range(1, course.length, 13), course.length]:
        reader.n = n
        shown = moment(course, PLAYERS, reader)
        for width, height in SIZES:
            lines = scene(shown, width, height)
            assert len(lines) == height
            assert all(line.cell_len <= width for line in lines), (n, width, height)
            assert not any("\n" in line.plain for line in lines)


@pytest.mark.parametrize("name", [name for name in NAMES if "6p" not in name])
def test_on_an_ordinary_terminal_nothing_is_left_out(name: str) -> None:
    """At six seats the lines of a hand may not all fit."""
    course = Course(events_of(name))
    reader = Stepper(course, ["everyone"])
    ends = [event.n for event in events_of(name) if isinstance(event, HandEnded)]
    for n in [*range(1, course.length, 5), *ends, course.length]:
        reader.n = n
        text = plain(scene(moment(course, PLAYERS, reader), 80, 24))
        assert "more lines" not in text
        assert text.splitlines()[-1].strip() == KEYS
        assert f"event {n} of {course.length}" in text


def test_sentence_progress_and_keys_stay_where_the_table_does_not_fit() -> None:
    shown = at("g1-samba-official-4p", 90)
    *_, progress, keys = plain(scene(shown, 80, 9)).splitlines()
    assert keys.strip() == KEYS
    assert "event 90 of 590 · hand 1 of 7" in progress
    text = plain(scene(shown, 80, 12))
    assert "more lines in a larger window" in text
    assert "discards 5♥" in text


def test_where_room_is_scarce_cards_are_written_shorter_before_lines_are_left_out() -> None:
    shown = at("g1-samba-official-4p", 90)
    assert "2♠ 2♥ 7♥ 7♥ 7♦ 7♦ 7♣ mixed canasta" in plain(scene(shown, 80, 24))
    assert "2♠♥ 7♥♥♦♦♣ mixed canasta" in plain(scene(shown, 80, 21))
    assert "mixed canasta of 7 (7)" in plain(scene(shown, 60, 16))


def test_a_joker_and_a_jack_are_not_taken_for_one_rank() -> None:
    name = "g14-bolivia-2p"
    for n, state in enumerate(states_of(name), 1):
        if state.melds and state.ended is None:
            text = plain(scene(at(name, n), 80, 16)) if n % 40 == 0 else ""
            assert "JK♠" not in text
            assert "J K" not in text


@pytest.mark.parametrize("viewer", [*range(4), "watcher"])
def test_cards_that_a_viewer_may_not_see_are_not_shown(viewer: Viewer) -> None:
    name = "g1-samba-official-4p"
    for n, event in enumerate(events_of(name), 1):
        if isinstance(event, Dealt):
            rows = plain(scene(at(name, n, viewer), 120, 30)).splitlines()[4:8]
            assert [row.split()[-1] == "hidden" for row in rows] == [seat != viewer for seat in range(4)]


def test_a_viewers_sentence_is_that_of_its_own_form() -> None:
    drew = next(event for event in events_of("g1-samba-official-4p") if isinstance(event, Drew))
    seat = drew.seat
    assert "draws 2 cards (" in at("g1-samba-official-4p", drew.n, seat).told
    assert at("g1-samba-official-4p", drew.n, (seat + 1) % 4).told.endswith("draws 2 cards")
    assert at("g1-samba-official-4p", drew.n, "watcher").told.endswith("draws 2 cards")


def test_the_end_of_a_hand_shows_its_lines_and_the_cards_left() -> None:
    name = "g1-samba-official-4p"
    ended = next(event for event in events_of(name) if isinstance(event, HandEnded))
    text = plain(scene(at(name, ended.n, "watcher"), 100, 40))
    for line in ended.lines:
        assert f"cards {line['cards']}" in text
        assert f"total {line['total']}" in text
    assert "hidden" not in text
    assert "on the table" not in text


def test_names_are_shown_as_they_are_and_cut_where_they_are_long() -> None:
    text = plain(scene(at("g1-samba-official-4p", 100), 100, 40))
    assert "[bold]Dan[/bold]" in text
    assert "小林 明美" in text
    assert "Ben the Elder of …" in text


def test_help_names_every_key_and_a_typed_number_is_shown() -> None:
    text = plain(scene(at("g1-samba-official-4p", 100, help=True), 80, 24))
    assert "go to event 12" in text
    assert "more lines" not in text
    assert "go to event 12▏" in plain(scene(at("g1-samba-official-4p", 100, typed="12"), 80, 24))
    assert plain(scene(at("g1-samba-official-4p", 100, note="There."), 80, 24)).endswith(" There.")


def test_what_is_printed_has_no_keys_and_as_many_lines_as_it_takes() -> None:
    shown = at("g1-samba-official-4p", 90)
    text = plain(printed_scene(shown, 80))
    assert KEYS not in text
    assert "mixed canasta" in text
    assert all(cell_len(line) <= 80 for line in text.splitlines())


def test_everybodys_view_can_be_gone_through_from_any_seat_on() -> None:
    assert viewers(2, None) == ["everyone", 0, 1, "watcher"]
    assert viewers(2, 1) == [1, "watcher", "everyone", 0]


def test_before_the_first_deal_and_after_the_last_event_there_is_something_to_see() -> None:
    for name in NAMES[:4]:
        last = events_of(name)[-1].n
        assert "is opened" in plain(scene(at(name, 1), 80, 24))
        ended = next(event for event in events_of(name) if isinstance(event, GameEnded))
        assert "The game ends" in plain(scene(at(name, ended.n), 80, 24))
        assert f"event {last} of {last}" in plain(scene(at(name, last), 80, 24))
