"""Groups of what does not differ: two that do not are together in some group, two that do in none, and no group is in another."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.homogeneous import homogeneous_groups


@pytest.mark.parametrize(
    ("size", "different", "groups"),
    [
        (0, [], []),
        (1, [], [{0}]),
        (3, [], [{0, 1, 2}]),
        (2, [(0, 1)], [{0}, {1}]),
        (3, [(0, 2)], [{0, 1}, {1, 2}]),
        (3, [(0, 1), (0, 2), (1, 2)], [{0}, {1}, {2}]),
        (4, [(0, 3), (1, 2)], [{0, 1}, {0, 2}, {1, 3}, {2, 3}]),
    ],
)
def test_groups(size: int, different: list[tuple[int, int]], groups: list[set[int]]) -> None:
    assert homogeneous_groups(size, different) == groups


@given(
    st.integers(1, 7).flatmap(
        lambda size: st.tuples(st.just(size), st.sets(st.sampled_from([(0, 0), *combinations(range(size), 2)])))
    )
)
def test_they_say_exactly_which_pairs_differ(case: tuple[int, set[tuple[int, int]]]) -> None:
    size, different = case[0], case[1] - {(0, 0)}
    groups = homogeneous_groups(size, sorted(different))
    together = {pair for group in groups for pair in combinations(sorted(group), 2)}
    assert together == set(combinations(range(size), 2)) - different
    assert set().union(*groups) == set(range(size))
    assert not any(one < other for one in groups for other in groups)
