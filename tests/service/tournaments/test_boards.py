"""Duplicate boards: sealed until all tables have played them, told together, revealed in the end."""

from datetime import UTC, datetime
from typing import Any

from domain.fairness import check_board_commitment
from domain.tournaments.events import BoardsRevealed
from domain.tournaments.formats import Danish
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.round_events import GameFinished, ResultRecorded
from domain.tournaments.terms import Boards, Terms
from tests.service.tournaments.checks import assert_sound, stream_of
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, eventually, terms_of


def duplicate(rounds: int = 1, **changes: Any) -> Terms:
    return terms_of(
        Danish(rounds=rounds), match=MatchTerms(length=FixedHands(1)), boards=Boards(stock="striped"), **changes
    )


async def sealed(hall: Hall, game: str) -> bool:
    until = await hall.pool.fetchval("select sealed_until from game where id = $1", game)
    return bool(until > datetime.now(UTC))


async def test_results_of_boards_are_told_when_all_tables_are_through(hall: Hall) -> None:
    live = await hall.begin(duplicate(), 4)
    first, second = await hall.dealt(live)
    await hall.play_hand(first)
    await hall.settle(live)
    happened = await stream_of(hall, live)
    assert [type(event) for event in happened if isinstance(event, GameFinished | ResultRecorded)] == [GameFinished]
    # Nothing of the result is anywhere that others may look.
    assert not live.state.matches[first.match].results
    assert await sealed(hall, first.game)
    live_game = await hall.service.games.fresh(first.game)
    assert (live_game.state.table.status, live_game.state.table.revealed) == ("ended", False)
    await hall.play_hand(second)
    state = await hall.until(live, lambda state: state.revealed)
    assert [len(match.results) for match in state.matches.values()] == [1, 1]
    assert not await sealed(hall, first.game)
    await assert_sound(hall, live)


async def test_the_same_deal_lies_at_every_table(hall: Hall) -> None:
    live = await hall.begin(duplicate(), 4)
    games = await hall.dealt(live)
    states = [(await hall.service.games.find(game.game)).state for game in games]
    assert states[0].holdings == states[1].holdings
    assert states[0].stock == states[1].stock
    assert len(states[0].stock) == 2


async def test_boards_are_revealed_when_no_board_is_to_be_played(open_hall: Open) -> None:
    """All tables of the first round are through, and nothing is: the second round's boards have the same master."""
    hall = await open_hall(2)
    live = await hall.begin(duplicate(rounds=2), 4)
    played = []
    for number in (1, 2):
        await hall.until(live, lambda state, number=number: number in state.rounds)  # type: ignore[misc]
        for game in await hall.dealt(live):
            played.append(game.game)
            await hall.play_hand(game, hall.workers[number - 1])
        if number == 1:
            await hall.until(live, lambda state: 2 in state.rounds)
            assert not (await hall.service.games.fresh(played[0])).state.table.revealed
            await hall.settle(live)
            assert not await sealed(hall, played[0])
    await hall.until(live, lambda state: state.revealed)

    async def shown() -> bool:
        query = "select count(*) from event where type = 'revealed'"
        return bool(await hall.pool.fetchval(query) == len(played) == 4)

    await eventually(shown)
    (revealed,) = [event for event in await stream_of(hall, live) if isinstance(event, BoardsRevealed)]
    assert check_board_commitment(live.state.commitment, bytes.fromhex(revealed.master))
    await assert_sound(hall, live)
