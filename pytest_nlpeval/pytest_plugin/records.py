"""Records: what the summary at the end of a run needs of an item, or of a suite that a test judged. Plain values: workers send them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.run.results import SuiteResult

JUDGED = "Judged"
"""The kind of the record of a suite that a test judged."""


def record_of(
    kind: str,
    suite: Suite,
    *,
    result: SuiteResult | None = None,
    measures: Collection[str] = (),
    warnings: Iterable[str] = (),
    ran: int = 0,
) -> dict[str, Any]:
    """Return a record: of some gates with the suite's result and their measures, of documents with how many were done.

    `ranks` are the places of measures that fail in the order of the digest, as far as anybody has worked that out.
    """
    return {
        "kind": kind,
        "config": str(suite.config) if suite.config else suite.label,
        "label": suite.label,
        "suite": suite.name,
        "line": suite.line,
        "documents": len(suite.cases),
        "is_gated": any(suite.layers),
        "gates": [verdict.to_json() for verdict in result.verdicts if verdict.measure in measures] if result else [],
        "scores": {name: result.score_json(name) for name in measures if name in result.scores} if result else {},
        "ranks": {},
        "warnings": list(warnings),
        "may_have_notes": bool(suite.recipe.task.notes or suite.only_validates),
        "notes": list(result.notes) if result else None,
        "ran": ran,
    }
