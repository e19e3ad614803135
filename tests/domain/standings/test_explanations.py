"""Each tie-break value with its arithmetic in words and numbers."""

import re
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.standings.explanations import Explanation, explain
from domain.standings.keys import KEYS
from domain.standings.lines import CHESS_POINTS, MATCH_POINTS, VP_SCALE, Entry, Line, Scale
from domain.standings.lots import lot
from domain.standings.ranking import rank
from tests.domain.standings.crosstables import line, square, womens_rapid
from tests.domain.standings.random_fields import entries_of, random_field

ALL = tuple(KEYS)
SUMS = ("SCORE", "BH", "BH-C1", "BH-C2", "BH-M1", "BH-M2", "SB", "SB-C1", "PS", "PS-C1", "KOYA", "MPD")


def text(explanations: tuple[Explanation, ...], code: str) -> str:
    return next(one.text for one in explanations if one.code == code)


def summed(explanation: str) -> Decimal:
    """What the numbers of a sum in words come to."""
    arithmetic = re.sub(r"\([^()]*(\([^()]*\))?[^()]*\)", "", explanation.split(" = ", 1)[1]).split(",")[0]
    total = Decimal(0)
    for part in arithmetic.split("+"):
        product = Decimal(1)
        for factor in part.split("×"):
            product *= Decimal(factor.strip().replace("−", "-").replace("no round yet", "0"))
        total += product
    return total


def test_a_buchholz_names_opponents_rounds_and_the_cut() -> None:
    entries, _ = womens_rapid()
    found = explain(entries, ("SCORE", "BH-C1", "ARO-C1"), "e3", after=4, scale=CHESS_POINTS)
    assert text(found, "BH-C1") == (
        "Buchholz cut 1 7.5 = 1.5 (e26, round 2) + 2.5 (e43, round 3) + 3.5 (e22, round 4), "
        "lowest 1.0 (e51, round 1) cut"
    )
    assert text(found, "ARO-C1") == (
        "Average rating of opponents cut 1 2297 = the mean of 2267 (e26, round 2), 2305 (e43, round 3), "
        "2319 (e22, round 4), lowest 2258 (e51) cut"
    )


def test_what_is_cut_is_told_as_lowest_highest_or_first() -> None:
    entries, _ = womens_rapid()
    found = explain(entries, ("BH-M1", "PS-C1"), "e3", after=4, scale=CHESS_POINTS)
    assert text(found, "BH-M1") == (
        "Median Buchholz 4.0 = 1.5 (e26, round 2) + 2.5 (e43, round 3), "
        "lowest 1.0 (e51, round 1) cut, highest 3.5 (e22, round 4) cut"
    )
    assert text(found, "PS-C1") == (
        "Progressive score cut 1 7.0 = 1.5 (after round 2) + 2.5 (after round 3) + 3.0 (after round 4), "
        "0.5 (after round 1) cut"
    )


def test_unplayed_rounds_tell_what_stands_in_for_an_opponent() -> None:
    entries = entries_of(
        [
            [line(1, 2, "w"), Line(round=2, kind="full_bye", score=100), Line(round=3, kind="half_bye", score=50)],
            [line(1, 1, "l"), Line(round=2, kind="forfeit_win", score=100, opponents=("e3",))],
            [Line(round=2, kind="forfeit_loss", score=0, opponents=("e2",))],
        ]
    )
    found = explain(entries, ("SCORE", "BH", "BH-C1", "SB"), "e1", after=3, scale=CHESS_POINTS)
    assert text(found, "SCORE") == "Score 2.5 = 1.0 (e2, round 1) + 1.0 (bye, round 2) + 0.5 (half bye, round 3)"
    bye = "no opponent, round {}, unplayed: the own score of 2.5, but at most 1.5"
    assert text(found, "BH") == (
        "Buchholz 4.5 = 1.5 (e2, round 1, the rounds that e2 left out at the end as draws)"
        f" + 1.5 ({bye.format(2)}) + 1.5 ({bye.format(3)})"
    )
    assert text(found, "BH-C1").endswith(f", voluntarily unplayed 1.5 ({bye.format(3)}) cut")
    theirs = explain(entries, ("SCORE", "BH"), "e2", after=3, scale=CHESS_POINTS)
    assert "1.0 (e3, forfeit, round 2)" in text(theirs, "SCORE")
    assert "1.0 (e3, round 2, unplayed: the own score of 1.0, but at most what e3 counts)" in text(theirs, "BH")


