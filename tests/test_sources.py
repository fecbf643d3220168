"""The tables that say where a task's source is done: what they name exists, and what they quote stands in the source.

A table whose last column is "where it is done" has a row for each sentence of the source, on the task's page for developers; one whose
last column is "case" has the deviations, on the task's page for users. In that column every name in backticks is a path (from the task's
cases, the project or the package, perhaps with `::test`), something in the task's package or in `pytest_nlpeval` (`tuples.tuples_of`),
or a check of the task (`best.value`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from pkgutil import resolve_name

import pytest

from pytest_nlpeval.tasks import TASKS, load_task

ROOT = Path(__file__).parent.parent
PLACES, CASES = "where it is done", "case"
FOLDERS = {PLACES: ROOT / "docs/developers", CASES: ROOT / "docs"}
SEEDS = Path(os.environ.get("NLPEVAL_SEEDS") or ROOT / "../shared/seeds")
"""The documents themselves, where they are at hand."""

NAME = re.compile(r"`([^`]+)`")
QUOTED = re.compile(r'"([^"]+)"')


def rows(task: str, last: str) -> Iterator[list[str]]:
    """Yield the cells of all rows below a header whose last cell is `last`."""
    lines = (FOLDERS[last] / f"{task}.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.startswith("|") and cells(line)[-1] == last:
            yield from map(cells, takewhile(lambda row: row.startswith("|"), lines[number + 2 :]))


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def exists(name: str, task: str) -> bool:
    """Whether there is what a table names."""
    if "/" in name:
        path, _, test = name.partition("::")
        tops = (ROOT / "tests/tasks" / task, ROOT, ROOT / "pytest_nlpeval")
        found = next((top / path for top in tops if (top / path).exists()), None)
        return found is not None and (not test or f"def {test}(" in found.read_text(encoding="utf-8"))
    return name in load_task(task).problems or any(resolves(f"pytest_nlpeval.{top}{name}") for top in (f"tasks.{task}.", ""))


def resolves(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError, ValueError):
        return False
    return True


TABLES = [(task, last) for task in TASKS for last in (PLACES, CASES) if list(rows(task, last))]


@pytest.mark.parametrize(("name", "there"), [
    ("tuples.tuples_of", True), ("tuples", True), ("TASK", True), ("annotations._Reader.read", True), ("metrics.prf.f_of", True),
    ("best.value", True), ("valid/type-b", True), ("schemas/best.dtd", True), ("tasks/best/tuples.py", True),
    ("tests/test_sources.py::test_names", True), ("tuples.tuples", False), ("tuple", False), ("matching.Match.more", False),
    ("best.values", False), ("valid/type-z", False), ("schemas/best.rnc", False), ("tests/test_sources.py::test_nothing", False),
    ("no name", False), ("", False), ("f1", False),
])  # fmt: skip
def test_names(name: str, there: bool) -> None:
    assert exists(name, "best") == there


def test_tasks_have_both_tables() -> None:
    assert set(TABLES) >= {(task, last) for task in TASKS for last in (PLACES, CASES)}


@pytest.mark.parametrize("task", TASKS)
def test_no_page_for_users_names_modules_in_a_table(task: str) -> None:
    lines = (ROOT / "docs" / f"{task}.md").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.startswith("|") and cells(line)[-1] == PLACES]


@pytest.mark.parametrize(("task", "last"), TABLES)
def test_every_row_names_what_exists(task: str, last: str) -> None:
    for row in rows(task, last):
        names = NAME.findall(row[-1])
        assert names, row
        assert [name for name in names if not exists(name, task)] == [], row


@pytest.mark.parametrize(("task", "last"), TABLES)
def test_a_deviation_is_shown_by_a_case_or_test(task: str, last: str) -> None:
    for row in rows(task, last):
        if last == CASES:
            assert all(name.startswith(("valid/", "invalid/", "tests/")) for name in NAME.findall(row[-1])), row


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the documents are not at hand")
@pytest.mark.parametrize(("task", "last"), TABLES)
def test_what_is_quoted_stands_in_a_document(task: str, last: str) -> None:
    source = plain(" ".join(path.read_text(encoding="utf-8") for path in SEEDS.glob("*.txt")))
    quotes = [quote for row in rows(task, last) for quote in QUOTED.findall(row[1 if last == PLACES else 0])]
    assert [quote for quote in quotes if plain(quote) not in source] == []


def plain(text: str) -> str:
    """Return a text in one line, without what only formats it."""
    return " ".join(
        re.sub(r"[*`\\]|</?\w+>", "", text).replace("“", "").replace("”", "").replace('"', "").replace("’", "'").split()
    )
