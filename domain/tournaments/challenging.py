"""Challenges of a ladder: who is further down asks somebody above for a match."""

from collections.abc import Iterable
from datetime import datetime

from domain.pairing.shapes import Sides
from domain.tournaments.draft import Draft
from domain.tournaments.entering import Events, own_entrant
from domain.tournaments.entrants import check_status, entrant_of
from domain.tournaments.entry_events import ChallengeAnswered, Challenged, ChallengeDropped
from domain.tournaments.formats import Ladder
from domain.tournaments.playing import takes_part
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Entrant, Tournament


def challenge(state: Tournament, challenger: str, challenged: str, by: str, now: datetime) -> Events:
    """A member challenges an entrant up to the terms' `reach` above; one match or challenge at a time for both.

    Bots, whom nobody can ask, take every challenge up. Raises `TournamentRefused`: `entrant_not_found`,
    `not_your_entrant`, `tournament_wrong_status`, `not_a_ladder`, `challenge_not_permitted`.
    """
    from domain.pairing.ladder import may_challenge

    own = own_entrant(state, challenger, by)
    other = entrant_of(state, challenged)
    reach = _ladder(state).reach
    for entrant in (own, other):
        _check_free(state, entrant)
    if challenger == challenged or not may_challenge(state.ladder, challenger, challenged, reach):
        raise TournamentRefused(
            TournamentCode.CHALLENGE_NOT_PERMITTED,
            needed="somebody above, within reach",
            reach=reach,
            rungs=[state.ladder.index(each) + 1 for each in (challenger, challenged)],
        )
    draft = Draft(state, by, now)
    draft.add(Challenged(challenger=challenger, challenged=challenged))
    if all(bot is not None for bot in other.bots):
        draft.add(ChallengeAnswered(challenger=challenger, challenged=challenged, accepted=True))
    return draft.events


def answer(state: Tournament, challenger: str, accepted: bool, by: str, now: datetime) -> Events:
    """A member of the challenged entrant takes a challenge up, and a match follows, or declines it.

    Raises `TournamentRefused`: `tournament_wrong_status`, `not_a_ladder`, `challenge_not_found`, `not_your_entrant`.
    """
    own_entrant(state, _asked(state, challenger), by)
    draft = Draft(state, by, now)
    put_answer(draft, challenger, accepted)
    return draft.events


def put_answer(draft: Draft, challenger: str, accepted: bool) -> None:
    """A challenge is answered, by whomever.

    Raises `TournamentRefused`: `tournament_wrong_status`, `not_a_ladder`, `challenge_not_found`.
    """
    challenged = _asked(draft.state, challenger)
    draft.add(ChallengeAnswered(challenger=challenger, challenged=challenged, accepted=accepted))


def take_back(state: Tournament, challenger: str, by: str, now: datetime) -> Events:
    """A member of the challenger takes the challenge back, as long as it is not answered.

    Raises `TournamentRefused`: `tournament_wrong_status`, `not_a_ladder`, `challenge_not_found`, `not_your_entrant`.
    """
    challenged = _asked(state, challenger)
    own_entrant(state, challenger, by)
    draft = Draft(state, by, now)
    draft.add(ChallengeDropped(challenger=challenger, challenged=challenged, why="taken_back"))
    return draft.events


def drop(draft: Draft, challenger: str) -> None:
    """A challenge is taken back for whoever it is of, also one that was accepted and is not paired yet.

    Raises `TournamentRefused`: `tournament_wrong_status`, `not_a_ladder`, `challenge_not_found`.
    """
    _ladder(draft.state)
    challenged = draft.state.accepted.get(challenger) or _asked(draft.state, challenger)
    draft.add(ChallengeDropped(challenger=challenger, challenged=challenged, why="taken_back"))


def settle_by_hand(draft: Draft, matches: Iterable[Sides]) -> None:
    """What a director's own pairing makes of challenges that nobody has answered: that of two who meet is accepted with
    it, any other one of theirs is none any more. Elsewhere than on a ladder nothing."""
    stage = draft.state.stage
    if stage is None or not isinstance(draft.state.stage_terms(stage.number).format, Ladder):
        return
    meeting = {frozenset(each for side in sides for each in side) for sides in matches}
    playing = frozenset[str]().union(*meeting)
    for challenger, challenged in [*draft.state.challenges.items()]:
        pair = {challenger, challenged}
        if pair in meeting:
            draft.add(ChallengeAnswered(challenger=challenger, challenged=challenged, accepted=True))
        elif pair & playing:
            draft.add(ChallengeDropped(challenger=challenger, challenged=challenged, why="paired"))


def _asked(state: Tournament, challenger: str) -> str:
    """Who was challenged and has not answered. Raises `TournamentRefused` as `put_answer` does."""
    _ladder(state)
    challenged = state.challenges.get(challenger)
    if challenged is None:
        raise TournamentRefused(TournamentCode.CHALLENGE_UNKNOWN, challenger=challenger)
    return challenged


def _ladder(state: Tournament) -> Ladder:
    check_status(state, "running")
    stage = state.stage
    form = None if stage is None else state.stage_terms(stage.number).format
    if not isinstance(form, Ladder):
        raise TournamentRefused(TournamentCode.NOT_A_LADDER)
    return form


def _check_free(state: Tournament, entrant: Entrant) -> None:
    reason = None
    if not takes_part(state, entrant) or entrant.id not in state.ladder:
        reason = "on the ladder, everybody agreed to be seated"
    elif any(entrant.id in pair for asked in (state.challenges, state.accepted) for pair in asked.items()):
        reason = "no other challenge"
    elif any(not match.over and (entrant.id,) in match.paired.sides for match in state.matches.values()):
        reason = "no match under way"
    if reason is not None:
        raise TournamentRefused(TournamentCode.CHALLENGE_NOT_PERMITTED, entrant=entrant.id, needed=reason)
