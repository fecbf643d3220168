"""Two runs on the same gold as one table: which unit of the one is which of the other, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence

By = Literal["documents", "units"]
"""What is drawn and swapped: whole documents, or single rows."""

ENOUGH_DOCUMENTS = 20


def resampled_by(evidence: Evidence, wanted: Literal["auto", "documents", "units"] = "auto") -> By:
    """Return what is drawn: `auto` means documents where there are at least 20, else units."""
    if wanted != "auto":
        return wanted
    return "documents" if len(evidence.documents) >= ENOUGH_DOCUMENTS else "units"


def ranks_of(evidence: Evidence, by: By) -> NDArray[np.int64]:
    """Return which unit each row belongs to, from 0."""
    return evidence.document_ranks() if by == "documents" else np.arange(len(evidence.units))


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Both runs' rows in one table.

    `evidence` has the rows of both, in each document those of now first, with the columns and vocabularies of both. `ranks` gives, for each
    row, the rank of the unit that it belongs to, out of `size`; `is_now` whether it is one of the run of now. `present` says which of its
    documents are in the run of now, and which in the baseline. `differs` flags the units whose rows are not the same in both, one that
    only one run has among them. `paired`, `added` and `removed` are the numbers of units in both, only now, and only in the baseline.
    Units are documents or single rows, as `by` says.
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
    """Return two runs as pairs of units.

    Rows pair by document and unit name, those of one name in their order. A unit of one run only is paired with nothing.
    """
    both, is_now = _joined(now, baseline)
    rows = _paired_rows(both, is_now)
    ranks = rows if by == "units" else both.document_ranks()
    of_documents = both.document_ranks()
    present = [set(run.documents) for run in (now, baseline)]
    in_now, in_baseline = (np.array([name in names for name in both.documents], np.bool_) for names in present)
    if by == "units":
        number = int(ranks.max(initial=-1)) + 1
        have_now, have_before = (np.bincount(ranks[side], minlength=number) > 0 for side in (is_now, ~is_now))
        differs = _differing(both, rows, is_now)
    else:
        have_now, have_before = in_now, in_baseline
        inside = np.zeros(int(rows.max(initial=-1)) + 1, np.int64)
        inside[rows] = of_documents
        differs = np.bincount(inside, _differing(both, rows, is_now), len(both.documents)) > 0
    differs = differs | (have_now != have_before)
    paired, added, removed = (
        int(np.count_nonzero(found)) for found in (have_now & have_before, have_now & ~have_before, have_before & ~have_now)
    )
    return Pairs(by, both, ranks, is_now, (in_now, in_baseline), differs, paired, added, removed)


def _joined(now: Evidence, baseline: Evidence) -> tuple[Evidence, NDArray[np.bool_]]:
    """Return the rows of both, each document once, in it first those of now; and which rows are of now."""
    runs = [
        replace(run, documents=tuple(map(str.__add__, repeat(mark), run.documents)))
        for mark, run in (("0", now), ("1", baseline))
    ]
    merged = Evidence.merge(runs)
    names = [document[1:] for document in merged.documents]
    marks = np.array([document[0] == "0" for document in merged.documents], np.bool_)
    documents = sorted(set(names))
    place = {name: rank for rank, name in enumerate(documents)}
    places = np.array([place[name] for name in names], np.int64)
    of_rows = np.repeat(places, merged.sizes)
    order = np.argsort(of_rows, kind="stable")  # rows of now come first already
    sizes = np.bincount(of_rows, minlength=len(documents)).tolist()
    columns = {name: column[order] for name, column in merged.columns.items()}
    units = tuple(merged.units[row] for row in order.tolist())
    return Evidence(tuple(documents), tuple(sizes), units, columns), np.repeat(marks, merged.sizes)[order]


def _paired_rows(both: Evidence, is_now: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the rank of each row's pair."""
    found: dict[Any, int] = {}
    return np.array([found.setdefault(key, len(found)) for key in _keys(both, is_now)], np.int64)


def _keys(both: Evidence, is_now: NDArray[np.bool_]) -> Iterator[tuple[int, str, int]]:
    """Yield document, name, and how many rows of the same run have both already."""
    seen: Counter[tuple[int, str, bool]] = Counter()
    for document, unit, side in zip(both.document_ranks().tolist(), both.units, is_now.tolist(), strict=True):
        key = document, unit, side
        yield document, unit, seen[key]
        seen[key] += 1


def _differing(both: Evidence, rows: NDArray[np.int64], is_now: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which pairs of rows are not the same in every column, or are in one run only."""
    number = int(rows.max(initial=-1)) + 1
    ours, theirs = (np.full(number, -1) for _ in range(2))
    ours[rows[is_now]], theirs[rows[~is_now]] = np.flatnonzero(is_now), np.flatnonzero(~is_now)
    differs = (ours < 0) | (theirs < 0)
    for name in both.columns:
        numbers = both.column(name)
        differs |= numbers[ours] != numbers[theirs]
    return differs
