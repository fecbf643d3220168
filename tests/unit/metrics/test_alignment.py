from __future__ import annotations

import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics import alignment
from pytest_nlpeval.metrics.alignment import Aligned, Span, SpanIndex, align, overlap, pairs_to_sort


def span(places: int = 12) -> st.SearchStrategy[Span]:
    return st.tuples(st.integers(0, places - 1), st.integers(1, 6)).map(lambda found: (found[0], found[0] + found[1]))


SPANS = st.sets(span(), max_size=9)


def exact(one: Span, other: Span) -> Fraction:
    """The definition, by counting words."""
    common = len(set(range(*one)) & set(range(*other)))
    return Fraction(common, max(len(range(*one)), len(range(*other))))


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ((0, 4), (0, 2), 2 / 4),  # the government of Zair, the government
        ((0, 4), (20, 23), 0),  # Zair's government elsewhere
        ((0, 4), (0, 4), 1),
        ((0, 4), (4, 6), 0),
        ((0, 4), (3, 7), 1 / 4),
        ((2, 3), (0, 9), 1 / 9),
        ((0, 3), (1, 6), 2 / 5),
    ],
)
def test_overlaps_by_hand(one: Span, other: Span, share: float) -> None:
    assert overlap(one, other) == overlap(other, one) == share


@given(span(), span())
def test_an_overlap_is_its_definition(one: Span, other: Span) -> None:
    assert overlap(one, other) == float(exact(one, other))
    assert (overlap(one, other) == 1) == (one == other)


@given(SPANS, st.sets(span(), max_size=4), span(), st.none() | span())
def test_the_best_of_an_index_is_the_best_of_all(spans: set[Span], more: set[Span], wanted: Span, without: Span | None) -> None:
    lower = set(sorted(spans)[::2]) | more
    found = SpanIndex(spans, lower).best(wanted, without)
    candidates = [other for other in spans - {without} if exact(wanted, other)]
    expected = min(candidates, key=lambda other: (-exact(wanted, other), other in lower, other), default=None)
    assert found == expected


def test_an_index_of_nothing_and_one_of_many_far_away() -> None:
    assert SpanIndex(()).best((0, 1)) is None
    index = SpanIndex([(start, start + 1) for start in range(0, 100_000, 2)])
    assert index.best((50_000, 50_003)) == (50_000, 50_001)
    assert index.best((50_000, 50_003), without=(50_000, 50_001)) == (50_002, 50_003)
    assert index.best((49_999, 50_000)) is None


def test_a_span_may_be_left_out_that_is_next_behind_those_that_are_looked_at() -> None:
    assert SpanIndex([(0, 2), (5, 6)]).best((0, 2), without=(5, 6)) == (0, 2)
    assert SpanIndex([(0, 2), (5, 6)]).best((5, 6), without=(0, 2)) == (5, 6)


def brute_force(gold: set[Span], system: set[Span]) -> list[Aligned]:
    """The definition, word for word, in exact numbers."""
    found = [Aligned(one, one, 1.0) for one in gold & system]
    gold, system = gold - system, system - gold
    while pairs := [(-exact(one, other), one, other) for one in gold for other in system if exact(one, other)]:
        share, one, other = min(pairs)
        found.append(Aligned(one, other, float(-share)))
        gold, system = gold - {one}, system - {other}
    return sorted(found)


@given(SPANS, SPANS)
def test_an_alignment_is_its_definition(gold: set[Span], system: set[Span]) -> None:
    assert align(gold, system) == brute_force(gold, system)


@given(SPANS, SPANS, st.integers(1, 5))
def test_it_is_so_step_by_step_too(gold: set[Span], system: set[Span], step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "STEP", step)
        assert align(gold, system) == brute_force(gold, system)


@given(SPANS)
def test_equal_spans_are_partners(spans: set[Span]) -> None:
    assert align(spans, spans) == [Aligned(one, one, 1.0) for one in sorted(spans)]
    assert align(spans, ()) == align((), spans) == []


def test_equal_spans_go_first() -> None:
    assert align([(0, 2), (0, 4)], [(0, 2), (1, 3)]) == [((0, 2), (0, 2), 1), ((0, 4), (1, 3), 2 / 4)]


def test_ties_go_by_gold_then_by_system() -> None:
    assert align([(0, 4)], [(1, 4), (0, 3)]) == [((0, 4), (0, 3), 3 / 4)]
    assert align([(1, 4), (0, 3)], [(0, 4)]) == [((0, 3), (0, 4), 3 / 4)]


@pytest.mark.parametrize("tied", [False, True], ids=["nested", "tied"])
def test_many_spans_nested_in_each_other_need_bounded_memory(tied: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every gold span overlaps every system span: 700² pairs, each of which may cost 40 bytes while they are sorted."""
    size = 700
    monkeypatch.setattr(alignment, "STEP", 5_000)
    gold = {(rank if tied else 0, 10_000 + rank) for rank in range(size)}
    system = {(5_000 + rank, 5_001 + rank) if tied else (0, 1 + rank) for rank in range(size)}
    tracemalloc.start()
    try:
        found = align(gold, system)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * size**2 + 250 * alignment.STEP
    assert len(found) == size
    ranks = sorted(gold), sorted(system)
    order = ranks[1] if tied else ranks[1][::-1]  # the shortest gold span takes the longest of the system's
    assert [(one, other) for one, other, _ in found] == list(zip(ranks[0], order, strict=True))


def test_long_texts_are_aligned_in_little_time() -> None:
    """100,000 mentions a side, no two equal: only neighbours are looked at."""
    gold = [(start, start + 3) for start in range(0, 500_000, 5)]
    system = [(start + 1, start + 3) for start in range(0, 500_000, 5)]
    found = align(gold, system)
    assert len(found) == 100_000
    assert {share for _, _, share in found} == {2 / 3}


@given(SPANS, SPANS)
def test_the_pairs_to_sort_are_those_that_overlap(gold: set[Span], system: set[Span]) -> None:
    pairs = [(one, other) for one in gold - system for other in system - gold if overlap(one, other)]
    assert pairs_to_sort(gold, system) == len(pairs)


def test_pairs_are_counted_beyond_32_bits_and_not_made() -> None:
    """50,000 nested mentions a side: 2.5 billion pairs."""
    size = 50_000
    gold, system = ([(start, 4 * size - start) for start in range(side, 2 * size, 2)] for side in (0, 1))
    tracemalloc.start()
    number = pairs_to_sort(gold, system)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert number == size * size > 2**31
    assert most < 100_000_000
