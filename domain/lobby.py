"""What happens before the first card and beside the play: tables, seats, closing, starting, stand-ins.

Pure deciders like `decide`: they return events with their `n`, or raise `LobbyRefused` and change nothing. `at` and
`salt` are left to whoever stores the events. Player ids are taken on trust: the service has checked who asks.

    open_table -> sit, leave -> close -> reveal_nonce | reopen -> start -> … -> chance.reveal

Without nonces and without a beacon (as in practice games) closing and starting follow each other at once.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, cast, get_args

from msgspec.structs import asdict, replace

from domain.beacons import Beacon, BeaconShown
from domain.boards import next_dealer
from domain.chance import Chance
from domain.dealing import deal
from domain.editions import edition_of
from domain.events import (
    AnyEvent,
    Clock,
    Closed,
    Created,
    Dealt,
    EndReason,
    NonceRevealed,
    Placed,
    Seated,
    Started,
    StoodIn,
    Unseated,
    Watch,
)
from domain.evolve import fold
from domain.fairness import NONCE_BYTES, check_nonce
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.practice import is_whole_pack, practice_position, read_origin
from domain.rules import PlayersNotPermittedError, compile_rules
from domain.rulesets import RuleSet
from domain.state import Occupant, State, Table, occupied, seat_of
from domain.waiting import missing_nonces, seat_to_act

BotLevel = Literal["random", "greedy", "careful", "search", "teaching"]
Kind = Literal["human", "bot"]
BOT_LEVELS: Final[tuple[BotLevel, ...]] = get_args(BotLevel)

_COMMITMENT_CHARACTERS: Final = 64
_HEX: Final = frozenset("0123456789abcdef")


def open_table(
    ruleset: RuleSet,
    players: int,
    *,
    watch: Watch,
    engine: str,
    clock: Clock | None = None,
    stock: Literal["common", "striped"] = "common",
    fairness: dict[str, Any] | None = None,
    origin: object = None,
) -> Created:
    """The first event of a game, its `n` 1.

    A fair game has `fairness` (`chance.fair_terms`), a practice game an `origin` instead (`practice`), untrusted JSON.
    Raises `LobbyRefused`: `players_not_permitted`, `terms_invalid`, `origin_invalid`.
    """
    try:
        rules = compile_rules(ruleset, players, edition_of(engine))
    except PlayersNotPermittedError as error:
        raise LobbyRefused(LobbyCode.PLAYERS_NOT_PERMITTED, players=players, permitted=list(error.permitted)) from error
    if (fairness is None) == (origin is None):
        raise _terms("fairness", "either fairness or, in a practice game, an origin")
    if clock is not None and clock.move_seconds < 1:
        raise _terms("clock.move_seconds", "at least 1")
    if watch.delay_seconds < 0:
        raise _terms("watch.delay_seconds", "at least 0")
    return Created(
        n=1,
        ruleset=ruleset,
        ruleset_hash=rules.ruleset_hash,
        players=players,
        sides=rules.sides,
        clock=clock,
        watch=watch,
        stock=stock,
        fairness=fairness,
        origin=None if origin is None else read_origin(origin, rules, striped=stock == "striped"),
        engine=engine,
    )


def _terms(field: str, needed: str) -> LobbyRefused:
    return LobbyRefused(LobbyCode.TERMS_INVALID, field=field, needed=needed)


# --- seats ---


def sit(state: State, seat: int, player: str, kind: Kind = "human", bot: BotLevel | None = None) -> list[AnyEvent]:
    """A player takes a free seat, before closing or, where one was left, in a game under way.

    Raises `LobbyRefused`: `unknown_seat`, `table_not_open`, `game_over`, `seat_taken`, `already_seated`, `departed`,
    `bot_level_invalid`.
    """
    table = state.table
    occupant = _occupant(table, seat)
    _check_seats_change(table)
    if occupant is not None:
        raise LobbyRefused(LobbyCode.SEAT_TAKEN, seat=seat)
    _check_newcomer(table, player, kind, bot)
    return [Seated(n=state.version + 1, seat=seat, player=player, kind=kind, bot=bot)]


def leave(state: State, seat: int, player: str) -> list[AnyEvent]:
    """A player leaves the seat, before closing or in a game under way; there the player may not return to the game.

    Raises `LobbyRefused`: `unknown_seat`, `table_not_open`, `game_over`, `seat_empty`, `not_your_seat`.
    """
    table = state.table
    occupant = _occupant(table, seat)
    _check_seats_change(table)
    if occupant is None:
        raise LobbyRefused(LobbyCode.SEAT_EMPTY, seat=seat)
    if occupant.player != player:
        raise LobbyRefused(LobbyCode.NOT_YOUR_SEAT, seat=seat)
    return [_unseated(state, seat, occupant)]


def hand_over(
    state: State, seat: int, player: str, newcomer: str, kind: Kind = "human", bot: BotLevel | None = None
) -> list[AnyEvent]:
    """A player hands the seat to another one, at once. Raises `LobbyRefused` as `leave` and `sit` do."""
    left = leave(state, seat, player)
    return [*left, *sit(fold(state, left), seat, newcomer, kind, bot)]


def _occupant(table: Table, seat: int) -> Occupant | None:
    if not 0 <= seat < table.rules.players:
        raise LobbyRefused(LobbyCode.UNKNOWN_SEAT, seat=seat, players=table.rules.players)
    return table.seats[seat]


def _check_seats_change(table: Table) -> None:
    """Between closing and the start nobody sits down or leaves (fairness, 3); after the game nobody does."""
    if table.status == "ended":
        raise LobbyRefused(LobbyCode.GAME_OVER)
    if table.status not in ("open", "playing"):
        raise LobbyRefused(LobbyCode.TABLE_NOT_OPEN, status=table.status)


def _check_newcomer(table: Table, player: str, kind: Kind, bot: BotLevel | None) -> None:
    seated = seat_of(table, player)
    if seated is not None:
        raise LobbyRefused(LobbyCode.ALREADY_SEATED, seat=seated)
    if player in table.departed:
        raise LobbyRefused(LobbyCode.DEPARTED)
    if kind == "bot" and bot not in BOT_LEVELS:
        raise LobbyRefused(LobbyCode.BOT_LEVEL_INVALID, needed=list(BOT_LEVELS))
    if kind == "human" and bot is not None:
        raise LobbyRefused(LobbyCode.BOT_LEVEL_INVALID, needed=None)


def _unseated(state: State, seat: int, occupant: Occupant) -> Unseated:
    bot = cast(BotLevel | None, occupant.bot)
    return Unseated(n=state.version + 1, seat=seat, player=occupant.player, kind=occupant.kind, bot=bot)


# --- closing and nonces ---


def close(state: State, nonce_commitments: Sequence[str | None], beacon: Beacon | None = None) -> list[AnyEvent]:
    """Every seat is taken and the game is to begin: seats, nonce commitments (by seat) and the beacon's round are fixed
    (fairness, 3).

    Raises `LobbyRefused`: `table_not_open`, `seats_empty`, `nonces_not_used`, `commitment_malformed`,
    `beacon_not_used`.
    """
    table = state.table
    if table.status != "open":
        raise LobbyRefused(LobbyCode.TABLE_NOT_OPEN, status=table.status)
    if not occupied(table):
        empty = [seat for seat, occupant in enumerate(table.seats) if occupant is None]
        raise LobbyRefused(LobbyCode.SEATS_EMPTY, seats=empty)
    if len(nonce_commitments) != table.rules.players:
        raise LobbyRefused(
            LobbyCode.COMMITMENT_MALFORMED, seat=None, needed=f"{table.rules.players} entries, one a seat"
        )
    for seat, committed in enumerate(nonce_commitments):
        if committed is not None and not (len(committed) == _COMMITMENT_CHARACTERS and _HEX.issuperset(committed)):
            raise LobbyRefused(
                LobbyCode.COMMITMENT_MALFORMED,
                seat=seat,
                needed=f"{_COMMITMENT_CHARACTERS} lower-case hexadecimal characters",
            )
    if any(nonce_commitments) and (table.fairness is None or table.fairness.get("mode") != "players"):
        raise LobbyRefused(LobbyCode.NONCES_NOT_USED)
    if beacon is not None and table.fairness is None:
        raise LobbyRefused(LobbyCode.BEACON_NOT_USED)
    return [
        Closed(
            n=state.version + 1,
            seats=tuple(occupant.player for occupant in table.seats if occupant is not None),
            nonce_commitments=tuple(nonce_commitments),
            beacon=None if beacon is None else asdict(beacon),
        )
    ]


def reveal_nonce(state: State, seat: int, nonce: str) -> list[AnyEvent]:
    """A seat shows the nonce it committed to, 32 bytes in lower-case hex (fairness, 4).

    Raises `LobbyRefused`: `unknown_seat`, `table_not_closed`, `nonce_not_committed`, `nonce_already_revealed`,
    `nonce_wrong`.
    """
    table = state.table
    _check_awaits_nonce(table, seat)
    committed = table.nonce_commitments[seat]
    whole = len(nonce) == 2 * NONCE_BYTES and _HEX.issuperset(nonce)
    if committed is None or not whole or not check_nonce(committed, bytes.fromhex(nonce)):
        raise LobbyRefused(LobbyCode.NONCE_WRONG, seat=seat)
    return [NonceRevealed(n=state.version + 1, seat=seat, nonce=nonce)]


def reopen(state: State, seat: int) -> list[AnyEvent]:
    """A seat failed to reveal its nonce in time: it is free again, every commitment lapses, the table is open.

    Raises `LobbyRefused`: `unknown_seat`, `table_not_closed`, `nonce_not_committed`, `nonce_already_revealed`.
    """
    _check_awaits_nonce(state.table, seat)
    occupant = state.table.seats[seat]
    assert occupant is not None
    return [_unseated(state, seat, occupant)]


def _check_awaits_nonce(table: Table, seat: int) -> None:
    _occupant(table, seat)
    if table.status != "closed":
        raise LobbyRefused(LobbyCode.TABLE_NOT_CLOSED, status=table.status)
    if table.nonce_commitments[seat] is None:
        raise LobbyRefused(LobbyCode.NONCE_NOT_COMMITTED, seat=seat)
    if table.nonces[seat] is not None:
        raise LobbyRefused(LobbyCode.NONCE_ALREADY_REVEALED, seat=seat)


# --- the start, and the hands that follow ---


def start(state: State, chance: Chance, shown: BeaconShown | None = None) -> list[AnyEvent]:
    """The game begins: `started`, then `dealt`, or in a practice game from a position `placed`.

    `shown` is the beacon's round where one was fixed; its signature has been verified (`beacons.BeaconChains`).
    What follows of itself after a position between two hands is for `playing.begin`. Raises `LobbyRefused`:
    `table_not_closed`, `nonces_missing`, `deck_wrong`, and as `check_shown` does.
    """
    table = state.table
    if table.status != "closed":
        raise LobbyRefused(LobbyCode.TABLE_NOT_CLOSED, status=table.status)
    missing = missing_nonces(table)
    if missing:
        raise LobbyRefused(LobbyCode.NONCES_MISSING, seats=list(missing))
    check_shown(table, None if shown is None else shown.beacon)
    started = Started(
        n=state.version + 1,
        entropy=table.nonces,
        beacon=None if shown is None else asdict(shown),
        first_dealer=0,
    )
    # Whoever deals first is drawn with everything that the table has brought together, the randomness too.
    dealer = chance.first_dealer(fold(state, [started]).table)
    happened: list[AnyEvent] = [replace(started, first_dealer=dealer)]
    state = fold(state, happened)
    position = practice_position(table)
    if position is not None:
        happened.append(Placed(n=state.version + 1, position=position))
        return happened
    deck = chance.deck(state)
    assert deck is not None
    happened.append(_deal(state, 1, dealer, deck))
    return happened


def check_shown(table: Table, shown: Beacon | None) -> None:
    """See that the round shown is the one fixed at closing.

    Raises `LobbyRefused`: `beacon_missing`, `beacon_not_used`, `beacon_chain_wrong`, `beacon_round_wrong`.
    """
    fixed = table.beacon
    if fixed == shown:
        return
    if fixed is None:
        raise LobbyRefused(LobbyCode.BEACON_NOT_USED)
    if shown is None:
        raise LobbyRefused(LobbyCode.BEACON_MISSING, chain=fixed.chain, round=fixed.round)
    check_round(fixed, shown)


def check_round(fixed: Beacon, shown: Beacon) -> None:
    """See that a round is the one that was fixed. Raises `LobbyRefused`: `beacon_chain_wrong`, `beacon_round_wrong`."""
    if fixed.chain != shown.chain:
        raise LobbyRefused(LobbyCode.BEACON_CHAIN_WRONG, needed=fixed.chain)
    if fixed.round != shown.round:
        raise LobbyRefused(LobbyCode.BEACON_ROUND_WRONG, needed=fixed.round)


def next_deal(state: State, deck: Sequence[str]) -> Dealt:
    """The deal of the next hand, from a deck of the whole pack, by the dealer whose turn it is (`boards.next_dealer`).

    Raises `LobbyRefused`: `hand_not_over`, `deck_wrong`.
    """
    if state.phase != "hand_over":
        raise LobbyRefused(LobbyCode.HAND_NOT_OVER, phase=state.phase)
    return _deal(state, state.hand + 1, next_dealer(state), deck)


def _deal(state: State, hand: int, dealer: int, deck: Sequence[str]) -> Dealt:
    rules = state.table.rules
    if not is_whole_pack(rules, deck):
        raise LobbyRefused(LobbyCode.DECK_WRONG, cards=52 * rules.packs + rules.jokers)
    return replace(deal(state.table, hand, dealer, deck), n=state.version + 1)


def stand_in(state: State, seat: int, reason: EndReason | None) -> list[AnyEvent]:
    """The next moves of the seat to act are made by a stand-in for its absent player.

    Raises `LobbyRefused`: `unknown_seat`, `game_not_under_way`, `not_to_act`.
    """
    _occupant(state.table, seat)
    if state.table.status != "playing":
        raise LobbyRefused(LobbyCode.GAME_NOT_UNDER_WAY, status=state.table.status)
    to_act = seat_to_act(state)
    if seat != to_act:
        raise LobbyRefused(LobbyCode.NOT_TO_ACT, seat=seat, to_act=to_act)
    return [StoodIn(n=state.version + 1, seat=seat, reason=reason)]
