"""Evidence kept between runs: used when it fits, worked out anew when it does not, never trusted blindly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import HALF, RIGHT, gold_xml, make_suite, run_pytest, run_pytest_apart, write

REPORT = "--nlpeval-report=json:report.json"


def scored(pytester: pytest.Pytester, *arguments: str) -> Any:
    ended = run_pytest(pytester, REPORT, *arguments)
    document = json.loads((pytester.path / "report.json").read_bytes())["suites"][0]
    return ended.code, document["cases"]["total"], document["scores"]["accuracy"]["value"]


def entries(pytester: pytest.Pytester) -> list[Path]:
    return sorted((pytester.path / ".pytest_cache" / "d" / "nlpeval").glob("??/*.json"))


def test_documents_come_go_and_change_between_runs(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    assert scored(pytester) == (0, 1, 1.0)
    write(pytester.path, {"gold/b.xml": gold_xml(), "system/b.txt": HALF})
    assert scored(pytester) == (0, 2, 6 / 8)
    write(pytester.path, {"system/a.txt": HALF})
    assert scored(pytester) == (0, 2, 4 / 8)
    write(pytester.path, {"gold/a.xml": gold_xml([(name, "IR", "TRUE") for name in "1234"])})
    assert scored(pytester) == (0, 2, 6 / 8)
    (pytester.path / "gold/b.xml").unlink()
    (pytester.path / "system/b.txt").unlink()
    assert scored(pytester) == (0, 1, 1.0)


def test_a_second_run_takes_everything_from_the_store(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    make_suite(pytester.path)
    first = scored(pytester)
    monkeypatch.setattr("pytest_nlpeval.run.case._count", None)  # counting would be a TypeError
    assert scored(pytester) == first


def test_equal_files_under_other_names_keep_their_own_places(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": "1 NO 1\n", "b": "1 NO 1\n"})
    for _ in range(2):
        ended = run_pytest(pytester)
        assert "system/a.txt:1: rte.judgment" in ended.out
        assert "system/b.txt:1: rte.judgment" in ended.out


def _entry(change: Callable[[Any], object]) -> Callable[[Path], None]:
    """Change the JSON of an entry, whatever stands before it or around it."""

    def apply(path: Path) -> None:
        before, brace, rest = path.read_text().partition("{")
        document = json.loads(brace + rest)
        change(document.get("entry", document))
        path.write_text(before + json.dumps(document))

    return apply


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


CORRUPTIONS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "zeros": lambda path: path.write_bytes(bytes(500)),
    "no UTF-8": lambda path: path.write_bytes(b"\xff\xfe{"),
    "deep": lambda path: path.write_bytes(b"[" * 100_000),
    "a folder": _folder,
    "null": lambda path: path.write_text("null"),
    "a list": lambda path: path.write_text("[]"),
    "a number": lambda path: path.write_text("1"),
    "no evidence": _entry(lambda entry: entry.pop("evidence")),
    "no columns": _entry(lambda entry: entry["evidence"].pop("columns")),
    "column lost": _entry(lambda entry: entry["evidence"]["columns"].pop("correct")),
    "column short": _entry(lambda entry: entry["evidence"]["columns"]["correct"].pop()),
    "column of words": _entry(lambda entry: entry["evidence"]["columns"].update(correct=["1", "1", "1", "1"])),
    "column ragged": _entry(lambda entry: entry["evidence"]["columns"].update(correct=[[1], [1, 2], 1, 1])),
    "column too large": _entry(lambda entry: entry["evidence"]["columns"].update(correct=[10**30, 1, 1, 1])),
    "problems a list": _entry(lambda entry: entry.update(problems=[])),
    "problem of nobody": _entry(lambda entry: entry.update(problems={"nobody": []})),
    "problem of another kind": _entry(lambda entry: entry.update(problems={"system": [{"code": 1}]})),
    "explanations lost": _entry(lambda entry: entry.pop("explanations")),
    "two documents": _entry(lambda entry: entry["evidence"].update(documents=["x", "y"])),
    "another count": _entry(
        lambda entry: entry["evidence"]["columns"].update(correct=entry["evidence"]["columns"]["system.TRUE"])
    ),
    "an error forgotten": _entry(lambda entry: entry.update(problems={})),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corrupted_entries_are_worked_out_anew(pytester: pytest.Pytester, name: str) -> None:
    make_suite(pytester.path, "accuracy: 0.8", runs={"a": RIGHT, "b": RIGHT.replace(" 0.9", "  0.9")})
    first = run_pytest(pytester, REPORT)
    before = (pytester.path / "report.json").read_bytes()
    found = entries(pytester)
    assert len(found) == 2
    for path in found:
        CORRUPTIONS[name](path)
    second = run_pytest(pytester, REPORT)
    assert (second.code, (pytester.path / "report.json").read_bytes()) == (0, before)
    assert second.out.count("rte.blanks") == first.out.count("rte.blanks") == 1


def test_a_cache_that_cannot_be_written_costs_no_result(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    write(pytester.path, {".pytest_cache": "a file where pytest wants a folder"})
    ended = run_pytest_apart(pytester, "-p", "no:xdist")  # pytest itself warns
    assert ended.code == 0
    assert "accuracy" in ended.out


def test_a_file_in_the_place_of_the_store_costs_no_result(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    write(pytester.path, {".pytest_cache/d/nlpeval": "a file"})
    ended = run_pytest(pytester)
    assert ended.code == 0
