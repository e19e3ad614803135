"""A tournament from its announcement to its end, by the service alone."""

from domain.tournaments.formats import Danish
from tests.service.tournaments.hall import Hall, terms_of


async def test_a_tournament_runs_to_its_end(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=2)), 4)
    state = await hall.fresh(live)
    assert state.status == "running"
    assert [each.status for each in state.rounds.values()] == ["started"]
    await hall.play_round(live)
    await hall.settle(live)
    await hall.play_round(live)
    await hall.settle(live)
    state = await hall.fresh(live)
    assert state.status == "finished"
    assert state.revealed
    assert len(state.order) == 4
