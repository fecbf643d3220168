"""What a suite is compared with: its baseline's evidence, from git or from a file, and what was wrong then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytest_nlpeval.baselines.earlier import Earlier, earlier_suite
from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.baselines.stored import BASELINE_KINDS, circumstances_of, read_baseline
from pytest_nlpeval.config.suite import Baseline, File, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.runs import Run

Evaluate = Callable[[Suite], Run]
"""Evaluates the cases of a suite, by the same engine and the same evidence store as those of today."""


def past_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:
    """Return what a suite is compared with; never raises for what a baseline lacks."""
    return _from_file(suite, baseline.text, baseline.file) if baseline.file else _from_git(suite, baseline, evaluate)


def _from_git(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:
    try:
        with earlier_suite(suite, baseline.revision) as earlier:
            if earlier.is_new:
                return Run(baseline.text, earlier.commit, reason=_not_there(baseline.text), is_new=True)
            return scored_then(baseline.text, earlier, evaluate(earlier.suite))
    except GitError as error:
        return Run(baseline.text, reason=f"{baseline.text}: {error}")


def scored_then(source: str, earlier: Earlier, then: Run) -> Run:
    """Return the past of a suite from what its cases gave; without evidence if none of them could be scored."""
    return Run(
        source,
        earlier.commit,
        then.evidence,
        "" if then.evidence else f"{source}: no document of then can be scored",
        added=earlier.added,
        vanished=earlier.vanished,
        broken=then.broken,
        wrong=then.wrong,
    )


def _not_there(source: str) -> str:
    return f"the suite is new: {source} does not have it"


def _from_file(suite: Suite, source: str, file: File) -> Run:
    log = ProblemLog(file.label, BASELINE_KINDS)
    kept = read_baseline(Path(file.path), log)
    if kept is None:
        return Run(source, reason="; ".join(map(str, log.problems())) + "; `nlpeval baseline update` writes it")
    if suite.name not in kept:
        return Run(source, reason=_not_there(source), is_new=True)
    accepted = kept[suite.name]
    differences = accepted.circumstances.differences(circumstances_of(suite))
    if differences:
        reason = f"{source} is not comparable: {'; '.join(differences)}; to accept it: `nlpeval baseline update`"
        return Run(source, reason=reason)
    now = {case.name for case in suite.cases}
    then = set(accepted.evidence.documents)
    common = Evidence.merge(part for part in accepted.evidence.split() if part.documents[0] in now)
    return Run(source, "", common, "", added=_sorted(now - then), vanished=_sorted(then - now), wrong=accepted.wrong)


def _sorted(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
