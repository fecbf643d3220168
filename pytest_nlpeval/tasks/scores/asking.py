"""What an item asks, its text fields, and a system's values restated for the items of another gold file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.scores.files import GOLD
from pytest_nlpeval.tasks.scores.gold import Gold
from pytest_nlpeval.tasks.scores.options import Options
from pytest_nlpeval.tasks.scores.system import System


def asks(documents: Documents, options: Options) -> Items:
    """Return the items: each asks what its text fields say, or its line; there is no answer.

    Items with ids need no text. Where places stand for ids and nothing is read of an item, no two golds can be told to ask the same: each
    item then asks a question of its own.
    """
    gold: Gold = documents["gold"]
    layout = options.layouts[GOLD]
    by_place = gold.ids is None or layout.first_place is not None
    questions = list(gold.lines) or [gold.quotes.whole(row) for row in gold.rows.tolist()]
    if by_place and not any(questions):
        questions = [f"{gold.records[0]} {unit}" for unit in gold.units]
    return Items(gold.units, questions, [""] * len(gold.units), by_place)


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the values of an earlier output for the items that are still there."""
    system: System = earlier["system"]
    return {**today, "system": system.at(partners)}
