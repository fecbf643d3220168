"""Scores commits for a history: the states of a system's files, each evaluated and compared with the one before."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from pytest_nlpeval.baselines.git import Commit, GitError, Repository
from pytest_nlpeval.baselines.git_revision import FilesAt, Fingerprint, files_at, run_with
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.metrics.holm import holm
from pytest_nlpeval.metrics.partners import GoldChange
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.run.conclusion import at_suite
from pytest_nlpeval.run.gold_changes import gold_problems, unless_incomparable
from pytest_nlpeval.run.history import Fall, History, Point, Reading
from pytest_nlpeval.run.measure_choice import chosen_measures, measures_of
from pytest_nlpeval.run.remembered_chance import RememberedChance
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Evaluate, Run


class State(NamedTuple):
    """A commit, the system's files at that commit, and their fingerprint; or the reason why they are not known."""

    commit: Commit
    files: FilesAt | None = None
    fingerprint: Fingerprint | None = None
    reason: str = ""


def scored(
    suite: Suite, states: Iterable[State], evaluate: Evaluate, store: EvidenceStore | None, wanted: Sequence[str]
) -> History:
    """Return the history of these states, the newest of which comes first; the store keeps intervals and tests: commits do not change."""
    evaluated = _evaluated(suite, states, evaluate)[::-1]
    runs = [run for _, run in evaluated]
    tables = [run.evidence for run in runs if run.evidence is not None]
    if not tables:
        return History(suite, tuple(Point(commit, run, {}) for commit, run in evaluated))
    try:
        measures = chosen_measures(suite, measures_of(suite, tables), wanted)
        chance = RememberedChance(Chance.of(tables[-1], suite.statistics), suite.recipe, store)
        readings = _readings(runs, measures, chance)
    except TaskError as error:
        failure = at_suite(suite, error)
        unscored = ((commit, replace(run, evidence=None, reason=run.reason or failure.message)) for commit, run in evaluated)
        return History(suite, tuple(Point(commit, run, {}) for commit, run in unscored), failure=failure)
    points = tuple(
        Point(commit, replace(run, evidence=None), own, len(run.evidence.documents) if run.evidence else 0)
        for (commit, run), own in zip(evaluated, readings, strict=True)
    )
    columns = tuple(dict.fromkeys(name for table in tables for name in table.columns))
    return History(suite, points, tuple(measures), chance.chance.by, columns=columns)


def states_of(suite: Suite, repository: Repository, commits: Iterable[Commit], last: int) -> Iterator[State]:
    """Yield the last states of the system's files, the newest first, each with the commit that brought it."""
    newer, number = None, 0
    for commit in commits:
        state = _state(suite, repository, commit)
        if newer and (state.fingerprint, state.reason) != (newer.fingerprint, newer.reason):
            yield from [newer] if _has_suite(newer) else []
            number += _has_suite(newer)
            if number == last:
                return
        newer = state
    if newer and _has_suite(newer):
        yield newer


def _state(suite: Suite, repository: Repository, commit: Commit) -> State:
    try:
        files = files_at(suite, repository, commit.name)
        return State(commit, files, files.fingerprint(suite.cases)) if files else State(commit)
    except GitError as error:
        return State(commit, reason=str(error))


def _has_suite(state: State) -> bool:
    return state.files is not None or bool(state.reason)


class _Document(NamedTuple):
    """What the system said of a document, None if its files have errors, how its gold of then differs from today's, and what failed."""

    evidence: Evidence | None
    change: GoldChange | None
    failures: tuple[Problem, ...]


def _evaluated(suite: Suite, states: Iterable[State], evaluate: Evaluate) -> list[tuple[Commit, Run]]:
    """Return the commit of each state with its run; a document with the same files as in an earlier state is not evaluated again.

    A state is evaluated as soon as it comes, and dropped: what git lists of a commit may be large, and is not listed twice.
    """
    seen: dict[Fingerprint, _Document] = {}
    return [(state.commit, _run_of(suite, state, seen, evaluate)) for state in states]


def _run_of(suite: Suite, state: State, seen: dict[Fingerprint, _Document], evaluate: Evaluate) -> Run:
    """Return the run of a state; `seen` maps a document's files to what is known of it, and gets the documents not seen before."""
    commit = state.commit.name
    source = f"git:{commit}"
    if state.files is None or state.fingerprint is None:
        return Run(source, commit, reason=state.reason)
    documents = _by_document(state.fingerprint)
    if unseen := {document for document, files in documents.items() if files not in seen}:
        part = replace(suite, cases=tuple(case for case in suite.cases if case.name in unseen))
        try:
            run = run_with(part, state.files, evaluate, source)
        except GitError as error:
            return Run(source, reason=f"{source}: {error}")
        if run.evidence is None and not (run.broken or run.gold_changes):
            return run
        tables = {table.documents[0]: table for table in run.evidence.split()} if run.evidence else {}
        nothing = Evidence.merge([])  # of a document whose gold asks other things by now: it has no errors
        left_out = dict.fromkeys(run.gold_changes, nothing)
        seen |= {
            documents[name]: _Document(
                tables.get(name, left_out.get(name)), run.gold_changes.get(name), run.failures.get(name, ())
            )
            for name in unseen
        }
    of_state = {name: seen[files] for name, files in documents.items()}
    counted = [document.evidence for document in of_state.values() if document.evidence and document.evidence.documents]
    run = Run(
        source,
        commit,
        Evidence.merge(counted) if counted else None,
        added=tuple(sorted({case.name for case in suite.cases} - of_state.keys())),
        broken=tuple(sorted(name for name, document in of_state.items() if document.evidence is None)),
        failures={name: document.failures for name, document in of_state.items() if document.failures},
        gold_changes={name: document.change for name, document in of_state.items() if document.change},
    )
    return unless_incomparable(replace(run, reason=run.why_none), gold_problems(suite, run))


def _by_document(files: Fingerprint) -> dict[str, Fingerprint]:
    by_document: defaultdict[str, set[tuple[str, str, str, str]]] = defaultdict(set)
    for file in files:
        by_document[file[0]].add(file)
    return {document: frozenset(own) for document, own in by_document.items()}


def _readings(runs: Sequence[Run], measures: Sequence[Measure], chance: RememberedChance) -> list[dict[str, Reading]]:
    """Return the readings of each point; points of the same evidence are scored once."""
    falls = _falls(runs, measures, chance)
    tables = {id(run.evidence): run.evidence for run in runs if run.evidence is not None}
    scores = {key: chance.scored(table, measures) for key, table in tables.items()}
    return [
        {
            name: Reading(score, interval, falls.get((point, name)))
            for name, (score, interval) in scores.get(id(run.evidence), {}).items()
        }
        for point, run in enumerate(runs)
    ]


def _falls(runs: Sequence[Run], measures: Sequence[Measure], chance: RememberedChance) -> dict[tuple[int, str], Fall]:
    """Return, by number of the point and measure, how the point compares with the last earlier point that could be scored."""
    scorable = [(point, run.evidence) for point, run in enumerate(runs) if run.evidence is not None]
    tests = {point: chance.tests(now, before, measures) for (_, before), (point, now) in pairwise(scorable)}
    falls = {}
    for measure in measures:
        own = {point: by_measure[measure.name] for point, by_measure in tests.items()}
        for (point, test), p_adjusted in zip(own.items(), holm([test.p for test in own.values()]), strict=True):
            if not math.isnan(test.p):
                falls[point, measure.name] = Fall(test.drop, test.p, p_adjusted, test.resamples)
    return falls
