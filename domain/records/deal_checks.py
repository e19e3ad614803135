"""Checks of deals: that a hand is dealt from its deck, and that the deck was not chosen (fairness document).

The decks of a fair game are known to be right only once the master is revealed; until then their hashes are kept.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from domain import events, fairness, shuffle
from domain.beacons import PERIODS_AHEAD, Beacon, BeaconShown, randomness_of
from domain.boards import BoardTerms, Hash, board_context, next_dealer
from domain.canonical import canonical
from domain.chance import deal_context
from domain.dealing import deal
from domain.events import AnyEvent
from domain.fairness import BoardContext, DealContext
from domain.practice import is_whole_pack, practice_deck, practice_position
from domain.records.course import Course, DealtHand, compare, fault
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.state import Table

B = TypeVar("B", Beacon, BeaconShown)


class DealTerms(Struct, frozen=True, tag_field="algorithm", tag="MELD-DEAL-1", forbid_unknown_fields=True):
    """`created.fairness` of a single game."""

    mode: Literal["server_only", "players"]
    commitment: Hash


def terms_of(table: Table) -> DealTerms | BoardTerms | None:
    """How the decks of a table come about; None for a practice game. Raises `msgspec.ValidationError`."""
    return None if table.fairness is None else msgspec.convert(table.fairness, DealTerms | BoardTerms)


def check_dealt(course: Course, event: events.Dealt) -> None:
    """Check the deal of a hand: number, dealer, pack, and what the deck gives."""
    state = course.state
    table = state.table
    if table.status == "started" and practice_position(table) is None:
        assert table.first_dealer is not None, "A started game has a first dealer."
        hand, dealer = 1, table.first_dealer
    elif state.phase == "hand_over":
        hand, dealer = state.hand + 1, next_dealer(state)
    else:
        raise fault(event, Code.OUT_OF_PLACE, "No hand is dealt here.")
    terms = terms_of(table)
    if isinstance(terms, BoardTerms):
        if hand > len(terms.boards):
            raise fault(event, Code.OUT_OF_PLACE, f"There are {len(terms.boards)} boards, and no hand {hand}.")
        if hand == 1:
            # Seen here without the master: what started says is judged with the reveal.
            dealer = fairness.board_dealer(terms.boards[0], table.rules.players)
    assert isinstance(event.deck, tuple), "A complete deal names its deck."
    if not is_whole_pack(table.rules, event.deck):
        raise fault(event, Code.NOT_A_PACK, "The deck is not the pack of this rule set.")
    compare(event, deal(table, hand, dealer, event.deck))
    if terms is None:
        _check_practice_deck(table, event, event.deck)
    course.hands.append(DealtHand(event.n + 1, hand, _digest(event.deck)))


def _check_practice_deck(table: Table, event: events.Dealt, deck: Sequence[str]) -> None:
    expected = practice_deck(table, event.hand)
    if expected is None:
        raise fault(event, Code.OUT_OF_PLACE, f"The origin of this practice game gives no hand {event.hand}.")
    if list(deck) != expected:
        raise fault(event, Code.DECK_WRONG, f"The deck is not the one that the origin gives hand {event.hand}.")


def _digest(deck: Sequence[str]) -> bytes:
    return sha256("".join(deck).encode()).digest()


def check_revealed(course: Course, event: events.Revealed) -> None:
    """Check the master and the context that are revealed, and every deck by them (fairness, 8)."""
    table = course.state.table
    terms = terms_of(table)
    if terms is None or table.status != "ended" or table.revealed:
        raise fault(event, Code.OUT_OF_PLACE, "There is nothing to reveal here.")
    context = _context(course, terms)
    expected = canonical(context)
    if canonical(event.context) != expected:
        raise fault(event, Code.FAIRNESS_INVALID, f"The context of the deals should be {expected.decode()}.")
    master = _master(terms, event)
    if master is None:
        raise fault(event, Code.COMMITMENT_WRONG, "The master is not the one committed to in created.")
    _check_decks(course, terms, context, master)


def check_deals_before(course: Course, event: events.Revealed) -> None:
    """Check the deals of a game that could be followed no further by the reveal that stands later in its record.

    A deck that was changed shows at its deal by the master only, and without it at the first draw that is not of it.
    """
    terms = terms_of(course.state.table)
    if terms is None or not course.started_line:
        return
    master = _master(terms, event)
    if master is not None:
        _check_decks(course, terms, _context(course, terms), master)


def _master(terms: DealTerms | BoardTerms, event: events.Revealed) -> bytes | None:
    """The master that is revealed, or None where it is not the one committed to."""
    try:
        master = bytes.fromhex(event.master)
    except ValueError:
        return None
    check = fairness.check_commitment if isinstance(terms, DealTerms) else fairness.check_board_commitment
    return master if master.hex() == event.master and check(terms.commitment, master) else None


def _context(course: Course, terms: DealTerms | BoardTerms) -> DealContext | BoardContext:
    table = course.state.table
    if isinstance(terms, BoardTerms):
        return board_context(table, terms.tournament)
    return deal_context(table, course.header.game)


def _check_decks(
    course: Course, terms: DealTerms | BoardTerms, context: DealContext | BoardContext, master: bytes
) -> None:
    table = course.state.table
    rules = table.rules
    randomness = None if table.randomness is None else bytes.fromhex(table.randomness)
    nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in table.nonces]

    def seed_of(hand: int) -> bytes:
        if isinstance(context, DealContext):
            return fairness.hand_seed(context, master, nonces, randomness, hand)
        assert isinstance(terms, BoardTerms)
        return fairness.board_seed(context, master, randomness, terms.boards[hand - 1])

    if table.first_dealer is not None:
        if isinstance(terms, BoardTerms):
            dealer = fairness.board_dealer(terms.boards[0], rules.players)
        else:
            dealer = fairness.first_dealer(seed_of(1), rules.players)
        if table.first_dealer != dealer:
            message = f"The first dealer is seat {table.first_dealer}, and the deal of hand 1 gives seat {dealer}."
            raise RecordInvalidError(course.started_line, Code.DEALER_WRONG, message)
    for dealt in course.hands:
        seed = seed_of(dealt.hand)
        if _digest(shuffle.deck(seed, rules.packs, rules.jokers)) != dealt.digest:
            message = f"The deck is not the one that the master gives hand {dealt.hand}."
            raise RecordInvalidError(dealt.line, Code.DECK_WRONG, message)


def check_round(course: Course, event: events.Closed) -> None:
    """Check the round that closing fixes: its form, and that nobody could know it yet (fairness, 3).

    The round of a game on boards was fixed when the entries closed, which stands in no event of the game.
    """
    beacon = read_beacon(event, event.beacon, Beacon)
    if beacon is None:
        return
    terms = terms_of(course.state.table)
    chains = course.chains
    if terms is None:
        raise fault(event, Code.FAIRNESS_INVALID, "A practice game uses no beacon.")
    if chains is None or chains.why_unchecked(beacon.chain) is not None or isinstance(terms, BoardTerms):
        return
    if chains.foreseen(beacon, event.at):
        message = f"Round {beacon.round} comes out less than {PERIODS_AHEAD} periods after the closing."
        raise fault(event, Code.BEACON_FORESEEN, message)


def check_shown(course: Course, event: events.Started) -> None:
    """Check the round that the start shows: the one fixed, its randomness and its signature (fairness, 5)."""
    shown = read_beacon(event, event.beacon, BeaconShown)
    fixed = course.state.table.beacon
    if (None if shown is None else shown.beacon) != fixed:
        raise fault(event, Code.BEACON_WRONG, "The beacon is not the one that closed fixed.")
    if shown is None:
        return
    if shown.randomness != randomness_of(shown.signature):
        raise fault(event, Code.BEACON_WRONG, "The randomness is not the SHA-256 of the signature.")
    chains = course.chains
    if chains is None:
        course.unsigned = "No chain was given to check the signature by."
        return
    course.unsigned = chains.why_unchecked(shown.chain)
    if course.unsigned is None and not chains.signed(shown):
        message = f"The signature is not that of the chain {shown.chain} under round {shown.round}."
        raise fault(event, Code.BEACON_WRONG, message)


def read_beacon(event: AnyEvent, beacon: dict[str, Any] | None, shape: type[B]) -> B | None:
    """A beacon of the shape given, or None where there is none."""
    try:
        found: B | None = msgspec.convert(beacon, shape | None)
    except msgspec.ValidationError as error:
        raise fault(event, Code.FAIRNESS_INVALID, f"This is no beacon: {error}.") from error
    return found
