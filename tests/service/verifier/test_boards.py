"""Records of games on boards: sound to both verifiers; whatever is not the board's is found by both alike."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from domain.boards import BoardChance, board_terms
from domain.ending import adjudication
from domain.events import AnyEvent, HandEnded
from domain.evolve import replay
from domain.fairness import commitment
from domain.forks import fork_origin
from domain.playing import complete
from domain.records.faults import RecordFaultCode as Code
from domain.records.verification import verify
from domain.records.writer import players_of, write_record
from domain.state import State, Table
from tests.domain.board_tables import CHANCE, TOURNAMENT, deals, played_on
from tests.domain.golden_games import bare
from tests.domain.records.record_files import Game, Values, chained, values_of
from tests.domain.records.test_deals import CHAINS, SHOWN
from tests.domain.tables import MASTER
from tests.domain.test_forks import SEED, begun, played_at_random
from tests.service.verifier.javascript import faults, verdicts

Lines = Sequence[bytes]
MATCH: Final = {"target": 100_000, "target_choices": [100_000]}
BOARDS: Final = (2, 5)


def record(happened: Sequence[AnyEvent], state: State) -> list[bytes]:
    stamped = [
        replace(event, at=f"2026-01-01T00:{event.n // 60:02}:{event.n % 60:02}.5Z", salt=f"{event.n:032x}")
        for event in happened
    ]
    return list(write_record("g1", players_of(state, {}), stamped))


@lru_cache(maxsize=8)
def played(
    stock: str = "striped", beacon: bool = True, players: int = 4, ruleset: str = "samba-official"
) -> list[bytes]:
    shown = SHOWN if beacon else None
    levels = ("greedy", "random", "greedy", "random", "random", "greedy")[:players]
    return record(*played_on(BOARDS, levels, ruleset=ruleset, options=MATCH, stock=stock, shown=shown))


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("stock", ["common", "striped"])
@pytest.mark.parametrize("beacon", [False, True])
def test_a_game_on_boards_is_sound(stock: str, beacon: bool, players: int) -> None:
    lines = played(stock, beacon, players)
    verdict = verify(lines, beacon=CHAINS)
    assert verdict.fault is None
    assert (verdict.checks["fairness"], verdict.hands) == ("passed", 2)
    assert verdict.checks["beacon_signature"] == ("passed" if beacon else "not_applicable")
    (found,) = verdicts([b"".join(lines)])
    assert found["fault"] is None
    assert found["table"]["fairness"]["label"] == ("boards_and_beacon" if beacon else "boards")


@pytest.mark.parametrize("ruleset", ["samba-czech", "canasta-classic", "bolivia", "samba-hoyle"])
def test_striped_boards_of_every_way_with_the_stock_are_sound(ruleset: str) -> None:
    """Red threes laid unasked, and a pile that is turned over into new stripes."""
    lines = played("striped", False, 3, ruleset)
    assert verify(lines).fault is None
    assert faults([lines]) == [None]


# --- planted faults ---


class OtherDealer(BoardChance, frozen=True):
    """The right decks, and the first of them dealt by another seat."""

    def first_dealer(self, table: Table) -> int:
        return (super().first_dealer(table) + 1) % table.rules.players


class Swapped(BoardChance, frozen=True):
    """The decks of the two boards, each in place of the other."""

    def deck(self, state: State) -> Sequence[str] | None:
        return None if state.hand > 1 else super().deck(replace(state, hand=1 - state.hand))


class Chosen(BoardChance, frozen=True):
    """The deck of a board that is not among those of the game."""

    def deck(self, state: State) -> Sequence[str] | None:
        deck = super().deck(state)
        return None if deck is None else [deck[-1], *deck[:-1]]


class Endless(BoardChance, frozen=True):
    """A hand more than there are boards."""

    def deck(self, state: State) -> Sequence[str] | None:
        return super().deck(replace(state, hand=min(state.hand, 1)))


class Unbound(BoardChance, frozen=True):
    """The boards of another tournament of the same master."""

    def deck(self, state: State) -> Sequence[str] | None:
        return BoardChance("t2", self.master).deck(state)


def dealt_by(kind: type[BoardChance], boards: Sequence[int] = BOARDS, hands: int = 2) -> list[bytes]:
    """A game that was dealt otherwise than its terms say, and reveals what they say."""
    chance = kind(TOURNAMENT, MASTER)
    game = Game(fairness=board_terms(TOURNAMENT, MASTER, boards), options=MATCH, stock="striped")
    game.begin(chance)
    while game.state.phase != "game_over" and game.state.hand <= hands:
        game.move(chance)
    if game.state.phase != "game_over":
        game.add(adjudication(game.state, None, "agreement"))
    game.add(complete(game.state, [], CHANCE)[0])
    return game.record()


def changed(change: Callable[[list[Values]], Any], **how: Any) -> list[bytes]:
    """The record of a game after a change to its events, with every hash made anew."""
    header, *events = values_of(played(**how)[:-1])
    change(events)
    return chained(header, events)


def of(kind: str, key: str, value: Any, nth: int = 0) -> Callable[[list[Values]], None]:
    """Sets a value in the nth event of a kind; a dot leads into an object."""

    def change(events: list[Values]) -> None:
        *way, last = key.split(".")
        within = [event for event in events if event["type"] == kind][nth]
        for step in way:
            within = within[step]
        within[last] = value

    return change


def draws_of(events: list[Values]) -> list[Values]:
    return [event for event in events if event["type"] == "drew" and not event["red_threes"]]


def from_another_stripe(events: list[Values]) -> None:
    """The first seat draws what would have been the next one's: the deck is the same, and the stripes are not kept."""
    first, second = draws_of(events)[:2]
    assert first["seat"] != second["seat"]
    assert first["cards"] != second["cards"]
    first["cards"], second["cards"] = second["cards"], first["cards"]


