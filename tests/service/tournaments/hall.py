"""A tournament hall: workers of one service, entrants, and tables whose games are driven to their end."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Self
from zoneinfo import available_timezones

from domain.moves import Resign
from domain.playing import play
from domain.refusals import Refusal
from domain.rulesets import resolve
from domain.state import State
from domain.tournaments.acts import Act, CloseRegistration, Start
from domain.tournaments.directing import decide
from domain.tournaments.entering import Entry, consent, enter
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.formats import Format, Swiss
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.given import Given, Person
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Pace, Stage, Terms
from domain.waiting import seat_to_act
from service.automata import bot_moves
from service.commands import Command, Decided
from service.running import Description, Service
from service.settings import Settings
from service.tournaments.commands import TournamentCommand, TournamentDone
from service.tournaments.ids import new_tournament_id
from service.tournaments.live import LiveTournament
from service.tournaments.opening import open_tournament

ORGANISER = "p-organiser"
RULESET = resolve("canasta-classic")
SECONDS_MAX = 90.0


def terms_of(form: Format | None = None, **changes: Any) -> Terms:
    """Two at a table, one hand a match, no clock, paced by the service."""
    stage = Stage(
        format=form or Swiss(rounds=2),
        match=changes.pop("match", MatchTerms(length=FixedHands(1))),
        **changes.pop("stage", {}),
    )
    fields: dict[str, Any] = {
        "ruleset": RULESET,
        "ruleset_hash": RULESET.sha256(),
        "players": 2,
        "entrants": "fixed",
        "stages": (stage,),
        "pace": Pace(pause_seconds=0),
        "shown": "public",
    }
    return Terms(**fields | changes)


class Hall:
    """The workers, the first of which is asked where none is named."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workers: list[Service] = []

    @classmethod
    async def open(cls, settings: Settings, workers: int = 1) -> Self:
        hall = cls(settings)
        for _ in range(workers):
            await hall.more()
        return hall

    async def more(self) -> Service:
        """One more worker."""
        service = Service(self.settings, lambda: Description(b"", b""))
        self.workers.append(await service.open())
        return service

    async def close(self) -> None:
        for service in self.workers:
            await service.close()

    @property
    def service(self) -> Service:
        return self.workers[0]

    @property
    def pool(self) -> Any:
        return self.service.store.pool

    async def announce(self, terms: Terms, tournament_id: str | None = None) -> LiveTournament:
        """A new tournament."""
        tournament_id = tournament_id or new_tournament_id()
        await open_tournament(
            self.service.tournaments,
            tournament_id=tournament_id,
            organiser=ORGANISER,
            title="The cup",
            terms=terms,
            now=datetime.now(UTC),
            zones=available_timezones(),
        )
        return await self.service.tournaments.find(tournament_id)

    async def act(self, live: LiveTournament, act: Act, service: Service | None = None, **more: Any) -> TournamentDone:
        """A director's act."""
        service = service or self.service
        given = more.pop("given", Given())

        def decided(state: Tournament, now: datetime, draw: Callable[[str], str]) -> list[AnyTournamentEvent]:
            return decide(state, act, ORGANISER, now, draw, given)

        live = await service.tournaments.find(live.id)
        return await service.tournaments.perform(live, TournamentCommand(actor=ORGANISER, decide=decided, **more))

    async def enter(self, live: LiveTournament, number: int, persons: int = 1) -> None:
        """So many entrants who agreed to be seated."""

        def decided(state: Tournament, now: datetime, _draw: Any) -> list[AnyTournamentEvent]:
            first = len(state.entrants) * persons + 1
            players = tuple(f"p-{first + each}" for each in range(persons))
            known = {player: Person() for player in players}
            return enter(state, Entry(players=players), players[0], now, known)

        for _ in range(number):
            await self.service.tournaments.perform(live, TournamentCommand(actor="p-1", decide=decided))

    async def begin(self, terms: Terms, entrants: int, persons: int = 1) -> LiveTournament:
        """A tournament that has started, with its first games dealt."""
        live = await self.announce(terms)
        if live.state.status == "announced":
            await self.until(live, lambda state: state.status == "registration")
        await self.enter(live, entrants, persons)
        for entrant in live.state.entrants.values():
            for player in set(entrant.players) - entrant.consents:
                await self.consent(live, entrant.id, player)
        if live.state.status == "registration":
            await self.act(live, CloseRegistration())
        await self.settle(live)
        if live.state.status == "closed":
            await self.act(live, Start())
        await self.settle(live)
        return live

    async def consent(self, live: LiveTournament, entrant: str, player: str) -> None:
        """A person agrees to be seated."""

        def decided(state: Tournament, now: datetime, _draw: Any) -> list[AnyTournamentEvent]:
            return consent(state, entrant, player, now)

        await self.service.tournaments.perform(live, TournamentCommand(actor=player, decide=decided))

    async def settle(self, live: LiveTournament, service: Service | None = None) -> None:
        assert await (service or self.service).manager.settle(live.id)

    async def fresh(self, live: LiveTournament, service: Service | None = None) -> Tournament:
        return (await (service or self.service).tournaments.fresh(live.id)).state

    async def until(self, live: LiveTournament, reached: Callable[[Tournament], bool]) -> Tournament:
        """Wait for a tournament to get somewhere of itself."""
        async with asyncio.timeout(SECONDS_MAX):
            while not reached(state := await self.fresh(live)):
                await asyncio.sleep(0.02)
        return state

    async def wanted(self, live: LiveTournament) -> list[WantedGame]:
        return wanted_games(await self.fresh(live))

    async def dealt(self, live: LiveTournament) -> list[WantedGame]:
        """The games that are in play, once all that are wanted have been made."""
        there = "select count(*) from tournament_game where game = any($1::text[])"
        games = await self.wanted(live)
        async with asyncio.timeout(SECONDS_MAX):
            while not games or await self.pool.fetchval(there, [game.game for game in games]) < len(games):
                await asyncio.sleep(0.02)
                games = await self.wanted(live)
        return games

    async def rest(self) -> None:
        """Have no worker look after anything any more, nor take up timers, as if they hung."""
        for service in self.workers:
            await service.deadlines.close()
            await service.manager.close()

    async def resign(self, game: WantedGame, seat: int = 1, service: Service | None = None) -> None:
        """The side of a seat gives the game up."""
        service = service or self.service
        held = await service.games.find(game.game)

        def decided(state: State) -> Decided | Refusal:
            return play(state, seat, [Resign()], held.chance)

        await service.games.perform(held, Command(actor=game.players[seat], decide=decided))

    async def move(self, game: WantedGame, service: Service | None = None) -> State:
        """The seat to act moves as a bot would."""
        service = service or self.service
        held = await service.games.find(game.game)
        seat = seat_to_act(held.state)
        assert seat is not None
        moves = bot_moves(held.state, seat, "greedy")

        def decided(state: State) -> Decided | Refusal:
            return play(state, seat, moves, held.chance)

        return (await service.games.perform(held, Command(actor=game.players[seat], decide=decided))).state

    async def play_turn(self, game: WantedGame) -> int:
        """The turn of the seat to act to its discard; the seat."""
        state = (await self.service.games.fresh(game.game)).state
        seat = seat_to_act(state)
        assert seat is not None
        while seat_to_act(state) == seat:
            state = await self.move(game)
        return seat

    async def play_hand(self, game: WantedGame, service: Service | None = None) -> State:
        """The hand in play to its end, every seat moved as a bot would move it."""
        state = (await (service or self.service).games.fresh(game.game)).state
        hand = state.hand
        while state.hand == hand and state.table.status == "playing":
            state = await self.move(game, service)
        return state

    async def play_round(self, live: LiveTournament, services: Sequence[Service] = ()) -> None:
        """Every game of the round is given up by its second side, on one worker after the other."""
        workers = services or self.workers
        games = await self.dealt(live)
        await asyncio.gather(
            *(self.resign(game, service=workers[number % len(workers)]) for number, game in enumerate(games))
        )


async def eventually(check: Callable[[], Awaitable[bool]], seconds: float = SECONDS_MAX) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not await check():
            await asyncio.sleep(0.02)
