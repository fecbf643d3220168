"""Reads and counts files of the task `labels` that are written as text here."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Entry
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.tasks.labels import TASK
from pytest_nlpeval.tasks.labels.measures import measures
from pytest_nlpeval.tasks.labels.options import options as made

Values = dict[str, float]


class Scored(NamedTuple):
    """What became of a case: evidence is None if a file has errors."""

    evidence: Evidence | None
    problems: list[str]
    explanations: list[Entry]
    given: Mapping[str, Any]

    def measures(self) -> dict[str, Measure]:
        assert self.evidence is not None, self.problems
        found = measures(made(**self.given), self.evidence.columns)
        assert found is not None
        return {measure.name: measure for measure in found}

    def values(self, weights: NDArray[np.int64] | None = None) -> Values:
        """Return the value of each measure, NaN for none, of the first resample if there are weights."""
        assert self.evidence is not None, self.problems
        sample = Sample(self.evidence, weights)
        return {name: float(measure.values(sample)[0]) for name, measure in self.measures().items()}


def scored(
    gold: str, system: str, rules: Mapping[str, Rule] | None = None, names: tuple[str, str] = ("g.tsv", "s.tsv"), **given: Any
) -> Scored:
    """Return what becomes of two files."""
    documents: dict[str, Any] = {}
    problems: list[Problem] = []
    options = made(**given)
    for role, name, text in zip(TASK.roles, names, (gold, system), strict=True):
        log = ProblemLog(name, TASK.problems, rules)
        document = role.read(Source(name, text.encode()), documents, options, log)
        problems += log.problems()
        if document is not None:
            documents[role.name] = document
    told = [f"{problem.path[0]}:{problem.line or ''}: {problem.code.removeprefix('labels.')}" for problem in problems]
    if len(documents) < 2:
        return Scored(None, told, [], given)
    counted = TASK.count(documents, options, ProblemLog("", TASK.problems, rules))
    return Scored(counted.evidence, told, list(counted.explanations), given)


def table(rows: Iterable[Sequence[object]], header: str = "id label") -> str:
    """Return a TSV file."""
    return "".join("\t".join(map(str, row)) + "\n" for row in (header.split(), *rows))


def objects(rows: Iterable[Mapping[str, object]]) -> str:
    """Return a JSON Lines file."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def same(one: Values, other: Values) -> None:
    """Check that the values are the same."""
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert math.isclose(value, other[name], abs_tol=1e-12) or (math.isnan(value) and math.isnan(other[name])), name
