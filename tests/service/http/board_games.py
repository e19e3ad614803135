"""Games on the boards of a tournament, made as the service makes them and asked for as their players ask."""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

import httpx

from domain.beacons import BeaconShown
from domain.board_games import Seating, open_board_game
from domain.boards import BoardChance
from domain.events import Watch
from domain.rulesets import resolve
from service.automata import bot_player
from service.board_games import BoardGame, create_board_game
from service.commands import Done
from service.live import GameFacts
from service.running import Service
from service.store.append import PutMatchGame
from service.version import ENGINE
from tests.service.http.tables import Headers, Table

MASTER = bytes(range(127, -1, -1))
ONE_HAND = {"hand_cap": 1}


def tournament_id(name: str) -> str:
    return "t" + sha256(name.encode()).hexdigest()[:32]


def game_of(
    tournament: str,
    table: int,
    seats: Sequence[Seating],
    boards: Sequence[int] = (1,),
    *,
    leg: int = 1,
    stock: Literal["common", "striped"] = "common",
    shown: BeaconShown | None = None,
    options: Any = None,
    watch: Literal["anyone", "nobody"] = "anyone",
    visibility: str = "public",
) -> BoardGame:
    """The game of a match at a table, begun; its id follows from its place."""
    ruleset = resolve("samba-online", options)
    chance = BoardChance(tournament, MASTER)
    happened, state = open_board_game(
        ruleset, seats, chance, boards, watch=Watch(watch, 0), engine=ENGINE, stock=stock, shown=shown
    )
    facts = GameFacts(
        id="g" + sha256(f"{tournament} {table} {leg}".encode()).hexdigest()[:32],
        share_code=f"code-{table}-{leg}",
        visibility=visibility,
        created_by="director",
        created_at=datetime.now(UTC),
        practice=False,
        ruleset=ruleset.name,
    )
    place = PutMatchGame(tournament=tournament, match="m1", round=1, table_number=table, leg=leg, on_boards=True)
    return BoardGame(facts=facts, place=place, chance=chance, happened=happened, state=state)


def bots(*levels: Literal["greedy", "random"]) -> list[Seating]:
    return [Seating(bot_player(level), "bot", level) for level in levels]


async def create(service: Service, game: BoardGame, key: str = "game") -> Done:
    return await create_board_game(service.games, service.boards, game, actor="manager", key=key)


async def table_of(
    service: Service, client: httpx.AsyncClient, tournament: str, table: int, seats: Sequence[Headers], **how: Any
) -> Table:
    """A game between these people, under way."""
    seated = [Seating((await client.get("/v1/me", headers=each)).json()["id"]) for each in seats]
    game = game_of(tournament, table, seated, **how)
    await create(service, game)
    shown = await client.get(f"/v1/games/{game.facts.id}", headers=seats[0])
    assert shown.status_code == 200, shown.text
    return Table(client, list(seats), shown.json())
