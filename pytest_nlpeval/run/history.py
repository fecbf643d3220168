"""The scores of a suite over the commits that changed its system's files, against today's gold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from pytest_nlpeval.baselines.earlier import Earlier, Fingerprint, fingerprint, places_of, repository_of
from pytest_nlpeval.baselines.git import Commit, GitError, Repository
from pytest_nlpeval.conditions import DEFAULT_ALPHA
from pytest_nlpeval.config.suite import Baseline, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.holm import holm
from pytest_nlpeval.metrics.pairing import By, pair, resampled_by
from pytest_nlpeval.metrics.resampling import Interval, Significance, randomise
from pytest_nlpeval.run.against_baseline import known
from pytest_nlpeval.run.measure_choice import chosen_measures, measures_of
from pytest_nlpeval.run.past import Then, past_of, scored_then
from pytest_nlpeval.run.side_by_side import Engine, evaluated_by, scored
from pytest_nlpeval.runs import Run


@dataclass(frozen=True, slots=True)
class Fall:
    """By how much a score is worse than that of the point before, and the one-sided p-value of that, adjusted for the number of points."""

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
    """A commit that changed the system's files, and what became of the suite with it; without readings where there is a reason."""

    commit: Commit
    past: Run
    readings: Mapping[str, Reading]

    @property
    def documents(self) -> int:
        """How many documents could be scored."""
        return len(self.past.evidence.documents) if self.past.evidence else 0


@dataclass(frozen=True, slots=True)
class History:
    """The points of a suite, the oldest first. `cut` is the commit at which a shallow clone's history ends, "" if it does not."""

    suite: Suite
    points: tuple[Point, ...]
    measures: tuple[Measure, ...] = ()
    resampled: By = "units"
    cut: str = ""


class _State(NamedTuple):
    """A commit, and the files that the system had with it; or the reason why that is not known."""

    commit: Commit
    files: Fingerprint | None
    reason: str = ""


def history_of(suite: Suite, engine: Engine, wanted: Sequence[str] = (), *, last: int, since: str = "") -> History:
    """Return the scores of a suite over the last commits on the first parent's line that changed its system's files.

    With `since`, the first point is the state at that commit. No document is evaluated twice with the same files.

    Raises:
        GitError: if there is no repository, no commit, or not the one of `since`; with what to do.
    """
    repository = repository_of(suite)
    commits = _commits(suite, repository, since)
    states = list(_changes(suite, repository, commits, last))[::-1]
    cut = states[0].commit.name if states and repository.is_cut_at(states[0].commit.name) else ""
    pasts = _evaluated(suite, states, engine)
    tables = [past.evidence for past in pasts if past.evidence is not None]
    if not tables:
        return History(suite, tuple(map(_point_without, states, pasts)), cut=cut)
    measures = chosen_measures(suite, measures_of(suite, tables), wanted)
    by = resampled_by(tables[-1], suite.statistics.resample)
    readings = _readings(suite, pasts, measures, by)
    points = (Point(state.commit, past, found) for state, past, found in zip(states, pasts, readings, strict=True))
    return History(suite, tuple(points), tuple(measures), by, cut)


def _point_without(state: _State, past: Run) -> Point:
    return Point(state.commit, past, {})


def _commits(suite: Suite, repository: Repository, since: str) -> list[Commit]:
    """Return the commits that may have changed the suite, the newest first, and that of `since` at the end."""
    base = repository.commit(since) if since else ""
    found = repository.commits(places_of(suite, repository), since=base)
    return [*found, *(repository.commits(head=base, last=1) if base else ())]


def _changes(suite: Suite, repository: Repository, commits: Iterable[Commit], last: int) -> Iterator[_State]:
    """Yield the last states of the system's files, the newest first, each with the commit that brought it."""
    found, number = None, 0
    for commit in commits:
        state = _state(suite, repository, commit)
        if found and (state.files, state.reason) != (found.files, found.reason):
            yield from [found] if _has_suite(found) else []
            number += _has_suite(found)
            if number == last:
                return
        found = state
    if found and _has_suite(found):
        yield found


def _state(suite: Suite, repository: Repository, commit: Commit) -> _State:
    try:
        return _State(commit, fingerprint(suite, repository, commit.name))
    except GitError as error:
        return _State(commit, None, str(error))


def _has_suite(state: _State) -> bool:
    return state.files is not None or bool(state.reason)


def _evaluated(suite: Suite, states: Iterable[_State], engine: Engine) -> list[Run]:
    """Return what the system said in each state; a document whose files were seen in an earlier state is not evaluated again."""
    seen: dict[Fingerprint, Evidence | None] = {}
    return [_past(suite, state, seen, engine) for state in states]


def _past(suite: Suite, state: _State, seen: dict[Fingerprint, Evidence | None], engine: Engine) -> Run:
    name = state.commit.name
    source = f"git:{name}"
    if state.files is None:
        return Run(source, name, reason=state.reason)
    documents = _by_document(state.files)
    if unseen := {document for document, files in documents.items() if files not in seen}:
        part = replace(suite, cases=tuple(case for case in suite.cases if case.name in unseen))
        past = past_of(part, Baseline(source, name), evaluated_by(engine))
        if past.evidence is None and not past.broken:
            return past  # a file that git does not have itself, say
        parts = {piece.documents[0]: piece for piece in past.evidence.split()} if past.evidence else {}
        seen |= {documents[document]: parts.get(document) for document in unseen}
    found = {document: seen[files] for document, files in documents.items()}
    counted = [evidence for evidence in found.values() if evidence is not None]
    broken = tuple(sorted(document for document, evidence in found.items() if evidence is None))
    added = tuple(sorted({case.name for case in suite.cases} - found.keys()))
    return scored_then(
        source, Earlier(name, suite, added=added), Then(Evidence.merge(counted) if counted else None, broken, None)
    )


def _by_document(files: Fingerprint) -> dict[str, Fingerprint]:
    found: defaultdict[str, set[tuple[str, str, str, str]]] = defaultdict(set)
    for file in files:
        found[file[0]].add(file)
    return {document: frozenset(own) for document, own in found.items()}


def _readings(suite: Suite, pasts: Sequence[Run], measures: Sequence[Measure], by: By) -> list[dict[str, Reading]]:
    """Return the readings of each point."""
    falls = _falls(suite, pasts, measures, by)
    tables = {id(past.evidence): past.evidence for past in pasts if past.evidence is not None}
    scores = {key: scored(table, measures, suite.statistics, by) for key, table in tables.items()}
    return [
        {
            name: Reading(score, interval, falls.get((rank, name)))
            for name, (score, interval) in scores.get(id(past.evidence), {}).items()
        }
        for rank, past in enumerate(pasts)
    ]


def _falls(suite: Suite, pasts: Sequence[Run], measures: Sequence[Measure], by: By) -> dict[tuple[int, str], Fall]:
    """Return by rank of the point and measure how it compares with the last point before that could be scored."""
    draws = Draws(suite.statistics.resamples, suite.statistics.seed)
    tests: dict[int, dict[str, Significance]] = {}
    scorable = [(rank, past.evidence) for rank, past in enumerate(pasts) if past.evidence is not None]
    for (_, before), (rank, now) in pairwise(scorable):
        tests[rank] = randomise(pair(now, before, by), measures, draws)
    falls = {}
    for measure in measures:
        own = {rank: found[measure.name] for rank, found in tests.items()}
        adjusted = holm([test.p for test in own.values()])
        for (rank, test), p in zip(own.items(), adjusted, strict=True):
            if known(test.p) is not None:
                falls[rank, measure.name] = Fall(test.drop, test.p, p)
    return falls
