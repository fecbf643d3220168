"""Reads and counts files of the task `text` that are written as text here."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Entry, Explanation
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import ProblemLog, Rule
from pytest_nlpeval.tasks.text import TASK
from pytest_nlpeval.tasks.text.measures import measures
from pytest_nlpeval.tasks.text.options import options as made

EVERY = ("wer", "cer", "bleu", "chrf", "chrf++", "ter", "rouge1", "rouge2", "rougeL", "rougeLsum")


class Scored(NamedTuple):
    """What became of a case: evidence is None if a file has errors; problems are `role:line: code`."""

    evidence: Evidence | None
    problems: list[str]
    explanations: list[Entry]
    documents: Mapping[str, Any]
    given: Mapping[str, Any]

    def values(self, weights: NDArray[np.int64] | None = None) -> dict[str, float]:
        """Return the value of each measure, NaN for none, of the first resample if there are weights."""
        assert self.evidence is not None, self.problems
        sample = Sample(self.evidence, weights)
        every = measures(made(**self.given), self.evidence.columns)
        assert every is not None
        return {measure.name: float(measure.values(sample)[0]) for measure in every}

    def explained(self) -> list[Explanation]:
        return [entry for entry in self.explanations if isinstance(entry, Explanation)]


def scored(files: Mapping[str, tuple[str, str]], rules: Mapping[str, Rule] | None = None, **given: Any) -> Scored:
    """Return what becomes of files, given name and text of each role."""
    documents: dict[str, Any] = {}
    problems = []
    options = made(**given)
    for role in TASK.roles:
        if role.name not in files:
            continue
        name, text = files[role.name]
        log = ProblemLog(name, TASK.problems, rules)
        document = role.read(Source(name, text.encode()), documents, options, log)
        told = log.problems()
        problems += [f"{role.name}:{problem.line or ''}: {problem.code.removeprefix('text.')}" for problem in told]
        if document is not None:
            documents[role.name] = document
    if len(documents) < len(files):
        return Scored(None, problems, [], documents, given)
    counted = TASK.count(documents, options, ProblemLog("", TASK.problems, rules))
    return Scored(counted.evidence, problems, list(counted.explanations), documents, given)


def of_texts(references: Sequence[Sequence[str]], hypotheses: Sequence[str | None], **given: Any) -> Scored:
    """Return what becomes of references and hypotheses; None is no hypothesis."""
    rows = ({"id": number, "text": own} for number, own in enumerate(references))
    answers = ({"id": number, "text": own} for number, own in enumerate(hypotheses))
    files = {"gold": ("g.jsonl", objects(rows)), "system": ("s.jsonl", objects(answers))}
    return scored(files, {"text.null": "off", "text.empty": "off", "text.empty-reference": "off"}, **given)


def objects(rows: Iterable[Mapping[str, object]]) -> str:
    """Return a JSON Lines file."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def same(one: Mapping[str, float], other: Mapping[str, float]) -> None:
    """Check that the values are the same."""
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert math.isclose(value, other[name], abs_tol=1e-12) or (math.isnan(value) and math.isnan(other[name])), name
