"""Chance for a bot: numbers from outside, such as `domain.shuffle.words` of a seed."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from domain.shuffle import below

T = TypeVar("T")

Numbers = Iterator[int]
"""An endless stream of 32-bit numbers, all equally likely."""


def one_of(chance: Numbers, choices: Sequence[T]) -> T:
    """One of the choices, all equally likely; there is at least one."""
    return choices[0] if len(choices) == 1 else choices[next(below(chance, (len(choices),)))]


def one_in(chance: Numbers, times: int) -> bool:
    """True once in so many times."""
    return next(below(chance, (times,))) == 0
