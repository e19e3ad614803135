"""The players who have left a game under way: a set that grows by one at a time, in constant time."""

from collections.abc import Iterable, Iterator, Set


class Departed(Set[str]):
    """An immutable set of players.

    Sets that grew out of each other share one table of who came as which, which is only ever added to; each knows how
    many of its entries are its own. A set that is not the newest of its table copies what it has before it grows.
    Sets are equal by their players, not by the order. One thread at a time may grow sets that share a table.
    """

    __slots__ = ("_count", "_order")

    def __init__(self, players: Iterable[str] = ()) -> None:
        self._order: dict[str, int] = {}
        for player in players:
            self._order.setdefault(player, len(self._order))
        self._count = len(self._order)

    def __contains__(self, player: object) -> bool:
        # Whoever came to the table later belongs to other sets.
        return isinstance(player, str) and self._order.get(player, self._count) < self._count

    def __iter__(self) -> Iterator[str]:
        for player, place in self._order.items():
            if place == self._count:
                return
            yield player

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Departed({list(self)})"

    def adding(self, player: str) -> "Departed":
        """The set with one more player in it; this one stays as it is."""
        if player in self:
            return self
        # The empty set begins no table that others go on with: it is the default of every game.
        newest = 0 < self._count == len(self._order)
        grown = Departed(() if newest else self)
        if newest:
            grown._order = self._order
        grown._order[player] = self._count
        grown._count = self._count + 1
        return grown
