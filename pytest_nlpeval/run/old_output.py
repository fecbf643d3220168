"""An old output whose gold has changed: it is read with its own gold, and scored with today's answers to what both golds ask."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from pytest_nlpeval.config.suite import Case, Earlier, Recipe
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.metrics.partners import GoldChange, partners
from pytest_nlpeval.run.counting import Explaining, Reading, count_case, count_documents, read_documents
from pytest_nlpeval.run.items import bytes_asked, gold_of, gold_side, items_of, of_units
from pytest_nlpeval.run.reading import read_all
from pytest_nlpeval.runs import CaseResult, Part


def count_old_output(recipe: Recipe, case: Case, earlier: Earlier, *, explain: bool) -> Part:
    """Return the result of a case with the old system's files and today's gold side, over the items that both golds ask."""
    of_then = Case(
        case.name, {**{role: file for role, file in case.files.items() if role not in gold_side(recipe.task)}, **earlier.files}
    )
    recipe_of_then, explaining = replace(recipe, options=earlier.options), Explaining(explain)
    (files,) = read_all(recipe_of_then, [of_then])
    question = bytes_asked(recipe.task, files)
    reading = read_documents(recipe_of_then, of_then, files)
    if isinstance(reading, CaseResult):
        return Part((reading if explain else replace(reading, explanations=None),), None)
    gold = gold_of(recipe, case)
    if gold is None:  # which its own evaluation tells
        return _left_out(case, reading, GoldChange())
    before, (today, now) = items_of(recipe_of_then, reading.documents, question), gold
    ranks = partners(before, now)
    change = GoldChange.of(before, now, ranks)
    if recipe.task.restate is None:
        is_same = list(before.questions) == list(now.questions)
        return (
            _changed(count_case(recipe, case, read_all(recipe, [case])[0], explaining), change)
            if is_same
            else _left_out(case, reading, change)
        )
    if not change.paired:
        return _left_out(case, reading, change)
    restated = recipe.task.restate(reading.documents, today, ranks)
    part = count_documents(recipe, case, reading, restated, explaining)
    common = {name for name, rank in zip(now.names, ranks.tolist(), strict=True) if rank >= 0}
    return _changed(_of_units(part, common | (set(before.unasked) & set(now.names))), change)


def _left_out(case: Case, reading: Reading, change: GoldChange) -> Part:
    return Part((CaseResult(case.name, reading.problems, Explanations(), "ok", change._replace(paired=0)),), None)


def _changed(part: Part, change: GoldChange) -> Part:
    (case,) = part.cases
    return replace(part, cases=(replace(case, gold_change=change),))


def _of_units(part: Part, units: Collection[str]) -> Part:
    """Return what became of a case, over some of its units."""
    (case,) = part.cases
    if case.explanations is not None:
        case = replace(case, explanations=of_units(case.explanations.numbered(), {unit: unit for unit in units}))
    return replace(part, cases=(case,), evidence=part.evidence and _rows(part.evidence, units))


def _rows(evidence: Evidence, units: Collection[str]) -> Evidence:
    kept = np.fromiter((unit in units for unit in evidence.units), np.bool_, len(evidence.units))
    return evidence.where(kept, np.ones(len(evidence.documents), np.bool_))
