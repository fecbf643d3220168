"""Results that a baseline file keeps, of a document whose gold changed since: they hold for what asks the same and has the same answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.config.suite import Case, Kept, Recipe
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.metrics.partners import NO_PARTNER, GoldChange, Items, partners, successors
from pytest_nlpeval.run.items import items_to_keep, of_units
from pytest_nlpeval.runs import CaseResult, Part


def kept_results(recipe: Recipe, case: Case, kept: Kept) -> Part:
    """Return what a baseline file keeps of a case, over the items that the gold of then and today's ask alike and answer alike.

    Other answers cannot be scored anew: the output itself is not kept. So a document whose items stand or fall together is left out.
    """
    now = items_to_keep(recipe, case)
    if now is None:  # which today's own evaluation tells
        return _left_out(case, GoldChange())
    before, rows = kept.items, kept.evidence.units
    asked = partners(before, now)
    is_one = recipe.task.restate is None or len(before.names) != len(rows)
    same = np.full_like(asked, NO_PARTNER) if is_one else _of_same_answer(asked, before.answers, now.answers)
    outdated = int(np.count_nonzero(asked >= 0) - np.count_nonzero(same >= 0))
    change = GoldChange.of(before, now, same)._replace(outdated=outdated)
    if change.doubles:  # of which only the digest is known
        change = change._replace(doubles=change.doubles._replace(content=""))
    return _at_places(case, kept, successors(same, len(rows)), now, change) if change.paired else _left_out(case, change)


def _of_same_answer(ranks: NDArray[np.int64], before: Sequence[str], now: Sequence[str]) -> NDArray[np.int64]:
    """Return the `partners` of today's items, without those that have another answer."""
    same = (rank if before[rank] == answer else NO_PARTNER for rank, answer in zip(ranks.tolist(), now, strict=True))
    return np.where(ranks >= 0, np.fromiter(same, np.int64, len(ranks)), NO_PARTNER)


def _left_out(case: Case, change: GoldChange) -> Part:
    return Part((CaseResult(case.name, {}, Explanations(), "ok", change),), None)


def _at_places(case: Case, kept: Kept, places: NDArray[np.int64], now: Items, change: GoldChange) -> Part:
    """Return the rows that have a place among today's items, under the names of these."""
    evidence = kept.evidence.where(places >= 0, np.ones(1, np.bool_))
    names = [now.names[place] for place in places[places >= 0].tolist()]
    wrong = of_units(kept.wrong, dict(zip(evidence.units, names, strict=True)))
    return Part((CaseResult(case.name, {}, wrong, "ok", change),), replace(evidence, units=tuple(names)))
