"""Files of the task as text, read and scored without a suite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import ProblemLog, Rule
from pytest_nlpeval.task import Counted
from pytest_nlpeval.tasks.spans import TASK
from pytest_nlpeval.tasks.spans.document import Document
from pytest_nlpeval.tasks.spans.options import Options, make_options

Tagged = list[list[tuple[str, str]]]
"""Sentences of tokens with their tags."""


def conll(sentences: Iterable[Iterable[tuple[str, str]]]) -> str:
    """A file in CoNLL columns."""
    return "\n".join("".join(f"{token}\t{tag}\n" for token, tag in sentence) for sentence in sentences)


def tagged(*sentences: str) -> str:
    """A file in CoNLL columns of sentences such as `Anna/B-PER left/O`."""
    return conll([(word.partition("/")[0], word.partition("/")[2]) for word in sentence.split()] for sentence in sentences)


def json_lines(*records: Any) -> str:
    """A file in JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


def read(
    role: str,
    text: str | bytes,
    options: Options,
    documents: Mapping[str, Any] | None = None,
    rules: Mapping[str, str] | None = None,
) -> tuple[Any, list[str]]:
    """Return the document of a file and its problems, as `line:column: code: message`."""
    log = ProblemLog("", TASK.problems, cast("Mapping[str, Rule]", rules or {}))
    data = text if isinstance(text, bytes) else text.encode()
    found = TASK.role(role).read(Source("", data), documents or {}, options, log)
    return found, [f"{problem.line}:{problem.column}: {problem.code}: {problem.message}" for problem in log.problems()]


def documents_of(gold: str, system: str, options: Options, **more: Any) -> dict[str, Document]:
    """Return the documents of two files without errors."""
    documents: dict[str, Any] = {}
    for role, text in (*more.items(), ("gold", gold), ("system", system)):
        documents[role], problems = read(role, text, options, documents)
        assert documents[role] is not None, problems
    return documents


def counted(gold: str, system: str, options: Options | None = None, **more: Any) -> Counted:
    """Return what counting two files without errors gives."""
    options = options or make_options()
    found = TASK.count(documents_of(gold, system, options, **more), options, ProblemLog("", TASK.problems))
    assert isinstance(found, Counted)
    return found


def evidence_of(gold: str, system: str, options: Options | None = None, **more: Any) -> Evidence:
    """Return the evidence of two files without errors."""
    return counted(gold, system, options, **more).evidence


def explained(gold: str, system: str, options: Options | None = None, **more: Any) -> list[Explanation]:
    """Return the explanations of two files without errors that are written out."""
    return [entry for entry in counted(gold, system, options, **more).explanations if isinstance(entry, Explanation)]


def scores_of(evidence: Evidence, options: Options | None = None) -> dict[str, float | None]:
    """Return the values of all measures."""
    sample = Sample(evidence)
    return {
        measure.name: measure.score(sample).value
        for measure in TASK.measures(options or make_options(), list(evidence.columns)) or ()
    }


def scored(gold: str, system: str, **options: Any) -> dict[str, float | None]:
    """Return the values of all measures of two files."""
    made = make_options(**options)
    return scores_of(evidence_of(gold, system, made), made)
