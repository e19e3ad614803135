"""Challenges of a ladder."""

import pytest

from domain.tournaments import challenging, entering
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from tests.domain.tournaments.directors import Event, event, ladder, swiss
from tests.domain.tournaments.scenarios import NOON


def on_the_ladder(entrants: int = 5, answer_minutes: int | None = None) -> Event:
    tournament = event(ladder(answer_minutes), entrants)
    tournament.begin()
    return tournament


def challenge(tournament: Event, challenger: str, challenged: str) -> None:
    by = f"p{challenger[1:]}x0"
    tournament.take(challenging.challenge(tournament.state, challenger, challenged, by, NOON))


def answer(tournament: Event, challenger: str, accepted: bool) -> None:
    by = f"p{tournament.state.challenges[challenger][1:]}x1"
    tournament.take(challenging.answer(tournament.state, challenger, accepted, by, NOON))


def refused(tournament: Event, code: TournamentCode, challenger: str, challenged: str) -> None:
    with pytest.raises(TournamentRefused) as refusal:
        challenge(tournament, challenger, challenged)
    assert refusal.value.code is code


def test_a_challenge_that_is_taken_up_is_paired_and_won_rungs_are_climbed() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    answer(tournament, "e5", accepted=True)
    tournament.act("pair")
    assert tournament.sides(1) == [["e5", "e3"]]
    tournament.act("start_round", round=1)
    tournament.play(tournament.play_list(), lambda game: [[900, 0], [900, 0]])
    tournament.act("close_round", round=1)
    assert tournament.state.ladder == ("e1", "e2", "e3", "e5", "e4")


def test_a_challenge_that_is_declined_is_over() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    answer(tournament, "e5", accepted=False)
    assert (tournament.state.challenges, tournament.state.accepted) == ({}, {})
    challenge(tournament, "e5", "e4")


def test_only_somebody_above_and_within_reach_is_challenged() -> None:
    tournament = on_the_ladder()
    for challenged in ("e2", "e5"):
        refused(tournament, TournamentCode.CHALLENGE_NOT_PERMITTED, "e5", challenged)
    refused(tournament, TournamentCode.CHALLENGE_NOT_PERMITTED, "e1", "e2")
    refused(tournament, TournamentCode.ENTRANT_UNKNOWN, "e5", "e9")


def test_one_challenge_at_a_time_for_both() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e4")
    refused(tournament, TournamentCode.CHALLENGE_NOT_PERMITTED, "e5", "e3")
    refused(tournament, TournamentCode.CHALLENGE_NOT_PERMITTED, "e4", "e3")
    answer(tournament, "e5", accepted=True)
    refused(tournament, TournamentCode.CHALLENGE_NOT_PERMITTED, "e4", "e3")
    tournament.act("pair")
    refused(tournament, TournamentCode.CHALLENGE_NOT_PERMITTED, "e4", "e3")


def test_without_a_challenge_taken_up_nothing_is_paired_on_a_ladder() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e4")
    assert tournament.refused("pair", TournamentCode.NO_PAIRING)["why"] == "nobody_waits"


def test_only_who_is_challenged_answers_and_only_a_challenge() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e4")
    with pytest.raises(TournamentRefused) as refusal:
        challenging.answer(tournament.state, "e5", True, "p5x0", NOON)
    assert refusal.value.code is TournamentCode.NOT_YOUR_ENTRANT
    with pytest.raises(TournamentRefused) as refusal:
        challenging.answer(tournament.state, "e3", True, "p3x0", NOON)
    assert refusal.value.code is TournamentCode.CHALLENGE_UNKNOWN


def test_who_leaves_takes_challenges_along_and_comes_back_to_the_foot() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    tournament.take(entering.withdraw(tournament.state, "e3", "p3x0", NOON))
    assert (tournament.state.challenges, tournament.state.ladder) == ({}, ("e1", "e2", "e4", "e5"))
    tournament.take(entering.come_back(tournament.state, "e3", "p3x0", NOON))
    assert tournament.state.ladder == ("e1", "e2", "e4", "e5", "e3")


