"""The audit knows tournaments: their chains, and everything that is kept beside them."""

import asyncio
from datetime import datetime
from typing import Any

import asyncpg
import pytest

from domain.tournaments.events import AnyTournamentEvent, LotsDrawn
from domain.tournaments.formats import Danish
from domain.tournaments.round_events import StandingsPublished
from domain.tournaments.state import Tournament
from service.audit.findings import FindingCode as F
from service.audit.report import Report
from service.audit.run import Audit, Options
from service.settings import Settings
from service.tournaments.commands import TournamentCommand
from service.tournaments.live import LiveTournament
from tests.service.tournaments.hall import Hall, terms_of


async def audited(settings: Settings, *, rules: bool = True) -> Report:
    assert settings.database_url is not None
    return await asyncio.to_thread(Audit(Options(url=settings.database_url, rules=rules)).run)


@pytest.fixture
async def played(hall: Hall) -> LiveTournament:
    """A tournament at its end."""
    live = await hall.begin(terms_of(Danish(rounds=2)), 4)
    for number in (1, 2):
        await hall.until(live, lambda state, number=number: number in state.rounds)  # type: ignore[misc]
        await hall.play_round(live)
    await hall.until(live, lambda state: state.revealed)
    await hall.settle(live)
    return live


async def test_a_tournament_is_found_right(hall: Hall, played: LiveTournament, settings: Settings) -> None:
    report = await audited(settings)
    assert report.ok, report.findings
    assert (report.counts.tournaments, report.counts.games) == (1, 4)
    assert report.counts.events == await hall.pool.fetchval("select count(*) from event")


@pytest.mark.parametrize(
    ("tampering", "code"),
    [
        ("update tournament_text set body = 'The other cup'", F.TEXT_WRONG),
        ("delete from tournament_text", F.TEXT_WRONG),
        (
            "insert into tournament_text select tournament, 'x', kind, author, key, body from tournament_text",
            F.TEXT_WRONG,
        ),
        ("update tournament_player set entrant = 'e9' where player = 'p-1'", F.LINE_UP_WRONG),
        ("delete from tournament_player where player = 'p-1'", F.LINE_UP_WRONG),
        ("update tournament_game set told = 'finish' where round = 1", F.MATCH_GAME_WRONG),
        ("update tournament_game set on_boards = true", F.MATCH_GAME_WRONG),
        ("update tournament_game set leg = 2 where round = 2", F.MATCH_GAME_WRONG),
        ("delete from tournament_game where round = 2", F.MATCH_GAME_WRONG),
        ("update tournament set version = version + 1", F.GAME_VERSION_WRONG),
        ("update tournament set organiser = 'p-other'", F.GAME_FACTS_WRONG),
        ("update secret set master = sha256(master) || sha256('a') || sha256('b') || sha256('c')", F.LOTS_WRONG),
    ],
)
async def test_what_is_changed_beside_the_events_is_found(
    played: LiveTournament, settings: Settings, tampering: str, code: F
) -> None:
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(tampering)
    await connection.close()
    report = await audited(settings, rules=False)
    assert (code, played.id) in {(finding.code, finding.game) for finding in report.findings}, report.findings


async def test_standings_and_lots_are_worked_out_anew(hall: Hall, played: LiveTournament, settings: Settings) -> None:
    """Events that are rightly chained, and say something else than what follows."""
    order = played.state.order

    def wrong(state: Tournament, _now: datetime, _draw: Any) -> list[AnyTournamentEvent]:
        n = state.version
        return [
            StandingsPublished(n=n + 1, by="x", stage=0, round=2, order=(*order[1:], order[0]), digest="0" * 64),
            StandingsPublished(n=n + 2, by="x", stage=0, round=2, order=order, digest="0" * 64),
            LotsDrawn(n=n + 3, by="x", purpose="more", seed="0" * 64),
        ]

    await hall.service.tournaments.perform(played, TournamentCommand(actor="x", decide=wrong))
    version = played.state.version
    report = await audited(settings)
    assert {(finding.code, finding.n) for finding in report.findings if finding.game == played.id} == {
        (F.STANDINGS_WRONG, version - 2),
        (F.LOTS_WRONG, version),
    }
    assert {finding.code for finding in (await audited(settings, rules=False)).findings} == {F.LOTS_WRONG}
