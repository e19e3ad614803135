"""What holds of every tournament, whatever happened to its workers: read from the store, not from anybody's memory."""

from collections import Counter
from typing import Any

from domain.tournaments.events import AnyTournamentEvent, LotsDrawn
from domain.tournaments.round_events import MatchDecided, ResultRecorded, RoundClosed, RoundPaired, RoundStarted
from service.tournaments.decoding import decoded
from service.tournaments.live import LiveTournament
from tests.service.tournaments.hall import Hall


async def stream_of(hall: Hall, live: LiveTournament) -> list[AnyTournamentEvent]:
    """All events as they are stored."""
    return decoded(await hall.service.store.read(live.id, 0, 100_000))


async def assert_sound(hall: Hall, live: LiveTournament) -> list[AnyTournamentEvent]:
    """One round of each number, one table an entrant in it, one result a game, and one game a table and leg."""
    await hall.settle(live)
    happened = await stream_of(hall, live)
    assert [event.n for event in happened] == list(range(1, len(happened) + 1))
    _once(event.round for event in happened if isinstance(event, RoundStarted))
    _once(event.round for event in happened if isinstance(event, RoundClosed))
    _once(event.match for event in happened if isinstance(event, MatchDecided))
    _once(event.purpose for event in happened if isinstance(event, LotsDrawn))
    results = [event.result for event in happened if isinstance(event, ResultRecorded)]
    _once((result.match, result.table, result.leg) for result in results)
    for event in happened:
        if isinstance(event, RoundPaired):
            _once(entrant for match in event.matches for side in match.sides for entrant in side)
    rows = await hall.pool.fetch("select * from tournament_game where tournament = $1", live.id)
    _once((row["match"], row["table_number"], row["leg"]) for row in rows)
    told = {row["game"]: row["told"] for row in rows}
    assert {result.game for result in results if result.game} == {game for game in told if told[game] == "result"}
    for row in rows:
        begun = "select count(*) from event where stream = $1 and type = 'created'"
        assert await hall.pool.fetchval(begun, row["game"]) == 1
    stored = await hall.pool.fetchrow("select * from tournament where id = $1", live.id)
    assert (stored["version"], stored["status"]) == (len(happened), (await hall.fresh(live)).status)
    return happened


def _once(values: Any) -> None:
    repeated = [value for value, number in Counter(values).items() if number > 1]
    assert not repeated, repeated
