"""The figures by which the exercise evaluates each of its tasks."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_nlpeval.task import Reported
from pytest_nlpeval.wording import tabbed

FIGURES: Mapping[str, Mapping[str, str]] = {
    "1": {"success rate": "success_rate", "score 1": "resolved", "score 0.5": "half_resolved"},
    "2": {"precision": "muc.precision", "recall": "muc.recall", "f-measure": "muc.f1"},
    "3": {"precision": "precision", "recall": "recall", "f-measure": "f1"},
    "4": {"precision": "muc_overlap.precision", "recall": "muc_overlap.recall", "f-measure": "muc_overlap.f1"},
}
"""By subtask, the names of figures and their measures."""


def native(reported: Reported) -> str:
    """Return a line for each figure of the subtask: its name, a tab, and its value."""
    subtask = reported.signature["subtask"]
    figures = FIGURES[subtask]
    return tabbed([["task", subtask], *([name, reported.values[measure]] for name, measure in figures.items())])
