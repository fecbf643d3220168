"""Bottlenecks of a growing graph, against all of its paths."""

from __future__ import annotations

from itertools import product
from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.spanning_forest import SpanningForest

Edges = list[tuple[int, int, int]]

NODES = 12
EDGES = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1), st.integers(-2, 8)), max_size=30)


def bottlenecks(edges: Edges) -> dict[tuple[int, int], float]:
    """The least greatest weight over all paths, by Floyd and Warshall."""
    least = {(a, b): -inf if a == b else inf for a, b in product(range(NODES), repeat=2)}
    for a, b, weight in edges:
        least[a, b] = least[b, a] = min(least[a, b], weight)
    for middle, a, b in product(range(NODES), repeat=3):
        least[a, b] = min(least[a, b], max(least[a, middle], least[middle, b]))
    return least


@settings(max_examples=300)
@given(EDGES)
def test_bottlenecks_are_those_of_the_whole_graph(edges: Edges) -> None:
    forest = SpanningForest(NODES)
    for edge in edges:
        forest.add(*edge)
    assert all(forest.bottleneck(a, b) == least for (a, b), least in bottlenecks(edges).items())


def test_a_lighter_way_replaces_a_heavier_one() -> None:
    forest = SpanningForest(3)
    forest.add(0, 1, 5)
    assert forest.bottleneck(0, 1) == 5
    assert forest.bottleneck(1, 2) == inf
    forest.add(0, 2, 1)
    forest.add(2, 1, 3)
    assert forest.bottleneck(0, 1) == max(1, 3)
    assert forest.bottleneck(2, 2) == -inf
