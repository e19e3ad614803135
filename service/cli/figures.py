"""The statistics of a game as tables for a terminal."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from domain.statistics import Statistics
from domain.statistics_shapes import HandStatistics, SeatStatistics
from domain.telling import Names

_SEAT_ROWS: Final[tuple[tuple[str, Callable[[SeatStatistics], object]], ...]] = (
    ("turns", lambda seat: seat.turns),
    ("of them with a stand-in", lambda seat: seat.stand_in_turns),
    ("draws from the stock", lambda seat: seat.draws),
    ("cards drawn", lambda seat: seat.drawn),
    ("piles taken", lambda seat: seat.takes),
    ("cards taken with them", lambda seat: seat.taken),
    ("largest pile taken", lambda seat: seat.largest_take),
    ("upcards taken alone", lambda seat: seat.upcards),
    ("cards discarded", lambda seat: seat.discards),
    ("natural canastas", lambda seat: seat.canastas.natural),
    ("mixed canastas", lambda seat: seat.canastas.mixed),
    ("wild canastas", lambda seat: seat.canastas.wild),
    ("sambas", lambda seat: seat.canastas.sambas),
    ("red threes laid", lambda seat: seat.red_threes),
    ("asked to go out", lambda seat: seat.asks),
    ("went out", lambda seat: seat.outs),
    ("of these concealed", lambda seat: seat.concealed),
    ("own time", lambda seat: clock_time(seat.own_milliseconds)),
    ("longest turn", lambda seat: clock_time(seat.longest_turn_milliseconds)),
    ("time of stand-ins", lambda seat: clock_time(seat.stand_in_milliseconds)),
)


def figures(counted: Statistics, names: Names) -> Iterator[Table | Text]:
    """The tables: the game by seat, its hands, and the score lines of all hands by side. Names must be printable."""
    largest = counted.largest_take
    yield Text(f"{counted.events} events, {len(counted.hands)} hands, {counted.turns} turns")
    if counted.longest_hand is not None:
        yield Text(f"The longest hand is hand {counted.longest_hand}.")
    if largest is not None:
        yield Text(f"The largest pile is taken by {names[largest.seat]} at event {largest.n}: {largest.cards} cards.")
    yield _by_seat(counted.seats, names)
    yield _by_hand(counted, names)
    yield _by_side(counted, names)


def clock_time(milliseconds: int) -> str:
    """A length of time as `3:05` (minutes and seconds) or `1:03:05`."""
    minutes, seconds = divmod(round(milliseconds / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _by_seat(seats: Sequence[SeatStatistics], names: Names) -> Table:
    table = _table("", *(names[seat.seat] for seat in seats))
    for what, value in _SEAT_ROWS:
        values = [value(seat) for seat in seats]
        if any(each not in (0, "0:00") for each in values):
            _add(table, what, values)
    return table


def _by_hand(counted: Statistics, names: Names) -> Table:
    sides = [_side(seats.seats, names) for seats in counted.sides]
    table = _table("hand", "turns", "piles", "ends by", *sides)
    for hand in counted.hands:
        scores = [f"{line['total']:+d} = {total}" for line, total in zip(hand.lines, hand.totals, strict=True)]
        _add(table, str(hand.hand), [hand.turns, hand.takes, _end(hand, names), *scores])
    return table


def _end(hand: HandStatistics, names: Names) -> str:
    if hand.by is not None:
        return names[hand.by] + (", concealed" if hand.concealed else "")
    return "not ended" if hand.reason is None else "the stock"


def _by_side(counted: Statistics, names: Names) -> Table:
    table = _table("score of all hands", *(_side(side.seats, names) for side in counted.sides))
    for key in counted.sides[0].lines:
        values = [side.lines[key] for side in counted.sides]
        if any(values):
            _add(table, key.replace("_", " "), values)
    return table


def _side(seats: Sequence[int], names: Names) -> str:
    return " + ".join(names[seat] for seat in seats)


def _table(first: str, *others: str) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column(Text(first))
    for other in others:
        table.add_column(Text(other), justify="right")
    return table


def _add(table: Table, what: str, values: Sequence[object]) -> None:
    table.add_row(Text(what), *(Text(str(value)) for value in values))
