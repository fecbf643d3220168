"""Histories that are remembered whole: commits do not change, so while gold and settings do not, either, nothing is worked out again.

A history is found by a digest of all that it depends on: the suite, the bytes of today's gold, the names of the commits, what was asked
for, this program, NumPy, and Python. It is kept only if each commit could be scored in full, and with the very gold of today: what git
does not have, or a task that fails, may be another matter next time. Finding it needs neither NumPy nor the files of the commits.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, field, fields
from hashlib import sha256
from importlib.machinery import PathFinder
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_nlpeval.baselines.git import Commit, GitError, object_name
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.files import FILE_KINDS
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.digest import scoring_settings
from pytest_nlpeval.run.history import Fall, History, Point, Reading
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Run

if TYPE_CHECKING:  # what needs NumPy
    from pytest_nlpeval.run.scored_commits import State


class _Gold(NamedTuple):
    """A file of today's gold side: the digest of its bytes (SHA-256), and the name that git gives them."""

    digest: str
    object_name: str


@light_dataclass(frozen=True, slots=True)
class Memory:
    """The place of a history in a store. `gold` has the files of the suite's gold side by path, `others` what `watched` found besides."""

    suite: Suite = field(compare=False)
    commits: Mapping[str, Commit] = field(compare=False)
    gold: Mapping[str, _Gold] = field(compare=False)
    store: EvidenceStore = field(compare=False)
    key: bytes
    others: list[str] = field(default_factory=list, compare=False)
    """The commits that had no files, or other gold than today's."""

    def recalled(self) -> History | None:
        """Return the history that is kept; None if there is none, or if it cannot be read: another program's, say."""
        try:
            return self._decoded(self.store.get([self.key])[self.key]["history"])
        except (KeyError, TypeError, ValueError, AttributeError):
            return None

    def watched(self, states: Iterable[State]) -> Iterator[State]:
        """Yield states, and note those that had no files, or other gold than today's."""
        for state in states:
            if not self._has_todays_gold(state):
                self.others.append(state.commit.name)
            yield state

    def lasts(self, history: History) -> bool:
        """Whether a history whose states were watched is the same next time: each had today's gold, and could be scored in full."""
        measures = {measure.name for measure in self.suite.measures(history.columns)}
        return (
            bool(history.points)
            and not self.others
            and all(_is_whole(point) for point in history.points)
            and all(measure.name in measures for measure in history.measures)
        )

    def keep(self, history: History) -> None:
        """Keep a history that lasts."""
        self.store.put({self.key: {"history": _encoded(history)}})

    def _has_todays_gold(self, state: State) -> bool:
        """Whether all gold that a commit has for today's documents has the names of today's bytes: git need not be asked for any then."""
        files = state.files
        if files is None:
            return False
        pairs = (
            (path, case.files[role].path)
            for case in self.suite.cases
            for role, path in files.gold.get(case.name, {}).items()
            if role in case.files
        )
        try:
            return all(
                files.tree.blob(then).name == self.gold[now].object_name and PurePosixPath(then).suffix == Path(now).suffix
                for then, now in pairs
            )
        except GitError:
            return False

    def _decoded(self, kept: Mapping[str, Any]) -> History:
        columns = tuple(kept["columns"])
        measures = {measure.name: measure for measure in self.suite.measures(columns)}
        points = [
            Point(
                self.commits[commit],
                Run(f"git:{commit}", commit, added=tuple(added)),
                {name: _reading(*facts) for name, facts in readings.items()},
                documents,
            )
            for commit, added, readings, documents in kept["points"]
        ]
        chosen = tuple(measures[name] for name in kept["measures"])
        return History(self.suite, tuple(points), chosen, kept["resampled"], columns=columns)


def memory_of(
    suite: Suite, commits: Sequence[Commit], wanted: Sequence[str], last: int, store: EvidenceStore | None
) -> Memory | None:
    """Return the place of a history over these commits; None if nothing is kept of it.

    That is so without a file that keeps it, and where the digest would not have all that scores depend on: content in memory, groups of
    documents, gold that cannot be read, or code that cannot be found.
    """
    settings, numpy = scoring_settings(suite.recipe), _numpy()
    if store is None or store.folder is None or settings is None or not numpy or suite.groups or not commits:
        return None
    gold = _gold(suite, commits[0].name)
    if gold is None:
        return None
    facts: Mapping[str, Any] = {
        **settings,
        "kind": "history",
        "numpy": numpy,
        "python": sys.version,
        "root": repr(suite.recipe.root),
        "suite": {own.name: repr(getattr(suite, own.name)) for own in fields(suite) if own.name not in ("recipe", "cases")},
        "cases": [(case.name, sorted((role, repr(file)) for role, file in case.files.items())) for case in suite.cases],
        "gold": {path: file.digest for path, file in gold.items()},
        "commits": commits,
        "wanted": list(wanted),
        "last": last,
    }
    key = sha256(json.dumps(facts, sort_keys=True).encode()).digest()
    return Memory(suite, {commit.name: commit for commit in commits}, gold, store, key)


def _gold(suite: Suite, like: str) -> dict[str, _Gold] | None:
    """Return the files of a suite's gold side by path; None if one cannot be read, or is none. `like` is the name of an object of git's."""
    log = ProblemLog("", FILE_KINDS)
    gold: dict[str, _Gold] = {}
    for case in suite.cases:
        for role, file in case.files.items():
            if file.content is not None or case.earlier is not None:
                return None
            if suite.recipe.task.role(role).side == "gold" and file.path not in gold:
                source = file.read(log, root=suite.recipe.root)
                if source is None:
                    return None
                gold[file.path] = _Gold(sha256(source.data).hexdigest(), object_name(source.data, like))
    return gold


def _numpy() -> str:
    """Return a digest of the file that tells NumPy's version, which may draw other random numbers; "" if there is none."""
    found = PathFinder.find_spec("numpy")
    try:
        return sha256(Path(found.origin).with_name("version.py").read_bytes()).hexdigest() if found and found.origin else ""
    except OSError:
        return ""


def _is_whole(point: Point) -> bool:
    return bool(point.documents) and not (point.run.reason or point.run.broken or point.run.gold_changes)


def _encoded(history: History) -> dict[str, Any]:
    return {
        "columns": history.columns,
        "measures": [measure.name for measure in history.measures],
        "resampled": history.resampled,
        "points": [
            (
                point.commit.name,
                point.run.added,
                {name: _facts(reading) for name, reading in point.readings.items()},
                point.documents,
            )
            for point in history.points
        ],
    }


def _facts(reading: Reading) -> tuple[Any, ...]:
    """Return a reading as JSON has it."""
    fall = reading.fall
    return reading.score.value, reading.score.reason, reading.interval, fall and astuple(fall)


def _reading(value: float | None, reason: str, ends: Sequence[Any] | None, fall: Sequence[Any] | None) -> Reading:
    return Reading(Score(value, reason), None if ends is None else Interval._make(ends), None if fall is None else Fall(*fall))
