"""Two runs on the same gold as one table: what both were asked, which units correspond, and which differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import CLUSTER, GROUP
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.light_dataclasses import light_dataclass

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
    """Return which unit each row belongs to, from 0: documents in their order, in each the units in the order of their names.

    Of names the shorter come first, so that 2 is before 10. What is drawn for a unit depends on its rank. So a file whose rows stand in
    another order has the same intervals and p-values.
    """
    documents = evidence.document_ranks()
    if by == "documents":
        return documents
    names = evidence.units
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)  # those of one name in their order
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    rows = np.empty(len(names), np.int64)
    rows[by_name[np.lexsort((lengths[by_name], documents[by_name]))]] = np.arange(len(names))  # a stable sort
    return _cluster_ranks(evidence, rows) if by == "clusters" else rows


def _cluster_ranks(evidence: Evidence, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rank of each row's cluster. Rows of one pair are in the cluster of the first row, or alone if the first row has none."""
    codes = evidence.column(CLUSTER).astype(np.int64) if CLUSTER in evidence.columns else np.full(len(pairs), -1)
    clusters = np.where(codes < 0, -1, evidence.document_ranks() * (codes.max(initial=0) + 1) + codes)
    _, first = np.unique(pairs, return_index=True)
    of_pair = np.where(clusters[first] < 0, clusters.max(initial=0) + 1 + np.arange(len(first)), clusters[first])
    _, places, ranks = np.unique(of_pair, return_index=True, return_inverse=True)
    in_order = np.argsort(np.argsort(places))  # clusters are counted in the order of their first pairs
    of_rows: NDArray[np.int64] = in_order[ranks][pairs]
    return of_rows


class Common(NamedTuple):
    """What two runs were both asked: `documents` that both have; `alone` are the units (document, name) in these that only one run has."""

    documents: frozenset[str]
    alone: frozenset[tuple[str, str]]

    def has(self, document: str, unit: str) -> bool:
        """Whether both runs have a unit."""
        return document in self.documents and (document, unit) not in self.alone


