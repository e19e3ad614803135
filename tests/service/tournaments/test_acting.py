"""What a director's acts do to games under way: they end, and they change hands."""

import asyncio
from typing import Any

import pytest

from domain.tournaments.acts import Cancel, Forfeit, RecordResult, Rule, Substitute
from domain.tournaments.formats import Danish, Elimination
from domain.tournaments.games import WantedGame
from domain.tournaments.given import Given, Person
from domain.tournaments.seating import Adjustment
from service.board_games import BoardsNotClosed
from service.tournaments import tables
from service.tournaments.live import LiveTournament
from service.tournaments.match_games import MatchGames
from service.tournaments.tables import Tables
from tests.service.tournaments.checks import assert_sound
from tests.service.tournaments.hall import SECONDS_MAX, Hall, terms_of


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


async def substituted(hall: Hall) -> tuple[LiveTournament, WantedGame]:
    """A game of two, and somebody who is to take the first seat once they agree."""
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    given = Given(persons={"p-new": Person()})
    act = Substitute(entrant=game.entrants[0], outgoing=game.players[0], incoming="p-new")
    await hall.act(live, act, given=given)
    await hall.settle(live)
    return live, game


async def holder(hall: Hall, game: WantedGame) -> str:
    """Who holds the first seat."""
    held = (await hall.service.games.fresh(game.game)).state.table.seats[0]
    assert held is not None
    assert held.kind == "human"
    return held.player


async def test_a_substitute_who_agreed_takes_the_seat_at_once(hall: Hall) -> None:
    live, game = await substituted(hall)
    entrant = game.entrants[0]
    assert await holder(hall, game) == game.players[0]
    await hall.consent(live, entrant, "p-new")
    await hall.settle(live)
    assert await holder(hall, game) == "p-new"
    rows = await hall.pool.fetch("select player from tournament_player where entrant = $1", entrant)
    assert [row["player"] for row in rows] == ["p-new"]
    await hall.resign(game, seat=1)
    await hall.until(live, lambda state: state.status == "finished")


async def test_a_substitute_is_seated_though_the_first_look_failed(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    live, game = await substituted(hall)
    monkeypatch.setattr(tables, "_SEATS", "select 1 / 0 from unnest(array[$1::text]) limit 1")
    await hall.consent(live, game.entrants[0], "p-new")
    assert not await hall.service.manager.settle(live.id)
    monkeypatch.undo()
    await hall.settle(live)
    assert await holder(hall, game) == "p-new"


async def test_a_substitute_who_agrees_during_a_look_is_seated(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    live, game = await substituted(hall)
    move_clocks = Tables.move_clocks
    agreed: list[str] = []

    async def agreeing(self: Tables, *arguments: Any) -> None:
        if not agreed:
            agreed.append("p-new")
            await hall.consent(live, game.entrants[0], "p-new")
        await move_clocks(self, *arguments)

    live.reseat = True
    monkeypatch.setattr(Tables, "move_clocks", agreeing)
    await hall.settle(live)
    assert agreed
    assert await holder(hall, game) == "p-new"


async def test_a_game_that_cannot_be_made_is_left_for_later(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_arguments: Any) -> bool:
        raise BoardsNotClosed

    monkeypatch.setattr(MatchGames, "create", refused)
    async with asyncio.timeout(SECONDS_MAX):
        live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    assert await hall.pool.fetchval("select count(*) from tournament_game") == 0
    monkeypatch.undo()
    await hall.settle(live)
    assert await hall.pool.fetchval("select count(*) from tournament_game") == 1


async def test_a_ruling_while_a_tie_is_played_off_leaves_no_game_untold(hall: Hall) -> None:
    live = await hall.begin(terms_of(Elimination(tie="extra_hand")), 2)
    (game,) = await hall.dealt(live)
    level = ((100, 100),)
    await hall.act(live, RecordResult(match=game.match, table=1, leg=1, hands=level, reason="technical"))
    await hall.settle(live)
    (extra,) = await hall.dealt(live)
    assert extra.leg == 2
    ruling = Adjustment(kind="points", points=(500, 900))
    await hall.act(live, Rule(match=game.match, adjustment=ruling, winner=1, reason="agreement"))
    state = await hall.until(live, lambda state: state.revealed)
    assert state.order == (game.entrants[game.side_of.index(1)], game.entrants[game.side_of.index(0)])
    await hall.settle(live)
    assert not await hall.pool.fetch("select game from tournament_game where told <> 'result'")
