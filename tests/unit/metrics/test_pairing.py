from __future__ import annotations

import numpy as np

from pytest_nlpeval.columns import CLUSTER, Categorical, Column, Sparse
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.metrics.pairing import pair, ranks_of, resampled_by


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
    few, many = (run({f"{rank:02}": {"1": 1} for rank in range(number)}) for number in (7, 8))
    assert (resampled_by(few), resampled_by(many)) == ("units", "documents")
    assert (resampled_by(few, "documents"), resampled_by(many, "units")) == ("documents", "units")


def clustered(right: list[int], clusters: list[str | None]) -> Evidence:
    names = list(map(str, range(len(right))))
    return Evidence.of(names, {"right": np.array(right, np.int8), CLUSTER: Categorical.of(clusters)}, "d")


def test_rows_of_one_cluster_are_drawn_together_and_rows_without_one_alone() -> None:
    evidence = clustered([1, 1, 1, 1, 1], ["b", None, "a", "b", None])
    assert resampled_by(evidence) == "clusters"
    assert ranks_of(evidence, "clusters").tolist() == [0, 1, 2, 0, 3]
    assert resampled_by(evidence, "units") == "units"


def test_a_cluster_does_not_reach_into_another_document() -> None:
    parts = [clustered([1, 1], ["a", "a"]).named(name) for name in "de"]
    assert ranks_of(Evidence.merge(parts), "clusters").tolist() == [0, 0, 1, 1]


def test_clusters_pair_as_the_rows_in_them_do() -> None:
    now, before = clustered([1, 0, 1], ["a", "b", "a"]), clustered([1, 1, 1], ["a", "b", "a"])
    pairs = pair(now, before, "clusters")
    assert pairs.ranks.tolist() == [0, 1, 0, 0, 1, 0]
    assert pairs.differs.tolist() == [False, True]
    assert (pairs.paired, pairs.added, pairs.removed) == (2, 0, 0)


def test_another_cluster_is_no_difference() -> None:
    assert pair(clustered([1, 1], ["a", "b"]), clustered([1, 1], ["a", "a"]), "units").differing == 0
