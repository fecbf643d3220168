"""Circles: points that lead to each other."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.circles import circles

POINTS = 7
STEPS = st.lists(st.tuples(st.integers(0, POINTS - 1), st.integers(0, POINTS - 1)), max_size=12)


@given(STEPS)
def test_points_of_one_circle_lead_to_each_other(steps: list[tuple[int, int]]) -> None:
    ways = {*steps, *((point, point) for point in range(POINTS))}
    for middle, first, second in product(range(POINTS), repeat=3):
        if (first, middle) in ways and (middle, second) in ways:
            ways.add((first, second))
    circle = circles(POINTS, steps)
    for first, second in product(range(POINTS), repeat=2):
        assert (circle[first] == circle[second]) == ((first, second) in ways and (second, first) in ways)
    assert [circle[point] for point in circle] == circle


def test_long_ways_need_no_stack() -> None:
    number = 50_000
    ahead = [(point, point + 1) for point in range(number - 1)]
    assert circles(number, ahead) == list(range(number))
    assert len(set(circles(number, [*ahead, (number - 1, 0)]))) == 1
