"""Whist movements, mixes of tables, individual Swiss."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.pairing.shapes import NoPairing, NoPairingCode
from domain.pairing.table_mixes import Individual, individual_swiss, table_mix
from domain.pairing.whist import whist

PLAYERS = [4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25]


@pytest.mark.parametrize("players", PLAYERS)
def test_in_a_whist_movement_every_two_partner_once_and_oppose_twice(players: int) -> None:
    movement = whist(players)
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for number, movement_round in enumerate(movement.rounds, 1):
        seated = [player for table in movement_round.tables for side in table.sides for player in side]
        assert sorted([*seated, *movement_round.out]) == list(range(1, players + 1))
        assert movement_round.out == ((number,) if players % 4 else ())
        for table in movement_round.tables:
            one, other = table.sides
            partners.update(map(frozenset, (one, other)))
            opponents.update(frozenset((a, b)) for a in one for b in other)
    every = {frozenset(pair) for pair in combinations(range(1, players + 1), 2)}
    assert partners == Counter(dict.fromkeys(every, 1))
    assert opponents == Counter(dict.fromkeys(every, 2))
    assert len(movement.rounds) == players - 1 + players % 4


def test_fewer_rounds_are_the_first_ones() -> None:
    assert whist(12, 4).rounds == whist(12).rounds[:4]


@pytest.mark.parametrize(
    ("players", "rounds", "code"),
    [
        (3, None, NoPairingCode.TOO_FEW),
        (28, None, NoPairingCode.TOO_MANY),
        (6, None, NoPairingCode.FIELD_INVALID),
        (11, None, NoPairingCode.FIELD_INVALID),
        (8, 8, NoPairingCode.ROUNDS_IMPOSSIBLE),
        (8, 0, NoPairingCode.ROUNDS_IMPOSSIBLE),
    ],
)
def test_a_whist_movement_is_bounded(players: int, rounds: int | None, code: NoPairingCode) -> None:
    with pytest.raises(NoPairing) as caught:
        whist(players, rounds)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("players", "mix"),
    [
        (3, (3,)),
        (4, (4,)),
        (5, (5,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (4, 5)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (13, (4, 4, 5)),
        (14, (4, 4, 3, 3)),
        (15, (4, 4, 4, 3)),
    ],
)
def test_mixes_of_tables_are_the_published_ones(players: int, mix: tuple[int, ...]) -> None:
    assert table_mix(players) == mix


def test_a_table_of_six_replaces_two_of_three_where_permitted() -> None:
    assert table_mix(10, (3, 4, 5, 6)) == (4, 6)
    assert table_mix(12, (6,)) == (6, 6)
    assert table_mix(7, (2, 3)) == (3, 2, 2)


@pytest.mark.parametrize(("players", "sizes"), [(0, (3, 4)), (2, (3, 4)), (5, (4,)), (7, (6,)), (4, ()), (2000, (4,))])
def test_a_mix_that_does_not_exist_is_refused(players: int, sizes: tuple[int, ...]) -> None:
    with pytest.raises(NoPairing):
        table_mix(players, sizes)


@given(st.integers(3, 300))
def test_every_number_from_three_is_seated(players: int) -> None:
    assert sum(table_mix(players)) == players


def people(scores: list[int], ratings: list[int] | None = None, odd: dict[int, int] | None = None) -> list[Individual]:
    return [
        Individual(f"e{i}", i, score, (ratings or [0] * len(scores))[i - 1], (odd or {}).get(i, 0))
        for i, score in enumerate(scores, 1)
    ]


def test_the_four_leaders_sit_together_and_ratings_balance_the_sides() -> None:
    grouping = individual_swiss(people([0, 9, 8, 0, 7, 6, 0, 0], [10, 50, 40, 10, 30, 5, 10, 10]), {}, {})
    assert grouping.tables[0] == (("e2", "e6"), ("e3", "e5"))
    assert {player for side in grouping.tables[1] for player in side} == {"e1", "e4", "e7", "e8"}


def test_a_partner_again_costs_as_much_as_ten_opponents_again() -> None:
    past = {("e4", "e1"): 1}
    assert individual_swiss(people([0] * 4), past, {}).tables == ((("e1", "e3"), ("e2", "e4")),)
    assert individual_swiss(people([0] * 4), past, {("e3", "e2"): 9}).tables == ((("e1", "e3"), ("e2", "e4")),)
    assert individual_swiss(people([0] * 4), past, {("e3", "e2"): 11}).tables == ((("e1", "e4"), ("e2", "e3")),)


def test_opponents_again_are_spread() -> None:
    past = {("e4", "e1"): 1}
    assert individual_swiss(people([0] * 4), past, {("e1", "e2"): 3, ("e2", "e3"): 3}).tables[0] == (
        ("e1", "e2"),
        ("e3", "e4"),
    )


def test_ten_have_two_tables_of_three_filled_from_below_by_turns() -> None:
    first = individual_swiss(people([0] * 10), {}, {})
    assert [len(sides) for sides in first.tables] == [2, 3, 3]
    assert {side[0] for table in first.tables[1:] for side in table} == {f"e{i}" for i in range(5, 11)}
    second = individual_swiss(people([0] * 10, odd=dict.fromkeys(range(5, 11), 1)), {}, {})
    assert {f"e{i}" for i in range(1, 5)} <= {side[0] for table in second.tables[1:] for side in table}


def test_a_table_of_six_has_three_sides_of_partners() -> None:
    sides = individual_swiss(people([0] * 6, [6, 5, 4, 3, 2, 1]), {}, {}, sizes=(6,)).tables[0]
    assert sides == (("e1", "e6"), ("e2", "e5"), ("e3", "e4"))


def test_two_players_of_one_name_are_refused() -> None:
    with pytest.raises(NoPairing):
        individual_swiss([Individual("e1", 1), Individual("e1", 2), *people([0] * 4)[2:]], {}, {})
