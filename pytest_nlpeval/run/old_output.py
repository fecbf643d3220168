"""An old output whose gold changed since: it is read with the gold of then, and scored with today's answers where both ask the same."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from pytest_nlpeval.config.suite import Case, Earlier, Recipe
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.metrics.partners import GoldChange, Items, partners
from pytest_nlpeval.run.counting import Reading, count_case, count_documents, read_documents
from pytest_nlpeval.run.reading import Read, read_all
from pytest_nlpeval.runs import CaseResult, Part
from pytest_nlpeval.task import Documents, Task


def count_old_output(recipe: Recipe, case: Case, earlier: Earlier, *, explain: bool) -> Part:
    """Return what becomes of a case with the system's files of then and today's gold side, over the items that both golds ask."""
    of_then = Case(
        case.name, {**{role: file for role, file in case.files.items() if role not in _gold_side(recipe.task)}, **earlier.files}
    )
    recipe_of_then = replace(recipe, options=earlier.options)
    files, files_of_now = _files(recipe_of_then, of_then), _files(recipe, case)
    questions = _bytes_asked(recipe.task, files), _bytes_asked(recipe.task, files_of_now)
    reading = read_documents(recipe_of_then, of_then, files)
    if isinstance(reading, CaseResult):
        return Part((reading if explain else replace(reading, explanations=None),), None)
    today = _gold_documents(recipe, case)
    if today is None:  # which its own evaluation tells
        return _left_out(case, reading, GoldChange())
    before, now = _items(recipe_of_then, reading.documents, questions[0]), _items(recipe, today, questions[1])
    ranks = partners(before, now)
    change = GoldChange.of(before, now, ranks)
    if recipe.task.restate is None:
        is_same = list(before.questions) == list(now.questions)
        return (
            _changed(count_case(recipe, case, files_of_now, explain=explain), change)
            if is_same
            else _left_out(case, reading, change)
        )
    if not change.paired:
        return _left_out(case, reading, change)
    restated = recipe.task.restate(reading.documents, today, ranks)
    part = count_documents(recipe, case, reading, restated, explain=explain)
    common = {name for name, rank in zip(now.names, ranks.tolist(), strict=True) if rank >= 0}
    return _changed(_of_units(part, common | (set(before.unasked) & set(now.names))), change)


def _files(recipe: Recipe, case: Case) -> Read:
    (files,) = read_all(recipe, [case])
    return files


def _gold_side(task: Task) -> Collection[str]:
    return [role.name for role in task.roles if role.side == "gold"]


def _gold_documents(recipe: Recipe, case: Case) -> Documents | None:
    """Return what today's gold-side files hold; None if one cannot be read."""
    gold = Case(case.name, {role: file for role, file in case.files.items() if role in _gold_side(recipe.task)})
    task = replace(recipe.task, roles=tuple(role for role in recipe.task.roles if role.name in gold.files))
    reading = read_documents(replace(recipe, task=task), gold, _files(recipe, gold))
    return None if isinstance(reading, CaseResult) else reading.documents


def _bytes_asked(task: Task, files: Read) -> str:
    """Return the digest of a case's files that are shown to the system, of all on gold's side if the task does not know which are."""
    sources, _ = files
    roles = [role.name for role in task.roles if role.is_question and role.name in sources] or _gold_side(task)
    digests = [hashlib.sha256(sources[role].data).hexdigest() for role in roles if role in sources]
    return " ".join(digests)


def _items(recipe: Recipe, documents: Documents, question: str) -> Items:
    return recipe.task.asks(documents, recipe.options) if recipe.task.asks else Items([""], [question], [""])


def _left_out(case: Case, reading: Reading, change: GoldChange) -> Part:
    return Part((CaseResult(case.name, reading.problems, Explanations(), "ok", change._replace(paired=0)),), None)


def _changed(part: Part, change: GoldChange) -> Part:
    (case,) = part.cases
    return replace(part, cases=(replace(case, gold_change=change),))


def _of_units(part: Part, units: Collection[str]) -> Part:
    """Return what became of a case, over some of its units."""
    (case,) = part.cases
    wrong = case.explanations
    if wrong is not None:
        kept = tuple(entry for entry in wrong.first if entry.unit in units)
        counts = wrong.counts if wrong.cut else Counter(entry.reason for entry in kept)
        case = replace(case, explanations=Explanations(counts, kept))
    return replace(part, cases=(case,), evidence=part.evidence and _rows(part.evidence, units))


def _rows(evidence: Evidence, units: Collection[str]) -> Evidence:
    kept = np.fromiter((unit in units for unit in evidence.units), np.bool_, len(evidence.units))
    return evidence.where(kept, np.ones(len(evidence.documents), np.bool_))
