from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.reports.stored import stored_report
from tests.unit.reports.documents import document, suite


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document(suite())))
    assert stored_report(path) == document(suite())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "report.invalid: the file is empty"),
        (b"{", "report.invalid: is not JSON: expected a key"),
        (b"\xff", "text.encoding: "),
        (b"[]", "report.invalid: "),
        (b"null", "report.invalid: "),
        (b"{}", "'version' is a required property"),
        (b'{"version": 2, "tool": "", "passed": true, "suites": []}', "(version)"),
        (b'{"version": 1, "tool": "", "passed": true, "suites": [], "passed": NaN}', "NaN is not a number"),
        (b'{"version": 1' + b"0" * 5000 + b"}", "the greatest whole number"),
        (b"[" * 100_000, "report.invalid: nested more than"),
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


def test_a_file_that_is_missing_or_none(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(NlpevalError, match=r"file\."):
            stored_report(path)
