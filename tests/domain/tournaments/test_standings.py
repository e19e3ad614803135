"""Standings of a stage from the state of a tournament: scores, byes, rulings, penalties, tie-breaks, who left."""

import pytest

from domain.canonical import canonical
from domain.standings.lines import CHESS_POINTS
from domain.standings.lots import lot_order
from domain.standings.ranking import rank
from domain.tournaments.entries import entries_of
from domain.tournaments.entry_events import Entered, Returned, Withdrawn
from domain.tournaments.fold import replayed
from domain.tournaments.formats import Arena, Format, Individual, Ladder, RoundRobin, Swiss
from domain.tournaments.matches import (
    FixedHands,
    MatchTerms,
    Placing,
    RawPoints,
    Score,
    Unplayed,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.round_events import RungsMoved, StageBegun
from domain.tournaments.seating import Bye
from domain.tournaments.standings import standings
from domain.tournaments.terms import DEFAULT_VP, DEFAULT_WDL, Registration, Stage, TieBreak
from tests.domain.standings.crosstables import womens_rapid
from tests.domain.tournaments.campaign import SMALL, Campaign
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Meeting, Told, met

ONE_HAND = MatchTerms(length=FixedHands(1), minutes=25)
CHESS = WinDrawLoss()
NO_TIE_BREAKS: tuple[TieBreak, ...] = ()


def of(
    score: Score | None = None,
    tie_breaks: tuple[TieBreak, ...] = DEFAULT_VP,
    form: Format | None = None,
    unplayed: Unplayed | None = None,
) -> Stage:
    return Stage(
        format=form or Swiss(rounds=9),
        match=ONE_HAND,
        score=score or VictoryPoints(),
        tie_breaks=tie_breaks,
        unplayed=unplayed or Unplayed(),
    )


def won(winner: str, loser: str) -> Meeting:
    return met(winner, loser, 100, 0)


def drawn(one: str, other: str) -> Meeting:
    return met(one, other, 0, 0)


# --- published cases, through the events of a tournament ---


def eight_pairs(tie_breaks: tuple[TieBreak, ...]) -> Told:
    told = Told(terms_of(of(CHESS, tie_breaks)), 8)
    told.round([won("e1", "e5"), won("e2", "e6"), won("e3", "e7"), won("e4", "e8")])
    told.round([won("e1", "e2"), drawn("e3", "e4"), won("e5", "e6"), won("e7", "e8")])
    return told


@pytest.mark.parametrize(
    ("entrant", "score", "values"),
    [("e1", 200, (200, 100, 20000)), ("e3", 150, (250, 150, 17500)), ("e4", 150, (150, 150, 7500))],
)
def test_the_worked_example_of_eight_pairs(entrant: str, score: int, values: tuple[int, ...]) -> None:
    row = eight_pairs(("buchholz", "buchholz_cut_1", "sonneborn_berger")).row(entrant)
    assert (row.score, row.values) == (score, values)


def test_the_default_lists_of_the_terms_rank_the_eight_pairs() -> None:
    told = eight_pairs(DEFAULT_WDL)
    # The third and the fourth have met and drawn; the third has the better opponents.
    assert [row.entrant for row in told.standings().rows][:3] == ["e1", "e3", "e4"]
    assert [row.rank for row in told.standings().rows] == [*range(1, 9)]


def test_the_womens_world_rapid_as_a_tournament_has_its_official_values_and_order() -> None:
    entries, published = womens_rapid()
    ties: tuple[TieBreak, ...] = ("buchholz_cut_1", "buchholz", "sonneborn_berger")
    # Seeds run backwards, so that nothing but the results can lead to the official order.
    ratings = [entry.rating or 0 for entry in entries]
    told = Told(terms_of(of(CHESS, ties), players=2), [entry.entrant for entry in reversed(entries)], ratings)
    for number in range(11):
        meetings = []
        for entry in entries:
            line = entry.lines[number]
            if int(entry.entrant[1:]) < int(line.opponents[0][1:]):
                points = {100: (1, 0), 50: (0, 0), 0: (0, 1)}[line.score]
                meetings.append(met(entry.entrant, line.opponents[0], *points))
        told.round(meetings)
    assert len(told.state.matches) == 605
    rows = {row.entrant: row for row in told.standings().rows}
    for number, official in enumerate(published, 1):
        row = rows[f"e{number}"]
        assert row.score == round(100 * float(official.points))
        assert row.values[:2] == (round(100 * float(official.buchholz_cut)), round(100 * float(official.buchholz)))
        assert row.values[2] == round(10_000 * float(official.sonneborn_berger))
        assert row.played == 11
    entered = entries_of(told.state, told.state.stages[0])
    assert entered.scale == CHESS_POINTS
    codes = ("SCORE", "BH-C1", "BH", "ARO-C1")
    placings = rank(entered.entries, codes, after=entered.after, scale=entered.scale)
    assert [placing.entrant for placing in placings] == [f"e{n}" for n in range(1, 111)]
    assert [placing.values[3] for placing in placings] == [int(official.rating_cut) for official in published]


# --- what a round is worth ---


def test_victory_points_are_those_of_the_match() -> None:
    told = Told(terms_of(of()), 2)
    told.round([met("e1", "e2", 1500, 0)])
    row = told.row("e1")
    decided = told.state.matches["r1m1"].decided
    assert decided is not None
    assert (row.score, told.row("e2").score) == decided.score
    assert (row.played, row.wins, told.row("e2").losses) == (1, 1, 1)
    margin = DEFAULT_VP.index("margin")
    assert (row.values[margin], told.row("e2").values[margin]) == (1500, -1500)


@pytest.mark.parametrize(("bye", "score"), [("bye", 1200), ("half_bye", 1000), ("zero_bye", 0)])
def test_byes_are_worth_the_percentages_of_the_terms(bye: Bye, score: int) -> None:
    told = Told(terms_of(of()), 3)
    told.round([met("e1", "e2", 100, 100)], {"e3": bye})
    assert told.row("e3").score == score
    assert told.row("e3").played == 0


def test_a_bye_in_points_is_a_part_of_twice_the_mean_of_the_round() -> None:
    told = Told(terms_of(of(RawPoints())), 5)
    told.round([met("e1", "e2", 300, 100), met("e3", "e4", 500, 100)], {"e5": "bye"})
    # The mean is 250, and a bye 60 % of twice that.
    assert told.row("e5").score == 30_000
    assert told.row("e3").score == 50_000


def test_a_forfeit_in_points_goes_by_the_mean_of_the_round_too_and_nobody_has_anything_where_nobody_came() -> None:
    told = Told(terms_of(of(RawPoints(), ("wins",))), 6)
    number = told.pair([(("e1",), ("e2",)), (("e3",), ("e4",)), (("e5",), ("e6",))])
    told.end(f"r{number}m1", [(400, 200)])
    told.rule("r1m2", kind="forfeit", forfeit=(False, True))
    told.rule("r1m3", kind="forfeit", forfeit=(True, True))
    assert [told.row(f"e{n}").score for n in (3, 4, 5, 6)] == [42_000, 18_000, 0, 0]
    # No number of points is a win: who came to a match of points has won it.
    assert [told.row(f"e{n}").values for n in (3, 4, 5, 6)] == [(1,), (0,), (0,), (0,)]


def test_a_forfeit_is_no_match_that_was_played() -> None:
    told = Told(terms_of(of()), 4)
    told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))])
    told.rule("r1m1", kind="forfeit", forfeit=(True, False))
    told.end("r1m2", [(0, 0)])
    assert told.lines("e2") == [(1, "forfeit_win", 1400, ("e1",))]
    assert told.lines("e1") == [(1, "forfeit_loss", 600, ("e2",))]
    assert (told.row("e2").played, told.row("e2").wins) == (0, 0)


