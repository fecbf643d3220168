from __future__ import annotations

import math
import operator
from functools import reduce

import numpy as np
import pytest

from pytest_nlpeval.metrics.alignment import Span
from pytest_nlpeval.tasks.are import counting
from tests.unit.tasks.are.files import candidates, counted, id_chains, id_pairs, row, span_chains, span_pairs, words


def test_subtask_1_has_a_row_per_listed_pronoun() -> None:
    evidence = counted(1, id_chains(["abc"]), id_pairs({"b": "a", "c": "d", "d": "a"}), candidates("abcd", "bca")).evidence
    assert evidence.units == ("b", "c", "a")
    assert {name: column.tolist() for name, column in evidence.columns.items()} == {
        "resolved": [0, 0, 0],
        "half": [1, 0, 0],
        "answered": [1, 1, 0],
    }


def test_the_others_have_one_row() -> None:
    assert row(counted(2, id_chains(["abc"]), id_chains(["ab", "cd"])).evidence) == {"correct": 1, "gold": 2, "system": 2}
    spans: list[list[Span]] = [[(0, 2), (4, 5)]]
    found = counted(3, span_chains(spans, [(4, 5)]), span_pairs({(4, 5): (0, 1), (7, 8): (0, 1)}), words(9))
    assert row(found.evidence) == {"credit": 1 / 2, "pairs": 2, "pronouns": 1, "identified": 1}
    assert row(counted(4, span_chains(spans), span_chains(spans), words(9)).evidence) == {"correct": 1, "gold": 1, "system": 1}


def test_counts_are_integers_and_credits_floats() -> None:
    spans: list[list[Span]] = [[(0, 2), (4, 5)]]
    found = counted(3, span_chains(spans, [(4, 5)]), span_pairs({}), words(9)).evidence
    assert {name: found.column(name).dtype for name in found.columns} == {
        "credit": np.float64,
        **dict.fromkeys(("pairs", "pronouns", "identified"), np.int64),
    }
    found = counted(4, span_chains(spans), span_chains([]), words(9)).evidence
    assert {name: found.column(name).dtype.kind for name in found.columns} == {"correct": "f", "gold": "i", "system": "i"}
    found = counted(2, id_chains(["ab"]), id_chains([])).evidence
    assert all(found.column(name).dtype == np.int64 for name in found.columns)


def test_credits_are_added_exactly() -> None:
    """Ten thirds, added one by one, are not ten times a third."""
    chains = [[(4 * rank, 4 * rank + 3), (4 * rank + 3, 4 * rank + 4)] for rank in range(10)]
    pronouns = [chain[1] for chain in chains]
    pairs = {chain[1]: (chain[0][0], chain[0][0] + 1) for chain in chains}
    credit = row(counted(3, span_chains(chains, pronouns), span_pairs(pairs), words(40)).evidence)["credit"]
    assert credit == math.fsum([1 / 3] * 10) != reduce(operator.add, [1 / 3] * 10)


@pytest.mark.parametrize("subtask", [1, 2, 3, 4])
def test_of_nothing_there_is_nothing(subtask: int) -> None:
    source = words(0) if subtask > 2 else candidates("", "")
    found = counted(subtask, "<r/>", "<r/>", source)
    assert all(not found.evidence.column(name).any() for name in found.evidence.columns)
    assert len(found.evidence.units) == (0 if subtask == 1 else 1)
    assert list(found.explanations) == []


def test_mentions_that_overlap_too_often_are_refused_before_they_are_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, system = span_chains([[(0, 4), (1, 4)]]), span_chains([[(0, 3), (1, 3)]])
    monkeypatch.setattr(counting, "MOST_PAIRS", 4)
    assert row(counted(4, gold, system, words(4)).evidence)["gold"] == 1
    monkeypatch.setattr(counting, "MOST_PAIRS", 3)
    monkeypatch.setattr(counting, "link_spans", None)  # whoever called it would fail
    assert set(row(counted(4, gold, system, words(4)).evidence).values()) == {0}
