"""Who does not come: noted some time after the start, by the tables and not by a clock alone."""

from datetime import UTC, datetime, timedelta
from functools import partial

import asyncpg

from domain.tournaments.acts import Pair, StartRound, Substitute
from domain.tournaments.formats import Danish
from domain.tournaments.games import WantedGame
from domain.tournaments.given import Given, Person
from domain.tournaments.matches import FixedHands, MatchTerms, PerHand
from domain.tournaments.round_events import NoShowNoted
from domain.tournaments.terms import Pace
from service.automata import decide_for_absent
from service.commands import Command
from service.tournaments.live import LiveTournament
from service.tournaments.no_shows import LOOKS_APART, Awaited, Missing, NoShows, missing_among
from tests.service.tournaments.checks import stream_of
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, eventually, terms_of

DUE = "update deadline set due_at = now() where game = $1 and kind = 'no_show:1'"


async def test_who_does_not_move_is_missing_and_who_waits_is_not(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1), match=MatchTerms(length=FixedHands(1))), 4)
    first, second = await hall.dealt(live)
    due = await hall.pool.fetchval("select due_at from deadline where game = $1 and kind = 'no_show:1'", live.id)
    assert 500 < (due - datetime.now(UTC)).total_seconds() <= 600
    # At the first table a seat has just played, and the other one waited for it until then; at the second nobody came.
    await pass_minutes(hall, 11, first, second)
    mover = await hall.play_turn(first)
    standing = (await hall.service.games.find(second.game)).state.turn
    await hall.pool.execute(DUE, live.id)
    await eventually(partial(put_off, hall))
    assert await noted(hall, live) == [second.entrants[standing]]
    # Nor does the other one come: it has been awaited for less than the whole time, and then for all of it.
    await pass_minutes(hall, 6, first, second)
    await hall.pool.execute(DUE, live.id)
    await eventually(partial(put_off, hall, 3))
    assert len(await noted(hall, live)) == 1
    await pass_minutes(hall, 5, first, second)
    await hall.pool.execute(DUE, live.id)
    await eventually(partial(looked_at, hall))
    assert await noted(hall, live) == [second.entrants[standing], first.entrants[1 - mover]]


async def test_the_moves_of_a_stand_in_are_nobodys_own(hall: Hall) -> None:
    """The seat was awaited before the stand-in played, and that it plays and others after it begins nothing anew."""
    pace = Pace(pause_seconds=0, no_show="forfeit")
    live = await hall.begin(terms_of(Danish(rounds=1), pace=pace), 2)
    (game,) = await hall.dealt(live)
    await pass_minutes(hall, 11, game)
    seat = await stand_in(hall, game)
    # The other one has moved itself, so that only the first is missing.
    await hall.move(game)
    await hall.pool.execute(DUE, live.id)
    state = await hall.until(live, lambda state: state.status == "finished")
    (match,) = state.matches.values()
    assert match.missing == (game.entrants[seat],)
    assert match.outcome is not None
    assert match.outcome.how == "ruling"
    winner = game.side_of[1 - seat]
    assert match.outcome.score is not None
    assert match.outcome.score[winner] > match.outcome.score[1 - winner]


async def test_who_comes_in_was_not_awaited_while_the_seat_was_another_ones(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1)), 2)
    (game,) = await hall.dealt(live)
    await pass_minutes(hall, 11, game)
    seat = await stand_in(hall, game)
    entrant = game.entrants[seat]
    act = Substitute(entrant=entrant, outgoing=game.players[seat], incoming="p-new")
    await hall.act(live, act, given=Given(persons={"p-new": Person()}))
    await hall.consent(live, entrant, "p-new")
    await hall.settle(live)
    held = (await hall.service.games.fresh(game.game)).state.table.seats[seat]
    assert held is not None
    assert held.player == "p-new"
    await hall.pool.execute(DUE, live.id)
    await eventually(partial(put_off, hall))
    assert await noted(hall, live) == []


async def test_a_look_that_comes_late_gives_the_whole_time_anew(hall: Hall) -> None:
    """No worker was there when the time was over: nobody can have moved."""
    live = await hall.begin(terms_of(Danish(rounds=1), pace=Pace(pause_seconds=0, no_show="forfeit")), 2)
    (game,) = await hall.dealt(live)
    await pass_minutes(hall, 20, game)
    await hall.pool.execute(DUE.replace("now()", "now() - interval '2 minutes'"), live.id)
    await eventually(partial(put_off, hall))
    assert await noted(hall, live) == []
    await hall.pool.execute(DUE, live.id)
    await hall.until(live, lambda state: state.status == "finished")
    assert len(await noted(hall, live)) == 1


