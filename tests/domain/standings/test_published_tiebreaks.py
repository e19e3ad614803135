"""Tie-breaks of events whose values were printed by somebody else."""

import pytest

from domain.standings.keys import shown
from domain.standings.lines import CHESS_POINTS, Entry, Line
from domain.standings.ranking import rank
from domain.standings.second_opinion import LIBRARY_CODES, differences
from tests.domain.standings.crosstables import line, square, womens_rapid
from tests.domain.standings.defaults import DEFAULT_WDL
from tests.domain.standings.random_fields import entries_of

CANDIDATES = """
xwddddwd
lxdwwdwd
ddxdddlw
dldxdddw
dlddxdwd
dddddxdd
llwdldxd
ddlldddx
"""


def test_all_110_players_of_the_womens_world_rapid_have_their_official_values_and_order() -> None:
    entries, published = womens_rapid()
    codes = ("SCORE", "BH-C1", "BH", "ARO-C1", "SB")
    placings = rank(entries, codes, after=11, scale=CHESS_POINTS)
    assert len(placings) == 110
    assert [placing.entrant for placing in placings] == [f"e{n}" for n in range(1, 111)]
    for placing, official in zip(placings, published, strict=True):
        values = [shown(code, value, CHESS_POINTS) for code, value in zip(codes, placing.values, strict=True)]
        assert [float(value) for value in values] == [
            float(official.points),
            float(official.buchholz_cut),
            float(official.buchholz),
            float(official.rating_cut),
            float(official.sonneborn_berger),
        ]
    assert [shown("BH-C1", placings[n].values[1], CHESS_POINTS) for n in range(3)] == ["63.0", "75.0", "72.0"]


def test_the_library_agrees_on_the_womens_world_rapid_after_every_round() -> None:
    entries, _ = womens_rapid()
    for after in (1, 6, 11):
        assert differences(entries, tuple(LIBRARY_CODES), after=after, scale=CHESS_POINTS) == ()


def test_the_candidates_of_2020_after_seven_rounds_have_the_sonneborn_berger_of_the_arbiters_manual() -> None:
    # Vachier-Lagrave, Nepomniachtchi, Caruana, Giri, Wang, Grischuk, Ding, Alekseenko.
    entries = square(CANDIDATES)
    placings = rank(entries, ("SCORE", "SB"), after=7, scale=CHESS_POINTS, pairing="round_robin")
    found = {placing.entrant: placing for placing in placings}
    points = [450, 450, 350, 350, 350, 350, 250, 250]
    berger = ["15.25", "14.25", "12.25", "11.25", "11.25", "12.25", "8.25", "9.25"]
    for n in range(8):
        assert found[f"e{n + 1}"].score == points[n]
        assert shown("SB", found[f"e{n + 1}"].values[1], CHESS_POINTS) == berger[n]


def eight_pairs() -> list[Entry]:
    """1>5 2>6 3>7 4>8, then 1>2 3=4 5>6 7>8."""
    return entries_of(
        [
            [line(1, 5, "w"), line(2, 2, "w")],
            [line(1, 6, "w"), line(2, 1, "l")],
            [line(1, 7, "w"), line(2, 4, "d")],
            [line(1, 8, "w"), line(2, 3, "d")],
            [line(1, 1, "l"), line(2, 6, "w")],
            [line(1, 2, "l"), line(2, 5, "l")],
            [line(1, 3, "l"), line(2, 8, "w")],
            [line(1, 4, "l"), line(2, 7, "l")],
        ]
    )


@pytest.mark.parametrize(
    ("entrant", "values"),
    [("e1", [200, 200, 100, 20000]), ("e3", [150, 250, 150, 17500]), ("e4", [150, 150, 150, 7500])],
)
def test_the_worked_example_of_eight_pairs_after_two_rounds(entrant: str, values: list[int]) -> None:
    placings = rank(eight_pairs(), ("SCORE", "BH", "BH-C1", "SB"), after=2, scale=CHESS_POINTS)
    assert list(next(placing.values for placing in placings if placing.entrant == entrant)) == values


def test_rounds_that_are_not_played_yet_count_for_nobody() -> None:
    early = rank(eight_pairs(), DEFAULT_WDL, after=1, scale=CHESS_POINTS)
    trimmed = [Entry(entrant=one.entrant, seed=one.seed, lines=one.lines[:1]) for one in eight_pairs()]
    assert early == rank(trimmed, DEFAULT_WDL, after=1, scale=CHESS_POINTS)


def opponent_with(wins: int, losses: int, draws: int, byes: int) -> list[Entry]:
    """e1, who met only e2 in the last round; e2 has the record that is given, that meeting included."""
    kinds = ["w"] * wins + ["l"] * losses + ["d"] * draws
    record = [line(n, 3, letter) for n, letter in enumerate(kinds[:-1], start=1)]
    last = len(kinds)
    record += [Line(round=last + n, kind="full_bye", score=100) for n in range(1, byes + 1)]
    meeting = line(last, 1, kinds[-1])
    mirror = {"w": "l", "l": "w", "d": "d"}
    return entries_of([[line(last, 2, mirror[kinds[-1]])], [*record, meeting], []])


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "byes", "share"),
    [(6, 2, 1, 0, 703704), (4, 2, 1, 2, 619048), (1, 4, 0, 0, 330000)],
)
def test_opponents_match_wins_are_those_of_the_published_examples(
    wins: int, losses: int, draws: int, byes: int, share: int
) -> None:
    entries = opponent_with(wins, losses, draws, byes)
    placings = rank(entries, ("OMW",), after=wins + losses + draws + byes, scale=CHESS_POINTS)
    assert next(placing.values for placing in placings if placing.entrant == "e1") == (share,)
