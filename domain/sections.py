"""Possible blocks by the section, the moves of which are built when they are chosen."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from msgspec import Struct

from domain.block_moves import BlockMoves
from domain.blocks import Group, Supply, between
from domain.budget import Budget
from domain.cards import Cards
from domain.moves import Discard, LayMelds, Move
from domain.presence import FACE, RUN_AT
from domain.state import Laid, State
from domain.take_moves import TakeMoves
from domain.takes import Take

DISCARDS: Final = {bit: Discard((face,)) for bit, face in FACE.items()}
"""The discard of the face of each bit."""


class Section(Protocol):
    """Blocks of one kind."""

    def at(self, index: int) -> Move:
        """The move of one of them."""


class Choice(Struct, frozen=True, gc=False):
    """A block that is possible now."""

    section: Section
    index: int

    def move(self) -> Move:
        """The move to send for it."""
        return self.section.at(self.index)


class Possible:
    """Everything a seat can do, as a sequence of choices."""

    def __init__(self) -> None:
        self._sections: list[tuple[int, Section]] = []
        self._number = 0

    def add(self, number: int, section: Section) -> None:
        """One more section with so many blocks."""
        self._sections.append((number, section))
        self._number += number

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, index: int) -> Choice:
        for number, section in self._sections:
            if index < number:
                return Choice(section, index)
            index -= number
        raise IndexError

    def __iter__(self) -> Iterator[Choice]:
        for number, section in self._sections:
            for index in range(number):
                yield Choice(section, index)


class Ready(Struct, frozen=True, gc=False):
    """Moves that are there already."""

    moves: Sequence[Move]

    def at(self, index: int) -> Move:
        """The move of one of them."""
        return self.moves[index]


class Discards(Struct, frozen=True, gc=False):
    """Discards of the faces of some bits."""

    bits: int

    def at(self, index: int) -> Move:
        """The move of one of them."""
        return DISCARDS[_bit_at(self.bits, index)]


class NewRuns(Struct, frozen=True, gc=False):
    """New runs of one length that begin at some bits."""

    length: int
    starts: int

    def at(self, index: int) -> Move:
        """The move of one of them."""
        return LayMelds(new=(RUN_AT[self.length][_bit_at(self.starts, index)],))


class NewGroups(Struct, frozen=True, gc=False):
    """New groups beside melds that lie, from a holding that has the cards."""

    holding: Cards
    groups: Sequence[Group]

    def at(self, index: int) -> Move:
        """The move of one of them."""
        return LayMelds(new=(Supply(self.holding).pick(self.groups[index], dear=False),))


class Additions(Struct, frozen=True, gc=False):
    """Faces of some bits, each added to an own meld, which is legal with it."""

    meld_id: str
    bits: int

    def at(self, index: int) -> Move:
        """The move of one of them."""
        return LayMelds(add={self.meld_id: (FACE[_bit_at(self.bits, index)],)})


class RunAdditions(Struct, frozen=True, gc=False):
    """Cards that lengthen a run, those between with them."""

    laid: Laid
    faces: Sequence[str]

    def at(self, index: int) -> Move:
        """The move of one of them."""
        face = self.faces[index]
        return LayMelds(add={self.laid.meld.id: (*between(self.laid, face), face)})


class WildAdditions(Struct, frozen=True):
    """Wild cards for an own group, with the naturals that they need beside them."""

    state: State
    seat: int
    laid: Laid
    faces: Sequence[str]

    def at(self, index: int) -> Move:
        """The move of one of them."""
        move = BlockMoves(self.state, self.seat, Budget()).addition(self.laid, self.faces[index])
        assert move is not None
        return move


class Takes(Struct, frozen=True):
    """Takes that the guards cannot refuse."""

    moves: TakeMoves
    takes: Sequence[Take]

    def at(self, index: int) -> Move:
        """The move of one of them."""
        return self.moves.alone(self.takes[index])


def _bit_at(bits: int, index: int) -> int:
    """One of the bits set, counted from the lowest."""
    for _ in range(index):
        bits &= bits - 1
    return bits & -bits
