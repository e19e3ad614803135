"""Perfect matchings of least cost against every way to pair, and against networkx on the complete graph."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pairing.blossoms import Forest, Tree
from domain.pairing.matching import REACH, Cost, Matched, match, spare, surplus
from domain.pairing.nodes import NONE
from tests.domain.pairing.fields import least

Table = dict[tuple[int, int], int | None]


@st.composite
def tables(draw: st.DrawFn, counts: st.SearchStrategy[int]) -> tuple[int, Table]:
    count = draw(counts)
    most = draw(st.sampled_from([0, 1, 3, 1000, 10**20]))
    price = st.one_of(st.none(), st.integers(0, most)) if draw(st.booleans()) else st.integers(0, most)
    return count, {(v, w): draw(price) for v in range(count) for w in range(v + 1, count)}


def cost_of(table: Table) -> Cost:
    return lambda v, w: table[v, w]


@settings(max_examples=400, deadline=None)
@given(tables(st.sampled_from([0, 2, 4, 6, 8])))
def test_no_other_way_to_pair_costs_less(drawn: tuple[int, Table]) -> None:
    count, table = drawn
    found = match(count, cost_of(table))
    expected = least(count, cost_of(table))
    if isinstance(found, Matched):
        assert found.cost == expected
        assert all(found.mates[found.mates[v]] == v != found.mates[v] for v in range(count))
    else:
        assert expected is None


@settings(max_examples=200, deadline=None)
@given(tables(st.sampled_from([4, 6, 8])))
def test_a_tree_shows_why_there_is_no_matching(drawn: tuple[int, Table]) -> None:
    count, table = drawn
    found = match(count, cost_of(table))
    if isinstance(found, Tree):
        outer, inner = set(found.outer), set(found.inner)
        edges = [pair for pair, price in table.items() if price is not None]
        leading_out = [pair for pair in edges if len(outer & set(pair)) == 1 and not inner & set(pair)]
        graph = nx.Graph([pair for pair in edges if outer >= set(pair)])
        graph.add_nodes_from(outer)
        odd = [part for part in nx.connected_components(graph) if len(part) % 2]
        assert not leading_out
        assert len(odd) > len(inner)


@settings(max_examples=150, deadline=None)
@given(tables(st.just(11)))
def test_blossoms_taken_apart_leave_duals_that_fit_every_pair(drawn: tuple[int, Table]) -> None:
    count, table = drawn
    forest = Forest(count)
    for (v, w), price in table.items():
        if price is not None:
            forest.add(v, w, 2 * price)
    forest.begin()
    for root in range(count):
        if forest.mate[root] == NONE:
            forest.search(root)
    forest.dissolve()
    for v, costs in enumerate(forest.costs):
        assert all(forest.y[v] + forest.y[w] <= cost for w, cost in costs.items())
        mate = forest.mate[v]
        assert mate == NONE or forest.y[v] + forest.y[mate] == costs[mate]


@settings(max_examples=200, deadline=None)
@given(tables(st.sampled_from([1, 3, 5, 7])))
def test_spare_are_all_those_without_whom_the_others_can_be_matched(drawn: tuple[int, Table]) -> None:
    count, table = drawn

    def permitted(v: int, w: int) -> bool:
        return table[min(v, w), max(v, w)] is not None

    def all_but(without: int) -> int | None:
        left = [v for v in range(count) if v != without]
        return least(count - 1, lambda v, w: 0 if permitted(left[v], left[w]) else None)

    expected = [without for without in range(count) if all_but(without) is not None]
    assert list(spare(count, permitted)) == expected


@pytest.mark.parametrize("seed", range(12))
def test_networkx_finds_nothing_cheaper_on_the_complete_graph(seed: int) -> None:
    random = Random(seed)
    count = random.choice([20, 30, 40])
    density = random.choice([0.1, 0.2, 0.5, 1.0])
    most = random.choice([1, 5, 10**6])
    table: Table = {
        (v, w): random.randrange(most + 1) if random.random() < density else None
        for v in range(count)
        for w in range(v + 1, count)
    }
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from((v, w, 2 * most + 1 - price) for (v, w), price in table.items() if price is not None)
    best = nx.max_weight_matching(graph, maxcardinality=True)
    found = match(count, cost_of(table))
    if 2 * len(best) == count:
        assert isinstance(found, Matched)
        assert found.cost == sum(table[min(pair), max(pair)] or 0 for pair in best)
    else:
        assert isinstance(found, Tree)


def test_partners_beyond_the_first_reach_are_found_where_they_are_cheaper() -> None:
    count = 6 * REACH
    half = count // 2
    found = match(count, lambda v, w: 0 if w - v == half else 1 + w - v)
    assert isinstance(found, Matched)
    assert found.cost == 0


def test_partners_beyond_the_first_reach_are_found_where_no_others_will_do() -> None:
    count = 6 * REACH
    half = count // 2
    found = match(count, lambda v, w: 7 if (v < half) != (w < half) else None)
    assert isinstance(found, Matched)
    assert found.cost == 7 * half


def test_two_halves_of_odd_size_that_may_not_mix_leave_one_over() -> None:
    found = match(30, lambda v, w: 0 if (v < 15) == (w < 15) else None)
    assert isinstance(found, Tree)
    assert set(found.outer) in ({*range(15)}, {*range(15, 30)})


def test_each_surplus_tree_is_one_vertex_that_stays_free() -> None:
    star = surplus(6, lambda v, w: 0 in (v, w), enough=9)
    assert len(star) == 4
    assert all(tree.inner == (0,) for tree in star)


def test_all_costs_equal_nest_blossoms_without_end() -> None:
    count = 300
    found = match(count, lambda v, w: None if w - v == 1 and v % 2 == 0 else (w - v) ** 2)
    assert isinstance(found, Matched)
    assert found.cost == 4 * count // 2
