"""Reads the files of cases."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.files import FILE_KINDS, Source
from pytest_nlpeval.problems import Problem, ProblemLog

Read = tuple[dict[str, Source], dict[str, tuple[Problem, ...]]]
"""The files of a case that can be read, and the problems of the others, by role."""


def read_all(recipe: Recipe, cases: Iterable[Case]) -> list[Read]:
    """Return the files of some cases; a file of several cases is read once."""
    by_path: dict[str, Source] = {}
    return [_read(case, recipe.root, by_path) for case in cases]


def _read(case: Case, root: Path | None, by_path: dict[str, Source]) -> Read:
    """Return the files of a case, after making that of the system if a command makes it.

    `by_path` has the files that were read before, and gets those that are read now.
    """
    sources: dict[str, Source] = {}
    unread: dict[str, tuple[Problem, ...]] = {}
    if case.production is not None:
        from pytest_nlpeval.run.producing import produced  # which needs programs and temporary folders

        if problems := produced(case):
            unread["system"] = problems
    for role, file in case.files.items():
        if role in unread:
            continue
        source = by_path.get(file.path) if file.content is None else None
        if source is None:
            log = ProblemLog(file.label, FILE_KINDS)
            source = file.read(log, where=f"{role} of {case.name}" if case.name != file.label else "", root=root)
        if source is None:
            unread[role] = log.problems()
        else:
            sources[role] = source
            if file.content is None:
                by_path[file.path] = source
    return sources, unread
