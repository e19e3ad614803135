"""Stages: who goes on, in what order, with what; and plans that cannot be played."""

import pytest

from domain.tournaments.entry_events import Withdrawn
from domain.tournaments.formats import (
    Arena,
    Elimination,
    Format,
    Howell,
    Individual,
    Ladder,
    Mitchell,
    RoundRobin,
    Swiss,
)
from domain.tournaments.matches import (
    BoardAMatch,
    FixedHands,
    Matchpoints,
    MatchTerms,
    PerHand,
    Steps,
    ToTarget,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.plans import boards_needed, check_plan
from domain.tournaments.round_events import StageBegun
from domain.tournaments.standings import standings
from domain.tournaments.terms import Boards, Carry, Registration, Stage, Terms
from tests.domain.tournaments.scenarios import QUICK, Desk, by_seed, terms_of

TO_TARGET = MatchTerms(length=ToTarget())


def two_stages(carry: Carry) -> Terms:
    return terms_of(Swiss(rounds=3), Stage(format=RoundRobin(), match=QUICK, qualifiers=4, carry=carry))


def test_the_best_go_on_in_their_order() -> None:
    desk = Desk(two_stages(Carry()), 8)
    desk.run_to(StageBegun)
    begun = None
    while len(desk.state.stages) < 2:
        desk.go_on(by_seed)
    begun = desk.state.stages[1]
    assert begun.entrants == tuple(row.entrant for row in standings(desk.state, 0).rows[:4])
    assert set(begun.carried.values()) == {0}
    state = desk.finish(by_seed)
    assert set(state.order[:4]) == set(begun.entrants)
    assert len(state.order) == 8


@pytest.mark.parametrize("percent", [100, 50])
def test_a_part_of_the_score_is_carried(percent: int) -> None:
    desk = Desk(two_stages(Carry(what="score", percent=percent)), 8)
    while len(desk.state.stages) < 2:
        desk.go_on(by_seed)
    scores = {row.entrant: row.score for row in standings(desk.state, 0).rows}
    for entrant, carried in desk.state.stages[1].carried.items():
        assert carried == (scores[entrant] * percent + 50) // 100


def test_only_matches_among_those_who_go_on_are_carried_head_to_head() -> None:
    desk = Desk(two_stages(Carry(what="head_to_head")), 8)
    while len(desk.state.stages) < 2:
        desk.go_on(by_seed)
    own = dict.fromkeys(desk.state.stages[1].entrants, 0)
    for match in desk.state.matches.values():
        entrants = [side[0] for side in match.paired.sides]
        if set(entrants) <= set(own):
            assert match.decided is not None
            for entrant, score in zip(entrants, match.decided.score or (), strict=True):
                own[entrant] += score
    assert desk.state.stages[1].carried == own
    assert any(own.values())


def test_a_shared_rank_at_the_cut_is_decided_by_a_lot_that_is_recorded() -> None:
    terms = terms_of(
        Stage(format=RoundRobin(), match=QUICK, tie_breaks=()), Stage(format=RoundRobin(), match=QUICK, qualifiers=2)
    )
    desk = Desk(terms, 4)
    while len(desk.state.stages) < 2:
        desk.go_on(lambda game: [[100, 100]] * 2)
    assert "cut/1" in desk.state.lots
    assert len(desk.state.stages[1].entrants) == 2


def test_who_left_does_not_go_on() -> None:
    desk = Desk(two_stages(Carry()), 8)
    while len(desk.state.rounds) < 3 or desk.state.rounds[3].status != "started":
        desk.go_on(by_seed)
    desk.add(Withdrawn(entrant="e1"))
    while len(desk.state.stages) < 2:
        desk.go_on(by_seed)
    assert "e1" not in desk.state.stages[1].entrants
    assert len(desk.state.stages[1].entrants) == 4


def codes(terms: Terms, entrants: int | None = None) -> list[str]:
    return [each.code for each in check_plan(terms, entrants)]


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (terms_of(Arena(minutes=30), boards=Boards()), "format_cannot_have_boards"),
        (terms_of(Ladder(days=3), boards=Boards()), "format_cannot_have_boards"),
        (terms_of(Stage(format=RoundRobin(), score=Matchpoints())), "score_needs_boards"),
        (terms_of(Stage(format=RoundRobin(), match=TO_TARGET), boards=Boards()), "boards_need_fixed_hands"),
        (terms_of(RoundRobin(), boards=Boards(movement="rotating")), "boards_rotate_in_a_mitchell_only"),
        (terms_of(Stage(format=RoundRobin(), score=BoardAMatch()), boards=Boards()), "score_is_for_teams"),
        (
            terms_of(Stage(format=Elimination(), score=Matchpoints()), boards=Boards()),
            "score_compares_pairs_at_many_tables",
        ),
        (terms_of(RoundRobin(), entrants="individuals"), "individuals_need_changing_partners"),
        (terms_of(Individual(rounds=3)), "fixed_entrants_do_not_change_partners"),
        (terms_of(Mitchell(), entrants="teams"), "format_is_not_for_teams"),
        (terms_of(RoundRobin(), entrants="teams", players=2), "teams_need_tables_of_four"),
        (terms_of(RoundRobin(), players=3), "format_needs_two_sides"),
        (terms_of(Individual(movement="swiss"), entrants="individuals"), "rounds_needed"),
        (terms_of(RoundRobin(), registration=Registration(late_rounds=1)), "format_takes_nobody_late"),
        (terms_of(Stage(format=RoundRobin(), qualifiers=4)), "qualifiers_without_a_stage_before"),
        (
            terms_of(Stage(format=RoundRobin(), match=MatchTerms(length=ToTarget(), first_meld=PerHand((1,))))),
            "first_meld_per_hand_needs_fixed_hands",
        ),
        (
            terms_of(Stage(format=RoundRobin(), match=MatchTerms(length=FixedHands(2), hands_to_count=3))),
            "hands_to_count_beyond_the_match",
        ),
        (terms_of(Stage(format=RoundRobin(), score=VictoryPoints(Steps((5,) * 10)))), "steps_not_rising"),
        (terms_of(Stage(format=Swiss(rounds=3), score=WinDrawLoss(0, 50, 100))), "win_draw_loss_not_falling"),
        (terms_of(Stage(format=Swiss(rounds=3), score=WinDrawLoss(0, 0, 0))), "win_draw_loss_not_falling"),
    ],
)  # fmt: skip
def test_a_plan_that_contradicts_itself_is_told(terms: Terms, code: str) -> None:
    assert codes(terms) == [code]


