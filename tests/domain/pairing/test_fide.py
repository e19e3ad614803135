"""FIDE's systems through gacrux: published pairings, what is believed of an answer, typed faults."""

import random as process_wide
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import gacrux.pairingdutch
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pairing.fide import Event, System, berger_tables, library_version, pair_fide
from domain.pairing.fide_tournament import FideContender, FideRound, Points, Result, RoundKind, Virtual
from domain.pairing.shapes import NoPairing, NoPairingCode, Pairing
from tests.domain.pairing.fields import couples, name, numbers
from tests.domain.pairing.test_movements import check_seating, meetings, pairs
from tests.domain.pairing.trf import library_pairs

KINDS: Final[dict[str, tuple[RoundKind, Result | None]]] = {
    "1": ("played", "win"),
    "0": ("played", "loss"),
    "=": ("played", "draw"),
    "+": ("forfeit", "win"),
    "-": ("forfeit", "loss"),
    "U": ("bye", None),
    "F": ("full_bye", None),
    "H": ("half_bye", None),
    "Z": ("zero_bye", None),
}

OUTCOMES: Final[tuple[tuple[Result, Result], ...]] = (("win", "loss"), ("loss", "win"), ("draw", "draw"))

# bbpPairings, test/tests/dutch_2025_C5 and dutch_2025_C9: the opponent, the colour and the result of each past round.
C5: Final = ["4w1 2b1", "5b1 1w0", "6w1 4b1", "1b0 3w0", "2w0 6b1", "3b0 5w0"]
C9: Final = ["3w1", "4b1", "1b0", "2w0", "Z"]
# The worked case of eight, as wins, draws and losses.
EIGHT: Final = ["5w1 2w1", "6w1 1b0", "7w1 4w=", "8w1 3b=", "1b0 6w1", "2b0 5b0", "3b0 8w1", "4b0 7b0"]


def rounds(line: str) -> tuple[FideRound, ...]:
    past = []
    for word in line.split():
        kind, result = KINDS[word[-1]]
        if len(word) == 1:
            past.append(FideRound(kind, result))
        else:
            past.append(FideRound(kind, result, name(int(word[:-2])), "NS" if word[-2] == "w" else "EW"))
    return tuple(past)


def contenders(lines: Sequence[str], absent: Sequence[int] = ()) -> list[FideContender]:
    return [FideContender(name(i), i, rounds(line), absent=i in absent) for i, line in enumerate(lines, 1)]


def test_the_published_case_of_six_gives_the_bye_to_six() -> None:
    pairing = pair_fide("dutch", contenders(C5, absent=[4]), Event(3, 3))
    assert numbers(pairing) == [(1, 5), (3, 2)]
    assert pairing.byes == ("e6",)
    assert (pairing.engine.name, pairing.engine.version) == ("gacrux-dutch", library_version())


def test_the_published_case_of_five_counts_unplayed_rounds_for_the_bye() -> None:
    pairing = pair_fide("dutch", contenders(C9), Event(2, 3))
    assert numbers(pairing) == [(2, 1), (3, 5)]
    assert pairing.byes == ("e4",)


def test_the_team_system_without_colours_pairs_the_worked_case() -> None:
    pairing = pair_fide("team", contenders(EIGHT), Event(3, 5))
    assert {frozenset(pair) for pair in numbers(pairing)} == {frozenset(p) for p in ((1, 3), (2, 4), (5, 7), (6, 8))}
    assert numbers(pairing)[1] == (4, 2)


def test_in_the_team_system_who_sat_north_south_less_often_does() -> None:
    past = ["3w1 4w1", "4b1 3w1", "1b0 2b0", "2w0 1b0"]
    assert sorted(numbers(pair_fide("team", contenders(past), Event(3, 5)))) == [(2, 1), (3, 4)]


