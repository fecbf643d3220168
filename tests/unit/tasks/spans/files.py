"""Files of the task as text, read and scored without a suite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import ProblemLog, Rule
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
    return conll([tuple(word.split("/")) for word in sentence.split()] for sentence in sentences)  # type: ignore[misc]


def json_lines(*records: Any) -> str:
    """A file in JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


def read(
    role: str, text: str | bytes, options: Options, documents: Mapping[str, Any] | None = None, rules: Mapping[str, Rule] | None = None
) -> tuple[Any, list[str]]:
    """Return the document of a file and its problems, as `line:column: code: message`."""
    log = ProblemLog("", TASK.problems, rules)
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


def evidence_of(gold: str, system: str, options: Options | None = None, **more: Any) -> Evidence:
    """Return what two files without errors give."""
    options = options or make_options()
    documents = documents_of(gold, system, options, **more)
    evidence = TASK.count(documents, options, ProblemLog("", TASK.problems)).evidence
    assert isinstance(evidence, Evidence)
    return evidence


def explained(gold: str, system: str, options: Options | None = None, **more: Any) -> list[Explanation]:
    """Return the explanations of two files without errors."""
    options = options or make_options()
    documents = documents_of(gold, system, options, **more)
    return list(TASK.count(documents, options, ProblemLog("", TASK.problems)).explanations)  # type: ignore[arg-type]


def scores_of(evidence: Evidence, options: Options | None = None) -> dict[str, float | None]:
    """Return the values of all measures."""
    sample = Sample(evidence)
    return {
        measure.name: measure.score(sample).value for measure in TASK.measures(options or make_options(), list(evidence.columns)) or ()
    }


def scored(gold: str, system: str, **options: Any) -> dict[str, float | None]:
    """Return the values of all measures of two files."""
    made = make_options(**options)
    return scores_of(evidence_of(gold, system, made), made)
