"""Entrants in order by a declared list of tie-breaks."""

from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.fairness import enc
from domain.standings.keys import KEYS, check_keys, decimal_text, shown
from domain.standings.lines import CHESS_POINTS, MATCH_POINTS, VP_SCALE, Entry, Line, Scale
from domain.standings.lots import lot, lot_order
from domain.standings.ranking import Placing, rank
from tests.domain.standings.crosstables import line, square
from tests.domain.standings.defaults import DEFAULT_VP, DEFAULT_WDL
from tests.domain.standings.random_fields import entries_of, random_field

ALL = tuple(KEYS)


def order(placings: tuple[Placing, ...]) -> list[str]:
    return [placing.entrant for placing in placings]


def value(placings: tuple[Placing, ...], entrant: str, column: int) -> int | None:
    return next(placing.values[column] for placing in placings if placing.entrant == entrant)


def test_level_entrants_share_a_rank_and_the_next_counts_on() -> None:
    entries = entries_of([[line(1, 2, "d")], [line(1, 1, "d")], [line(1, 4, "w")], [line(1, 3, "l")]])
    placings = rank(entries, ("SCORE",), after=1, scale=CHESS_POINTS)
    assert [(placing.entrant, placing.rank) for placing in placings] == [("e3", 1), ("e1", 2), ("e2", 2), ("e4", 4)]


def test_direct_encounter_parts_those_who_have_all_met() -> None:
    # e1 and e3 are level behind e2 and drew their meeting.
    entries = square("xwdl lxww dlxw wllx")
    placings = rank(entries, ("SCORE", "DE"), after=3, scale=CHESS_POINTS)
    assert [(placing.entrant, placing.score) for placing in placings][:1] == [("e2", 200)]
    assert order(placings)[1:3] == ["e1", "e3"]
    assert [placing.rank for placing in placings] == [1, 2, 2, 4]
    assert value(placings, "e1", 1) == 50
    assert value(placings, "e2", 1) is None


def test_direct_encounter_counts_only_the_meetings_of_the_level() -> None:
    # e1, e2 and e3 are level at two points; e1 beat both, and e2 beat e3.
    entries = entries_of(
        [
            [line(1, 2, "w"), line(2, 3, "w"), line(3, 5, "l")],
            [line(1, 1, "l"), line(2, 5, "w"), line(3, 3, "w")],
            [line(1, 5, "w"), line(2, 1, "l"), line(3, 2, "l"), line(4, 4, "w")],
            [line(4, 3, "l")],
            [line(1, 3, "l"), line(2, 2, "l"), line(3, 1, "w")],
        ]
    )
    placings = rank(entries, ("SCORE", "DE"), after=4, scale=CHESS_POINTS)
    assert [(placing.entrant, placing.rank) for placing in placings] == [
        ("e1", 1), ("e2", 2), ("e3", 3), ("e5", 4), ("e4", 5),
    ]  # fmt: skip
    assert [value(placings, f"e{n}", 1) for n in (1, 2, 3)] == [200, 100, 0]


def test_direct_encounter_of_victory_points_counts_those_of_the_meeting() -> None:
    scores = {("e1", "e2"): 1500, ("e1", "e3"): 900, ("e2", "e3"): 1100, ("e1", "e4"): 100, ("e2", "e4"): 1000}
    entries = vp_round_robin(scores | {("e3", "e4"): 500})
    # e1 and e3 have 25.00 each, and e3 won their meeting by 11.00 to 9.00.
    among = rank(entries, ("SCORE", "DE"), after=3, scale=VP_SCALE, pairing="round_robin")
    assert order(among) == ["e4", "e2", "e3", "e1"]
    assert value(among, "e1", 1) == 900
    assert value(among, "e3", 1) == 1100


def test_who_is_level_after_a_direct_encounter_is_compared_once_more_without_the_others() -> None:
    # e1, e2, e3 and e4 are level at two points. Among them e1 has 2, e4 has 1, and e2 and e3 have 1.5; e3 beat e2.
    entries = entries_of(
        [
            [line(1, 2, "d"), line(2, 3, "d"), line(3, 4, "w"), line(4, 5, "l")],
            [line(1, 1, "d"), line(2, 4, "w"), line(3, 3, "l"), line(4, 5, "d")],
            [line(1, 4, "l"), line(2, 1, "d"), line(3, 2, "w"), line(4, 5, "d")],
            [line(1, 3, "w"), line(2, 2, "l"), line(3, 1, "l"), line(4, 5, "w")],
            [line(4, 1, "w")],
        ]
    )
    placings = rank(entries, ("SCORE", "DE"), after=4, scale=CHESS_POINTS)
    assert [value(placings, f"e{n}", 1) for n in (1, 2, 3, 4)] == [200, 150, 150, 100]
    assert order(placings) == ["e1", "e3", "e2", "e4", "e5"]
    assert [placing.rank for placing in placings] == [1, 2, 3, 4, 5]


