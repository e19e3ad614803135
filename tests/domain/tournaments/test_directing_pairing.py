"""Director's acts on seeds and pairings."""

from datetime import timedelta
from typing import Any

import pytest

from domain.standings.lots import lot_order
from domain.tournaments.entry_events import Seeded
from domain.tournaments.formats import Arena, Danish, Individual, Swiss
from domain.tournaments.refusals import TournamentCode
from domain.tournaments.round_events import PairingUndone, RoundClosed, RoundPaired
from domain.tournaments.terms import Boards
from tests.domain.tournaments.directors import BY_HAND, Event, event, ladder, swiss
from tests.domain.tournaments.scenarios import draw, terms_of


def running(entrants: int = 6, **others: Any) -> Event:
    others.setdefault("rounds", 3 if entrants > 4 else 2)
    tournament = event(swiss(**others), entrants)
    tournament.begin()
    return tournament


def pairs(*matches: str) -> list[dict[str, Any]]:
    """`"1-2"` as a match by hand."""
    return [{"sides": [[f"e{number}"] for number in match.split("-")]} for match in matches]


def test_seeds_by_rating_put_who_has_none_last_in_order_of_entering() -> None:
    tournament = event(swiss())
    for rating in (None, 1500, 1700, None):
        tournament.enter(rating=rating)
    tournament.act("seed", by="rating")
    assert tournament.state.seeding == ("e3", "e2", "e1", "e4")


def test_seeds_drawn_twice_are_the_same() -> None:
    tournament = event(swiss(), 6)
    tournament.act("open_registration")
    tournament.act("close_registration")
    tournament.act("seed", by="drawn")
    assert tournament.state.seeding == lot_order(bytes.fromhex(draw("seeds")), [f"e{n}" for n in range(1, 7)])
    first = tournament.state.seeding
    tournament.act("seed", by="entry")
    assert tournament.state.seeding == ("e1", "e2", "e3", "e4", "e5", "e6")
    tournament.act("seed", by="drawn")
    assert tournament.state.seeding == first


def test_seeds_are_drawn_once_nobody_enters_any_more() -> None:
    tournament = event(swiss(), 6)
    told = tournament.refused("seed", TournamentCode.WRONG_STATUS, by="drawn")
    assert told["needed"] == ["closed"]


def test_seeds_name_everybody_once_and_nobody_else() -> None:
    tournament = event(swiss(rounds=2), 4)
    told = tournament.refused("seed", TournamentCode.SEEDS_INVALID, by="order", order=["e1", "e2", "e2", "e9"])
    assert (told["missing"], told["unknown"], told["twice"]) == (["e3", "e4"], ["e9"], ["e2"])
    tournament.act("seed", by="order", order=["e4", "e2", "e3", "e1"])
    tournament.begin()
    assert tournament.state.seeding == ("e4", "e2", "e3", "e1")
    tournament.refused("seed", TournamentCode.WRONG_STATUS, by="rating")
    tournament.refused("seed", TournamentCode.WRONG_STATUS, by="order", order=["e1", "e2", "e3", "e4"])


def test_nobody_can_be_seeded_where_nobody_is_entered() -> None:
    event(swiss()).refused("seed", TournamentCode.ENTRANTS_TOO_FEW, by="rating")


def test_on_a_ladder_the_director_may_set_the_rungs() -> None:
    tournament = event(ladder(), 3)
    tournament.begin()
    assert tournament.act("seed", by="order", order=["e3", "e1", "e2"]).ladder == ("e3", "e1", "e2")
    tournament.refused("seed", TournamentCode.SEEDS_INVALID, by="order", order=["e3", "e1"])


def test_a_forbidden_pair_does_not_meet_until_it_is_allowed_again() -> None:
    tournament = running(4)
    tournament.act("forbid_pairing", pair=["e1", "e3"], reason="request")
    tournament.refused("forbid_pairing", TournamentCode.NOTHING_TO_CHANGE, pair=["e3", "e1"])
    tournament.act("pair")
    assert ["e1", "e3"] not in tournament.sides(1)
    tournament.act("undo_pairing", round=1)
    tournament.act("allow_pairing", pair=["e3", "e1"])
    tournament.act("pair")
    assert tournament.sides(1) == [["e1", "e3"], ["e2", "e4"]]


