"""What moves would do, without doing them, and without a word about cards that only doing them would show.

Told are the facts that follow from the caller's cards and from what lies open. A move that brings cards from the
stock is told by its number of cards, and nothing behind it; so is what follows from somebody else's plan.
"""

from typing import Any

from msgspec import Struct

from domain import events
from domain.decide import decide_all
from domain.events import AnyEvent, type_of
from domain.moves import Move
from domain.refusals import Refusal
from domain.state import State


class DryRun(Struct, frozen=True, kw_only=True):
    """The moves would be accepted at this version. `events` holds what is sure of what would happen, in order."""

    version: int
    accepted: bool
    events: tuple[dict[str, Any], ...]


def dry_run(state: State, seat: int, moves: tuple[Move, ...]) -> DryRun | Refusal:
    """What the moves would do, or why the rules refuse them."""
    decided = decide_all(state, seat, moves)
    if isinstance(decided, Refusal):
        return decided
    told: list[dict[str, Any]] = []
    for event in decided[0]:
        facts, goes_on = _facts(event)
        told.append({"type": type_of(event), **facts})
        if not goes_on:
            break
    return DryRun(version=state.version, accepted=True, events=tuple(told))


def _facts(event: AnyEvent) -> tuple[dict[str, Any], bool]:
    """What may be told of an event, and whether anything behind it may be."""
    match event:
        case events.Drew(seat=seat, cards=cards):
            return {"seat": seat, "cards": cards if isinstance(cards, int) else len(cards)}, False
        case events.TookPile():
            facts = {
                "seat": event.seat,
                "meld": event.meld,
                "melds": event.melds,
                "picked_up": event.picked_up,
            }
            return facts, not event.red_threes
        case events.TookUpcard():
            return {"seat": event.seat, "meld": event.meld}, True
        case events.Melded():
            return {
                "seat": event.seat,
                "new": event.new,
                "added": event.added,
                "joined": event.joined,
            }, True
        case events.LaidRedThree(seat=seat, card=card, replacement=replacement):
            return {"seat": seat, "card": card}, replacement is None
        case events.Discarded(seat=seat, cards=cards):
            return {"seat": seat, "cards": cards}, True
        case events.HandEnded(hand=hand, reason=reason, by=by, concealed=concealed):
            # Lines and holdings count the cards of all seats.
            return {"hand": hand, "reason": reason, "by": by, "concealed": concealed}, False
        case events.Asked(seat=seat) | events.Passed(seat=seat):
            return {"seat": seat}, isinstance(event, events.Passed)
        case events.Answered(seat=seat, yes=yes):
            return {"seat": seat, "yes": yes}, False
        case events.Resigned(seat=seat, side=side):
            return {"seat": seat, "side": side}, False
        case _:
            return {}, False
