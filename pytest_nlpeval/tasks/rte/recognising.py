"""Recognises the files of the task: a corpus of pairs in XML, and lines that begin with an id and a judgment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_nlpeval.formats.samples import Samples
from pytest_nlpeval.task import SURE, Guess

_LINE = re.compile(r"\d+[ \t]+(?:TRUE|FALSE|YES|NO)(?:[ \t]+\S+)?[ \t]*|ranked: *(?:yes|no) *", re.IGNORECASE)


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess. The corpus is gold if its pairs are judged, else the task file, which stands instead."""
    if samples.gold.root != "entailment-corpus" or not all(map(_LINE.fullmatch, samples.system.lines[:20])):
        return
    attributes = {name for element in samples.gold.elements if element.name == "pair" for name in element.attributes}
    if attributes & {"value", "entailment"}:
        yield Guess(SURE, {}, "<entailment-corpus> with judgments, and lines of an id and a judgment")
    else:
        why = "<entailment-corpus> without judgments: runs are validated, not scored"
        yield Guess(SURE, {}, why, {"input": samples.gold})
