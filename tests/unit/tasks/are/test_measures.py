from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.are import TASK
from pytest_nlpeval.tasks.are.options import Options
from tests.unit.tasks.are.files import counted, disjoint_ids, id_chains, values

NAMES = {
    1: ["success_rate", "resolved", "half_resolved", "answered"],
    2: ["muc.precision", "muc.recall", "muc.f1"],
    3: ["precision", "recall", "f1", "identification.precision", "identification.recall", "identification.f1"],
    4: ["muc_overlap.precision", "muc_overlap.recall", "muc_overlap.f1"],
}


def one_row(**counts: float) -> Evidence:
    return Evidence.of([""], {name: np.array([number]) for name, number in counts.items()})


@pytest.mark.parametrize("subtask", NAMES)
def test_the_measures_of_each_subtask(subtask: int) -> None:
    measures = TASK.measures(Options(subtask), None) or ()
    assert [measure.name for measure in measures] == NAMES[subtask]
    assert TASK.measures(Options(subtask), ()) == measures
    assert not any(measure.range.is_whole for measure in measures)


def test_the_signature_has_what_changes_a_score() -> None:
    assert TASK.signature(Options(2), ()) == {"subtask": "2"}
    assert TASK.signature(Options(1, ["She", " her  self", "she"]), ()) == {"subtask": "1", "pronouns": "her self,she"}


def test_subtask_1_by_hand() -> None:
    columns = {"resolved": [1, 0, 0, 0], "half": [0, 1, 1, 0], "answered": [1, 1, 1, 0]}
    evidence = Evidence.of("abcd", {name: np.array(column, np.int8) for name, column in columns.items()})
    assert values(1, evidence) == {"success_rate": (1 + 2 / 2) / 4, "resolved": 1 / 4, "half_resolved": 2 / 4, "answered": 3 / 4}


def test_subtask_3_by_hand() -> None:
    found = values(3, one_row(credit=1.25, pairs=2, pronouns=5, identified=2))
    assert found == {
        "precision": 1.25 / 2,
        "recall": 1.25 / 5,
        "f1": 2 * 1.25 / (2 + 5),
        "identification.precision": 2 / 2,
        "identification.recall": 2 / 5,
        "identification.f1": 2 * 2 / (2 + 5),
    }


@pytest.mark.parametrize(("subtask", "prefix"), [(2, "muc."), (4, "muc_overlap.")])
@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((2, 3, 4), (2 / 4, 2 / 3, 4 / 7)),
        ((0, 3, 4), (0, 0, 0)),
        ((0, 3, 0), (None, 0, 0)),
        ((0, 0, 4), (0, None, 0)),
        ((0, 0, 0), (None, None, None)),
    ],
)
def test_links(subtask: int, prefix: str, counts: tuple[int, int, int], expected: tuple[float | None, ...]) -> None:
    found = values(subtask, one_row(**dict(zip(("correct", "gold", "system"), counts, strict=True))))
    assert found == dict(zip((f"{prefix}precision", f"{prefix}recall", f"{prefix}f1"), expected, strict=True))


@pytest.mark.parametrize(
    ("subtask", "name", "reason"),
    [
        (1, "success_rate", "the input lists no pronoun"),
        (2, "muc.precision", "no system links"),
        (2, "muc.f1", "no system links and no gold links"),
        (3, "recall", "no gold pronouns"),
        (4, "muc_overlap.recall", "no gold links"),
    ],
)
def test_reasons_for_no_value(subtask: int, name: str, reason: str) -> None:
    evidence = Evidence.of([], {}) if subtask == 1 else one_row(correct=0)
    (measure,) = [measure for measure in TASK.measures(Options(subtask), None) or () if measure.name == name]
    assert measure.score(Sample(evidence)).reason == reason


@given(st.lists(st.tuples(disjoint_ids(), disjoint_ids()), min_size=1, max_size=4))
def test_splitting_a_set_of_documents_changes_nothing(documents: list[tuple[list[list[str]], list[list[str]]]]) -> None:
    """One document with all chains, their mentions renamed apart, scores as the documents together."""
    parts = [
        counted(2, id_chains(gold), id_chains(system)).evidence.named(f"d{rank}") for rank, (gold, system) in enumerate(documents)
    ]
    sides = (
        [[f"{rank}{name}" for name in chain] for rank, document in enumerate(documents) for chain in document[side]]
        for side in (0, 1)
    )
    whole = counted(2, *map(id_chains, sides)).evidence
    assert values(2, Evidence.merge(parts)) == values(2, whole)


def test_measures_of_a_family_are_a_group() -> None:
    groups = {measure.name: measure.group for subtask in (1, 2, 3, 4) for measure in TASK.measures(Options(subtask), None) or ()}
    assert groups == {name: name.rpartition(".")[0] for name in groups}
