"""Evidence of a run: one row per pair of the gold or task file."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import CLUSTER, GROUP
from pytest_nlpeval.evidence import Categorical, Column, Evidence, Numbers
from pytest_nlpeval.metrics.ranking import Tied, best_cws, worst_cws
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.rte.confidence import NONE
from pytest_nlpeval.tasks.rte.gold import Gold
from pytest_nlpeval.tasks.rte.judgment_errors import explain
from pytest_nlpeval.tasks.rte.options import Options
from pytest_nlpeval.tasks.rte.pairs import Pairs
from pytest_nlpeval.tasks.rte.run import Run

Flags: TypeAlias = NDArray[np.int8]


def count(documents: Documents, options: Options, log: ProblemLog) -> Counted:
    """Return one row per pair, and the explanations of the pairs that are not right.

    Columns of 0 and 1: `judged`, `correct`, `gold.<WORD>` and `system.<WORD>` for the edition's two words (the latter for judged pairs),
    `task.<T>` for each application setting in gold, `ranked` (the run is a ranking). Further columns: `line`, the judgment's line in
    the run, and `confidence`, its key (`tasks.rte.confidence`) or -1. With the task file instead of gold, there is neither `correct`
    nor `gold.<WORD>`.
    """
    gold: Gold | None = documents.get("gold")
    pairs: Pairs = gold or documents["input"]
    run: Run = documents["system"]
    judged, entails, negative = _judgments(pairs, run)
    columns: dict[str, Column] = {"judged": judged}
    if gold:
        correct = judged & (entails == gold.entailing)
        columns |= {
            "correct": correct,
            f"gold.{run.edition.positive}": gold.entailing,
            f"gold.{run.edition.negative}": 1 - gold.entailing,
        }
        _check_ties(correct[run.ranks], run, log)
    columns |= {f"system.{run.edition.positive}": entails, f"system.{run.edition.negative}": negative}
    line, confidence = np.zeros(judged.size, np.int64), np.full(judged.size, NONE)
    line[run.ranks] = run.lines
    confidence[run.ranks] = run.confidence
    columns |= {"ranked": np.full(judged.size, run.ranked, np.int8), "line": line, "confidence": confidence}
    for rank in np.flatnonzero(np.bincount(pairs.setting)).tolist():
        columns[f"task.{pairs.settings[rank]}"] = (pairs.setting == rank).astype(np.int8)
    if pairs.clusters:
        columns[CLUSTER] = Categorical.of(pairs.clusters)
    if options.group:
        columns[GROUP] = Categorical.of(pairs.settings[rank] for rank in pairs.setting.tolist())
    evidence = Evidence.of(tuple(pairs.ranks), columns)
    return Counted(evidence, explain(pairs, evidence))


def _judgments(pairs: Pairs, run: Run) -> tuple[Flags, Flags, Flags]:
    """Return for each pair whether it is judged, as entailing, as not entailing."""
    judged, entails, negative = (np.zeros(pairs.setting.size, np.int8) for _ in range(3))
    judged[run.ranks] = 1
    entails[run.ranks] = run.positive
    negative[run.ranks] = ~run.positive
    return judged, entails, negative


def _check_ties(correct: Numbers, run: Run, log: ProblemLog) -> None:
    if not run.lines.size or (run.confidence == NONE).any():
        return
    tied = Tied.of(correct, run.confidence, np.argsort(-run.confidence, kind="stable"))
    low, high = (float(cws(tied)[0]) for cws in (worst_cws, best_cws))
    if tied.number * 10 > run.lines.size and high - low > 0.01:
        message = (
            f"{tied.number:,} of {run.lines.size:,} pairs are tied: by their order cws lies anywhere from {low:.4f} to {high:.4f}; "
            "gate cws.expected, or give finer confidences"
        )
        log.add("rte.ties", message)
