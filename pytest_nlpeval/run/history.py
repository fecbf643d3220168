"""The scores of a suite over the commits that changed its system's files."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pytest_nlpeval.baselines.git import Commit
from pytest_nlpeval.conditions import DEFAULT_ALPHA
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.numbers import TOLERANCE
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.runs import Run

if TYPE_CHECKING:  # what needs NumPy, which a history that is remembered does not
    from pytest_nlpeval.metrics.pairing import By


@light_dataclass(frozen=True, slots=True)
class Fall:
    """How much worse a score is than at the point before, with the one-sided p-value; `p_adjusted` is adjusted for the number of points.

    `p_resamples` is how many resamples the test is of, where these are fewer than the statistics say.
    """

    drop: float
    p: float
    p_adjusted: float
    p_resamples: int | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the score fell more than chance explains."""
        return self.drop > 0 and self.p_adjusted <= DEFAULT_ALPHA


@light_dataclass(frozen=True, slots=True)
class Reading:
    """A measure at a point: the score, its interval, and how it compares with the point before, if both have a value."""

    score: Score
    interval: Interval | None
    fall: Fall | None

    @property
    def fell(self) -> bool:
        """Whether the score is significantly worse than that of the point before."""
        return self.fall is not None and self.fall.is_significant


@light_dataclass(frozen=True, slots=True)
class Point:
    """A commit that changed the system's files, and the suite's run with these, without its evidence.

    `documents` is how many could be scored; there are no readings if none could.
    """

    commit: Commit
    run: Run
    readings: Mapping[str, Reading]
    documents: int = 0


@light_dataclass(frozen=True, slots=True)
class History:
    """The points of a suite, the oldest first.

    `columns` are those of the evidence that was scored. `failure` is that of the task in scoring it, if any. `cut` is the commit at which
    a shallow clone's history ends, "" if it does not.
    """

    suite: Suite
    points: tuple[Point, ...]
    measures: tuple[Measure, ...] = ()
    resampled: By = "units"
    cut: str = ""
    columns: tuple[str, ...] = ()
    failure: Problem | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The failures of the task, each once: in files of commits, and in scoring."""
        of_files = dict.fromkeys(problem for point in self.points for problem in point.run.problems)
        return (*of_files, *([self.failure] if self.failure else []))


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