def test_a_direct_encounter_names_the_group() -> None:
    found = explain(square("xwdl lxww dlxw wllx"), ("SCORE", "DE"), "e1", after=3, scale=CHESS_POINTS)
    assert text(found, "DE").startswith("Direct encounter 0.5: among one another e1 0.5, e3 0.5;")
    alone = explain(square("xwdl lxww dlxw wllx"), ("SCORE", "DE"), "e2", after=3, scale=CHESS_POINTS)
    assert text(alone, "DE") == "Direct encounter —: level with nobody"
    strangers = entries_of([[line(1, 3, "w")], [line(1, 4, "w")], [line(1, 1, "l")], [line(1, 2, "l")]])
    apart = explain(strangers, ("SCORE", "DE"), "e1", after=1, scale=CHESS_POINTS)
    assert text(apart, "DE") == "Direct encounter —: level with e2, who have not all met"


def test_a_lot_gives_the_hash_that_anybody_can_make_again() -> None:
    entries = [Entry(entrant=f"e{n}", seed=n, lines=()) for n in (1, 2)]
    found = explain(entries, ("SCORE", "LOT"), "e2", after=1, scale=VP_SCALE, lot_seed=b"seed")
    assert lot(b"seed", "e2").hex() in text(found, "LOT")
    assert text(explain(entries, ("SCORE", "LOT"), "e2", after=1, scale=VP_SCALE), "LOT") == "Lot —: not drawn yet"


def test_a_penalty_an_unrated_opponent_and_the_floor_are_told() -> None:
    entries = entries_of([[line(1, 2, "w")], [line(1, 1, "l")]])
    fined = [Entry(entrant="e1", seed=1, lines=entries[0].lines, penalty=50), entries[1]]
    found = explain(fined, ("SCORE", "ARO", "OMW", "WIN", "SEED"), "e1", after=1, scale=CHESS_POINTS)
    assert text(found, "SCORE") == "Score 0.5 = 1.0 (e2, round 1), less a penalty of 0.5"
    assert text(found, "ARO") == "Average rating of opponents —: e2 without a rating"
    assert text(found, "OMW") == "Opponents' match wins 0.33 = the mean of 0 of 3, so 33 % (e2, round 1)"
    assert text(found, "WIN") == "Wins 1: round 1 (e2)"
    walked = Line(round=2, kind="forfeit_win", score=100, opponents=("e2",), outcome="win")
    both = [Entry(entrant="e1", seed=1, lines=(*entries[0].lines, walked)), entries[1]]
    wins = explain(both, ("WIN", "WON"), "e1", after=2, scale=CHESS_POINTS)
    assert text(wins, "WIN") == "Wins 2: round 1 (e2), round 2 (e2, forfeit)"
    assert text(wins, "WON") == "Wins that were played 1: round 1 (e2)"
    assert text(found, "SEED") == "Seed 1 at the start, the lower first"


def test_who_is_not_in_the_ranking_cannot_be_explained() -> None:
    with pytest.raises(ValueError, match="e9 is not in the ranking"):
        explain([], ("SCORE",), "e9", after=1, scale=VP_SCALE)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**9),
    scale=st.sampled_from((VP_SCALE, MATCH_POINTS, CHESS_POINTS)),
    entrants=st.integers(2, 12),
    rounds=st.integers(1, 6),
    trouble=st.sampled_from((0.0, 0.5)),
)
def test_explanations_have_the_values_of_the_ranking_and_their_sums_come_out(
    seed: int, scale: Scale, entrants: int, rounds: int, trouble: float
) -> None:
    entries = random_field(seed, scale, entrants=entrants, rounds=rounds, trouble=trouble)
    placings = rank(entries, ALL, after=rounds, scale=scale, lot_seed=b"seed")
    placing = placings[seed % len(placings)]
    found = explain(entries, ALL, placing.entrant, after=rounds, scale=scale, lot_seed=b"seed")
    assert tuple(one.value for one in found) == placing.values
    for one in found:
        if one.code in SUMS:
            assert one.value is not None
            assert summed(one.text) == Decimal(one.value).scaleb(-KEYS[one.code].places), one.text