@light_dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The rows that today's run and the baseline both have, in one table.

    Units are documents, clusters or single rows, as `by` says. `now` and `baseline` are the two runs, cut down to the documents and rows
    that both have; `evidence` has both, with the columns and vocabularies of either, in each document today's rows first. For each row,
    `ranks` gives the rank of its unit, below `size`, and `is_now` tells whether it is today's. `differs` flags the units whose rows are not
    the same in both runs. `added` and `removed` count the units of today's run alone and of the baseline alone, `added_rows` and
    `removed_rows` the rows: no comparison reads them. `common` tells what is left by name.
    """

    by: By
    now: Evidence
    baseline: Evidence
    evidence: Evidence
    ranks: NDArray[np.int64]
    is_now: NDArray[np.bool_]
    differs: NDArray[np.bool_]
    added: int
    removed: int
    added_rows: int
    removed_rows: int
    common: Common

    @property
    def size(self) -> int:
        """The number of units that both runs have."""
        return len(self.differs)

    @property
    def differing(self) -> int:
        """The number of units that are not the same in both runs."""
        return int(np.count_nonzero(self.differs))


def pair(now: Evidence, baseline: Evidence, by: By | Literal["auto"]) -> Pairs:
    """Join two runs unit by unit; `auto` decides `by` as `resampled_by` does, from what both have.

    Rows correspond if document and unit name are the same; rows of one name correspond in their order. A row of one run alone is left
    out, and so is a document that only one run has or none of whose rows both have: a comparison is over what both runs were asked.
    """
    (todays, earlier), common = _in_common(now, baseline)
    earlier = _grouped_like(todays, earlier)
    by = resampled_by(todays) if by == "auto" else by
    both, is_now = _joined(todays, earlier)
    rows, documents = _paired_rows(both, is_now), both.document_ranks()
    differs, ranks = _differing(both, rows, is_now), rows
    added, removed = (len(whole.units) - len(cut.units) for whole, cut in ((now, todays), (baseline, earlier)))
    counts = added, removed
    if by != "units":
        ranks = documents if by == "documents" else _cluster_ranks(both, rows)
        unit_of = np.zeros(len(differs), np.int64)
        unit_of[rows] = ranks
        differs = np.bincount(unit_of, differs, len(both.documents) if by == "documents" else 0) > 0
        counts = _number_of(now, by) - _number_of(todays, by), _number_of(baseline, by) - _number_of(earlier, by)
    return Pairs(by, todays, earlier, both, ranks, is_now, differs, *counts, added, removed, common)


def _number_of(run: Evidence, by: By) -> int:
    """Return how many documents or clusters a run has."""
    return len(run.documents) if by == "documents" else int(ranks_of(run, by).max(initial=-1)) + 1


def _in_common(now: Evidence, baseline: Evidence) -> tuple[tuple[Evidence, Evidence], Common]:
    """Return two runs cut down to what both have, and what that is."""
    if (now.documents, now.sizes, now.units) == (baseline.documents, baseline.sizes, baseline.units):
        return (now, baseline), Common(frozenset(now.documents), frozenset())
    runs = now, baseline
    keys = [list(_keys(run)) for run in runs]
    shared = set(keys[0]) & set(keys[1])
    with_rows = {document for document, *_ in shared}
    empty = [{name for name, size in zip(run.documents, run.sizes, strict=True) if not size} for run in runs]
    documents = frozenset(with_rows | (empty[0] & empty[1]))
    cut = [
        run.where(_flags(key in shared for key in own), _flags(name in documents for name in run.documents))
        for run, own in zip(runs, keys, strict=True)
    ]
    alone = ((document, unit) for own in keys for document, unit, again in own if (document, unit, again) not in shared)
    return (cut[0], cut[1]), Common(documents, frozenset(key for key in alone if key[0] in documents))


def _grouped_like(now: Evidence, baseline: Evidence) -> Evidence:
    """Return the baseline with each row in the group of the row of now that corresponds: a comparison is by the groups of now."""
    if GROUP not in now.columns and GROUP not in baseline.columns:
        return baseline
    columns = {name: column for name, column in baseline.columns.items() if name != GROUP}
    if GROUP in now.columns:
        row_of = {key: row for row, key in enumerate(_keys(now))}
        columns[GROUP] = now.columns[GROUP][np.array([row_of[key] for key in _keys(baseline)], np.int64)]
    return replace(baseline, columns=columns)


def _flags(values: Iterable[bool]) -> NDArray[np.bool_]:
    return np.fromiter(values, np.bool_)


def _keys(run: Evidence) -> Iterator[tuple[str, str, int]]:
    """Yield for each row its document, its unit's name, and how many earlier rows have both."""
    seen: Counter[tuple[str, str]] = Counter()
    names = chain.from_iterable(map(repeat, run.documents, run.sizes))
    for key in zip(names, run.units, strict=True):
        yield *key, seen[key]
        seen[key] += 1


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
    """Return the rank of the pair that each row belongs to: corresponding rows have the same key. Ranks are ordered as in `ranks_of`."""
    keys = list(_keys_of_runs(both, is_now))
    rank_of = {key: rank for rank, key in enumerate(sorted(dict.fromkeys(keys)))}
    return np.array([rank_of[key] for key in keys], np.int64)


def _keys_of_runs(both: Evidence, is_now: NDArray[np.bool_]) -> Iterator[tuple[int, int, str, int]]:
    """Yield for each row its document, its unit's name with the length, and how many earlier rows of the same run have both."""
    seen: Counter[tuple[int, str, bool]] = Counter()
    for document, unit, side in zip(both.document_ranks().tolist(), both.units, is_now.tolist(), strict=True):
        key = document, unit, side
        yield document, len(unit), unit, seen[key]
        seen[key] += 1


def aligned(pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of today's run, and the row of the baseline that corresponds to each."""
    return _aligned(_paired_rows(pairs.evidence, pairs.is_now) if pairs.by != "units" else pairs.ranks, pairs.is_now)


def _aligned(rows: NDArray[np.int64], is_now: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    todays, earlier = (np.zeros(len(rows) // 2, np.int64) for _ in range(2))  # for each pair the row of each run
    todays[rows[is_now]], earlier[rows[~is_now]] = np.flatnonzero(is_now), np.flatnonzero(~is_now)
    return todays, earlier


def _differing(both: Evidence, rows: NDArray[np.int64], is_now: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which pairs of rows differ in a column; one whose name begins with `@`, such as the cluster, holds no difference."""
    todays, earlier = _aligned(rows, is_now)
    differs = np.zeros(len(todays), np.bool_)
    for name in (name for name in both.columns if not name.startswith("@")):
        numbers = both.column(name)
        differs |= numbers[todays] != numbers[earlier]
    return differs
