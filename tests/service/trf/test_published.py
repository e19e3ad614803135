"""Tournaments that others have published are paired and ranked as they say."""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest

from domain.pairing.shapes import NoPairing, NoPairingCode
from service.trf.pairing import PairedRound, pair_round
from service.trf.ranking import codes_of, ranked
from service.trf.ranking import written as as_text
from service.trf.reading import read_trf
from tests.service.trf.files import player, written
from tests.service.trf.published import BAKU, HELD, HIGHER, JAVAFO, LOWER, MID, ROBIN, UNPLAYED, lines

D2: Final = """
1 2|1 4|1 5|1 6|1 7|1 8|1 9|1 10|1 11|1 12|2 1|2 3|2 5|2 6|2 7|2 8|2 9|2 10|2 11|2 12|5 7|5 8|5 11|5 12|6 9|6 10|6 11
6 12|7 11|9 11
"""
"""dutch_d2_criterion_d.trf of py4swiss: who may not meet in the first round of twelve."""

BAKU_RECORDS: Final[Mapping[str, Sequence[str]]] = {
    "round by round": [f"XXA {number:4}  1.0  1.0  1.0  0.5  0.5  0.5" for number in range(1, 25)],
    "by spans": ["250       1.0   1   3    1   24", "250       0.5   4   6    1   24"],
    "by name": ["192 FIDE_DUTCH_2026_BAKU"],
}


def paired(rounds: Mapping[int, Sequence[str]], *records: str, number: int | None = None) -> PairedRound:
    return pair_round(read_trf(written(rounds, *records)), number)


def pairs(text: str) -> list[tuple[int, int]]:
    return [(int(one), int(other)) for one, other in (pair.split("-") for pair in text.split())]


def test_the_example_of_javafo_is_paired_as_by_the_endorsed_engines() -> None:
    # Record 013 names a team of two players of the file; the event is one of individuals all the same.
    found = paired(
        lines(JAVAFO),
        "092 Individual: Swiss-System", "XXR 9", "XXC white1", "XXZ 22 28 43", "013 Example".ljust(36) + "   1    2",
    )  # fmt: skip
    assert [*found.pairs] == pairs(
        "1-2 3-4 5-6 7-13 11-21 23-12 19-16 17-52 35-18 8-24 9-26 37-10 14-29 45-15 46-20 27-38 34-30 39-31 41-32 "
        "42-33 44-48 25-49 40-50 51-36"
    )
    assert found.byes == (47,)


@pytest.mark.parametrize(
    ("table", "first", "expected"),
    [(HIGHER, "black1", "1-7 2-8 3-5 6-4"), (LOWER, "white1", "2-1 3-4 7-6 8-5")],
)
def test_the_boards_are_in_the_order_of_scores_and_then_of_numbers(table: str, first: str, expected: str) -> None:
    assert [*paired(lines(table), "XXR 5", f"XXC {first}").pairs] == pairs(expected)


def test_many_who_may_not_meet_leave_the_published_pairs() -> None:
    bars = [f"XXP {couple}" for couple in D2.strip().replace("\n", "|").split("|")]
    found = paired({number: [] for number in range(1, 13)}, "XXR 5", "XXC white1", *bars)
    assert [*found.pairs] == pairs("1-3 4-2 5-9 8-6 7-12 11-10")


@pytest.mark.parametrize(
    "rounds",
    [
        ["3w= 2b= 4w=", "4b= 1w= 3w=", "1b= 4w= 2b=", "2w= 3b= 1b="],
        ["U 4w= 3w=", "3w= U 4w=", "2b= 5b= 1b=", "5b= 1b= 2b=", "4w= 3w= U"],
    ],
)
def test_where_py4swiss_finds_no_pairing_there_is_none(rounds: list[str]) -> None:
    with pytest.raises(NoPairing) as caught:
        paired(lines("\n".join(rounds)), "XXR 5", "XXC white1")
    assert caught.value.code == NoPairingCode.DEAD_END


@pytest.mark.parametrize("records", BAKU_RECORDS.values(), ids=BAKU_RECORDS)
def test_an_accelerated_tournament_is_paired_as_by_bbppairings(records: Sequence[str]) -> None:
    rounds = lines(BAKU)
    for number in (1, 2, 4, 7):
        found = paired(rounds, "XXR 11", "XXC white1", *records, number=number)
        assert sorted(found.pairs) == sorted(
            (white, int(past[number - 1].split("w")[0])) for white, past in rounds.items() if "w" in past[number - 1]
        )
        assert found.byes == tuple(number_of for number_of, past in rounds.items() if past[number - 1] == "U")


@pytest.mark.parametrize("number", [3, 8, 10, 11])
def test_an_earlier_round_is_not_the_last_where_the_file_does_not_say_how_many_there_are(number: int) -> None:
    rounds = lines(MID)
    found = paired(rounds, number=number)
    assert sorted(found.pairs) == sorted(
        (white, int(past[number - 1].split("w")[0])) for white, past in rounds.items() if "w" in past[number - 1]
    )


