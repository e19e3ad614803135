"""The applied shuffle is even as far as statistics can tell, and the statistics tell the shuffles that are not.

Seeds are fixed, so the figures are the same each time. Fair: none of the p-values below is under 1e-6; of some 25 of
them together a fair shuffle would fail this once in 40,000 choices of the seeds. Unfair: those named are under 1e-12.
"""

from collections.abc import Callable
from functools import lru_cache, partial

import pytest

from domain.shuffle import deck, shuffle
from tests.domain import shuffle_statistics as statistics
from tests.domain import shufflers
from tests.domain.shuffle_statistics import Orders
from tests.domain.shufflers import PACK, RED_THREES, SIZE, WILD_CARDS, Shuffler, dealt, orders_of

DEALS = 8_000
FEW_DEALS = 4_000
FEW = 5
FEW_SHUFFLES = 24_000
FAIR = 1e-6
UNFAIR = 1e-12

Test = Callable[[Orders], float]

TESTS: dict[str, Test] = {
    "positions": statistics.positions,
    "rising runs": statistics.rising_runs,
    "turning points": statistics.turning_points,
    "correlation of neighbours": statistics.serial_correlation,
    "correlation at two": lambda orders: statistics.serial_correlation(orders, 2),
    "correlation at four": lambda orders: statistics.serial_correlation(orders, 4),
    "old order": statistics.old_order,
    "from deal to deal": statistics.deal_to_deal,
    "fixed points": statistics.fixed_points,
    "first steps": statistics.first_steps,
    "last steps": statistics.last_steps,
    **{
        f"{name} of seat {seat}": partial(statistics.held, marked=marked, players=4, hand_size=15, seat=seat)
        for name, marked in (("red threes", RED_THREES), ("wild cards", WILD_CARDS))
        for seat in range(4)
    },
}


@lru_cache(maxsize=1)
def deals() -> Orders:
    return orders_of(dealt, SIZE, range(DEALS))


@pytest.mark.parametrize("name", TESTS)
def test_full_packs_are_dealt_evenly(name: str) -> None:
    assert TESTS[name](deals()) > FAIR


def test_all_orders_of_a_few_things_come_equally_often() -> None:
    assert statistics.permutations(orders_of(dealt, FEW, range(FEW_SHUFFLES))) > FAIR


def test_no_deal_comes_twice() -> None:
    assert statistics.repeated(map(bytes, deals().astype("uint8"))) == 0


def test_the_pack_is_shuffled_as_its_places_are() -> None:
    """What is found of places holds for the cards of the decks that are dealt."""
    for number in range(20):
        seed = b"pack %d" % number
        assert deck(seed, 3, 6) == [PACK[place] for place in shuffle(seed, range(SIZE))]


# --- negative controls ---


@pytest.mark.parametrize(
    ("shuffler", "found_by"),
    [
        (shufflers.any_index, {"positions"}),
        (shufflers.never_itself, {"fixed points"}),
        (shufflers.modulo_of_bytes, {"positions"}),
        (shufflers.last_stays, {"positions", "fixed points"}),
        (shufflers.first_stays, {"positions", "fixed points"}),
        (shufflers.sorted_by_bytes, {"rising runs"}),
        (shufflers.three_riffles, {"rising runs", "turning points", "positions"}),
        (shufflers.shuffled_again, {"from deal to deal"}),
        (shufflers.hardly_mixed, {"from deal to deal"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_shuffle_that_is_wrong_is_found_out(shuffler: Shuffler, found_by: set[str]) -> None:
    orders = orders_of(shuffler, SIZE, range(FEW_DEALS))
    found = {name for name in found_by if TESTS[name](orders) < UNFAIR}
    assert found == found_by


@pytest.mark.parametrize(
    "shuffler",
    [
        shufflers.any_index,
        shufflers.never_itself,
        shufflers.last_stays,
        shufflers.first_stays,
        shufflers.three_riffles,
    ],
    ids=lambda value: value.__name__,
)
def test_a_shuffle_that_is_wrong_shows_in_a_few_things_too(shuffler: Shuffler) -> None:
    assert statistics.permutations(orders_of(shuffler, FEW, range(FEW_SHUFFLES))) < UNFAIR


def test_a_seed_of_16_bits_repeats_itself_within_a_few_thousand_deals() -> None:
    deals = [tuple(shuffle(seed, range(SIZE))) for seed in shufflers.short_seeds(16, 2_000)]
    assert statistics.repeated(deals) > 10
    assert statistics.repeated(map(shufflers.last_cards, shufflers.short_seeds(16, 2_000))) == statistics.repeated(
        deals
    )


def test_a_seed_of_32_bits_repeats_itself_within_some_hundred_thousand_deals() -> None:
    """About 19 of 400,000 deals come twice; that none did would happen once in a hundred million times."""
    assert statistics.repeated(map(shufflers.last_cards, shufflers.short_seeds(32, 400_000))) > 5


def test_p_values_of_fair_deals_are_spread_evenly_and_others_are_not() -> None:
    parts = [deals()[start : start + 400] for start in range(0, DEALS, 400)]
    for test in (statistics.rising_runs, statistics.turning_points, statistics.old_order):
        assert statistics.uniform([test(part) for part in parts]) > FAIR
    wrong = orders_of(shufflers.sorted_by_bytes, SIZE, range(FEW_DEALS))
    assert (
        statistics.uniform([statistics.rising_runs(wrong[start : start + 400]) for start in range(0, 4000, 400)]) < FAIR
    )
