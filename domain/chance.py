"""Chance as an input: where the decks of a game come from.

A fair game's decks follow from its master and from what the table fixed at closing, nonces and a beacon's round among
it (fairness, MELD-DEAL-1), a practice game's from its origin. Those of a game on boards are in `boards`.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, Literal, Protocol

import msgspec
from msgspec import Struct

from domain import shuffle
from domain.events import EndReason, Revealed
from domain.fairness import BoardContext, DealContext, check_commitment, commitment, first_dealer, hand_seed
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.practice import practice_dealer, practice_deck
from domain.state import State, Table

Mode = Literal["server_only", "players"]
ALGORITHM: Final = "MELD-DEAL-1"


class Chance(Protocol):
    """Where a game's decks come from, and what shows in the end that they were not chosen."""

    @property
    def spent(self) -> EndReason:
        """Why a game that gets no further deck ends (formats, part 5)."""

    def deck(self, state: State) -> Sequence[str] | None:
        """The deck of the hand after the state's; None where the game is to end without another hand."""

    def first_dealer(self, table: Table) -> int:
        """The seat that deals first."""

    def revealed(self, state: State) -> Revealed | None:
        """The last event of a game that has ended, or None for one that has nothing to reveal."""


class FairChance(Struct, frozen=True):
    """MELD-DEAL-1: the decks of a game with this id, from its 128-byte master."""

    game_id: str
    master: bytes
    spent: ClassVar[EndReason] = "agreement"

    def deck(self, state: State) -> Sequence[str]:
        """The deck of the hand after the state's."""
        return hand_deck(state.table, self.game_id, self.master, state.hand + 1)

    def first_dealer(self, table: Table) -> int:
        """The seat that deals first, drawn from the hand seed of hand 1."""
        return first_dealer(_seed(table, self.game_id, self.master, 1), table.rules.players)

    def revealed(self, state: State) -> Revealed:
        """The reveal of the master and of the context."""
        return reveal(state, self.game_id, self.master)


class PracticeChance(Struct, frozen=True):
    """The decks of a practice game, from the origin that its table names."""

    spent: ClassVar[EndReason] = "agreement"

    def deck(self, state: State) -> Sequence[str] | None:
        """The deck of the hand after the state's, None where neither a deck nor a seed is given for it."""
        return practice_deck(state.table, state.hand + 1)

    def first_dealer(self, table: Table) -> int:
        """The seat that deals first."""
        return practice_dealer(table)

    def revealed(self, _state: State) -> None:
        """A practice game has nothing to reveal: its record is public once it has ended."""
        return


def fair_terms(mode: Mode, master: bytes) -> dict[str, Any]:
    """`created.fairness` of a game dealt by MELD-DEAL-1 (fairness, 1)."""
    return {"algorithm": ALGORITHM, "mode": mode, "commitment": commitment(master)}


def hand_deck(table: Table, game_id: str, master: bytes, hand: int) -> list[str]:
    """The deck of a fair game's hand, counted from 1 (fairness, 6).

    The table is closed, every nonce revealed, and the beacon's round, where there is one, shown.
    """
    return shuffle.deck(_seed(table, game_id, master, hand), table.rules.packs, table.rules.jokers)


def _seed(table: Table, game_id: str, master: bytes, hand: int) -> bytes:
    nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in table.nonces]
    randomness = None if table.randomness is None else bytes.fromhex(table.randomness)
    return hand_seed(deal_context(table, game_id), master, nonces, randomness, hand)


def deal_context(table: Table, game_id: str) -> DealContext:
    """What the hand seeds of a fair game are bound to, as far as the table has come (fairness, 6 and 7)."""
    return DealContext(
        game=game_id,
        ruleset_hash=table.rules.ruleset_hash,
        players=table.rules.players,
        seats=table.closed_seats,
        beacon=table.beacon,
    )


def reveal(state: State, game_id: str, master: bytes) -> Revealed:
    """The last event of a fair game that has ended, aborted ones included (fairness, 7).

    Raises `LobbyRefused` as `reveal_master` does.
    """
    return reveal_master(state, deal_context(state.table, game_id), master, check_commitment)


def reveal_master(
    state: State, context: DealContext | BoardContext, master: bytes, fits: Callable[[str, bytes], bool]
) -> Revealed:
    """The reveal of a master by a game that has ended; `fits` says whether it is the one behind a commitment.

    Raises `LobbyRefused`: `practice_game`, `game_not_over`, `already_revealed`, `commitment_mismatch`.
    """
    table = state.table
    if table.fairness is None:
        raise LobbyRefused(LobbyCode.PRACTICE_GAME)
    if table.status != "ended":
        raise LobbyRefused(LobbyCode.GAME_NOT_OVER, status=table.status)
    if table.revealed:
        raise LobbyRefused(LobbyCode.ALREADY_REVEALED)
    if not fits(table.fairness["commitment"], master):
        raise LobbyRefused(LobbyCode.COMMITMENT_MISMATCH)
    shown = msgspec.json.decode(msgspec.json.encode(context))
    return Revealed(n=state.version + 1, master=master.hex(), context=shown)
