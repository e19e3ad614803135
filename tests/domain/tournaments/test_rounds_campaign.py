"""Two thousand random tournaments hold every invariant; more with `python -m tests.domain.tournaments.campaign`."""

import pytest

from tests.domain.tournaments.campaign import LARGE, SMALL, Campaign

SMALLEST = SMALL[:5]


@pytest.mark.parametrize("hundred", range(19))
def test_small_tournaments_hold_every_invariant(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        Campaign(seed, SMALL if seed % 4 == 0 else SMALLEST).run()


@pytest.mark.parametrize("ten", range(10))
def test_large_tournaments_hold_every_invariant(ten: int) -> None:
    for seed in range(10_000 + 10 * ten, 10_010 + 10 * ten):
        Campaign(seed, LARGE if seed % 10 == 0 else (*SMALL, *LARGE[:2])).run()
