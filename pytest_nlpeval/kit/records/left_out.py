"""Records that the option `where` leaves out: counted in the evidence, and told in a note."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_nlpeval.libraries import np
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from pytest_nlpeval.columns import Column
    from pytest_nlpeval.evidence import Evidence

LEFT_OUT = "@left_out"
"""The column of evidence with the number of a document's records that are left out, in its first row; it counts no units."""


def left_out_columns(left_out: int, units: int) -> dict[str, Column]:
    """Return the column for a document of so many units of which so many records were left out; none if none were."""
    from pytest_nlpeval.columns import Sparse

    return {LEFT_OUT: Sparse.of([0], np.array([left_out], np.int64), units)} if left_out and units else {}


def left_out_notes(evidence: Evidence) -> Iterator[str]:
    """Yield how many records are left out, if any are."""
    if left_out := int(evidence.column(LEFT_OUT).sum(dtype=np.int64)):
        yield f"{plural(left_out, 'record')} left out by the option where"
