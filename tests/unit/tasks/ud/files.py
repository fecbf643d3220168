"""CoNLL-U files as text, read and scored without a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import ProblemLog, Rule
from pytest_nlpeval.task import Counted
from pytest_nlpeval.tasks.ud import TASK
from pytest_nlpeval.tasks.ud.document import Document
from pytest_nlpeval.tasks.ud.options import Options

Row = tuple[str, ...]
"""ID, FORM, and as many further fields as there are; the rest is `_`."""


def conllu(*sentences: Sequence[str]) -> str:
    """A file of sentences, whose rows are fields between blanks: `1 Rain rain NOUN _ _ 2 nsubj`, where `·` stands for a blank."""
    lines = (
        "".join("\t".join([*row.split(" "), *["_"] * (10 - len(row.split(" ")))]).replace("·", " ") + "\n" for row in sentence)
        for sentence in sentences
    )
    return "".join(f"{line}\n" for line in lines)


def read(
    role: str, text: str, documents: Mapping[str, Any] | None = None, rules: Mapping[str, str] | None = None
) -> tuple[Document | None, list[str]]:
    """Return the document of a file and its problems, as `line: code`."""
    log = ProblemLog("", TASK.problems, cast("Mapping[str, Rule]", rules or {}))
    found = TASK.role(role).read(Source("", text.encode()), documents or {}, Options(), log)
    return found, [f"{problem.line}: {problem.code}" for problem in log.problems()]


def document(text: str) -> Document:
    """Return the document of a file that can be scored."""
    found, problems = read("gold", text)
    assert found is not None, problems
    return found


def counted(gold: str, system: str, **options: Any) -> Counted:
    """Return what counting two files gives."""
    files = {"gold": document(gold), "system": document(system)}
    found = TASK.count(files, Options(**options), ProblemLog("", TASK.problems))
    assert isinstance(found, Counted)
    return found


def scored(gold: str, system: str, **options: Any) -> dict[str, float | None]:
    """Return the values of all measures of two files."""
    evidence = counted(gold, system, **options).evidence
    sample = Sample(evidence)
    measures = TASK.measures(Options(**options), list(evidence.columns)) or ()
    return {measure.name: measure.score(sample).value for measure in measures}


def explained(gold: str, system: str, **options: Any) -> list[Explanation]:
    """Return the explanations of two files."""
    return [entry for entry in counted(gold, system, **options).explanations if isinstance(entry, Explanation)]
