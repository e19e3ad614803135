"""What of a list of legal moves is possible, as moves to send."""

from collections.abc import Iterable

from msgspec import UNSET, UnsetType

from domain.moves import Move
from domain.options import LegalMoves, MeldOption, Option


def whole_move(option: Option | MeldOption) -> Move:
    """The move that makes a possible block: its completion where it needs others beside it."""
    return option.move if isinstance(option.completion, UnsetType) else option.completion


def possible(*options: Option | UnsetType) -> list[Move]:
    """The moves of those options that are there and possible."""
    return [whole_move(option) for option in options if option is not UNSET and option.possible]


def blocks(legal: LegalMoves) -> list[Move]:
    """Every possible way to lay something in phase `play`."""
    parts: tuple[Iterable[Option | MeldOption], ...] = (legal.melds, legal.additions, legal.joins, legal.red_threes)
    return [whole_move(option) for part in parts for option in part if option.possible]