@pytest.mark.parametrize(
    ("form", "entrants", "fine"),
    [
        (Swiss(rounds=2), 4, True),
        (Swiss(rounds=3), 4, False),
        (Swiss(rounds=4), 5, True),
        (Swiss(rounds=5), 5, False),
        (Mitchell(rounds=3), 8, True),
        (Mitchell(rounds=4), 8, False),
        (Howell(), 2, False),
        (RoundRobin(), 1, False),
        (Elimination(), 2, True),
        (Elimination(), 1025, False),
        (Swiss(rounds=3, method="fide_team"), 150, True),
        (Swiss(rounds=3, method="fide_team"), 151, False),
        (Swiss(rounds=3, method="fide_dutch"), 257, False),
    ],
)
def test_numbers_that_do_not_fit_are_told(form: Format, entrants: int, *, fine: bool) -> None:
    assert (check_plan(terms_of(form), entrants) == []) is fine


def test_a_later_stage_is_judged_by_how_many_reach_it() -> None:
    terms = terms_of(Swiss(rounds=3), Stage(format=Swiss(rounds=3), qualifiers=4))
    assert [(each.code, each.stage) for each in check_plan(terms, 8)] == [("rounds_impossible", 1)]
    assert check_plan(terms_of(Swiss(rounds=3), Stage(format=Swiss(rounds=2), qualifiers=4)), 8) == []


def test_boards_are_counted_before_the_start() -> None:
    assert boards_needed(terms_of(RoundRobin(), boards=Boards()), 6) == 10
    assert boards_needed(terms_of(Swiss(rounds=3), RoundRobin(), boards=Boards()), 6) == 16
    assert boards_needed(terms_of(Mitchell(), boards=Boards(movement="rotating")), 10) == 10
    assert boards_needed(terms_of(RoundRobin()), 6) == 0


@pytest.mark.parametrize(
    ("form", "left", "rounds"),
    [(Mitchell(rounds=3), 4, 1), (Mitchell(arrow_switched_rounds=2), 4, 1), (Howell(rounds=5), 4, 3)],
)
def test_a_stage_that_fewer_reach_than_were_planned_has_as_many_rounds_as_there_can_be(
    form: Format, left: int, rounds: int
) -> None:
    desk = Desk(terms_of(Swiss(rounds=1), form), 6)
    desk.run_to_start()
    for entrant in [*desk.state.entrants][left:]:
        desk.add(Withdrawn(entrant=entrant))
    assert desk.finish().stages[1].rounds_planned == rounds


def test_a_whist_movement_that_fewer_reach_is_a_shorter_one() -> None:
    later = Stage(format=Individual(rounds=7), match=QUICK)
    desk = Desk(terms_of(Individual(movement="swiss", rounds=1), later, entrants="individuals"), 8)
    desk.run_to_start()
    for entrant in ("e6", "e7", "e8"):
        desk.add(Withdrawn(entrant=entrant))
    assert desk.finish().stages[1].rounds_planned == 5
