"""The table of the evaluation: micro and macro averages under both conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.best.measures import AVERAGES, FORMULAS, POOLS, PROVENANCES
from pytest_nlpeval.wording import tabbed


def native(reported: Reported) -> str:
    """Return the tab-separated table: a block for each provenance condition, and in it each attitude's averages, micro before macro."""
    blocks = (tabbed(_block(reported.values, provenance)) for provenance in PROVENANCES)
    return "\n".join([tabbed([["files", reported.documents]]), *blocks])


def _block(scores: Mapping[str, float | None], provenance: str) -> Iterator[Sequence[str | float | None]]:
    yield f"{provenance}-provenance", "average", "precision", "recall", "f-measure"
    for pool in POOLS:
        for average in AVERAGES:
            yield pool, average, *(scores[f"{pool}.{provenance}.{average}.{figure}"] for figure in FORMULAS)
