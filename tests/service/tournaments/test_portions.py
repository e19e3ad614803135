"""What follows of itself is stored in portions where one append does not take it."""

import pytest

from domain.tournaments.acts import Withdraw
from domain.tournaments.formats import Elimination
from domain.tournaments.round_events import MatchDecided, RoundStarted
from domain.tournaments.terms import Pace
from service.tournaments import reconciling, tournaments
from tests.service.tournaments.checks import assert_sound
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import terms_of

MOST = 3
"""Events of one append, for this test."""


async def test_walk_overs_beyond_one_append_come_in_portions(open_hall: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a bracket leaves before its second round begins."""
    hall = await open_hall(1)
    live = await hall.begin(terms_of(Elimination(), pace=Pace(pause_seconds=6)), 16)
    await hall.play_round(live)
    state = await hall.until(live, lambda state: 2 in state.rounds)
    # Nobody begins it while they leave, however long that takes.
    await hall.rest()
    for match in state.matches_of(2):
        await hall.act(live, Withdraw(entrant=match.paired.sides[0][0]))
    assert (await hall.fresh(live)).rounds[2].status == "paired"
    monkeypatch.setattr(reconciling, "EVENTS_MAX", MOST)
    monkeypatch.setattr(tournaments, "EVENTS_MAX", MOST)
    others = await open_hall(1)
    await others.until(live, lambda state: 3 in state.rounds)
    happened = await assert_sound(others, live)
    walk_overs = [event.n for event in happened if isinstance(event, MatchDecided) and event.how == "walkover"]
    (started,) = [event.n for event in happened if isinstance(event, RoundStarted) and event.round == 2]
    assert len(walk_overs) == 4
    assert max(walk_overs) < started
    appends = await hall.pool.fetch(
        "select version, command_last from event where stream = $1 and command_last >= $2 and version <= $3",
        live.id, walk_overs[0], walk_overs[-1],
    )  # fmt: skip
    assert [row["command_last"] - row["version"] + 1 for row in appends] == [MOST, len(walk_overs) - MOST]
