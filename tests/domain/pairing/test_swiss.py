"""Victory-point Swiss: the worked case, the bye, sides, relaxations, dead ends."""

import subprocess
import sys
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pairing.shapes import Contender, Couple, Field, NoPairing, NoPairingCode, Pair, Relaxation, couple
from domain.pairing.swiss import pair_swiss, ranking
from tests.domain.pairing.fields import couples, field, least, met, name, numbers

WORKED = field(
    [3400, 3150, 2600, 2150, 2100, 1450, 900, 250],
    3,
    met=met({1: [(1, 5), (2, 6), (3, 7), (4, 8)], 2: [(1, 2), (3, 5), (4, 6), (7, 8)]}),
)


def test_the_worked_case_pairs_one_three_two_four_five_seven_six_eight() -> None:
    pairing = pair_swiss(WORKED)
    assert numbers(pairing) == [(1, 3), (2, 4), (5, 7), (6, 8)]
    assert pairing.cost == 4_520_000
    assert not pairing.byes
    assert not pairing.relaxations
    assert pairing.engine.name == "meldhouse-swiss"
    assert "4520000" in pairing.explanation[1]


def test_where_pairing_from_the_top_fails_the_others_are_found() -> None:
    pairing = pair_swiss(field([40, 30, 20, 10], 3, met=met({1: [(1, 2), (3, 4)], 2: [(1, 3), (2, 4)]})))
    assert {frozenset(pair) for pair in numbers(pairing)} == {frozenset({1, 4}), frozenset({2, 3})}


def test_who_has_met_everybody_is_reported_as_a_dead_end() -> None:
    stuck = field([40, 30, 20, 10], 4, met=met({1: [(1, 2)], 2: [(1, 3)], 3: [(1, 4)]}), relaxations=())
    with pytest.raises(NoPairing) as caught:
        pair_swiss(stuck)
    assert caught.value.code == NoPairingCode.DEAD_END
    assert caught.value.entrants == ("e1",)
    assert str(caught.value) == "e1 has nobody left to meet."


def test_a_dead_end_of_many_names_who_is_left_over_and_among_whom() -> None:
    with pytest.raises(NoPairing) as caught:
        pair_swiss(field([0] * 4, 9, forbidden=couples((1, 2), (1, 3), (2, 3)), relaxations=()))
    assert caught.value.code == NoPairingCode.DEAD_END
    assert caught.value.params == {"outer": ("e1", "e2"), "inner": ("e4",)}
    assert (
        str(caught.value) == "e1 and e2 can only be paired among themselves and with e4, and one of them is left over."
    )


def test_the_oldest_rematch_gives_way_before_a_recent_one() -> None:
    pairing = pair_swiss(field([40, 30, 20, 10], 4, met=met({1: [(1, 2)], 2: [(1, 3)], 3: [(1, 4)]})))
    assert pairing.relaxations == (Relaxation("old_rematch", ("e1", "e2")),)


def test_any_rematch_gives_way_last() -> None:
    pairing = pair_swiss(field([40, 30], 2, met=met({1: [(1, 2)]})))
    assert pairing.relaxations == (Relaxation("rematch", ("e1", "e2")),)


def test_avoided_couples_give_way_before_forbidden_ones_and_those_before_rematches() -> None:
    barred = field([0] * 4, 3, avoided=couples((1, 2)), forbidden=couples((1, 3)), met=met({1: [(1, 4)]}))
    assert pair_swiss(barred).relaxations == (Relaxation("avoided", ("e1", "e2")),)
    barred = msgspec.structs.replace(barred, avoided=(), met=met({1: [(1, 2), (1, 4)]}))
    assert pair_swiss(barred).relaxations == (Relaxation("forbidden", ("e1", "e3")),)


def test_the_declared_order_decides_what_gives_way() -> None:
    barred = field([0] * 4, 3, avoided=couples((1, 2)), forbidden=couples((1, 3)), met=met({1: [(1, 4)]}))
    turned = msgspec.structs.replace(barred, relaxations=("old_rematch", "rematch", "avoided"))
    assert pair_swiss(turned).relaxations == (Relaxation("old_rematch", ("e1", "e4")),)


def test_a_forbidden_couple_never_meets_where_forbidden_is_not_declared() -> None:
    hard = field([0, 0], 2, forbidden=couples((2, 1)), relaxations=("avoided", "old_rematch", "rematch"))
    with pytest.raises(NoPairing) as caught:
        pair_swiss(hard)
    assert caught.value.code == NoPairingCode.DEAD_END


