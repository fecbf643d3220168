"""Two runs on the same gold as one table: which units of the two correspond, and which differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import CLUSTER
from pytest_nlpeval.evidence import Evidence

By = Literal["documents", "clusters", "units"]
"""What is drawn and swapped: whole documents, the rows of a document that belong together (`columns.CLUSTER`), or single rows."""

ENOUGH_DOCUMENTS = 8


def resampled_by(evidence: Evidence, wanted: Literal["auto", "documents", "units"] = "auto") -> By:
    """Return what is drawn: `auto` means documents where there are at least 8, else clusters where rows have them, else units."""
    if wanted != "auto":
        return wanted
    if len(evidence.documents) >= ENOUGH_DOCUMENTS:
        return "documents"
    return "clusters" if (evidence.column(CLUSTER) >= 0).any() and CLUSTER in evidence.columns else "units"


def ranks_of(evidence: Evidence, by: By) -> NDArray[np.int64]:
    """Return which unit each row belongs to, from 0."""
    if by == "documents":
        return evidence.document_ranks()
    rows = np.arange(len(evidence.units))
    return _cluster_ranks(evidence, rows) if by == "clusters" else rows


def _cluster_ranks(evidence: Evidence, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rank of the cluster of each row; rows of one pair are in that of the first of them, and alone if that has none."""
    codes = evidence.column(CLUSTER).astype(np.int64) if CLUSTER in evidence.columns else np.full(len(pairs), -1)
    clusters = np.where(codes < 0, -1, evidence.document_ranks() * (codes.max(initial=0) + 1) + codes)
    _, first = np.unique(pairs, return_index=True)
    of_pair = np.where(clusters[first] < 0, clusters.max(initial=0) + 1 + np.arange(len(first)), clusters[first])
    _, places, ranks = np.unique(of_pair, return_index=True, return_inverse=True)
    in_order = np.argsort(np.argsort(places))  # clusters are counted in the order of their first pairs
    of_rows: NDArray[np.int64] = in_order[ranks][pairs]
    return of_rows


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The rows of today's run and of the baseline in one table.

    Units are documents, clusters or single rows, as `by` says. `evidence` has the columns and vocabularies of both runs; in each document,
    today's rows come first. For each row, `ranks` gives the rank of its unit, below `size`, and `is_now` tells whether it is today's.
    `present` flags the documents of `evidence` that today's run has, and those that the baseline has. `differs` flags the units whose rows
    are not the same in both runs; a unit of one run alone differs. `paired`, `added` and `removed` count the units of both runs, of
    today's alone and of the baseline alone.
    """

    by: By
    evidence: Evidence
    ranks: NDArray[np.int64]
    is_now: NDArray[np.bool_]
    present: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    differs: NDArray[np.bool_]
    paired: int
    added: int
    removed: int

    @property
    def size(self) -> int:
        """The number of units in either run."""
        return len(self.differs)

    @property
    def differing(self) -> int:
        """The number of units that are not the same in both runs."""
        return int(np.count_nonzero(self.differs))


def pair(now: Evidence, baseline: Evidence, by: By) -> Pairs:
    """Join two runs unit by unit.

    Rows correspond if document and unit name are the same; rows of one name correspond in their order. A unit of one run alone is paired
    with nothing.
    """
    both, is_now = _joined(now, baseline)
    rows, documents = _paired_rows(both, is_now), both.document_ranks()
    differs = _differing(both, rows, is_now)
    present = [
        np.array([name in run for name in both.documents], np.bool_) for run in (set(now.documents), set(baseline.documents))
    ]
    if by == "units":
        ranks = rows
        in_now, in_baseline = (np.bincount(rows[side], minlength=len(differs)) > 0 for side in (is_now, ~is_now))
    else:
        ranks = documents if by == "documents" else _cluster_ranks(both, rows)
        size = len(both.documents) if by == "documents" else int(ranks.max(initial=-1)) + 1
        sides = (np.bincount(ranks[side], minlength=size) > 0 for side in (is_now, ~is_now))
        in_now, in_baseline = present if by == "documents" else sides
        unit_of = np.zeros(len(differs), np.int64)
        unit_of[rows] = ranks
        # A document without rows may be in one run alone, which no row tells.
        differs = (np.bincount(unit_of, differs, size) > 0) | (in_now != in_baseline)
    paired, added, removed = (
        int(np.count_nonzero(units)) for units in (in_now & in_baseline, in_now & ~in_baseline, in_baseline & ~in_now)
    )
    return Pairs(by, both, ranks, is_now, (present[0], present[1]), differs, paired, added, removed)


def _joined(now: Evidence, baseline: Evidence) -> tuple[Evidence, NDArray[np.bool_]]:
    """Join both runs document by document, today's rows first. Also return a mask of today's rows.

    `Evidence.merge` gives both runs the same columns and vocabularies, but has each document once only. So documents are marked while it
    merges: today's `a` is `0a`, the baseline's `1a`.
    """
    runs = [
        replace(run, documents=tuple(map(str.__add__, repeat(mark), run.documents)))
        for mark, run in (("0", now), ("1", baseline))
    ]
    merged = Evidence.merge(runs)
    names = [document[1:] for document in merged.documents]
    marks = np.array([document[0] == "0" for document in merged.documents], np.bool_)
    documents = sorted(set(names))
    rank_of = {name: rank for rank, name in enumerate(documents)}
    of_rows = np.repeat(np.array([rank_of[name] for name in names], np.int64), merged.sizes)
    order = np.argsort(of_rows, kind="stable")  # documents are sorted, and so all that begin with 0, today's, stand before
    sizes = np.bincount(of_rows, minlength=len(documents)).tolist()
    columns = {name: column[order] for name, column in merged.columns.items()}
    units = tuple(merged.units[row] for row in order.tolist())
    return Evidence(tuple(documents), tuple(sizes), units, columns), np.repeat(marks, merged.sizes)[order]


def _paired_rows(both: Evidence, is_now: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the rank of the pair that each row belongs to: corresponding rows have the same key."""
    ranks: dict[Any, int] = {}
    return np.array([ranks.setdefault(key, len(ranks)) for key in _keys(both, is_now)], np.int64)


def _keys(both: Evidence, is_now: NDArray[np.bool_]) -> Iterator[tuple[int, str, int]]:
    """Yield for each row its document, its unit's name, and how many earlier rows of the same run have both."""
    seen: Counter[tuple[int, str, bool]] = Counter()
    for document, unit, side in zip(both.document_ranks().tolist(), both.units, is_now.tolist(), strict=True):
        key = document, unit, side
        yield document, unit, seen[key]
        seen[key] += 1


def _differing(both: Evidence, rows: NDArray[np.int64], is_now: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which pairs of rows differ in a column, or are in one run only."""
    number = int(rows.max(initial=-1)) + 1
    todays, earlier = (np.full(number, -1) for _ in range(2))  # for each pair the row of each run, -1 for none
    todays[rows[is_now]], earlier[rows[~is_now]] = np.flatnonzero(is_now), np.flatnonzero(~is_now)
    differs = (todays < 0) | (earlier < 0)
    for name in both.columns.keys() - {CLUSTER}:
        numbers = both.column(name)
        differs |= numbers[todays] != numbers[earlier]
    return differs
