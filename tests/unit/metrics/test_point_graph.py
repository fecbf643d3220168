"""Time points: what follows at every moment of building."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import point_graph
from pytest_nlpeval.metrics.point_closure import Order, Pair, PointClosure, Sign
from pytest_nlpeval.metrics.point_graph import PointGraph
from tests.unit.metrics.points import POINTS, SAID, Said, is_consistent, least_distances, orders


def add(graph: PointGraph, sign: Sign, a: int, b: int) -> None:
    (graph.add_before if sign == "<" else graph.add_equal)(a, b)


def assert_same(graph: PointGraph, said: Said) -> None:
    for (a, b), order in orders(said).items():
        assert graph.order(a, b) == order
        assert graph.is_before(a, b) == (order == "<")
        assert graph.is_equal(a, b) == (order == "=")


def test_a_new_graph_knows_nothing() -> None:
    assert PointGraph().add_point() == 0
    graph = PointGraph(1)
    assert graph.is_equal(0, 0)
    assert graph.add_point() == 1
    assert graph.order(0, 1) == ""


def test_before_is_transitive_and_equality_joins() -> None:
    graph = PointGraph(4)
    graph.add_before(0, 1)
    graph.add_equal(1, 2)
    graph.add_before(2, 3)
    assert graph.is_before(0, 3)
    assert graph.is_equal(2, 1)
    assert not graph.is_before(1, 2)
    point = graph.add_point()
    assert not graph.is_before(0, point)
    graph.add_before(3, point)
    assert graph.is_before(0, point)


@settings(max_examples=300)
@given(SAID, st.sampled_from([0, POINTS]), st.data())
def test_entailment_is_complete_while_constraints_are_added(said: Said, widest: int, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_graph, "WIDEST", widest)
        graph, held = PointGraph(POINTS), Said()
        for sign, a, b in said:
            is_possible = graph.order(a, b) in ("", sign)
            assert is_possible == is_consistent([*held, (sign, a, b)])
            if is_possible:
                add(graph, sign, a, b)
                held.append((sign, a, b))
            if data.draw(st.booleans()):  # many queries make a closure
                assert_same(graph, held)
        assert_same(graph, held)


def contradictory_orders(said: Said) -> dict[tuple[int, int], Order]:
    """Return `=` where equalities connect two points, otherwise `<` or `>` where constraints lead from one to the other."""
    equal, least = least_distances([each for each in said if each[0] == "="]), least_distances(said)

    def order(a: int, b: int) -> Order:
        if a == b or (a, b) in equal:
            return "="
        return "<" if (a, b) in least else ">" if (b, a) in least else ""

    return {(a, b): order(a, b) for a, b in product(range(POINTS), repeat=2)}


@settings(max_examples=300)
@given(SAID, st.sampled_from([0, POINTS]), st.data())
def test_a_contradiction_leads_around(said: Said, widest: int, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(point_graph, "WIDEST", widest)
        graph, held = PointGraph(POINTS), Said()
        for sign, a, b in said:
            add(graph, sign, a, b)
            held.append((sign, a, b))
            if data.draw(st.booleans()):  # many queries make a closure
                wanted = contradictory_orders(held)
                assert {pair: graph.order(*pair) for pair in wanted} == wanted


@given(SAID)
def test_points_may_come_when_they_are_needed(said: Said) -> None:
    graph, held, known = PointGraph(), Said(), dict[int, int]()
    for sign, a, b in said:
        for point in (a, b):
            known.setdefault(point, -1)
            known[point] = graph.add_point() if known[point] < 0 else known[point]
        if graph.order(known[a], known[b]) in ("", sign):
            add(graph, sign, known[a], known[b])
            held.append((sign, a, b))
        wanted = orders(held)
        for one, other in product(known, repeat=2):
            assert graph.order(known[one], known[other]) == wanted[one, other]


@pytest.mark.parametrize("widest", [99, 100])
def test_a_closure_is_taken_when_searches_have_cost_as_much(widest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 100 points 50 make a chain, and 50 are equal: 198 points and constraints. From the chain's start to its end it is 49 steps."""
    taken: list[PointClosure] = []

    def recorded(points: int, before: list[Pair], equal: list[Pair]) -> PointClosure:
        taken.append(PointClosure(points, before, equal))
        return taken[-1]

    monkeypatch.setattr("pytest_nlpeval.metrics.point_graph.PointClosure", recorded)
    monkeypatch.setattr(point_graph, "WIDEST", widest)
    graph = PointGraph(100)
    for point in range(49):
        graph.add_before(point, point + 1)
        graph.add_equal(50 + point, 51 + point)
    assert all(graph.is_before(0, 49) for _ in range(4))
    assert taken == []
    assert all(graph.is_before(0, point) for point in range(1, 50))
    assert len(taken) == (widest >= 100)


def test_points_that_nothing_connects_take_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = PointGraph(5)
    graph.add_before(0, 1)
    graph.add_before(2, 1)
    graph.add_equal(3, 4)
    monkeypatch.delattr(PointGraph, "_search")
    assert [graph.order(a, b) for a, b in product(range(3), (3, 4))] == [""] * 6


def test_a_contradiction_takes_no_more_closures_than_a_chain() -> None:
    number = 5_000
    graph = PointGraph(number)
    for point in range(number):
        graph.add_before(point, (point + 1) % number)
    assert all(graph.order(0, point) == graph.order(point, 0) == "<" for point in range(1, number))


@pytest.mark.parametrize("sign", ["<", "="])
def test_long_chains_need_no_stack(sign: Sign) -> None:
    number = 50_000
    graph = PointGraph(number)
    for point in range(number - 1):
        add(graph, sign, point, point + 1)
    assert graph.order(0, number - 1) == sign