def test_a_pair_to_be_forbidden_is_two_known_entrants() -> None:
    tournament = running(4)
    tournament.refused("forbid_pairing", TournamentCode.PAIRING_INVALID, pair=["e1", "e1"])
    tournament.refused("forbid_pairing", TournamentCode.ENTRANT_UNKNOWN, pair=["e1", "e9"])
    tournament.refused("allow_pairing", TournamentCode.NOTHING_TO_CHANGE, pair=["e1", "e2"])


def test_pinned_pairs_and_byes_stand_and_all_others_are_paired_by_the_format() -> None:
    tournament = running(7)
    tournament.act("pair", pinned=[["e1", "e2"]], byes={"e7": "half_bye"})
    paired = tournament.state.rounds[1]
    assert tournament.sides(1)[0] == ["e1", "e2"]
    assert paired.byes == {"e7": "half_bye"}
    assert len(paired.matches) == 3
    assert paired.relaxations[0] == "pinned:e1+e2"


def test_everybody_pinned_leaves_nothing_to_the_engine() -> None:
    tournament = running(4)
    tournament.act("pair", pinned=[["e1", "e2"], ["e4", "e3"]])
    assert tournament.sides(1) == [["e1", "e2"], ["e4", "e3"]]


def test_a_round_is_paired_once() -> None:
    tournament = running()
    tournament.act("pair")
    told = tournament.refused("pair", TournamentCode.ROUND_WRONG_STATUS)
    assert told == {"round": 1, "status": "paired", "needed": "closed"}
    tournament.act("start_round", round=1)
    tournament.refused("pair", TournamentCode.ROUND_WRONG_STATUS)
    tournament.refused("pair_by_hand", TournamentCode.ROUND_WRONG_STATUS, matches=pairs("1-2"))


def test_pairing_closes_the_round_before_where_it_is_over() -> None:
    tournament = running()
    tournament.next_round()
    tournament.play_all()
    tournament.act("pair")
    kinds = [type(each) for each in tournament.happened[-4:]]
    assert kinds.index(RoundClosed) < kinds.index(RoundPaired)


def test_after_the_last_round_nothing_is_paired() -> None:
    tournament = running(4, rounds=1)
    tournament.whole_round()
    tournament.refused("pair", TournamentCode.STAGE_OVER)


def test_where_everybody_has_withdrawn_nothing_is_paired() -> None:
    tournament = running(4)
    for entrant in ("e1", "e2", "e3", "e4"):
        tournament.act("withdraw", entrant=entrant)
    told = tournament.refused("pair", TournamentCode.STAGE_OVER)
    assert tournament.refused("pair_by_hand", TournamentCode.STAGE_OVER, matches=pairs("1-2")) == told


def test_whoever_is_left_off_a_pairing_by_hand_has_a_zero_bye() -> None:
    tournament = running(6)
    tournament.act("pair_by_hand", matches=pairs("6-1", "2-5"), byes={"e3": "half_bye"}, reason="technical")
    assert tournament.sides(1) == [["e6", "e1"], ["e2", "e5"]]
    assert tournament.state.rounds[1].byes == {"e3": "half_bye", "e4": "zero_bye"}
    assert tournament.state.rounds[1].engine == "director"


@pytest.mark.parametrize(
    ("matches", "byes", "code"),
    [
        (pairs("1-2", "2-3"), {}, TournamentCode.PAIRING_INVALID),
        (pairs("1-1"), {}, TournamentCode.PAIRING_INVALID),
        (pairs("1-2"), {"e2": "bye"}, TournamentCode.PAIRING_INVALID),
        (pairs("1-2-3"), {}, TournamentCode.PAIRING_INVALID),
        ([{"sides": [["e1", "e2"], ["e3", "e4"]]}], {}, TournamentCode.PAIRING_INVALID),
        ([{"sides": []}], {}, TournamentCode.PAIRING_INVALID),
        (pairs("1-99"), {}, TournamentCode.ENTRANT_UNKNOWN),
    ],
)
def test_a_pairing_by_hand_has_known_entrants_once_and_two_sides(
    matches: Any, byes: dict[str, str], code: TournamentCode
) -> None:
    running(6).refused("pair_by_hand", code, matches=matches, byes=byes)


def test_who_has_left_is_not_paired_by_hand() -> None:
    tournament = running(6)
    tournament.act("withdraw", entrant="e1")
    tournament.refused("pair_by_hand", TournamentCode.PAIRING_INVALID, matches=pairs("1-2"))


