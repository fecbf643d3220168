from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import __version__
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.json import MAX_DEPTH
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.run.changes_table import COLUMNS
from pytest_nlpeval.reports.stored import MOST_MISTAKES, stored_report
from tests.unit.reports.documents import document, problem, render, suite


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document(suite())))
    assert stored_report(path).to_json() == document(suite())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "report.invalid: the file is empty"),
        (b"{", "report.invalid: is not JSON: expected a key"),
        (b"\xff", "text.encoding: "),
        (b"[]", "report.invalid: "),
        (b"null", "report.invalid: "),
        (b"{}", "'version' is a required property"),
        (b'{"version": true, "tool": "", "passed": true, "suites": []}', "(version)"),
        (b'{"version": "1", "tool": "", "passed": true, "suites": []}', "(version)"),
        (b'{"version": 1, "tool": "", "passed": true, "suites": [], "passed": NaN}', "NaN is not a number"),
        (b'{"version": 1' + b"0" * 5000 + b"}", "the greatest whole number"),
        (b"[" * 100_000, "report.invalid: nested more than"),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), f"report.invalid: nested more than {MAX_DEPTH} deep"),
        (b'{"a":' * 100_000, "report.invalid: nested more than"),
    ],
)
def test_what_is_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.json").write_bytes(content)
    with pytest.raises(NlpevalError) as caught:
        stored_report(Path("report.json"))
    assert message in str(caught.value)
    assert str(caught.value).startswith("report.json")


@pytest.mark.parametrize("name", ["a\udcffb", "\ud800", "\U0001f600"])
def test_a_document_may_be_called_like_a_file_whose_name_is_not_utf8(tmp_path: Path, name: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(render("json", document(suite(name=name))))
    assert stored_report(path).suites[0].name == name


def problems(folder: Path, report: dict[str, Any]) -> list[tuple[str, str]]:
    """The codes and messages by which a report is refused."""
    path = folder / "report.json"
    path.write_text(json.dumps(report))
    with pytest.raises(NlpevalError) as caught:
        stored_report(path)
    return [(problem.code, problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize("score", [{"value": None}, {"value": None, "reason": ""}])
def test_a_score_without_value_has_a_reason(tmp_path: Path, score: dict[str, Any]) -> None:
    report = document(suite()) | {"suites": [{**suite(), "scores": {"f1": score}}]}
    (code, message), *_ = problems(tmp_path, report)
    assert code == "report.invalid"
    assert "'reason' is a required property" in message or "'' should be non-empty" in message


@pytest.mark.parametrize("version", [0, 2, -1])
def test_a_report_of_another_version_is_refused_by_name(tmp_path: Path, version: int) -> None:
    report = {**document(suite()), "version": version, "tool": "pytest-nlpeval 7.1", "suites": 5}
    ((code, message),) = problems(tmp_path, report)
    assert code == "report.version"
    assert message.startswith(
        f'is of version {version}, written by "pytest-nlpeval 7.1"; pytest-nlpeval {__version__} reads version 1: '
    )
    ((_, message),) = problems(tmp_path, {"version": version, "tool": 5})
    assert "written by an unknown program" in message


def test_what_a_newer_program_added_is_told_with_its_name(tmp_path: Path) -> None:
    report = {**document(suite()), "moon": 1, "tool": "pytest-nlpeval 7.1"}
    assert [code for code, _ in problems(tmp_path, report)] == ["report.invalid", "report.version"]
    assert problems(tmp_path, report)[1][1].startswith('was written by "pytest-nlpeval 7.1", and this is')
    assert [code for code, _ in problems(tmp_path, {**report, "tool": f"pytest-nlpeval {__version__}"})] == ["report.invalid"]


@pytest.mark.parametrize(
    ("report", "command"),
    [({"suite": "s", "pairs": []}, "compare"), ({"suites": [3, {"name": "s", "points": []}]}, "history")],
)
def test_the_report_of_another_command_is_called_by_its_name(tmp_path: Path, report: dict[str, Any], command: str) -> None:
    ((code, message),) = problems(tmp_path, {"version": 1, "tool": "t", **report})
    assert code == "report.invalid"
    assert message.startswith(f"is a report of `nlpeval {command}`, which writes other formats itself")


@pytest.mark.parametrize("name", formats_of("run"))
def test_a_report_without_all_that_was_added_since_is_read(tmp_path: Path, name: str) -> None:
    """No figures of documents, explanations, notes, intervals, baselines, graphs."""
    path = tmp_path / "report.json"
    schema = json_schema("report.schema.json")
    first = {key: value for key, value in suite().items() if key in schema["$defs"]["suite"]["required"]}
    problem_keys = schema["$defs"]["problem"]["required"]
    first["problems"] = [{key: value for key, value in problem().items() if key in problem_keys}]
    path.write_text(json.dumps(document(first)))
    text = render(name, stored_report(path))
    assert text == render(name, stored_report(path))
    if name == "changes":  # a report without a baseline has no changes, and the table of them is empty
        assert text == ",".join(COLUMNS) + "\n"
    else:
        assert "0.25" in text or name in ("native", "benchmark-smaller")


def test_a_file_that_is_missing_or_none(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(NlpevalError, match=r"file\."):
            stored_report(path)


def test_a_report_of_mistakes_is_not_checked_to_its_end(tmp_path: Path) -> None:
    """Its first mistakes are told, and that there are more."""
    report: dict[str, Any] = {"version": 1, "tool": "x", "passed": True, "suites": [1] * MOST_MISTAKES}
    assert [code for code, _ in problems(tmp_path, report)].count("report.more") == 0
    report["suites"] *= 1_000
    told = problems(tmp_path, report)
    assert ("report.more", "has more than 1,000 mistakes; no more are looked for") in told
