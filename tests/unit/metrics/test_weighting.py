"""Totals by matrix products against the sums of single samples, whatever precision a column needs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence, Numbers
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.metrics import weighting
from pytest_nlpeval.metrics.weighting import Affine, Plan, View, evaluate

COLUMNS: dict[str, Numbers] = {
    "small": np.array([1, 0, 2, 1, 0], np.int8),
    "wide": np.array([2**40 + 1, 0, 3, 2**52 // 50, 7], np.int64),
    "fractions": np.array([0.5, 0.1, 0.7, 1 / 3, 1e-9]),
    "halves": np.array([0.5, 0.1, 0.0, 1 / 3, 2.0]),
    "bound": np.array([(1 << 24) // 5, 0, 1, 0, 0], np.int32),
    "beyond": np.array([(1 << 22) + 1, 0, 1, 0, 0], np.int32),
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
    sample = view.sample(Sample(evidence), np.zeros((3, 0), np.int64))
    assert sample.weights is not None
    assert sample.copies is not None
    assert (sample.weights.shape, sample.copies.shape) == ((3, 0), (3, 1))


def test_first_rows_are_those_of_the_first_units_and_no_samples_are_none() -> None:
    """As many rows as samples, but fewer than units: only two of three columns of the weights are of rows."""
    weights, ones = np.array([[1, 2, 3], [4, 5, 6]]), np.ones(2, np.int64)
    assert Affine(0 * ones, ones).of(weights, np.arange(2)).tolist() == [[1, 2], [4, 5]]
    assert Affine(ones, ones).of(weights[:0], np.arange(2)).shape == (0, 2)


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


@st.composite
def affine(draw: st.DrawFn, rows: int) -> Affine:
    """Rows that count by weights, against them, several times or not at all, and however often they count anyway."""
    slopes = draw(st.sampled_from([st.just(0), st.just(1), st.just(2), st.just(-1), st.integers(-3, 3)]))
    constants = draw(st.sampled_from([st.just(0), st.just(1), st.integers(0, 200)]))
    constant, slope = (draw(st.lists(numbers, min_size=rows, max_size=rows)) for numbers in (constants, slopes))
    return Affine(np.array(constant, np.int64), np.array(slope, np.int64))


@st.composite
def weighted(draw: st.DrawFn) -> tuple[View, NDArray[np.int64]]:
    """A run of up to three documents in which each row has a unit, or which has documents as units, and weights of its units."""
    sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    parts = []
    for rank, size in enumerate(sizes):
        right = draw(arrays.arrays(np.int64, size, elements=st.integers(0, 1)))
        parts.append(Evidence.of("abc"[:size], {"right": right, "all": right | 1}, f"d{rank}"))
    evidence = Evidence.merge(parts)
    rows, documents = len(evidence.units), len(sizes)
    is_by_document = draw(st.booleans())
    size = documents if is_by_document else draw(st.integers(1, 7))
    unit = st.integers(0, size - 1)
    ranks = (
        evidence.document_ranks() if is_by_document else draw(arrays.arrays(np.int64, rows, elements=unit) | whole(rows, size))
    )
    none = np.zeros(documents, np.int64)
    of_documents = draw(affine(documents)) if is_by_document else Affine(none + 1, none)
    view = View(evidence, ranks, size, draw(affine(rows)), of_documents)
    return view, draw(arrays.arrays(np.int64, (draw(st.integers(1, 3)), size), elements=st.integers(0, 150)))


def whole(rows: int, size: int) -> st.SearchStrategy[NDArray[np.int64]]:
    """Each row is a unit of its own, if there are as many."""
    return st.just(np.arange(rows)) if rows == size else st.nothing()


@given(weighted())
def test_rows_and_documents_count_as_often_as_the_weight_of_their_unit_says(given_: tuple[View, NDArray[np.int64]]) -> None:
    view, weights = given_
    sample = view.sample(Sample(view.evidence), weights)
    assert sample.weights is not None
    assert sample.copies is not None
    assert sample.weights.tolist() == [
        [constant + slope * of_units[rank] for rank, constant, slope in zip(*rows_of(view), strict=True)]
        for of_units in weights.tolist()
    ]
    documents = view.documents.constant.tolist(), view.documents.slope.tolist()
    assert sample.copies.tolist() == [
        [
            constant + slope * of_units[rank] if slope else constant
            for rank, (constant, slope) in enumerate(zip(*documents, strict=True))
        ]
        for of_units in weights.tolist()
    ]


def rows_of(view: View) -> tuple[list[int], list[int], list[int]]:
    return view.ranks.tolist(), view.rows.constant.tolist(), view.rows.slope.tolist()


@given(weighted(), st.sets(st.integers(0, 4), min_size=1), st.integers(1, 12))
def test_values_of_all_weights_are_those_of_samples_one_by_one(
    given_: tuple[View, NDArray[np.int64]], chosen: set[int], at_once: int
) -> None:
    """Whether a measure follows from totals, reads a column that it works out, or rows, and however many samples are held at once."""
    view, weights = given_
    every = [
        total_of("right"),
        Measure("wrong", "", "", lambda sample: sample.total(1 - sample.evidence.column("right"))),
        Measure("rows", "", "", lambda sample: sample.counts(np.flatnonzero(sample.evidence.column("right"))).sum(axis=1) * 1.0),
        Measure("documents", "", "", lambda sample: sample.document_mean(sample.document_sums("right"))),
        total_of("all"),
    ]
    measures = [measure for rank, measure in enumerate(every) if rank in chosen]
    plan = Plan.of(measures, view.evidence)
    assert [measure.name for measure in plan.others] == [each.name for each in measures if each.name in ("rows", "documents")]
    assert [*plan.additive] == [each.name for each in measures if each.name in ("right", "wrong", "all")]
    turned = View(view.evidence, view.ranks, view.size, Affine(view.rows.slope**2, view.rows.constant), view.documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weighting, "_MOST_KEPT", at_once)
        patch.setattr(weighting, "_AT_ONCE", at_once)
        found = evaluate(plan, [view, turned], [weights, weights[:1]])
    for values, each in zip(found, (view, turned), strict=True):
        samples = [each.sample(Sample(each.evidence), row[None]) for row in (*weights, weights[0])]
        for measure in measures:
            np.testing.assert_array_equal(values[measure.name], [measure.values(sample)[0] for sample in samples])


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
