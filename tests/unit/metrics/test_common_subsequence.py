"""The longest common subsequence against its table, for any two sequences."""

from __future__ import annotations

from functools import cache
from math import isqrt

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.common_subsequence import Pairs, _Rows, align_common
from pytest_nlpeval.metrics.levenshtein import common_lengths


def by_table(first: str, second: str) -> Pairs:
    """The rule of ties, word by word."""

    @cache
    def length(one: int, two: int) -> int:
        if one == len(first) or two == len(second):
            return 0
        if first[one] == second[two]:
            return 1 + length(one + 1, two + 1)
        return max(length(one + 1, two), length(one, two + 1))

    pairs: Pairs = []
    one = two = 0
    while one < len(first) and two < len(second):
        if first[one] == second[two]:
            pairs.append((one, two))
            one, two = one + 1, two + 1
        elif length(one + 1, two) == length(one, two):
            one += 1
        else:
            two += 1
    return pairs


@given(st.text("abc", max_size=25), st.text("abc", max_size=25))
def test_it_is_what_the_table_says(first: str, second: str) -> None:
    assert align_common(first, second) == by_table(first, second)


@given(st.text("abc", max_size=25), st.text("abc", max_size=25), st.integers(1, 4))
def test_lengths_of_what_remains_from_any_places_that_ascend_and_few_rows_kept(first: str, second: str, step: int) -> None:
    rows = _Rows(first, second)
    for one in range(0, len(first) + 1, step):
        for two in range(len(second) + 1):
            assert [rows.length(one, two)] == common_lengths([first[one:]], [second[two:]]).tolist()
        assert len(rows._kept) + len(rows._near) <= 2 * isqrt(len(first)) + 3
