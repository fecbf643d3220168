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
    gathered: Gathered,
    recipe: Recipe,
    cases: Sequence[Case],
    store: EvidenceStore | None = None,
    *,
    digests: bool = False,
) -> Part:
    """Return the results of cases, and add what is explained of them to what is `gathered` of their suite.

    Sorts of explanations are left out if what is gathered shows that the report has no room for them. The cases follow each other in
    their suite.
    """
    full = gathered.full_at(cases[0].name)
    part = evaluate_cases(recipe, cases, store, explain=True, digests=digests, full=full)
    explained = (case.explanations.first for case in part.cases if case.explanations is not None)
    gathered.add(cases[-1].name, (explanation.sort for first in explained for explanation in first))
    return part


def evaluate_in_budget_of(
    name: str, recipe: Recipe, cases: Sequence[Case], store: EvidenceStore | None = None, *, digests: bool = False
) -> Part:
    """Return the results of cases as `evaluate_in_budget` does, with what this process has gathered of the suite before.

    An engine gives its suite a `name`, which it sends with all cases of the suite.
    """
    if name not in _gathered:
        for earlier in list(_gathered)[: len(_gathered) - MOST_SUITES + 1]:
            _gathered.pop(earlier, None)  # another thread may have done so
    return evaluate_in_budget(_gathered.setdefault(name, Gathered()), recipe, cases, store, digests=digests)
