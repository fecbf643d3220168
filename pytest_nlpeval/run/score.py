"""Scores files without a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.content import Given
from pytest_nlpeval.run.engine import evaluate
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.task import Task


def score(task: str | Task, *, options: Mapping[str, Any] | None = None, explain: bool = False, **files: Given) -> SuiteResult:
    """Return the scores of a system's files, or of its output in memory, against gold.

    `files` gives a path per role of the task (`gold=…, system=…`): a file, a pattern with `{doc}`, or a folder, whose files then pair
    by name. Or it gives what the file would hold: text with a line break, bytes, a list of dicts (records), a list of texts or numbers
    (lines), a dict (a JSON document), a data frame; where gold has several documents, a mapping from their names to the content of each.

    The result's `scores` go by measure; `result["accuracy"]` is a value. With `explain`, its cases say why units are not right.

    Raises:
        ConfigError: if task, roles, options or patterns are wrong. Errors inside the files are in the result.
    """
    return evaluate(suite_of_paths(task, files, options or {}, Path.cwd()), explain=explain)
