"""Tasks write only the explanations that a document has room for, and count all others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_nlpeval import explanations, score, shelf
from pytest_nlpeval.explanations import Entry, Explanation, Explanations
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.tasks import TASKS
from tests.tasks.test_cases import CASES

BY_REASON = {"labels", "records", "rte"}
"""The tasks that write more than a document has room for: each reason has a room of its own, or each record."""


def _expected(folder: Path) -> dict[str, Any]:
    return yaml.safe_load((folder / "expected.yaml").read_text()) or {}


def _richest(task: str) -> Path:
    """Return the valid case of a task that says of the most reasons how many explanations they have."""

    def facts(folder: Path) -> tuple[int, int, Path]:
        counts = _expected(folder).get("explanations") or {}
        return len(counts), sum(counts.values()), folder

    return max((folder for folder in CASES if folder.parts[-3:-1] == (task, "valid")), key=facts)


@pytest.mark.parametrize("task", TASKS)
def test_a_task_writes_what_is_kept_and_counts_the_rest(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _richest(task)
    of_documents: list[list[Entry]] = []
    gather = Explanations.of

    def note(entries: Iterable[Entry], _full: object = ()) -> Explanations:
        of_documents.append(list(entries))
        return gather(of_documents[-1])

    files = {path.stem: path for path in folder.iterdir() if path.name != "expected.yaml"}
    options = _expected(folder).get("options") or {}
    score(task, options=options, explain=True, **files)  # a module that is imported only now would keep what is set below
    monkeypatch.setattr(explanations, "ROOM", 1)
    monkeypatch.setattr(shelf, "SURE", 1)
    monkeypatch.setattr(Shelf.__init__, "__defaults__", (1, *(Shelf.__init__.__defaults__ or ())[1:]))
    monkeypatch.setattr(Explanations, "of", note)
    (case,) = score(task, options=options, explain=True, **files).cases
    assert case.explanations is not None
    assert case.explanations.counts == _expected(folder)["explanations"]
    (entries,) = of_documents
    written, kept = sum(isinstance(entry, Explanation) for entry in entries), len(case.explanations.first)
    assert written == kept or task in BY_REASON