def test_a_void_match_counts_for_nobody_and_is_nobodys_fault() -> None:
    told = Told(terms_of(of()), 2)
    told.round([met("e1", "e2", 500, 0)])
    told.rule("r1m1", kind="void")
    assert told.lines("e1") == [(1, "full_bye", 0, ())]
    assert [(row.score, row.played) for row in told.standings().rows] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("ruling", "scores"),
    [
        ({"kind": "score", "score": (500, 900)}, (500, 900)),
        ({"kind": "average", "average": ("plus", "minus")}, (1200, 800)),
        ({"kind": "points", "points": (0, 0)}, (1000, 1000)),
    ],
)
def test_a_ruling_stands_in_the_place_of_the_result(ruling: dict[str, object], scores: tuple[int, int]) -> None:
    told = Told(terms_of(of()), 2)
    told.round([met("e1", "e2", 5000, 0)])
    told.rule("r1m1", **ruling)
    assert (told.row("e1").score, told.row("e2").score) == scores
    assert told.lines("e1")[0][1] == "adjusted"


def test_penalties_take_from_the_total_but_not_from_what_opponents_have_of_it() -> None:
    told = Told(terms_of(of(tie_breaks=("opponents_vp",))), 2)
    told.round([met("e1", "e2", 0, 0)])
    told.fine("e1", 150)
    row = told.row("e1")
    assert (row.score, row.penalty, row.rank) == (850, 150, 2)
    assert told.row("e2").values == (1000,)


