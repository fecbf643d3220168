"""Builds gold and run files from rows, reads and scores them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample, Score
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.tasks.rte import PROBLEMS, TASK
from pytest_nlpeval.tasks.rte.gold import Gold, read_gold
from pytest_nlpeval.tasks.rte.options import FIRST, Edition, Options
from pytest_nlpeval.tasks.rte.run import Run, read_run

Rules = Mapping[str, Rule]
Pairs = Iterable[tuple[str, str, bool]]
"""Id, application setting, and whether entailment holds."""

FIVE = (("1", "IR", True), ("2", "IR", True), ("3", "PP", False), ("4", "QA", True), ("5", "IE", False))
RUN = "1 TRUE 0.348\n2 FALSE 0.221\n3 FALSE 0.873\n4 TRUE 1\n5 FALSE 0.003\n"
"""The worked example."""


def word(edition: Edition, holds: bool) -> str:
    return edition.positive if holds else edition.negative


def pair(name: str, task: str, judgment: str, text: str = "A ferry left at dawn.") -> str:
    """One pair on one line; `judgment` is its attribute, such as `value="TRUE"`."""
    return f'<pair id="{name}" task="{task}" {judgment}><t>{text}</t><h>A ferry left.</h></pair>\n'


def corpus(*pairs: str) -> str:
    """A gold file; the first pair stands on line 2."""
    return "<entailment-corpus>\n" + "".join(pairs) + "</entailment-corpus>\n"


def gold_text(pairs: Pairs, edition: Edition = FIRST) -> str:
    return corpus(*(pair(name, task, f'{edition.attribute}="{word(edition, holds)}"') for name, task, holds in pairs))


def gold_of(text: str, options: Options | None = None, rules: Rules | None = None) -> tuple[Gold | None, tuple[Problem, ...]]:
    log = ProblemLog("gold.xml", PROBLEMS, rules)
    return read_gold(Source("gold.xml", text.encode()), {}, options or Options(), log), log.problems()


def run_of(
    text: str, gold: Gold | None = None, options: Options | None = None, rules: Rules | None = None
) -> tuple[Run | None, tuple[Problem, ...]]:
    log = ProblemLog("run.txt", PROBLEMS, rules)
    documents = {} if gold is None else {"gold": gold}
    return read_run(Source("run.txt", text.encode()), documents, options or Options(), log), log.problems()


def documents_of(gold: str, run: str, rules: Rules | None = None) -> dict[str, Any]:
    standard, problems = gold_of(gold, rules=rules)
    assert standard is not None, problems
    answers, problems = run_of(run, standard, rules=rules)
    assert answers is not None, problems
    return {"gold": standard, "system": answers}


def evidence_of(gold: str, run: str, rules: Rules | None = None) -> Evidence:
    return TASK.count(documents_of(gold, run, rules), Options(), ProblemLog("run.txt", PROBLEMS)).evidence


def scores_of(evidence: Evidence) -> dict[str, Score]:
    sample = Sample(evidence)
    return {measure.name: measure.score(sample) for measure in TASK.measures(Options(), tuple(evidence.columns)) or ()}


def values_of(evidence: Evidence) -> dict[str, float | None]:
    return {name: score.value for name, score in scores_of(evidence).items()}


def codes(problems: Iterable[Problem]) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in problems]


@dataclass(frozen=True)
class Row:
    """A gold pair and what a run says about it; `said` None: not judged."""

    setting: str
    holds: bool
    said: bool | None
    confidence: str

    def gold(self, name: int) -> tuple[str, str, bool]:
        return str(name), self.setting, self.holds


CONFIDENCES = ("0", "0.25", ".5", "0.5", "5e-1", "1", "1.000")

ROWS = st.lists(
    st.builds(
        Row,
        st.sampled_from(("IR", "QA", "IE")),
        st.booleans(),
        st.one_of(st.none(), st.booleans(), st.booleans()),
        st.sampled_from(CONFIDENCES),
    ),
    min_size=1,
    max_size=8,
)

NOT_ORDERED: Rules = {"rte.order": "off"}


def run_lines(rows: Sequence[Row], edition: Edition = FIRST) -> list[str]:
    """The lines of a run on pairs with the ids 0, 1, …: with confidences in edition 1."""
    judged = [(name, row) for name, row in enumerate(rows) if row.said is not None]
    return [
        f"{name} {word(edition, bool(row.said))}" + (f" {row.confidence}\n" if edition.has_confidence else "\n")
        for name, row in judged
    ]


def row_evidence(rows: Sequence[Row], edition: Edition = FIRST, *, ranked: bool = True) -> Evidence:
    gold = gold_text((row.gold(name) for name, row in enumerate(rows)), edition)
    header = "" if edition.has_confidence else f"ranked: {'yes' if ranked else 'no'}\n"
    return evidence_of(gold, header + "".join(run_lines(rows, edition)))