def test_who_has_not_agreed_to_be_seated_is_not_paired_by_hand() -> None:
    tournament = event(swiss(rounds=2), 3)
    tournament.act("enter", players=["pa", "pb"])
    tournament.begin()
    tournament.refused("pair_by_hand", TournamentCode.CONSENT_MISSING, matches=pairs("1-4"))
    tournament.act("pair_by_hand", matches=pairs("1-2"), byes={"e4": "half_bye"})


def test_a_stage_has_no_further_round_by_hand_either() -> None:
    tournament = event(terms_of(Swiss(rounds=1), Swiss(rounds=1), pace=BY_HAND), 6)
    tournament.begin()
    tournament.whole_round()
    told = tournament.refused("pair_by_hand", TournamentCode.STAGE_OVER, matches=pairs("1-2", "3-4", "5-6"))
    assert told == {"stage": 0, "needed": "advance or end_stage"}
    assert tournament.refused("pair", TournamentCode.STAGE_OVER) == told


def test_in_a_danish_a_forbidden_pair_gives_way_after_everything_else_and_is_told() -> None:
    tournament = event(terms_of(Danish(rounds=3), pace=BY_HAND), 4)
    tournament.begin()
    tournament.whole_round()
    assert tournament.sides(1) == [["e1", "e2"], ["e3", "e4"]]
    for other in ("e3", "e4"):
        tournament.act("forbid_pairing", pair=["e1", other])
    tournament.act("pair")
    assert set(tournament.state.rounds[2].relaxations) == {"rematch:e1+e2", "rematch:e3+e4"}
    tournament.act("undo_pairing", round=2)
    tournament.act("forbid_pairing", pair=["e1", "e2"])
    tournament.act("pair")
    (told,) = [each for each in tournament.state.rounds[2].relaxations if each.startswith("forbidden")]
    assert told in {f"forbidden:{'+'.join(sorted(sides))}" for sides in tournament.sides(2)}


def test_a_forbidden_pair_by_hand_has_to_be_accepted() -> None:
    tournament = running(4)
    tournament.act("forbid_pairing", pair=["e1", "e2"])
    told = tournament.refused("pair_by_hand", TournamentCode.PAIRING_FORBIDDEN, matches=pairs("2-1", "3-4"))
    assert told["pairs"] == [["e1", "e2"]]
    tournament.refused("pair", TournamentCode.PAIRING_FORBIDDEN, pinned=[["e1", "e2"]])
    tournament.act("pair_by_hand", matches=pairs("2-1", "3-4"), accept_forbidden=True)


def test_a_pairing_is_taken_back_until_its_round_begins() -> None:
    tournament = running()
    tournament.refused("undo_pairing", TournamentCode.ROUND_UNKNOWN, round=1)
    tournament.act("pair")
    shown = tournament.act("undo_pairing", round=1, reason="scoring_error")
    assert all(each.new is None for each in shown.pairings)
    assert tournament.state.rounds == {}
    tournament.next_round()
    tournament.refused("undo_pairing", TournamentCode.ROUND_WRONG_STATUS, round=1)


def test_two_entrants_change_places_before_the_round_begins() -> None:
    tournament = running(6)
    tournament.act("pair")
    assert tournament.sides(1) == [["e1", "e4"], ["e2", "e5"], ["e3", "e6"]]
    tournament.act("swap", round=1, entrants=["e1", "e5"])
    assert tournament.sides(1) == [["e5", "e4"], ["e2", "e1"], ["e3", "e6"]]
    assert [type(each) for each in tournament.happened[-2:]] == [PairingUndone, RoundPaired]
    tournament.act("swap", round=1, entrants=["e5", "e4"])
    assert tournament.sides(1)[0] == ["e4", "e5"], "Two of one match change sides."
    tournament.act("start_round", round=1)
    tournament.refused("swap", TournamentCode.ROUND_WRONG_STATUS, round=1, entrants=["e1", "e2"])


def test_who_has_the_bye_changes_places_with_somebody_who_plays() -> None:
    tournament = running(5)
    tournament.act("pair")
    assert tournament.state.rounds[1].byes == {"e5": "bye"}
    tournament.act("swap", round=1, entrants=["e5", "e1"])
    assert tournament.state.rounds[1].byes == {"e1": "bye"}
    assert "e5" in {each for sides in tournament.sides(1) for each in sides}


