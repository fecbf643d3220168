"""The budget of a suite's explanations, in processes that have some of its documents each and cannot ask its shelf."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import Part
from pytest_nlpeval.shelf import Gathered

MOST_SUITES = 16
"""Of how many suites a process remembers what it has explained."""

_gathered: dict[str, Gathered] = {}


def evaluate_in_budget(
    gathered: Gathered, recipe: Recipe, cases: Sequence[Case], store: EvidenceStore | None = None, *, digests: bool = False
) -> Part:
    """Return the results of cases, without explanations of which is clear from what is `gathered` that the report has no room for them.

    The cases follow each other in their suite. What is explained of them is gathered, too.
    """
    full = gathered.full_at(cases[0].name)
    part = evaluate_cases(recipe, cases, store, explain=True, digests=digests, full=full)
    explained = (case.explanations.first for case in part.cases if case.explanations is not None)
    gathered.add(cases[-1].name, (explanation.sort for first in explained for explanation in first))
    return part


def evaluate_in_budget_of(
    name: str, recipe: Recipe, cases: Sequence[Case], store: EvidenceStore | None = None, *, digests: bool = False
) -> Part:
    """Return the results of cases of a suite of which this process may have had others: whoever sends them gives the suite a `name`."""
    if name not in _gathered:
        for earlier in list(_gathered)[: len(_gathered) - MOST_SUITES + 1]:
            _gathered.pop(earlier, None)  # another thread may have done so
    return evaluate_in_budget(_gathered.setdefault(name, Gathered()), recipe, cases, store, digests=digests)
