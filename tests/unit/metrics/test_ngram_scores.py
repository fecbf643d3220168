"""BLEU and chrF from counts, derived by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

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


def test_the_penalty_is_for_short_hypotheses_alone() -> None:
    found = brevity_penalty(np.array([9.0, 4.0]), np.array([8.0, 8.0]))
    assert found.tolist() == [1.0, pytest.approx(math.exp(-1))]


def test_chrf_is_over_the_orders_that_both_sides_have() -> None:
    found = chrf(column(3, 2, 0), column(2, 1, 0), column(2, 1, 0))
    precision, recall = (2 / 3 + 1 / 2) / 2, (2 / 2 + 1 / 1) / 2
    assert found[0] == pytest.approx(5 * precision * recall / (4 * precision + recall), abs=1e-15)
    assert chrf(column(0), column(3), column(0))[0] == 0
