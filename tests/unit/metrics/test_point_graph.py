"""Time points: what follows, what contradicts, what lies between, at every moment of building."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import point_graph
from pytest_nlpeval.metrics.point_graph import PointGraph

Said = list[tuple[str, int, int]]

POINTS = 9
SAID = st.lists(
    st.tuples(st.sampled_from("<<<="), st.integers(0, POINTS - 1), st.integers(0, POINTS - 1)), min_size=1, max_size=25
)


def closure(said: Said) -> dict[tuple[int, int], int]:
    """0 where the first is at most the second, 1 where it is less; by Floyd and Warshall."""
    known = {point for _, a, b in said for point in (a, b)}
    least = dict.fromkeys(((point, point) for point in known), 0)
    for sign, a, b in said:
        least[a, b] = max(least.get((a, b), 0), int(sign == "<"))
        if sign == "=":
            least[b, a] = max(least.get((b, a), 0), 0)
    for middle, a, b in product(known, repeat=3):
        if (a, middle) in least and (middle, b) in least:
            least[a, b] = max(least.get((a, b), 0), min(1, least[a, middle] + least[middle, b]))
    return least


def consistent(said: Said) -> bool:
    least = closure(said)
    return not any(least[pair] for pair in least if pair[0] == pair[1])


def assert_same(graph: PointGraph, said: Said) -> None:
    least = closure(said)
    for a, b in product(range(POINTS), repeat=2):
        assert ((a in graph) and (b in graph)) == ((a, a) in least and (b, b) in least)
        assert graph.is_before(a, b) == (least.get((a, b)) == 1)
        assert graph.is_equal(a, b) == (a == b or (least.get((a, b)) == 0 and least.get((b, a)) == 0))


def assert_adjacent(graph: PointGraph, said: Said) -> None:
    least = closure(said)
    for a, b in product(range(POINTS), repeat=2):
        between = any(least.get((a, c)) == 1 and least.get((c, b)) == 1 for c in range(POINTS))
        assert graph.is_adjacent(a, b) == (least.get((a, b)) == 1 and not between)


def add(graph: PointGraph, sign: str, a: int, b: int) -> bool:
    try:
        (graph.add_before if sign == "<" else graph.add_equal)(a, b)
    except ValueError:
        return False
    return True


def test_a_new_graph_knows_nothing() -> None:
    graph = PointGraph()
    assert "a" not in graph
    assert graph.is_equal("a", "a")
    assert not graph.is_equal("a", "b")
    assert not graph.is_before("a", "b")
    assert graph.classes() == {}


def test_before_is_transitive_and_equality_joins() -> None:
    graph = PointGraph()
    graph.add_before("a", "b")
    graph.add_equal("b", "c")
    graph.add_before("c", ("any", "hashable"))
    assert graph.is_before("a", ("any", "hashable"))
    assert graph.classes()["b"] == graph.classes()["c"]
    assert graph.is_equal("c", "b")
    assert not graph.is_before("b", "c")


@pytest.mark.parametrize("pair", [("a", "a"), ("c", "a"), ("b", "a"), ("c", "d")])
def test_before_refuses_what_contradicts(pair: tuple[str, str]) -> None:
    graph = PointGraph.of([("a", "b"), ("b", "c")], [("c", "d")])
    assert graph is not None
    with pytest.raises(ValueError, match="contradicts the constraints added before"):
        graph.add_before(*pair)


@pytest.mark.parametrize("pair", [("c", "a"), ("a", "d")])
def test_equality_refuses_what_contradicts(pair: tuple[str, str]) -> None:
    graph = PointGraph.of([("a", "b"), ("b", "c")], [("c", "d")])
    assert graph is not None
    with pytest.raises(ValueError, match="contradicts the constraints added before"):
        graph.add_equal(*pair)


def test_a_set_of_constraints_without_model_has_no_graph() -> None:
    assert PointGraph.of([("a", "b"), ("b", "c"), ("c", "a")], []) is None
    assert PointGraph.of([("a", "b")], [("b", "c"), ("c", "a")]) is None
    assert PointGraph.of([("a", "a")], []) is None


@settings(max_examples=300, deadline=None)
@given(SAID, st.sampled_from([3, POINTS]))
def test_entailment_is_complete_while_constraints_are_added(said: Said, widest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_graph, "WIDEST", widest)
        patch.setattr(point_graph, "WINDOW", 2)
        graph, held = PointGraph(), Said()
        for constraint in said:
            possible = consistent([*held, constraint])
            assert add(graph, *constraint) == possible
            held += [constraint] if possible else []
            assert_same(graph, held)
        assert_adjacent(graph, held)
        assert_same(graph, held)


@settings(max_examples=300, deadline=None)
@given(SAID, st.data())
def test_what_is_added_to_a_snapshot_counts_at_once(said: Said, data: st.DataObject) -> None:
    graph, held = PointGraph(), Said()
    for sign, a, b in said:
        if add(graph, sign, a, b):
            held.append((sign, a, b))
            if data.draw(st.booleans()):
                graph.is_adjacent(*data.draw(st.sampled_from([(a, b) for _, a, b in held])))
            assert_same(graph, held)


@settings(max_examples=300, deadline=None)
@given(SAID)
def test_all_at_once_is_the_same(said: Said) -> None:
    graph = PointGraph.of([(a, b) for sign, a, b in said if sign == "<"], [(a, b) for sign, a, b in said if sign == "="])
    assert (graph is not None) == consistent(said)
    if graph is not None:
        assert_same(graph, said)
        assert_adjacent(graph, said)
        classes = graph.classes()
        assert classes.keys() == {point for _, *pair in said for point in pair}
        assert all((classes[a] == classes[b]) == graph.is_equal(a, b) for a in classes for b in classes)


def test_a_point_on_several_paths_is_passed_once() -> None:
    graph = PointGraph()
    for pair in ("ab", "ac", "bd", "cd", "zy", "zx", "zw", "zv", "zu", "zt"):
        graph.add_before(*pair)
    assert not graph.is_before("z", "d")
    assert not graph.is_before("d", "z")
    assert graph.is_before("a", "d")


def test_long_chains_need_no_stack() -> None:
    number = 50_000
    graph = PointGraph()
    for point in range(number):
        graph.add_before(point, point + 1, trusted=True)
    assert graph.is_before(0, number)
    assert not graph.is_before(number, 0)
    for point in range(number):
        graph.add_equal((point, "x"), (point + 1, "x"), trusted=True)
    assert graph.is_equal((0, "x"), (number, "x"))
