"""Who does not come: noted some time after the start, by the tables and not by a clock alone."""

from datetime import UTC, datetime
from functools import partial

from domain.tournaments.acts import Pair, StartRound
from domain.tournaments.formats import Danish
from domain.tournaments.matches import FixedHands, MatchTerms, PerHand
from domain.tournaments.round_events import NoShowNoted
from domain.tournaments.terms import Pace
from service.automata import decide_for_absent
from service.commands import Command
from service.tournaments.no_shows import NoShows
from tests.service.tournaments.checks import stream_of
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, eventually, terms_of

DUE = "update deadline set due_at = now() where game = $1 and kind = 'no_show:1'"


async def test_who_does_not_move_is_missing_and_who_waits_is_not(hall: Hall) -> None:
    live = await hall.begin(terms_of(Danish(rounds=1), match=MatchTerms(length=FixedHands(1))), 4)
    games = await hall.dealt(live)
    first, second = games
    # At the first table the seat to act has played; at the second nobody has done anything.
    held = await hall.service.games.find(first.game)
    mover = held.state.turn
    await hall.move(first)
    standing = (await hall.service.games.find(second.game)).state.turn
    due = await hall.pool.fetchval("select due_at from deadline where game = $1 and kind = 'no_show:1'", live.id)
    assert 500 < (due - datetime.now(UTC)).total_seconds() <= 600
    await hall.pool.execute(DUE, live.id)
    await eventually(partial(looked_at, hall))
    missing = {event.entrant for event in await stream_of(hall, live) if isinstance(event, NoShowNoted)}
    after = (await hall.service.games.fresh(first.game)).state
    expected = {second.entrants[standing]}
    if after.turn != mover:
        # The other seat of the first table is to act, and has not moved yet.
        expected.add(first.entrants[after.turn])
    assert missing == expected


async def test_the_moves_of_a_stand_in_are_nobodys_own(hall: Hall) -> None:
    pace = Pace(pause_seconds=0, no_show="forfeit")
    live = await hall.begin(terms_of(Danish(rounds=1), pace=pace), 2)
    (game,) = await hall.dealt(live)
    held = await hall.service.games.find(game.game)
    seat = held.state.turn
    while held.state.turn == seat:
        absent = partial(decide_for_absent, held, seat=seat, level="greedy", announced=held.state.stood_in)
        await hall.service.games.perform(held, Command(actor="timer", decide=absent))
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
    await hall.pool.execute(DUE, live.id)
    await eventually(partial(looked_at, hall))
    assert not [event for event in await stream_of(hall, live) if isinstance(event, NoShowNoted)]


async def test_the_time_of_games_that_are_dealt_late_counts_from_the_deal(open_hall: Open) -> None:
    """A round has begun, and no worker is there to deal its games until later: no timer is lost by that."""
    hall = await open_hall(1)
    live = await hall.begin(terms_of(Danish(rounds=1), pace=Pace(automatic=False)), 4)
    await hall.act(live, Pair())
    await hall.settle(live)
    await hall.rest()
    await hall.act(live, StartRound(round=1))
    again = await NoShows(hall.pool, hall.service.tournaments).look(live, 1)
    assert again is not None
    assert 500 < (again - datetime.now(UTC)).total_seconds() <= 600
    others = await open_hall(1)
    games = await others.dealt(live)
    await others.pool.execute("update game set created_at = created_at + interval '5 minutes'")
    await others.pool.execute(DUE, live.id)
    await eventually(partial(put_off, others))
    assert not [event for event in await stream_of(others, live) if isinstance(event, NoShowNoted)]
    await others.pool.execute("update game set created_at = created_at - interval '15 minutes'")
    await others.pool.execute(DUE, live.id)
    await eventually(partial(looked_at, others))
    noted = [event for event in await stream_of(others, live) if isinstance(event, NoShowNoted)]
    assert len(noted) == len(games)


async def looked_at(hall: Hall) -> bool:
    return not await hall.pool.fetchval("select exists (select from deadline where kind like 'no_show:%')")


async def put_off(hall: Hall) -> bool:
    later = (
        "select exists (select from deadline where kind like 'no_show:%' and due_at > now() + interval '14 minutes')"
    )
    return bool(await hall.pool.fetchval(later))
