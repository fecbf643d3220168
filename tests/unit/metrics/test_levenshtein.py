"""Alignments: what must hold of hits and errors."""

from __future__ import annotations

from functools import cache
from itertools import takewhile

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.levenshtein import common_lengths, edits, operations, spelt

TEXTS = st.text("abc", max_size=12)


@cache
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


def common_beginning(first: str, second: str) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))))


def by_rule(reference: str, hypothesis: str) -> list[int]:
    """The hits, substitutions, deletions and insertions of the alignment that the rule of ties picks."""
    start = common_beginning(reference, hypothesis)
    end = common_beginning(reference[start:][::-1], hypothesis[start:][::-1])
    left, other = (text[start : len(text) - end] for text in (reference, hypothesis))
    counts = [start + end, 0, 0, 0]
    i, j = len(left), len(other)
    while i and j:
        if distance(left[:i], other[:j]) == distance(left[: i - 1], other[:j]) + 1:
            i, counts[2] = i - 1, counts[2] + 1
        elif distance(left[:i], other[: j - 1]) == distance(left[: i - 1], other[: j - 1]) - 1:
            j, counts[3] = j - 1, counts[3] + 1
        else:
            i, j = i - 1, j - 1
            counts[left[i] != other[j]] += 1
    return [counts[0], counts[1], counts[2] + i, counts[3] + j]


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_of_several_minimal_alignments_it_is_that_of_the_rule(reference: str, hypothesis: str) -> None:
    assert [counts[0] for counts in edits([reference], [hypothesis])] == by_rule(reference, hypothesis)


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
