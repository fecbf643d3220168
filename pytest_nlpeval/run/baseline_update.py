"""Accepts results: writes them to the baseline files that their configurations name, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_nlpeval.baselines.stored import (
    BASELINE_KINDS,
    Accepted,
    baseline_text,
    circumstances_of,
    read_baseline,
    suite_text,
)
from pytest_nlpeval.config.suite import File, Suite
from pytest_nlpeval.files import write_atomically
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import NlpevalError, Problem, ProblemLog
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import number, plural

MOST_SCORES = 10
"""How many changed scores of a suite are told."""


@dataclass(frozen=True, slots=True)
class Update:
    """A baseline file as it is to be: its path, its new text, and what that changes, in lines."""

    path: Path
    label: str
    text: str
    lines: tuple[str, ...]

    def write(self) -> None:
        """Write the file; `OSError` if that fails."""
        write_atomically(self.path, self.text)


def updates(results: Sequence[SuiteResult]) -> list[Update]:
    """Return the baseline files of all suites that name one, from their results with explanations; nothing is written yet.

    Raises:
        NlpevalError: if no suite names a file, if a case is not valid, or if two configurations share a file.
    """
    problems = list(_objections(results))
    if problems:
        raise NlpevalError(tuple(problems))
    files: dict[str, tuple[File, dict[str, SuiteResult]]] = {}
    for result in results:
        if result.suite.baseline and (file := result.suite.baseline.file):
            files.setdefault(file.path, (file, {}))[1][result.suite.name] = result
    return [_update(file, suites) for file, suites in files.values()]


def _objections(results: Sequence[SuiteResult]) -> Iterator[Problem]:
    owners: dict[str, Path | None] = {}
    kept = [result for result in results if result.suite.baseline and result.suite.baseline.file]
    if not kept:
        message = (
            "no suite names a baseline file; write `baseline: baselines/main.json` under `defaults`, or give --baseline FILE"
        )
        yield Problem("baseline.none", "error", "", None, None, "", message)
    for result in kept:
        suite = result.suite
        file = suite.baseline.file if suite.baseline else None
        if file and owners.setdefault(file.path, suite.config) != suite.config:
            message = f"{file.label} is another configuration's baseline file; give each configuration a file of its own"
            yield Problem("baseline.shared", "error", suite.label, suite.line or None, None, suite.name, message)
        if result.failed_cases or result.evidence is None:
            broken = plural(len(result.failed_cases), "document")
            message = f"{broken} with errors: a baseline holds valid results only (`nlpeval run` tells them)"
            yield Problem("baseline.refused", "error", suite.label, suite.line or None, None, suite.name, message)


def _update(file: File, results: Mapping[str, SuiteResult]) -> Update:
    log = ProblemLog(file.label, BASELINE_KINDS)
    before = (read_baseline(Path(file.path), log) or {}) if Path(file.path).exists() else {}
    after = {name: _accepted(result) for name, result in results.items()}
    lines = [
        f"{name}: {line}"
        for name in sorted({*before, *after})
        for line in _changes(before.get(name), after.get(name), results.get(name))
    ]
    return Update(Path(file.path), file.label, baseline_text(after), tuple(lines))


def _accepted(result: SuiteResult) -> Accepted:
    if result.evidence is None:
        raise ValueError(f"{result.suite.name} has nothing to keep")
    wrong = {case.name: case.explanations for case in result.cases if case.explanations is not None}
    return Accepted(circumstances_of(result.suite), result.evidence, wrong)


def _changes(before: Accepted | None, after: Accepted | None, result: SuiteResult | None) -> Iterator[str]:
    """Yield what an update changes of a suite, in words."""
    if after is None or result is None:
        yield "is dropped: the configuration does not have it any more"
        return
    if before is None:
        yield f"is new, with {plural(len(after.evidence.documents), 'document')}"
        return
    yield from before.circumstances.differences(after.circumstances)
    old, new = set(before.evidence.documents), set(after.evidence.documents)
    yield from (
        f"{plural(len(names), 'document')} {word}" for word, names in (("added", new - old), ("dropped", old - new)) if names
    )
    sample = Sample(before.evidence)
    changed = [
        f"{measure.name} {number(then.value)} -> {number(now.value)}"
        for measure in result.suite.measures(tuple(before.evidence.columns))
        if (now := result.scores.get(measure.name)) is not None and (then := measure.score(sample)).value != now.value
    ]
    yield from changed[:MOST_SCORES]
    if len(changed) > MOST_SCORES:
        yield f"{len(changed) - MOST_SCORES:,} more scores change"
    if not changed and old == new and suite_text(before) == suite_text(after):
        yield "unchanged"
    elif not changed:
        yield "no score changes, single units do"


@dataclass(frozen=True, slots=True)
class Kept:
    """What the baseline of a suite says, in a line; and of a file, why it is not comparable now, and each measure's value."""

    said: str
    hindrances: tuple[str, ...] = ()
    values: tuple[tuple[str, float | None], ...] = ()


def kept_of(suite: Suite) -> Kept:
    """Return what the baseline of a suite says.

    Raises:
        NlpevalError: if its file cannot be read.
    """
    file = suite.baseline.file if suite.baseline else None
    if file is None:
        return Kept(f"{suite.name}: {suite.baseline.text if suite.baseline else 'no baseline'}")
    log = ProblemLog(file.label, BASELINE_KINDS)
    accepted = read_baseline(Path(file.path), log)
    if accepted is None:
        raise NlpevalError(log.problems())
    if suite.name not in accepted:
        return Kept(f"{suite.name}: not in {file.label}")
    evidence, circumstances = accepted[suite.name].evidence, accepted[suite.name].circumstances
    sample = Sample(evidence)
    return Kept(
        f"{suite.name}: {plural(len(evidence.documents), 'document')}, {plural(len(evidence.units), 'unit')} in {file.label}",
        tuple(circumstances.differences(circumstances_of(suite))),
        tuple((measure.name, measure.score(sample).value) for measure in suite.measures(tuple(evidence.columns))),
    )