def test_no_more_bars_give_way_than_must() -> None:
    club = couples(*((a, b) for a in range(1, 6) for b in range(a + 1, 6)))
    pairing = pair_swiss(field([60, 50, 40, 30, 20, 10, 0, 0], 2, avoided=club))
    assert len(pairing.relaxations) == 1


def test_the_bye_goes_to_the_lowest_who_has_had_none() -> None:
    assert pair_swiss(field([50, 40, 30, 20, 10], 2)).byes == ("e5",)
    assert pair_swiss(field([50, 40, 30, 20, 10], 3, byes={5: 1, 4: 1})).byes == ("e3",)


def test_the_bye_passes_over_who_is_needed_by_the_others() -> None:
    pairing = pair_swiss(field([30, 20, 10], 2, met=met({1: [(1, 2)]})))
    assert pairing.byes == ("e2",)
    assert numbers(pairing) == [(1, 3)]
    assert pairing.explanation[-1].endswith("could not be paired: e3.")


def test_the_bye_is_sought_higher_up_before_anything_gives_way() -> None:
    pairing = pair_swiss(field([30, 20, 10], 3, met=met({1: [(1, 2)], 2: [(1, 3)]})))
    assert pairing.byes == ("e1",)
    assert pairing.relaxations == ()


def test_when_everyone_has_had_a_bye_a_second_one_is_recorded() -> None:
    pairing = pair_swiss(field([30, 20, 10], 4, byes={1: 1, 2: 1, 3: 1}))
    assert pairing.byes == ("e3",)
    assert pairing.relaxations == (Relaxation("second_bye", ("e3",)),)


def test_no_second_bye_while_another_has_had_none_even_in_a_dead_end() -> None:
    hard = field([0] * 3, 4, byes={2: 1, 3: 1}, forbidden=couples((2, 3)), relaxations=())
    with pytest.raises(NoPairing) as caught:
        pair_swiss(hard)
    assert caught.value.code == NoPairingCode.NO_BYE
    assert caught.value.entrants == ("e1",)


def test_round_one_pairs_the_upper_half_with_the_lower_by_seed() -> None:
    assert numbers(pair_swiss(field([0] * 8, 1))) == [(1, 5), (2, 6), (3, 7), (4, 8)]
    odd = pair_swiss(field([0] * 7, 1))
    assert (numbers(odd), odd.byes) == ([(1, 4), (2, 5), (3, 6)], ("e7",))


def test_round_one_keeps_clubs_apart_with_the_least_change() -> None:
    pairing = pair_swiss(field([0] * 8, 1, avoided=couples((1, 5))))
    assert pairing.relaxations == ()
    assert {frozenset(pair) for pair in numbers(pairing)} == {frozenset(p) for p in ((1, 6), (2, 5), (3, 7), (4, 8))}


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([4, 6, 8]), st.data())
def test_round_one_strays_from_the_halves_as_little_as_can_be(count: int, data: st.DataObject) -> None:
    half = count // 2
    clubs = data.draw(st.sets(st.tuples(st.integers(1, half), st.integers(half + 1, count)), max_size=count))
    pairing = pair_swiss(field([0] * count, 1, avoided=couples(*clubs), relaxations=()))

    def cost(v: int, w: int) -> int | None:
        if (v + 1, w + 1) in clubs:
            return None
        return (w - v - half) ** 2 * 100 + (1 if (v < half) == (w < half) else 0)

    assert sum(cost(min(pair) - 1, max(pair) - 1) or 0 for pair in numbers(pairing)) == least(count, cost)


def test_a_drawn_order_pairs_its_halves() -> None:
    pairing = pair_swiss(field([0] * 4, 1), order=["e3", "e1", "e2", "e4"])
    assert numbers(pairing) == [(3, 2), (1, 4)]


def test_a_drawn_order_lists_every_contender() -> None:
    with pytest.raises(NoPairing) as caught:
        pair_swiss(field([0] * 4, 1), order=["e3", "e1", "e2", "e2"])
    assert caught.value.code == NoPairingCode.FIELD_INVALID


@pytest.mark.parametrize(
    ("higher", "lower", "expected"),
    [
        (Contender("e1", 1, 9, ns=2), Contender("e2", 2, 0, ns=1), Pair("e2", "e1")),
        (Contender("e1", 1, 9, ns=1, last="NS"), Contender("e2", 2, 0, ns=1, last="EW"), Pair("e2", "e1")),
        (Contender("e1", 1, 9, ns=1, last="EW"), Contender("e2", 2, 0, ns=1, last="NS"), Pair("e1", "e2")),
        (Contender("e1", 1, 9, ns=1, last="NS"), Contender("e2", 2, 0, ns=1, last="NS"), Pair("e1", "e2")),
        (Contender("e1", 1, 9, last="EW"), Contender("e2", 2, 0), Pair("e1", "e2")),
    ],
)
def test_sides_fewer_rounds_north_south_then_not_the_last_side_then_the_higher(
    higher: Contender, lower: Contender, expected: Pair
) -> None:
    assert pair_swiss(Field((lower, higher), 3)).pairs == (expected,)