def test_a_newcomer_stands_at_the_foot_of_a_ladder_under_way() -> None:
    tournament = on_the_ladder()
    entrant = tournament.sign_up("p8", "p9")
    assert tournament.state.ladder[-1] == entrant
    tournament.take(entering.consent(tournament.state, entrant, "p9", NOON))
    tournament.take(challenging.challenge(tournament.state, entrant, "e5", "p9", NOON))


def test_who_has_not_agreed_is_not_challenged() -> None:
    tournament = on_the_ladder()
    entrant = tournament.sign_up("p8", "p9")
    with pytest.raises(TournamentRefused) as refusal:
        challenging.challenge(tournament.state, entrant, "e5", "p8", NOON)
    assert refusal.value.code is TournamentCode.CHALLENGE_NOT_PERMITTED


def test_there_are_no_challenges_but_on_a_ladder() -> None:
    tournament = event(swiss(), 6)
    tournament.begin()
    refused(tournament, TournamentCode.NOT_A_LADDER, "e5", "e4")


def played(tournament: Event, challenger: str, challenged: str) -> str:
    """A match of the ladder that the challenger wins; its id."""
    challenge(tournament, challenger, challenged)
    answer(tournament, challenger, accepted=True)
    tournament.act("pair")
    last = max(tournament.state.rounds)
    tournament.act("start_round", round=last)
    tournament.play(tournament.play_list(), lambda game: [[900, 0], [900, 0]])
    tournament.act("close_round", round=last)
    return f"r{last}m1"


def test_a_pairing_that_is_taken_back_leaves_the_challenge_accepted() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    answer(tournament, "e5", accepted=True)
    tournament.act("pair")
    tournament.act("undo_pairing", round=1)
    assert tournament.state.accepted == {"e5": "e3"}
    tournament.act("pair")
    assert tournament.sides(1) == [["e5", "e3"]]


def test_a_pairing_that_is_taken_back_after_one_has_left_leaves_no_challenge() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    answer(tournament, "e5", accepted=True)
    tournament.act("pair")
    tournament.act("withdraw", entrant="e3")
    tournament.act("undo_pairing", round=1)
    assert tournament.state.accepted == {}


def test_a_ruling_after_the_round_takes_back_what_was_climbed_and_shows_it() -> None:
    tournament = on_the_ladder()
    match = played(tournament, "e5", "e3")
    assert tournament.state.ladder == ("e1", "e2", "e3", "e5", "e4")
    shown = tournament.act("rule", match=match, adjustment={"kind": "score", "score": [0, 2000]}, reason="conduct")
    assert shown.ladder == tournament.state.ladder == ("e1", "e2", "e3", "e4", "e5")
    shown = tournament.act("rule", match=match, adjustment=None, reason="other")
    assert shown.ladder == ("e1", "e2", "e3", "e5", "e4")


def test_a_ruling_after_the_round_lets_the_other_one_climb() -> None:
    tournament = on_the_ladder()
    match = played(tournament, "e3", "e1")
    assert tournament.state.ladder == ("e1", "e3", "e2", "e4", "e5")
    tournament.act("rule", match=match, adjustment={"kind": "void"}, reason="conduct")
    assert tournament.state.ladder == ("e1", "e2", "e3", "e4", "e5")
    shown = tournament.act("rule", match=match, adjustment={"kind": "points", "points": [10, 0]}, reason="conduct")
    assert shown.ladder == ("e1", "e3", "e2", "e4", "e5")
    shown = tournament.act("rule", match=match, adjustment={"kind": "points", "points": [20, 0]}, reason="conduct")
    assert shown.ladder is None


def test_a_ruling_on_an_old_match_keeps_what_others_have_climbed_since() -> None:
    tournament = on_the_ladder()
    old = played(tournament, "e5", "e3")
    played(tournament, "e4", "e3")
    assert tournament.state.ladder == ("e1", "e2", "e3", "e4", "e5")
    tournament.act("rule", match=old, adjustment={"kind": "score", "score": [0, 2000]}, reason="conduct")
    assert tournament.state.ladder == ("e1", "e2", "e3", "e4", "e5")
