"""The counts and shares of the evaluation."""

from __future__ import annotations

from pytest_nlpeval.task import Reported
from pytest_nlpeval.wording import tabbed

FIGURES = ("relations", "extractions", "correct", "precision", "recall", "f1")


def native(reported: Reported) -> str:
    """Return a line for each figure: its name, a tab, and its value over all files."""
    return tabbed([name, reported.values[name]] for name in FIGURES)
