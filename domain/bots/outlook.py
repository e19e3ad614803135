"""The table as the greedy bot looks at it: who plays with it, who against it, what is near its end."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from domain.cards import FACES, RED_THREE_FACES, is_wild
from domain.melds import SET_SIZE
from domain.rules import Rules
from domain.views import MeldView, View

FEW_CARDS: Final = 3
"""A seat that holds no more than so many cards may go out any moment."""


class Outlook:
    """A seat's view, read for what a player wants to know. The view is one of a turn of that seat."""

    def __init__(self, view: View, rules: Rules) -> None:
        assert view.seat is not None
        self.view = view
        self.rules = rules
        self.seat = view.seat
        self.held: tuple[str, ...] = view.holdings[view.seat].cards or ()

    @cached_property
    def party(self) -> tuple[int, ...]:
        """The seats that play together with this one, itself included (rule book 2.3)."""
        if not self.rules.lone_side:
            return self.rules.sides[self.rules.side_of[self.seat]]
        if self.view.lone is None or self.view.lone == self.seat:
            return (self.seat,)
        return tuple(seat for seat in range(self.rules.players) if seat != self.view.lone)

    @cached_property
    def own(self) -> tuple[MeldView, ...]:
        """The melds of the party."""
        return tuple(meld for owner in self._owners(self.party) for meld in self.view.melds[owner])

    @cached_property
    def theirs(self) -> tuple[MeldView, ...]:
        """The melds of everybody else."""
        return tuple(meld for owner in self._owners(self.others) for meld in self.view.melds[owner])

    @cached_property
    def others(self) -> tuple[int, ...]:
        """The seats of everybody else."""
        return tuple(seat for seat in range(self.rules.players) if seat not in self.party)

    def _owners(self, seats: tuple[int, ...]) -> set[int]:
        return {self.rules.side_of[seat] for seat in seats}

    @cached_property
    def threatened(self) -> bool:
        """Whether another party may go out any moment."""
        return any(
            self.view.holdings[seat].count <= FEW_CARDS and self.view.melds[self.rules.side_of[seat]]
            for seat in self.others
        )

    @cached_property
    def ending(self) -> bool:
        """Whether this may be the seat's last turn: another party may go out, or the stock runs out."""
        if self.threatened:
            return True
        last_round = self.view.stock < self.rules.draw_count * self.rules.players
        return last_round and self.rules.stock_end != "recycle"

    def value(self, face: str) -> int:
        """What a card costs in hand when the hand ends; a red three as much as the rule set has it."""
        if face in RED_THREE_FACES:
            return self.rules.unmelded_red_three_penalty
        return self.rules.points[face]

    @cached_property
    def in_hand(self) -> int:
        """What the seat's whole holding costs when the hand ends."""
        return sum(map(self.value, self.held))

    @cached_property
    def unseen(self) -> dict[str, int]:
        """How many natural cards of each rank are neither held, nor in melds, nor in the pile."""
        copies = 4 * self.rules.packs
        unseen = {face[0]: copies for face in FACES if not is_wild(face) and face[0] != "3"}
        for face in self._seen():
            if face[0] in unseen:
                unseen[face[0]] -= 1
        return unseen

    def _seen(self) -> Iterator[str]:
        yield from self.held
        yield from self.view.pile
        for melds in self.view.melds:
            for meld in melds:
                yield from meld.cards


def rank_of(cards: Sequence[str]) -> str:
    """The rank of a group's cards: that of the natural ones."""
    return next(face[0] for face in cards if not is_wild(face))


def is_full(meld: MeldView) -> bool:
    """Whether a meld has become a set."""
    return len(meld.cards) >= SET_SIZE
