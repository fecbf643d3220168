"""Why predictions are not right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, Span, explain_each
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.tasks.qa.gold import Gold, Question, stands_at
from pytest_nlpeval.tasks.qa.measures import HAS_ANSWER, NO_ANSWER, SCORES, scores_of
from pytest_nlpeval.tasks.qa.system import Numbers, System
from pytest_nlpeval.wording import plural

_KINDS: dict[str, Difference] = {
    "missing": "missed",
    "no-answer": "missed",
    "wrong": "wrong-value",
    "partial": "partial",
    "false-answer": "spurious",
}

_QUOTED = 200
"""Code points of a question, a prediction or an answer."""

MOST_ANSWERS = 10
"""How many different answers of a question are told."""


def explain(gold: Gold, system: System, numbers: Numbers, evidence: Evidence) -> Iterator[Explanation | Omitted]:
    """Yield one explanation for each question that is not answered exactly: reason by reason, in the order of the gold file."""
    writer, shelf = _Writer(gold, system, numbers, evidence), Shelf()
    for reason, flags in _reasons(system, evidence).items():
        rows = np.flatnonzero(flags).tolist()
        yield from explain_each(reason, rows, partial(writer.explanation, reason), shelf, partial(writer.measures_of, reason))


def _reasons(system: System, evidence: Evidence) -> dict[str, NDArray[np.bool_]]:
    """Return which questions are not right for each reason."""
    exact, f1 = (scores_of(evidence, score) for score in SCORES)
    wrong, predicted, over = exact == 0, evidence.column("predicted") == 1, evidence.column("over") == 1
    blank = np.array([not system.texts.get(name) for name in evidence.units], np.bool_) | (evidence.column("wordless") == 1)
    answerable = evidence.column("answerable") == 1
    answered = wrong & predicted & answerable & ~(over | blank)
    return {
        "missing": ~predicted,
        "no-answer": wrong & predicted & answerable & (over | blank),
        "wrong": answered & (f1 == 0),
        "partial": answered & (f1 > 0),
        "false-answer": wrong & predicted & ~answerable,
    }


@light_dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the explanation of a question, given by its row."""

    gold: Gold
    system: System
    numbers: Numbers
    evidence: Evidence

    def explanation(self, reason: str, row: int) -> Explanation:
        """Return why the question is not right."""
        name = self.evidence.units[row]
        question, prediction = self.gold.questions[name], self.system.texts.get(name, "")
        answers = list(dict.fromkeys(answer.text for answer in question.answers))
        return Explanation(
            name,
            reason,
            self._message(reason, row, question, answers, prediction),
            self.system.lines.get(name),
            _KINDS[reason],
            name,
            " | ".join([*dict.fromkeys(map(_cut, answers[:MOST_ANSWERS])), *["…"] * (len(answers) > MOST_ANSWERS)]),
            _cut(prediction),
            self.measures_of(reason, row),
            _passage(question, prediction),
            gold_line=self.gold.ids.first_lines.get(name) if reason == "missing" else None,
        )

    def _message(self, reason: str, row: int, question: Question, answers: Sequence[str], prediction: str) -> str:
        asked = f"{_said(question.text)}: " if question.text else ""
        others = [plural(len(answers) - MOST_ANSWERS, "other")] if len(answers) > MOST_ANSWERS else []
        told = " or ".join([*map(_said, answers[:MOST_ANSWERS]), *others])
        right = f"gold has {told}" if told else "gold has no answer"
        said = f"predicted {_said(prediction)}" if prediction else "predicted no answer"
        if reason == "missing":
            said = "has no prediction"
        elif self.evidence.column("over")[row]:
            said += f", which counts as no answer at {self.numbers[self.evidence.units[row]]:g}, above the threshold"
        return f"{asked}{said}; {right}"

    def measures_of(self, reason: str, row: int) -> tuple[str, ...]:
        """Return the measures that would be better if the question were right."""
        return tuple(self._measures(reason, row))

    def _measures(self, reason: str, row: int) -> Iterator[str]:
        kind = HAS_ANSWER if self.gold.questions[self.evidence.units[row]].answers else NO_ANSWER
        for score in SCORES:
            yield from (score, f"{kind}.{score}")
            if self.evidence.column("numbered")[row] and self.evidence.column(score)[row] < 1:
                yield f"best.{score}"
        if reason == "missing":
            yield "coverage"


def _said(text: str) -> str:
    return f'"{_cut(text)}"'


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def _passage(question: Question, prediction: str) -> Passage | None:
    """Return the context with the answers that have a place there, and the first occurrence of the prediction."""
    if not question.context:
        return None
    gold = {
        _span(answer.text, answer.start)
        for answer in question.answers
        if answer.start is not None and answer.text and stands_at(answer.text, answer.start, question.context)
    }
    start = question.context.find(prediction) if prediction else -1
    return Passage.cut(question.context, sorted(gold), [_span(prediction, start)] if start >= 0 else ())


def _span(text: str, start: int) -> Span:
    return start, start + len(text)
