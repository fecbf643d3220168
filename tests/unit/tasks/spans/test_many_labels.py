"""Labels that a system invents: beyond a thousand nothing is counted, and the memory that takes grows as the file does."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable

import pytest

from pytest_nlpeval import score
from pytest_nlpeval.tasks.spans.labels import MOST_LABELS

MOST_BYTES_OF_A_LABEL = 1_000
"""Of 60,000 labels that is 60 MB."""


def tagged(labels: Iterable[int]) -> bytes:
    return "".join(f"word B-L{label}\n" for label in labels).encode() + b"\n"


@pytest.mark.parametrize("labels", [2 * MOST_LABELS, 6 * MOST_LABELS])
def test_memory_grows_as_the_number_of_invented_labels(labels: int) -> None:
    gold, system = tagged([0] * labels), tagged(range(labels))
    score("spans", gold=tagged([0]), system=tagged([0]))  # imports what it needs
    tracemalloc.start()
    try:
        result = score("spans", gold=gold, system=system)
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES_OF_A_LABEL * labels
    finally:
        tracemalloc.stop()
    (problem,) = (problem for problem in result.all_problems() if problem.severity == "error")
    assert problem.code == "spans.too-many"
    assert f"{labels:,} labels" in problem.message
