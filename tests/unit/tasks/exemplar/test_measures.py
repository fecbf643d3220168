from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.exemplar.measures import measures, signature
from pytest_nlpeval.tasks.exemplar.options import Options
from tests.unit.tasks.exemplar.files import gold_row, pairs_of, scores_of

NOTHING = gold_row("[[[A]]] ---> sees <--- [[[B]]]", "---")
ROWS = {"right": (gold_row(), "sale"), "wrong": (gold_row(), "of"), "missed": (gold_row(), "---"), "spurious": (NOTHING, "sees")}


def values(*kinds: str) -> dict[str, float | None]:
    return {name: score.value for name, score in scores_of(pairs_of(ROWS[kind] for kind in kinds)).items()}


def test_values() -> None:
    precision, recall = 2 / 4, 2 / 5
    found = values("right", "right", "wrong", "missed", "missed", "spurious")
    assert found.pop("f1") == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-15)
    assert found == {"precision": precision, "recall": recall, "correct": 2, "extractions": 4, "relations": 5}


def test_nothing_correct_is_0() -> None:
    assert values("wrong", "spurious", "missed") == {
        "precision": 0,
        "recall": 0,
        "f1": 0,
        "correct": 0,
        "extractions": 2,
        "relations": 2,
    }


@pytest.mark.parametrize(
    ("kinds", "reasons"),
    [
        (["missed"], {"precision": "no extraction"}),
        (["spurious"], {"recall": "no gold relation"}),
        (
            [],
            {"precision": "no extraction", "recall": "no gold relation", "f1": "no extraction and no gold relation"},
        ),
    ],
)
def test_no_value_has_a_reason(kinds: list[str], reasons: dict[str, str]) -> None:
    scores = scores_of(pairs_of(ROWS[kind] for kind in kinds))
    assert {name: score.reason for name, score in scores.items() if score.value is None} == reasons


@given(
    st.lists(st.sampled_from([(gold_row(), "sale of"), (NOTHING, "---")])).filter(
        lambda both: any(text != "---" for _, text in both)
    )
)
def test_perfect_output_scores_1(both: list[tuple[str, str]]) -> None:
    scores = scores_of(pairs_of(both))
    assert [scores[name].value for name in ("precision", "recall", "f1")] == [1, 1, 1]


@given(st.lists(st.sampled_from(sorted(ROWS))), st.lists(st.sampled_from(sorted(ROWS))))
def test_counts_add_up(first: list[str], second: list[str]) -> None:
    parts, whole = (values(*first), values(*second)), values(*first, *second)
    for name in ("correct", "extractions", "relations"):
        assert whole[name] == sum(part[name] or 0 for part in parts)


def test_weights_count_rows_so_often() -> None:
    columns = {"correct": np.array([1, 0]), "extractions": np.array([1, 1]), "relations": np.array([1, 1])}
    sample = Sample(Evidence.of(["2", "3"], columns), np.array([[2, 1], [0, 0]]))
    precision = measures(Options(), None)[0].values(sample)
    assert precision[0] == 2 / 3
    assert np.isnan(precision[1])


def test_only_counts_go_beyond_1() -> None:
    assert [measure.name for measure in measures(Options(), None) if measure.range.is_whole] == [
        "correct",
        "extractions",
        "relations",
    ]


def test_the_signature_says_whether_case_counts() -> None:
    assert [signature(Options(flag), ()) for flag in (True, False)] == [{"ignore_case": "true"}, {"ignore_case": "false"}]
