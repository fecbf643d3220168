from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pytest_nlpeval.columns import Sparse
from pytest_nlpeval.tasks.qa.options import Options, Profile
from tests.unit.tasks.qa.files import ANSWERS, NUMBERS, PREDICTIONS, counted, evidence_of, lines, squad, values_of


def test_the_worked_example() -> None:
    evidence = evidence_of(ANSWERS, PREDICTIONS, NUMBERS, Options(threshold=0.5))
    assert evidence.units == ("1", "2", "3")
    found: dict[str, Any] = {name: column.tolist() for name, column in evidence.columns.items()}
    assert found.pop("f1") == pytest.approx([4 / 5, 0, 1])
    assert found == {
        "answerable": [1, 0, 1],
        "predicted": [1, 1, 1],
        "exact": [0, 0, 1],
        "wordless": [0, 0, 0],
        "numbered": [1, 1, 1],
        "over": [0, 1, 1],
        "number": [0.2, 0.9, 0.9],
        "rank": [0, 1, 2],
    }


def test_columns_are_small() -> None:
    evidence = evidence_of(ANSWERS, PREDICTIONS, NUMBERS)
    types = {name: column.dtype.type for name, column in evidence.columns.items() if isinstance(column, np.ndarray)}
    flags = dict.fromkeys(("answerable", "predicted", "exact", "numbered", "over"), np.int8)
    assert types == {**flags, "f1": np.float64, "number": np.float64, "rank": np.int32}
    assert isinstance(evidence.columns["wordless"], Sparse)


def test_without_numbers_there_are_no_columns_of_them() -> None:
    assert not {"numbered", "over", "number", "rank"} & evidence_of(ANSWERS, PREDICTIONS).columns.keys()


def test_a_prediction_of_which_nothing_is_left_is_marked() -> None:
    evidence = evidence_of({"1": [], "2": [], "3": ["x"]}, {"1": "the.", "2": "", "3": "the x"})
    assert evidence.column("wordless").tolist() == [1, 0, 0]
    assert evidence.column("exact").tolist() == [1, 1, 1]


def test_the_rank_is_that_of_the_file_of_numbers() -> None:
    evidence = evidence_of(ANSWERS, PREDICTIONS, {"3": 0.5, "1": 0.5, "2": 0.5})
    assert evidence.column("rank").tolist() == [1, 2, 0]


def test_a_missing_prediction_that_is_tolerated_scores_0() -> None:
    """Also a question without answer, and in every profile."""
    profiles: tuple[tuple[Profile, list[str]], ...] = (("standard", []), ("squad2", []), ("squad1", ["z"]))
    for profile, second in profiles:
        options = Options(profile=profile)
        answers = {"1": ["x"], "2": second, "3": ["y"]}
        evidence = evidence_of(answers, {"1": "x"}, options=options, rules={"qa.missing-id": "off"})
        values = values_of(evidence, options)
        assert [values[name] for name in ("exact", "f1", "coverage")] == pytest.approx([1 / 3] * 3)
        assert values["NoAns.exact"] == (None if second else 0)


def test_the_number_of_a_missing_prediction_changes_nothing() -> None:
    options = Options(threshold=0.5)
    evidence = evidence_of({"1": [], "2": []}, {"1": ""}, {"1": 0.9, "2": 0.9}, options, {"qa.missing-id": "off"})
    values = values_of(evidence, options)
    assert (values["exact"], values["best.exact"]) == (1 / 2, 1 / 2)


def test_numbers_beside_predictions_and_in_a_file_of_their_own_are_the_same() -> None:
    records = ({"id": name, "prediction": text, "no_answer_probability": NUMBERS[name]} for name, text in PREDICTIONS.items())
    beside = counted(squad(ANSWERS), lines(*records)).evidence
    assert beside == evidence_of(ANSWERS, PREDICTIONS, NUMBERS)
