"""The shuffle (formats part 9): from a seed of any length to the order of a deck, alike in any language."""

from collections.abc import Iterable, Iterator
from hashlib import shake_256
from struct import unpack
from typing import Final, TypeVar

from domain.cards import pack

T = TypeVar("T")

_SPAN: Final = 2**32
_WORDS_FIRST: Final = 192
"""Enough for a deck of 162 cards, so that the stream is computed once for it."""


def words(seed: bytes) -> Iterator[int]:
    """The endless SHAKE256 stream of a seed, as 4-byte big-endian words."""
    stream = shake_256(seed)
    read, wanted = 0, _WORDS_FIRST
    while True:
        yield from unpack(f">{wanted}I", stream.digest(4 * wanted))[read:]
        read, wanted = wanted, 2 * wanted


def below(stream: Iterator[int], bounds: Iterable[int]) -> Iterator[int]:
    """For every bound a number from 0 to bound - 1, all equally likely, by the next words of the stream.

    A bound is from 1 to 2**32.
    """
    for bound in bounds:
        limit = _SPAN - _SPAN % bound
        for word in stream:
            if word < limit:
                yield word % bound
                break


def shuffle(seed: bytes, items: Iterable[T]) -> list[T]:
    """The items in the order that the seed gives them."""
    order = list(items)
    places = range(len(order) - 1, 0, -1)
    numbers = below(words(seed + b"deck"), range(len(order), 1, -1))
    for last, chosen in zip(places, numbers, strict=True):
        order[last], order[chosen] = order[chosen], order[last]
    return order


def deck(seed: bytes, packs: int, jokers: int) -> list[str]:
    """The shuffled pack of one hand as faces, the first drawn first."""
    return shuffle(seed, pack(packs, jokers))
