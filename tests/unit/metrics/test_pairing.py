from __future__ import annotations

import tracemalloc
from typing import get_args

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.columns import CLUSTER, GROUP, Categorical, Column, Sparse
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.metrics.pairing import By, aligned, pair, ranks_of, resampled_by


def run(documents: dict[str, dict[str, int]], column: str = "right") -> Evidence:
    parts = [
        Evidence.of(list(units), {column: np.array(list(units.values()), np.int8)}, name) for name, units in documents.items()
    ]
    return Evidence.merge(parts)


RUNS = st.dictionaries(st.sampled_from("abc"), st.dictionaries(st.sampled_from("123"), st.integers(0, 1)), min_size=1)


def test_units_pair_by_document_and_name() -> None:
    now = run({"a": {"1": 1, "2": 0}, "c": {"1": 1}})
    before = run({"a": {"2": 1, "1": 1}, "b": {"1": 1}})
    pairs = pair(now, before, "units")
    assert pairs.evidence.documents == ("a",)
    assert pairs.evidence.units == ("1", "2", "2", "1")
    assert pairs.is_now.tolist() == [True, True, False, False]
    assert pairs.ranks.tolist() == [0, 1, 1, 0]
    assert pairs.evidence.column("right").tolist() == [1, 0, 1, 1]
    assert (pairs.size, pairs.added, pairs.removed, pairs.differing) == (2, 1, 1, 1)
    assert pairs.differs.tolist() == [False, True]
    assert (pairs.now.units, pairs.baseline.units) == (("1", "2"), ("2", "1"))


def test_whole_documents_pair_by_name() -> None:
    now = run({"a": {"1": 1, "2": 0}, "b": {"1": 1}, "c": {}})
    before = run({"a": {"1": 1, "2": 1}, "b": {"1": 1}, "d": {}})
    pairs = pair(now, before, "documents")
    assert pairs.ranks.tolist() == [0, 0, 0, 0, 1, 1]
    assert pairs.differs.tolist() == [True, False]
    assert (pairs.size, pairs.added, pairs.removed) == (2, 1, 1)


def test_what_one_run_alone_was_asked_is_in_no_comparison() -> None:
    """Of a document that gained an item the others are compared; one without any item in common is left out."""
    now = run({"a": {"1": 1, "2": 0}, "b": {"new": 1}, "e": {}})
    before = run({"a": {"1": 1, "0": 1}, "b": {"old": 1}, "e": {}})
    pairs = pair(now, before, "documents")
    assert (pairs.size, pairs.differing, pairs.added, pairs.removed) == (2, 0, 1, 1)
    assert (pairs.added_rows, pairs.removed_rows) == (2, 2)
    assert pairs.common.documents == {"a", "e"}
    assert pairs.common.alone == {("a", "0"), ("a", "2")}
    assert [pairs.common.has("a", unit) for unit in ("0", "1", "2")] == [False, True, False]
    assert not pairs.common.has("b", "1")
    assert pairs.now == run({"a": {"1": 1}, "e": {}})


@given(RUNS, RUNS)
def test_no_more_units_differ_than_both_runs_have(now: dict[str, dict[str, int]], before: dict[str, dict[str, int]]) -> None:
    for by in get_args(By):
        pairs = pair(run(now), run(before), by)
        back = pair(run(before), run(now), by)
        assert 0 <= pairs.differing <= pairs.size <= len(now.keys() & before.keys() if by == "documents" else run(now).units)
        assert (pairs.added, pairs.removed, pairs.differing) == (back.removed, back.added, back.differing)
        assert sorted(zip(pairs.now.document_ranks().tolist(), pairs.now.units, strict=True)) == sorted(
            zip(pairs.baseline.document_ranks().tolist(), pairs.baseline.units, strict=True)
        )


def test_a_run_does_not_differ_from_itself_in_another_order() -> None:
    run_ = run({"a": {"1": 1, "2": 0}, "b": {"x": 1}})
    assert pair(run_, run({"b": {"x": 1}, "a": {"2": 0, "1": 1}}), "units").differing == 0
    assert pair(run_, run_, "documents").differing == 0


def test_rows_of_one_name_pair_in_their_order() -> None:
    now, before = (Evidence.of(["", ""], {"right": np.array(values, np.int8)}, "d") for values in ([0, 1], [0, 0]))
    assert pair(now, before, "units").differs.tolist() == [False, True]


def test_rows_of_one_name_that_one_run_has_more_of_are_left_out_from_the_end() -> None:
    now, before = (
        Evidence.of(["x", *names], {"right": np.array(values, np.int8)}, "d")
        for names, values in ((["y", "x", "x"], [0, 1, 1, 1]), (["x", "y"], [0, 0, 1]))
    )
    pairs = pair(now, before, "units")
    assert pairs.evidence.units == ("x", "y", "x", "x", "x", "y")
    assert pairs.differs.tolist() == [False, True, False], "the second x differs; the third of now is alone"
    assert (pairs.added, pairs.removed, sorted(pairs.common.alone)) == (1, 0, [("d", "x")])


def test_documents_stand_in_their_order_and_todays_rows_first() -> None:
    documents = {name: {"1": 1} for name in "hgfedcba"}
    pairs = pair(run(documents), run({**documents, "0": {"1": 1}}), "documents")
    assert pairs.evidence.documents == tuple("abcdefgh")
    assert pairs.is_now.tolist() == [True, False] * 8


