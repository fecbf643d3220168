"""What a record asks, and a system's output restated for the records of another gold file."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items, successors
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.records.gold import Gold
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.system import System


def asks(documents: Documents, options: Options) -> Items:
    """Return the records: each asks what gold's quoted texts say; without any, only its id, or the record itself, tells which it is.

    With `rows` the ids that the system alone has were answered, too.
    """
    gold: Gold = documents["gold"]
    answers = [json.dumps(record, ensure_ascii=False, sort_keys=True, default=str) for record in gold.records]
    questions = gold.quotes or [""] * len(gold.units)
    system: System | None = documents.get("system")
    unasked = tuple(system.beyond) if options.has_rows and system is not None else ()
    return Items(gold.units, questions, answers, gold.by_place, unasked, by_answer=not gold.quotes)


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the earlier output's records for those that are still there."""
    system: System = earlier["system"]
    gold: Gold = today["gold"]
    number = len(partners)
    values: list[Any] = [None] * number
    lines = [0] * number
    texts: dict[int, str] = {}
    for place, now in enumerate(successors(partners, len(system.values)).tolist()):
        if now >= 0:
            values[now], lines[now] = system.values[place], system.lines[place]
            if place in system.texts:
                texts[now] = system.texts[place]
    asked = set(gold.units)
    for place, name in enumerate(gold.units):
        if name in system.beyond and partners[place] < 0:
            values[place] = system.beyond[name]
    beyond = {name: record for name, record in system.beyond.items() if name not in asked}
    return {**today, "system": System(values, lines, beyond, texts)}
