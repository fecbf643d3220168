"""Reads and counts files of the task `scores` that are written as text here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Entry
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.tasks.scores import TASK
from pytest_nlpeval.tasks.scores.measures import measures
from pytest_nlpeval.tasks.scores.options import options as made

Values = dict[str, float]


class Scored(NamedTuple):
    """What became of a case: evidence is None if a file has errors."""

    evidence: Evidence | None
    problems: list[Problem]
    explanations: list[Entry]
    given: Mapping[str, Any]

    def values(self, weights: NDArray[np.int64] | None = None) -> Values:
        """Return the value of each measure, NaN for none, of the first resample if there are weights."""
        assert self.evidence is not None, self.problems
        found = measures(made(**self.given), self.evidence.columns)
        assert found is not None
        sample = Sample(self.evidence, weights)
        return {measure.name: float(measure.values(sample)[0]) for measure in found}

    def told(self) -> list[str]:
        """Return file, line and code of each problem."""
        return [f"{problem.path[0]}:{problem.line or ''}:{problem.code.removeprefix('scores.')}" for problem in self.problems]


def scored(gold: str, system: str, names: tuple[str, str] = ("g.jsonl", "s.jsonl"), **given: Any) -> Scored:
    """Return what becomes of two files."""
    documents: dict[str, Any] = {}
    problems: list[Problem] = []
    for role, name, text in zip(TASK.roles, names, (gold, system), strict=True):
        log = ProblemLog(name, TASK.problems)
        document = role.read(Source(name, text.encode()), documents, made(**given), log)
        problems += log.problems()
        if document is not None:
            documents[role.name] = document
    if len(documents) < 2:
        return Scored(None, problems, [], given)
    counted = TASK.count(documents, made(**given), ProblemLog("", TASK.problems))
    return Scored(counted.evidence, problems, list(counted.explanations), given)


def objects(rows: Iterable[Mapping[str, object]]) -> str:
    """Return a JSON Lines file."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def items(names: Iterable[object]) -> str:
    """Return gold with these ids."""
    return objects({"id": str(name)} for name in names)
