"""What an item asks, a topic that its id alone tells, and an earlier output restated for today's judgements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.ranking.gold import Gold
from pytest_nlpeval.tasks.ranking.options import Options
from pytest_nlpeval.tasks.ranking.system import System


def asks(documents: Documents, _options: Options) -> Items:
    """Return the topics; their answers are the grades. Whatever else an output has results for is unasked."""
    gold: Gold = documents["gold"]
    system: System | None = documents.get("system")
    lists = gold.lists
    names = lists.documents.names()
    graded: list[list[str]] = [[] for _ in lists.topics]
    for topic, name, grade in zip(lists.topic.tolist(), names, lists.values.tolist(), strict=True):
        graded[topic].append(f"{name} {grade!r}")
    unasked = set(system.lists.topics) - set(lists.topics) if system else ()
    return Items(lists.topics, [""] * len(lists.topics), ["\n".join(sorted(own)) for own in graded], unasked=unasked)


def restate(earlier: Documents, today: Documents, _partners: NDArray[np.int64]) -> Documents:
    """Return today's judgements with the results of an earlier output: their ids pair both."""
    return {**today, "system": earlier["system"]}