def vp_round_robin(scores: dict[tuple[str, str], int]) -> list[Entry]:
    """Four entrants, each against each, with the first one's victory points."""
    rounds = {
        frozenset(pair): number for number, pair in enumerate((("e1", "e4"), ("e1", "e3"), ("e1", "e2")), start=1)
    }
    rounds |= {frozenset(("e2", "e3")): 1, frozenset(("e2", "e4")): 2, frozenset(("e3", "e4")): 3}
    lines: dict[str, list[Line]] = {f"e{n}": [] for n in range(1, 5)}
    for (one, other), score in scores.items():
        number = rounds[frozenset((one, other))]
        lines[one].append(Line(round=number, kind="played", score=score, opponents=(other,)))
        lines[other].append(Line(round=number, kind="played", score=2000 - score, opponents=(one,)))
    return entries_of(lines.values())


def test_two_who_have_not_met_are_not_parted_by_direct_encounter() -> None:
    entries = entries_of([[line(1, 3, "w")], [line(1, 4, "w")], [line(1, 1, "l")], [line(1, 2, "l")]])
    placings = rank(entries, ("SCORE", "DE"), after=1, scale=CHESS_POINTS)
    assert [placing.rank for placing in placings] == [1, 1, 3, 3]
    assert all(placing.values[1] is None for placing in placings)


def test_a_forfeit_is_no_meeting_in_a_swiss_but_one_in_a_round_robin() -> None:
    won = Line(round=1, kind="forfeit_win", score=100, opponents=("e2",))
    lost = Line(round=1, kind="forfeit_loss", score=0, opponents=("e1",))
    entries = entries_of([[won, line(2, 3, "l")], [lost, line(3, 3, "w")], [line(2, 1, "w"), line(3, 2, "l")]])
    swiss = rank(entries, ("SCORE", "DE"), after=3, scale=CHESS_POINTS)
    league = rank(entries, ("SCORE", "DE"), after=3, scale=CHESS_POINTS, pairing="round_robin")
    assert [placing.values[1] for placing in swiss] == [None] * 3
    assert [placing.values[1] for placing in league] == [100] * 3


def test_those_who_met_more_often_count_the_mean_of_their_meetings() -> None:
    scores = (1234, 900, 701)
    entries = entries_of(
        [
            [Line(round=n, kind="played", score=score, opponents=("e2",)) for n, score in enumerate(scores, start=1)],
            [Line(round=n, kind="played", score=2000 - score, opponents=("e1",)) for n, score in enumerate(scores, 1)],
        ]
    )
    level = [
        Entry(entrant=one.entrant, seed=one.seed, lines=one.lines, penalty=fine)
        for one, fine in zip(entries, (0, 330), strict=True)
    ]
    placings = rank(level, ("SCORE", "DE"), after=3, scale=VP_SCALE)
    assert [(placing.entrant, placing.values) for placing in placings] == [("e2", (2835, 1055)), ("e1", (2835, 945))]


def test_a_penalty_is_taken_from_the_total_and_not_from_the_opponents_tie_break() -> None:
    entries = entries_of([[line(1, 2, "w")], [line(1, 1, "l")]])
    fined = [Entry(entrant="e1", seed=1, lines=entries[0].lines, penalty=150), entries[1]]
    placings = rank(fined, ("SCORE", "BH"), after=1, scale=CHESS_POINTS)
    assert [(placing.entrant, placing.values) for placing in placings] == [("e2", (0, 100)), ("e1", (-50, 0))]


def test_several_opponents_at_a_table_count_with_their_mean() -> None:
    def at_table(score: int, *others: str) -> Line:
        return Line(round=1, kind="played", score=score, opponents=others)

    entries = entries_of(
        [
            [at_table(2000, "e2", "e3")],
            [at_table(1001, "e1", "e3")],
            [at_table(0, "e1", "e2")],
        ]
    )
    placings = rank(entries, ("SCORE", "BH", "SB", "WIN"), after=1, scale=VP_SCALE)
    assert [placing.values[1:] for placing in placings] == [(501, 1002000, 1), (1000, 1001000, 1), (1501, 0, 0)]