@pytest.mark.parametrize("late_rounds", [3, 0])
def test_late_entrants_have_a_part_of_the_last_rounds_before_they_came(late_rounds: int) -> None:
    # Where the terms let nobody in late a director does so all the same.
    registration = Registration(late_rounds=late_rounds, late_score=40, late_scored_rounds=1)
    told = Told(terms_of(of(), registration=registration), 4)
    for _ in range(2):
        told.round([met("e1", "e2", 0, 0), met("e3", "e4", 0, 0)])
    told.enter(late_round=3)
    told.round([met("e1", "e2", 0, 0), met("e3", "e5", 0, 0)], {"e4": "bye"})
    assert told.lines("e5") == [(2, "half_bye", 800, ()), (3, "played", 1000, ("e3",))]
    assert told.row("e5").score == 1800


def test_who_came_late_and_left_without_a_round_stands_nowhere_and_is_back_with_its_part() -> None:
    told = Told(terms_of(of(), registration=Registration(late_rounds=3, late_score=40)), 4)
    told.round([met("e1", "e2", 0, 0), met("e3", "e4", 0, 0)])
    told.enter(late_round=2)
    assert told.row("e5").score == 800
    told.add(Withdrawn(entrant="e5"))
    assert {entrant for _, entrant in told.ranks()} == {"e1", "e2", "e3", "e4"}
    told.add(Returned(entrant="e5"))
    assert told.row("e5").score == 800
    told.round([met("e1", "e2", 0, 0), met("e3", "e5", 0, 0)], {"e4": "bye"})
    told.add(Withdrawn(entrant="e5"))
    assert told.row("e5").score == 1800, "Who withdrew stays with what it played."


def test_carried_scores_count_for_the_total_alone() -> None:
    told = Told(terms_of(of(), of(tie_breaks=("opponents_vp",))), 2)
    told.round([met("e1", "e2", 0, 0)])
    told.begin(["e2", "e1"], {"e2": 700})
    told.round([met("e1", "e2", 0, 0)])
    row = told.row("e2")
    assert (row.score, row.carried) == (1700, 700)
    assert told.ranks() == [(1, "e2"), (2, "e1")]
    assert told.row("e1").values == (1000,)
    assert told.row("e2", 0).score == 1000


def test_a_penalty_belongs_to_the_stage_of_its_round() -> None:
    told = Told(terms_of(of(), of()), 2)
    told.round([met("e1", "e2", 0, 0)])
    told.begin(["e1", "e2"])
    told.round([met("e1", "e2", 0, 0)])
    told.fine("e1", 100, 1)
    told.fine("e1", 30, 2)
    assert (told.row("e1", 0).penalty, told.row("e1", 1).penalty) == (100, 30)


def test_a_bye_may_be_worth_a_win_and_then_is_one_to_the_tie_break() -> None:
    told = Told(terms_of(of(CHESS, ("wins",), unplayed=Unplayed(bye=100))), 3)
    told.round([drawn("e1", "e2")], {"e3": "bye"})
    assert told.row("e3").values == (1,)
    assert told.row("e3").wins == 0


# --- rounds that are being played ---


def test_results_count_at_once_and_tie_breaks_when_their_round_is_over() -> None:
    told = Told(terms_of(of(tie_breaks=("opponents_vp", "margin"))), 4)
    told.round([met("e1", "e2", 0, 0), met("e3", "e4", 0, 0)])
    before = {row.entrant: row.values for row in told.standings().rows}
    told.pair([(("e1",), ("e3",)), (("e2",), ("e4",))])
    assert {row.entrant: row.values for row in told.standings().rows} == before
    told.end("r2m1", [(3000, 0)])
    now = told.standings()
    assert {row.entrant: row.values for row in now.rows} == before
    assert (now.round, now.complete) == (2, False)
    assert now.rows[0].entrant == "e1"
    assert told.row("e1").played == 2
    told.end("r2m2", [(0, 0)])
    assert told.standings().complete
    assert told.row("e1").values != before["e1"]


