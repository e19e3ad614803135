"""Round robin, Mitchell and Howell against their published tables and what makes them what they are."""

from collections import Counter
from itertools import combinations

import pytest

from domain.pairing.berger import round_robin
from domain.pairing.howell import howell
from domain.pairing.mitchell import mitchell, most_rounds
from domain.pairing.movements import Movement, Round
from domain.pairing.shapes import NoPairing, NoPairingCode


def pairs(movement_round: Round) -> list[tuple[int, int]]:
    return [(table.sides[0][0], table.sides[1][0]) for table in movement_round.tables]


def meetings(movement: Movement) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for movement_round in movement.rounds for pair in pairs(movement_round))


def same_way(movement: Movement) -> dict[tuple[int, int], int]:
    """In how many rounds two entrants, the lower number first, sit the same way."""
    counts = dict.fromkeys(combinations(range(1, movement.entrants + 1), 2), 0)
    for movement_round in movement.rounds:
        for line in (0, 1):
            sitting = sorted(number for table in movement_round.tables for number in table.sides[line])
            for couple in combinations(sitting, 2):
                counts[couple] += 1
    return counts


def check_seating(movement: Movement) -> None:
    """Everyone is at one table or sits out in every round, and nobody plays a set of boards twice."""
    played: Counter[tuple[int, int]] = Counter()
    for movement_round in movement.rounds:
        seated = [number for table in movement_round.tables for side in table.sides for number in side]
        assert sorted([*seated, *movement_round.out]) == list(range(1, movement.entrants + 1))
        played.update(
            (number, table.boards) for table in movement_round.tables for side in table.sides for number in side
        )
    assert max(played.values()) == 1


def test_the_round_robin_of_six_is_the_published_one() -> None:
    published = ["1-6 2-5 3-4", "2-6 3-1 4-5", "3-6 4-2 5-1", "4-6 5-3 1-2", "5-6 1-4 2-3"]
    expected = [{frozenset(map(int, pair.split("-"))) for pair in line.split()} for line in published]
    assert [{frozenset(pair) for pair in pairs(r)} for r in round_robin(6).rounds] == expected


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 15, 16, 31, 32])
def test_in_a_round_robin_everyone_meets_everyone_once_with_even_sides(entrants: int) -> None:
    movement = round_robin(entrants)
    check_seating(movement)
    assert meetings(movement) == Counter(frozenset(pair) for pair in combinations(range(1, entrants + 1), 2))
    assert all(len(r.out) == entrants % 2 for r in movement.rounds)
    ns = Counter(pair[0] for r in movement.rounds for pair in pairs(r))
    ew = Counter(pair[1] for r in movement.rounds for pair in pairs(r))
    assert all(abs(ns[number] - ew[number]) <= 1 for number in range(1, entrants + 1))


@pytest.mark.parametrize("entrants", [2, 5, 6])
def test_a_double_round_robin_repeats_with_sides_reversed(entrants: int) -> None:
    once, twice = round_robin(entrants), round_robin(entrants, double=True)
    half = len(once.rounds)
    assert len(twice.rounds) == 2 * half
    for number in range(half):
        assert pairs(twice.rounds[half + number]) == [(ew, ns) for ns, ew in pairs(twice.rounds[number])]
    assert set(meetings(twice).values()) == {2}


@pytest.mark.parametrize("entrants", [0, 1, 1001])
def test_a_round_robin_is_bounded(entrants: int) -> None:
    with pytest.raises(NoPairing) as caught:
        round_robin(entrants)
    assert caught.value.code in (NoPairingCode.TOO_FEW, NoPairingCode.TOO_MANY)


def test_round_two_of_the_mitchell_of_five_tables_is_the_published_one() -> None:
    movement_round = mitchell(10).rounds[1]
    seen = [
        (ns, ew - 5, table.boards) for (ns, ew), table in zip(pairs(movement_round), movement_round.tables, strict=True)
    ]
    assert seen == [(1, 5, 2), (2, 1, 3), (3, 2, 4), (4, 3, 5), (5, 4, 1)]


@pytest.mark.parametrize("tables", range(1, 17))
def test_in_a_mitchell_no_two_meet_twice_and_nobody_repeats_boards(tables: int) -> None:
    movement = mitchell(2 * tables)
    check_seating(movement)
    assert len(movement.rounds) == (tables if tables % 2 or tables == 1 else tables - 1)
    assert set(meetings(movement).values()) == {1}
    assert movement.winners == 2
    assert all(ns <= tables < ew for r in movement.rounds for ns, ew in pairs(r))


