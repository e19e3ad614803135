"""A list of legal moves taken apart: its options, and the blocks that a move is made of."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UnsetType

from domain.cards import is_wild
from domain.moves import LayMelds, Move, TakePile, TakeUpcard
from domain.options import LegalMoves, MeldOption, Option

Block = tuple[Any, ...]


def options(legal: LegalMoves) -> list[Option | MeldOption]:
    """Every option of a list."""
    single = [each for each in (legal.draw, legal.pass_, legal.ask) if not isinstance(each, UnsetType)]
    return [
        *single,
        *legal.takes,
        *legal.melds,
        *legal.additions,
        *legal.joins,
        *legal.red_threes,
        *legal.discards,
        *legal.answers,
    ]


def meld_blocks(legal: LegalMoves) -> list[Option | MeldOption]:
    """The options of meld moves."""
    return [*legal.melds, *legal.additions, *legal.joins]


def possible(legal: LegalMoves) -> list[Option | MeldOption]:
    """Those that are possible."""
    return [option for option in options(legal) if option.possible]


def to_send(option: Option | MeldOption) -> Move:
    """The move to send for a possible option."""
    return option.move if isinstance(option.completion, UnsetType) else option.completion


def new_block(cards: Sequence[str]) -> Block:
    """A new meld: a run is its cards, anything else its rank and numbers."""
    naturals = [face for face in cards if not is_wild(face)]
    if len({face[0] for face in naturals}) > 1:
        return ("run", *sorted(cards))
    return "group", naturals[0][0] if naturals else "2", len(naturals), len(cards) - len(naturals)


def blocks(move: LayMelds) -> Iterator[Block]:
    """The blocks of a meld move: each new meld, each card added, each pair of melds joined."""
    for cards in move.new:
        yield new_block(cards)
    for meld_id, faces in move.add.items():
        for face in faces:
            yield "add", meld_id, face
    for ids in move.join:
        for index, first in enumerate(ids):
            for second in ids[index + 1 :]:
                yield ("join", *sorted((first, second)))


def block_of(option: Option | MeldOption) -> Block:
    """The block that an option of a meld move stands for: the cards that fill the gap of a join are no blocks of it."""
    assert isinstance(option.move, LayMelds)
    every = list(blocks(option.move))
    return every[-1] if option.move.join else every[0]


def take_block(move: TakePile | TakeUpcard, upcard: str) -> Block:
    """A take: onto which meld, and the numbers of its hand cards or its run."""
    if isinstance(move, TakeUpcard):
        return "upcard", move.onto
    onto = "" if isinstance(move.onto, UnsetType) else move.onto
    with_ = () if isinstance(move.with_, UnsetType) else move.with_
    return ("take", onto, *(new_block((*with_, upcard)) if with_ else ()))
