"""The longest common subsequence against its table, for any two sequences."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.common_subsequence import Pairs, align_common


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