def without_reveal(events: list[Values]) -> None:
    del events[-1]


DEALT, STARTED, CREATED, CLOSED, REVEALED, DREW = "dealt", "started", "created", "closed", "revealed", "drew"

PLANTED: Final[dict[str, tuple[Callable[[], Lines], str, Code]]] = {
    "another board of the same dealer": (
        lambda: changed(of(CREATED, "fairness.boards", [2, 9])), DEALT, Code.DECK_WRONG,
    ),
    "another board of another dealer": (
        lambda: changed(of(CREATED, "fairness.boards", [3, 5])), STARTED, Code.DEALER_WRONG,
    ),
    "boards in another order": (lambda: changed(of(CREATED, "fairness.boards", [5, 2])), STARTED, Code.DEALER_WRONG),
    "a later board of another dealer": (lambda: changed(of(CREATED, "fairness.boards", [2, 4])), DEALT, Code.DIFFERS),
    "a board too few": (lambda: changed(of(CREATED, "fairness.boards", [2])), DEALT, Code.OUT_OF_PLACE),
    "a hand too many": (lambda: dealt_by(Endless), DEALT, Code.OUT_OF_PLACE),
    "no boards": (lambda: changed(of(CREATED, "fairness.boards", [])), CREATED, Code.FAIRNESS_INVALID),
    "a board of no number": (lambda: changed(of(CREATED, "fairness.boards", [2, 0])), CREATED, Code.FAIRNESS_INVALID),
    "a board beyond four bytes": (
        lambda: changed(of(CREATED, "fairness.boards", [2, 2**32])), CREATED, Code.FAIRNESS_INVALID,
    ),
    "terms with a mode": (lambda: changed(of(CREATED, "fairness.mode", "players")), CREATED, Code.FAIRNESS_INVALID),
    "the first dealer of another board": (lambda: dealt_by(OtherDealer), STARTED, Code.DEALER_WRONG),
    "a first dealer that did not deal": (lambda: changed(of(STARTED, "first_dealer", 3)), STARTED, Code.DEALER_WRONG),
    "a later dealer": (lambda: changed(of(DEALT, "dealer", 1, nth=1)), DEALT, Code.DIFFERS),
    "decks swapped": (lambda: dealt_by(Swapped), DEALT, Code.DECK_WRONG),
    "a deck chosen": (lambda: dealt_by(Chosen), DEALT, Code.DECK_WRONG),
    "decks of another tournament": (lambda: dealt_by(Unbound), DEALT, Code.DECK_WRONG),
    "another tournament in the terms": (
        lambda: changed(of(CREATED, "fairness.tournament", "t2")), REVEALED, Code.FAIRNESS_INVALID,
    ),
    "another tournament in the context": (
        lambda: changed(of(REVEALED, "context.tournament", "t2")), REVEALED, Code.FAIRNESS_INVALID,
    ),
    "a context of seats": (lambda: changed(of(REVEALED, "context.seats", [])), REVEALED, Code.FAIRNESS_INVALID),
    "a context without its round": (
        lambda: changed(of(REVEALED, "context.beacon", None)), REVEALED, Code.FAIRNESS_INVALID,
    ),
    "a round that closing did not fix": (lambda: changed(of(CLOSED, "beacon.round", 1)), STARTED, Code.BEACON_WRONG),
    "another randomness": (lambda: changed(of(STARTED, "beacon.randomness", "00" * 32)), STARTED, Code.BEACON_WRONG),
    "another master": (lambda: changed(of(REVEALED, "master", "00" * 128)), REVEALED, Code.COMMITMENT_WRONG),
    "half a master": (lambda: changed(of(REVEALED, "master", MASTER.hex()[:128])), REVEALED, Code.COMMITMENT_WRONG),
    "the commitment of a single game": (
        lambda: changed(of(CREATED, "fairness.commitment", commitment(MASTER))), REVEALED, Code.COMMITMENT_WRONG,
    ),
    "a nonce": (
        lambda: changed(of(CLOSED, "nonce_commitments", ["ab" * 32, None, None, None])), CLOSED, Code.TABLE_REFUSED,
    ),
    "cards of another stripe": (lambda: changed(from_another_stripe), DREW, Code.DIFFERS),
    "a striped stock told to be common": (lambda: changed(of(CREATED, "stock", "common")), DREW, Code.DIFFERS),
    "a common stock told to be striped": (
        lambda: changed(of(CREATED, "stock", "striped"), stock="common"), DREW, Code.DIFFERS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_deal_that_is_not_the_boards_is_found_at_its_place(name: str) -> None:
    make, kind, code = PLANTED[name]
    lines = make()
    fault = verify(lines, beacon=CHAINS).fault
    assert fault is not None
    assert (values_of(lines)[fault.line - 1]["type"], fault.code) == (kind, code)
    assert faults([lines]) == [(fault.line, fault.code.value)]


def test_a_game_on_boards_that_is_not_revealed_is_no_whole_record() -> None:
    lines = changed(without_reveal)
    fault = verify(lines, beacon=CHAINS).fault
    assert fault is not None
    assert (fault.line, fault.code) == (len(lines), Code.NOT_REVEALED)
    assert faults([lines]) == [(fault.line, "not_revealed")]


def test_a_game_dealt_rightly_by_the_same_means_is_sound() -> None:
    """So that what is found above is what was planted, and not the way it was done."""
    lines = dealt_by(BoardChance)
    assert verify(lines).fault is None
    assert faults([lines]) == [None]


@pytest.mark.parametrize("dealers", [None, [0], [3]])
def test_a_fork_of_boards_is_dealt_by_the_dealers_that_its_origin_names(dealers: list[int] | None) -> None:
    """Board 8 is dealt by seat 3, and not by the seat behind the dealer of board 2."""
    happened, _ = played_on((2, 8), ("greedy",) * 4, options=MATCH)
    kept = [replace(event, hash=f"{event.n:064x}", prev=f"{event.n - 1:064x}") for event in happened]
    at = next(event.n for event in kept if isinstance(event, HandEnded)) - 3
    origin = fork_origin("g1", kept, at, "original", SEED)
    made = [bare(event) for event in played_at_random(begun(kept, origin), Random("boards"), hands=2)]
    assert deals(made)[0].dealer == 3
    lines = record(made, replay(made))
    if dealers is not None:
        header, *values = values_of(lines[:-1])
        values[0]["origin"]["dealers"] = dealers
        lines = chained(header, values)
    fault = verify(lines).fault
    assert (None if fault is None else fault.code) == (Code.DIFFERS if dealers == [0] else None)
    assert faults([lines]) == [None if fault is None else (fault.line, fault.code.value)]


def test_two_tables_of_a_board_hold_the_same_deck_in_their_records() -> None:
    one, other = (values_of(played(stock, True)[:-1]) for stock in ("striped", "common"))
    decks = [[event["deck"] for event in events if event.get("type") == DEALT] for events in (one, other)]
    assert decks[0] == decks[1]
