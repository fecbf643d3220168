"""The counts and shares of the evaluation."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_nlpeval.wording import tabbed

FIGURES = ("relations", "extractions", "correct", "precision", "recall", "f1")


def native(scores: Mapping[str, float | None], _signature: Mapping[str, str], _documents: int) -> str:
    """Return a line for each figure: its name, a tab, and its value over all files."""
    return tabbed([name, scores[name]] for name in FIGURES)
