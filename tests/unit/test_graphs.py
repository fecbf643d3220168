from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_nlpeval import Axis, Bars, Graph, Matrix, Series
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.graphs import MOST_NAMES, MOST_POINTS, Point, drawing_of, thinned

lines = st.lists(st.tuples(st.integers(0, 50), st.integers(-5, 5)), max_size=120).map(
    lambda found: [(float(x), float(y)) for x, y in sorted(found, key=lambda point: point[0])]
)


def assert_fits(kind: str, drawing: dict[str, Any]) -> None:
    schema = json_schema("report.schema.json")
    Draft202012Validator({**schema["$defs"][kind], "$defs": schema["$defs"]}).validate(drawing)


@given(lines, st.sampled_from([4, 8, 20, 40]))
def test_a_thinned_line_keeps_its_course(line: list[Point], most: int) -> None:
    """Its points are points of the line, in their order; of each column the ends and the extremes are there."""
    kept = thinned(line, most)
    assert len(kept) <= max(most, 0)
    rest = iter(line)
    assert all(point in rest for point in kept)
    if len(line) <= most:
        assert kept == line
        return
    assert (kept[0], kept[-1]) == (line[0], line[-1])
    width = (line[-1][0] - line[0][0]) / (most // 4) or 1.0
    for x, y in line:
        near = [other for place, other in kept if abs(place - x) <= width + 1e-9]
        assert min(near) <= y <= max(near)
    assert thinned(kept, most) == kept


def test_a_step_is_not_lost() -> None:
    line = [(float(x), 1.0 if x == 70_001 else 0.0) for x in range(100_000)]
    kept = thinned(line)
    assert (70_001.0, 1.0) in kept
    assert len(kept) <= MOST_POINTS


def test_points_of_their_own_are_not_thinned() -> None:
    points = tuple((0.5, float(y)) for y in range(2 * MOST_POINTS))
    graph = Graph("g", "G", "It shows.", Axis("x"), Axis("y", 0, 9), (Series("a", points, "points"), Series("b", points)))
    cloud, line = graph.to_json()["series"]
    assert len(cloud["points"]) == 2 * MOST_POINTS
    assert line["points"] == [[0.5, 0.0], [0.5, 2.0 * MOST_POINTS - 1]]
    assert_fits("graph", graph.to_json())


@pytest.mark.parametrize("points", [((0.0, math.nan),), ((math.inf, 0.0),), ((1.0, 0.0), (0.5, 0.0))])
def test_what_cannot_be_drawn_is_refused(points: tuple[Point, ...]) -> None:
    with pytest.raises(ValueError, match=r"series|line"):
        Series("s", points)


def test_points_of_their_own_have_no_order() -> None:
    assert Series("s", ((1.0, 0.0), (0.5, 0.0)), "points").points[1] == (0.5, 0.0)


pairs = st.lists(st.tuples(*[st.integers(0, 60).map(lambda number: f"n{number:02}")] * 2), max_size=300)


@given(pairs)
def test_a_matrix_counts_every_pair_once(found: list[tuple[str, str]]) -> None:
    """Names that stay have all their pairs; those that are left out are one together, and were not the more frequent ones."""
    counts = Counter(found)
    matrix = Matrix.of("m", "M", "It shows.", "gold", "system", counts)
    assert_fits("matrix", matrix.to_json())
    assert sum(map(sum, matrix.numbers)) == len(found)
    names = [sorted({pair[side] for pair in found}) for side in (0, 1)]
    for shown, all_names in zip((matrix.row_names, matrix.column_names), names, strict=True):
        kept = [name for name in shown if name in all_names]
        assert kept == sorted(kept)
        if len(all_names) <= MOST_NAMES:
            assert list(shown) == all_names
        else:
            assert shown == (*kept, f"{len(all_names) - len(kept)} others")
            assert len(shown) == MOST_NAMES
    for row, name in enumerate(matrix.row_names):
        for column, other in enumerate(matrix.column_names):
            if name in names[0] and other in names[1]:
                assert matrix.numbers[row][column] == counts[name, other]


def test_a_matrix_keeps_its_shape() -> None:
    with pytest.raises(ValueError, match="one for each"):
        Matrix("m", "M", "It shows.", "gold", "system", ("a",), ("a", "b"), ((1,),))


def test_bars_have_names_and_ends() -> None:
    assert_fits("bars", Bars("b", "B", "It shows.", Axis("accuracy"), (("short", 0.5), ("long", 1.0))).to_json())
    for bars in ((("a", math.nan),), (("a", 1.0), ("a", 0.5))):
        with pytest.raises(ValueError, match="bar"):
            Bars("b", "B", "It shows.", Axis("accuracy"), bars)


def test_a_graph_has_the_baselines_lines() -> None:
    axes = Axis("x"), Axis("y")
    chance = Series("chance", ((0.0, 0.0), (1.0, 1.0)), "reference")
    today = Graph("g", "G", "It shows.", *axes, (Series("a", ((0.0, 0.5),), area=0.5), chance))
    before = Graph("g", "G", "It shows.", Axis("x", 0, 2), Axis("y"), (Series("a", ((2.0, 1.0),)), chance))
    both = today.beside(before)
    assert both.series == (*today.series, Series("a", ((2.0, 1.0),), "baseline"))
    assert (both.x.high, both.y.high) == (2, 1.0)
    assert_fits("graph", both.to_json())
    assert drawing_of(both.to_json()) == both


def test_sizes_are_one_for_each_point() -> None:
    sized = Graph("g", "G", "It shows.", Axis("x"), Axis("y"), (Series("bins", ((0.0, 0.5), (1.0, 1.0)), sizes=(3, 4)),))
    assert_fits("graph", sized.to_json())
    assert drawing_of(sized.to_json()) == sized
    with pytest.raises(ValueError, match="sizes"):
        Series("bins", ((0.0, 0.5),), sizes=(3, 4))


@given(pairs, pairs)
def test_a_matrix_has_the_baselines_counts(today: list[tuple[str, str]], then: list[tuple[str, str]]) -> None:
    counts = Counter(today), Counter(then)
    matrix, before = (Matrix.of("m", "M", "It shows.", "gold", "system", own) for own in counts)
    both = matrix.beside(before)
    assert_fits("matrix", both.to_json())
    assert drawing_of(both.to_json()) == both
    if not both.before:
        names = [set(side) for own in (matrix, before) for side in (own.row_names, own.column_names)]
        assert max(map(len, names)) >= MOST_NAMES or not both.row_names
        return
    assert sum(map(sum, both.numbers)) == len(today)
    assert sum(map(sum, both.before)) == len(then)
    for row, name in enumerate(both.row_names):
        for column, other in enumerate(both.column_names):
            if not any("others" in each for each in (name, other)):
                assert (both.numbers[row][column], both.before[row][column]) == tuple(own[name, other] for own in counts)


def test_bars_have_the_baselines_values() -> None:
    today = Bars("b", "B", "It shows.", Axis("accuracy", 0, 1), (("short", 0.5), ("new", 1.0)))
    both = today.beside(Bars("b", "B", "It shows.", Axis("accuracy", 0, 2), (("short", 1.5), ("gone", 0.1))))
    assert (both.before, both.axis.high) == ((("short", 1.5),), 2)
    assert_fits("bars", both.to_json())
    assert drawing_of(both.to_json()) == both


PAIRS_OF_NAMES = st.dictionaries(st.tuples(st.sampled_from("abc"), st.sampled_from("bcd")), st.integers(1, 9), max_size=6)


@given(PAIRS_OF_NAMES, PAIRS_OF_NAMES)
def test_a_matrix_beside_the_baselines_has_both_counts_in_the_same_cells(
    now: dict[tuple[str, str], int], before: dict[tuple[str, str], int]
) -> None:
    today, earlier = (Matrix.of("m", "M", "It shows.", "gold", "system", counts) for counts in (now, before))
    found = today.beside(earlier)
    assert_fits("matrix", found.to_json())
    assert drawing_of(found.to_json()) == found
    for numbers, counts in ((found.numbers, now), (found.before, before)):
        cells = {
            (row, column): number
            for row, line in zip(found.row_names, numbers, strict=True)
            for column, number in zip(found.column_names, line, strict=True)
        }
        assert {pair: number for pair, number in cells.items() if number} == counts


def test_where_names_were_left_out_nothing_is_compared() -> None:
    many = Matrix.of("m", "M", "It shows.", "gold", "system", {(f"g{name}", "s"): 1 for name in range(MOST_NAMES + 1)})
    assert many.beside(many) == many
    with pytest.raises(ValueError, match="not one for each row and column"):
        Matrix("m", "M", "It shows.", "gold", "system", ("a",), ("b",), ((1,),), ((1, 2),))
