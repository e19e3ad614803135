"""The state of a game: what the events so far add up to.

`State` is one immutable value. Its `table` (rule set, seats, fairness) changes in the lobby only; the rest is the hand
being played. Seats are 0 to n-1 clockwise; what is kept "by side" is kept by seat where a rule set has a lone side
(rule book 2.3), since every seat is a side of its own there.
"""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.beacons import Beacon
from domain.cards import Cards
from domain.departed import Departed
from domain.events import Clock, Meld, Watch
from domain.moves import PlannedMove
from domain.rules import Rules

Phase = Literal["lobby", "draw", "play", "answer", "hand_over", "game_over"]
Began = Literal["stock", "pile", "upcard"]
Permission = Literal["granted", "refused"]
Status = Literal["open", "closed", "started", "playing", "ended"]


class Laid(Struct, frozen=True, gc=False):
    """A meld on the table together with its cards as a multiset."""

    meld: Meld
    cards: Cards


Melds = dict[str, Laid]
"""Melds by id, in the order of laying. Never changed in place: a change makes a new one."""


class Occupant(Struct, frozen=True):
    """Who holds a seat."""

    player: str
    kind: Literal["human", "bot"]
    bot: str | None


class Ended(Struct, frozen=True):
    """How a hand ended: by which seat (null when the stock ended it), and whether it went out concealed."""

    by: int | None
    reason: Literal["out", "stock"]
    concealed: bool


class Table(Struct, frozen=True):
    """What is settled before the first card: rules, seats, fairness, and how far the table has come."""

    rules: Rules
    status: Status
    seats: tuple[Occupant | None, ...]
    clock: Clock | None
    watch: Watch
    striped: bool
    fairness: dict[str, Any] | None
    origin: dict[str, Any] | None
    engine: str
    closed_seats: tuple[str, ...] = ()
    nonce_commitments: tuple[str | None, ...] = ()
    nonces: tuple[str | None, ...] = ()
    beacon: Beacon | None = None
    """The round that was fixed at closing."""
    randomness: str | None = None
    """That of the round, in hex, once the game has begun."""
    first_dealer: int | None = None
    departed: Departed = Departed()
    """Players who have left a seat of a game under way: none of them may take another in it (formats, part 5)."""
    revealed: bool = False


class State(Struct):
    """A game after `version` events.

    A state is a value: nobody but the fold changes one, and the fold changes only a copy of its own.

    `holdings` and `red_threes` are multisets of cards, `pile` is text bottom to top, `stock` the stripes of the stock
    as text in drawing order (one stripe unless it is striped, none where a viewer does not know it) and `stock_count`
    its size. `barred`, `has_melded` and `had_turn` are sets of seats as bits. `turn_first_meld` is the number of the
    first meld that this turn could lay, `touched_old` whether the turn has added to, taken onto or joined with an
    older meld (rule book 8.6).
    """

    table: Table
    version: int
    phase: Phase = "lobby"
    hand: int = 0
    dealer: int = 0
    turn: int = 0
    scores: tuple[int, ...] = ()
    holdings: list[Cards] = []
    melds: list[Melds] = []
    red_threes: list[Cards] = []
    pile: str = ""
    stock: tuple[str, ...] = ("",)
    stock_count: int = 0
    next_meld: int = 1
    began: Began | None = None
    melded_this_turn: bool = False
    turn_first_meld: int = 1
    touched_old: bool = False
    last_turn: bool = False
    has_melded: int = 0
    had_turn: int = 0
    permission: Permission | None = None
    ask: tuple[PlannedMove, ...] | None = None
    barred: int = 0
    lone: int | None = None
    recycles: int = 0
    stood_in: bool = False
    ended: Ended | None = None
    lines: tuple[dict[str, int], ...] = ()
    totals: tuple[int, ...] = ()
    end_reason: str | None = None
    winners: tuple[int, ...] = ()

    def copy(self) -> "State":
        """A state of one's own: what can be changed in place is copied, the rest is shared."""
        return replace(self, holdings=self.holdings[:], melds=self.melds[:], red_threes=self.red_threes[:])


def party_of(state: State, seat: int) -> tuple[int, ...]:
    """The seats that play together with a seat in this hand, itself included, ascending (rule book 1, 2.3)."""
    rules = state.table.rules
    if not rules.lone_side or state.lone is None:
        return rules.sides[rules.side_of[seat]]
    if seat == state.lone:
        return (seat,)
    return tuple(other for other in range(rules.players) if other != state.lone)


def own_melds(state: State, seat: int) -> Melds:
    """The melds of the seat's party, by number."""
    rules = state.table.rules
    if not rules.lone_side or state.lone is None or state.lone == seat:
        return state.melds[rules.side_of[seat]]
    merged = {key: laid for owner in party_of(state, seat) for key, laid in state.melds[owner].items()}
    return dict(sorted(merged.items(), key=lambda item: number_of_meld(item[0])))


def party_has_melded(state: State, seat: int) -> bool:
    """Whether a meld of the party lies (rule book 1)."""
    rules = state.table.rules
    if not rules.lone_side:
        return bool(state.melds[rules.side_of[seat]])
    return any(state.melds[owner] for owner in party_of(state, seat))


def number_of_meld(meld_id: str) -> int:
    """The number in a meld's id: 3 for `m3`."""
    return int(meld_id[1:])


def answering_seat(state: State) -> int:
    """The seat whose answer is due: the next one of the asker's party clockwise (rule book 8.5)."""
    rules = state.table.rules
    party = party_of(state, state.turn)
    steps = range(1, rules.players)
    return next(seat for step in steps if (seat := (state.turn + step) % rules.players) in party)


def requirement(state: State, seat: int) -> int:
    """The seat's first-meld minimum in points, by its own side's sheet total (rule book 5)."""
    rules = state.table.rules
    return rules.requirement(state.scores[rules.side_of[seat]])


def occupied(table: Table) -> bool:
    """Whether every seat is taken."""
    return all(table.seats)


def seat_of(table: Table, player: str) -> int | None:
    """The seat that a player holds."""
    for seat, occupant in enumerate(table.seats):
        if occupant is not None and occupant.player == player:
            return seat
    return None
