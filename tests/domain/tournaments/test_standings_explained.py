"""An entrant's place explained, and the crosstable."""

import re
from decimal import Decimal
from typing import Any

import pytest

from domain.standings.keys import KEYS
from domain.tournaments import events
from domain.tournaments.crosstable import crosstable
from domain.tournaments.explaining import RowExplained, explained
from domain.tournaments.formats import Arena, Elimination, Individual, Mitchell, RoundRobin, Swiss
from domain.tournaments.matches import (
    CrossImps,
    FixedHands,
    ImpMatch,
    Matchpoints,
    MatchTerms,
    Placing,
    RawPoints,
    Score,
    Steps,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.standings import standings
from domain.tournaments.terms import DEFAULT_WDL, Boards, Stage
from domain.tournaments.tie_breaks import CODES
from tests.domain.tournaments.campaign import SMALL, Campaign
from tests.domain.tournaments.scenarios import terms_of
from tests.domain.tournaments.told import Told, met

FOUR_HANDS = [(1000, 0), (0, 0), (1000, 0), (0, 0)]


def event(score: Score, number: int, **others: Any) -> Told:
    form = others.pop("form", Swiss(rounds=9))
    hands = others.pop("hands", 4)
    stage = Stage(format=form, match=MatchTerms(length=FixedHands(hands)), score=score, tie_breaks=DEFAULT_WDL)
    return Told(terms_of(stage, **others), number)


def text(told: Told, entrant: str, number: int = 1) -> str:
    row = explained(told.state, entrant)
    return next(each.text for each in row.rounds if each.round == number)


def test_victory_points_come_with_their_formula() -> None:
    told = event(VictoryPoints(), 4)
    told.round([(("e1",), ("e2",), FOUR_HANDS), (("e3",), ("e4",), [(9000, 0), (0, 0), (0, 0)])])
    assert text(told, "e1") == (
        "2,000 to 0 points: margin +2,000; 10 + 10·(1 − R^(d/X))/(1 − R) = 15.00 with d = 2,000, X = 6,000, "
        "R = 0.2360680"
    )
    assert text(told, "e2") == (
        "0 to 2,000 points: margin −2,000; 20 − (10 + 10·(1 − R^(d/X))/(1 − R)) = 5.00 with d = 2,000, X = 6,000, "
        "R = 0.2360680"
    )
    assert text(told, "e3") == "9,000 to 0 points: margin +9,000; 20.00, as from a margin of X = 3,000·√3 on"
    told.round([met("e1", "e3", 5, 5)])
    assert text(told, "e1", 2) == "5 to 5 points: margin 0; no margin, 10.00 each"


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (WinDrawLoss(), "2,000 to 0 points: won, 1.0"),
        (RawPoints(), "2,000 to 0 points: 2000"),
        (
            VictoryPoints(Steps(tuple(range(100, 1100, 100)))),
            "2,000 to 0 points: margin +2,000; 20.00 by the table of margins",
        ),
    ],
)
def test_other_scores_are_told_in_words(score: Score, expected: str) -> None:
    told = event(score, 2)
    told.round([(("e1",), ("e2",), FOUR_HANDS)])
    assert text(told, "e1") == expected


def test_places_at_a_table_are_told() -> None:
    told = event(Placing(), 3, players=3, form=Individual(movement="swiss"))
    told.pair([[("e1",), ("e2",), ("e3",)]])
    told.end("r1m1", [(500, 300, 100)])
    assert text(told, "e2") == "300 to 500, 100 points: place 2 of 3, 10.00"


def test_byes_forfeits_and_rulings_say_what_they_are() -> None:
    told = event(VictoryPoints(), 8)
    told.pair(
        [(("e1",), ("e2",)), (("e3",), ("e4",)), (("e5",), ("e6",))],
        {"e7": "bye", "e8": "half_bye"},
    )
    told.rule("r1m1", kind="forfeit", forfeit=(False, True))
    told.end("r1m2", FOUR_HANDS)
    told.rule("r1m2", kind="average", average=("plus", "minus"))
    told.end("r1m3", FOUR_HANDS)
    told.rule("r1m3", kind="void")
    assert text(told, "e1") == "12.00, 60 % of a match: the other side did not come"
    assert text(told, "e2") == "8.00, 40 % of a match or nothing where nobody came: did not come"
    assert text(told, "e3") == "12.00, an average of 60 % by a ruling (conduct)"
    assert text(told, "e5") == "counts for nobody, by a ruling"
    assert text(told, "e7") == "12.00, a bye"
    assert text(told, "e8") == "10.00, a half bye"
    assert explained(told.state, "e1").rounds[0].opponents == ("e2",)


