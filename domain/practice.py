"""Practice games: what they begin from, and the decks that follow from it (`created.origin`).

    {"kind": "seed", "seed": hex, "dealer": seat}                       every hand from the seed
    {"kind": "decks", "decks": [[…], …], "dealer": seat, "seed": hex}   the given decks in turn, then as below
    {"kind": "position", "position": {…}, "seed": hex}                  a position, then as below
    {"kind": "fork", "game": id, "n": event, "hash": hex, "position": {…}, "carried": {…}, "decks": [[…], …],
     "dealers": [seat, …], "dealer": seat, "seed": hex}

`dealer`, the first dealer, may be left out: it is then drawn from the seed of an origin `seed` or of a fork without
decks, and is seat 0 with decks. `seed` may be left out but with `seed`. A fork has the position after event `n` of the
other game, whose hash is `hash`, with what the position does not say (`carried`); or neither, where it leaves the game
before its first deal. `decks` are those of the hands that follow, and `dealers` who deals them where that is not the
next seat clockwise, as on boards. Where no deck is given for hand k, its hand seed is
enc("MELD-PRACTICE-1/hand", seed, k as 4 bytes big-endian), in the words of the fairness document, which goes whole
into the shuffle of formats part 9. Without a seed the game ends after the last hand given: it is adjudicated by
agreement, and the best totals win.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from domain import shuffle
from domain.cards import Face, pack
from domain.fairness import enc, first_dealer
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.positions import PositionInvalidError, read_position, state_from
from domain.rules import Rules
from domain.state import Table, number_of_meld

SEED_BYTES_MAX: Final = 128
"""The longest seed of a practice game."""

DECKS_MAX: Final = 64
"""The most decks that a practice game may be given."""

NEXT_MELD_MAX: Final = 1_000_000
"""The highest number of a next meld that a fork may begin with."""

# `$` alone would let a line feed through at the end.
Seed = Annotated[str, Meta(pattern=f"^([0-9a-f]{{2}}){{1,{SEED_BYTES_MAX}}}$(?!\\n)")]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)")]
GameId = Annotated[str, Meta(min_length=1, max_length=64)]
Decks = Annotated[tuple[tuple[Face, ...], ...], Meta(min_length=1, max_length=DECKS_MAX)]


class SeedOrigin(Struct, frozen=True, tag_field="kind", tag="seed", forbid_unknown_fields=True, omit_defaults=True):
    """Every hand follows from a seed of 1 to 128 bytes, in lower-case hex."""

    seed: Seed
    dealer: int | None = None


class DecksOrigin(Struct, frozen=True, tag_field="kind", tag="decks", forbid_unknown_fields=True, omit_defaults=True):
    """The hands are dealt from these decks, the first card of each drawn first."""

    decks: Decks
    dealer: int | None = None
    seed: Seed | None = None


class PositionOrigin(
    Struct, frozen=True, tag_field="kind", tag="position", forbid_unknown_fields=True, omit_defaults=True
):
    """The game begins from a position (formats, part 3)."""

    position: dict[str, Any]
    seed: Seed | None = None


class Carried(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a position does not say of a hand under way; a fork goes on with it as the game itself could have.

    next_meld        number of the next meld: the highest that lies may be lower, where melds were joined
    turn_first_meld  number of the first meld that the turn under way could lay
    touched_old      whether the turn has added to, taken onto or joined with an older meld (rule book 8.6)
    stripes          cards in each stripe of a striped stock, which follow one another in `stock.next`
    """

    next_meld: Annotated[int, Meta(ge=1, le=NEXT_MELD_MAX)]
    turn_first_meld: Annotated[int, Meta(ge=1)]
    touched_old: bool
    stripes: tuple[Annotated[int, Meta(ge=0)], ...] | None = None


class ForkOrigin(Struct, frozen=True, tag_field="kind", tag="fork", forbid_unknown_fields=True, omit_defaults=True):
    """The game begins from the position after event `n` of another one, or before that one's first deal."""

    game: GameId
    n: Annotated[int, Meta(ge=1)]
    hash: Hash | None = None
    position: dict[str, Any] | None = None
    carried: Carried | None = None
    decks: Annotated[tuple[tuple[Face, ...], ...], Meta(max_length=DECKS_MAX)] = ()
    dealers: tuple[int, ...] = ()
    dealer: int | None = None
    seed: Seed | None = None


Origin = SeedOrigin | DecksOrigin | PositionOrigin | ForkOrigin


def read_origin(raw: object, rules: Rules, *, striped: bool) -> dict[str, Any]:
    """The origin of a practice game from untrusted JSON, its position complete, as `created` keeps it.

    Raises `LobbyRefused` (`origin_invalid`).
    """
    try:
        origin: Origin = msgspec.convert(raw, Origin)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise _invalid("origin", str(error)) from error
    dealer = None if isinstance(origin, PositionOrigin) else origin.dealer
    if dealer is not None and not 0 <= dealer < rules.players:
        raise _invalid("dealer", f"a seat from 0 to {rules.players - 1}")
    if isinstance(origin, DecksOrigin | ForkOrigin):
        for index, deck in enumerate(origin.decks):
            if not is_whole_pack(rules, deck):
                raise _invalid(f"decks[{index}]", "every card of the pack, in any order")
    plain: dict[str, Any] = msgspec.to_builtins(origin)
    if isinstance(origin, PositionOrigin):
        plain["position"] = _position(origin.position, rules, striped)
    if isinstance(origin, ForkOrigin):
        plain |= _forked(origin, rules, striped)
    # Lists, not tuples: what is kept in memory is the same as what is read back.
    kept: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plain))
    return kept


