"""Precision, recall and F of a task, from counts or from functions of its own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import Evidence, Sample
from pytest_nlpeval.kit.prf import FIGURES, Texts, figure_of, prf, ratios_of
from pytest_nlpeval.measures import Triple

TEXTS: Texts = {figure: (f"The {figure}.", "correct / ...", f"no {figure}") for figure in FIGURES}

counts = st.integers(0, 50)


@given(counts, counts, counts)
def test_f_is_the_harmonic_mean(correct: int, spurious: int, missed: int) -> None:
    precision, recall, f = (figure_of(figure, correct, correct + spurious, correct + missed).item() for figure in FIGURES)
    if correct:
        assert f == pytest.approx(2 * precision * recall / (precision + recall))
    else:
        assert f == 0 or (math.isnan(f) and not spurious and not missed)
    assert math.isnan(precision) == (correct + spurious == 0)
    assert math.isnan(recall) == (correct + missed == 0)


def test_counts_are_columns_or_functions() -> None:
    columns = {"right": np.array([1, 1]), "half": np.array([0, 1]), "given": np.array([2, 2]), "all": np.array([3, 1])}
    sample = Sample(Evidence.of("ab", columns), np.array([[1, 1], [2, 0]]))
    plain = [measure.values(sample).tolist() for measure in prf("", ratios_of("right", "given", "all"), TEXTS)]
    assert plain == [[2 / 4, 2 / 4], [2 / 4, 2 / 6], [4 / 8, 4 / 10]]
    halves = ratios_of(lambda sample: sample.total("right") + sample.total("half") / 2, "given", "all")
    assert next(prf("", halves, TEXTS)).values(sample).tolist() == [2.5 / 4, 2 / 4]


def test_a_triple_is_declared() -> None:
    measures = list(prf("PER", ratios_of("c", "s", "g"), TEXTS, precision_of_nothing=1.0))
    assert [measure.name for measure in measures] == ["PER.precision", "PER.recall", "PER.f1"]
    assert [measure.triple for measure in measures] == [Triple("PER", figure) for figure in FIGURES]
    assert [measure.empty for measure in measures] == [1.0, 0.0, 0.0]
    assert {measure.group for measure in measures} == {"PER"}
    assert [measure.score(Sample(Evidence.of("", {}))).reason for measure in measures] == [f"no {figure}" for figure in FIGURES]


def test_figures_come_in_the_order_of_their_texts() -> None:
    texts: Texts = {figure: TEXTS[figure] for figure in ("f1", "recall")}
    assert [measure.name for measure in prf("", ratios_of("c", "s", "g"), texts)] == ["f1", "recall"]
