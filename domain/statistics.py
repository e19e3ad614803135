"""The statistics of a game, counted from its events.

They follow from the events as they are given, complete or in a viewer's public form, and everything counted lies open
on the table: a viewer's events give the same numbers as the complete ones. The rule set is the one that `created`
embeds. `domain.statistics_shapes` says what each number means.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, cast

from msgspec.structs import replace

from domain import events
from domain.cards import number_of_red_threes
from domain.events import AnyEvent, Created
from domain.evolve import fold_into, initial_state
from domain.highlights import Highlight, highlights
from domain.meld_views import SetKind, meld_shower
from domain.rules import Rules
from domain.scoring import meld_lines
from domain.state import Melds
from domain.statistics_shapes import (
    HandStatistics,
    PileLevel,
    SeatStatistics,
    SetCounts,
    SideStatistics,
    Statistics,
    Take,
    TurnPoint,
)
from domain.times import milliseconds
from domain.waiting import seat_to_act

__all__ = ["Statistics", "points_on_table", "statistics"]

_FOLLOWING: Final = (events.HandEnded, events.GameEnded)
_SUMS: Final = tuple(name for name in SeatStatistics.__struct_fields__ if name not in ("seat", "side", "canastas"))


def statistics(happened: Iterable[AnyEvent]) -> Statistics:
    """The statistics of a game from its stream, or from any beginning of it.

    The events come in order from `created` on, complete or redacted for one viewer. Raises `ValueError` without any.
    """
    stream = tuple(happened)
    if not stream:
        raise ValueError("A game has an event at least: the one that created it.")
    course = _Course(cast(Created, stream[0]))
    for event in stream[1:]:
        course.look_at(event)
    return course.counted(highlights(stream))


def points_on_table(rules: Rules, melds: Melds) -> int:
    """What melds count as they lie: the values of their cards and the bonuses of the sets among them."""
    return sum(meld_lines(rules, [laid.meld for laid in melds.values()]).values())


class _Course:
    """What was counted so far, and the state in which the game is."""

    def __init__(self, created: Created) -> None:
        self._state = initial_state(created)
        self._rules = self._state.table.rules
        self._seats: list[Counter[str]] = [Counter() for _ in range(self._rules.players)]
        self._hands: list[HandStatistics] = []
        self._points: list[TurnPoint] = []
        self._levels: list[PileLevel] = []
        self._melds: list[Melds] = [{} for _ in self._rules.sides]
        self._table = [0] * len(self._rules.sides)
        self._began = self._now = self._hand_began = milliseconds(created.at)
        self._stand_ins: set[int] = set()
        self._turn_milliseconds = 0
        self._discarded = False

    def look_at(self, event: AnyEvent) -> None:
        """One more event."""
        state = self._state
        turn = state.turn
        level = (len(state.pile), state.stock_count)
        # What follows of itself is not waited for, whatever its time.
        self._wait(None if isinstance(event, _FOLLOWING) else seat_to_act(state), turn, event.at)
        fold_into(state, (event,))
        if level != (len(state.pile), state.stock_count):
            self._levels.append(PileLevel(event.n, len(state.pile) // 2, state.stock_count))
        match event:
            case events.Dealt() | events.Placed():
                self._begin_hand(event.n)
            case events.StoodIn(seat=seat):
                self._stand_ins.add(seat)
            case events.Drew(seat=seat, cards=drawn):
                self._seats[seat].update(draws=1, drawn=drawn if isinstance(drawn, int) else len(drawn))
            case events.TookPile():
                self._hands[-1] = replace(self._hands[-1], takes=self._hands[-1].takes + 1)
            case events.Discarded(seat=seat, cards=cards):
                self._seats[seat].update(discards=len(cards))
                self._end_turn(event.n, seat, discards=1)
            case events.HandEnded():
                if not self._discarded:
                    self._end_turn(event.n, turn, discards=0)
                self._end_hand(event)
        self._discarded = isinstance(event, events.Discarded)

    def _wait(self, awaited: int | None, turn: int, at: str) -> None:
        """The time since the event before belongs to whoever was awaited."""
        before, self._now = self._now, milliseconds(at)
        if awaited is None:
            return
        passed = _between(before, self._now)
        if awaited in self._stand_ins:
            self._seats[awaited]["stand_in_milliseconds"] += passed
            return
        self._seats[awaited]["own_milliseconds"] += passed
        if awaited == turn:
            self._turn_milliseconds += passed

    def _begin_hand(self, n: int) -> None:
        self._hand_began = self._now
        self._begin_turn()
        state = self._state
        self._hands.append(HandStatistics(hand=state.hand, dealer=state.dealer, first=n))

    def _begin_turn(self) -> None:
        self._stand_ins.clear()
        self._turn_milliseconds = 0

    def _end_turn(self, n: int, seat: int, *, discards: int) -> None:
        counts = self._seats[seat]
        counts.update(turns=1, stand_in_turns=seat in self._stand_ins)
        counts["longest_turn_milliseconds"] = max(counts["longest_turn_milliseconds"], self._turn_milliseconds)
        self._begin_turn()
        hand = self._hands[-1]
        self._hands[-1] = replace(hand, turns=hand.turns + 1, discards=hand.discards + discards)
        turn = len(self._points) + 1
        self._points.append(TurnPoint(n, hand.hand, turn, seat, self._points_on_table(), self._state.scores))

    def _end_hand(self, event: events.HandEnded) -> None:
        state = self._state
        show = meld_shower(self._rules)
        self._hands[-1] = replace(
            self._hands[-1],
            last=event.n,
            milliseconds=_between(self._hand_began, self._now),
            reason=event.reason,
            by=event.by,
            concealed=event.concealed,
            canastas=tuple(_sets(show(laid.meld).set for laid in melds.values()) for melds in state.melds),
            red_threes=tuple(map(number_of_red_threes, state.red_threes)),
            lines=event.lines,
            totals=event.totals,
        )

    def _points_on_table(self) -> tuple[int, ...]:
        """Points on the table by side; only what has changed is counted anew."""
        for side, melds in enumerate(self._state.melds):
            if melds is not self._melds[side]:
                self._melds[side] = melds
                self._table[side] = points_on_table(self._rules, melds)
        return tuple(self._table)

    def counted(self, found: Sequence[Highlight]) -> Statistics:
        """Everything counted, with the highlights of the same events."""
        takes = self._count_highlights(found)
        longest = max(self._hands, key=lambda hand: hand.turns, default=None)
        seats = tuple(self._seat(seat, found) for seat in range(self._rules.players))
        return Statistics(
            events=self._state.version,
            milliseconds=_between(self._began, self._now),
            turns=len(self._points),
            longest_hand=None if longest is None else longest.hand,
            largest_take=max(takes, key=lambda take: take.cards, default=None),
            hands=tuple(self._hands),
            seats=seats,
            sides=tuple(self._side(side, seats, found) for side in range(len(self._rules.sides))),
            course=tuple(self._points),
            piles=tuple(self._levels),
        )

    def _count_highlights(self, found: Sequence[Highlight]) -> list[Take]:
        """Add to the seats what highlights tell of them; the takes of whole piles."""
        takes = []
        for highlight in found:
            if highlight.seat is None:
                continue
            counts = self._seats[highlight.seat]
            match highlight.kind:
                case "take" if highlight.whole:
                    cards = highlight.cards or 0
                    counts.update(takes=1, taken=cards)
                    counts["largest_take"] = max(counts["largest_take"], cards)
                    takes.append(Take(highlight.n, highlight.hand, highlight.seat, cards))
                case "take":
                    counts.update(upcards=1)
                case "red_three":
                    counts.update(red_threes=1)
                case "ask":
                    counts.update(asks=1)
                case "going_out":
                    counts.update(outs=1, concealed=bool(highlight.concealed))
        return takes

    def _seat(self, seat: int, found: Sequence[Highlight]) -> SeatStatistics:
        counts = self._seats[seat]
        return SeatStatistics(
            seat=seat,
            side=self._rules.side_of[seat],
            canastas=_sets(each.set for each in found if each.seat == seat),
            **{name: counts[name] for name in _SUMS},
        )

    def _side(self, side: int, seats: Sequence[SeatStatistics], found: Sequence[Highlight]) -> SideStatistics:
        own = [seats[seat] for seat in self._rules.sides[side]]
        lines: Counter[str] = Counter()
        for hand in self._hands:
            if hand.lines:
                lines.update(hand.lines[side])
        return SideStatistics(
            side=side,
            seats=self._rules.sides[side],
            turns=sum(seat.turns for seat in own),
            takes=sum(seat.takes for seat in own),
            taken=sum(seat.taken for seat in own),
            canastas=_sets(each.set for each in found if each.side == side),
            red_threes=sum(seat.red_threes for seat in own),
            outs=sum(seat.outs for seat in own),
            lines={key: lines[key] for key in self._rules.line_keys if key in lines},
            total=self._state.totals[side],
        )


def _sets(kinds: Iterable[SetKind | None]) -> SetCounts:
    """Sets counted by kind; what is None is no set."""
    counts = Counter(kinds)
    return SetCounts(
        natural=counts["natural_canasta"],
        mixed=counts["mixed_canasta"],
        wild=counts["wild_canasta"],
        sambas=counts["samba"],
    )


def _between(before: int | None, after: int | None) -> int:
    """Milliseconds from one moment to another; a clock that was put back counts nothing."""
    return 0 if before is None or after is None else max(after - before, 0)
