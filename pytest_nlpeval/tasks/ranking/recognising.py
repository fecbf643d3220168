"""Recognises the files of the task: judgments and runs as trec_eval reads them, records with rankings, objects of topics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.records import text_of
from pytest_nlpeval.task import SURE, Guess

_JUDGMENT = re.compile(r"\s*(\S+)\s+\S+\s+\S+\s+-?\d+\s*")
_RESULT = re.compile(r"\s*\S+\s+\S+\s+\S+\s+-?\d+\s+[-+.\deE]+\s+\S+\s*")


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess: gold has judged documents of topics, and the system results for them."""
    gold, system = samples.gold, samples.system
    is_ranked = _are(_RESULT, system) or "ranking" in system.fields or _is_object_of_numbers(system.document)
    if not is_ranked:
        return
    if _are(_JUDGMENT, gold):
        topics = {match[1] for line in gold.lines if (match := _JUDGMENT.fullmatch(line))}
        yield Guess(SURE, {}, "judgments (qrels) and results of topics", dict(_topics(samples, topics)))
    elif "relevant" in gold.fields or _is_object_of_numbers(gold.document):
        yield Guess(SURE, {}, "relevant documents and results of topics")


def _are(form: re.Pattern[str], sample: Sample) -> bool:
    return bool(sample.lines) and all(map(form.fullmatch, sample.lines))


def _is_object_of_numbers(document: Any) -> bool:
    """Whether a document is an object of topics, each an object of documents with numbers."""
    topics = list(document.values()) if isinstance(document, dict) else []
    return bool(topics) and all(
        isinstance(topic, dict) and all(isinstance(number, int | float) for number in topic.values()) for topic in topics
    )


def _topics(samples: Samples, topics: set[str]) -> Iterator[tuple[str, Sample]]:
    """Yield the file near that has the texts of these topics."""
    for other in samples.others:
        names = {text_of(row.get("_id", row.get("id"))) for row in other.rows}
        if other.path != samples.system.path and topics <= names and "text" in other.fields:
            yield "topics", other
            return
