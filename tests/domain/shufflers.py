"""Shuffles to be judged: the one that deals are made with, and such as have often been got wrong."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import shake_256
from struct import unpack
from typing import Final

import numpy as np

from domain.cards import pack
from domain.fairness import MASTER_BYTES, DealContext, hand_seed
from domain.shuffle import below, shuffle, words
from tests.domain.shuffle_statistics import Orders

Shuffler = Callable[[int, int], list[int]]
"""From the number of a deal and the number of cards to an order."""

HANDS: Final = 8
"""Hands of a game, all from one master."""

PACK: Final = pack(3, 6)
SIZE: Final = len(PACK)
"""162: the pack of Samba."""

RED_THREES: Final = [place for place, face in enumerate(PACK) if face in ("3H", "3D")]
WILD_CARDS: Final = [place for place, face in enumerate(PACK) if face == "JK" or face[0] == "2"]


def dealt(number: int, size: int) -> list[int]:
    """The order of a hand of a fair game: through master, nonce, context and hand seed, as the service deals it."""
    game, hand = divmod(number, HANDS)
    context = DealContext(
        game=f"g{game}", ruleset_hash="0" * 64, players=4, seats=("p0", "p1", "p2", "p3"), beacon=None
    )
    master = shake_256(b"statistics of shuffles %d" % game).digest(MASTER_BYTES)
    return shuffle(hand_seed(context, master, [b"\x01" * 32, None, None, None], None, hand + 1), range(size))


def orders_of(shuffler: Shuffler, size: int, deals: Iterable[int]) -> Orders:
    """The orders of these deals, one a row."""
    return np.array([shuffler(number, size) for number in deals], dtype=np.int16)


# --- what must be found out ---


def seed_of(number: int) -> bytes:
    return b"control %d" % number


def stream(number: int) -> Iterator[int]:
    return words(seed_of(number))


def any_index(number: int, size: int) -> list[int]:
    """Every card is swapped with any other: n to the n ways, which n! does not divide."""
    order = list(range(size))
    for place, chosen in zip(range(size), below(stream(number), [size] * size), strict=True):
        order[place], order[chosen] = order[chosen], order[place]
    return order


def never_itself(number: int, size: int) -> list[int]:
    """Sattolo's cycles: no card is ever swapped with itself."""
    order = list(range(size))
    places = range(size - 1, 0, -1)
    for place, chosen in zip(places, below(stream(number), places), strict=True):
        order[place], order[chosen] = order[chosen], order[place]
    return order


def modulo_of_bytes(number: int, size: int) -> list[int]:
    """A byte modulo what is needed, none of them rejected: small numbers come more often."""
    order = list(range(size))
    for place, word in zip(range(size - 1, 0, -1), shake_256(seed_of(number)).digest(size), strict=False):
        chosen = word % (place + 1)
        order[place], order[chosen] = order[chosen], order[place]
    return order


def last_stays(number: int, size: int) -> list[int]:
    """One step too few: the last card is never moved."""
    return [*shuffle(seed_of(number), range(size - 1)), size - 1]


def first_stays(number: int, size: int) -> list[int]:
    """One step too few at the other end."""
    return [0, *shuffle(seed_of(number), range(1, size))]


def sorted_by_bytes(number: int, size: int) -> list[int]:
    """Sorted by random keys of a byte, equal ones in their old order."""
    keys = shake_256(seed_of(number)).digest(size)
    return sorted(range(size), key=keys.__getitem__)


def three_riffles(number: int, size: int) -> list[int]:
    """What hands do: three riffles, of which each leaves rising sequences."""
    order = list(range(size))
    bits = np.unpackbits(np.frombuffer(shake_256(seed_of(number)).digest(3 * size), dtype=np.uint8))
    for riffle in range(3):
        piles: tuple[list[int], list[int]] = ([], [])
        for card, bit in zip(order, bits[riffle * size :], strict=False):
            piles[bit].append(card)
        order = piles[0] + piles[1]
    return order


def shuffled_again(number: int, size: int) -> list[int]:
    """One seed for all hands of a game."""
    return shuffle(seed_of(number // HANDS), range(size))


def hardly_mixed(number: int, size: int) -> list[int]:
    """A few cards of the deal before are swapped, as if that were a shuffle."""
    order = shuffle(seed_of(number - number % HANDS), range(size))
    swaps = 2 * (size // 8) * (number % HANDS)
    chosen = list(below(stream(number - number % HANDS), [size] * swaps))
    for one, other in zip(chosen[::2], chosen[1::2], strict=True):
        order[one], order[other] = order[other], order[one]
    return order


def short_seeds(bits: int, deals: int) -> list[bytes]:
    """Seeds of so many random bits, such as a clock gives: each deal can be found by trying all of them."""
    drawn = unpack(f">{deals}I", shake_256(b"short seeds").digest(4 * deals))
    return [(number >> (32 - bits)).to_bytes(4, "big") for number in drawn]


def last_cards(seed: bytes, cards: int = 8) -> bytes:
    """What places the last cards of a deal, which is enough to tell deals apart."""
    return shake_256(seed + b"deck").digest(4 * cards)
