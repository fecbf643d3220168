"""Accepts results: writes them to the baseline files that their configurations name, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pytest_nlpeval.baselines.circumstances import circumstances_of, completed, difference, digests
from pytest_nlpeval.baselines.origin import Origin, origin_now
from pytest_nlpeval.baselines.stored import baseline_text, read_baseline, read_stored, suite_text
from pytest_nlpeval.config.suite import File, Suite
from pytest_nlpeval.files import label
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.numbers import figure
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.run.items import items_to_keep
from pytest_nlpeval.run.measure_choice import chosen_measures
from pytest_nlpeval.run.own_input import input_of
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.runs import Run, misfit
from pytest_nlpeval.wording import plural
from pytest_nlpeval.writing import write_atomically

MOST_SCORES = 10
"""How many changed scores of a suite are told."""


@light_dataclass(frozen=True, slots=True)
class Update:
    """A baseline file as it is to be: its path, its new text, and what that changes, in lines."""

    path: Path
    label: str
    text: str
    lines: tuple[str, ...]

    def write(self) -> None:
        """Write the file; `OSError` if that fails."""
        write_atomically(self.path, self.text)


def updates(results: Sequence[SuiteResult], suites: Sequence[Suite] | None = None) -> list[Update]:
    """Return the baseline files of all suites that name one, from their results with explanations; nothing is written yet.

    Raises:
        NlpevalError: if no suite names a file, if a case is not valid, if two configurations share a file, or if any of the `suites`,
            those of the results by default, has it for something else.
    """
    problems = list(_objections(results, [result.suite for result in results] if suites is None else suites))
    if problems:
        raise NlpevalError(tuple(problems))
    files: dict[str, tuple[File, dict[str, SuiteResult]]] = {}
    for result in results:
        if result.suite.baseline and (file := result.suite.baseline.file):
            files.setdefault(os.path.realpath(file.path), (file, {}))[1][result.suite.name] = result
    return [_update(file, suites) for file, suites in files.values()]


def saved(results: Sequence[SuiteResult], path: Path) -> Update:
    """Return a file that has the evidence of all results, whatever their baselines, written at the commit and on the day of now.

    Raises:
        NlpevalError: if a case is not valid, if the results are of several configurations, or if two suites have one name.
    """
    file = File(str(path), label(path, Path.cwd()))
    problems = [problem for result in results for problem in _refusals(result)]
    configs = {result.suite.config for result in results} - {None}
    several = f"{file.label} would be the file of {plural(len(configs), 'configuration')}"
    names: set[str] = set()
    for suite in (result.suite for result in results):
        if suite.selection:
            problems.append(_partial(suite, file))
        if len(configs) > 1:
            problems.append(_shared(suite, several, "a run of its own"))
        elif suite.name in names:
            problems.append(_twice(suite, file))
        names.add(suite.name)
    if problems:
        raise NlpevalError(tuple(problems))
    runs = {result.suite.name: _run_to_keep(result) for result in results}
    return Update(path, file.label, baseline_text(runs, origin_now(path, None)), ())


def _objections(results: Sequence[SuiteResult], suites: Sequence[Suite]) -> Iterator[Problem]:
    kept = [result for result in results if result.suite.baseline and result.suite.baseline.file]
    if not kept:
        message = (
            "no suite names a baseline file; write `baseline: baselines/main.json` under `defaults`, or give --baseline FILE"
        )
        yield Problem("baseline.none", "error", "", None, None, "", message)
    owners: dict[str, Suite] = {}
    names: set[tuple[str, str]] = set()
    for result in kept:
        suite, file = result.suite, _file_of(result)
        path = os.path.realpath(file.path)
        owner = owners.setdefault(path, suite)
        if (owner.config, owner.owner) != (suite.config, suite.owner):
            name = owner.owner if owner.owner != suite.owner else str(owner.config)
            yield _shared(suite, f"{file.label} is also the baseline file of {name}")
        elif (path, suite.name) in names:
            yield _twice(suite, file)
        elif (other := _other_owner(file, suite)) is not None:
            yield _shared(suite, f"{file.label} is the baseline file of {other}")
        elif owner is suite and (what := input_of(suites, path)):
            yield _shared(suite, f"{file.label} is {what}, which would be lost", "a baseline file of its own")
        names.add((path, suite.name))
        yield from _refusals(result)


def _refusals(result: SuiteResult) -> Iterator[Problem]:
    """Yield why the evidence of a result cannot be kept, if it cannot."""
    suite = result.suite
    failures = [problem for problem in result.all_problems() if problem.code == "task.failed"]
    yield from failures[:1]  # that of other documents is mostly the same
    if not failures and (result.failed_cases or result.evidence is None):
        broken = plural(len(result.failed_cases), "document")
        message = f"{broken} with errors: a baseline holds valid results only (`nlpeval run` tells them)"
        if suite.judged_by_test and not result.failed_cases:
            message = (
                "a test gives the system's output (`judged_by: test`); `pytest --nlpeval --nlpeval-update-baseline` accepts it"
            )
        yield Problem("baseline.refused", "error", suite.label, suite.line or None, None, suite.name, message)


def _partial(suite: Suite, file: File) -> Problem:
    message = f"{file.label} would have the suites {suite.selection} alone, and others would be new against it; run all suites"
    return Problem("baseline.refused", "error", suite.label, suite.line or None, None, suite.name, message)


def _twice(suite: Suite, file: File) -> Problem:
    return _shared(
        suite, f"{file.label} has one place for {suite.name}, and the run two results of that name", "a name of its own"
    )


def _file_of(result: SuiteResult) -> File:
    """Return the baseline file of a result whose suite has one."""
    baseline = result.suite.baseline
    if baseline is None or baseline.file is None:
        raise ValueError(f"{result.suite.name} has no baseline file")
    return baseline.file


def _shared(suite: Suite, what: str, cure: str = "a file of its own") -> Problem:
    message = f"{what}; give each {cure}"
    return Problem("baseline.shared", "error", suite.label, suite.line or None, None, suite.name, message)


def _other_owner(file: File, suite: Suite) -> str | None:
    """Return the configuration whose baseline file there is at this place, if that is another one than the suite's, and still there."""
    try:
        named = read_stored(file)[0].configuration
    except NlpevalError:
        return None
    path = Path(file.path).absolute().parent / named
    own = suite.config or suite.root / suite.owner
    return label(path, suite.root) if named and path.is_file() and not (own.exists() and path.samefile(own)) else None


