"""Totals by matrix products against the sums of single samples, whatever precision a column needs."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_nlpeval.evidence import Evidence, Numbers
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.metrics import weighting
from pytest_nlpeval.metrics.weighting import Affine, Plan, View, evaluate

COLUMNS: dict[str, Numbers] = {
    "small": np.array([1, 0, 2, 1, 0], np.int8),
    "wide": np.array([2**40 + 1, 0, 3, 2**52 // 50, 7], np.int64),
    "halves": np.array([0.5, 0.1, 0.0, 1 / 3, 2.0]),
    "bound": np.array([(1 << 24) // 5, 0, 1, 0, 0], np.int32),
    "negative": np.array([-1, 1, 0, -2, 3], np.int8),
}


def total_of(name: str) -> Measure:
    return Measure(name, "", "", lambda sample: sample.total(name))


@pytest.mark.parametrize("names", [list(COLUMNS), ["small"], ["wide", "small"], ["halves"]])
def test_totals_are_those_of_single_samples(names: list[str]) -> None:
    evidence = Evidence.of("abcde", {name: COLUMNS[name] for name in names})
    measures = [total_of(name) for name in names]
    ones, zeros = np.ones(5, np.int64), np.zeros(5, np.int64)
    view = View(evidence, np.arange(5), 5, Affine(zeros, ones), Affine(zeros[:1], zeros[:1]))
    weights = np.array([[1, 1, 1, 1, 1], [5, 0, 0, 0, 0], [0, 2, 0, 3, 0], [0, 0, 0, 0, 0]], np.int64)
    (found,) = evaluate(Plan.of(measures, evidence), [view], [weights[:3], weights[3:]])
    for measure in measures:
        assert found[measure.name].tolist() == measure.values(Sample(evidence, weights)).tolist(), measure.name


def test_no_units_at_all() -> None:
    evidence = Evidence.of("", {"small": np.zeros(0, np.int8)})
    none = np.zeros(0, np.int64)
    view = View(evidence, none, 0, Affine(none, none), Affine(np.zeros(1, np.int64), np.zeros(1, np.int64)))
    (found,) = evaluate(Plan.of([total_of("small")], evidence), [view], [np.zeros((3, 0), np.int64)])
    assert found["small"].tolist() == [0, 0, 0]


def test_no_more_totals_are_held_at_once_however_few_the_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of few units all samples come in one piece: the totals of many columns are made for some of them at a time."""
    names = [f"c{rank}" for rank in range(40)]
    evidence = Evidence.of("abcde", {name: np.arange(5) + rank for rank, name in enumerate(names)})
    measures = [total_of(name) for name in names]
    ones, zeros = np.ones(5, np.int64), np.zeros(5, np.int64)
    view = View(evidence, np.arange(5), 5, Affine(zeros, ones), Affine(zeros[:1], zeros[:1]))
    weights = np.random.default_rng(1).integers(0, 3, (500, 5))
    (expected,) = evaluate(Plan.of(measures, evidence), [view], [weights])
    held: list[int] = []
    make = weighting._Totals.sample

    def sample(self: weighting._Totals, plain: Sample) -> Sample:
        held.append(self.kept)
        return make(self, plain)

    monkeypatch.setattr(weighting, "_MOST_KEPT", 1_000)
    monkeypatch.setattr(weighting._Totals, "sample", sample)
    (found,) = evaluate(Plan.of(measures, evidence), [view], [weights])
    assert sum(held) == 500 * 40
    assert max(held) <= 2 * 1_000
    assert {name: values.tolist() for name, values in found.items()} == {
        name: values.tolist() for name, values in expected.items()
    }


@pytest.mark.parametrize("most", [weighting._MOST_TOGETHER, 0])
def test_in_which_pieces_weights_come_changes_nothing(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces are joined, unless units are too many."""
    monkeypatch.setattr(weighting, "_MOST_TOGETHER", most)
    evidence = Evidence.of("abcde", COLUMNS)
    measures = [total_of(name) for name in COLUMNS]
    ones, zeros = np.ones(5, np.int64), np.zeros(5, np.int64)
    view = View(evidence, np.arange(5), 5, Affine(zeros, ones), Affine(zeros[:1], zeros[:1]))
    weights = np.random.default_rng(1).multinomial(5, np.full(5, 0.2), 60)
    (found,) = evaluate(Plan.of(measures, evidence), [view], np.split(weights, [1, 2, 4, 15, 30, 31, 57]))
    for measure in measures:
        assert found[measure.name].tolist() == measure.values(Sample(evidence, weights)).tolist(), measure.name