def test_round_one_of_the_dutch_system_pairs_halves_with_sides_by_turns() -> None:
    first = contenders([""] * 6)
    assert numbers(pair_fide("dutch", first, Event(1, 5))) == [(1, 4), (5, 2), (3, 6)]
    assert numbers(pair_fide("dutch", first, Event(1, 5, top="EW"))) == [(4, 1), (2, 5), (6, 3)]


def test_virtual_points_keep_the_halves_apart_in_round_one() -> None:
    ahead = tuple(Virtual(name(i), 1, 2, 100) for i in range(1, 5))
    accelerated = Event(1, 5, virtual=ahead)
    assert numbers(pair_fide("dutch", contenders([""] * 8), accelerated)) == [(1, 3), (4, 2), (5, 7), (8, 6)]


def test_the_boards_go_by_scores_and_then_by_seeds() -> None:
    # py4swiss, tests/data/dutch_e2_both_absolute_lower_favored.trf.
    past = ["5w1 3w= 4b1 6b=", "6b1 4w= 3b1 5b=", "7w1 1b= 2w0 8b=", "8b1 2b= 1w0 7w=",
            "1b0 7b0 6w= 2w=", "2w0 8w0 5b= 1w=", "3b0 5w1 8w= 4b=", "4w0 6b1 7b= 3w="]  # fmt: skip
    assert numbers(pair_fide("dutch", contenders(past), Event(5, 5))) == [(2, 1), (3, 4), (7, 6), (8, 5)]


def test_results_count_as_the_event_says() -> None:
    won, drawn, level = FideRound("played", "win"), FideRound("half_bye"), FideRound("played", "draw")
    three = Points(win=300, draw=100, bye=100)
    assert [past.worth(three) for past in (won, drawn, level, FideRound("bye"), FideRound("full_bye"))] == [
        300, 100, 100, 100, 300,
    ]  # fmt: skip
    assert [FideRound(kind).worth(Points(loss=50)) for kind in ("zero_bye", "forfeit")] == [0, 0]
    assert FideRound("played", "loss").worth(Points(loss=50)) == 50
    assert Event(1, 1).counted("dutch").allotted == 100
    assert Event(1, 1).counted("team").allotted == 50
    assert Event(1, 1, bye="draw", points=Points(win=300, draw=100)).counted("dutch").allotted == 100
    assert Event(1, 1, bye="draw", points=three).counted("dutch") == three


def test_seeds_not_the_order_given_are_the_pairing_numbers() -> None:
    assert pair_fide("dutch", contenders(C5, absent=[4])[::-1], Event(3, 3)) == pair_fide(
        "dutch", contenders(C5, absent=[4]), Event(3, 3)
    )


@pytest.mark.parametrize("system", ["dutch", "team"])
def test_forbidden_couples_are_kept_apart(system: System) -> None:
    pairing = pair_fide(system, contenders([""] * 6), Event(1, 5, forbidden=couples((1, 4), (9, 1))))
    assert frozenset({1, 4}) not in map(frozenset, numbers(pairing))


@pytest.mark.parametrize("system", ["dutch", "team"])
def test_two_who_have_met_are_a_dead_end(system: System) -> None:
    with pytest.raises(NoPairing) as caught:
        pair_fide(system, contenders(["2w1", "1b0"]), Event(2, 5))
    assert caught.value.code == NoPairingCode.DEAD_END


