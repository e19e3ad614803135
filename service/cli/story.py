"""A game told hand by hand, as plain text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from domain import events
from domain.events import AnyEvent, Created
from domain.evolve import evolve, initial_state
from domain.melds import is_set
from domain.state import State
from domain.telling import Names, cards, tell


def story(happened: Iterable[AnyEvent], names: Names) -> Iterator[str]:
    """The lines of a game's story, from all its events."""
    stream = iter(happened)
    created = next(stream)
    assert isinstance(created, Created)
    state = initial_state(created)
    yield f"{created.ruleset.name}, {created.players} players"
    for side, seats in enumerate(created.sides):
        yield f"  side {side}: {' + '.join(names[seat] for seat in seats)}"
    hand = _Hand(state, names)
    for event in stream:
        before, state = state, evolve(state, event)
        if isinstance(event, events.Dealt | events.Placed):
            hand = _Hand(state, names)
        elif isinstance(event, events.HandEnded):
            yield ""
            yield from hand.told(before, event)
        elif isinstance(event, events.GameEnded | _RULINGS):
            yield ""
            yield tell(event, names)
        hand.note(event)


_RULINGS = events.Resigned | events.TimedOut | events.Adjudicated | events.Aborted


class _Hand:
    """What is worth telling of one hand, noted while it is played."""

    def __init__(self, state: State, names: Names) -> None:
        self._sides = state.table.rules.side_of
        self._dealer = names[state.dealer] if state.hand else ""
        self._names = names
        self._discards = 0
        self._discarded = False
        self._piles: Counter[int] = Counter()
        self._opened: dict[int, str] = {}

    def note(self, event: AnyEvent) -> None:
        """One more event of the hand."""
        self._discarded = isinstance(event, events.Discarded)
        self._discards += self._discarded
        if isinstance(event, events.TookPile):
            self._piles[event.seat] += 1
        if isinstance(event, events.TookPile | events.Melded):
            told = f"{self._names[event.seat]} in turn {self._discards + 1}"
            self._opened.setdefault(self._sides[event.seat], told)

    def told(self, state: State, end: events.HandEnded) -> Iterator[str]:
        """The hand in a few lines; `state` is that before its end was counted."""
        turns = self._discards + (not self._discarded)
        yield f"Hand {end.hand}, dealt by {self._dealer}, {turns} turns"
        for side, opened in self._opened.items():
            yield f"  side {side} opens: {opened}"
        if self._piles:
            piles = ", ".join(f"{self._names[seat]} {number}" for seat, number in sorted(self._piles.items()))
            yield f"  piles taken: {piles}"
        for side in range(len(state.table.rules.sides)):
            yield from (f"  side {side} has {cards(faces)}" for faces in _sets(state, side))
        yield f"  {tell(end, self._names)}"
        for side, line in enumerate(end.lines):
            yield f"  side {side}: {score_line(line)}"


def score_line(line: Mapping[str, int]) -> str:
    """The score line of a side in words, what is zero left out, the total at the end."""
    parts = [f"{key.replace('_', ' ')} {value}" for key, value in line.items() if value and key != "total"]
    return ", ".join([*parts, f"total {line['total']}"])


def _sets(state: State, side: int) -> Sequence[Sequence[str]]:
    rules = state.table.rules
    return [laid.meld.cards for laid in state.melds[side].values() if is_set(rules, laid.meld)]
