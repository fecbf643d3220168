from __future__ import annotations

import numpy as np

from pytest_nlpeval.columns import Categorical, Column, Sparse
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.metrics.pairing import pair, resampled_by


def run(documents: dict[str, dict[str, int]], column: str = "right") -> Evidence:
    parts = [
        Evidence.of(list(units), {column: np.array(list(units.values()), np.int8)}, name) for name, units in documents.items()
    ]
    return Evidence.merge(parts)


def test_units_pair_by_document_and_name() -> None:
    now = run({"a": {"1": 1, "2": 0}, "c": {"1": 1}})
    before = run({"a": {"2": 1, "1": 1}, "b": {"1": 1}})
    pairs = pair(now, before, "units")
    assert pairs.evidence.documents == ("a", "b", "c")
    assert pairs.evidence.units == ("1", "2", "2", "1", "1", "1")
    assert pairs.is_now.tolist() == [True, True, False, False, False, True]
    assert pairs.ranks.tolist() == [0, 1, 1, 0, 2, 3]
    assert pairs.evidence.column("right").tolist() == [1, 0, 1, 1, 1, 1]
    assert (pairs.paired, pairs.added, pairs.removed, pairs.differing) == (2, 1, 1, 3)
    assert pairs.differs.tolist() == [False, True, True, True]
    assert [found.tolist() for found in pairs.present] == [[True, False, True], [True, True, False]]


def test_whole_documents_pair_by_name() -> None:
    now = run({"a": {"1": 1, "2": 0}, "b": {"1": 1}, "c": {}})
    before = run({"a": {"1": 1, "2": 1}, "b": {"1": 1}, "d": {}})
    pairs = pair(now, before, "documents")
    assert pairs.ranks.tolist() == [0, 0, 0, 0, 1, 1]
    assert pairs.differs.tolist() == [True, False, True, True]
    assert (pairs.paired, pairs.added, pairs.removed) == (2, 1, 1)


def test_a_run_does_not_differ_from_itself_in_another_order() -> None:
    run_ = run({"a": {"1": 1, "2": 0}, "b": {"x": 1}})
    assert pair(run_, run({"b": {"x": 1}, "a": {"2": 0, "1": 1}}), "units").differing == 0
    assert pair(run_, run_, "documents").differing == 0


def test_rows_of_one_name_pair_in_their_order() -> None:
    now, before = (Evidence.of(["", ""], {"right": np.array(values, np.int8)}, "d") for values in ([0, 1], [0, 0]))
    assert pair(now, before, "units").differs.tolist() == [False, True]


def test_columns_and_vocabularies_are_aligned() -> None:
    def one(label: str, **columns: Column) -> Evidence:
        return Evidence.of(["1"], {"label": Categorical.of([label]), **columns}, "d")

    pairs = pair(one("b", old=np.array([0], np.int8)), one("a", rare=Sparse.of([0], [2], 1)), "units")
    assert pairs.evidence.columns["label"].tolist() == ["b", "a"]
    assert pairs.evidence.column("old").tolist() == [0, 0]
    assert pairs.evidence.column("rare").tolist() == [0, 2]
    assert pairs.differing == 1
    assert pair(one("b", old=np.array([0], np.int8)), one("b"), "units").differing == 0


def test_nothing_pairs_with_nothing() -> None:
    empty = Evidence.merge([])
    for by in ("documents", "units"):
        pairs = pair(empty, empty, "units" if by == "units" else "documents")
        assert (pairs.size, pairs.differing, pairs.paired) == (0, 0, 0)


def test_documents_are_drawn_where_there_are_enough() -> None:
    few, many = (run({f"{rank:02}": {"1": 1} for rank in range(number)}) for number in (19, 20))
    assert (resampled_by(few), resampled_by(many)) == ("units", "documents")
    assert (resampled_by(few, "documents"), resampled_by(many, "units")) == ("documents", "units")