@pytest.mark.parametrize(
    ("lines", "absent", "event", "code"),
    [
        ([], [], Event(1, 3), NoPairingCode.TOO_FEW),
        ([""], [], Event(1, 3), NoPairingCode.TOO_FEW),
        (["", "", ""], [1, 2], Event(1, 3), NoPairingCode.TOO_FEW),
        ([""] * 257, [], Event(1, 3), NoPairingCode.TOO_MANY),
        (["", ""], [], Event(4, 3), NoPairingCode.ROUNDS_IMPOSSIBLE),
        (["", ""], [], Event(0, 3), NoPairingCode.ROUNDS_IMPOSSIBLE),
        (["", ""], [], Event(2, 3), NoPairingCode.FIELD_INVALID),
        (["2w1", "1b1"], [], Event(2, 3), NoPairingCode.FIELD_INVALID),
        (["2w1", "1w0"], [], Event(2, 3), NoPairingCode.FIELD_INVALID),
        (["2w1", "Z"], [], Event(2, 3), NoPairingCode.FIELD_INVALID),
        (["9w1", "Z"], [], Event(2, 3), NoPairingCode.FIELD_INVALID),
        (["1w1", "Z"], [], Event(2, 3), NoPairingCode.FIELD_INVALID),
        (["2w-", "1b-"], [], Event(2, 3), None),
    ],
)
def test_what_cannot_be_paired_is_refused_before_the_library_sees_it(
    lines: list[str], absent: list[int], event: Event, code: NoPairingCode | None
) -> None:
    if code is None:
        assert len(pair_fide("dutch", contenders(lines, absent), event).pairs) == 1
        return
    with pytest.raises(NoPairing) as caught:
        pair_fide("dutch", contenders(lines, absent), event)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ([(1, 5), (3, 2)], "not every active entrant is there once"),
        ([(1, 5), (3, 2), (6, 6)], "not every active entrant is there once"),
        ([(1, 5), (3, 2), (6, 9)], "it names a pairing number that nobody has"),
        ([(1, 5), (3, 2), (0, 6)], "the number of byes is wrong"),
        ([(1, 2), (3, 5), (6, 0)], "e1 and e2 have met already"),
        ([(1, 6), (3, 2), (5, 0)], "e1 and e6 may not meet"),
    ],
)
def test_an_answer_that_breaks_the_rules_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, answer: list[tuple[int, int]], problem: str
) -> None:
    brackets = [{"pairs": [{"w": w, "b": b, "board": board} for board, (w, b) in enumerate(answer)]}]
    monkeypatch.setattr(gacrux.pairingdutch.pairing_dutch, "compute_pairing", lambda *_args: brackets)
    with pytest.raises(NoPairing) as caught:
        pair_fide("dutch", contenders(C5, absent=[4]), Event(3, 3, forbidden=couples((1, 6))))
    assert caught.value.code == NoPairingCode.ENGINE_UNSOUND
    assert caught.value.params["problem"] == problem


def test_a_second_bye_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    brackets = [{"pairs": [{"w": 1, "b": 3, "board": 1}, {"w": 2, "b": 0, "board": 2}]}]
    monkeypatch.setattr(gacrux.pairingdutch.pairing_dutch, "compute_pairing", lambda *_args: brackets)
    with pytest.raises(NoPairing) as caught:
        pair_fide("dutch", contenders(["Z", "U", "Z"]), Event(2, 3))
    assert caught.value.params["problem"] == "e2 has had a bye already"


