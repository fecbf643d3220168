"""Accepts results: writes them to the baseline files that their configurations name, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_nlpeval.baselines.circumstances import circumstances_of, completed, differences, digests
from pytest_nlpeval.baselines.stored import baseline_text, read_baseline, suite_text
from pytest_nlpeval.config.suite import File, Suite
from pytest_nlpeval.files import write_atomically
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.runs import Run
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
    owners: dict[str, str] = {}
    told: set[tuple[str, str]] = set()
    kept = [result for result in results if result.suite.baseline and result.suite.baseline.file]
    if not kept:
        message = (
            "no suite names a baseline file; write `baseline: baselines/main.json` under `defaults`, or give --baseline FILE"
        )
        yield Problem("baseline.none", "error", "", None, None, "", message)
    for result in kept:
        suite = result.suite
        file = suite.baseline.file if suite.baseline else None
        if file and owners.setdefault(file.path, suite.owner) != suite.owner:
            message = f"{file.label} is also the baseline file of {owners[file.path]}; give each configuration a file of its own"
            yield Problem("baseline.shared", "error", suite.label, suite.line or None, None, suite.name, message)
        elif file and (file.path, suite.name) in told:
            message = f"{file.label} has one place for {suite.name}, and the run two results of it; give each a name of its own"
            yield Problem("baseline.shared", "error", suite.label, suite.line or None, None, suite.name, message)
        if file:
            told.add((file.path, suite.name))
        if result.failed_cases or result.evidence is None:
            broken = plural(len(result.failed_cases), "document")
            message = f"{broken} with errors: a baseline holds valid results only (`nlpeval run` tells them)"
            if suite.judged_by_test and not result.failed_cases:
                message = "a test gives the system's output (`judged_by: test`); `pytest --nlpeval --nlpeval-update-baseline` accepts it"
            yield Problem("baseline.refused", "error", suite.label, suite.line or None, None, suite.name, message)


def _update(file: File, results: Mapping[str, SuiteResult]) -> Update:
    before: dict[str, Run] = {}
    with suppress(NlpevalError):  # what cannot be read, or is not there yet, is replaced
        before = read_baseline(file)
    after = {name: _run_to_keep(result) for name, result in results.items()}
    if all(result.suite.config is None for result in results.values()):  # nobody knows which other tests there are
        kept = {name: run for name, run in before.items() if name not in after}
        after, before = kept | after, {name: run for name, run in before.items() if name in after}
    lines = [
        f"{name}: {line}"
        for name in sorted({*before, *results})
        for line in _changes(before.get(name), after.get(name), results.get(name))
    ]
    return Update(Path(file.path), file.label, baseline_text(after), tuple(lines))


def _run_to_keep(result: SuiteResult) -> Run:
    wrong = {case.name: case.explanations for case in result.cases if case.explanations is not None}
    suite = result.suite
    return Run(
        suite.name,
        evidence=result.evidence,
        wrong=wrong,
        circumstances=circumstances_of(suite),
        outputs=digests(suite, "system"),
    )


def _changes(before: Run | None, after: Run | None, result: SuiteResult | None) -> Iterator[str]:
    """Yield what an update changes of a suite, in words."""
    if after is None or after.evidence is None or result is None:
        yield "is dropped: the configuration does not have it any more"
        return
    if before is None or before.evidence is None:
        yield f"is new, with {plural(len(after.evidence.documents), 'document')}"
        return
    yield from differences(before, result.suite)
    old, new = set(before.evidence.documents), set(after.evidence.documents)
    yield from (
        f"{plural(len(names), 'document')} {word}" for word, names in (("added", new - old), ("dropped", old - new)) if names
    )
    sample = Sample(before.evidence)
    changed = [
        f"{measure.name} {number(stored.value)} -> {number(today.value)}"
        for measure in result.suite.measures(tuple(before.evidence.columns))
        if (today := result.scores.get(measure.name)) is not None and (stored := measure.score(sample)).value != today.value
    ]
    yield from changed[:MOST_SCORES]
    if len(changed) > MOST_SCORES:
        yield f"{len(changed) - MOST_SCORES:,} more scores change"
    if not changed:
        texts = {suite_text(completed(run, result.suite.recipe)) for run in (before, after)}
        yield "unchanged" if len(texts) == 1 else "no score changes, single units do"


def shown_baseline(suite: Suite) -> tuple[str, list[str], list[tuple[str, float | None]]]:
    """Return what the baseline of a suite says in a line; and of a file, why it is not comparable now, and each measure's value.

    Raises:
        NlpevalError: if its file cannot be read.
    """
    baseline = suite.baseline
    if baseline is None or baseline.file is None:
        return f"{suite.name}: {baseline.text if baseline else 'no baseline'}", [], []
    stored = read_baseline(baseline.file).get(suite.name)
    if stored is None or stored.evidence is None:
        return f"{suite.name}: not in {baseline.file.label}", [], []
    evidence, sample = stored.evidence, Sample(stored.evidence)
    counts = f"{plural(len(evidence.documents), 'document')}, {plural(len(evidence.units), 'unit')}"
    values = [(measure.name, measure.score(sample).value) for measure in suite.measures(tuple(evidence.columns))]
    return f"{suite.name}: {counts} in {baseline.file.label}", differences(stored, suite), values
