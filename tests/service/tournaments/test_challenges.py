"""Challenges of a ladder that nobody answers: a timer of the database ends them, whoever takes it up."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from domain.tournaments import lapsing
from domain.tournaments.challenging import challenge
from domain.tournaments.entry_events import ChallengeDropped
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.formats import Ladder
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Pace
from service.tournaments.commands import TournamentCommand
from service.tournaments.live import LiveTournament
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, terms_of

DUE = "select due_at from deadline where game = $1 and kind = 'process'"


async def challenged(hall: Hall, minutes: int, pace: Pace) -> LiveTournament:
    """A ladder on which e3 has challenged e2."""
    live = await hall.begin(terms_of(Ladder(days=30, answer_minutes=minutes), pace=pace), 3)

    def asked(state: Tournament, now: datetime, _draw: Callable[[str], str]) -> list[AnyTournamentEvent]:
        return challenge(state, "e3", "e2", "p-3", now)

    await hall.service.tournaments.perform(live, TournamentCommand(actor="p-3", decide=asked))
    return live


async def test_a_challenge_has_a_timer_at_the_end_of_the_time_to_answer_it(hall: Hall) -> None:
    live = await challenged(hall, 90, Pace(pause_seconds=0))
    await hall.settle(live)
    state = await hall.fresh(live)
    asked_at = datetime.fromisoformat(state.challenged_at["e3"])
    assert await hall.pool.fetchval(DUE, live.id) == asked_at + timedelta(minutes=90)


@pytest.mark.parametrize("pace", [Pace(pause_seconds=0), Pace(automatic=False)], ids=["automatic", "by hand"])
async def test_an_unanswered_challenge_lapses_though_its_worker_is_gone(
    open_hall: Open, monkeypatch: pytest.MonkeyPatch, pace: Pace
) -> None:
    # Minutes are seconds, but the rest of the service has its own.
    monkeypatch.setattr(lapsing, "timedelta", lambda *, minutes: timedelta(seconds=minutes))
    hall = await open_hall(1)
    live = await challenged(hall, 4, pace)
    await hall.settle(live)
    await hall.rest()
    assert (await hall.fresh(live)).challenges == {"e3": "e2"}
    await hall.more()
    state = await hall.until(live, lambda state: not state.challenges)
    assert (state.accepted, state.ladder, state.rounds) == ({}, ("e1", "e2", "e3"), {})
    stored = [event async for event in hall.service.tournaments.events(live, 0, state.version)]
    assert [event.why for event in stored if isinstance(event, ChallengeDropped)] == ["lapsed"]
    assert datetime.fromisoformat(stored[-1].at) - datetime.fromisoformat(stored[-2].at) >= timedelta(seconds=4)