@pytest.mark.parametrize("count", [0, 1])
def test_a_round_needs_two(count: int) -> None:
    with pytest.raises(NoPairing) as caught:
        pair_swiss(field([0] * count, 1))
    assert caught.value.code == NoPairingCode.TOO_FEW


def test_three_play_three_rounds_with_a_bye_each_then_rematches() -> None:
    past: dict[Couple, int] = {}
    byes: dict[int, int] = {}
    for number in range(1, 4):
        pairing = pair_swiss(field([0] * 3, number, met=past, byes=byes))
        assert pairing.relaxations == ()
        past |= {couple(pair.ns, pair.ew): number for pair in pairing.pairs}
        byes[int(pairing.byes[0][1:])] = 1
    assert len(past) == len(byes) == 3
    assert {relaxed.kind for relaxed in pair_swiss(field([0] * 3, 4, met=past, byes=byes)).relaxations} == {
        "rematch" if 3 in past.values() and past[couple("e1", "e2")] == 3 else "old_rematch",
        "second_bye",
    }


@pytest.mark.parametrize(
    "broken",
    [
        {"forbidden": couples((3, 3))},
        {"met": {("e1", "e2"): 2}},
        {"met": {("e1", "e2"): 0}},
        {"relaxations": ("rematch", "rematch")},
        {"relaxations": ("second_bye",)},
        {"contenders": (Contender("e1", 1), Contender("e1", 2))},
        {"contenders": (Contender("e1", 1), Contender("e2", 1))},
    ],
)
def test_a_field_that_contradicts_itself_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises(NoPairing) as caught:
        pair_swiss(msgspec.structs.replace(field([0] * 4, 2), **broken))
    assert caught.value.code == NoPairingCode.FIELD_INVALID
    assert caught.value.params["needed"]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([2, 3, 4, 5, 6, 7, 8]))
def test_small_fields_are_paired_at_the_least_cost_of_all(seed: int, count: int) -> None:
    random = Random(seed)
    past = {
        (name(a), name(b)): random.randrange(1, 4)
        for a in range(1, count + 1)
        for b in range(a + 1, count + 1)
        if random.random() < 0.3
    }
    drawn = field(
        [random.randrange(0, 4000, random.choice([1, 500])) for _ in range(count)], 4, met=past, relaxations=()
    )
    ranked = ranking(drawn)
    factor = count**3 + 1
    lines = {contender.entrant: place for place, contender in enumerate(ranked)}

    def least_without(bye: str | None) -> int | None:
        left = [contender for contender in ranked if contender.entrant != bye]

        def cost(v: int, w: int) -> int | None:
            one, other = left[v], left[w]
            if couple(one.entrant, other.entrant) in {couple(*pair) for pair in past}:
                return None
            return (one.score - other.score) ** 2 * factor + (lines[one.entrant] - lines[other.entrant]) ** 2

        return least(len(left), cost)

    byes = [contender.entrant for contender in reversed(ranked)] if count % 2 else [None]
    expected = next(((bye, price) for bye in byes if (price := least_without(bye)) is not None), None)
    if expected is None:
        with pytest.raises(NoPairing) as caught:
            pair_swiss(drawn)
        assert caught.value.code == (NoPairingCode.NO_BYE if count % 2 else NoPairingCode.DEAD_END)
        return
    pairing = pair_swiss(drawn)
    scores = {contender.entrant: contender.score for contender in ranked}
    price = sum(
        (scores[pair.ns] - scores[pair.ew]) ** 2 * factor + (lines[pair.ns] - lines[pair.ew]) ** 2
        for pair in pairing.pairs
    )
    assert (*pairing.byes, None)[0] == expected[0]
    assert price == expected[1]


def test_the_same_field_gives_the_same_pairing_whatever_the_hash_seed() -> None:
    program = (
        "from tests.domain.pairing.fields import field\n"
        "from domain.pairing.swiss import pair_swiss\n"
        "past = {(f'e{i}', f'e{(i * 7) % 31 + 1}'): 1 for i in range(1, 32) if i != (i * 7) % 31 + 1}\n"
        "print(pair_swiss(field([100 * (i % 4) for i in range(31)], 2, met=past)))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(answers) == 1
    assert "Pairing(" in answers.pop()
