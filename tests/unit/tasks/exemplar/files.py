"""Builds gold and system files from rows, and reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample, Score
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.tasks.exemplar import PROBLEMS, TASK
from pytest_nlpeval.tasks.exemplar.gold import Gold, read_gold
from pytest_nlpeval.tasks.exemplar.options import Options
from pytest_nlpeval.tasks.exemplar.system import System, read_system

GOLD_HEADER = "Entity1\tRelation\tEntity2\tTrigger\tAnnotated Sentence"
SYSTEM_HEADER = "Entity1\tRelation\tEntity2"
WINDOWS = "[[[A]]] --->'s {{{sale}}} of<--- [[[B]]] --->today<---."


def gold_text(*rows: str) -> str:
    return "\n".join((GOLD_HEADER, *rows)) + "\n"


def system_text(*rows: str) -> str:
    return "\n".join((SYSTEM_HEADER, *rows)) + "\n"


def gold_row(sentence: str = WINDOWS, trigger: str = "sale", relation: str | None = None) -> str:
    return "\t".join(("A", trigger if relation is None else relation, "B", trigger, sentence))


def system_row(extraction: str) -> str:
    return f"A\t{extraction}\tB"


def gold_of(text: str, rules: Mapping[str, Rule] | None = None) -> tuple[Gold | None, tuple[Problem, ...]]:
    log = ProblemLog("gold.tsv", PROBLEMS, rules)
    return read_gold(Source("gold.tsv", text.encode()), {}, Options(), log), log.problems()


def system_of(text: str, gold: Gold | None = None) -> tuple[System | None, tuple[Problem, ...]]:
    log = ProblemLog("system.tsv", PROBLEMS)
    documents = {} if gold is None else {"gold": gold}
    return read_system(Source("system.tsv", text.encode()), documents, Options(), log), log.problems()


def documents_of(gold: str, system: str, rules: Mapping[str, Rule] | None = None) -> dict[str, Any]:
    read, problems = gold_of(gold, rules)
    assert read is not None, problems
    answers, problems = system_of(system, read)
    assert answers is not None, problems
    return {"gold": read, "system": answers}


def pairs_of(rows: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return documents of (gold row, extraction) pairs."""
    both = list(rows)
    return documents_of(gold_text(*(row for row, _ in both)), system_text(*(system_row(text) for _, text in both)))


def scores_of(documents: Mapping[str, Any], options: Options | None = None) -> dict[str, Score]:
    options = options or Options()
    sample = Sample(TASK.count(documents, options, ProblemLog("", PROBLEMS)).evidence)
    return {measure.name: measure.score(sample) for measure in TASK.measures(options, None) or ()}


def codes(problems: Iterable[Problem]) -> list[tuple[str, int | None, int | None]]:
    return [(problem.code.removeprefix("exemplar."), problem.line, problem.column) for problem in problems]
