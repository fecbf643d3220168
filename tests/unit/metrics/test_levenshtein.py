"""Alignments: what must hold of hits and errors."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.levenshtein import common_lengths, edits, operations, spelt

TEXTS = st.text("abc", max_size=12)


def distance(first: str, second: str) -> int:
    @cache
    def of(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        return min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + (first[i - 1] != second[j - 1]))

    return of(len(first), len(second))


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_errors_are_the_edit_distance(reference: str, hypothesis: str) -> None:
    found = edits([reference], [hypothesis])
    assert found.errors.tolist() == [distance(reference, hypothesis)]
    assert found.reference_length.tolist() == [len(reference)]
    assert (found.hits + found.substitutions + found.insertions).tolist() == [len(hypothesis)]
    assert min(counts[0] for counts in found) >= 0


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_operations_are_what_is_counted(reference: str, hypothesis: str) -> None:
    numbers = dict.fromkeys(("equal", "replace", "delete", "insert"), 0)
    rebuilt = ""
    for kind, start, end, low, high in operations(reference, hypothesis):
        numbers[kind] += max(end - start, high - low)
        rebuilt += reference[start:end] if kind == "equal" else hypothesis[low:high]
    assert rebuilt == hypothesis
    assert list(numbers.values()) == [counts[0] for counts in edits([reference], [hypothesis])]


@given(st.lists(st.text("ab", min_size=1, max_size=2), max_size=8), st.lists(st.text("ab", min_size=1, max_size=2), max_size=8))
@settings(deadline=None)
def test_words_are_spelt_alike_where_they_are_equal(first: list[str], second: list[str]) -> None:
    ((one,), (other,)) = spelt([first], [second])
    assert [a == b for a in one for b in other] == [a == b for a in first for b in second]


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_a_common_subsequence_is_no_longer_than_hits_allow(first: str, second: str) -> None:
    (length,) = common_lengths([first], [second]).tolist()
    assert edits([first], [second]).hits[0] <= length <= min(len(first), len(second))