def test_the_skip_moves_east_west_by_two_at_half_time() -> None:
    rounds = mitchell(12).rounds
    before, after = dict(pairs(rounds[2])), dict(pairs(rounds[3]))
    assert before[1] == 11
    assert after[1] == 9


def test_an_arrow_switch_turns_the_last_rounds_and_makes_one_winner() -> None:
    plain, switched = mitchell(14), mitchell(14, arrow_switched=2)
    assert switched.winners == 1
    assert [pairs(r) for r in switched.rounds[:5]] == [pairs(r) for r in plain.rounds[:5]]
    for turned, straight in zip(switched.rounds[5:], plain.rounds[5:], strict=True):
        assert pairs(turned) == [(ew, ns) for ns, ew in pairs(straight)]


@pytest.mark.parametrize("switched", [-1, 6])
def test_no_more_rounds_are_switched_than_there_are(switched: int) -> None:
    with pytest.raises(NoPairing) as caught:
        mitchell(10, arrow_switched=switched)
    assert caught.value.params == {"rounds": switched, "most": 5}
    assert str(caught.value) == f"An arrow switch turns 0 to 5 of the rounds, {switched} are asked for."


def test_at_a_half_table_one_of_the_full_line_sits_out() -> None:
    movement = mitchell(7)
    check_seating(movement)
    assert all(len(r.tables) == 3 for r in movement.rounds)
    assert all(ns in range(1, 5) for r in movement.rounds for ns, _ in pairs(r))
    out = [r.out[0] for r in movement.rounds]
    assert len(set(out)) == len(out)
    assert set(out) <= set(range(1, 5))


@pytest.mark.parametrize(
    ("pairs_", "rounds", "switched"), [(10, 6, 0), (12, 6, 0), (10, 0, 0), (10, 5, 6), (10, 5, -1)]
)
def test_a_mitchell_has_no_more_rounds_than_it_can(pairs_: int, rounds: int, switched: int) -> None:
    with pytest.raises(NoPairing) as caught:
        mitchell(pairs_, rounds, arrow_switched=switched)
    assert caught.value.code == NoPairingCode.ROUNDS_IMPOSSIBLE
    assert most_rounds(10) == most_rounds(12) == 5


@pytest.mark.parametrize(
    ("count", "starter", "each"),
    [(4, "4-1 2-3", 1), (8, "8-1 2-7 3-6 5-4", 3), (12, "12-1 2-11 10-3 4-9 5-8 6-7", 5)],
)
def test_the_howells_of_four_eight_and_twelve_are_published_and_perfect(count: int, starter: str, each: int) -> None:
    movement = howell(count)
    first = [tuple(map(int, pair.split("-"))) for pair in starter.split()]
    assert pairs(movement.rounds[0]) == first
    assert pairs(movement.rounds[1]) == [
        (first[0][0], first[0][1] + 1),
        *(tuple(number % (count - 1) + 1 for number in pair) for pair in first[1:]),
    ]
    assert set(same_way(movement).values()) == {each}


@pytest.mark.parametrize("count", range(3, 41))
def test_in_a_howell_everyone_meets_everyone_once_on_the_same_boards(count: int) -> None:
    movement = howell(count)
    check_seating(movement)
    assert meetings(movement) == Counter(frozenset(pair) for pair in combinations(range(1, count + 1), 2))
    assert all({table.boards for table in r.tables} == {r.number} for r in movement.rounds)


@pytest.mark.parametrize(
    ("count", "span"),
    [
        (6, {1, 2, 3}),
        (10, {3, 4, 5}),
        (14, {5, 6, 7}),
        (16, {5, 7, 9}),
        (20, {9}),
        (24, {11}),
        (30, {13, 14, 15}),
        (32, {15}),
    ],
)
def test_in_a_howell_couples_sit_the_same_way_as_evenly_as_can_be(count: int, span: set[int]) -> None:
    assert set(same_way(howell(count)).values()) <= span


@pytest.mark.parametrize("count", [0, 2, 41])
def test_a_howell_is_bounded(count: int) -> None:
    with pytest.raises(NoPairing):
        howell(count)
