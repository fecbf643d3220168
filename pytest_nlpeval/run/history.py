"""The scores of a suite over the commits that changed its system's files, against today's gold."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from pytest_nlpeval.baselines.git import Commit, GitError, Repository
from pytest_nlpeval.baselines.git_revision import FilesAt, Fingerprint, files_at, places_of, repository_of, run_with
from pytest_nlpeval.conditions import DEFAULT_ALPHA
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.metrics.holm import holm
from pytest_nlpeval.metrics.pairing import By
from pytest_nlpeval.metrics.partners import GoldChange
from pytest_nlpeval.metrics.resampling import Interval
from pytest_nlpeval.numbers import TOLERANCE
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.gold_changes import gold_problems, unless_incomparable
from pytest_nlpeval.run.measure_choice import chosen_measures, measures_of
from pytest_nlpeval.run.remembered_chance import RememberedChance
from pytest_nlpeval.runs import Run


@dataclass(frozen=True, slots=True)
class Fall:
    """How much worse a score is than at the point before, with the one-sided p-value; `p_adjusted` is adjusted for the number of points."""

    drop: float
    p: float
    p_adjusted: float

    @property
    def is_significant(self) -> bool:
        """Whether the score fell more than chance explains."""
        return self.drop > 0 and self.p_adjusted <= DEFAULT_ALPHA


@dataclass(frozen=True, slots=True)
class Reading:
    """A measure at a point: the score, its interval, and how it compares with the point before, if both have a value."""

    score: Score
    interval: Interval | None
    fall: Fall | None

    @property
    def fell(self) -> bool:
        """Whether the score is significantly worse than that of the point before."""
        return self.fall is not None and self.fall.is_significant


@dataclass(frozen=True, slots=True)
class Point:
    """A commit that changed the system's files, and the suite's run with these; no readings if the run has no evidence."""

    commit: Commit
    run: Run
    readings: Mapping[str, Reading]

    @property
    def documents(self) -> int:
        """How many documents could be scored."""
        return len(self.run.evidence.documents) if self.run.evidence else 0


@dataclass(frozen=True, slots=True)
class History:
    """The points of a suite, the oldest first. `cut` is the commit at which a shallow clone's history ends, "" if it does not."""

    suite: Suite
    points: tuple[Point, ...]
    measures: tuple[Measure, ...] = ()
    resampled: By = "units"
    cut: str = ""


class _State(NamedTuple):
    """A commit, the system's files at that commit, and their fingerprint; or the reason why they are not known."""

    commit: Commit
    files: FilesAt | None = None
    fingerprint: Fingerprint | None = None
    reason: str = ""


def history_of(suite: Suite, engine: Engine, wanted: Sequence[str] = (), *, last: int, since: str = "") -> History:
    """Return the scores of a suite over the last commits on the first parent's line that changed its system's files.

    With `since`, the first point is the state at that commit. No document is evaluated twice with the same files. The engine's store keeps
    intervals and tests: commits do not change.

    Raises:
        GitError: if there is no repository, no commit, or not the one of `since`; with what to do.
    """
    repository = repository_of(suite)
    commits = _commits(suite, repository, since)
    evaluated = _evaluated(suite, _changes(suite, repository, commits, last), engine)[::-1]
    cut = evaluated[0][0].name if evaluated and repository.is_cut_at(evaluated[0][0].name) else ""
    runs = [run for _, run in evaluated]
    tables = [run.evidence for run in runs if run.evidence is not None]
    measures = chosen_measures(suite, measures_of(suite, tables), wanted) if tables else []
    chance = RememberedChance(Chance.of(tables[-1], suite.statistics), suite.recipe, engine.store) if tables else None
    readings = _readings(runs, measures, chance) if chance else [{}] * len(runs)
    points = (Point(commit, run, own) for (commit, run), own in zip(evaluated, readings, strict=True))
    return History(suite, tuple(points), tuple(measures), chance.chance.by if chance else "units", cut)


class Step(NamedTuple):
    """A commit at which a measure fell, with its values before it and at it; the commit is None for files that are not committed."""

    commit: Commit | None
    before: float
    value: float


