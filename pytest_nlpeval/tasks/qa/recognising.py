"""Recognises the files of the task: SQuAD's form, or records with answers; and predictions by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.task import LIKELY, SURE, Guess

_PREDICTIONS = ("prediction", "prediction_text", "predicted_answer", "answer", "output", "response")
_OWN = _PREDICTIONS[:2]
"""The names under which a prediction is found without an option, the second in JSON Lines alone."""


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess: gold has questions with answers, and the system a text for each id."""
    is_squad = _is_squad(samples.gold.document)
    if not is_squad and not _has_answers(samples.gold):
        return
    gold = "SQuAD's form" if is_squad else "records with id and answers"
    confidence = SURE if is_squad else LIKELY
    texts = samples.system.document
    if _is_of(texts, str):
        yield Guess(confidence, {}, f"{gold}, and an object of texts by id", dict(_numbers(samples, texts)))
    for name in _PREDICTIONS if "id" in samples.system.fields else ():
        if all(isinstance(value, str) for value in samples.system.column(name)):
            is_found = name == _OWN[0] or (name in _OWN and bool(samples.system.json_lines))
            options = {} if is_found else {"prediction": name}
            yield Guess(confidence, options, f'{gold}, and records with id and "{name}"')
            return


def _is_squad(document: Any) -> bool:
    articles = document.get("data") if isinstance(document, dict) else None
    return isinstance(articles, list) and bool(articles) and isinstance(articles[0], dict) and "paragraphs" in articles[0]


def _has_answers(sample: Sample) -> bool:
    answers = sample.column("answers")
    return "id" in sample.fields and bool(answers) and any(isinstance(value, list | dict) for value in answers)


def _is_of(document: Any, *kinds: type) -> bool:
    """Whether a document is an object whose values are of these kinds."""
    return isinstance(document, dict) and bool(document) and all(type(value) in kinds for value in document.values())


def _numbers(samples: Samples, texts: Mapping[str, str]) -> Iterator[tuple[str, Sample]]:
    """Yield the no-answer numbers near: of the same ids, in a file whose name is the predictions' with something behind."""
    stem = PurePosixPath(samples.system.path).stem
    for other in samples.others:
        name = PurePosixPath(other.path).stem
        if (
            name != stem
            and name.startswith(stem)
            and _is_of(other.document, int, float)
            and other.document.keys() == texts.keys()
        ):
            yield "na_prob", other
            return
