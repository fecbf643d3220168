"""How far units fell against a baseline: what changes are sorted by, if the task says in which measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isnan

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.run.guarding import Units
from pytest_nlpeval.run.item_changes import Change
from pytest_nlpeval.task import Task


def fall_of(task: Task, measures: Sequence[Measure], before: Evidence, now: Evidence) -> Callable[[Change], float] | None:
    """Return a function that says by how much worse the unit of a change is; None for a task that sorts nothing by that.

    It is the unit's own value in the first of the task's `falls` that the explanation bears on. A unit that has no value now is worse
    than any that has one; one without such a measure, or without value at both times, did not fall.
    """
    falling = [measure for measure in measures if measure.name.rpartition(".")[2] in task.falls]
    if not falling:
        return None
    sides = [Units(evidence, falling) for evidence in (before, now)]

    def fall(change: Change) -> float:
        measure = next((measure for measure in falling if change.explanation.bears_on(measure.name)), None)
        rows = [side.rows.get(f"{change.case}/{change.explanation.unit}", ()) for side in sides]
        if measure is None or not all(rows):
            return 0.0
        earlier, later = (float(side.own(measure)[own[0]]) for side, own in zip(sides, rows, strict=True))
        if isnan(earlier) or isnan(later):
            return inf * (isnan(later) - isnan(earlier)) if isnan(later) != isnan(earlier) else 0.0
        return earlier - later if measure.better == "higher" else later - earlier

    return fall
