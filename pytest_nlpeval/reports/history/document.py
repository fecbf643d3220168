"""The report of `nlpeval history` as JSON (schemas/history.schema.json)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pytest_nlpeval.conditions import DEFAULT_ALPHA
from pytest_nlpeval.reports import TOOL
from pytest_nlpeval.reports.uncertainty import interval_json, statistics_json
from pytest_nlpeval.run.gold_changes import gold_sentence
from pytest_nlpeval.run.history import History, Point, Reading


def history_json(histories: Iterable[History]) -> dict[str, Any]:
    """Return the JSON document."""
    return {"version": 1, "tool": TOOL, "suites": [_suite(history) for history in histories]}


def _suite(history: History) -> dict[str, Any]:
    suite = history.suite
    return {
        "name": suite.name,
        "config": suite.label,
        "task": suite.recipe.task.name,
        "statistics": statistics_json(suite.statistics, history.resampled, DEFAULT_ALPHA),
        **({"cut": history.cut} if history.cut else {}),
        **({"problems": [problem.to_json() for problem in history.problems]} if history.problems else {}),
        "measures": [{"measure": measure.name, "group": measure.group, "better": measure.better} for measure in history.measures],
        "points": [_point(point) for point in history.points],
    }


def _point(point: Point) -> dict[str, Any]:
    run = point.run
    gaps = {"missing": list(run.added), "broken": list(run.broken), "gold_changed": gold_sentence(run), "reason": run.reason}
    return {
        "commit": point.commit.name,
        "day": point.commit.day,
        "subject": point.commit.subject,
        "documents": point.documents,
        **{name: fact for name, fact in gaps.items() if fact},
        "scores": {name: _reading(reading) for name, reading in point.readings.items()},
    }


def _reading(reading: Reading) -> dict[str, Any]:
    fall = reading.fall
    facts = {"drop": fall.drop, "p": fall.p, "p_adjusted": fall.p_adjusted, "fell": fall.is_significant} if fall else {}
    facts |= {"p_resamples": fall.p_resamples} if fall and fall.p_resamples else {}
    return {**reading.score.to_json(), **interval_json(reading.interval), **facts}
