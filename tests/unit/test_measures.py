from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import Evidence, Measure
from pytest_nlpeval.columns import Categorical, Column, Numbers, Sparse
from pytest_nlpeval.measures import COUNT, SHARE, Blocks, ByDocument, Range, Sample, Score, leading_share
from pytest_nlpeval.metrics.prf import ratio


def sample(values: list[int], weights: list[list[int]] | None = None) -> Sample:
    evidence = Evidence.of([str(row) for row in range(len(values))], {"a": np.array(values, np.int64)})
    return Sample(evidence, None if weights is None else np.array(weights, np.int64).reshape(len(weights), len(values)))


rows = st.lists(st.tuples(st.integers(-100, 100), st.integers(0, 3)), max_size=8)


@given(rows)
def test_a_weight_counts_as_repetition(data: list[tuple[int, int]]) -> None:
    values, weights = [value for value, _ in data], [weight for _, weight in data]
    repeated = [value for value, weight in data for _ in range(weight)]
    assert sample(values, [weights]).total("a").tolist() == sample(repeated).total("a").tolist()
    order = np.arange(len(values))[::-1]
    assert sample(values, [weights, weights]).counts(order).tolist() == [weights[::-1]] * 2
    assert sample(values).counts(order).tolist() == [[1] * len(values)]


@given(st.lists(st.integers(0, 100), max_size=70), st.data())
def test_running_sums_are_those_of_the_first_rows(weights: list[int], data: st.DataObject) -> None:
    """Whatever the type of the weights; the sums of int8 weights are beyond that type."""
    order = data.draw(st.lists(st.integers(0, len(weights) - 1), max_size=70) if weights else st.just([]))
    places = data.draw(st.lists(st.integers(0, len(order)), max_size=5))
    rows, wanted = np.array(order, np.int64), np.array(places, np.int64)
    expected = [sum(weights[row] for row in order[:place]) for place in places]
    evidence = Evidence.of([""] * len(weights), {})
    for kind in (np.int8, np.int64, np.uint64):
        drawn = Sample(evidence, np.array([weights, weights], np.int64).reshape(2, -1).astype(kind))
        assert drawn.running_sums(rows, wanted).tolist() == [expected] * 2
    assert Sample(evidence).running_sums(rows, wanted).tolist() == [places]


Documents = list[list[tuple[int, int, int]]]
"""Of each document the rows; of each row its key, its number and its weight."""

documents = st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(-100, 100), st.integers(0, 3)), max_size=5), max_size=4)


def of_documents(data: Documents, *, repeat: bool = False) -> Evidence:
    """Return the evidence of some documents, each row as often as its weight says if `repeat`."""
    parts = []
    for rank, rows_ in enumerate(data):
        rows = [row for row in rows_ for _ in range(row[2] if repeat else 1)]
        keys, values = np.array([row[0] for row in rows], np.int8), np.array([row[1] for row in rows], np.int8)
        columns: dict[str, Column] = {"key": keys, "dense": values, "sparse": Sparse.from_dense(values)}
        parts.append(Evidence.of([""] * len(rows), columns, f"d{rank}"))
    return Evidence.merge(parts)


@given(documents)
def test_sums_of_blocks_and_documents(data: Documents) -> None:
    """A weight counts as repetition; the sums are those of the definition, and add up to the total."""
    rows = [row for part in data for row in part]
    evidence = of_documents(data)
    weights = np.array([[1] * len(rows), [row[2] for row in rows], [0] * len(rows)], np.int8)
    drawn = Sample(evidence, weights)
    copies = Sample(of_documents(data, repeat=True))
    blocks = Blocks.of(evidence.column("key"))
    assert blocks.keys.tolist() == sorted({key for key, _, _ in rows})
    assert blocks.ranks.tolist() == [blocks.keys.tolist().index(key) for key, _, _ in rows]
    for name in ("dense", "sparse"):
        of_blocks, of_parts = drawn.block_sums(name, blocks), drawn.document_sums(name)
        assert of_blocks[1].tolist() == [
            sum(value * weight for key, value, weight in rows if key == block) for block in blocks.keys
        ]
        assert of_parts[1].tolist() == [sum(value * weight for _, value, weight in part) for part in data]
        assert of_blocks.shape == (3, len(blocks.keys))
        assert of_parts.shape == (3, len(data))
        assert of_blocks.sum(axis=1).tolist() == of_parts.sum(axis=1).tolist() == drawn.total(name).tolist()
        assert of_parts[1].tolist() == copies.document_sums(name)[0].tolist()
        assert Sample(evidence).block_sums(name, blocks)[0].tolist() == of_blocks[0].tolist()
        present = Blocks.of(copies.evidence.column("key"))
        assert copies.block_sums(name, present)[0].tolist() == of_blocks[1][np.isin(blocks.keys, present.keys)].tolist()


