"""How fast ratings are folded, made anew and listed: `python -m tests.bench.ratings --results 20000 --players 5000`."""

import argparse
import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any

from service.embedded import ephemeral
from service.migrate import migrate
from service.ratings import checking
from service.ratings.leaderboard import Ladder, page, page_around
from service.ratings.preview import preview_match
from service.store.postgres import PostgresStore
from tests.service.ratings.archive import AS_APP, Archive, match, pair

REPEATS = 200
BATCH = 500


def drawn(chance: random.Random, players: int, name: int, revision: int = 1) -> Any:
    one, two, three, four = (f"p{number}" for number in chance.sample(range(players), 4))
    ranks = chance.choice([(1, 2), (2, 1), (1, 1)])
    return match(name, pair(one, two), pair(three, four), ranks=ranks, revision=revision)


async def timed(work: Callable[[], Awaitable[Any]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun


async def repeated(work: Callable[[], Awaitable[Any]]) -> str:
    times = sorted([await timed(work) for _ in range(REPEATS)])
    return f"{1000 * times[REPEATS // 2]:.1f} ms (95 %: {1000 * times[REPEATS * 95 // 100]:.1f})"


async def measure(url: str, results: int, players: int) -> None:
    await migrate(url)
    store = await PostgresStore.open(url, AS_APP)
    archive, chance = Archive(url, store), random.Random(1)
    noted = folded = 0.0
    for start in range(0, results, BATCH):

        async def note(first: int = start) -> None:
            for name in range(first, min(first + BATCH, results)):
                await archive.ratings.rate_match(drawn(chance, players, name))

        noted += await timed(note)
        folded += await timed(archive.settle)
    print(f"{results} results of four: noted {results / noted:.0f} a second, folded {results / folded:.0f} a second")
    ladder = Ladder("samba-4", "person")
    first = await page(store.pool, ladder, None, 50)
    somebody = first.entries[-1].subject.subject
    middle = (await page_around(store.pool, ladder, f"p{players // 2}", 50)).next
    print("first page of 50:", await repeated(lambda: page(store.pool, ladder, None, 50)))
    print("page in the middle:", await repeated(lambda: page(store.pool, ladder, middle, 50)))
    print("around somebody high:", await repeated(lambda: page_around(store.pool, ladder, somebody, 50)))
    print("around somebody anywhere:", await repeated(lambda: page_around(store.pool, ladder, f"p{players // 2}", 50)))
    late, early = (drawn(chance, players, results - back, 2) for back in (1000, results))
    print(f"preview 1000 results back: {await timed(lambda: preview_match(store.pool, late, results)):.2f} s")
    print(f"ruling 1000 results back: {await timed(lambda: archive.settled(late)):.2f} s")
    print(f"ruling on the first result: {await timed(lambda: archive.settled(early)):.2f} s")
    async with store.pool.acquire() as connection:
        print(f"made anew: {await timed(lambda: checking.rebuild(connection, 'samba-4')):.2f} s")
        checked = await checking.check(connection, "samba-4")
        seconds = await timed(lambda: checking.check(connection, "samba-4"))
        print(f"check: {seconds:.2f} s, {checked.differences or 'same'}")
    await store.close()


def main() -> None:
    """Measure on a Postgres of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=20_000)
    parser.add_argument("--players", type=int, default=5_000)
    wanted = parser.parse_args()
    with ephemeral() as servers:
        asyncio.run(measure(servers.database_url, wanted.results, wanted.players))


if __name__ == "__main__":
    main()
