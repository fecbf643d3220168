"""The table in which the challenges report a run: the figures of all pairs, then of each application setting."""

from __future__ import annotations

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.rte.options import FIRST, LATER
from pytest_nlpeval.wording import tabbed

SETTINGS = tuple(dict.fromkeys((*FIRST.settings, *LATER.settings)))
FIGURES = ("accuracy", "cws", "average_precision", "coverage")


def native(reported: Reported) -> str:
    """Return the tab-separated table; figures that the run has no value of make no column, and settings without pairs no row."""
    scores = reported.values
    figures = [name for name in FIGURES if name == "coverage" or scores.get(name) is not None]
    settings = [setting for setting in SETTINGS if f"task.{setting}.coverage" in scores]
    rows = [["all", *(scores[name] for name in figures)]]
    rows += [[setting, *(scores.get(f"task.{setting}.{name}") for name in figures)] for setting in settings]
    return tabbed([["edition", reported.signature["edition"]], ["task", *figures], *rows])
