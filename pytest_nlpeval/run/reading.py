"""Reads the files of cases."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.files import FILE_KINDS, Source, read_source
from pytest_nlpeval.problems import Problem, ProblemLog

Read = tuple[dict[str, Source], dict[str, tuple[Problem, ...]]]
"""The files of a case that can be read, and the problems of the others, by role."""


def read_all(recipe: Recipe, cases: Iterable[Case]) -> list[Read]:
    """Return the files of some cases; a file of several cases is read once."""
    reader = _Reader(recipe.root)
    return [reader.read(case) for case in cases]


class _Reader:
    """Knows the files that it has read."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._sources: dict[str, Source] = {}

    def read(self, case: Case) -> Read:
        sources: dict[str, Source] = {}
        unread: dict[str, tuple[Problem, ...]] = {}
        for role, file in case.files.items():
            if file.path not in self._sources:
                log = ProblemLog(file.label, FILE_KINDS)
                where = f"{role} of {case.name}" if case.name != file.label else ""
                source = read_source(file.path, log, where=where, root=self._root)
                if source is None:
                    unread[role] = log.problems()
                    continue
                self._sources[file.path] = source
            sources[role] = self._sources[file.path]
        return sources, unread