@given(documents)
def test_blocks_of_some_rows(data: Documents) -> None:
    rows = [row for part in data for row in part]
    evidence = of_documents(data)
    flags = np.array([row[2] % 2 for row in rows], np.int8)
    blocks = Blocks.of(evidence.column("key"), flags)
    sums = Sample(evidence).block_sums("dense", blocks)[0]
    assert sums.tolist() == [sum(v for k, v, w in rows if k == block and w % 2) for block in blocks.keys]


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(-1e6, 1e6)), max_size=20))
def test_sums_of_floats_in_blocks_do_not_depend_on_the_order(data: list[tuple[int, float]]) -> None:
    def sums(rows: list[tuple[int, float]]) -> list[float]:
        keys, values = np.array([key for key, _ in rows], np.int8), np.array([value for _, value in rows], np.float64)
        return list(Sample(Evidence.of([""] * len(rows), {"a": values})).block_sums("a", Blocks.of(keys))[0].tolist())

    expected = [math.fsum(value for key, value in data if key == block) for block in sorted({key for key, _ in data})]
    assert sums(data) == sums(data[::-1]) == expected


def test_narrow_numbers_are_summed_in_wide_ones() -> None:
    evidence = Evidence.of([""] * 1000, {"a": np.full(1000, 127, np.int8), "b": Sparse.from_dense(np.full(1000, 127, np.int8))})
    for drawn, factor in ((Sample(evidence), 1), (Sample(evidence, np.full((1, 1000), 100, np.int8)), 100)):
        for name in ("a", "b"):
            assert drawn.total(name).tolist() == [127_000 * factor]
            assert drawn.document_sums(name).tolist() == [[127_000 * factor]]
            assert drawn.block_sums(name, Blocks.of(np.zeros(1000))).tolist() == [[127_000 * factor]]


def test_many_resamples_come_in_parts() -> None:
    """More weighted numbers than are held at once."""
    rows, resamples = 3000, 1000
    keys: Numbers = np.arange(rows) % 7
    evidence = Evidence.of([""] * rows, {"a": np.ones(rows, np.int8)})
    drawn = Sample(evidence, np.tile(np.arange(resamples)[:, None], (1, rows)))
    per_block = np.bincount(keys)
    assert np.array_equal(drawn.block_sums("a", Blocks.of(keys)), np.arange(resamples)[:, None] * per_block)


def test_codes_make_blocks() -> None:
    evidence = Evidence.of("abc", {"gold": Categorical.of(["x", None, "x"]), "right": np.array([1, 1, 0], np.int8)})
    blocks = Blocks.of(evidence.column("gold"), evidence.column("gold") >= 0)
    assert Sample(evidence).block_sums("right", blocks).tolist() == [[1]]
    assert Sample(Evidence.merge([])).document_sums("right").shape == (1, 0)


def test_totals_come_one_per_resample() -> None:
    assert sample([1, 10], [[1, 1], [2, 0], [0, 3]]).total("a").tolist() == [1 + 10, 2, 3 * 10]