def test_documents_without_rows_are_units_as_well() -> None:
    both = {"a": {"1": 1}, "b": {}, "c": {"1": 0}, "d": {}}
    pairs = pair(run(both), run({**both, "c": {"1": 1}}), "documents")
    assert pairs.differs.tolist() == [False, False, True, False]


@given(RUNS, RUNS)
def test_rows_correspond_by_their_names_whatever_is_drawn(
    now: dict[str, dict[str, int]], before: dict[str, dict[str, int]]
) -> None:
    for by in get_args(By):
        pairs = pair(run(now), run(before), by)
        names = list(zip(pairs.evidence.document_ranks().tolist(), pairs.evidence.units, strict=True))
        todays, earlier = (rows.tolist() for rows in aligned(pairs))
        assert [names[row] for row in todays] == [names[row] for row in earlier]
        assert sorted(todays) == np.flatnonzero(pairs.is_now).tolist()
        assert sorted(earlier) == np.flatnonzero(~pairs.is_now).tolist()


def grouped(names: str, groups: list[str] | None) -> Evidence:
    column = {} if groups is None else {GROUP: Categorical.of(groups)}
    return Evidence.of(list(names), {"right": np.ones(len(names), np.int8), **column}, "d")


def test_each_row_is_in_the_group_that_it_has_now() -> None:
    """A baseline has other groups, or none; one of a run without groups has none either."""
    for groups in (["w", "v", "v"], None):
        pairs = pair(grouped("abx", ["v", "w", "w"]), grouped("bay", groups), "units")
        assert pairs.evidence.units == ("a", "b", "b", "a")
        assert pairs.evidence.columns[GROUP].tolist() == ["v", "w", "w", "v"]
    assert GROUP not in pair(grouped("ab", None), grouped("ba", ["v", "w"]), "units").evidence.columns


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
        assert (pairs.size, pairs.differing) == (0, 0)


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
    assert ranks_of(evidence, "units").tolist() == [0, 1, 2, 3, 4]
    assert ranks_of(evidence, "documents").tolist() == [0, 0, 0, 0, 0]
    assert ranks_of(clustered([1, 1], [None, "a"]), "clusters").tolist() == [0, 1]


def test_rows_of_which_none_is_in_a_cluster_are_drawn_alone() -> None:
    assert resampled_by(clustered([1, 1], [None, None])) == "units"
    assert resampled_by(clustered([1, 1], [None, "a"])) == "clusters"
    assert ranks_of(run({"a": {"1": 1, "2": 1}, "b": {"1": 1}}), "clusters").tolist() == [0, 1, 2]


def test_a_cluster_does_not_reach_into_another_document() -> None:
    parts = [clustered([1, 1], ["a", "a"]).named(name) for name in "de"]
    assert ranks_of(Evidence.merge(parts), "clusters").tolist() == [0, 0, 1, 1]
    parts = [clustered([1, 1, 1], ["a", "b", "a"]).named(name) for name in "def"]
    assert ranks_of(Evidence.merge(parts), "clusters").tolist() == [0, 1, 0, 2, 3, 2, 4, 5, 4]


def test_clusters_pair_as_the_rows_in_them_do() -> None:
    now, before = clustered([1, 0, 1], ["a", "b", "a"]), clustered([1, 1, 1], ["a", "b", "a"])
    pairs = pair(now, before, "clusters")
    assert pairs.ranks.tolist() == [0, 1, 0, 0, 1, 0]
    assert pairs.differs.tolist() == [False, True]
    assert (pairs.size, pairs.added, pairs.removed) == (2, 0, 0)
    more = clustered([1, 0, 1, 1, 1], ["a", "b", "a", "c", "d"])
    assert [(pairs.added, pairs.removed) for pairs in (pair(more, now, "clusters"), pair(now, more, "clusters"))] == [
        (2, 0),
        (0, 2),
    ]
    single = pair(now, before, "units")
    assert (single.ranks.tolist(), single.differs.tolist()) == ([0, 1, 2, 0, 1, 2], [False, True, False])


def test_what_both_have_decides_what_is_drawn() -> None:
    many, few = (run({f"{rank:02}": {"1": 1} for rank in range(number)}) for number in (9, 7))
    assert (pair(many, few, "auto").by, pair(many, many, "auto").by) == ("units", "documents")


def test_another_cluster_is_no_difference() -> None:
    assert pair(clustered([1, 1], ["a", "b"]), clustered([1, 1], ["a", "a"]), "units").differing == 0


@given(st.lists(st.lists(st.text("ab0\N{GRINNING FACE}", max_size=3), max_size=4), min_size=1, max_size=4))
def test_units_are_ranked_by_document_length_and_name(documents: list[list[str]]) -> None:
    """Names may repeat: of equal ones the first row is first."""
    every = [(rank, len(name), name) for rank, names in enumerate(documents) for name in names]
    evidence = Evidence(
        tuple(map(str, range(len(documents)))), tuple(map(len, documents)), tuple(name for _, _, name in every), {}
    )
    assert ranks_of(evidence, "units").tolist() == [
        sum(other < own for other in every) + every[:row].count(own) for row, own in enumerate(every)
    ]


def test_ranking_units_takes_room_for_some_numbers_each() -> None:
    evidence = Evidence.of(list(map(str, range(50_000))), {})
    tracemalloc.start()
    try:
        ranks_of(evidence, "units")
        assert tracemalloc.get_traced_memory()[1] < 90 * 50_000
    finally:
        tracemalloc.stop()
