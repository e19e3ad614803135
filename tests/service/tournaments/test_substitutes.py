"""Who comes into a team during its match: seated where a game is still played, and rated for nothing that was over."""

import json

from domain.tournaments.acts import Substitute
from domain.tournaments.formats import Danish
from domain.tournaments.given import Given, Person
from tests.service.tournaments.checks import assert_sound
from tests.service.tournaments.hall import Hall, terms_of


async def test_who_comes_after_a_tables_end_is_not_rated_for_it(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1), entrants="teams", players=4), 2, persons=4)
    first, second = await hall.dealt(live)
    await hall.play_turn(first)
    await hall.resign(first)
    await hall.settle(live)
    entrant, outgoing = first.entrants[0], first.players[0]
    act = Substitute(entrant=entrant, outgoing=outgoing, incoming="p-new")
    await hall.act(live, act, given=Given(persons={"p-new": Person()}))
    await hall.consent(live, entrant, "p-new")
    await hall.settle(live)
    await hall.play_turn(second)
    await hall.resign(second)
    state = await hall.until(live, lambda state: state.status == "finished")
    await hall.settle(live)
    assert state.entrants[entrant].players[0] == "p-new"
    assert [table.players for table in state.matches[first.match].paired.tables] == [first.players, second.players]
    sides, rated = await hall.pool.fetchrow("select sides::text, rated from rated_result")
    assert rated
    assert {player for side in json.loads(sides) for pair in side for player in pair} == {
        *first.players,
        *second.players,
    }
    await assert_sound(hall, live)
