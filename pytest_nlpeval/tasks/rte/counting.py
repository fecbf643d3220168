"""Evidence of a run: one row per gold pair."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.evidence import Column, Evidence, Numbers
from pytest_nlpeval.metrics.ranking import best_cws, tied, worst_cws
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.rte.confidence import NONE
from pytest_nlpeval.tasks.rte.explaining import explain
from pytest_nlpeval.tasks.rte.gold import Gold
from pytest_nlpeval.tasks.rte.options import Options
from pytest_nlpeval.tasks.rte.run import Run


def count(documents: Documents, _options: Options, log: ProblemLog) -> Counted:
    """Return one row per gold pair, and the explanations of the pairs that are not right.

    Columns of 0 and 1: `judged`, `correct`, `gold.<WORD>` and `system.<WORD>` for the edition's two words (the latter for judged pairs),
    `task.<T>` for each application setting in gold, `ranked` (the run is a ranking). Further columns: `line`, the judgment's line in
    the run, and `confidence`, its key (`tasks.rte.confidence`) or -1.
    """
    gold: Gold = documents["gold"]
    run: Run = documents["system"]
    pairs = gold.entailing.size
    judged, said = np.zeros(pairs, np.int8), np.zeros(pairs, np.int8)
    line, confidence = np.zeros(pairs, np.int64), np.full(pairs, NONE)
    judged[run.ranks] = 1
    said[run.ranks] = run.positive
    line[run.ranks] = run.lines
    confidence[run.ranks] = run.confidence
    correct = judged & (said == gold.entailing)
    words = gold.edition.positive, gold.edition.negative
    columns: dict[str, Column] = {
        "judged": judged,
        "correct": correct,
        f"gold.{words[0]}": gold.entailing,
        f"gold.{words[1]}": 1 - gold.entailing,
        f"system.{words[0]}": judged & said,
        f"system.{words[1]}": judged & (1 - said),
        "ranked": np.full(pairs, run.ranked, np.int8),
        "line": line,
        "confidence": confidence,
    }
    for rank in np.unique(gold.setting).tolist():
        columns[f"task.{gold.edition.settings[rank]}"] = (gold.setting == rank).astype(np.int8)
    _check_ties(correct[run.ranks], run, log)
    evidence = Evidence.of(tuple(gold.ranks), columns)
    return Counted(evidence, explain(gold, evidence))


def _check_ties(correct: Numbers, run: Run, log: ProblemLog) -> None:
    if not run.lines.size or (run.confidence == NONE).any():
        return
    order = np.argsort(-run.confidence, kind="stable")
    flags, confidence = correct[order].astype(np.int8), run.confidence[order]
    number, low, high = tied(confidence), *(float(cws(flags, confidence)[0]) for cws in (worst_cws, best_cws))
    if number * 10 > flags.size and high - low > 0.01:
        message = (
            f"{number:,} of {flags.size:,} pairs are tied: by their order cws lies anywhere from {low:.4f} to {high:.4f}; "
            "gate cws.expected, or give finer confidences"
        )
        log.add("rte.ties", message)