def test_wins_are_counted_by_outcome_or_else_by_score_and_a_bye_of_twelve_is_none() -> None:
    bye = Line(round=2, kind="full_bye", score=1200)
    won = Line(round=1, kind="played", score=1001, opponents=("e2",))
    ruled = Line(round=1, kind="adjusted", score=999, opponents=("e1",), outcome="win")
    placings = rank(entries_of([[won, bye], [ruled]]), ("WIN",), after=2, scale=VP_SCALE)
    assert [placing.values for placing in placings] == [(1,), (1,)]
    full = rank(entries_of([[Line(round=1, kind="full_bye", score=200)]]), ("WIN",), after=1, scale=MATCH_POINTS)
    assert full[0].values == (1,)


def test_wins_that_were_played_are_without_byes_and_forfeits() -> None:
    unplayed = [
        Line(round=1, kind="forfeit_win", score=100, opponents=("e2",), outcome="win"),
        Line(round=2, kind="full_bye", score=100),
    ]
    played = [
        Line(round=1, kind="forfeit_loss", score=0, opponents=("e1",)),
        Line(round=2, kind="adjusted", score=100, opponents=("e3",)),
        Line(round=3, kind="played", score=100, opponents=("e3",)),
    ]
    lost = [Line(round=number, kind="played", score=0, opponents=("e2",)) for number in (2, 3)]
    placings = rank(entries_of([unplayed, played, lost]), ("WIN", "WON"), after=3, scale=CHESS_POINTS)
    assert {placing.entrant: placing.values for placing in placings} == {"e1": (2, 0), "e2": (2, 2), "e3": (0, 0)}


def test_one_unrated_opponent_leaves_the_average_rating_out_and_puts_it_last() -> None:
    entries = entries_of(
        [[line(1, 2, "d"), line(2, 3, "d")], [line(1, 1, "d"), line(2, 3, "d")], [line(1, 1, "d"), line(2, 2, "d")]],
        [1500, 1600, 1701],
    )
    unrated = [Entry(entrant="e1", seed=1, lines=entries[0].lines), *entries[1:]]
    placings = rank(unrated, ("ARO",), after=2, scale=CHESS_POINTS)
    assert [(placing.entrant, placing.values) for placing in placings] == [
        ("e1", (1651,)), ("e2", (None,)), ("e3", (None,)),
    ]  # fmt: skip


def test_koya_counts_what_was_scored_against_those_with_half_of_the_points() -> None:
    placings = rank(square("xwwd lxww llxw dllx"), ("KOYA",), after=3, scale=CHESS_POINTS, pairing="round_robin")
    assert [(placing.entrant, placing.values) for placing in placings] == [
        ("e1", (100,)), ("e4", (50,)), ("e2", (0,)), ("e3", (0,)),
    ]  # fmt: skip


def test_the_lot_is_the_order_of_published_hashes_and_drawn_only_among_the_level() -> None:
    seed = b"beacon"
    assert lot(seed, "e7") == sha256(enc(b"MELD-LOT-1", seed, b"e7")).digest()
    entries = [Entry(entrant=f"e{n}", seed=n, lines=()) for n in range(1, 6)]
    placings = rank(entries, ("SCORE", "LOT"), after=1, scale=VP_SCALE, lot_seed=seed)
    assert tuple(order(placings)) == lot_order(seed, [f"e{n}" for n in range(1, 6)])
    assert [placing.values[1] for placing in placings] == [1, 2, 3, 4, 5]
    assert [placing.rank for placing in placings] == [1, 2, 3, 4, 5]
    leader = [Entry(entrant="e9", seed=9, lines=(Line(round=1, kind="full_bye", score=1200),)), *entries]
    assert rank(leader, ("SCORE", "LOT"), after=1, scale=VP_SCALE, lot_seed=seed)[0].values == (1200, None)


def test_without_a_seed_no_lot_is_drawn_and_the_level_stand_by_seed() -> None:
    entries = [Entry(entrant=f"e{n}", seed=20 - n, lines=()) for n in range(1, 6)]
    placings = rank(entries, ("SCORE", "LOT"), after=1, scale=VP_SCALE)
    assert order(placings) == ["e5", "e4", "e3", "e2", "e1"]
    assert {placing.rank for placing in placings} == {1}


