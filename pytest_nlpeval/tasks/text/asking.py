"""What a segment asks, and a system's output restated for the segments of another gold file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items, successors
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.text.counting import references_of
from pytest_nlpeval.tasks.text.gold import Gold
from pytest_nlpeval.tasks.text.options import Options
from pytest_nlpeval.tasks.text.system import System


def asks(documents: Documents, _options: Options) -> Items:
    """Return the segments: each asks what gold's quoted columns say; without any, only its id, or its references, tell which it is."""
    gold: Gold = documents["gold"]
    answers = ["\n\n".join(own) for own in references_of(documents)]
    return Items(gold.units, gold.quotes or [""] * len(gold.units), answers, by_place=gold.by_place, by_answer=not gold.quotes)


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the hypotheses of an earlier output for the segments that are still there."""
    system: System = earlier["system"]
    places, number = successors(partners, len(system.texts)), len(partners)
    texts: list[str | None] = [None] * number
    lines = [0] * number
    for segment, place in enumerate(places.tolist()):
        if place >= 0:
            texts[place], lines[place] = system.texts[segment], system.lines[segment]
    return {**today, "system": System(texts, lines)}
