"""A view: the state as one viewer may see it, with everything that a client needs to draw the table.

Default-deny: a view is built by adding what the viewer may know. Whatever it shows follows from the public forms of
the events, so the view of a viewer's own fold is the same. That is why `last_turn` (rule book 7.4) is not in it: it
follows from a card that others do not see, and shows in the legal moves of the seat concerned.
"""

from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from domain.beacons import Beacon
from domain.cards import Cards, Face, faces_of, size, split
from domain.events import Clock, Watch
from domain.labels import ChosenBy, chosen_by
from domain.meld_views import MeldView, meld_shower
from domain.moves import PlannedMove
from domain.redaction import Viewer
from domain.rules import Sides
from domain.state import Began, Ended, Occupant, Permission, Phase, State, Status, Table
from domain.taking import why_frozen
from domain.waiting import awaited_beacon, missing_nonces, seat_to_act

__all__ = [
    "AskView",
    "FairnessView",
    "HoldingView",
    "MeldView",
    "OriginView",
    "View",
    "encode_view",
    "record_is_public",
    "view_for",
    "viewer_now",
]

Frozen = Literal["wild_in_pile", "red_three_in_pile", "black_three_in_pile", "not_melded"]


class HoldingView(Struct, frozen=True, gc=False):
    """How many cards a seat holds, and which: null for cards that the viewer does not know."""

    count: int
    cards: tuple[Face, ...] | None


class AskView(Struct, frozen=True):
    """The question that awaits an answer: the seat that asked, and to that seat what it means to do then."""

    seat: int
    then: tuple[PlannedMove, ...] | None


class FairnessView(Struct, frozen=True):
    """How the deals come about. `server_alone` and `chosen_by` are null until the table is closed and it is settled.

    `beacon` is the round of a public beacon that was fixed at closing.
    """

    algorithm: str
    mode: str | None
    commitment: str
    server_alone: bool | None
    chosen_by: ChosenBy | None
    beacon: Beacon | None


class OriginView(Struct, frozen=True):
    """What a practice game began from; `game` and `n` name the game and the event that a fork left."""

    kind: Literal["seed", "decks", "position", "fork"]
    game: str | None
    n: int | None


class View(Struct, frozen=True, kw_only=True):
    """A game after `version` events, as one viewer may see it. Lists are by seat or by side, from 0.

    seat              the viewer's own seat, null for others
    seats             who holds each seat, null for nobody
    nonces_due        seats that must still reveal their nonce before the start
    beacon_due        the round of a beacon without which the game does not start
    hand              number of the hand from 1, 0 before the first; dealer and turn are null where they mean nothing
    to_act            the seat whose move is awaited, in phase `answer` the one that answers
    scores, totals    sheet totals by side before this hand, and now
    requirement       first-meld minimum by side, in points; once the hand is over that of the next one
    holdings          by seat; the viewer's own is known, all are once the hand has ended
    melds, red_threes by side, by seat where a rule set knows a lone side (rule book 2.3)
    pile, upcard      bottom to top, and its last card
    frozen            by side why the pile is frozen to it, the first reason that applies (rule book 6.3)
    barred            seats that may not take the pile (rule book 6.7)
    stock             cards left in it
    has_melded        seats that have laid or added something in an earlier turn of this hand
    had_turn          seats that have ended a turn in this hand
    ended, lines      how the hand ended and its score lines by side, while no new hand has been dealt
    """

    version: int
    seat: int | None
    status: Status
    phase: Phase
    ruleset: str
    ruleset_hash: str
    players: int
    sides: Sides
    seats: tuple[Occupant | None, ...]
    clock: Clock | None
    watch: Watch
    practice: bool
    origin: OriginView | None
    fairness: FairnessView | None
    striped: bool
    nonces_due: tuple[int, ...]
    beacon_due: Beacon | None
    revealed: bool
    hand: int
    dealer: int | None
    turn: int | None
    to_act: int | None
    began: Began | None
    melded_this_turn: bool
    stood_in: bool
    permission: Permission | None
    ask: AskView | None
    lone: int | None
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    requirement: tuple[int, ...]
    holdings: tuple[HoldingView, ...]
    melds: tuple[tuple[MeldView, ...], ...]
    red_threes: tuple[tuple[Face, ...], ...]
    pile: tuple[Face, ...]
    upcard: Face | None
    frozen: tuple[Frozen | None, ...]
    barred: tuple[int, ...]
    stock: int
    recycles: int
    has_melded: tuple[int, ...]
    had_turn: tuple[int, ...]
    ended: Ended | None
    lines: tuple[dict[str, int], ...]
    winners: tuple[int, ...]
    end_reason: str | None