def _position(raw: dict[str, Any], rules: Rules, striped: bool) -> dict[str, Any]:
    if striped:
        raise _invalid("stock", "a common stock: a position does not say which stripe a card lies in")
    try:
        position = read_position(raw, rules.edition)
    except PositionInvalidError as error:
        faults = [{"key": fault.key, "message": fault.message} for fault in error.faults]
        raise _invalid("position", "a sound position", faults) from error
    if position["ruleset"] != msgspec.to_builtins(rules.ruleset) or position["players"] != rules.players:
        raise _invalid("position", "the rule set and the number of seats of the table")
    if position["phase"] == "game_over" or state_from(position, rules.edition).winners:
        raise _invalid("position.phase", "a hand that goes on, or after which another can be dealt")
    return position


def _forked(origin: ForkOrigin, rules: Rules, striped: bool) -> dict[str, Any]:
    """What a fork begins from, complete."""
    carried, dealers = origin.carried, origin.dealers
    if dealers and (len(dealers) != len(origin.decks) or not set(dealers) <= set(range(rules.players))):
        raise _invalid("dealers", f"a seat from 0 to {rules.players - 1} for each deck")
    if origin.position is None:
        if carried is not None:
            raise _invalid("carried", "a position beside it")
        if not origin.decks and origin.seed is None:
            raise _invalid("seed", "a position, decks or a seed: there is nothing to begin with")
        return {}
    position = _position(origin.position, rules, striped and (carried is None or carried.stripes is None))
    if carried is not None:
        highest = max((number_of_meld(meld["id"]) for melds in position["melds"] for meld in melds), default=0)
        if carried.next_meld <= highest:
            raise _invalid("carried.next_meld", f"more than {highest}, the highest meld that lies")
        if carried.turn_first_meld > carried.next_meld:
            raise _invalid("carried.turn_first_meld", f"at most {carried.next_meld}, the next meld")
        stripes = carried.stripes
        whole = stripes is not None and (len(stripes), sum(stripes)) == (rules.players, position["stock"]["count"])
        if striped != (stripes is not None) or (striped and not whole):
            raise _invalid("carried.stripes", "the cards of each stripe of a striped stock, and nothing otherwise")
    return {"position": position}


def is_whole_pack(rules: Rules, deck: Sequence[str]) -> bool:
    """Whether a deck holds every card of the pack and no other."""
    return sorted(deck) == sorted(pack(rules.packs, rules.jokers))


def practice_deck(table: Table, hand: int) -> list[str] | None:
    """The deck of a practice game's hand, counted from 1; None where the game ends before it."""
    origin: Origin = msgspec.convert(table.origin, Origin)
    if isinstance(origin, DecksOrigin | ForkOrigin):
        index = _index(origin, hand)
        if index < len(origin.decks):
            return list(origin.decks[index])
    if origin.seed is None:
        return None
    return shuffle.deck(_hand_seed(origin.seed, hand), table.rules.packs, table.rules.jokers)


def _index(origin: DecksOrigin | ForkOrigin, hand: int) -> int:
    """Which of the decks a hand is dealt from, counted from 0."""
    position = origin.position if isinstance(origin, ForkOrigin) else None
    return hand - 1 - (0 if position is None else int(position["hand"]))


def practice_next_dealer(table: Table, hand: int) -> int | None:
    """The dealer that the origin of a practice game names for a hand which is not the first; None for the usual one."""
    if table.origin is None or not table.origin.get("dealers"):
        return None
    origin: ForkOrigin = msgspec.convert(table.origin, ForkOrigin)
    index = _index(origin, hand)
    return origin.dealers[index] if index < len(origin.dealers) else None


def practice_dealer(table: Table) -> int:
    """The first dealer of a practice game; from a position its dealer."""
    origin: Origin = msgspec.convert(table.origin, Origin)
    match origin:
        case PositionOrigin(position=dict(position)) | ForkOrigin(position=dict(position)):
            return int(position["dealer"])
        case SeedOrigin(dealer=int(dealer)) | DecksOrigin(dealer=int(dealer)) | ForkOrigin(dealer=int(dealer)):
            return dealer
        case SeedOrigin(seed=str(seed)) | ForkOrigin(decks=(), seed=str(seed)):
            return first_dealer(_hand_seed(seed, 1), table.rules.players)
        case _:
            return 0


def practice_position(table: Table) -> dict[str, Any] | None:
    """The position that a practice game begins from, or None where it begins with a deal."""
    return None if table.origin is None else table.origin.get("position")


def _hand_seed(seed: str, hand: int) -> bytes:
    return enc(b"MELD-PRACTICE-1/hand", bytes.fromhex(seed), hand.to_bytes(4, "big"))


def _invalid(field: str, needed: str, faults: Sequence[dict[str, str]] = ()) -> LobbyRefused:
    return LobbyRefused(LobbyCode.ORIGIN_INVALID, field=field, needed=needed, faults=list(faults))
