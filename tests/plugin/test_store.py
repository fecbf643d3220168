"""Evidence kept between runs: used when it fits, worked out anew when it does not, never trusted blindly."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.run.store import FILE
from tests.support import HALF, RIGHT, gold_xml, make_suite, run_pytest, run_pytest_apart, write

REPORT = "--nlpeval-report=json:report.json"


def scored(pytester: pytest.Pytester, *arguments: str) -> Any:
    ended = run_pytest(pytester, REPORT, *arguments)
    document = json.loads((pytester.path / "report.json").read_bytes())["suites"][0]
    return ended.code, document["cases"]["total"], document["scores"]["accuracy"]["value"]


def database(pytester: pytest.Pytester) -> Path:
    return pytester.path / ".pytest_cache/d/nlpeval" / FILE


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


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _values(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET counted = substr(counted, 1, length(counted) - 1)")


CORRUPTIONS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-2000]),
    "zeros": lambda path: path.write_bytes(bytes(5000)),
    "text": lambda path: path.write_text("null"),
    "a folder": _folder,
    "values": _values,
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupted_store_is_worked_out_anew(pytester: pytest.Pytester, name: str) -> None:
    make_suite(pytester.path, "accuracy: 0.8", runs={"a": RIGHT, "b": RIGHT.replace(" 0.9", "  0.9")})
    first = run_pytest(pytester, REPORT)
    before = (pytester.path / "report.json").read_bytes()
    CORRUPTIONS[name](database(pytester))
    for _ in range(2):
        again = run_pytest(pytester, REPORT)
        assert (again.code, (pytester.path / "report.json").read_bytes()) == (0, before)
        assert again.out.count("rte.blanks") == first.out.count("rte.blanks") == 1


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