def test_a_swap_is_of_two_different_entrants_of_the_round() -> None:
    tournament = running(6)
    tournament.act("pair")
    tournament.refused("swap", TournamentCode.PAIRING_INVALID, round=1, entrants=["e1", "e1"])
    tournament.refused("swap", TournamentCode.ENTRANT_UNKNOWN, round=1, entrants=["e1", "e9"])
    tournament.act("forbid_pairing", pair=["e1", "e2"])
    tournament.refused("swap", TournamentCode.PAIRING_FORBIDDEN, round=1, entrants=["e4", "e2"])
    tournament.act("swap", round=1, entrants=["e4", "e2"], accept_forbidden=True)


def test_partners_and_opponents_of_individuals_are_swapped_at_a_table() -> None:
    terms = terms_of(Individual(movement="swiss", rounds=2), entrants="individuals", pace=BY_HAND)
    tournament = event(terms, 8)
    tournament.begin()
    tournament.act(
        "pair_by_hand", matches=[{"sides": [["e1", "e2"], ["e3", "e4"]]}, {"sides": [["e5", "e6"], ["e7", "e8"]]}]
    )
    tournament.act("swap", round=1, entrants=["e2", "e3"])
    assert tournament.sides(1)[0] == ["e1+e3", "e2+e4"]
    tournament.refused("pair", TournamentCode.ROUND_WRONG_STATUS)
    tournament.act("undo_pairing", round=1)
    tournament.refused("pair_by_hand", TournamentCode.PAIRING_INVALID, matches=pairs("1-2-3-4"))
    tournament.refused(
        "pair",
        TournamentCode.PAIRING_INVALID,
        pinned=[
            [
                "e1",
                "e2",
            ]
        ],
        byes={"e1": "bye"},
    )


def test_boards_of_a_pairing_taken_back_are_those_of_the_next_one() -> None:
    tournament = event(swiss(rounds=2, boards=Boards()), 4)
    tournament.begin()
    tournament.act("pair")
    first = [match.paired.boards for match in tournament.state.matches_of(1)]
    tournament.act("swap", round=1, entrants=["e1", "e2"])
    assert [match.paired.boards for match in tournament.state.matches_of(1)] == first == [(1, 2), (1, 2)]


@pytest.mark.parametrize("method", ["drawn", "entry"])
def test_seeds_that_are_completed_at_the_start_keep_how_they_came_about(method: str) -> None:
    tournament = event(swiss(), 6)
    tournament.act("open_registration")
    tournament.act("close_registration")
    tournament.act("seed", by=method)
    order = tournament.state.seeding
    tournament.act("withdraw", entrant="e2")
    tournament.begin()
    seeded = [each for each in tournament.happened if isinstance(each, Seeded)]
    assert [each.method for each in seeded] == [method, method]
    assert seeded[-1].order == tuple(each for each in order if each != "e2")


def test_who_has_a_bye_takes_the_place_of_somebody_who_has_left() -> None:
    tournament = running(7)
    tournament.act("pair")
    assert tournament.sides(1)[0] == ["e1", "e4"]
    tournament.act("withdraw", entrant="e1")
    tournament.refused("start_round", TournamentCode.PAIRING_INVALID, round=1)
    tournament.refused("swap", TournamentCode.PAIRING_INVALID, round=1, entrants=["e1", "e2"])
    tournament.act("swap", round=1, entrants=["e1", "e7"])
    assert tournament.sides(1)[0] == ["e7", "e4"]
    assert tournament.state.rounds[1].byes == {}
    tournament.act("start_round", round=1)


def test_a_swap_is_no_matter_of_somebody_else_who_has_left() -> None:
    tournament = running(7)
    tournament.act("pair")
    tournament.act("withdraw", entrant="e7")
    tournament.act("swap", round=1, entrants=["e2", "e3"])
    assert tournament.sides(1) == [["e1", "e4"], ["e3", "e5"], ["e2", "e6"]]


def test_no_match_of_an_arena_is_paired_when_its_time_is_over() -> None:
    tournament = event(terms_of(Arena(minutes=30), pace=BY_HAND), 4)
    tournament.begin()
    tournament.now += timedelta(minutes=30)
    tournament.refused("pair", TournamentCode.STAGE_OVER)
    tournament.refused("pair_by_hand", TournamentCode.STAGE_OVER, matches=pairs("1-2"))
    tournament.now -= timedelta(seconds=1)
    tournament.act("pair")
