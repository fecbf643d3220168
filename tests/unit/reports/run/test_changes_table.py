"""The CSV file of all items that changed."""

from __future__ import annotations

import csv
import io
from typing import Any

from tests.unit.reports.documents import document, render, suite

SIDE = {
    "unit": "7",
    "reason": "label",
    "message": "gold LOC, system ORG",
    "line": 3,
    "gold": "LOC",
    "system": "ORG",
    "group": "news",
}


def rows(**counts: int) -> list[dict[str, str]]:
    head = {"case": "d1", "unit": "7", "item": "7 0-4 LOC"}
    first: list[dict[str, Any]] = [
        {
            **head,
            "change": "newly_wrong",
            "before": None,
            "now": {**SIDE, "passage": {"text": "=Senn\n", "gold": [], "system": []}},
        },
        {**head, "change": "newly_right", "before": SIDE, "now": None},
        {**head, "change": "otherwise_wrong", "before": SIDE, "now": {**SIDE, "reason": "boundary", "system": "LOC"}},
    ]
    found = document(suite(changes={"counts": counts, "first": first}), suite(name="other"))
    return list(csv.DictReader(io.StringIO(render("changes", found))))


def test_each_item_is_a_row_with_what_was_and_what_is_wrong() -> None:
    wrong, right, other = rows(newly_wrong=1, newly_right=1, otherwise_wrong=1)
    assert [row["change"] for row in (wrong, right, other)] == ["newly wrong", "newly right", "wrong in another way"]
    assert {(row["suite"], row["document"], row["item"], row["unit"], row["group"]) for row in (wrong, right, other)} == {
        ("dev", "d1", "7 0-4 LOC", "7", "news")
    }
    assert (wrong["then_reason"], wrong["today_reason"], wrong["today_gold"], wrong["today_system"]) == (
        "",
        "label",
        "LOC",
        "ORG",
    )
    assert (right["then_reason"], right["today_reason"]) == ("label", "")
    assert (other["then_reason"], other["then_system"], other["today_reason"], other["today_system"]) == (
        *("label", "ORG"),
        *("boundary", "LOC"),
    )


def test_no_text_is_a_formula_or_a_second_line() -> None:
    assert rows(newly_wrong=1)[0]["text"] == r"'=Senn\n"


def test_a_part_of_the_suites_is_told_as_such() -> None:
    part = "the run is of chosen suites alone (dev): it says nothing of any other"
    found = document(
        suite(notes=["half of it", part], changes={"counts": {"newly_wrong": 0}, "first": []}), suite(name="other", notes=[part])
    )
    told = [(row["suite"], row["change"], row["message"]) for row in csv.DictReader(io.StringIO(render("changes", found)))]
    assert told == [("dev", "", part), ("other", "", part)]


def test_what_the_report_does_not_have_is_counted() -> None:
    assert rows(newly_wrong=1_005)[-1]["message"] == "1,002 more changes, which the JSON report does not have"