def record_is_public(state: State) -> bool:
    """Whether everything is visible: the game has ended and, unless it was a practice game, its deals are revealed."""
    table = state.table
    return table.status == "ended" and (table.revealed or table.fairness is None)


def viewer_now(state: State, viewer: Viewer) -> Viewer:
    """The viewer with the rights of the moment: everyone once the record is public."""
    return "everyone" if record_is_public(state) else viewer


def view_for(state: State, viewer: Viewer, seat: int | None = None) -> View:
    """The state as a viewer may see it. The rights are the viewer's as given: see `viewer_now`.

    `seat` is the viewer's own where the rights do not say it: once the record is public everyone sees everything.
    """
    table = state.table
    rules = table.rules
    phase = state.phase
    over = state.ended is not None
    sheet = state.totals if over else state.scores
    to_act = seat_to_act(state)
    show_meld = meld_shower(rules)
    return View(
        version=state.version,
        seat=viewer if isinstance(viewer, int) else seat,
        status=table.status,
        phase=phase,
        ruleset=rules.ruleset.name,
        ruleset_hash=rules.ruleset_hash,
        players=rules.players,
        sides=rules.sides,
        seats=table.seats,
        clock=table.clock,
        watch=table.watch,
        practice=table.fairness is None,
        origin=_origin(table.origin),
        fairness=_fairness(table),
        striped=table.striped,
        nonces_due=missing_nonces(table) if table.status == "closed" else (),
        beacon_due=awaited_beacon(table),
        revealed=table.revealed,
        hand=state.hand,
        dealer=state.dealer if state.hand else None,
        turn=None if to_act is None else state.turn,
        to_act=to_act,
        began=state.began,
        melded_this_turn=state.melded_this_turn,
        stood_in=state.stood_in,
        permission=state.permission,
        ask=_ask(state, viewer) if phase == "answer" else None,
        lone=state.lone,
        scores=state.scores,
        totals=state.totals,
        requirement=tuple([rules.requirement(total) for total in sheet]),
        holdings=_holdings(state, viewer),
        melds=tuple([tuple([show_meld(laid.meld) for laid in melds.values()]) for melds in state.melds]),
        red_threes=tuple([faces_of(laid) for laid in state.red_threes]),
        pile=_split(state.pile),
        upcard=state.pile[-2:] or None,
        frozen=_frozen(state),
        barred=_seats_in(state.barred),
        stock=state.stock_count,
        recycles=state.recycles,
        has_melded=_seats_in(state.has_melded),
        had_turn=_seats_in(state.had_turn),
        ended=state.ended,
        lines=state.lines,
        winners=state.winners,
        end_reason=state.end_reason,
    )


# Keys of objects are sorted, so that a state loaded from its events and one kept since give the same bytes.
_encode: Final = msgspec.json.Encoder(order="deterministic").encode


def encode_view(state: State, viewer: Viewer, seat: int | None = None) -> bytes:
    """`view_for` as JSON, the same bytes for the same view."""
    return _encode(view_for(state, viewer, seat))


def _ask(state: State, viewer: Viewer) -> AskView:
    sees = viewer == state.turn or viewer == "everyone"
    return AskView(seat=state.turn, then=state.ask if sees else None)


def _holdings(state: State, viewer: Viewer) -> tuple[HoldingView, ...]:
    if state.ended is not None or viewer == "everyone":
        return tuple(map(_known, state.holdings))
    return tuple([_known(held) if seat == viewer else _unknown(size(held)) for seat, held in enumerate(state.holdings)])


@lru_cache(maxsize=16384)
def _known(cards: Cards) -> HoldingView:
    return HoldingView(size(cards), faces_of(cards))


@lru_cache(maxsize=512)
def _unknown(number: int) -> HoldingView:
    return HoldingView(number, None)


_split = lru_cache(maxsize=2048)(split)


@lru_cache(maxsize=64)
def _seats_in(bits: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def _frozen(state: State) -> tuple[Any, ...]:
    rules = state.table.rules
    if not state.melds or rules.freezing == "none":
        return (None,) * len(rules.sides)
    return tuple([why_frozen(state, seats[0]) for seats in rules.sides])


def _origin(origin: dict[str, Any] | None) -> OriginView | None:
    if origin is None:
        return None
    return OriginView(origin["kind"], origin.get("game"), origin.get("n"))


def _fairness(table: Table) -> FairnessView | None:
    terms = table.fairness
    if terms is None:
        return None
    label = chosen_by(table)
    alone = None if label is None else label == "server_only"
    return FairnessView(terms["algorithm"], terms.get("mode"), terms["commitment"], alone, label, table.beacon)
