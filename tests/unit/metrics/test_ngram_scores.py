"""BLEU and chrF from counts, derived by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.ngram_scores import bleu, brevity_penalty, chrf, smoothed_precisions


def column(*numbers: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[float(number)] for number in numbers])


def test_bleu_is_the_geometric_mean_under_a_penalty() -> None:
    found = bleu(column(5, 3, 2, 1), column(6, 5, 4, 3), np.array([6.0]), np.array([8.0]))
    assert found[0] == pytest.approx(math.exp(1 - 8 / 6) * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** (1 / 4), abs=1e-15)


def test_misses_are_smoothed_one_after_the_other() -> None:
    assert smoothed_precisions(column(3, 0, 1, 0), column(4, 3, 2, 1))[:, 0].tolist() == [3 / 4, 1 / 6, 1 / 2, 1 / 4]


def test_an_order_without_ngrams_is_left_out_only_of_segments() -> None:
    counts = column(2, 1, 0, 0), column(2, 1, 0, 0), np.array([2.0]), np.array([2.0])
    assert bleu(*counts)[0] == 0
    assert bleu(*counts, is_effective=True)[0] == pytest.approx(1, abs=1e-15)


def test_nothing_in_common_is_zero_and_no_tokens_too() -> None:
    assert bleu(column(0, 0, 0, 0), column(4, 3, 2, 1), np.array([4.0]), np.array([4.0]))[0] == 0
    assert bleu(column(0, 0, 0, 0), column(0, 0, 0, 0), np.array([0.0]), np.array([0.0]), is_effective=True)[0] == 0


ORDERS = 4


@st.composite
def sums(draw: st.DrawFn) -> tuple[list[int], list[int], int, int]:
    """The numbers of some texts: matches, n-grams of the hypotheses, their tokens and those of the references."""
    used = draw(st.integers(0, ORDERS))
    ngrams = sorted((draw(st.integers(1, 6)) if size < used else 0 for size in range(ORDERS)), reverse=True)
    most = draw(st.sampled_from([0, 6, 6]))
    return [draw(st.integers(0, min(number, most))) for number in ngrams], ngrams, ngrams[0], draw(st.integers(0, 6))


def bleu_of(m: Sequence[int], t: Sequence[int], h: int, r: int, *, is_effective: bool) -> float:
    """The definition, order by order."""
    product, used, misses = 1.0, 0, 0
    for matched, number in zip(m, t, strict=True):
        if number:
            used += 1
            misses += not matched
            product *= matched / number if matched else 1 / (2**misses * number)
    if not any(m) or (used < ORDERS and not is_effective):
        return 0.0
    penalty = 1.0 if h >= r else math.exp(1 - r / h)
    mean: float = product ** (1 / used)
    return penalty * mean


@given(st.lists(sums(), min_size=1, max_size=4), st.booleans())
def test_bleu_of_many_texts_is_the_definition_of_each(
    texts: list[tuple[list[int], list[int], int, int]], is_effective: bool
) -> None:
    m, t, h, r = (np.array(numbers).T for numbers in zip(*texts, strict=True))
    found = bleu(m, t, h, r, is_effective=is_effective).tolist()
    assert found == pytest.approx([bleu_of(*text, is_effective=is_effective) for text in texts], abs=1e-12)


def chrf_of(h: Sequence[int], r: Sequence[int], m: Sequence[int]) -> float:
    """The definition, order by order."""
    shares = [(same / ours, same / theirs) for ours, theirs, same in zip(h, r, m, strict=True) if ours and theirs]
    if not any(m):
        return 0.0
    precision, recall = (sum(side) / len(shares) for side in zip(*shares, strict=True))
    value: float = 5 * precision * recall / (4 * precision + recall)
    return value


@st.composite
def sides(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """The n-grams of both sides, and those in common, of which there are none where a side has none."""
    h, r = ([draw(st.integers(0, 3)) for _ in range(ORDERS)] for _ in range(2))
    return h, r, [draw(st.integers(0, min(pair))) for pair in zip(h, r, strict=True)]


@given(st.lists(sides(), min_size=1, max_size=4))
def test_chrf_of_many_texts_is_the_definition_of_each(texts: list[tuple[list[int], list[int], list[int]]]) -> None:
    found = chrf(*(np.array(numbers).T for numbers in zip(*texts, strict=True))).tolist()
    assert found == pytest.approx([chrf_of(*text) for text in texts], abs=1e-12)


def test_misses_before_the_first_match_count_too() -> None:
    assert smoothed_precisions(column(0, 0, 1), column(4, 3, 2))[:, 0].tolist() == [1 / 2 / 4, 1 / 4 / 3, 1 / 2]


def test_a_penalty_for_no_tokens_is_1_if_there_are_none_of_the_reference_either() -> None:
    assert brevity_penalty(np.array([0.0, 0.0]), np.array([0.0, 1.0])).tolist() == [1, 0]


def test_the_penalty_is_for_short_hypotheses_alone() -> None:
    found = brevity_penalty(np.array([9.0, 4.0]), np.array([8.0, 8.0]))
    assert found.tolist() == [1.0, pytest.approx(math.exp(-1))]


def test_chrf_is_over_the_orders_that_both_sides_have() -> None:
    found = chrf(column(3, 2, 0), column(2, 1, 0), column(2, 1, 0))
    precision, recall = (2 / 3 + 1 / 2) / 2, (2 / 2 + 1 / 1) / 2
    assert found[0] == pytest.approx(5 * precision * recall / (4 * precision + recall), abs=1e-15)
    assert chrf(column(0), column(3), column(0))[0] == 0
