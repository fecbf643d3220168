"""Evidence of a document: counts and credits per attitude, in one pass over its targets."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.best.annotations import ATTITUDES
from pytest_nlpeval.tasks.best.ere import Ere
from pytest_nlpeval.tasks.best.matching import THIRDS, Compared, match_target
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.tasks.best.quotes import SourceText
from pytest_nlpeval.tasks.best.tuple_errors import explain
from pytest_nlpeval.tasks.best.tuples import Target, Tuples, tuples_of


@dataclass(slots=True)
class _Counts:
    """What is counted for one attitude; `credits` has each match's credit times provenance F."""

    gold: int = 0
    system: int = 0
    matched: int = 0
    unsupported: int = 0
    thirds: int = 0
    credits: list[float] = field(default_factory=list)

    def add(self, compared: Compared) -> None:
        """Add the tuples of a target and how they match."""
        _, system, gold, matches = compared
        self.gold += len(gold)
        self.system += len(system)
        self.matched += len(matches)
        for match in matches:
            if match.overlap:
                self.thirds += THIRDS[match.type]
                self.credits.append(THIRDS[match.type] * match.overlap / 3)
            else:
                self.unsupported += 1


def _compare(target: Target, system: Tuples, gold: Tuples) -> Compared:
    ours, theirs = system.get(target, {}), gold.get(target, {})
    return Compared(target, ours, theirs, match_target(ours, theirs))


def count(documents: Documents, _options: Options, _log: ProblemLog) -> Counted:
    """Return one row for the document.

    Columns, for each attitude: `gold` and `system`, the numbers of tuples; `matched`, the matches of any type; `unsupported`, the
    matches whose provenance sets share no mention; `thirds`, the credit of all other matches in thirds (single provenance); `credit`,
    the sum of credit times provenance F (full provenance), a float that does not depend on the order of its terms.
    """
    ere: Ere = documents["ere"]
    source: SourceText | None = documents.get("source")
    quotes = source.quotes if source else None
    gold, system = (tuples_of(documents[role], ere, quotes) for role in ("gold", "system"))
    counts = {attitude: _Counts() for attitude in ATTITUDES}
    compared = [_compare(target, system, gold) for target in sorted(gold.keys() | system.keys())]
    for comparison in compared:
        counts[comparison.target[0]].add(comparison)
    columns: dict[str, Column] = {}
    for attitude, counted in counts.items():
        for name in ("gold", "system", "matched", "unsupported", "thirds"):
            columns[f"{attitude}.{name}"] = np.array([getattr(counted, name)], np.int64)
        columns[f"{attitude}.credit"] = np.array([math.fsum(counted.credits)])
    return Counted(Evidence.of([""], columns), explain(compared, ere, source.text if source else None))