@pytest.mark.parametrize("fault", [KeyError("cid"), ValueError("odd"), RuntimeError("invariant"), ZeroDivisionError()])
def test_a_library_that_gives_up_is_a_typed_fault(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def fail(*_args: Any) -> None:
        raise fault

    monkeypatch.setattr(gacrux.pairingdutch.pairing_dutch, "compute_pairing", fail)
    with pytest.raises(NoPairing) as caught:
        pair_fide("dutch", contenders(["", ""]), Event(1, 3))
    assert caught.value.code == NoPairingCode.ENGINE_FAILED
    assert type(fault).__name__ in caught.value.params["problem"]


@pytest.mark.parametrize("system", ["dutch", "team"])
def test_the_library_leaves_chance_and_the_output_alone(system: System, capfd: pytest.CaptureFixture[str]) -> None:
    process_wide.seed(7)
    before = process_wide.getstate()
    pair_fide(system, contenders(EIGHT), Event(3, 5))
    assert process_wide.getstate() == before
    assert capfd.readouterr() == ("", "")


class Tournament:
    """A random tournament under a FIDE system, with forfeits, requested byes, withdrawals and late entries."""

    def __init__(self, random: Random, entrants: int) -> None:
        self.random = random
        self.past: dict[str, list[FideRound]] = {name(i): [] for i in range(1, entrants + 1)}
        self.absent: set[str] = set()

    def contenders(self) -> list[FideContender]:
        return [FideContender(e, int(e[1:]), tuple(past), absent=e in self.absent) for e, past in self.past.items()]

    def play(self, pairing: Pairing) -> None:
        for pair in pairing.pairs:
            one, other = self.random.choice(OUTCOMES)
            kind: RoundKind = "forfeit" if one != "draw" and self.random.random() < 0.1 else "played"
            self.past[pair.ns].append(FideRound(kind, one, pair.ew, "NS"))
            self.past[pair.ew].append(FideRound(kind, other, pair.ns, "EW"))
        for entrant in pairing.byes:
            self.past[entrant].append(FideRound("bye"))
        for entrant in self.absent:
            self.past[entrant].append(FideRound(self.random.choice(["zero_bye", "half_bye"])))
        played = len(self.past["e1"])
        if self.random.random() < 0.2:
            self.past[name(len(self.past) + 1)] = [FideRound("zero_bye")] * played
        self.absent = {entrant for entrant in self.past if self.random.random() < 0.08}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.integers(2, 20), st.sampled_from(["dutch", "team"]))
def test_random_tournaments_are_paired_or_refused_for_a_reason(seed: int, entrants: int, system: System) -> None:
    event = Tournament(Random(seed), entrants)
    for number in range(1, 8):
        now = event.contenders()
        present = sorted(contender.entrant for contender in now if not contender.absent)
        try:
            pairing = pair_fide(system, now, Event(number, 7))
        except NoPairing as refused:
            reason = refused.code
            break
        seated = [entrant for pair in pairing.pairs for entrant in (pair.ns, pair.ew)] + list(pairing.byes)
        assert sorted(seated) == present
        assert len(pairing.byes) == len(present) % 2
        event.play(pairing)
    else:
        return
    assert reason in (NoPairingCode.DEAD_END, NoPairingCode.TOO_FEW)


@pytest.mark.parametrize("seed", range(8))
def test_the_library_finds_the_same_pairs_in_a_report_of_the_tournament(seed: int) -> None:
    event = Tournament(Random(seed), 9 + 3 * seed)
    for number in range(1, 6):
        now = event.contenders()
        asked = Event(number, 7, top="NS" if seed % 2 else "EW")
        pairing = pair_fide("dutch", now, asked)
        answered = library_pairs(now, asked)
        assert sorted(numbers(pairing)) == sorted(pair for pair in answered if pair[1])
        assert pairing.byes == tuple(name(white) for white, black in answered if not black)
        event.play(pairing)


@pytest.mark.parametrize("entrants", [2, 3, 6, 9, 14])
def test_in_berger_tables_everyone_meets_everyone_once(entrants: int) -> None:
    movement = berger_tables(entrants)
    check_seating(movement)
    assert set(meetings(movement).values()) == {1}
    assert sum(meetings(movement).values()) == entrants * (entrants - 1) // 2


def test_the_berger_table_of_six_is_fides() -> None:
    lines = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
    assert [pairs(r) for r in berger_tables(6).rounds] == [
        [tuple(map(int, pair.split("-"))) for pair in line.split()] for line in lines
    ]


def test_double_berger_tables_reverse_the_sides() -> None:
    movement = berger_tables(4, double=True)
    assert set(meetings(movement).values()) == {2}
    assert pairs(movement.rounds[3]) == [(ew, ns) for ns, ew in pairs(movement.rounds[0])]


@pytest.mark.parametrize("entrants", [1, 1001])
def test_berger_tables_are_bounded(entrants: int) -> None:
    with pytest.raises(NoPairing):
        berger_tables(entrants)
