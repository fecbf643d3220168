"""Time points: what follows, what contradicts, what lies between, at every moment of building."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import point_graph
from pytest_nlpeval.metrics.point_graph import ContradictionError, PointGraph

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
        assert graph.is_before(a, b) == (least.get((a, b)) == 1)
        assert graph.is_equal(a, b) == (a == b or (least.get((a, b)) == 0 and least.get((b, a)) == 0))
        assert graph.order(a, b) == (
            "=" if graph.is_equal(a, b) else "<" if graph.is_before(a, b) else ">" if graph.is_before(b, a) else ""
        )


def assert_covers(graph: PointGraph, said: Said) -> None:
    least = closure(said)
    covers, classes = graph.covers(), graph.classes()
    for a, b in product(range(POINTS), repeat=2):
        between = any(least.get((a, c)) == 1 and least.get((c, b)) == 1 for c in range(POINTS))
        assert ((classes[a], classes[b]) in covers) == (least.get((a, b)) == 1 and not between)


def add(graph: PointGraph, sign: str, a: int, b: int) -> bool:
    try:
        (graph.add_before if sign == "<" else graph.add_equal)(a, b)
    except ValueError:
        return False
    return True


def numbered(*pairs: str) -> list[tuple[int, int]]:
    """Return pairs of points written as letters."""
    return [("abcdefgh".index(pair[0]), "abcdefgh".index(pair[1])) for pair in pairs]


def test_a_new_graph_knows_nothing() -> None:
    graph = PointGraph(1)
    assert graph.is_equal(0, 0)
    assert graph.add_point() == 1
    assert not graph.is_equal(0, 1)
    assert not graph.is_before(0, 1)
    assert graph.classes() == [0, 1]
    assert PointGraph().classes() == PointGraph.of(0, [], []).classes() == []


def test_before_is_transitive_and_equality_joins() -> None:
    graph = PointGraph(4)
    graph.add_before(0, 1)
    graph.add_equal(1, 2)
    graph.add_before(2, 3)
    assert graph.is_before(0, 3)
    assert graph.classes()[1] == graph.classes()[2]
    assert graph.is_equal(2, 1)
    assert not graph.is_before(1, 2)
    point = graph.add_point()
    assert not graph.is_before(0, point)
    graph.add_before(3, point)
    assert graph.is_before(0, point)


@pytest.mark.parametrize("pair", numbered("aa", "ca", "ba", "cd"))
def test_before_refuses_what_contradicts(pair: tuple[int, int]) -> None:
    graph = PointGraph.of(4, numbered("ab", "bc"), numbered("cd"))
    with pytest.raises(ValueError, match="contradicts the constraints added before"):
        graph.add_before(*pair)


@pytest.mark.parametrize("pair", numbered("ca", "ad"))
def test_equality_refuses_what_contradicts(pair: tuple[int, int]) -> None:
    graph = PointGraph.of(4, numbered("ab", "bc"), numbered("cd"))
    with pytest.raises(ValueError, match="contradicts the constraints added before"):
        graph.add_equal(*pair)


@pytest.mark.parametrize(
    ("before", "equal", "points"),
    [
        ("ab bc ca", "", "abc"),
        ("ab", "bc ca", "abc"),
        ("aa", "", "a"),
        ("ea ab ba bf", "eg", "ab"),
        ("ab ba be ec cd dc ae ef", "", "abcde"),
    ],
)
def test_a_set_of_constraints_without_model_has_no_graph(before: str, equal: str, points: str) -> None:
    with pytest.raises(ContradictionError) as raised:
        PointGraph.of(8, numbered(*before.split()), numbered(*equal.split()))
    assert raised.value.points == {"abcdefgh".index(point) for point in points}


@settings(max_examples=300, deadline=None)
@given(SAID, st.sampled_from([3, POINTS]))
def test_entailment_is_complete_while_constraints_are_added(said: Said, widest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_graph, "WIDEST", widest)
        patch.setattr(point_graph, "WINDOW", 2)
        graph, held = PointGraph(POINTS), Said()
        for constraint in said:
            possible = consistent([*held, constraint])
            assert add(graph, *constraint) == possible
            held += [constraint] if possible else []
            assert_same(graph, held)
        assert_covers(graph, held)
        assert_same(graph, held)


@settings(max_examples=300, deadline=None)
@given(SAID, st.data())
def test_what_is_added_to_a_snapshot_counts_at_once(said: Said, data: st.DataObject) -> None:
    graph, held = PointGraph(POINTS), Said()
    for sign, a, b in said:
        if add(graph, sign, a, b):
            held.append((sign, a, b))
            if data.draw(st.booleans()):
                graph.covers()
            assert_same(graph, held)


@settings(max_examples=300, deadline=None)
@given(SAID)
def test_all_at_once_is_the_same(said: Said) -> None:
    before, equal = ([(a, b) for sign, a, b in said if sign == wanted] for wanted in "<=")
    least = closure(said)
    circular = {a for a, b in least if a == b and least[a, b]}
    if circular:
        with pytest.raises(ContradictionError) as raised:
            PointGraph.of(POINTS, before, equal)
        behind, ahead = ({pair[1 - side] for pair in least if pair[side] in circular} for side in (0, 1))
        assert raised.value.points == behind & ahead
        return
    graph = PointGraph.of(POINTS, before, equal)
    assert_same(graph, said)
    assert_covers(graph, said)
    classes = graph.classes()
    assert all((classes[a] == classes[b]) == graph.is_equal(a, b) for a, b in product(range(POINTS), repeat=2))


def test_a_point_on_several_paths_is_passed_once() -> None:
    graph = PointGraph(10)
    for pair in [(0, 1), (0, 2), (1, 3), (2, 3), *((4, other) for other in range(5, 10))]:
        graph.add_before(*pair)
    assert not graph.is_before(4, 3)
    assert not graph.is_before(3, 4)
    assert graph.is_before(0, 3)


def test_long_chains_need_no_stack() -> None:
    number = 50_000
    graph = PointGraph(2 * number)
    for point in range(number - 1):
        graph.add_before(point, point + 1, trusted=True)
    assert graph.is_before(0, number - 1)
    assert not graph.is_before(number - 1, 0)
    for point in range(number, 2 * number - 1):
        graph.add_equal(point, point + 1, trusted=True)
    assert graph.is_equal(number, 2 * number - 1)
