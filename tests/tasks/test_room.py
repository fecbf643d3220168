"""Tasks write only the explanations that a document has room for, and count all others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from pytest_nlpeval import explanations, score, shelf
from pytest_nlpeval.explanations import Entry, Explanation, Explanations
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.tasks import TASKS
from tests.tasks.cases import CASES, expected_of, files_of, options_of

BY_REASON = {"labels", "records", "rte"}
"""The tasks that write more than a document has room for: each reason has a room of its own, or each record."""


def _richest(task: str) -> Path:
    """Return the valid case of a task that says of the most reasons how many explanations they have."""

    def facts(folder: Path) -> tuple[int, int, Path]:
        counts = expected_of(folder).get("explanations") or {}
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

    files, options = files_of(folder), options_of(folder)
    score(task, options=options, explain=True, **files)  # a module that is imported only now would keep what is set below
    monkeypatch.setattr(explanations, "ROOM", 1)
    monkeypatch.setattr(shelf, "SURE", 1)
    monkeypatch.setattr(Shelf.__init__, "__defaults__", (1, *(Shelf.__init__.__defaults__ or ())[1:]))
    monkeypatch.setattr(Explanations, "of", note)
    (case,) = score(task, options=options, explain=True, **files).cases
    assert case.explanations is not None
    assert case.explanations.counts == expected_of(folder)["explanations"]
    (entries,) = of_documents
    written, kept = sum(isinstance(entry, Explanation) for entry in entries), len(case.explanations.first)
    assert written == kept or task in BY_REASON