def test_a_round_that_has_not_begun_gives_nobody_a_bye() -> None:
    told = Told(terms_of(of()), 3)
    number = told.pair([(("e1",), ("e2",))], {"e3": "bye"})
    paired = replayed(told.state.id, told.happened[: told.state.version - 1])
    assert paired.rounds[number].status == "paired"
    assert {row.entrant: row.score for row in standings(paired).rows}["e3"] == 0
    assert told.row("e3").score == 1200


# --- order ---


def test_who_is_level_in_everything_shares_a_rank() -> None:
    told = Told(terms_of(of(tie_breaks=("margin",))), 4)
    told.round([met("e1", "e2", 0, 0), met("e3", "e4", 500, 0)])
    assert told.ranks() == [(1, "e3"), (2, "e1"), (2, "e2"), (4, "e4")]


def test_the_lot_is_that_of_the_tournament() -> None:
    told = Told(terms_of(of(tie_breaks=("lot",))), 6)
    told.round([met("e1", "e2", 0, 0), met("e3", "e4", 0, 0), met("e5", "e6", 0, 0)])
    order = lot_order(bytes.fromhex("5a" * 32), [f"e{n}" for n in range(1, 7)])
    assert tuple(row.entrant for row in told.standings().rows) == order
    assert [row.values for row in told.standings().rows] == [(n,) for n in range(1, 7)]


def test_two_names_of_one_tie_break_have_one_value() -> None:
    told = Told(terms_of(of(tie_breaks=("buchholz", "opponents_vp"))), 2)
    told.round([met("e1", "e2", 800, 0)])
    assert all(row.values[0] == row.values[1] is not None for row in told.standings().rows)


def test_who_withdrew_stays_and_who_was_disqualified_comes_last() -> None:
    told = Told(terms_of(of(tie_breaks=("direct_encounter",))), 4)
    told.round([met("e1", "e2", 2000, 0), met("e3", "e4", 1000, 0)])
    told.add(Withdrawn(entrant="e3"), Withdrawn(entrant="e1", disqualified=True, reason="conduct"))
    assert told.ranks() == [(1, "e3"), (2, "e4"), (3, "e2"), (4, "e1")]
    assert told.row("e1").score > told.row("e3").score


def test_a_disqualified_entrant_does_not_keep_the_others_from_being_compared() -> None:
    told = Told(terms_of(of(CHESS, ("direct_encounter",))), 4)
    # The first three are level, and the second and the third have met; the first has met neither.
    told.round([won("e1", "e4"), won("e3", "e2")])
    told.round([won("e2", "e4")], {"e1": "zero_bye", "e3": "zero_bye"})
    assert [number for number, _ in told.ranks()][:3] == [1, 1, 1]
    told.add(Withdrawn(entrant="e1", disqualified=True, reason="conduct"))
    assert told.ranks() == [(1, "e3"), (2, "e2"), (3, "e4"), (4, "e1")]


def test_who_was_never_in_the_stage_is_not_in_its_standings() -> None:
    told = Told(terms_of(of(tie_breaks=("margin",)), registration=Registration(late_rounds=2)), 2)
    told.add(Entered(entrant="e3", players=("p9",), bots=(None,), consents=("p9",), status="waiting"))
    assert [row.entrant for row in told.standings().rows] == ["e1", "e2"]
    told.enter(late_round=1)
    assert [row.entrant for row in told.standings().rows] == ["e1", "e2", "e4"]
    told.add(Withdrawn(entrant="e4"))
    assert [row.entrant for row in told.standings().rows] == ["e1", "e2"]


def test_in_a_round_robin_a_forfeit_is_an_encounter() -> None:
    for form, values in ((RoundRobin(), (100, 0)), (Swiss(rounds=1), (None, None))):
        told = Told(terms_of(of(CHESS, ("direct_encounter",), form, Unplayed(forfeit_win=100, forfeit_loss=0))), 4)
        told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))])
        told.rule("r1m1", kind="forfeit", forfeit=(False, True))
        told.end("r1m2", [(0, 0)])
        told.fine("e1", 100)
        assert tuple(told.row(each).values[0] for each in ("e1", "e2")) == values


