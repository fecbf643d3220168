"""Recognises the files of the task: their root elements are its own, and what is in them tells the subtask."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.task import SURE, Guess


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guesses: one for each input that may belong to the key, with the subtasks that the system's file may answer."""
    gold, system = samples.gold, samples.system
    if (gold.root, system.root) != ("are_key", "are_output"):
        return
    has_spans = any("start" in element.attributes for element in gold.elements)
    names = {element.name for element in system.elements} & {"pair", "chain"}
    inputs = [other for other in samples.like("are_input") if _has_words(other) == has_spans]
    for subtask in (1, 2):
        kind = ("pair", "chain")[subtask - 1]
        if not names or kind in names:
            number = subtask + 2 * has_spans
            why = f"<are_key> of {'words' if has_spans else 'entities'}, and <are_output> {f'of <{kind}>' if names else 'without content'}"
            yield from (Guess(SURE, {"subtask": number}, why, {"input": given}) for given in inputs)
            if not inputs:
                yield Guess(SURE, {"subtask": number}, why)


def _has_words(sample: Sample) -> bool:
    """Whether an input numbers the places between words, not entities."""
    return any(element.name == "node" for element in sample.elements)