def last_step(history: History, measure: str, today: float | None) -> Step | None:
    """Return where a measure fell last: in files that are not committed, at the last significant fall, or else at the last fall at all.

    `today` is the value of the files as they are. None if the measure never fell.
    """
    (direction,) = [-1.0 if each.better == "lower" else 1.0 for each in history.measures if each.name == measure] or [1.0]
    scored = [
        (point, point.readings[measure])
        for point in history.points
        if measure in point.readings and point.readings[measure].score.value is not None
    ]
    if scored and today is not None and direction * ((last := scored[-1][1].score.value or 0.0) - today) > TOLERANCE:
        return Step(None, last, today)
    steps = [
        (now.fell, Step(point.commit, before.score.value or 0.0, now.score.value or 0.0))
        for (_, before), (point, now) in pairwise(scored)
        if direction * ((before.score.value or 0.0) - (now.score.value or 0.0)) > TOLERANCE
    ]
    chosen = [step for fell, step in steps if fell] or [step for _, step in steps]
    return chosen[-1] if chosen else None


def _commits(suite: Suite, repository: Repository, since: str) -> list[Commit]:
    """Return the commits that may have changed the suite, the newest first, and that of `since` at the end."""
    base = repository.commit(since) if since else ""
    changed = repository.commits(places_of(suite, repository), since=base)
    return [*changed, *(repository.commits(head=base, last=1) if base else ())]


def _changes(suite: Suite, repository: Repository, commits: Iterable[Commit], last: int) -> Iterator[_State]:
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


def _state(suite: Suite, repository: Repository, commit: Commit) -> _State:
    try:
        files = files_at(suite, repository, commit.name)
        return _State(commit, files, files.fingerprint(suite.cases)) if files else _State(commit)
    except GitError as error:
        return _State(commit, reason=str(error))


def _has_suite(state: _State) -> bool:
    return state.files is not None or bool(state.reason)


class _Document(NamedTuple):
    """What the system said of a document, None if its files have errors, and how its gold of then differs from today's."""

    evidence: Evidence | None
    change: GoldChange | None


def _evaluated(suite: Suite, states: Iterable[_State], engine: Engine) -> list[tuple[Commit, Run]]:
    """Return the commit of each state with its run; a document with the same files as in an earlier state is not evaluated again.

    A state is evaluated as soon as it comes, and dropped: what git lists of a commit may be large, and is not listed twice.
    """
    seen: dict[Fingerprint, _Document] = {}
    return [(state.commit, _run_of(suite, state, seen, engine)) for state in states]


def _run_of(suite: Suite, state: _State, seen: dict[Fingerprint, _Document], engine: Engine) -> Run:
    """Return the run of a state; `seen` maps a document's files to what is known of it, and gets the documents not seen before."""
    commit = state.commit.name
    source = f"git:{commit}"
    if state.files is None or state.fingerprint is None:
        return Run(source, commit, reason=state.reason)
    documents = _by_document(state.fingerprint)
    if unseen := {document for document, files in documents.items() if files not in seen}:
        part = replace(suite, cases=tuple(case for case in suite.cases if case.name in unseen))
        try:
            run = run_with(part, state.files, engine.run, source)
        except GitError as error:
            return Run(source, reason=f"{source}: {error}")
        if run.evidence is None and not (run.broken or run.gold_changes):
            return run
        tables = {table.documents[0]: table for table in run.evidence.split()} if run.evidence else {}
        nothing = Evidence.merge([])  # of a document whose gold asks other things by now: it has no errors
        left_out = dict.fromkeys(run.gold_changes, nothing)
        seen |= {documents[name]: _Document(tables.get(name, left_out.get(name)), run.gold_changes.get(name)) for name in unseen}
    of_state = {name: seen[files] for name, files in documents.items()}
    counted = [document.evidence for document in of_state.values() if document.evidence and document.evidence.documents]
    run = Run(
        source,
        commit,
        Evidence.merge(counted) if counted else None,
        added=tuple(sorted({case.name for case in suite.cases} - of_state.keys())),
        broken=tuple(sorted(name for name, document in of_state.items() if document.evidence is None)),
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
                falls[point, measure.name] = Fall(test.drop, test.p, p_adjusted)
    return falls
