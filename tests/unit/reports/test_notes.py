"""What must be known besides the scores stands in every format, escaped for it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.view import Setting, note_lines
from tests.unit.reports.documents import document, render, suite

NOTES = ["partial submission: 2 of 4 pairs answered", "a second\x1b note"]


@pytest.mark.parametrize("name", formats_of("run"))
@pytest.mark.parametrize("brief", [False, True])
def test_every_format_tells_notes(name: str, brief: bool) -> None:
    report = document(suite(notes=NOTES))
    if name == "benchmark-smaller":  # which has entries of such measures alone
        report["suites"][0]["scores"]["f1"]["better"] = "lower"
    text = render(name, report, Setting(brief=brief))
    assert NOTES[0] in text
    assert "a second" in text
    assert "\x1b" not in text
    assert "a second" not in render(name, document(suite()), Setting(brief=brief))


def test_a_line_has_the_suites_name() -> None:
    assert note_lines([("dev", NOTES), ("other", ()), ("third", ["x"])]) == [f"dev: {NOTES[0]}", f"dev: {NOTES[1]}", "third: x"]


def test_json_holds_them_as_they_are() -> None:
    assert json.loads(render("json", document(suite(notes=NOTES))))["suites"][0]["notes"] == NOTES


def test_csv_has_a_row_without_measure_for_each() -> None:
    rows = list(csv.DictReader(io.StringIO(render("csv", document(suite(notes=NOTES), suite(notes=["x"], scores={}))))))
    assert [(row["measure"], row["value"], row["reason"]) for row in rows] == [
        ("", "", NOTES[0]),
        ("", "", r"a second\x1b note"),
        ("f1", "0.25", ""),
        ("", "", "x"),
    ]


def test_native_has_them_above_the_table() -> None:
    one, other = suite(notes=["x"]), suite(name="other", notes=["y"])
    assert render("native", document(one)) == "# x\n# no table: the report lacks 'coverage'\n"
    assert [line for line in render("native", document(one, other)).splitlines() if "table" not in line] == [
        "# dev",
        "# x",
        "",
        "# other",
        "# y",
    ]
