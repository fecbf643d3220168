from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.unit.reports.documents import document, render, suite


def rows(*suites: dict[str, Any]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render("csv", document(*suites)))))


def test_a_score_has_its_interval_and_its_drop_unrounded() -> None:
    facts = {"low": 0.1, "high": 1 / 3, "baseline": 0.2, "drop": -0.05, "drop_low": -1e-05, "drop_high": 1e22, "p": 2 / 3}
    (row,) = rows(suite(scores={"f1": {"value": 0.25, **facts}}))
    assert {name: float(row[name]) for name in ("value", *facts)} == {"value": 0.25, **facts}
    assert "'" not in "".join(row.values())


def test_what_a_score_does_not_have_is_empty() -> None:
    (row,) = rows(suite(scores={"f1": {"value": None, "reason": "no pair"}}))
    assert (row["measure"], row["reason"]) == ("f1", "no pair")
    assert {row[name] for name in ("value", "low", "high", "baseline", "drop", "drop_low", "drop_high", "p", "document")} == {""}


def test_a_groups_measures_say_so_in_the_lines_of_documents_too() -> None:
    documents = [{"name": "d", "values": {"task.QA.accuracy": 1.0, "accuracy": 0.5}}]
    scores = {"accuracy": {"value": 0.5}, "task.QA.accuracy": {"value": 1.0, "group": "task.QA"}}
    found = rows(suite(scores=scores, cases={"total": 1, "failed": 0, "documents": documents}))
    assert [(row["document"], row["measure"], row["group"]) for row in found] == [
        ("", "accuracy", ""),
        ("", "task.QA.accuracy", "task.QA"),
        ("d", "task.QA.accuracy", "task.QA"),
        ("d", "accuracy", ""),
    ]


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A1", "+1+1", "-1+1", "@SUM(A1)", "-2e", "--5"])
def test_a_text_is_no_formula(text: str) -> None:
    (row,) = rows(suite(name=text, scores={text: {"value": -0.5}}))
    assert (row["suite"], row["measure"], row["value"]) == (f"'{text}", f"'{text}", "-0.5")
