"""What a question asks, itself and its context, and a system's predictions restated for the questions of another gold file."""

from __future__ import annotations

from itertools import compress

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.qa.gold import Gold
from pytest_nlpeval.tasks.qa.options import Options
from pytest_nlpeval.tasks.qa.system import Numbers, System


def asks(documents: Documents, _options: Options) -> Items:
    """Return the questions, each with the text that it is about."""
    gold: Gold = documents["gold"]
    questions = [f"{question.text}\n{question.context}" for question in gold.questions.values()]
    answers = [repr(sorted(answer.text for answer in question.answers)) for question in gold.questions.values()]
    return Items(tuple(gold.questions), questions, answers)


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the predictions, and the no-answer numbers, for the questions that are still there."""
    gold: Gold = today["gold"]
    kept = frozenset(compress(gold.questions, (partners >= 0).tolist()))
    system: System = earlier["system"]
    lines = {name: line for name, line in system.lines.items() if name in kept}
    texts = {name: text for name, text in system.texts.items() if name in kept}
    restated = {**today, "system": System(texts, lines, _of(system.numbers, kept))}
    return restated | ({"na_prob": _of(earlier["na_prob"], kept)} if "na_prob" in earlier else {})


def _of(numbers: Numbers, kept: frozenset[str]) -> dict[str, float]:
    return {name: number for name, number in numbers.items() if name in kept}
