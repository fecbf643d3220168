"""The source of all other references: a file of stored evidence, comparable while the circumstances are what they were."""

from __future__ import annotations

from dataclasses import replace

from pytest_nlpeval.baselines.circumstances import differences
from pytest_nlpeval.baselines.stored import read_baseline
from pytest_nlpeval.config.suite import Baseline, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.runs import Evaluate, Run


def run_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:  # noqa: ARG001 - nothing is left to evaluate
    """Return the run of a suite that a baseline file holds; without evidence, and with the reason, if it cannot be compared."""
    source = baseline.text
    try:
        stored = read_baseline(baseline.file).get(suite.name) if baseline.file else None
    except NlpevalError as error:
        return Run(source, reason="; ".join(map(str, error.problems)) + "; `nlpeval baseline update` writes it")
    if stored is None or stored.evidence is None:
        return Run(source, reason=f"the suite is new: {source} does not have it", is_new=True)
    if facts := differences(stored, suite):
        return Run(source, reason=f"{source} is not comparable: {'; '.join(facts)}; to accept it: `nlpeval baseline update`")
    today, documents = {case.name for case in suite.cases}, set(stored.evidence.documents)
    common = Evidence.merge(part for part in stored.evidence.split() if part.documents[0] in today)
    return replace(
        stored,
        source=source,
        evidence=common,
        added=tuple(sorted(today - documents)),
        vanished=tuple(sorted(documents - today)),
    )