def ranking_of(data: bytes, codes: Sequence[str]) -> dict[str, dict[str, str]]:
    """What is shown of everybody, by number and code; the library has to be of one mind with it."""
    trf = read_trf(data)
    found = ranked(trf, codes_of(trf, codes))
    assert (found.differences, found.mismatches) == ((), ())
    return {each.entrant: dict(zip(found.codes, as_text(found, each), strict=True)) for each in found.placings}


UNPLAYED_VALUES: Final = """
4.0 2 18.0 17.5 2.5 26.0 24.0 21.5 19.0 12.0 14.00 13.00
4.0 4 16.0 16.0 2.0 27.5 23.5 21.0 18.5 11.5 14.00 11.50
4.0 2 19.5 18.5 2.0 25.5 22.0 18.5 17.5 10.0 14.25 11.25
2.5 1 7.0 7.0 0.0 16.0 14.5 12.0 12.0 7.0 6.00 6.00
5.0 3 20.0 19.0 3.5 25.5 24.0 21.0 19.5 12.0 17.50 16.00
2.5 1 11.0 10.5 0.5 23.5 21.0 18.5 16.5 10.0 7.00 5.75
3.0 2 12.5 11.5 0.5 25.0 22.5 20.0 17.5 10.5 9.25 8.00
2.0 1 7.0 6.5 0.5 17.5 15.5 13.5 11.5 6.0 4.75 3.25
4.5 2 19.0 18.0 2.5 27.0 23.5 20.0 18.5 10.5 16.75 14.25
3.5 3 11.5 11.5 1.0 20.5 18.0 14.5 13.5 6.5 9.25 8.50
4.5 4 14.0 14.0 1.5 22.5 20.0 18.5 15.0 9.5 13.50 12.00
4.0 3 18.5 18.0 1.0 24.5 21.0 17.5 17.5 10.5 14.00 14.00
1.5 1 5.5 5.5 0.5 20.5 19.0 17.5 14.0 8.0 3.25 3.25
3.5 3 12.5 12.0 0.0 21.0 17.5 15.5 13.0 7.5 8.25 6.25
2.5 2 8.0 8.0 1.0 21.5 20.0 17.5 15.5 9.0 5.25 3.75
"""


def test_a_swiss_with_many_unplayed_rounds_has_the_published_values_of_2026() -> None:
    codes = ("SCORE", "WIN", "PS", "PS-C1", "KOYA", "BH", "BH-C1", "BH-C2", "BH-M1", "BH-M2", "SB", "SB-C1")
    found = ranking_of(written(lines(UNPLAYED)), codes)
    for number, row in enumerate(UNPLAYED_VALUES.strip().splitlines(), 1):
        assert [float(found[str(number)][code]) for code in codes] == [float(value) for value in row.split()]


HELD_VALUES: Final = {
    "PS": "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5",
    "PS-C1": "10 12 10.5 10.5 5 6 5 8 2.5 4 5 7 6 5 7 10",
    "WIN": "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3",
    "WON": "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3",
    "SB": "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25",
    "SB-C1": "7.25 8.5 9.25 7.75 3.25 5 1.25 3.75 2.25 0 3.25 4 4.25 3 2.5 5.75",
    "ARO": "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    "ARO-C1": "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 — 2025 1900 1963 1900",
}
"""By the exercises, and where the rules of 2026 say otherwise (SB of 4, 6 and 11) by them."""


def test_the_exercises_of_held_have_their_solutions() -> None:
    players = [line.split() for line in HELD.strip().splitlines()]
    data = "\n".join(player(number, past, int(rating)) for number, (rating, *past) in enumerate(players, 1)).encode()
    found = ranking_of(data, [*HELD_VALUES])
    for code, row in HELD_VALUES.items():
        for number, value in enumerate(row.split(), 1):
            shown = found[str(number)][code]
            assert (shown if value == "—" else float(shown)) == (value if value == "—" else float(value)), (
                code,
                number,
            )


def test_a_file_in_which_everybody_met_everybody_is_a_round_robin_where_it_says_nothing_else() -> None:
    # In a round robin a forfeit counts as played: of the three with 1.5, number 6 has 1.5 against the others.
    found = ranking_of(written(lines(ROBIN)), ["DE", "SB", "SB-C1", "KOYA"])
    assert [found[str(number)]["DE"] for number in (4, 5, 6)] == ["0.5", "1.0", "1.5"]
    assert [float(found[str(number)]["SB"]) for number in range(1, 7)] == [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]
    assert [float(found[str(number)]["SB-C1"]) for number in range(1, 7)] == [9.25, 4.75, 4.75, 4.25, 3.25, 1.5]
    assert [float(found[str(number)]["KOYA"]) for number in range(1, 7)] == [2.0, 0.5, 0.5, 1.0, 0.5, 0.0]
    assert ranking_of(written(lines(ROBIN), "092 Swiss"), ["DE"])["6"]["DE"] == "—"
