"""What of a list of legal moves is possible, as moves to send."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from domain.cards import JOKER
from domain.moves import Ask, Move, TakePile
from domain.options import LegalMoves, MeldOption, Option

JACK: Final = "J"


def whole_move(option: Option | MeldOption) -> Move:
    """The move that makes a possible block: its completion where it needs others beside it."""
    return option.move if isinstance(option.completion, UnsetType) else option.completion


def possible(*options: Option | UnsetType) -> list[Move]:
    """The moves of those options that are there and possible."""
    return [whole_move(option) for option in options if option is not UNSET and option.possible]


def takes(legal: LegalMoves, pile: Sequence[str]) -> list[Move]:
    """The possible takes, but for those that stand only where a joker passes for a jack (`domain.taking`).

    The rule book's letter does not allow those, so no bot plays one, unless nothing else is left.
    """
    every = possible(*legal.takes)
    plain = [move for move in every if not _joker_as_jack(move, pile)]
    return plain if plain or possible(legal.draw, legal.pass_) else every


def questions(legal: LegalMoves, pile: Sequence[str]) -> list[Move]:
    """The question that can be put to the partner, unless its plan begins with such a take."""
    return [move for move in possible(legal.ask) if not (isinstance(move, Ask) and _joker_as_jack(move.then[0], pile))]


def _joker_as_jack(move: Move, pile: Sequence[str]) -> bool:
    if not isinstance(move, TakePile) or isinstance(move.with_, UnsetType) or pile[-1][0] != JACK:
        return False
    return JOKER in move.with_ and len([face for face in move.with_ if face[0] == JACK and face != JOKER]) < 2


def blocks(legal: LegalMoves) -> list[Move]:
    """Every possible way to lay something in phase `play`."""
    parts: tuple[Iterable[Option | MeldOption], ...] = (legal.melds, legal.additions, legal.joins, legal.red_threes)
    return [whole_move(option) for part in parts for option in part if option.possible]
