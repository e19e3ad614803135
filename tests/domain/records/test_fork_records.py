"""The record of a fork: sound as it stands, and found out where its origin does not give what happened."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain import events
from domain.evolve import replay
from domain.forks import fork_origin
from domain.records.faults import RecordFaultCode as Code
from domain.records.verification import verify
from domain.records.writer import players_of, write_record
from tests.domain.golden_games import NAMES, bare, events_of
from tests.domain.records.record_files import Values, chained, told, values_of
from tests.domain.tables import GAME
from tests.domain.test_forks import SEED, begun, played_at_random, points

FULL = "g1-samba-official-4p"


def record_of(name: str, n: int, deck: Any = "original") -> list[bytes]:
    """The record of a fork that leaves a golden game after event `n` and is played on at random."""
    happened = events_of(name)
    game = played_at_random(begun(happened, fork_origin("g1", happened, n, deck, SEED)), Random(n), hands=1)
    stamped = [
        replace(bare(event), at=f"2026-01-01T00:00:{event.n % 60:02}.5Z", salt=f"{event.n:032x}") for event in game
    ]
    return list(write_record(GAME, players_of(replay(game), {}), stamped))


@pytest.mark.parametrize("name", NAMES)
def test_a_fork_of_any_game_verifies(name: str) -> None:
    for n in points(events_of(name), 2, Random(name))[::4]:
        for deck in ("original", "fresh"):
            verdict = verify(record_of(name, n, deck))
            assert verdict.ok, (n, deck, verdict.fault)
            assert verdict.practice


def between_hands() -> int:
    return next(event.n for event in events_of(FULL) if isinstance(event, events.HandEnded))


def in_a_turn() -> int:
    happened = events_of(FULL)
    return next(event.n for event in happened[between_hands() :] if isinstance(event, events.Melded))


def of_type(values: list[Values], kind: str) -> Values:
    return next(value for value in values if value["type"] == kind)


def other_position(values: list[Values]) -> None:
    of_type(values, "placed")["position"]["scores"][0] += 5


def other_dealer(values: list[Values]) -> None:
    values[0]["origin"]["dealer"] = (of_type(values, "started")["first_dealer"] + 1) % 4


def stripes_of_a_common_stock(values: list[Values]) -> None:
    values[0]["origin"]["carried"]["stripes"] = [1, 2, 3, 4]


def no_hash(values: list[Values]) -> None:
    values[0]["origin"]["hash"] = "the one of the game"


CHANGES: list[tuple[Callable[[], int], Callable[[list[Values]], None], str, Code]] = [
    (lambda: 1, other_dealer, "started", Code.DIFFERS),
    (between_hands, other_position, "placed", Code.DIFFERS),
    (in_a_turn, stripes_of_a_common_stock, "created", Code.TABLE_REFUSED),
    (in_a_turn, no_hash, "created", Code.TABLE_REFUSED),
]


@pytest.mark.parametrize(("left", "change", "kind", "code"), CHANGES)
def test_what_the_origin_does_not_give_is_found(
    left: Callable[[], int], change: Callable[[list[Values]], None], kind: str, code: Code
) -> None:
    header, *values = values_of(record_of(FULL, left())[:-1])
    change(values)
    line = next(place for place, value in enumerate(values, start=2) if value["type"] == kind)
    assert told(chained(header, values)) == (line, code.value)


def test_another_deck_than_the_original_is_found() -> None:
    header, *values = values_of(record_of(FULL, between_hands())[:-1])
    decks = values[0]["origin"]["decks"]
    decks[0], decks[1] = decks[1], decks[0]
    line = next(place for place, value in enumerate(values, start=2) if value["type"] == "dealt")
    assert told(chained(header, values)) == (line, Code.DECK_WRONG.value)


def test_melds_are_numbered_on_from_what_was_carried() -> None:
    header, *values = values_of(record_of(FULL, in_a_turn())[:-1])
    carried = values[0]["origin"]["carried"]
    first = carried["next_meld"]
    line = next(place for place, value in enumerate(values, start=2) if f"'id': 'm{first}'" in str(value))
    carried["next_meld"] += 1
    assert told(chained(header, values)) == (line, Code.DIFFERS.value)
