"""What a suite is compared with: its baseline's evidence, from git or from a file, and what was wrong then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pytest_nlpeval.baselines.earlier import Earlier, earlier_suite
from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.baselines.stored import BASELINE_KINDS, circumstances_of, read_baseline
from pytest_nlpeval.config.suite import Baseline, File, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.results import CaseResult

Evaluate = Callable[[Suite], Sequence[CaseResult]]
"""Gives the results of a suite's cases, by the same engine and the same evidence store."""


@dataclass(frozen=True, slots=True)
class Past:
    """The accepted results that a suite is compared with.

    `evidence` is None where there is nothing to compare with, for the `reason`; `is_new` says that this is because the baseline does not
    have the suite. `commit` is a baseline's in git. Documents in `added` are only in today's suite; those in `vanished` are not, and had
    results. `broken` are documents whose files of then have errors: they count as added. `wrong` says by document why units were not
    right, None if nobody asked.
    """

    source: str
    commit: str = ""
    evidence: Evidence | None = None
    reason: str = ""
    is_new: bool = False
    added: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    wrong: Mapping[str, Explanations] | None = None


def past_of(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Past:
    """Return what a suite is compared with; never raises for what a baseline lacks."""
    return _from_file(suite, baseline.text, baseline.file) if baseline.file else _from_git(suite, baseline, evaluate)


def _from_git(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Past:
    try:
        with earlier_suite(suite, baseline.revision) as earlier:
            results = evaluate(earlier.suite) if not earlier.is_new else []
            return _counted(baseline.text, earlier, results)
    except GitError as error:
        return Past(baseline.text, reason=f"{baseline.text}: {error}")


def _counted(source: str, earlier: Earlier, results: Sequence[CaseResult]) -> Past:
    parts = [result.evidence for result in results if result.evidence is not None]
    broken = tuple(result.name for result in results if result.evidence is None)
    reason = ""
    if earlier.is_new:
        reason = f"the suite is new: {source} does not have it"
    elif not parts:
        reason = f"{source}: no document of then can be scored"
    explained = all(result.explanations is not None for result in results)
    wrong = {result.name: result.explanations for result in results if result.explanations is not None}
    return Past(
        source,
        earlier.commit,
        Evidence.merge(parts) if parts else None,
        reason,
        earlier.is_new,
        earlier.added,
        earlier.vanished,
        broken,
        wrong if explained else None,
    )


def _from_file(suite: Suite, source: str, file: File) -> Past:
    log = ProblemLog(file.label, BASELINE_KINDS)
    kept = read_baseline(file.path, log)
    if kept is None:
        return Past(source, reason="; ".join(map(str, log.problems())) + "; `nlpeval baseline update` writes it")
    if suite.name not in kept:
        return Past(source, reason=f"the suite is new: {source} does not have it", is_new=True)
    accepted = kept[suite.name]
    differences = accepted.circumstances.differences(circumstances_of(suite))
    if differences:
        reason = f"{source} is not comparable: {'; '.join(differences)}; to accept it: `nlpeval baseline update`"
        return Past(source, reason=reason)
    now = {case.name for case in suite.cases}
    then = set(accepted.evidence.documents)
    common = Evidence.merge(part for part in accepted.evidence.split() if part.documents[0] in now)
    return Past(source, "", common, "", added=_sorted(now - then), vanished=_sorted(then - now), wrong=accepted.wrong)


def _sorted(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