def test_too_few_hands_and_lost_matches_are_told() -> None:
    told = event(VictoryPoints(), 4)
    told.pair([(("e1",), ("e2",)), (("e3",), ("e4",))])
    told.end("r1m1", [], reason="time")
    told.end("r1m2", [(0, 100)], loser=0, reason="resigned")
    assert text(told, "e1") == "10.00, shared: too few hands"
    assert text(told, "e3") == "8.00, since a side gave up or lost on time; 0 to 100 points"


def test_boards_are_added_up() -> None:
    for score, expected in (
        (Matchpoints(), "75.00 = 2 of 2 (board 1) + 1 of 2 (board 2)"),
        (CrossImps(), "2 = 2 (board 1) + 0 (board 2)"),
    ):
        told = event(score, 4, hands=2, boards=Boards())
        told.round([(("e1",), ("e2",), [(200, 0), (0, 0)]), (("e3",), ("e4",), [(0, 0), (0, 0)])], boards=[(1, 2)] * 2)
        assert text(told, "e1") == expected


def test_a_match_of_teams_has_its_imps_by_board() -> None:
    told = event(ImpMatch(), 2, hands=2, entrants="teams", form=RoundRobin(), boards=Boards())
    told.pair([(("e1",), ("e2",))], boards=[(1, 2)])
    told.end("r1m1", [(700, 0), (0, 300)], table=1)
    told.end("r1m1", [(0, 100), (220, 0)], table=2)
    decided = told.state.matches["r1m1"].decided
    assert decided is not None
    assert decided.score is not None
    assert text(told, "e1").startswith("920 to 400 points: IMPs by board +4 −1 = +3; 10 + 10·")
    assert f"= {decided.score[0] / 100:.2f} with d = 3, X = 15·√2" in text(told, "e1")
    assert text(told, "e2").startswith("400 to 920 points: IMPs by board −4 +1 = −3; 20 − (10 + 10·")


def test_the_score_is_summed_with_what_was_carried_and_penalties() -> None:
    told = Told(terms_of(Swiss(rounds=1), Swiss(rounds=2)), 2)
    told.round([met("e1", "e2", 0, 0)])
    told.begin(["e1", "e2"], {"e1": 350})
    told.round([met("e1", "e2", 0, 0)])
    told.fine("e1", 100, 2)
    told.fine("e1", -50, 2)
    row = explained(told.state, "e1")
    assert row.text == (
        "Score 13.00 = 10.00 (round 2) + 3.50 carried from the stage before − 1.00 a penalty (slow_play) "
        "+ 0.50 a bonus (slow_play)"
    )
    assert [(each.round, each.score) for each in row.penalties] == [(2, 100), (2, -50)]
    # Tie-breaks name rounds of the tournament, not of the stage.
    assert "round 2" in next(each.text for each in row.tie_breaks if each.tie_break == "opponents_vp_cut_1")


def test_who_is_not_in_the_stage_is_not_explained() -> None:
    told = Told(terms_of(Swiss(rounds=1), Swiss(rounds=2)), 3)
    told.begin(["e1", "e2"])
    for entrant in ("e3", "e9"):
        with pytest.raises(TournamentRefused, match="entrant_not_found"):
            explained(told.state, entrant)
    assert explained(told.state, "e3", 0).rank == 3


def test_a_bracket_has_no_tie_breaks_to_explain() -> None:
    told = event(VictoryPoints(), 2, form=Elimination())
    told.bracket({"W1-1": (1, 0)})
    row = explained(told.state, "e1")
    assert (row.rank, row.tie_breaks, len(row.rounds)) == (1, (), 1)


def summed(row: RowExplained) -> Decimal:
    arithmetic = re.sub(r"\([^()]*\)", "", row.text.split(" = ", 1)[1])
    numbers = re.findall(r"−? ?[0-9.]+", arithmetic)
    return sum((Decimal(number.replace("−", "-").replace(" ", "")) for number in numbers), Decimal(0))


@pytest.mark.parametrize("seed", range(30))
def test_what_is_explained_is_what_the_standings_have(seed: int) -> None:
    campaign = Campaign(seed, SMALL)
    campaign.run()
    for stage in range(len(campaign.state.stages)):
        for row in standings(campaign.state, stage).rows:
            told = explained(campaign.state, row.entrant, stage)
            assert (told.rank, told.score, told.carried) == (row.rank, row.score, row.carried)
            assert summed(told) == Decimal(row.score) / 100
            if told.tie_breaks:
                assert tuple(each.value for each in told.tie_breaks) == row.values
            for each in told.tie_breaks:
                assert each.text.startswith(KEYS[CODES[each.tie_break]].name)


