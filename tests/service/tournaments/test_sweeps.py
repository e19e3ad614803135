"""A sweep wakes every tournament that is under way; what was just done comes before."""

import asyncio

import pytest

from service.tournaments.beside import PROCESS, WORK
from service.tournaments.reconciling import Reconciling
from tests.service.tournaments.hall import Hall

SWEPT = [f"t{number:032x}" for number in range(30)]
FRESH = "t" + "e" * 32
DUE = "t" + "f" * 32


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tournaments that were looked at, in order; a look takes a moment."""
    looked_at: list[str] = []

    async def reconcile(_self: Reconciling, tournament_id: str) -> None:
        looked_at.append(tournament_id)
        await asyncio.sleep(0.05)

    monkeypatch.setattr(Reconciling, "reconcile", reconcile)
    return looked_at


async def test_what_was_just_done_does_not_wait_behind_a_sweep(hall: Hall, looked_at: list[str]) -> None:
    manager = hall.workers[0].manager
    for each in SWEPT:
        manager.timer_over(each, WORK)
    await asyncio.sleep(0.12)
    before = len(looked_at)
    manager.timer_over(DUE, PROCESS)
    assert await manager.settle(FRESH)
    assert max(looked_at.index(FRESH), looked_at.index(DUE)) < before + 5
    async with asyncio.timeout(20):
        while set(SWEPT) - set(looked_at):
            await asyncio.sleep(0.05)
    assert [each for each in looked_at if each in SWEPT] == SWEPT


async def test_a_tournament_that_waits_for_its_look_is_not_looked_at_twice(hall: Hall, looked_at: list[str]) -> None:
    manager = hall.workers[0].manager
    for each in (*SWEPT[:5], *SWEPT[:5]):
        manager.timer_over(each, WORK)
    assert await manager.settle(SWEPT[4])
    async with asyncio.timeout(20):
        while set(SWEPT[:5]) - set(looked_at):
            await asyncio.sleep(0.05)
    assert await manager.settle(FRESH)
    assert sorted(each for each in looked_at if each in SWEPT) == SWEPT[:5]
