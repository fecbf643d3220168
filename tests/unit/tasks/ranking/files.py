"""Builds judgements and runs, reads and scores them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation, Right
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.task import Counted
from pytest_nlpeval.tasks.ranking import TASK
from pytest_nlpeval.tasks.ranking.options import Options
from pytest_nlpeval.tasks.ranking.problems import PROBLEMS

Rules = Mapping[str, Rule]
Numbers = Mapping[str, Mapping[str, float]]

EVERY = (
    *(
        "nDCG",
        "nDCG@1",
        "nDCG@3",
        "nDCG@10",
        "AP",
        "AP@2",
        "AP@10",
        "RR",
        "RR@2",
        "RR@10",
        "P@1",
        "P@3",
        "P@10",
        "R@1",
        "R@3",
        "R@10",
    ),
    *("Success@1", "Success@2", "Success@5", "Judged@3", "Judged@10", "Rprec", "Bpref", "SetP", "SetR", "SetF"),
)
"""Measures of every kind, with cut-offs within and beyond lists."""

GOLD: Numbers = {"1": {"a": 2, "b": 1, "c": 1, "d": 0}, "2": {"a": 1}, "3": {"d": 0}}
RUN: Numbers = {"1": {"d": 5, "b": 4, "x": 4, "a": 1}, "3": {"d": 1}}
"""The worked example."""


def qrels(gold: Numbers) -> str:
    return "".join(f"{topic} 0 {name} {grade}\n" for topic, grades in gold.items() for name, grade in grades.items())


def trec(run: Numbers) -> str:
    return "".join(f"{topic} Q0 {name} 0 {score!r} tag\n" for topic, scores in run.items() for name, score in scores.items())


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


def codes(problems: Sequence[Problem]) -> list[str]:
    """Return `line: name` of problems, or the name alone."""
    names = [problem.code.removeprefix("ranking.") for problem in problems]
    return [f"{problem.line}: {name}" if problem.line else name for name, problem in zip(names, problems, strict=True)]


def counted(
    gold: str, system: str, options: Options | None = None, rules: Rules | None = None, topics: str | None = None
) -> tuple[Counted, tuple[Problem, ...]]:
    """Count files of these texts, which must have no errors; return the problems of the system's, too."""
    options = options or Options()
    documents: dict[str, Any] = {}
    for role, text in (("topics", topics), ("gold", gold), ("system", system)):
        if text is not None:
            documents[role], problems = read(role, text, documents, options, rules)
            assert documents[role] is not None, problems
    log = ProblemLog("system", PROBLEMS, rules)
    return TASK.count(documents, options, log), (*problems, *log.problems())


def evidence_of(gold: Numbers, run: Numbers, options: Options | None = None) -> Evidence:
    """Return the evidence of trec files."""
    return counted(qrels(gold), json.dumps(run) if options and options.formats[1] == "json" else trec(run), options)[0].evidence


def explanations_of(counted: Counted) -> list[Explanation]:
    return [cast("Explanation", entry) for entry in counted.explanations if not isinstance(entry, Right)]


def values_of(evidence: Evidence, options: Options) -> dict[str, float | None]:
    sample = Sample(evidence)
    return {measure.name: measure.score(sample).value for measure in TASK.measures(options, tuple(evidence.columns)) or ()}


def scores(gold: Numbers, run: Numbers, **given: Any) -> dict[str, float | None]:
    """Return all measures of trec files."""
    options = Options(**{"measures": EVERY, **given})
    return values_of(evidence_of(gold, run, options), options)


NAMES = st.sampled_from("abcdefghij") | st.sampled_from(["document-nine", "document-ten", "é", "日本語の文書"])
GRADES = st.sampled_from([-1, 0, 0, 1, 1, 2, 3])
SCORES = st.sampled_from([0.0, 1.0, 1.5, 2.0, -3.0]) | st.floats(-100, 100)


@st.composite
def collections(
    draw: st.DrawFn, grades: st.SearchStrategy[int] = GRADES
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgements and results of one to five topics, not quite the same ones; the first is on both sides."""
    topics = [f"q{number}" for number in range(draw(st.integers(1, 5)))]
    gold = {topic: draw(st.dictionaries(NAMES, grades, min_size=1, max_size=8)) for topic in topics}
    answered = [topic for topic in topics if topic == "q0" or draw(st.booleans())]
    run = {topic: draw(st.dictionaries(NAMES, SCORES, min_size=1, max_size=9)) for topic in answered}
    return gold, run