# --- other tables and formats ---


def test_individuals_have_the_score_of_their_side_and_two_opponents() -> None:
    told = Told(terms_of(of(form=Individual(), tie_breaks=("wins",)), entrants="individuals"), 4)
    told.round([(("e1", "e2"), ("e3", "e4"), [(1500, 0)])])
    rows = {row.entrant: row for row in told.standings().rows}
    assert rows["e1"].score == rows["e2"].score > 1000 > rows["e3"].score == rows["e4"].score
    assert told.lines("e3")[0][3] == ("e1", "e2")
    assert told.ranks() == [(1, "e1"), (1, "e2"), (3, "e3"), (3, "e4")]
    told.round([(("e1", "e3"), ("e2", "e4"), [(500, 500)])])
    assert [(row.wins, row.draws, row.losses) for row in told.standings().rows] == [(1, 1, 0)] * 2 + [(0, 1, 1)] * 2


@pytest.mark.parametrize(
    ("players", "points", "scores"),
    [(3, (300, 100, 100), (2000, 500, 500)), (5, (50, 40, 30, 20, 10), (2000, 1500, 1000, 500, 0))],
)
def test_at_tables_of_several_sides_everybody_is_placed(
    players: int, points: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    told = Told(terms_of(of(Placing(), ("margin",), Individual(movement="swiss")), players=players), players)
    told.pair([[(f"e{n}",) for n in range(1, players + 1)]])
    told.end("r1m1", [points])
    assert tuple(told.row(f"e{n}").score for n in range(1, players + 1)) == scores
    assert told.row("e1").wins == 1
    assert told.row("e2").losses == 1


def test_three_pairs_at_a_table_of_six_have_each_other_as_opponents() -> None:
    told = Told(terms_of(of(Placing(), ("margin",), Individual(movement="swiss")), players=6), 3)
    told.pair([[("e1",), ("e2",), ("e3",)]])
    told.end("r1m1", [(900, 300, 0)])
    assert told.lines("e2") == [(1, "played", 1000, ("e1", "e3"))]
    # Own points less the mean of the others': 900 − 150, 300 − 450, 0 − 600.
    assert [row.values[0] for row in told.standings().rows] == [750, -150, -600]


def test_in_an_arena_nobody_misses_a_round() -> None:
    told = Told(terms_of(of(form=Arena(minutes=60), tie_breaks=("buchholz", "wins"))), 4)
    told.round([met("e1", "e2", 0, 0)])
    told.round([met("e3", "e4", 2000, 0)])
    told.round([met("e1", "e3", 0, 0)])
    assert told.lines("e3") == [(1, "played", told.row("e3").score - 1000, ("e4",)), (2, "played", 1000, ("e1",))]
    assert told.row("e2").values[0] == told.row("e1").score
    assert told.standings().complete


def test_the_rungs_are_the_standings_of_a_ladder() -> None:
    told = Told(terms_of(of(form=Ladder(days=3))), 4)
    told.add(RungsMoved(order=("e1", "e2", "e3", "e4")))
    told.round([met("e3", "e1", 500, 0)])
    told.add(RungsMoved(order=("e1", "e3", "e2", "e4")))
    assert told.ranks() == [(1, "e1"), (2, "e3"), (3, "e2"), (4, "e4")]
    assert told.row("e3").wins == 1


# --- as of any event ---


@pytest.mark.parametrize("seed", range(12))
def test_standings_as_of_an_event_are_those_of_the_events_up_to_it(seed: int) -> None:
    """Whatever was ranked before, in whatever order: nothing that is kept between two rankings shows."""
    campaign = Campaign(seed, SMALL)
    campaign.run()
    begun = next(n for n, event in enumerate(campaign.happened, 1) if isinstance(event, StageBegun))
    told = {}
    state = campaign.state
    for n in range(begun, len(campaign.happened) + 1, max(1, (len(campaign.happened) - begun) // 40)):
        told[n] = canonical(standings(replayed(state.id, campaign.happened[:n])))
    for n in reversed([*told]):
        again = replayed(state.id, campaign.happened[:n])
        found = standings(again)
        assert found.version == n
        assert canonical(found) == told[n]