def test_a_table_is_looked_at_again_when_who_may_be_awaited_next_has_had_their_time() -> None:
    """The seat that nobody waits for has not moved; who sits at the other one has been there, and left."""
    now, whole = datetime(2026, 5, 1, 12, tzinfo=UTC), timedelta(minutes=10)
    table = ("r1m1", 1)
    silent = {Missing("r1m1", "e1"): [(table, 0)]}
    still = Awaited({(table, 1): now - whole}, {table: now - whole})
    assert missing_among(silent, still, whole, now) == ([], now + whole)
    moving = Awaited({(table, 1): now - whole / 2}, {table: now - whole / 2})
    assert missing_among(silent, moving, whole, now) == ([], now + whole / 2)
    nearly = Awaited({(table, 0): now - whole + timedelta(seconds=1)}, {})
    assert missing_among(silent, nearly, whole, now) == ([], now + LOOKS_APART)


async def test_who_has_played_a_hand_is_not_missing_in_the_next_one(hall: Hall) -> None:
    """Every hand is a game of its own, and the second one has just been dealt."""
    match = MatchTerms(length=FixedHands(2), first_meld=PerHand(points=(50, 90)))
    pace = Pace(pause_seconds=0, no_show="forfeit")
    live = await hall.begin(terms_of(Danish(rounds=1), match=match, pace=pace), 2)
    (game,) = await hall.dealt(live)
    await hall.play_hand(game)
    await hall.settle(live)
    (second,) = await hall.dealt(live)
    assert second.leg == 2
    await pass_minutes(hall, 11, second)
    await hall.pool.execute(DUE, live.id)
    await eventually(partial(looked_at, hall))
    assert await noted(hall, live) == []


async def test_the_time_of_games_that_are_dealt_late_counts_from_the_deal(open_hall: Open) -> None:
    """A round has begun, and no worker is there to deal its games until later: no timer is lost by that."""
    hall = await open_hall(1)
    live = await hall.begin(terms_of(Danish(rounds=1), pace=Pace(automatic=False)), 4)
    await hall.act(live, Pair())
    await hall.settle(live)
    await hall.rest()
    await hall.act(live, StartRound(round=1))
    again = await NoShows(hall.pool, hall.service.tournaments).look(live, 1, datetime.now(UTC))
    assert again is not None
    assert 500 < (again - datetime.now(UTC)).total_seconds() <= 600
    others = await open_hall(1)
    games = await others.dealt(live)
    await others.pool.execute(DUE, live.id)
    await eventually(partial(put_off, others))
    assert await noted(others, live) == []
    await pass_minutes(others, 11, *games)
    await others.pool.execute(DUE, live.id)
    await eventually(partial(looked_at, others))
    assert len(await noted(others, live)) == len(games)


async def pass_minutes(hall: Hall, minutes: int, *games: WantedGame) -> None:
    """Everything in these games happened so much earlier."""
    connection = await asyncpg.connect(hall.settings.database_url)
    try:
        async with connection.transaction():
            await connection.execute("alter table event disable trigger event_is_append_only")
            await connection.execute(
                "update event set at = at - $1 * interval '1 minute' where stream = any($2)",
                minutes,
                [game.game for game in games],
            )
            await connection.execute("alter table event enable always trigger event_is_append_only")
    finally:
        await connection.close()


async def stand_in(hall: Hall, game: WantedGame) -> int:
    """A stand-in plays the turn of the seat to act; the seat."""
    held = await hall.service.games.find(game.game)
    seat = held.state.turn
    while held.state.turn == seat:
        absent = partial(decide_for_absent, held, seat=seat, level="greedy", announced=held.state.stood_in)
        await hall.service.games.perform(held, Command(actor="timer", decide=absent))
    return seat


async def noted(hall: Hall, live: LiveTournament) -> list[str]:
    """The entrants that were noted as missing."""
    return [event.entrant for event in await stream_of(hall, live) if isinstance(event, NoShowNoted)]


async def looked_at(hall: Hall) -> bool:
    """The timer has fired: it is gone, or put off."""
    due = "select exists (select from deadline where kind like 'no_show:%' and due_at <= now())"
    return not await hall.pool.fetchval(due)


async def put_off(hall: Hall, minutes: int = 9) -> bool:
    later = """
        select exists (
            select from deadline where kind like 'no_show:%' and due_at > now() + $1 * interval '1 minute'
        )
    """
    return bool(await hall.pool.fetchval(later, minutes))
