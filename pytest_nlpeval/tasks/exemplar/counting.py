"""Evidence of a system's output: one row per sentence."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.exemplar.extraction_errors import explain
from pytest_nlpeval.tasks.exemplar.gold import Gold
from pytest_nlpeval.tasks.exemplar.matching import fold_of, reason
from pytest_nlpeval.tasks.exemplar.options import Options
from pytest_nlpeval.tasks.exemplar.system import System
from pytest_nlpeval.tasks.exemplar.table import FIRST_ROW


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per sentence, named by its line in the gold file; wrong extractions and missed relations are explained.

    Columns of 0 and 1: `relations` (gold has a relation), `extractions` (the system gives one, whatever gold says) and
    `correct` (both, and the extraction has every token of the trigger and none beyond those of trigger and windows).
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    relations = np.array([trigger != "" for trigger in gold.triggers], np.int8)
    extractions = np.array([extraction != "" for extraction in system.extractions], np.int8)
    texts = (map(fold_of(options), column) for column in (gold.triggers, gold.windows, system.extractions))
    right = np.array([not why for why in map(reason, *texts)], np.int8)
    columns = {"correct": right & relations & extractions, "extractions": extractions, "relations": relations}
    evidence = Evidence.of([str(rank + FIRST_ROW) for rank in range(len(gold.pairs))], columns)
    return Counted(evidence, explain(gold, system, options))
