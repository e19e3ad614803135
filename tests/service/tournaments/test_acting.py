"""What a director's acts do to games under way: they end, they change hands, they count anew for the ratings."""

from domain.tournaments.acts import Cancel, Disqualify, Forfeit, Rule, Substitute
from domain.tournaments.formats import Danish
from domain.tournaments.given import Given, Person
from domain.tournaments.seating import Adjustment
from domain.tournaments.terms import Pace
from tests.service.tournaments.checks import assert_sound
from tests.service.tournaments.hall import Hall, eventually, terms_of


async def status_of(hall: Hall, game: str) -> tuple[str, str | None, bool]:
    state = (await hall.service.games.fresh(game)).state
    return state.table.status, state.end_reason, state.table.revealed


async def why_ended(hall: Hall, game: str) -> list[tuple[str, str]]:
    stored = await hall.service.store.read(game, 0, 1000)
    return [
        (event.type, event.body.partition(b'"reason":')[2].split(b",")[0].decode().strip('"}'))
        for event in stored
        if event.type in ("adjudicated", "aborted")
    ]


async def test_a_forfeit_ends_the_games_of_the_match(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 4)
    first, second = await hall.dealt(live)
    await hall.act(live, Forfeit(match=first.match, entrants=(first.entrants[0],), reason="absence"))
    await hall.settle(live)
    assert await status_of(hall, first.game) == ("ended", "adjudicated", True)
    assert await why_ended(hall, first.game) == [("adjudicated", "absence")]
    assert (await status_of(hall, second.game))[0] == "playing"
    await hall.resign(second)
    state = await hall.until(live, lambda state: state.status == "finished")
    outcome = state.matches[first.match].outcome
    assert outcome is not None
    assert outcome.how == "ruling"
    await assert_sound(hall, live)


async def test_everything_ends_with_a_cancelled_tournament(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=2)), 4)
    games = await hall.dealt(live)
    await hall.act(live, Cancel(reason="other"))
    state = await hall.until(live, lambda state: state.revealed)
    assert state.status == "cancelled"
    for game in games:
        assert await status_of(hall, game.game) == ("ended", "aborted", True)
        assert await why_ended(hall, game.game) == [("aborted", "ruling")]


async def test_a_substitute_takes_the_seat_at_once(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    outgoing, entrant = game.players[0], game.entrants[0]
    given = Given(persons={"p-new": Person()})
    await hall.act(live, Substitute(entrant=entrant, outgoing=outgoing, incoming="p-new"), given=given)
    await hall.settle(live)
    before = (await hall.service.games.fresh(game.game)).state.table.seats[0]
    assert before is not None
    # Nobody is seated who has not agreed.
    assert before.player == outgoing
    await hall.consent(live, entrant, "p-new")
    await hall.settle(live)
    held = (await hall.service.games.fresh(game.game)).state.table.seats[0]
    assert held is not None
    assert (held.player, held.kind) == ("p-new", "human")
    rows = await hall.pool.fetch("select player from tournament_player where entrant = $1", entrant)
    assert [row["player"] for row in rows] == ["p-new"]
    await hall.resign(game, seat=1)
    await hall.until(live, lambda state: state.status == "finished")


async def test_the_ratings_hear_of_a_match_once_and_of_a_ruling_again(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    await hall.resign(game, seat=1)
    await hall.until(live, lambda state: state.status == "finished")
    await hall.settle(live)
    key = f"match/{live.id}/{game.match}"
    query = "select revision, ranks, rated from rated_result where key = $1 order by revision"
    (row,) = await hall.pool.fetch(query, key)
    assert (row["ranks"], row["rated"]) == ([1, 2] if game.side_of[0] == 0 else [2, 1], True)
    await hall.settle(live)
    assert len(await hall.pool.fetch(query, key)) == 1
    void = Rule(match=game.match, adjustment=Adjustment(kind="void"), reason="scoring_error")
    await hall.act(live, void)
    await hall.settle(live)
    again = await hall.pool.fetch(query, key)
    assert [row["rated"] for row in again] == [True, False]
    assert await hall.pool.fetchval("select rated_version = version from tournament")


async def test_a_match_that_nobody_played_is_not_rated(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1), pace=Pace(pause_seconds=0)), 2)
    (game,) = await hall.dealt(live)
    await hall.act(live, Disqualify(entrant=game.entrants[0], reason="conduct"))
    await hall.settle(live)
    assert (await status_of(hall, game.game))[0] == "ended"

    async def told() -> bool:
        return [row["rated"] for row in await hall.pool.fetch("select rated from rated_result")] == [False]

    await eventually(told)
