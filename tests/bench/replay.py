"""Looking back at a long game: the view after an event, asked of a worker that has nothing of the game in memory.

Every request is the first one for a game of its own, over loopback, from the token to the last byte. Beside it stand a
round trip to the same Postgres, and what decoding and folding the whole game would take by itself.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Final

import asyncpg
import msgspec

from domain.chain import first_prev
from domain.events import AnyEvent, HandEnded, decode, encode, type_of
from domain.evolve import replay
from domain.rulesets import resolve
from domain.simulation import Setup, simulate
from service.embedded import ephemeral
from service.migrate import migrate
from service.store.append import EVENTS_MAX, Append, PutGame, chained
from service.store.postgres import PostgresStore
from tests.bench.http_client import Connection, connect, request
from tests.bench.http_server import serving
from tests.bench.measuring import Result, summarise

EVENTS: Final = 3000
HANDS: Final = 31
"""Hands of random players that have some more events than that together."""

GAMES: Final = 40
"""How many first requests are measured for each place."""

GOAL_MILLISECONDS: Final = 20.0
SEAL_SECONDS: Final = 120
FOLD: Final = f"decoding and folding {EVENTS:,} events"
P99: Final = 0.99


def run() -> list[Result]:
    """Measure the view after an event."""
    happened = long_game()
    places = places_in(happened)
    with tempfile.TemporaryDirectory() as state_dir, ephemeral(durable=True) as servers:
        games = asyncio.run(_stored(servers.database_url, happened, GAMES * len(places)))
        with serving(servers.database_url, servers.redis_url or "", state_dir) as port:
            return asyncio.run(_run(port, servers.database_url, happened, places, games))


def long_game() -> list[AnyEvent]:
    """A finished game of a little more than `EVENTS` events."""
    terms = resolve("samba-official").to_json() | {"target": 1_000_000, "target_choices": [1_000_000]}
    setup = Setup(resolve(terms), ("random",) * 4, HANDS)
    happened = [event for step, _ in simulate(setup, b"bench replay", 1) for event in step]
    assert len(happened) >= EVENTS
    return happened


def places_in(happened: list[AnyEvent]) -> dict[str, int]:
    """The events that are asked for, by name; none is dearer than the end of the longest hand."""
    ends = [0, *(event.n for event in happened if isinstance(event, HandEnded))]
    longest = max(range(1, len(ends)), key=lambda index: ends[index] - ends[index - 1])
    half = EVENTS // 2
    return {"1": 1, f"{half:,}": half, f"{EVENTS:,}": EVENTS, "the end of its longest hand": ends[longest]}


async def _stored(url: str, happened: list[AnyEvent], number: int) -> list[str]:
    """Copies of the game in a database, listed and long over; their ids."""
    await migrate(url)
    store = await PostgresStore.open(url)
    bodies = [(type_of(event), encode(event)) for event in happened]
    games = [f"g{number:032x}" for number in range(number)]
    for game in games:
        head = first_prev(game)
        for start in range(0, len(bodies), EVENTS_MAX):
            events = chained(head, bodies[start : start + EVENTS_MAX])
            writes = () if start else (_row(game),)
            await store.append(
                Append(stream=game, expected_version=start, prev_hash=head, events=events, actor="bench", writes=writes)
            )
            head = events[-1].hash
    # As an archive that the database has looked after.
    await store.pool.execute("vacuum analyze event")
    await store.close()
    return games


def _row(game: str) -> PutGame:
    return PutGame(
        share_code=game, visibility="public", status="ended", ruleset="samba-official", players=4, practice=False,
        created_by="bench", created_at=datetime.now(UTC),
    )  # fmt: skip


async def _run(port: int, url: str, happened: list[AnyEvent], places: dict[str, int], games: list[str]) -> list[Result]:
    connection = await connect(port)
    status, answer = await connection.ask(request("POST", "/v1/players", b'{"name":"Ada"}'))
    assert status == 201, answer
    token = msgspec.json.decode(answer)["token"]
    database = await asyncpg.connect(url)
    await _sealed(database)
    cold: dict[str, list[float]] = {name: [] for name in places}
    warm: list[float] = []
    trips: list[float] = []
    folds: list[float] = []
    waiting = iter(games)
    encoded = [encode(event) for event in happened[:EVENTS]]
    for _ in range(GAMES):
        # In turns, so that a noisy moment spoils all alike.
        for name, n in places.items():
            game = next(waiting)
            cold[name].append(await _timed(_look(connection, game, n, token)))
            warm.append(await _timed(_look(connection, game, n + 1, token)))
            trips.append(await _timed(database.fetchval("select 1")))
        folds.append(_fold(encoded))
    await database.close()
    connection.close()
    return _results(cold, warm, trips, folds)


async def _sealed(database: asyncpg.Connection) -> None:
    """Wait until the worker has signed what was stored, which it does once and beside everything else."""
    async with asyncio.timeout(SEAL_SECONDS):
        while True:
            events = await database.fetchval("select sum(head)::bigint from shard")
            body = await database.fetchval("select body from checkpoint order by number desc limit 1")
            if body is not None and sum(msgspec.json.decode(body)["sizes"]) == events:
                return
            await asyncio.sleep(0.2)


async def _look(connection: Connection, game: str, n: int, token: str) -> None:
    status, answer = await connection.ask(request("GET", f"/v1/games/{game}/replay/{n}?all_hands=true", b"", token))
    assert status == 200, answer


async def _timed(doing: Awaitable[object]) -> float:
    """How long it takes, in milliseconds."""
    begun = time.perf_counter()
    await doing
    return (time.perf_counter() - begun) * 1000


def _fold(encoded: list[bytes]) -> float:
    begun = time.perf_counter()
    replay(map(decode, encoded))
    return (time.perf_counter() - begun) * 1000


def _results(cold: dict[str, list[float]], warm: list[float], trips: list[float], folds: list[float]) -> list[Result]:
    found = []
    for name, times in cold.items():
        what = f"replay at {name}, cold"
        found += [
            summarise(f"p50 of {what}", "ms", times, GOAL_MILLISECONDS, FOLD, folds, low_is_good=True),
            summarise(f"p99 of {what}", "ms", [_percentile(times, P99)], GOAL_MILLISECONDS, low_is_good=True),
        ]
    return [
        *found,
        summarise("p50 of a step on from there", "ms", warm),
        summarise("p50 of a round trip to Postgres", "ms", trips),
        summarise(FOLD, "ms", folds),
    ]


def _percentile(times: list[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
