from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_nlpeval.reports.run import native
from pytest_nlpeval.tasks import load_task
from tests.unit.reports.documents import report, suite

FIGURES = ("tp", "fp", "fn", "recall", "precision", "f1")
CAT = suite(
    task="cat",
    outcome="ok",
    signature="cat|profile:standard|markables:EVENT|relations:|v:1",
    scores={f"EVENT.strict.{figure}": {"value": 1} for figure in FIGURES},
)


def test_one_suite_is_its_table() -> None:
    lines = native.native(report(CAT)).splitlines()
    assert lines[0] == "number of files: 2"
    assert lines[3:5] == ["EVENT" + "\t" * 7, "\t1" + "\t1.0" * 5 + "\t"]


def test_several_suites_have_their_names_above() -> None:
    lines = native.native(report({**CAT, "name": "one"}, {**CAT, "name": "two\x1b"})).splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# one", r"# two\x1b"]
    assert lines.count("number of files: 2") == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"task": "rte"}, "the report lacks 'coverage'"),
        ({"task": "nope\x1b"}, r"nope\x1b is not installed"),
        ({"cases": {"total": 2, "failed": 1}}, "errors in their files"),
        ({"cases": {"total": 0, "failed": 0}}, "documents are missing"),
        ({"signature": "cat|v:1"}, "the report lacks 'markables'"),
        ({"scores": {"EVENT.strict.tp": {"value": 1}}}, "the report lacks 'EVENT.strict.fp'"),
    ],
)
def test_where_there_is_no_table_a_line_says_why(fields: dict[str, object], said: str) -> None:
    text = native.native(report({**CAT, **fields}))
    assert text.startswith("# ")
    assert said in text
    assert len(text.splitlines()) == 1


def test_a_task_may_have_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "load_task", lambda name: replace(load_task(name), native=None))
    assert native.native(report(CAT)) == "# the task cat has no table of its own\n"


def test_no_suite_is_no_table() -> None:
    assert native.native(report()) == ""
