"""The report of `nlpeval compare` as JSON (schemas/comparison.schema.json)."""

from __future__ import annotations

from typing import Any

from pytest_nlpeval.reports import TOOL
from pytest_nlpeval.reports.json_forms import encoded_fields
from pytest_nlpeval.reports.uncertainty import interval_json, statistics_json
from pytest_nlpeval.run.gold_changes import gold_sentence
from pytest_nlpeval.run.side_by_side import Difference, Placing, Row, SideBySide
from pytest_nlpeval.runs import Run


def comparison_json(comparison: SideBySide) -> dict[str, Any]:
    """Return the JSON document."""
    suite = comparison.suite
    names = [output.source for output in comparison.outputs]
    return {
        "version": 1,
        "tool": TOOL,
        "suite": suite.name,
        "task": suite.recipe.task.name,
        "statistics": statistics_json(suite.statistics, comparison.resampled, comparison.alpha),
        "systems": [_system(output) for output in comparison.outputs],
        "measures": [_measure(row, names) for row in comparison.rows],
        "pairs": [encoded_fields(pairing) for pairing in comparison.pairings],
    }


def _system(output: Run) -> dict[str, Any]:
    evidence = output.evidence
    facts = {
        "name": output.source,
        "commit": output.commit,
        "documents": len(evidence.documents) if evidence else 0,
        "units": len(evidence.units) if evidence else 0,
        "missing": list(output.added),
        "broken": list(output.broken),
        "vanished": list(output.vanished),
        "gold_changed": gold_sentence(output),
    }
    return {name: fact for name, fact in facts.items() if fact not in ("", [])}


def _measure(row: Row, names: list[str]) -> dict[str, Any]:
    return {
        "measure": row.measure.name,
        "group": row.measure.group,
        "better": row.measure.better,
        "scores": [_score(name, placing) for name, placing in zip(names, row.entries, strict=True)],
        "differences": [_difference(difference) for difference in row.differences],
    }


def _score(name: str, placing: Placing) -> dict[str, Any]:
    best = {"best": True} if placing.is_best else {}
    return {"system": name, **placing.score.to_json(), **interval_json(placing.interval), **best, "groups": list(placing.groups)}


def _difference(difference: Difference) -> dict[str, Any]:
    facts = {"difference": difference.difference, "p": difference.p, "p_adjusted": difference.p_adjusted}
    facts |= {"p_resamples": difference.p_resamples, **interval_json(difference.interval)}
    numbers = {name: fact for name, fact in facts.items() if fact is not None}
    return {"first": difference.first, "second": difference.second, "difference": None, **numbers}