def _update(file: File, results: Mapping[str, SuiteResult]) -> Update:
    """Return the file as it is to be: as it is, commit and day included, where its results are what they were."""
    before: dict[str, Run] = {}
    origin = Origin()
    with suppress(NlpevalError):  # what cannot be read, or is not there yet, is replaced
        origin, before = read_stored(file)
    after = {name: _run_to_keep(result) for name, result in results.items()}
    suite = next(iter(results.values())).suite
    is_part = suite.config is None or bool(
        suite.selection
    )  # nobody knows which other tests there are; or other suites were not chosen
    if is_part:
        after = before | after
    lines = [
        f"{name}: {line}"
        for name in sorted(results if is_part else {*before, *after})
        for line in _changes(before.get(name), after.get(name), results.get(name))
    ]
    if not before or baseline_text(before) != baseline_text(after):
        origin = origin_now(Path(file.path), suite.config or suite.root / suite.owner)
    return Update(Path(file.path), file.label, baseline_text(after, origin), tuple(lines))


def _run_to_keep(result: SuiteResult) -> Run:
    wrong = {case.name: case.explanations for case in result.cases if case.explanations is not None}
    suite = result.suite
    return Run(
        suite.name,
        evidence=result.evidence,
        wrong=wrong,
        circumstances=circumstances_of(suite),
        items={case.name: items for case in suite.cases if (items := items_to_keep(suite.recipe, case))},
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
    yield from difference(replace(before, items={}), result.suite).facts
    old, new = set(before.evidence.documents), set(after.evidence.documents)
    yield from (
        f"{plural(len(names), 'document')} {word}" for word, names in (("added", new - old), ("dropped", old - new)) if names
    )
    if misfit(result.suite, before.evidence):
        yield "is replaced: its counts are not those of this task and these options"
        return
    sample = Sample(before.evidence)
    changed = [
        f"{measure.name} {_apart(stored.value, today.value)} → {_apart(today.value, stored.value)}"
        for measure in result.suite.measures_of(before.evidence)
        if (today := result.scores.get(measure.name)) is not None and (stored := measure.score(sample)).value != today.value
    ]
    yield from changed[:MOST_SCORES]
    if len(changed) > MOST_SCORES:
        yield f"{len(changed) - MOST_SCORES:,} more scores change"
    if not changed:
        texts = {suite_text(completed(replace(run, items={}), result.suite.recipe)) for run in (before, after)}
        is_kept = before.items == after.items
        yield "no score changes, single units do" if len(texts) > 1 else "unchanged" if is_kept else "what items ask is kept anew"


def _apart(value: float | None, other: float | None) -> str:
    """Return a value with as many decimals as tell it from another one."""
    return figure(value, [] if other is None else [other])


class ShownBaseline(NamedTuple):
    """What a baseline says of a suite: in a line, why it is not comparable now, values of measures, how many others, and all measures."""

    said: str
    differences: Sequence[str] = ()
    values: Sequence[tuple[str, float | None]] = ()
    left_out: int = 0
    measures: Sequence[Measure] = ()


def shown_baseline(suite: Suite, wanted: Sequence[str]) -> ShownBaseline:
    """Return what the baseline of a suite says: of a file, the `wanted` measures, or else those with gates or leading ones.

    Raises:
        NlpevalError: if its file cannot be read.
    """
    baseline = suite.baseline
    if baseline is None or baseline.file is None:
        return ShownBaseline(f"{suite.name}: {baseline.text if baseline else 'no baseline'}")
    stored = read_baseline(baseline.file, baseline.root).get(suite.name)
    if stored is None or stored.evidence is None:
        return ShownBaseline(f"{suite.name}: not in {baseline.file.label}")
    evidence, sample = stored.evidence, Sample(stored.evidence)
    facts, reason = difference(stored, suite).facts, misfit(suite, stored.evidence)
    if reason and not facts:
        raise NlpevalError((Problem("baseline.invalid", "error", baseline.file.label, None, None, suite.name, reason),))
    counts = f"{plural(len(evidence.documents), 'document')}, {plural(len(evidence.units), 'unit')}"
    measures = () if reason else suite.measures_of(evidence)
    values = [(measure.name, measure.score(sample).value) for measure in chosen_measures(suite, measures, wanted)]
    left_out = 0 if wanted else len(measures) - len(values)
    said = f"{suite.name}: {counts} in {baseline.file.label}"
    return ShownBaseline(said, facts, values, left_out, measures)
