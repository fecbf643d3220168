"""Longest common subsequences of sentences: that they are common, longest, and unions of them."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.levenshtein import common_lengths
from pytest_nlpeval.metrics.summary_lcs import common_places, union_matches

SENTENCES = st.text("abc", max_size=12)


@given(SENTENCES, SENTENCES)
@settings(deadline=None)
def test_places_are_a_longest_common_subsequence(reference: str, hypothesis: str) -> None:
    places = common_places(reference, hypothesis)[::-1]
    assert len(places) == common_lengths([reference], [hypothesis])[0]
    rest = iter(hypothesis)
    assert places == sorted(set(places))
    assert all(reference[place] in rest for place in places)


def by_table(reference: str, hypothesis: str) -> list[int]:
    """The rule of ties, with the whole table of lengths."""

    @cache
    def length(i: int, j: int) -> int:
        if not i or not j:
            return 0
        if reference[i - 1] == hypothesis[j - 1]:
            return 1 + length(i - 1, j - 1)
        return max(length(i - 1, j), length(i, j - 1))

    places = []
    i, j = len(reference), len(hypothesis)
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif length(i, j - 1) > length(i - 1, j):
            j -= 1
        else:
            i -= 1
    return places


@given(SENTENCES, SENTENCES)
@settings(deadline=None)
def test_of_several_longest_ones_it_is_that_of_the_rule(reference: str, hypothesis: str) -> None:
    assert common_places(reference, hypothesis) == by_table(reference, hypothesis)


@given(SENTENCES, SENTENCES)
@settings(deadline=None)
def test_of_one_sentence_each_it_is_the_length(reference: str, hypothesis: str) -> None:
    assert union_matches([list(reference)], [list(hypothesis)]) == common_lengths([reference], [hypothesis])[0]


@given(st.lists(SENTENCES, max_size=3), st.lists(SENTENCES, max_size=3))
@settings(deadline=None)
def test_a_union_is_at_most_what_either_side_has(reference: list[str], hypothesis: list[str]) -> None:
    sides = [list(map(list, side)) for side in (reference, hypothesis)]
    assert union_matches(*sides) <= min(len("".join(reference)), len("".join(hypothesis)))
    assert union_matches(sides[0], sides[0]) == len("".join(reference))


def test_the_example_of_the_source() -> None:
    """Lin 2004, section 3.2: w1 w2 and w1 w3 w5 of five words are four of them."""
    assert union_matches([["w1", "w2", "w3", "w4", "w5"]], [["w1", "w2", "w6", "w7", "w8"], ["w1", "w3", "w8", "w9", "w5"]]) == 4