@given(st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_sums_of_floats_do_not_depend_on_the_order(values: list[float]) -> None:
    def total(column: list[float]) -> float:
        evidence = Evidence.of([""] * len(column), {"a": np.array(column, np.float64)})
        return float(Sample(evidence).total("a")[0])

    assert total(values) == total(values[::-1]) == math.fsum(values)


def test_a_measure_gives_a_value_or_a_reason() -> None:
    share = Measure("share", "A share.", "a / a", lambda s: ratio(s.total("a"), s.total("a")), "nothing there")
    assert share.score(sample([2])) == Score(1.0)
    assert share.score(sample([])) == Score(None, "nothing there")
    told = Measure("share", "", "", share.values, lambda evidence: f"{len(evidence.units)} units")
    assert told.score(sample([0])) == Score(None, "1 units")
    assert Score(None, "why").to_json() == {"value": None, "reason": "why"}
    assert Score(0.5).to_json() == {"value": 0.5}


def test_what_several_measures_need_is_computed_once() -> None:
    calls: list[Evidence] = []

    def number_of_units(evidence: Evidence) -> int:
        calls.append(evidence)
        return len(evidence.units)

    kept = sample([1])
    assert [kept.once("x", number_of_units) for _ in range(2)] == [1, 1]
    assert len(calls) == 1


def test_what_several_measures_need_of_weights_is_computed_once_for_each() -> None:
    kept = sample([1])
    other = kept.drawn(np.array([[2]]))
    values = [np.array([1.0]), np.array([2.0])]
    assert [kept.shared("x", values.pop)[0] for _ in range(2)] == [2, 2]
    assert [other.shared("x", values.pop)[0] for _ in range(2)] == [1, 1]
    assert not values


@pytest.mark.parametrize(
    ("fields", "goal"),
    [
        ({}, 1.0),
        ({"better": "lower"}, 0.0),
        ({"range": COUNT}, None),
        ({"range": COUNT, "better": "lower"}, 0.0),
        ({"range": Range(-1.0, 1.0)}, 1.0),
        ({"range": Range(-math.inf, math.inf)}, None),
        ({"range": Range(-math.inf, math.inf), "perfect": 1.0}, 1.0),
        ({"perfect": None}, None),
    ],
)
def test_perfect_output_reaches_the_better_end_of_the_range(fields: dict[str, Any], goal: float | None) -> None:
    assert Measure("m", "", "", lambda sample: sample.total("a"), **fields).goal == goal


def test_a_measure_is_new_against_evidence_without_its_column() -> None:
    evidence = sample([1]).evidence
    news = {since: Measure("m", "", "", lambda s: s.total("a"), since=since).is_new_against(evidence) for since in ("", "a", "b")}
    assert news == {"": False, "a": False, "b": True}


@pytest.mark.parametrize(
    ("within", "value", "number"),
    [(COUNT, 3.0, 3), (COUNT, 3.5, 3.5), (COUNT, math.nan, None), (SHARE, 1.0, 1.0), (SHARE, 0.5, 0.5)],
)
def test_a_number_of_things_is_an_integer_unless_they_are_weighted(within: Range, value: float, number: float | None) -> None:
    found = Measure("m", "", "", lambda s: s.total("a"), range=within).number(value)
    assert (found, type(found)) == (number, type(number))


def test_an_additive_measure_has_a_figure_of_each_document() -> None:
    evidence = of_documents([[(0, 1, 1), (0, 2, 1)], [(0, 5, 1)]])
    figures = Measure("m", "", "", lambda s: s.total("dense")).of_documents(ByDocument(evidence))
    assert figures is not None
    assert figures.tolist() == [1 + 2, 5]
    assert Measure("m", "", "", lambda s: s.document_sums("dense")).of_documents(ByDocument(evidence)) is None
    assert Measure("m", "", "", lambda _: np.ones(1)).of_documents(ByDocument(evidence)) is None


def test_the_leading_measure_is_the_first_share_of_which_more_is_better() -> None:
    def measure(name: str, **fields: Any) -> Measure:
        return Measure(name, "", "", lambda s: s.total("a"), **fields)

    others = [measure("errors", range=COUNT, better="lower"), measure("missed", better="lower"), measure("right", range=COUNT)]
    assert leading_share(others) == []
    assert [found.name for found in leading_share([*others, measure("f1"), measure("recall")])] == ["f1"]
