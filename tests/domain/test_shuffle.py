"""The shuffle (formats part 9), by the shared vectors and its laws."""

from hashlib import shake_256
from itertools import islice
from struct import pack as packed
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import pack
from domain.shuffle import below, deck, shuffle, words
from tests.domain.fairness_vectors import VECTORS, deck_sha256


@pytest.mark.parametrize("vector", VECTORS["shuffle"], ids=lambda vector: str(vector["name"]))
def test_a_deck_is_that_of_its_vector(vector: dict[str, Any]) -> None:
    cards = deck(bytes.fromhex(vector["seed_hex"]), vector["packs"], vector["jokers"])
    assert cards[:16] == vector["first_16"]
    assert deck_sha256(cards) == vector["deck_sha256"]


@pytest.mark.parametrize("number", VECTORS["below"]["results"])
def test_a_shuffle_of_numbers_is_that_of_its_vector(number: str) -> None:
    assert shuffle(bytes(128), range(int(number))) == VECTORS["below"]["results"][number]


def test_nothing_and_one_thing_need_no_chance() -> None:
    assert shuffle(b"seed", []) == []
    assert shuffle(b"seed", ["a"]) == ["a"]


@given(st.binary(max_size=200), st.integers(1, 6), st.integers(0, 24))
def test_a_shuffled_pack_is_the_pack(seed: bytes, packs: int, jokers: int) -> None:
    assert sorted(deck(seed, packs, jokers)) == sorted(pack(packs, jokers))


def test_the_stream_of_words_is_shake256_however_long() -> None:
    number = 1000
    assert packed(f">{number}I", *islice(words(b"seed"), number)) == shake_256(b"seed").digest(4 * number)


def test_a_word_past_the_last_whole_multiple_is_rejected() -> None:
    limit = 2**32 - 2**32 % 10
    assert list(below(iter([limit, 2**32 - 1, limit - 1, 13]), [10, 10])) == [(limit - 1) % 10, 3]


def test_a_bound_that_divides_the_span_rejects_nothing() -> None:
    assert list(below(iter([2**32 - 1, 5]), [2**16, 1])) == [2**16 - 1, 0]


def test_a_long_list_is_shuffled_past_the_first_words() -> None:
    order = shuffle(b"seed", range(1000))
    assert sorted(order) == list(range(1000))
    assert order != list(range(1000))