# --- the crosstable ---


def test_a_crosstable_numbers_entrants_as_they_entered_whatever_their_rank() -> None:
    told = event(WinDrawLoss(), 5)
    told.round([met("e1", "e2", 0, 1), met("e3", "e4", 1, 1)], {"e5": "zero_bye"})
    told.pair([(("e2",), ("e3",))])
    table = crosstable(told.state)
    assert [f"e{row.number}" for row in table.rows] == [row.entrant for row in table.rows]
    assert [row.entrant for row in table.rows] != ["e1", "e2", "e3", "e4", "e5"]
    assert table.rounds == (1, 2)
    assert table.rows[0].entrant == "e2"
    numbers = {row.entrant: row.number for row in table.rows}
    first, second = table.rows[0].cells
    assert first is not None
    assert (first.opponents, first.side, first.score, first.outcome) == ((numbers["e1"],), "EW", 100, "win")
    assert second is not None
    assert (second.opponents, second.side, second.score, second.kind) == ((numbers["e3"],), "NS", None, None)
    bye, nothing = next(row.cells for row in table.rows if row.entrant == "e5")
    assert bye is not None
    assert (bye.kind, bye.opponents, bye.match) == ("zero_bye", (), None)
    assert nothing is None
    assert table.square is None


def test_a_round_robin_has_a_square_of_all_meetings() -> None:
    told = event(WinDrawLoss(), 3, form=RoundRobin(cycles=2))
    told.round([met("e1", "e2", 1, 0)], {"e3": "bye"})
    told.round([met("e2", "e1", 1, 0)], {"e3": "bye"})
    table = crosstable(told.state)
    places = {row.entrant: place for place, row in enumerate(table.rows)}
    assert table.square is not None
    assert table.square[places["e1"]][places["e2"]] == (100, 0)
    assert table.square[places["e2"]][places["e1"]] == (0, 100)
    assert table.square[places["e3"]][places["e1"]] == ()
    assert table.square[places["e1"]][places["e1"]] == ()


def test_in_an_arena_everybody_has_rounds_of_its_own() -> None:
    told = event(VictoryPoints(), 4, form=Arena(minutes=30))
    told.round([met("e1", "e2", 0, 0)])
    told.round([met("e3", "e4", 0, 0)])
    told.round([met("e1", "e3", 0, 0)])
    table = crosstable(told.state)
    assert table.rounds == ()
    cells = {row.entrant: [each and each.round for each in row.cells] for row in table.rows}
    assert cells == {"e1": [1, 3], "e2": [1], "e3": [2, 3], "e4": [2]}


def test_partners_are_told_in_an_individual() -> None:
    told = event(VictoryPoints(), 4, form=Individual(), entrants="individuals")
    told.round([(("e1", "e2"), ("e3", "e4"), [(1500, 0)])])
    table = crosstable(told.state)
    numbers = {row.entrant: row.number for row in table.rows}
    cell = next(row.cells[0] for row in table.rows if row.entrant == "e1")
    assert cell is not None
    assert cell.partners == (numbers["e2"],)
    assert set(cell.opponents) == {numbers["e3"], numbers["e4"]}


def test_the_lines_of_a_mitchell_are_told_in_its_crosstable() -> None:
    told = event(VictoryPoints(), 4, form=Mitchell())
    told.round([(("e1",), ("e3",), FOUR_HANDS), (("e2",), ("e4",), FOUR_HANDS)])
    assert {(row.entrant, row.group) for row in crosstable(told.state).rows} == {
        ("e1", "NS"), ("e2", "NS"), ("e3", "EW"), ("e4", "EW"),
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_every_tournament_has_a_crosstable(seed: int) -> None:
    campaign = Campaign(seed, SMALL)
    campaign.run()
    assert isinstance(campaign.happened[0], events.TournamentCreated)
    for stage in range(len(campaign.state.stages)):
        table = crosstable(campaign.state, stage)
        counts = {row.entrant: sum(each.score or 0 for each in row.cells if each is not None) for row in table.rows}
        for row in table.rows:
            told = explained(campaign.state, row.entrant, stage)
            assert counts[row.entrant] == sum(each.score for each in told.rounds)
