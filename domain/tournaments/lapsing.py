"""Challenges of a ladder that wait to be answered, for as long as its terms let them."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from domain.tournaments import clocks
from domain.tournaments.entry_events import ChallengeDropped
from domain.tournaments.formats import Ladder
from domain.tournaments.state import Tournament


def answers_due(state: Tournament) -> Mapping[str, datetime]:
    """By the challenger, when a challenge lapses; nothing where the terms set no limit."""
    stage = state.stage
    form = None if stage is None or state.status != "running" else state.stage_terms(stage.number).format
    if not isinstance(form, Ladder) or not isinstance(form.answer_minutes, int):
        return {}
    lasts = timedelta(minutes=form.answer_minutes)
    return {each: clocks.moment(asked_at) + lasts for each, asked_at in state.challenged_at.items()}


def lapsed(state: Tournament, now: datetime) -> Iterator[ChallengeDropped]:
    """The challenges whose time is over."""
    for challenger, due in answers_due(state).items():
        if due <= now:
            yield ChallengeDropped(challenger=challenger, challenged=state.challenges[challenger], why="lapsed")
