"""The shapes of a game's statistics: what `domain.statistics` counts."""

from typing import Literal

from msgspec import Struct


class SetCounts(Struct, frozen=True):
    """Sets by kind; a samba is a sequence of seven cards, whatever the rule set calls it."""

    natural: int
    mixed: int
    wild: int
    sambas: int


class TurnPoint(Struct, frozen=True, gc=False):
    """The course of the game after one turn.

    n        the event that ended the turn: its discard, or the end of the hand where nothing was discarded
    hand     number of the hand
    turn     number of the turn in the game, from 1
    seat     whose turn it was
    table    points on the table by side: the values of the cards melded in this hand and the bonuses of its sets, as
             the lines of the hand would have them (formats, part 6: `cards`, canastas and `sambas`); red threes,
             going out and cards in hand are not in it, since they count when the hand ends
    totals   sheet totals by side during the hand, that is before it was counted
    """

    n: int
    hand: int
    turn: int
    seat: int
    table: tuple[int, ...]
    totals: tuple[int, ...]


class PileLevel(Struct, frozen=True, gc=False):
    """Cards in the pile and in the stock after event `n`; there is one where either has changed."""

    n: int
    pile: int
    stock: int


class Take(Struct, frozen=True):
    """A take of the whole pile at event `n`: how many cards, the upcard included."""

    n: int
    hand: int
    seat: int
    cards: int


class HandStatistics(Struct, frozen=True):
    """One hand, also one that is still being played or was broken off: what its end brings is null or empty then.

    first, last        its first event (a deal or a position) and its `hand_ended`
    turns, discards    turns ended in it (a hand may end without a discard)
    takes              whole piles taken
    milliseconds       from its first event to its last, 0 while it is played
    reason, by, concealed   how it ended: `out` or `stock`, and who went out
    canastas           sets that lie when it ends, by side
    red_threes         red threes laid when it ends, by side
    lines, totals      score lines of the hand and the new sheet totals, by side
    """

    hand: int
    dealer: int
    first: int
    last: int | None = None
    turns: int = 0
    discards: int = 0
    takes: int = 0
    milliseconds: int = 0
    reason: Literal["out", "stock"] | None = None
    by: int | None = None
    concealed: bool = False
    canastas: tuple[SetCounts, ...] = ()
    red_threes: tuple[int, ...] = ()
    lines: tuple[dict[str, int], ...] = ()
    totals: tuple[int, ...] = ()


class SeatStatistics(Struct, frozen=True):
    """What a seat did in the whole game.

    turns                     turns ended, those of a stand-in included
    stand_in_turns            turns of which a stand-in played at least the rest
    draws, drawn              draws from the stock, and cards drawn by them (not what replaces red threes)
    takes, taken              whole piles taken, and cards in them, upcards included
    largest_take              cards in the largest of them, 0 without one
    upcards                   upcards taken alone onto a sequence
    discards                  cards discarded
    canastas                  sets completed by the seat; those of a position are nobody's
    red_threes                red threes laid
    asks                      questions for leave to go out
    outs, concealed           hands in which the seat went out, and concealed among them
    own_milliseconds          time during which its move or answer was awaited, from one event to the next (a hand's
                              first move is awaited from the deal on); what `at` does not tell counts nothing
    stand_in_milliseconds     the same while a stand-in played for it
    longest_turn_milliseconds the longest of its turns, of its own time only
    """

    seat: int
    side: int
    turns: int
    stand_in_turns: int
    draws: int
    drawn: int
    takes: int
    taken: int
    largest_take: int
    upcards: int
    discards: int
    canastas: SetCounts
    red_threes: int
    asks: int
    outs: int
    concealed: int
    own_milliseconds: int
    stand_in_milliseconds: int
    longest_turn_milliseconds: int


class SideStatistics(Struct, frozen=True):
    """A side: what its seats did together, and its score lines of all hands added up (empty before one has ended)."""

    side: int
    seats: tuple[int, ...]
    turns: int
    takes: int
    taken: int
    canastas: SetCounts
    red_threes: int
    outs: int
    lines: dict[str, int]
    total: int


class Statistics(Struct, frozen=True):
    """The statistics of a game, or of its beginning up to event `events`.

    milliseconds   from the first event to the last; 0 where the events carry no times
    turns          turns ended, of all hands
    longest_hand   number of the hand with the most turns (the first of them), null before one
    largest_take   the largest pile taken (the first of them), null without one
    hands, seats, sides   in order
    course         a point after every turn
    piles          pile and stock wherever they change
    """

    events: int
    milliseconds: int
    turns: int
    longest_hand: int | None
    largest_take: Take | None
    hands: tuple[HandStatistics, ...]
    seats: tuple[SeatStatistics, ...]
    sides: tuple[SideStatistics, ...]
    course: tuple[TurnPoint, ...]
    piles: tuple[PileLevel, ...]
