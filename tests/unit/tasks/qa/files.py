"""Builds gold and system files from ids and texts, reads and scores them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample, Score
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.task import Counted
from pytest_nlpeval.tasks.qa import PROBLEMS, TASK
from pytest_nlpeval.tasks.qa.options import Options

Rules = Mapping[str, Rule]
Answers = Mapping[str, Sequence[str]]
Texts = Mapping[str, str]
Numbers = Mapping[str, float]

ANSWERS: Answers = {"1": ["The Orlin Bridge", "Orlin"], "2": [], "3": ["1,000 lamps"]}
PREDICTIONS: Texts = {"1": "the bridge at Orlin", "2": "Hale", "3": "1000 Lamps!"}
NUMBERS: Numbers = {"1": 0.2, "2": 0.9, "3": 0.9}
"""The worked example."""


def squad(answers: Answers, context: str = "") -> dict[str, Any]:
    """SQuAD JSON of one paragraph."""
    questions = [
        {"id": name, "question": f"Is it {name}?", "answers": [{"text": text} for text in texts]}
        for name, texts in answers.items()
    ]
    return {"data": [{"paragraphs": [{"context": context, "qas": questions}]}]}


def lines(*records: object) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def read(
    role: str,
    text: str | bytes,
    documents: Mapping[str, Any] | None = None,
    options: Options | None = None,
    rules: Rules | None = None,
) -> tuple[Any, tuple[Problem, ...]]:
    """Read one file; return the document and the problems."""
    log = ProblemLog(role, PROBLEMS, rules)
    source = Source(role, text if isinstance(text, bytes) else text.encode())
    return TASK.role(role).read(source, documents or {}, options or Options(), log), log.problems()


def counted(
    gold: object, system: object, numbers: object = None, options: Options | None = None, rules: Rules | None = None
) -> Counted:
    """Count files of these JSON values, which must have no errors."""
    options = options or Options()
    documents: dict[str, Any] = {}
    for role, value in (("gold", gold), ("na_prob", numbers), ("system", system)):
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value)
            documents[role], problems = read(role, text, documents, options, rules)
            assert documents[role] is not None, problems
    return TASK.count(documents, options, ProblemLog("system", PROBLEMS, rules))


def evidence_of(
    answers: Answers,
    predictions: Texts,
    numbers: Numbers | None = None,
    options: Options | None = None,
    rules: Rules | None = None,
) -> Evidence:
    return counted(squad(answers), predictions, numbers, options, rules).evidence


def scores_of(evidence: Evidence, options: Options | None = None) -> dict[str, Score]:
    sample = Sample(evidence)
    measures = TASK.measures(options or Options(), tuple(evidence.columns)) or ()
    return {measure.name: measure.score(sample) for measure in measures}


def values_of(evidence: Evidence, options: Options | None = None) -> dict[str, float | None]:
    return {name: score.value for name, score in scores_of(evidence, options).items()}


WORDS = ("the", "Orlin", "bridge", "1,000", "lamps", "U.S.", "a", ".", "of")

TEXTS = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
"""Short texts with common words; some have no token."""


@st.composite
def runs(draw: st.DrawFn, least: int = 0) -> tuple[dict[str, list[str]], dict[str, str], dict[str, float]]:
    """Answers, predictions and numbers of one to eight questions, each with at least so many answers."""
    names = [str(number) for number in range(draw(st.integers(1, 8)))]
    answers = {name: draw(st.lists(TEXTS, min_size=least, max_size=3)) for name in names}
    predictions = {name: draw(st.sampled_from([*answers[name], ""]) | TEXTS) for name in names}
    numbers = {name: draw(st.sampled_from((-2.0, 0.0, 0.1, 0.5, 0.9, 1.0, 3.5))) for name in draw(st.permutations(names))}
    return answers, predictions, numbers
