"""Duplicate boards (fairness, MELD-BOARD-1): the same deals at many tables, from one master of a tournament.

Hand k of a game on boards is dealt from board `boards[k-1]` of `created.fairness`, by that board's own dealer; after
the last of its boards the game has no hand to come. The one master opens every board of the tournament: whoever keeps
it must see that nothing is revealed before the last of them has been played everywhere.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final

import msgspec
from msgspec import Meta, Struct

from domain import shuffle
from domain.chance import reveal_master
from domain.events import EndReason, Revealed
from domain.fairness import BoardContext, board_commitment, board_dealer, board_seed, check_board_commitment
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.practice import practice_next_dealer
from domain.state import State, Table

ALGORITHM: Final = "MELD-BOARD-1"

BOARD_MAX: Final = 2**32 - 1
"""The highest number of a board: it goes into the seed as 4 bytes."""

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)")]


class BoardTerms(Struct, frozen=True, tag_field="algorithm", tag=ALGORITHM, forbid_unknown_fields=True):
    """`created.fairness` of a game on boards: the board of every hand in turn, counted from 1."""

    tournament: str
    commitment: Hash
    boards: Annotated[tuple[Annotated[int, Meta(ge=1, le=BOARD_MAX)], ...], Meta(min_length=1)]


class BoardChance(Struct, frozen=True):
    """MELD-BOARD-1: the decks of a game on boards, from the 128-byte master of its tournament."""

    tournament: str
    master: bytes
    spent: ClassVar[EndReason] = "agreement"

    def deck(self, state: State) -> Sequence[str] | None:
        """The deck of the hand after the state's; None after the last board."""
        terms = _needed_terms(state.table)
        if state.hand >= len(terms.boards):
            return None
        return board_deck(state.table, self.tournament, self.master, terms.boards[state.hand])

    def first_dealer(self, table: Table) -> int:
        """The dealer of the first board."""
        return board_dealer(_needed_terms(table).boards[0], table.rules.players)

    def revealed(self, state: State) -> Revealed:
        """The reveal of the master and of the context. Raises `LobbyRefused` as `chance.reveal_master` does."""
        context = board_context(state.table, self.tournament)
        return reveal_master(state, context, self.master, check_board_commitment)


def board_terms(tournament: str, master: bytes, boards: Sequence[int]) -> dict[str, Any]:
    """`created.fairness` of a game whose hands are dealt from these boards in turn.

    Raises `LobbyRefused` (`terms_invalid`).
    """
    if not boards or not all(0 < board <= BOARD_MAX for board in boards):
        raise LobbyRefused(LobbyCode.TERMS_INVALID, field="fairness.boards", needed=f"boards from 1 to {BOARD_MAX}")
    terms = BoardTerms(tournament, board_commitment(master), tuple(boards))
    kept: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(terms))
    return kept


def is_on_boards(table: Table) -> bool:
    """Whether the deals of a table are boards of a tournament."""
    return table.fairness is not None and table.fairness.get("algorithm") == ALGORITHM


def boards_of(table: Table) -> tuple[int, ...] | None:
    """The board of every hand of a table; None for a table that is not on boards."""
    return _needed_terms(table).boards if is_on_boards(table) else None


def next_dealer(state: State) -> int:
    """The dealer of the hand after the state's, which is not the first: the board's own, else the deal passes clockwise
    (rule book 2.2), unless the origin of a practice game says otherwise.
    """
    table, players = state.table, state.table.rules.players
    boards = boards_of(table)
    if boards is not None and state.hand < len(boards):
        return board_dealer(boards[state.hand], players)
    named = practice_next_dealer(table, state.hand + 1)
    return (state.dealer + 1) % players if named is None else named


def board_context(table: Table, tournament: str) -> BoardContext:
    """What the boards of a tournament are bound to at a table."""
    rules = table.rules
    return BoardContext(
        tournament=tournament, ruleset_hash=rules.ruleset_hash, players=rules.players, beacon=table.beacon
    )


def board_deck(table: Table, tournament: str, master: bytes, board: int) -> list[str]:
    """The deck of a board, counted from 1, at a table that has started."""
    randomness = None if table.randomness is None else bytes.fromhex(table.randomness)
    seed = board_seed(board_context(table, tournament), master, randomness, board)
    return shuffle.deck(seed, table.rules.packs, table.rules.jokers)


def _needed_terms(table: Table) -> BoardTerms:
    return msgspec.convert(table.fairness, BoardTerms)
