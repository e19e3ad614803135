"""The audit holds games to their matches: their boards, their beacon, and what their hands come to."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any, Literal

import pytest
from msgspec.structs import replace

from domain.tournaments.acts import Adjudicate, CallTime, CloseRegistration, Penalise
from domain.tournaments.events import AnyTournamentEvent, BeaconFixed, BeaconShown
from domain.tournaments.formats import Danish, Elimination, Individual
from domain.tournaments.given import Given
from domain.tournaments.matches import FixedHands, MatchTerms, PerHand
from domain.tournaments.round_events import MatchDecided, ResultRecorded, RoundPaired, StandingsPublished
from domain.tournaments.seating import GameResult
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Boards, Stage, Terms
from service.audit.findings import FindingCode as F
from service.offline import beacons
from service.settings import Settings
from service.tournaments.commands import TournamentCommand
from service.tournaments.live import LiveTournament
from tests.domain import drand
from tests.service.http.waiting_tables import LoopbackRelay, honest, relay, with_chain
from tests.service.tournaments.checks import stream_of
from tests.service.tournaments.hall import Hall, terms_of
from tests.service.tournaments.test_audit import audited

CHAIN = drand.chain(int(time.time()) - 100_000)
ONE_ROUND = Danish(rounds=1)


async def played_on(hall: Hall, boards: Boards | None = None, entrants: int = 4) -> LiveTournament:
    """A tournament of one round whose hands are played to their end, all its games revealed."""
    live = await hall.begin(terms_of(ONE_ROUND, boards=boards), entrants)
    games = await hall.dealt(live)
    for game in games:
        await hall.play_hand(game)
    await hall.until(live, lambda state: state.status == "finished" and (boards is None or state.revealed))
    await hall.settle(live)
    return live


async def say(hall: Hall, live: LiveTournament, *events: AnyTournamentEvent) -> int:
    """Put events onto a tournament that do not follow, rightly chained; the number of the last one."""

    def wrong(state: Tournament, _now: datetime, _draw: Any) -> list[AnyTournamentEvent]:
        return [replace(event, n=state.version + place, by="x") for place, event in enumerate(events, 1)]

    done = await hall.service.tournaments.perform(live, TournamentCommand(actor="x", decide=wrong))
    return done.state.version


async def codes(settings: Settings, live: LiveTournament, *, rules: bool = False) -> set[tuple[F, int | None]]:
    report = await audited(settings, rules=rules)
    return {(finding.code, finding.n) for finding in report.findings if finding.game == live.id}


def result_of(live: LiveTournament, match: str = "r1m1") -> GameResult:
    (result,) = live.state.matches[match].results
    return result


async def test_a_tournament_on_boards_is_found_right(hall: Hall, settings: Settings) -> None:
    live = await played_on(hall, Boards(stock="striped"))
    assert await codes(settings, live, rules=True) == set()


PER_HAND = MatchTerms(length=FixedHands(2), first_meld=PerHand((50, 90)))
STRIPED = Boards(stock="striped")


@pytest.mark.parametrize(
    ("terms", "entrants", "persons"),
    [
        (terms_of(Danish(rounds=2), match=PER_HAND), 2, 1),
        (terms_of(ONE_ROUND, match=PER_HAND, boards=STRIPED), 4, 1),
        (terms_of(Elimination(tie="extra_hand"), boards=STRIPED), 3, 1),
        (terms_of(ONE_ROUND, entrants="teams", players=4, boards=STRIPED), 2, 4),
        (terms_of(Individual(), entrants="individuals", players=4, match=MatchTerms(length=FixedHands(2))), 4, 1),
    ],
    ids=["per_hand", "per_hand_on_boards", "elimination", "teams", "individuals"],
)
async def test_matches_of_every_form_are_found_right(
    hall: Hall, settings: Settings, terms: Terms, entrants: int, persons: int
) -> None:
    live = await hall.begin(terms, entrants, persons)
    async with asyncio.timeout(180):
        while (await hall.fresh(live)).status == "running":
            for game in await hall.wanted(live):
                if await hall.pool.fetchval("select count(*) from tournament_game where game = $1", game.game):
                    await hall.play_hand(game)
            await hall.settle(live)
    await hall.settle(live)
    assert any(match.results for match in live.state.matches.values())
    assert await codes(settings, live, rules=True) == set()


def more(result: GameResult) -> GameResult:
    hands = tuple((first + 5, *others) for first, *others in result.hands)
    return replace(result, hands=hands, points=tuple(map(sum, zip(*hands, strict=True))))


def turned(result: GameResult) -> GameResult:
    return replace(result, hands=tuple(hand[::-1] for hand in result.hands), points=result.points[::-1])


@pytest.mark.parametrize(
    ("tampering", "code"),
    [
        (more, F.RESULT_WRONG),
        (turned, F.RESULT_WRONG),
        (lambda result: replace(result, hands=(), points=(0, 0)), F.RESULT_WRONG),
        (lambda result: replace(result, points=(result.points[0] + 5, result.points[1])), F.RESULT_WRONG),
        (lambda result: replace(result, hands=((*result.hands[0], 0),)), F.RESULT_WRONG),
        (lambda result: replace(result, loser=0), F.RESULT_WRONG),
        (lambda result: replace(result, reason="position"), F.RESULT_WRONG),
        (lambda result: replace(result, head="0" * 64), F.MATCH_GAME_WRONG),
        (lambda result: replace(result, head=None), F.MATCH_GAME_WRONG),
        (lambda result: replace(result, head="0" * 64, reason="time"), F.MATCH_GAME_WRONG),
    ],
)
async def test_a_result_is_counted_anew_from_the_hands_of_its_game(
    hall: Hall, settings: Settings, tampering: Callable[[GameResult], GameResult], code: F
) -> None:
    live = await played_on(hall, entrants=2)
    assert len(result_of(live).hands) == 1
    n = await say(hall, live, ResultRecorded(result=tampering(result_of(live))))
    assert (code, n) in await codes(settings, live)


async def test_a_result_by_the_position_is_counted_anew_from_it(hall: Hall, settings: Settings) -> None:
    match = MatchTerms(length=FixedHands(1), end_of_time="score_position")
    live = await hall.begin(terms_of(ONE_ROUND, match=match), 2)
    (game,) = await hall.dealt(live)
    for _ in range(6):
        await hall.move(game)
    lies = await hall.service.manager.as_it_lies(live.id, game.match, game.table, game.leg)
    await hall.act(
        live, Adjudicate(match=game.match, table=game.table, leg=game.leg, reason="other"), given=Given(game=lies)
    )
    await hall.until(live, lambda state: state.status == "finished")
    await hall.settle(live)
    assert result_of(live).reason == "position"
    assert await codes(settings, live, rules=True) == set()
    n = await say(hall, live, ResultRecorded(result=more(result_of(live))))
    assert await codes(settings, live) == {(F.RESULT_WRONG, n)}


@pytest.mark.parametrize("end", ["score_position", "drop_hand"])
async def test_a_game_that_the_clock_ended_is_found_right(
    hall: Hall, settings: Settings, end: Literal["score_position", "drop_hand"]
) -> None:
    match = MatchTerms(length=FixedHands(2), minutes=60, end_of_time=end)
    live = await hall.begin(terms_of(ONE_ROUND, match=match), 2)
    (game,) = await hall.dealt(live)
    await hall.play_hand(game)
    for _ in range(6):
        await hall.move(game)
    await hall.act(live, CallTime(round=1))
    await hall.until(live, lambda state: state.status == "finished")
    await hall.settle(live)
    assert len(result_of(live).hands) == (2 if end == "score_position" else 1)
    assert await codes(settings, live, rules=True) == set()


async def test_who_gave_up_is_read_from_the_game(hall: Hall, settings: Settings) -> None:
    live = await hall.begin(terms_of(ONE_ROUND), 2)
    await hall.play_round(live)
    await hall.until(live, lambda state: state.status == "finished")
    await hall.settle(live)
    assert result_of(live).loser == 1
    assert await codes(settings, live) == set()
    n = await say(hall, live, ResultRecorded(result=replace(result_of(live), loser=0)))
    assert await codes(settings, live) == {(F.RESULT_WRONG, n)}


async def test_a_match_is_decided_as_its_results_give(hall: Hall, settings: Settings) -> None:
    live = await played_on(hall, entrants=2)
    decided = live.state.matches["r1m1"].decided
    assert decided is not None
    right = MatchDecided(match="r1m1", points=decided.points, score=decided.score)
    await say(hall, live, right)
    assert await codes(settings, live, rules=True) == set()
    n = await say(hall, live, replace(right, points=(decided.points[0] + 5, decided.points[1])))
    assert (F.RESULT_WRONG, n) in await codes(settings, live, rules=True)
    assert await codes(settings, live) == set()


async def test_a_game_is_played_on_the_boards_of_its_match(hall: Hall, settings: Settings) -> None:
    live = await played_on(hall, Boards(stock="striped"))
    (paired,) = [event for event in await stream_of(hall, live) if isinstance(event, RoundPaired)]
    first, second = paired.matches
    assert first.boards == second.boards == (1,)
    await say(hall, live, replace(paired, matches=(first, replace(second, boards=(2,)))))
    assert await codes(settings, live) == {(F.MATCH_GAME_WRONG, None)}


class TestBeacons:
    """Boards that depend on a round of a chain of the tests' own."""

    @pytest.fixture
    async def serving(self) -> AsyncIterator[LoopbackRelay]:
        def answer(path: str) -> tuple[int, bytes]:
            out = time.time() >= CHAIN.due(int(path.rpartition("/")[2]))
            return honest(path) if out else (404, b"{}")

        async with relay(answer) as found:
            yield found

    @pytest.fixture
    def settings(self, settings: Settings, serving: LoopbackRelay, monkeypatch: pytest.MonkeyPatch) -> Settings:
        monkeypatch.setattr(beacons, "KNOWN", ())
        return with_chain(settings, CHAIN, beacon_url=f"{serving.url}/")

    async def test_a_game_is_dealt_by_the_beacon_of_its_tournament(self, hall: Hall, settings: Settings) -> None:
        live = await hall.announce(terms_of(ONE_ROUND, boards=Boards(stock="striped", beacon=True)))
        await hall.until(live, lambda state: state.status == "registration")
        await hall.enter(live, 2)
        await hall.act(live, CloseRegistration())
        for game in await hall.dealt(live):
            await hall.play_hand(game)
        await hall.until(live, lambda state: state.revealed)
        await hall.settle(live)
        fixed, shown = live.state.beacon, live.state.beacon_shown
        assert fixed is not None
        assert shown is not None
        assert await codes(settings, live) == set()
        await say(hall, live, BeaconFixed(beacon=fixed | {"round": fixed["round"] + 1}))
        assert await codes(settings, live) == {(F.MATCH_BEACON_WRONG, None)}
        await say(hall, live, BeaconFixed(beacon=fixed), BeaconShown(beacon=shown | {"randomness": "0" * 64}))
        assert await codes(settings, live) == {(F.MATCH_BEACON_WRONG, None)}
        await say(hall, live, BeaconShown(beacon=shown))
        assert await codes(settings, live) == set()


async def test_standings_of_an_earlier_stage_that_were_published_again_are_right(
    hall: Hall, settings: Settings
) -> None:
    later = Stage(format=Danish(rounds=1), match=MatchTerms(length=FixedHands(1)))
    terms = terms_of(Danish(rounds=1))
    live = await hall.begin(replace(terms, stages=(*terms.stages, later)), 4)
    for game in await hall.dealt(live):
        await hall.resign(game)
    await hall.until(live, lambda state: 2 in state.rounds and state.rounds[2].status == "started")
    await hall.act(live, Penalise(entrant="e1", score=100, round=1, reason="conduct"))
    published = [each.stage for each in await stream_of(hall, live) if isinstance(each, StandingsPublished)]
    assert published[-2:] == [0, 1]
    assert await codes(settings, live, rules=True) == set()
