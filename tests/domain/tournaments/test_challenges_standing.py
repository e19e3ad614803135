"""Challenges of a ladder that nobody answers: taken back, lapsed, answered by a director, settled by a pairing."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from domain.tournaments import challenging
from domain.tournaments.act_log import tell
from domain.tournaments.challenge_changes import ChallengeChanged
from domain.tournaments.entry_events import ChallengeDropped, Entered
from domain.tournaments.formats import ANSWER_MINUTES_MAX, Format, Ladder
from domain.tournaments.lapsing import answers_due
from domain.tournaments.numbering import SERVICE
from domain.tournaments.process import next_moment
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from tests.domain.tournaments.directors import Event, event, ladder, swiss, two_stages
from tests.domain.tournaments.scenarios import NOON
from tests.domain.tournaments.test_challenging import answer, challenge, on_the_ladder, refused

HOUR = timedelta(hours=1)


def take_back(tournament: Event, challenger: str, by: str) -> None:
    tournament.take(challenging.take_back(tournament.state, challenger, by, tournament.now))


def refused_to_take_back(tournament: Event, challenger: str, by: str) -> TournamentCode:
    with pytest.raises(TournamentRefused) as refusal:
        take_back(tournament, challenger, by)
    return refusal.value.code


def test_a_challenge_that_is_taken_back_is_over_and_both_are_free() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    take_back(tournament, "e5", "p5x1")
    assert (tournament.state.challenges, tournament.state.accepted) == ({}, {})
    assert tournament.state.ladder == ("e1", "e2", "e3", "e4", "e5")
    assert tell(tournament.happened[-1]) == "The challenge of e5 to e3 is taken back"
    challenge(tournament, "e3", "e1")
    challenge(tournament, "e5", "e4")


def test_only_the_challenger_takes_a_challenge_back_and_only_as_long_as_it_is_not_answered() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    assert refused_to_take_back(tournament, "e5", "p3x0") is TournamentCode.NOT_YOUR_ENTRANT
    assert refused_to_take_back(tournament, "e4", "p4x0") is TournamentCode.CHALLENGE_UNKNOWN
    answer(tournament, "e5", accepted=True)
    assert refused_to_take_back(tournament, "e5", "p5x0") is TournamentCode.CHALLENGE_UNKNOWN
    elsewhere = event(swiss(), 6)
    elsewhere.begin()
    assert refused_to_take_back(elsewhere, "e5", "p5x0") is TournamentCode.NOT_A_LADDER


def test_bots_take_every_challenge_up_at_once() -> None:
    tournament = event(ladder())
    for number, bots in enumerate((("random", "random"), (None, "random"), (None, None), (None, None)), 1):
        players = (f"p{number}x0", f"p{number}x1")
        tournament.add(Entered(entrant=f"e{number}", players=players, bots=bots, consents=players, status="entered"))
    tournament.begin()
    challenge(tournament, "e3", "e1")
    assert (tournament.state.challenges, tournament.state.accepted) == ({}, {"e3": "e1"})
    # Where one of the two is a person, that person answers.
    challenge(tournament, "e4", "e2")
    assert (tournament.state.challenges, tournament.state.accepted) == ({"e4": "e2"}, {"e3": "e1"})


def test_a_challenge_that_nobody_answers_in_time_lapses_and_moves_nobody() -> None:
    tournament = on_the_ladder(answer_minutes=60)
    challenge(tournament, "e5", "e3")
    tournament.now += timedelta(minutes=10)
    tournament.take(challenging.challenge(tournament.state, "e2", "e1", "p2x0", tournament.now))
    assert answers_due(tournament.state) == {"e5": NOON + HOUR, "e2": tournament.now + HOUR}
    assert next_moment(tournament.state, tournament.now) == NOON + HOUR
    tournament.now = NOON + HOUR - timedelta(seconds=1)
    assert not tournament.step()
    tournament.now = NOON + HOUR
    (lapsed,) = tournament.step()
    assert isinstance(lapsed, ChallengeDropped)
    assert (lapsed.challenger, lapsed.challenged, lapsed.why) == ("e5", "e3", "lapsed")
    assert tell(lapsed) == "The challenge of e5 to e3 lapses"
    assert (tournament.happened[-1].by, tournament.state.challenges) == (SERVICE, {"e2": "e1"})
    assert tournament.state.ladder == ("e1", "e2", "e3", "e4", "e5")
    challenge(tournament, "e4", "e3")
    assert next_moment(tournament.state, tournament.now) == NOON + timedelta(minutes=70)


def test_a_challenge_that_is_answered_does_not_lapse() -> None:
    tournament = on_the_ladder(answer_minutes=60)
    challenge(tournament, "e5", "e3")
    answer(tournament, "e5", accepted=True)
    tournament.now += 2 * HOUR
    assert not tournament.step()
    assert tournament.state.accepted == {"e5": "e3"}


@pytest.mark.parametrize("minutes", [None, ANSWER_MINUTES_MAX])
def test_without_a_limit_a_challenge_waits_until_the_end_of_the_ladder(minutes: int | None) -> None:
    tournament = on_the_ladder(answer_minutes=minutes)
    challenge(tournament, "e5", "e3")
    over = datetime.fromisoformat(tournament.state.stages[0].begun_at) + timedelta(days=10)
    assert next_moment(tournament.state, tournament.now) == over
    tournament.now = over
    assert not tournament.step()
    assert tournament.state.challenges == {"e5": "e3"}


def test_a_ladder_of_before_there_was_a_limit_is_written_as_it_was() -> None:
    old = b'{"kind":"ladder","days":30,"reach":10}'
    form = msgspec.json.decode(old, type=Format)
    assert form == Ladder(days=30)
    assert msgspec.json.encode(form) == old


@pytest.mark.parametrize("minutes", [0, ANSWER_MINUTES_MAX + 1, "60"])
def test_the_time_to_answer_has_bounds(minutes: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "ladder", "days": 30, "answer_minutes": minutes}, Format)


def changed(old: str | None, new: str | None) -> tuple[ChallengeChanged, ...]:
    return (msgspec.convert({"challenger": "e5", "challenged": "e3", "old": old, "new": new}, ChallengeChanged),)


def test_a_director_answers_for_whoever_does_not() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    assert tournament.act("answer_challenge", challenger="e5", accepted=False).challenges == changed("asked", None)
    challenge(tournament, "e5", "e3")
    assert tournament.act("answer_challenge", challenger="e5", accepted=True).challenges == changed("asked", "accepted")
    assert tournament.act("pair").challenges == changed("accepted", None)
    assert tournament.sides(1) == [["e5", "e3"]]


def test_a_director_takes_a_challenge_back_also_one_that_is_accepted_and_not_paired() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    shown = tournament.act("take_back_challenge", challenger="e5", reason="request")
    assert shown.challenges == changed("asked", None)
    assert tournament.happened[-1].reason == "request"
    challenge(tournament, "e5", "e3")
    answer(tournament, "e5", accepted=True)
    assert tournament.act("take_back_challenge", challenger="e5").challenges == changed("accepted", None)
    assert tournament.refused("pair", TournamentCode.NO_PAIRING)["why"] == "nobody_waits"


@pytest.mark.parametrize(("act", "fields"), [("answer_challenge", {"accepted": True}), ("take_back_challenge", {})])
def test_a_director_deals_only_with_challenges_that_there_are(act: str, fields: dict[str, Any]) -> None:
    tournament = on_the_ladder()
    tournament.refused(act, TournamentCode.CHALLENGE_UNKNOWN, challenger="e5", **fields)
    tournament.refused(act, TournamentCode.ENTRANT_UNKNOWN, challenger="e9", **fields)
    elsewhere = event(swiss(), 6)
    elsewhere.refused(act, TournamentCode.WRONG_STATUS, challenger="e5", **fields)
    elsewhere.begin()
    elsewhere.refused(act, TournamentCode.NOT_A_LADDER, challenger="e5", **fields)


HAND = {"matches": [{"sides": [["e3"], ["e5"]]}]}


@pytest.mark.parametrize(("act", "fields"), [("pair_by_hand", HAND), ("pair", {"pinned": [["e3", "e5"]]})])
def test_whoever_pairs_two_by_hand_has_accepted_their_challenge(act: str, fields: dict[str, Any]) -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    assert tournament.act(act, **fields).challenges == changed("asked", None)
    assert tournament.sides(1) == [["e3", "e5"]]
    # As any other challenge that was accepted it is given back with the pairing.
    assert tournament.act("undo_pairing", round=1).challenges == changed(None, "accepted")
    assert tournament.state.accepted == {"e5": "e3"}


@pytest.mark.parametrize("pair", [["e4", "e5"], ["e3", "e1"]])
def test_whoever_is_paired_by_hand_with_somebody_else_has_no_challenge_any_more(pair: list[str]) -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    others = [each for each in ("e2", "e1") if each not in pair]
    matches = [{"sides": [[each] for each in pair]}]
    assert tournament.act("pair_by_hand", matches=matches).challenges == changed("asked", None)
    assert tell(tournament.happened[-2]) == "The challenge of e5 to e3 is none any more"
    free = "e5" if "e5" not in pair else "e3"
    above = "e4" if free == "e5" else others[0]
    challenge(tournament, free, above)


def test_a_pairing_by_hand_of_others_leaves_a_challenge_as_it_is() -> None:
    tournament = on_the_ladder()
    challenge(tournament, "e5", "e3")
    assert tournament.act("pair_by_hand", matches=[{"sides": [["e1"], ["e2"]]}]).challenges == ()
    assert tournament.state.challenges == {"e5": "e3"}


def test_all_challenges_that_were_accepted_are_one_round_and_move_the_rungs_one_after_the_other() -> None:
    tournament = on_the_ladder(6)
    for challenger, challenged in (("e6", "e4"), ("e5", "e3"), ("e2", "e1")):
        challenge(tournament, challenger, challenged)
        answer(tournament, challenger, accepted=True)
    tournament.act("pair")
    assert tournament.sides(1) == [["e6", "e4"], ["e5", "e3"], ["e2", "e1"]]
    tournament.act("start_round", round=1)
    tournament.play(tournament.play_list(), lambda game: [[900, 0], [900, 0]])
    tournament.act("close_round", round=1)
    # e6 goes up one rung, before e5, which has two rungs to go then; e2 changes places with e1.
    assert tournament.state.ladder == ("e2", "e1", "e3", "e5", "e4", "e6")
    refused(tournament, TournamentCode.CHALLENGE_NOT_PERMITTED, "e6", "e2")


@pytest.mark.parametrize("left", ["e5", "e3"])
def test_a_challenge_of_somebody_who_left_does_not_lapse_any_more(left: str) -> None:
    tournament = on_the_ladder(answer_minutes=60)
    challenge(tournament, "e5", "e3")
    tournament.act("withdraw", entrant=left)
    assert answers_due(tournament.state) == {}
    tournament.now += 2 * HOUR
    assert not tournament.step()


def test_a_ladder_that_begins_anew_has_no_challenges() -> None:
    tournament = two_stages(Ladder(days=3, answer_minutes=60))
    above, below = tournament.state.ladder[:2]
    by = tournament.state.entrants[below].players[0]
    tournament.take(challenging.challenge(tournament.state, below, above, by, tournament.now))
    tournament.act("advance", anew=True)
    assert (tournament.state.challenges, answers_due(tournament.state)) == ({}, {})
