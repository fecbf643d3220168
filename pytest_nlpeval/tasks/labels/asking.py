"""What an item asks, its text columns, and a system's answers restated for the items of another gold file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items, successors
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.labels.gold import Gold
from pytest_nlpeval.tasks.labels.options import GOLD, Options
from pytest_nlpeval.tasks.labels.system import System


def asks(documents: Documents, options: Options) -> Items:
    """Return the items: each asks what its text columns say; without any, only its id tells which it is."""
    gold: Gold = documents["gold"]
    number = len(gold.units)
    texts = gold.texts(range(number), options)
    questions = [texts.get(item, "") for item in range(number)]
    return Items(
        gold.units, questions, _answers(gold, options), by_place=gold.ids is None or options.layouts[GOLD].first_place is not None
    )


def _answers(gold: Gold, options: Options) -> Sequence[str]:
    """Return the answer of each item, and the group that it counts in."""
    groups = [gold.groups[place] if place >= 0 else "" for place in gold.group.tolist()]
    return [f"{group}\n{answer}" for group, answer in zip(groups, _labels(gold, options), strict=True)]


def _labels(gold: Gold, options: Options) -> Sequence[str]:
    if options.is_score:
        return [str(number) for number in gold.answers.numbers.tolist()]
    labels: list[list[str]] = [[] for _ in gold.units]
    for row, code in zip(gold.answers.rows.tolist(), gold.answers.codes.tolist(), strict=True):
        labels[row].append(gold.answers.names[code])
    return ["\n".join(sorted(own)) for own in labels]


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the answers of an earlier output to the items that are still there."""
    system: System = earlier["system"]
    places, number = successors(partners, len(system.lines)), len(partners)
    lines = np.where(partners >= 0, system.lines[partners], 0)
    return {**today, "system": System(system.answers.at(places, number), lines, system.probabilities.at(places, number))}
