"""What a reader of the scores must know besides them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytest_nlpeval.columns import CLUSTER
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.kit.records import left_out_notes
from pytest_nlpeval.tasks.scores.columns import SAME_RECORDS, SIZE, of_result
from pytest_nlpeval.tasks.scores.options import Options
from pytest_nlpeval.wording import plural

FEW_BEYOND = 5
FEW_CLUSTERS = 20


def remarks(evidence: Evidence, options: Options) -> Iterator[str]:
    """Yield the sentences, without a full stop."""
    if same := int(evidence.column(SAME_RECORDS).sum(dtype=np.int64)):
        where = "" if len(evidence.documents) == 1 else f" in {same:,} of {plural(len(evidence.documents), 'document')}"
        yield f"gold and system are the same records{where}: an item that the run never reached cannot be missed"
    yield from left_out_notes(evidence)
    yield from _left_out_items(evidence, options)
    yield from _few_values(evidence, options)
    yield from _few_clusters(evidence)


def _left_out_items(evidence: Evidence, options: Options) -> Iterator[str]:
    for result in options.results:
        items = len(evidence.units)
        counted = int(np.count_nonzero(evidence.column(of_result(result.name, SIZE))))
        if counted < items:
            yield f"{result.name} is over {counted:,} of {plural(items, 'item')}: the others lack it and are left out"


def _few_values(evidence: Evidence, options: Options) -> Iterator[str]:
    """Yield which percentiles have so few values beyond them that they are nearly the greatest or the least one."""
    few = []
    for result in options.results:
        number = int(evidence.column(of_result(result.name, SIZE)).sum(dtype=np.int64))
        few += [
            f"{result.name}.p{percent} ({beyond} of {number:,})"
            for percent in result.percentiles
            if number and (beyond := values_beyond(number, percent)) < FEW_BEYOND
        ]
    if few:
        yield f"fewer than {FEW_BEYOND} values lie beyond {', '.join(few)}: a percentile at the edge hangs on single values"


def values_beyond(number: int, percent: int) -> int:
    """Return how many of some values lie beyond a percentile, on the side where fewer lie.

    >>> values_beyond(50, 99), values_beyond(50, 1), values_beyond(101, 50)
    (1, 1, 50)
    """
    place, hundredths = divmod((number - 1) * percent, 100)
    return number - 1 - place if percent >= 50 else place + (hundredths > 0)


def _few_clusters(evidence: Evidence) -> Iterator[str]:
    if CLUSTER not in evidence.columns:
        return
    codes = evidence.column(CLUSTER).astype(np.int64)
    width = int(codes.max(initial=-1)) + 1
    number = len(set(np.where(codes < 0, -1 - np.arange(len(codes)), evidence.document_ranks() * width + codes).tolist()))
    if number < FEW_CLUSTERS:
        yield f"there are only {plural(number, 'cluster')}: intervals are too narrow, tests of drops are not"
