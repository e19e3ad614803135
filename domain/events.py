"""Events: what happened, stored once and never changed (formats, part 5).

One class an event, its fields those of the format. The same class holds the full form and every public form: a hidden
list is its length there, a hidden card is `"??"`, a hidden `deck`, `then` or `salt` is absent.

`n`, `at` and `salt` are given by whoever stores the event, `prev` and `hash` stand in records only.
`encode` writes canonical JSON (RFC 8785).
"""

from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.cards import Face
from domain.moves import PlannedMove
from domain.rulesets import RuleSet

CardList = tuple[Face, ...]
MeldKind = Literal["group", "sequence", "wild", "black_threes"]
EndReason = Literal["absence", "agreement", "ruling", "time", "technical"]
GameEndReason = Literal["target", "hand_cap", "resigned", "timed_out", "adjudicated", "aborted"]


class Meld(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A meld as it lies: `cards` in canonical order, a sequence low to high."""

    id: str
    kind: MeldKind
    cards: CardList


class JoinedMeld(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A meld made by joining those named in `of`, whose first id it keeps."""

    id: str
    kind: MeldKind
    cards: CardList
    of: tuple[str, ...]


class RedThreeLaid(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A red three laid unasked, and what replaced it: null for nothing, `"??"` for a card that is hidden."""

    seat: int
    card: Face
    replacement: Face | Literal["??"] | None


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a turn may take."""

    kind: Literal["per_move"]
    move_seconds: int


class Watch(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may watch, and how long after the table."""

    who: Literal["anyone", "link", "nobody"]
    delay_seconds: int


class Event(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What every event has: its place in the stream from 1, its time, and 16 random bytes in hex."""

    n: int = 0
    at: str = ""
    salt: str | UnsetType = UNSET
    prev: str | UnsetType = UNSET
    hash: str | UnsetType = UNSET


class Created(Event, frozen=True, kw_only=True, tag="created"):
    """A table was opened. `fairness` is null in a practice game, `origin` in any other."""

    ruleset: RuleSet
    ruleset_hash: str
    players: int
    sides: tuple[tuple[int, ...], ...]
    clock: Clock | None
    watch: Watch
    stock: Literal["common", "striped"]
    fairness: dict[str, Any] | None
    origin: dict[str, Any] | None
    engine: str


class Seated(Event, frozen=True, kw_only=True, tag="seated"):
    """A player took a seat."""

    seat: int
    player: str
    kind: Literal["human", "bot"]
    bot: Literal["random", "greedy", "careful", "search", "teaching"] | None


class Unseated(Event, frozen=True, kw_only=True, tag="unseated"):
    """A player left a seat."""

    seat: int
    player: str
    kind: Literal["human", "bot"]
    bot: Literal["random", "greedy", "careful", "search", "teaching"] | None


class Closed(Event, frozen=True, kw_only=True, tag="closed"):
    """Nobody can sit down or leave any more before the start (fairness, 3)."""

    seats: tuple[str, ...]
    nonce_commitments: tuple[str | None, ...]
    beacon: dict[str, Any] | None


class NonceRevealed(Event, frozen=True, kw_only=True, tag="nonce_revealed"):
    """A seat showed the nonce it had committed to."""

    seat: int
    nonce: str


class Placed(Event, frozen=True, kw_only=True, tag="placed"):
    """A practice game begins from a position instead of a deal."""

    position: dict[str, Any]


class Started(Event, frozen=True, kw_only=True, tag="started"):
    """The game began: nothing that decides a deal can change from here on."""

    entropy: tuple[str | None, ...]
    beacon: dict[str, Any] | None
    first_dealer: int


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    """A hand was dealt. Holdings and stock are those after the automatic red threes."""

    hand: int
    dealer: int
    deck: CardList | UnsetType = UNSET
    holdings: tuple[CardList | int, ...]
    pile: CardList
    stock: int
    red_threes: tuple[RedThreeLaid, ...]


class Drew(Event, frozen=True, kw_only=True, tag="drew"):
    """A seat drew from the stock; `stock` cards are left, `recycled` cards were turned over for it."""

    seat: int
    cards: CardList | int
    red_threes: tuple[RedThreeLaid, ...]
    stock: int
    recycled: int | UnsetType = UNSET


class TookPile(Event, frozen=True, kw_only=True, tag="took_pile"):
    """A seat took the pile: the meld made or extended by the upcard, further melds, the rest of the pile."""

    seat: int
    meld: Meld
    melds: tuple[Meld, ...]
    picked_up: CardList
    red_threes: tuple[RedThreeLaid, ...]


class TookUpcard(Event, frozen=True, kw_only=True, tag="took_upcard"):
    """A seat took the upcard alone onto a sequence."""

    seat: int
    meld: Meld


class Melded(Event, frozen=True, kw_only=True, tag="melded"):
    """A seat melded: the melds concerned as they now stand."""

    seat: int
    new: tuple[Meld, ...]
    added: tuple[Meld, ...]
    joined: tuple[JoinedMeld, ...]


class LaidRedThree(Event, frozen=True, kw_only=True, tag="laid_red_three"):
    """A seat laid a red three."""

    seat: int
    card: Face
    replacement: Face | Literal["??"] | None


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    """A seat asked its partner for leave to go out."""

    seat: int
    then: tuple[PlannedMove, ...] | UnsetType = UNSET


class Answered(Event, frozen=True, kw_only=True, tag="answered"):
    """The partner answered; after a yes the planned moves follow."""

    seat: int
    yes: bool


class Discarded(Event, frozen=True, kw_only=True, tag="discarded"):
    """A seat discarded, and its turn is over."""

    seat: int
    cards: CardList


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """A seat had nothing else left; the hand ends."""

    seat: int


class HandEnded(Event, frozen=True, kw_only=True, tag="hand_ended"):
    """A hand was counted. `lines` by side (formats, part 6), `totals` the new sheet totals."""

    hand: int
    reason: Literal["out", "stock"]
    by: int | None
    concealed: bool
    holdings: tuple[CardList, ...]
    lines: tuple[dict[str, int], ...]
    totals: tuple[int, ...]


class StoodIn(Event, frozen=True, kw_only=True, tag="stood_in"):
    """The next moves of this turn are made by a stand-in for an absent player."""

    seat: int
    reason: EndReason | None


class Resigned(Event, frozen=True, kw_only=True, tag="resigned"):
    """A seat gave up for its side."""

    seat: int
    side: int | None
    reason: EndReason | None


class TimedOut(Event, frozen=True, kw_only=True, tag="timed_out"):
    """A side lost on time."""

    side: int | None
    reason: EndReason | None


class Adjudicated(Event, frozen=True, kw_only=True, tag="adjudicated"):
    """A ruling ended the game: against a side, or with null for the best totals."""

    side: int | None
    reason: EndReason | None


class Aborted(Event, frozen=True, kw_only=True, tag="aborted"):
    """The game was broken off without a winner."""

    side: int | None
    reason: EndReason | None


class GameEnded(Event, frozen=True, kw_only=True, tag="game_ended"):
    """The game is over; several winners are a draw, none an abort."""

    reason: GameEndReason
    totals: tuple[int, ...]
    winners: tuple[int, ...]


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """What the fairness commitment needs to be checked (fairness, 7)."""

    master: str
    context: dict[str, Any]


AnyEvent = (
    Created | Seated | Unseated | Closed | NonceRevealed | Placed | Started | Dealt | Drew | TookPile | TookUpcard
    | Melded | LaidRedThree | Asked | Answered | Discarded | Passed | HandEnded | StoodIn | Resigned | TimedOut
    | Adjudicated | Aborted | GameEnded | Revealed
)  # fmt: skip

_encoder: Final = msgspec.json.Encoder(order="sorted")
_decoder: Final = msgspec.json.Decoder(AnyEvent)

encode = _encoder.encode
"""An event as canonical JSON bytes."""

decode = _decoder.decode
"""An event from JSON bytes. Raises `msgspec.ValidationError` or `msgspec.DecodeError`."""


def type_of(event: Event) -> str:
    """The event's type as the format names it."""
    tag = type(event).__struct_config__.tag
    assert isinstance(tag, str)
    return tag