def test_nobody_and_nothing_played_have_standings_too() -> None:
    assert rank([], DEFAULT_VP, after=0, scale=VP_SCALE) == ()
    alone = rank([Entry(entrant="e1", seed=1, lines=())], ALL, after=0, scale=VP_SCALE, lot_seed=b"")
    assert alone[0].rank == 1


@pytest.mark.parametrize(
    ("entries", "codes", "after", "message"),
    [
        ([], (), 1, "at least one"),
        ([], ("SCORE", "SCORE"), 1, "only once"),
        ([], ("SCORE", "LUCK"), 1, "no tie-break 'LUCK'"),
        ([], ("SCORE",), -1, "0 to 1000 rounds"),
        ([], ("SCORE",), 1001, "0 to 1000 rounds"),
        ([Entry(entrant="e1", seed=1, lines=())] * 2, ("SCORE",), 1, "stands twice"),
        (entries_of([[line(1, 2, "w")]]), ("SCORE",), 1, "e2, an opponent of e1"),
        (entries_of([[line(1, 2, "w")] * 2, []]), ("SCORE",), 2, "stand twice"),
        (entries_of([[line(0, 2, "w")], []]), ("SCORE",), 2, "below 1"),
    ],
)
def test_what_cannot_be_ranked_is_refused(
    entries: list[Entry], codes: tuple[str, ...], after: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        rank(entries, codes, after=after, scale=CHESS_POINTS)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**9),
    scale=st.sampled_from((VP_SCALE, MATCH_POINTS)),
    entrants=st.integers(1, 30),
    rounds=st.integers(1, 7),
    trouble=st.sampled_from((0.0, 0.3)),
)
def test_standings_do_not_depend_on_the_order_of_entries_or_lines(
    seed: int, scale: Scale, entrants: int, rounds: int, trouble: float
) -> None:
    entries = random_field(seed, scale, entrants=entrants, rounds=rounds, trouble=trouble)
    placings = rank(entries, ALL, after=rounds, scale=scale, lot_seed=b"seed")
    random = Random(seed)
    mixed = []
    for one in random.sample(entries, len(entries)):
        lines = tuple(random.sample(one.lines, len(one.lines)))
        mixed.append(Entry(entrant=one.entrant, seed=one.seed, lines=lines))
    assert rank(mixed, ALL, after=rounds, scale=scale, lot_seed=b"seed") == placings
    assert sorted(order(placings)) == sorted(one.entrant for one in entries)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**9), entrants=st.integers(2, 30), codes=st.permutations(sorted(set(ALL) - {"DE", "LOT"})))
def test_each_tie_break_orders_those_whom_the_ones_before_left_level(
    seed: int, entrants: int, codes: list[str]
) -> None:
    entries = random_field(seed, MATCH_POINTS, entrants=entrants, rounds=4, trouble=0.2)
    placings = rank(entries, codes[:4], after=4, scale=MATCH_POINTS)
    signs = [1 if KEYS[code].lower_is_better else -1 for code in codes[:4]]
    keys = [
        tuple((one is None, 0 if one is None else sign * one) for sign, one in zip(signs, placing.values, strict=True))
        for placing in placings
    ]
    assert keys == sorted(keys)
    for before, placing in enumerate(placings):
        assert placing.rank == keys.index(keys[before]) + 1


def test_values_are_written_with_the_decimals_of_their_key_and_scale() -> None:
    assert shown("SCORE", 1450, VP_SCALE) == "14.50"
    assert shown("BH", 6300, CHESS_POINTS) == "63.0"
    assert shown("SB", 152500, CHESS_POINTS) == "15.25"
    assert shown("OMW", 703704, MATCH_POINTS) == "0.703704"
    assert shown("MPD", -450, VP_SCALE) == "−450"
    assert shown("DE", None, VP_SCALE) == "—"
    assert decimal_text(-5, 2, 1) == "−0.05"
    assert decimal_text(500, 2, 0) == "5"
    with pytest.raises(KeyError):
        shown("LUCK", 1, VP_SCALE)


def test_the_default_lists_are_sound() -> None:
    assert [key.code for key in check_keys(DEFAULT_VP)] == list(DEFAULT_VP)
    assert [key.code for key in check_keys(DEFAULT_WDL)] == list(DEFAULT_WDL)
