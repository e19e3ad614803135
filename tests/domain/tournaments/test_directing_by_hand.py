"""Pairings by hand: who is free, what they give up, and rounds that somebody left before they began."""

from typing import Any

import pytest

from domain.tournaments.formats import Arena, Danish, Format, Swiss
from domain.tournaments.refusals import TournamentCode
from tests.domain.tournaments.directors import BY_HAND, Event, event, knockout, swiss
from tests.domain.tournaments.scenarios import terms_of


def by_hand(*matches: tuple[str, str], **others: Any) -> dict[str, Any]:
    return {"matches": [{"sides": [[one], [other]]} for one, other in matches], **others}


def relaxations(tournament: Event) -> tuple[str, ...]:
    return tournament.state.rounds[max(tournament.state.rounds)].relaxations


def test_nobody_is_paired_by_hand_who_is_under_way_in_another_match() -> None:
    tournament = event(terms_of(Arena(minutes=60), pace=BY_HAND), 4)
    tournament.begin()
    tournament.next_round()
    told = tournament.refused("pair_by_hand", TournamentCode.PAIRING_INVALID, **by_hand(("e1", "e2")))
    assert (told["needed"], told["entrants"]) == ("nobody who is under way in another match", ["e1", "e2"])
    told = tournament.refused("pair", TournamentCode.PAIRING_INVALID, pinned=[["e3", "e4"]])
    assert told["entrants"] == ["e3", "e4"]
    tournament.play_all()
    tournament.act("pair_by_hand", **by_hand(("e1", "e2")))


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (Swiss(rounds=2), ("rematch:e1+e2", "rematch:e3+e4")),
        (Danish(rounds=2, rematches="none"), ("rematch:e1+e2", "rematch:e3+e4")),
        (Danish(rounds=3, rematches="all"), ()),
    ],
)
def test_who_meets_again_by_hand_is_recorded_unless_the_format_lets_them(form: Format, told: tuple[str, ...]) -> None:
    tournament = event(terms_of(form, pace=BY_HAND), 4)
    tournament.begin()
    tournament.act("pair_by_hand", **by_hand(("e1", "e2"), ("e3", "e4")))
    assert relaxations(tournament) == ()
    tournament.act("start_round", round=1)
    tournament.play_all()
    tournament.act("pair_by_hand", **by_hand(("e2", "e1"), ("e3", "e4")))
    assert relaxations(tournament) == told


def test_a_forbidden_pair_that_was_accepted_is_recorded() -> None:
    tournament = event(swiss(), 6)
    tournament.act("forbid_pairing", pair=["e2", "e1"])
    tournament.begin()
    tournament.act("pair_by_hand", **by_hand(("e1", "e2"), ("e3", "e4"), accept_forbidden=True))
    assert relaxations(tournament) == ("forbidden:e1+e2",)
    tournament.act("undo_pairing", round=1)
    tournament.act("pair", pinned=[["e1", "e2"]], accept_forbidden=True)
    assert relaxations(tournament) == ("pinned:e1+e2", "forbidden:e1+e2")


def test_a_swap_records_what_the_pairing_gives_up_from_then_on() -> None:
    tournament = event(swiss(), 6)
    tournament.act("forbid_pairing", pair=["e1", "e4"])
    tournament.begin()
    tournament.act("pair_by_hand", **by_hand(("e1", "e4"), ("e2", "e5"), ("e3", "e6"), accept_forbidden=True))
    assert relaxations(tournament) == ("forbidden:e1+e4",)
    tournament.act("swap", round=1, entrants=["e4", "e5"])
    assert relaxations(tournament) == ()
    tournament.act("swap", round=1, entrants=["e4", "e5"], accept_forbidden=True)
    assert relaxations(tournament) == ("forbidden:e1+e4",)


def test_a_swap_keeps_what_the_engine_gave_up_for_those_who_still_meet() -> None:
    tournament = event(swiss(1), 0)
    for club in ("x", "", "", "x"):
        tournament.enter(avoid=(club,) if club else ())
    tournament.begin()
    tournament.act("pair", pinned=[["e1", "e4"]])
    assert relaxations(tournament) == ("pinned:e1+e4",)
    tournament.act("swap", round=1, entrants=["e2", "e3"])
    assert relaxations(tournament) == ("pinned:e1+e4",)
    tournament.act("swap", round=1, entrants=["e4", "e3"])
    assert relaxations(tournament) == ()


def test_a_round_does_not_begin_with_somebody_who_has_left() -> None:
    tournament = event(swiss(2), 4)
    tournament.begin()
    tournament.act("pair")
    tournament.act("withdraw", entrant="e1")
    told = tournament.refused("start_round", TournamentCode.PAIRING_INVALID, round=1)
    assert (told["entrants"], told["matches"]) == (["e1"], ["r1m1"])
    tournament.act("undo_pairing", round=1)
    tournament.next_round()
    assert "e1" not in {each for sides in tournament.sides(1) for each in sides}


def test_a_bracket_goes_on_by_hand_once_who_has_left_forfeits() -> None:
    tournament = event(knockout(), 4)
    tournament.begin()
    tournament.act("pair")
    tournament.act("withdraw", entrant="e1")
    match = tournament.match_between("e1", "e4")
    assert tournament.refused("start_round", TournamentCode.PAIRING_INVALID, round=1)["matches"] == [match]
    tournament.act("forfeit", match=match, entrants=["e1"], reason="absence")
    tournament.act("start_round", round=1)
