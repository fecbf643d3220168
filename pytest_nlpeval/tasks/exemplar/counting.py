"""Evidence of a system's output: one row per sentence; and why a row is not right."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation, Explanations
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.exemplar.gold import Gold
from pytest_nlpeval.tasks.exemplar.options import Options
from pytest_nlpeval.tasks.exemplar.system import System
from pytest_nlpeval.tasks.exemplar.table import FIRST_ROW
from pytest_nlpeval.wording import quoted

NO_RELATION = "no-relation-in-gold"
MISSING_TRIGGER = "missing-trigger"
NOT_ALLOWED = "token-not-allowed"
NOT_EXTRACTED = "not-extracted"


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per sentence, named by its line in the gold file; wrong extractions and missed relations are explained.

    Columns of 0 and 1: `relations` (gold has a relation), `extractions` (the system gives one, whatever gold says) and
    `correct` (both, and the extraction has every token of the trigger and none beyond those of trigger and windows).
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    relations = np.array([trigger != "" for trigger in gold.triggers], np.int8)
    extractions = np.array([extraction != "" for extraction in system.extractions], np.int8)
    texts = (map(_fold(options), column) for column in (gold.triggers, gold.windows, system.extractions))
    right = np.array([not why for why in map(reason, *texts)], np.int8)
    columns = {"correct": right & relations & extractions, "extractions": extractions, "relations": relations}
    evidence = Evidence.of([str(rank + FIRST_ROW) for rank in range(len(gold.pairs))], columns)
    return Counted(evidence, Explanations.of(explain(documents, options)))


def explain(documents: Documents, options: Options) -> Iterator[Explanation]:
    """Yield one explanation for each wrong extraction and each missed relation, in the order of lines."""
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    fold = _fold(options)
    rows = zip(gold.triggers, gold.windows, system.extractions, strict=True)
    for line, row in enumerate(rows, FIRST_ROW):
        if why := reason(*map(fold, row)):
            yield Explanation(str(line), why, _message(why, *row, fold), line)


def reason(trigger: str, windows: str, extraction: str) -> str:
    """Return why an extraction is wrong or a relation missed: the first reason that holds, or "" if all is right.

    All three are texts of tokens, "" where there is none.
    """
    if not extraction:
        return NOT_EXTRACTED if trigger else ""
    if not trigger:
        return NO_RELATION
    tokens, needed = set(extraction.split()), set(trigger.split())
    if not needed <= tokens:
        return MISSING_TRIGGER
    return "" if tokens <= needed.union(windows.split()) else NOT_ALLOWED


def _fold(options: Options) -> Callable[[str], str]:
    return str.casefold if options.ignore_case else str


def _message(why: str, trigger: str, windows: str, extraction: str, fold: Callable[[str], str]) -> str:
    if why == NOT_EXTRACTED:
        return f"the relation {quoted(trigger)} is not extracted"
    if why == NO_RELATION:
        return f"{quoted(extraction)} is extracted where gold has no relation"
    if why == MISSING_TRIGGER:
        return f"{quoted(extraction)} lacks {_without(trigger, extraction, fold)} of the trigger {quoted(trigger)}"
    return f"{quoted(extraction)} has {_without(extraction, f'{trigger} {windows}', fold)}, not among the allowed tokens"


def _without(tokens: str, others: str, fold: Callable[[str], str]) -> str:
    """Name the tokens that are not among others, each once, in their order."""
    known = set(fold(others).split())
    return ", ".join(quoted(token) for token in dict.fromkeys(tokens.split()) if fold(token) not in known)
