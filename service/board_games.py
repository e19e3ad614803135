"""Games on boards as they are stored: the game, its seal and its place in the tournament come in one append."""

from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.boards import BoardChance
from domain.events import AnyEvent
from domain.state import State
from domain.waiting import seat_to_act
from service.boards import Boards
from service.commands import Command, Denied, Done, GameUnknown
from service.games import Games
from service.live import GameFacts
from service.seals import UNTIL_LIFTED
from service.store.append import PutGame, PutMatchGame, PutSeal


class BoardsNotClosed(Denied):
    """The tournament has no boards, or they have been opened: nothing can be dealt from them."""


class BoardGame(Struct, frozen=True, kw_only=True):
    """A game to be stored: its events up to the first deal and the state after them (`domain.board_games`).

    `place` is where it stands in its tournament; that it is sealed until lifted and on closed boards need not be said.
    """

    facts: GameFacts
    place: PutMatchGame
    chance: BoardChance
    happened: list[AnyEvent]
    state: State


async def create_board_game(games: Games, boards: Boards, game: BoardGame, *, actor: str, key: str) -> Done:
    """Store the game; with the same id, actor, key and place once, however often it is asked for.

    Raises `BoardsNotClosed`, `KeyConflict`, `GameContended`, `StoreUnavailable`, `StoreBusy`.
    """
    place, state = game.place, game.state
    facts = replace(game.facts, sealed_until=UNTIL_LIFTED, tournament=place.tournament, boards_closed=True)
    if not await boards.closed(place.tournament):
        try:
            live = await games.fresh(facts.id)
        except GameUnknown:
            raise BoardsNotClosed(place.tournament) from None
        return Done(1, live.state, replayed=True)
    command = Command(
        actor=actor,
        decide=lambda _: (game.happened, state),
        key=key,
        digest=sha256(msgspec.json.encode(place)).hexdigest(),
        writes=(row_of(facts, state), PutSeal(UNTIL_LIFTED), place),
    )
    return await games.create(facts, game.chance, command, game.happened, state)


def row_of(facts: GameFacts, state: State) -> PutGame:
    """The row of a game that has begun with its first append."""
    return PutGame(
        share_code=facts.share_code,
        visibility=facts.visibility,
        status=state.table.status,
        ruleset=facts.ruleset,
        players=state.table.rules.players,
        practice=False,
        created_by=facts.created_by,
        created_at=facts.created_at,
        turn=seat_to_act(state),
    )
