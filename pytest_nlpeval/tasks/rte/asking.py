"""What a pair asks, text and hypothesis, and a run's judgments restated for another gold file's pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items, successors
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.rte.gold import Gold
from pytest_nlpeval.tasks.rte.options import Options
from pytest_nlpeval.tasks.rte.pairs import Pairs
from pytest_nlpeval.tasks.rte.run import Run


def asks(documents: Documents, _options: Options) -> Items:
    """Return the pairs: each asks whether its text entails its hypothesis, white space aside."""
    gold: Gold | None = documents.get("gold")
    pairs: Pairs = gold or documents["input"]
    names = tuple(pairs.ranks)
    texts = pairs.texts(names)
    questions = ["\n".join(" ".join(text.split()) for text in texts[name][:2]) for name in names]
    entailing = gold.entailing.tolist() if gold else [""] * len(names)
    settings = [pairs.settings[rank] for rank in pairs.setting.tolist()]
    return Items(names, questions, [f"{setting} {answer}" for setting, answer in zip(settings, entailing, strict=True)])


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the judgments of an earlier run on the pairs that are still there."""
    run: Run = earlier["system"]
    pairs: Pairs = earlier.get("gold") or earlier["input"]
    ranks = successors(partners, len(pairs.ranks))[run.ranks]
    return {**today, "system": replace(run, ranks=ranks).where(ranks >= 0)}
