"""What is to be expected of a tournament: asked once a version, and again when its time has come."""

import asyncio
from datetime import UTC, datetime, timedelta
from zoneinfo import available_timezones

import pytest

from domain.tournaments.announcing import announce
from domain.tournaments.clocks import text
from domain.tournaments.event import Text
from domain.tournaments.events import RegistrationClosed, RegistrationOpened
from domain.tournaments.fold import begin, fold
from domain.tournaments.process import obstacle
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Pace
from service.tournaments.prospects import Prospects
from tests.service.tournaments.hall import terms_of

SECONDS = 2
HOUR = 3600


def registering(name: str = "t1", seconds: int = HOUR) -> Tournament:
    """A tournament whose registration ends with its start, after so long."""
    zones = available_timezones()
    now = datetime.now(UTC)
    terms = terms_of(pace=Pace(starts_at=text(now + timedelta(seconds=seconds))))
    created = announce(terms, Text("a", "b"), "c", "meldhouse", "p1", now, zones)
    return fold(begin(name, created), [RegistrationOpened(n=2, at=text(now), by="meldhouse")])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The versions of which was asked what stands in their way."""
    versions: list[int] = []

    def counted(state: Tournament, now: datetime) -> TournamentRefused | None:
        versions.append(state.version)
        return obstacle(state, now)

    monkeypatch.setattr("service.tournaments.prospects.obstacle", counted)
    return versions


async def test_many_who_look_at_one_version_ask_once(asked: list[int]) -> None:
    state = registering()
    known = Prospects(8)
    found = await asyncio.gather(*(known.of(state) for _ in range(50)))
    assert asked == [2]
    assert {each.next_at for each in found} == {datetime.fromisoformat(str(state.terms.pace.starts_at))}
    closed = fold(state, [RegistrationClosed(n=3, at=state.at, by="meldhouse")])
    hindered = (await known.of(closed)).obstacle
    assert hindered is not None
    assert hindered.code is TournamentCode.ENTRANTS_TOO_FEW
    assert asked == [2, 3]


async def test_it_is_asked_again_when_its_time_has_come(asked: list[int]) -> None:
    state = registering(seconds=SECONDS)
    known = Prospects(8)
    assert (await known.of(state)).next_at is not None
    await asyncio.sleep(SECONDS + 0.1)
    assert (await known.of(state)).next_at is None
    assert asked == [2, 2]


async def test_no_more_are_kept_than_a_limit_says(asked: list[int]) -> None:
    known = Prospects(2)
    states = [registering(f"t{number}") for number in range(3)]
    for state in (*states, states[2], states[0]):
        await known.of(state)
    assert len(asked) == 4
