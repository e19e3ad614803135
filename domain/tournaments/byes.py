"""Byes that are asked for or given beforehand, for rounds that are not paired yet."""

from collections.abc import Sequence
from datetime import datetime

from domain.tournaments.draft import Draft
from domain.tournaments.entering import Events, own_entrant
from domain.tournaments.entrants import NOT_OVER, check_entrant_status, check_status, next_round, nothing_to_change
from domain.tournaments.entry_events import ByeAsked
from domain.tournaments.formats import Danish, Individual, Swiss
from domain.tournaments.playing import is_open
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.seating import Bye
from domain.tournaments.state import Entrant, Tournament


def ask_bye(
    state: Tournament, entrant: str, rounds: Sequence[int], by: str, now: datetime, bye: Bye | None = "half_bye"
) -> Events:
    """Sit out rounds that are not paired yet: half byes as often as the terms say, zero byes at will; None takes them
    back, and those that a director gave as well.

    Raises `TournamentRefused`: `entrant_not_found`, `not_your_entrant`, and as `note_bye` does, `byes_used_up`.
    """
    found = own_entrant(state, entrant, by)
    if bye == "bye":
        raise TournamentRefused(TournamentCode.BYES_USED_UP, needed="a half bye or a zero bye", found=bye)
    if bye == "half_bye":
        stage = state.stage.number if state.stage is not None else 0
        most = state.stage_terms(stage).unplayed.half_byes_max
        asked = {number for number, kind in found.byes_asked.items() if kind == "half_bye"} | set(rounds)
        if len(asked) > most:
            raise TournamentRefused(TournamentCode.BYES_USED_UP, half_byes_max=most, asked=sorted(asked))
    draft = Draft(state, by, now)
    note_bye(draft, found, rounds, bye)
    return draft.events


def note_bye(draft: Draft, entrant: Entrant, rounds: Sequence[int], bye: Bye | None) -> None:
    """What rounds count as that are sat out; None takes their byes back.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrant_wrong_status`, `stage_wrong`,
    `round_wrong_status`, `nothing_to_change`.
    """
    state = draft.state
    check_status(state, *NOT_OVER)
    check_entrant_status(entrant, "entered", "waiting")
    stage = state.stage.number if state.stage is not None else 0
    form = state.stage_terms(stage).format
    if not is_open(state.stage_terms(stage)) or not isinstance(form, (Swiss, Danish, Individual)):
        raise TournamentRefused(TournamentCode.STAGE_WRONG, needed="a format that is paired round by round")
    first = next_round(state)
    earlier = sum(each.stage < stage for each in state.rounds.values())
    last = None if form.rounds is None else earlier + form.rounds
    wrong = [number for number in rounds if number < first or (last is not None and number > last)]
    if wrong:
        raise TournamentRefused(TournamentCode.ROUND_WRONG_STATUS, rounds=wrong, first=first, last=last)
    changed = sorted({number for number in rounds if entrant.byes_asked.get(number) != bye})
    if not changed:
        raise nothing_to_change(entrant=entrant.id, rounds=sorted(rounds), bye=bye)
    draft.add(ByeAsked(entrant=entrant.id, rounds=tuple(changed), bye=bye))
