"""Tournaments that are not in memory: however many are asked for at once, others find connections too."""

import asyncio
from typing import Any

import pytest

from domain.tournaments.formats import Danish
from service import held_streams
from service.held_streams import LOADS_AT_ONCE
from service.store.errors import StoreBusy
from service.tournaments.tournaments import Tournaments
from tests.service.tournaments.hall import Hall, terms_of

TOURNAMENTS = 24


class Counted:
    """A store that knows how many read from it at a time, at most."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._now = 0
        self.most = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def read(self, *arguments: Any) -> Any:
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            return await self._store.read(*arguments)
        finally:
            self._now -= 1


def cold(hall: Hall, store: Any) -> Tournaments:
    """The tournaments of a worker that knows none yet."""
    return Tournaments(store, hall.pool, lambda _stream, _version: None, patience=1, cached_max=100)


async def test_a_few_are_loaded_at_a_time_and_each_once(hall: Hall) -> None:
    lives = [await hall.announce(terms_of(Danish(rounds=1))) for _ in range(TOURNAMENTS)]
    store = Counted(hall.service.store)
    tournaments = cold(hall, store)
    found = await asyncio.gather(*(tournaments.find(live.id) for live in lives * 2))
    assert [each.id for each in found] == [live.id for live in lives * 2]
    assert len({id(each) for each in found}) == TOURNAMENTS
    assert 0 < store.most <= LOADS_AT_ONCE


async def test_no_more_wait_to_be_loaded_than_may(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    lives = [await hall.announce(terms_of(Danish(rounds=1))) for _ in range(4)]
    monkeypatch.setattr(held_streams, "LOADS_MAX", 3)
    tournaments = cold(hall, hall.service.store)
    outcomes = await asyncio.gather(*(tournaments.find(live.id) for live in lives), return_exceptions=True)
    assert [isinstance(each, StoreBusy) for each in outcomes] == [False, False, False, True]
    assert (await tournaments.find(lives[3].id)).id == lives[3].id
