"""A tournament from its announcement to its end, by the service alone."""

from domain.tournaments.formats import Danish, Individual
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


async def test_a_table_of_three_among_tables_of_four_comes_to_a_result_for_each_of_its_sides(hall: Hall) -> None:
    form = Individual(movement="swiss", rounds=1)
    live = await hall.begin(terms_of(form, entrants="individuals", players=4), 7)
    games = await hall.dealt(live)
    assert sorted(len(game.players) for game in games) == [3, 4]
    for game in games:
        await hall.play_hand(game)
    await hall.settle(live)
    state = await hall.fresh(live)
    assert sorted(len(match.results[0].points) for match in state.matches_of(1)) == [2, 3]
    assert state.status == "finished"
