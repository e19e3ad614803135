"""The moments of a game that a reader wants to jump to.

They follow from the events alone, complete or in a viewer's public form: a viewer's events give the viewer's
highlights, and since everything named here lies open on the table, they are the same for all.
"""

from collections.abc import Iterable
from typing import Any, Literal, cast

from msgspec import Struct

from domain import events
from domain.cards import Face
from domain.events import AnyEvent, Created, JoinedMeld, Meld
from domain.evolve import fold_into, initial_state
from domain.meld_views import SetKind, meld_shower
from domain.rules import Rules
from domain.state import State

HighlightKind = Literal[
    "hand_start", "take", "canasta", "red_three", "ask", "answer", "going_out", "hand_end", "game_end"
]


class Highlight(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A moment of a game. Keys that mean nothing for its kind are null, and absent in JSON.

    n          the event to go to
    kind       hand_start: a deal, or the position that a practice game began from
               take: a seat took the pile, or the upcard alone
               canasta: a set was completed, however many cards it has; a set that only grows is none
               red_three: a seat laid a red three, of itself or not (those of a position are none)
               ask, answer: of a partner, for leave to go out
               going_out: the move with which a seat went out, told where the end of the hand is
               hand_end, game_end
    hand       number of the hand, 0 before the first
    seat       who did it (dealer at hand_start)
    side       the side of that seat (seat by seat with a lone side, rule book 2.3)
    cards      take: number of cards taken, upcard included; canasta: number of cards in the set
    whole      take: whether the whole pile was taken, or the upcard alone
    card       take: the upcard; red_three: the red three
    set, meld  canasta: its kind (`samba` is the sequence of seven), and its meld id
    yes        answer
    concealed  going_out
    reason     hand_end (`out`, `stock`) and game_end (formats, part 5)
    totals     hand_end and game_end: sheet totals by side
    winners    game_end: the winning sides
    """

    n: int
    kind: HighlightKind
    hand: int
    seat: int | None = None
    side: int | None = None
    cards: int | None = None
    whole: bool | None = None
    card: Face | None = None
    set: SetKind | None = None
    meld: str | None = None
    yes: bool | None = None
    concealed: bool | None = None
    reason: str | None = None
    totals: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None


def highlights(happened: Iterable[AnyEvent]) -> list[Highlight]:
    """The highlights of a game in the order of their events, from its stream or any beginning of it.

    The events come in order from `created` on, complete or redacted for one viewer. An empty stream has none.
    """
    stream = iter(happened)
    first = next(stream, None)
    if first is None:
        return []
    state = initial_state(cast(Created, first))
    finder = _Finder(state.table.rules)
    for event in stream:
        pile, upcard = len(state.pile) // 2, state.pile[-2:]
        fold_into(state, (event,))
        finder.look_at(event, state, pile, upcard)
    return finder.found


class _Finder:
    """What was found so far, and which melds of the hand are sets already."""

    def __init__(self, rules: Rules) -> None:
        self.found: list[Highlight] = []
        self._side_of = rules.side_of
        self._show = meld_shower(rules)
        self._sets: set[str] = set()
        self._hand = 0

    def look_at(self, event: AnyEvent, state: State, pile: int, upcard: str) -> None:
        """One more event: the state after it, and the pile before it."""
        self._hand = state.hand
        match event:
            case events.Dealt() | events.Placed():
                self._begin(event, state)
            case events.TookPile(seat=seat):
                self._note(event.n, "take", seat, cards=pile, whole=True, card=upcard)
                self._look_for_sets(event.n, seat, (event.meld, *event.melds))
            case events.TookUpcard(seat=seat):
                self._note(event.n, "take", seat, cards=1, whole=False, card=upcard)
                self._look_for_sets(event.n, seat, (event.meld,))
            case events.Melded(seat=seat):
                for joined in event.joined:
                    if self._sets.intersection(joined.of):
                        self._sets.add(joined.id)
                self._look_for_sets(event.n, seat, (*event.added, *event.joined, *event.new))
            case events.Asked(seat=seat):
                self._note(event.n, "ask", seat)
            case events.Answered(seat=seat, yes=yes):
                self._note(event.n, "answer", seat, yes=yes)
            case events.HandEnded(by=by):
                if by is not None:
                    # The move and the end of the hand that it brings about are appended together.
                    self._note(event.n - 1, "going_out", by, concealed=event.concealed)
                self._note(event.n, "hand_end", None, reason=event.reason, totals=event.totals)
            case events.GameEnded(reason=reason, totals=totals, winners=winners):
                self._note(event.n, "game_end", None, reason=reason, totals=totals, winners=winners)
        self._look_for_red_threes(event)

    def _begin(self, event: events.Dealt | events.Placed, state: State) -> None:
        """A hand begins; what lies in a position is not completed by anybody."""
        self._note(event.n, "hand_start", state.dealer)
        self._sets = {key for melds in state.melds for key, laid in melds.items() if self._show(laid.meld).set}

    def _look_for_sets(self, n: int, seat: int, melds: Iterable[Meld | JoinedMeld]) -> None:
        for meld in melds:
            shown = self._show(Meld(meld.id, meld.kind, meld.cards))
            if shown.set is not None and meld.id not in self._sets:
                self._sets.add(meld.id)
                self._note(n, "canasta", seat, set=shown.set, meld=meld.id, cards=len(meld.cards))

    def _look_for_red_threes(self, event: AnyEvent) -> None:
        if isinstance(event, events.LaidRedThree):
            self._note(event.n, "red_three", event.seat, card=event.card)
        elif isinstance(event, events.Dealt | events.Drew | events.TookPile):
            for laid in event.red_threes:
                self._note(event.n, "red_three", laid.seat, card=laid.card)

    def _note(self, n: int, kind: HighlightKind, seat: int | None, **more: Any) -> None:
        side = None if seat is None else self._side_of[seat]
        self.found.append(Highlight(n=n, kind=kind, hand=self._hand, seat=seat, side=side, **more))
