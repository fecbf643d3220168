"""The source of all other references: a file of stored evidence, comparable while the circumstances are what they were."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from pytest_nlpeval.baselines.circumstances import circumstances_of, differences, with_unchanged
from pytest_nlpeval.baselines.names import entries_of, names_of
from pytest_nlpeval.baselines.stored import read_baseline
from pytest_nlpeval.config.suite import Baseline, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import FILE_KINDS, read_source
from pytest_nlpeval.problems import NlpevalError, ProblemLog
from pytest_nlpeval.runs import Evaluate, Run


def run_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:  # noqa: ARG001 - nothing is left to evaluate
    """Return the run of a suite that a baseline file holds; without evidence, and with the reason, if it cannot be compared."""
    source = baseline.text
    try:
        runs = read_baseline(baseline.file) if baseline.file else {}
    except NlpevalError as error:
        return Run(source, reason="; ".join(map(str, error.problems)) + f"; `{suite.acceptance}` writes it")
    stored = next((runs[name] for name in suite.names if name in runs), None)
    if stored is None or stored.evidence is None:
        return Run(source, reason=f"the suite is new: {source} does not have it", is_new=True, former=_former_name(suite, runs))
    if facts := differences(stored, suite):
        return Run(source, reason=f"{source} is not comparable: {'; '.join(facts)}; to accept it: `{suite.acceptance}`")
    today, documents = {case.name for case in suite.cases}, set(stored.evidence.documents)
    common = Evidence.merge(part for part in stored.evidence.split() if part.documents[0] in today)
    return replace(
        with_unchanged(stored, suite),
        source=source,
        evidence=common,
        added=tuple(sorted(today - documents)),
        vanished=tuple(sorted(documents - today)),
    )


def _former_name(suite: Suite, runs: Mapping[str, Run]) -> str:
    """Return the name under which a file has results on the gold of a suite that is new by its name; "" if it has none.

    The name of a suite that there still is does not count.
    """
    source = read_source(suite.config, ProblemLog("", FILE_KINDS)) if suite.config else None
    names = names_of(entries_of(source) or []) if source else frozenset()
    golds = set(circumstances_of(suite).gold.items())
    return next((name for name, run in runs.items() if name not in names and _is_on(run, suite.recipe.task.name, golds)), "")


def _is_on(run: Run, task: str, golds: Collection[tuple[str, str]]) -> bool:
    """Whether a run is of a task, and on one of these documents and digests of gold files."""
    circumstances = run.circumstances
    return circumstances is not None and circumstances.task == task and not circumstances.gold.items().isdisjoint(golds)
