"""Boards with a beacon: nobody knows them before the entries are closed, whoever keeps the master (fairness, 3)."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.records.verification import verify
from domain.records.writer import players_of, write_record
from domain.tournaments.acts import CloseRegistration, Start
from domain.tournaments.events import BeaconFixed, BeaconShown, TournamentStarted
from domain.tournaments.formats import Danish
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.terms import Boards, Pace, Terms
from service.decoding import decoded
from service.offline import beacons
from service.settings import Settings
from service.tournaments.beacons import fixing
from service.tournaments.live import LiveTournament
from tests.domain import drand
from tests.domain.tournaments.scenarios import draw
from tests.service.http.waiting_tables import LoopbackRelay, honest, relay, with_chain
from tests.service.tournaments.checks import assert_sound, stream_of
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import Hall, eventually, terms_of
from tests.service.verifier.javascript import verdicts

CHAIN = drand.chain(int(time.time()) - 100_000)


def with_beacon(**changes: Any) -> Terms:
    return terms_of(Danish(rounds=1), boards=Boards(stock="striped", beacon=True), **changes)


class Holding:
    """A relay that has the rounds which are out, once it is let go."""

    def __init__(self) -> None:
        self.held = False

    def answer(self, path: str) -> tuple[int, bytes]:
        number = int(path.rpartition("/")[2])
        return (404, b"{}") if self.held or time.time() < CHAIN.due(number) else honest(path)


@pytest.fixture
async def holding() -> Holding:
    return Holding()


@pytest.fixture
async def serving(holding: Holding) -> AsyncIterator[LoopbackRelay]:
    async with relay(holding.answer) as found:
        yield found


@pytest.fixture
def settings(settings: Settings, serving: LoopbackRelay, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A service that knows a chain of the tests' own only, and where its rounds are to be had."""
    monkeypatch.setattr(beacons, "KNOWN", ())
    return with_chain(settings, CHAIN, beacon_url=f"{serving.url}/")


async def closed(hall: Hall, terms: Terms, entrants: int = 4) -> LiveTournament:
    live = await hall.announce(terms)
    await hall.until(live, lambda state: state.status == "registration")
    await hall.enter(live, entrants)
    await hall.act(live, CloseRegistration())
    return live


async def record_of(hall: Hall, game: str) -> list[bytes]:
    happened = decoded(await hall.service.store.read(game, 0, 10_000))
    return list(write_record(game, players_of((await hall.service.games.fresh(game)).state, {}), happened))


async def test_the_boards_are_dealt_from_a_round_that_came_out_after_the_entries(
    hall: Hall, serving: LoopbackRelay
) -> None:
    live = await closed(hall, with_beacon())
    games = await hall.dealt(live)
    happened = await stream_of(hall, live)
    (fixed,) = [event for event in happened if isinstance(event, BeaconFixed)]
    (shown,) = [event for event in happened if isinstance(event, BeaconShown)]
    (started,) = [event for event in happened if isinstance(event, TournamentStarted)]
    assert fixed.n < shown.n < started.n
    number = fixed.beacon["round"]
    due = CHAIN.due(number)
    assert seconds(fixed.at) + 2 * CHAIN.period_seconds <= due <= seconds(shown.at)
    assert shown.beacon["signature"] == drand.signature(number)
    assert serving.asked == [f"/{CHAIN.chain}/public/{number}"]
    records = []
    for game in games:
        table = (await hall.service.games.fresh(game.game)).state.table
        assert table.beacon is not None
        assert (table.beacon.round, table.randomness) == (number, shown.beacon["randomness"])
        await hall.play_hand(game)
    await hall.until(live, lambda state: state.revealed)

    async def revealed() -> bool:
        return bool(await hall.pool.fetchval("select count(*) from event where type = 'revealed'") == len(games))

    await eventually(revealed)
    for game in games:
        lines = await record_of(hall, game.game)
        verdict = verify(lines, beacon=hall.service.chains)
        assert verdict.fault is None
        assert (verdict.checks["fairness"], verdict.checks["beacon_signature"]) == ("passed", "passed")
        records.append(b"".join(lines))
    for found in verdicts(records):
        assert found["fault"] is None, found
        assert found["table"]["fairness"]["label"] == "boards_and_beacon"
    await assert_sound(hall, live)


async def test_the_round_is_as_far_ahead_of_the_append_however_long_that_took(hall: Hall) -> None:
    live = await hall.announce(with_beacon())
    await hall.until(live, lambda state: state.status == "registration")
    await hall.enter(live, 4)
    await hall.rest()
    await hall.act(live, CloseRegistration())
    decide = fixing(CHAIN)
    for periods in (0, 7):
        now = datetime.now(UTC) + timedelta(seconds=periods * CHAIN.period_seconds)
        fixed = decide(await hall.fresh(live), now, draw)[0]
        assert isinstance(fixed, BeaconFixed)
        ahead = CHAIN.due(fixed.beacon["round"]) - now.timestamp()
        assert 2 * CHAIN.period_seconds <= ahead < 3 * CHAIN.period_seconds + 1


def seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


async def test_nothing_starts_before_the_round_is_there(hall: Hall, holding: Holding) -> None:
    holding.held = True
    live = await closed(hall, with_beacon(pace=Pace(automatic=False)))
    state = await hall.until(live, lambda state: state.beacon is not None and state.boards > 0)
    assert state.beacon is not None
    await asyncio.sleep(max(0.0, CHAIN.due(state.beacon["round"]) - time.time()) + 0.3)
    with pytest.raises(TournamentRefused) as refused:
        await hall.act(live, Start())
    assert (refused.value.code, refused.value.params["missing"]) == (TournamentCode.BEACON_AWAITED, "shown")
    holding.held = False
    state = await hall.until(live, lambda state: state.beacon_shown is not None)
    await hall.act(live, Start())
    assert (await hall.fresh(live)).status == "running"


async def test_a_late_round_is_looked_for_by_any_worker_until_it_is_there(open_hall: Open, holding: Holding) -> None:
    """The worker that fixed the round is gone when it comes out."""
    holding.held = True
    hall = await open_hall(1)
    live = await closed(hall, with_beacon())
    await hall.until(live, lambda state: state.beacon is not None and state.boards > 0)
    await hall.settle(live)
    await hall.rest()
    others = await open_hall(2)
    prospect = await others.workers[0].prospects.of(await others.fresh(live))
    assert prospect.obstacle is not None
    assert prospect.obstacle.code == TournamentCode.BEACON_AWAITED
    holding.held = False
    await others.until(live, lambda state: state.status == "running")
    await others.dealt(live)
    await assert_sound(others, live)
