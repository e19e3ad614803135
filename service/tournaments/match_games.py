"""Games of matches: made with ids that follow from the match, so that there is one however often it is made."""

import secrets
from datetime import UTC, datetime
from typing import Final

import msgspec

from domain.beacons import BeaconShown
from domain.board_games import Seating, open_board_game, open_seated_game
from domain.boards import BoardChance
from domain.chance import FairChance, fair_terms
from domain.events import Clock, Watch
from domain.fairness import MASTER_BYTES
from domain.lobby import BotLevel
from domain.tournaments.clocks import moment
from domain.tournaments.games import WantedGame
from domain.tournaments.numbering import SERVICE
from domain.tournaments.state import Tournament
from service.board_games import BoardGame, create_board_game, row_of
from service.boards import Boards
from service.commands import Command, Done
from service.games import Games
from service.live import GameFacts
from service.store.append import PutMatchGame, PutSecret
from service.tournaments.ids import derived_key
from service.version import ENGINE

ACTOR: Final = "manager"
"""Who moves on what tournaments have to do with, games and tournaments alike."""

SHARE_CODE_BYTES: Final = 12


class MatchGames:
    """Makes the games of matches. Everything may raise `StoreUnavailable` and `StoreBusy`."""

    def __init__(self, games: Games, boards: Boards) -> None:
        self._games = games
        self._boards = boards

    async def create(self, state: Tournament, master: bytes, wanted: WantedGame) -> bool:
        """Make a game and deal its first hand; whether it was not there yet.

        It is shown as the tournament is, and watched as the terms have it; one on boards is sealed until they are done.
        Raises `BoardsNotClosed`, `LobbyRefused`, `KeyConflict`, `GameContended`.
        """
        facts = GameFacts(
            id=wanted.game,
            share_code=secrets.token_urlsafe(SHARE_CODE_BYTES),
            visibility=state.terms.shown,
            created_by=SERVICE,
            created_at=datetime.now(UTC),
            practice=False,
            ruleset=wanted.ruleset.name,
            tournament=wanted.tournament,
            no_new_hand_at=None if wanted.no_new_hand_at is None else moment(wanted.no_new_hand_at),
        )
        place = PutMatchGame(
            tournament=wanted.tournament,
            match=wanted.match,
            round=wanted.round,
            table_number=wanted.table,
            leg=wanted.leg,
            on_boards=bool(wanted.boards),
            no_new_hand_at=facts.no_new_hand_at,
        )
        if wanted.boards:
            done = await self._on_boards(state, master, wanted, facts, place)
        else:
            done = await self._with_own_deals(wanted, facts, place)
        return not done.replayed

    async def _on_boards(
        self, state: Tournament, master: bytes, wanted: WantedGame, facts: GameFacts, place: PutMatchGame
    ) -> Done:
        chance = BoardChance(wanted.tournament, master)
        shown = msgspec.convert(state.beacon_shown, BeaconShown | None) if wanted.beacon else None
        happened, after = open_board_game(
            wanted.ruleset,
            _seats(wanted),
            chance,
            wanted.boards,
            watch=Watch(wanted.watch, 0),
            engine=ENGINE,
            clock=_clock(wanted),
            stock=wanted.stock,
            shown=shown,
        )
        game = BoardGame(facts=facts, place=place, chance=chance, happened=happened, state=after)
        return await create_board_game(self._games, self._boards, game, actor=ACTOR, key=_key(wanted))

    async def _with_own_deals(self, wanted: WantedGame, facts: GameFacts, place: PutMatchGame) -> Done:
        master = secrets.token_bytes(MASTER_BYTES)
        chance = FairChance(wanted.game, master)
        happened, after = open_seated_game(
            wanted.ruleset,
            _seats(wanted),
            chance,
            fair_terms("server_only", master),
            watch=Watch(wanted.watch, 0),
            engine=ENGINE,
            clock=_clock(wanted),
            stock=wanted.stock,
        )
        key = _key(wanted)
        command = Command(
            actor=ACTOR,
            decide=lambda _: (happened, after),
            key=key,
            digest=key * 2,
            writes=(row_of(facts, after), PutSecret(master.hex()), place),
        )
        return await self._games.create(facts, chance, command, happened, after)


def _key(wanted: WantedGame) -> str:
    return derived_key(wanted.game, "begin")


def _clock(wanted: WantedGame) -> Clock | None:
    return None if wanted.move_seconds is None else Clock("per_move", wanted.move_seconds)


def _seats(wanted: WantedGame) -> list[Seating]:
    return [
        Seating(player) if bot is None else Seating(player, "bot", msgspec.convert(bot, BotLevel))
        for player, bot in zip(wanted.players, wanted.bots, strict=True)
    ]
