"""Recognises the files of the task: their root elements are its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from pytest_nlpeval.formats.samples import Samples
from pytest_nlpeval.task import SURE, Guess

_ROOTS = ("committed_belief_doc", "belief_sentiment_doc")


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield a guess for each ERE file of the document. A text is its source if it lies in a folder of that name."""
    if samples.gold.root not in _ROOTS or samples.system.root not in _ROOTS:
        return
    texts = [
        other
        for other in samples.others
        if other.suffix == ".txt" and PurePosixPath(other.path).parent.name in ("source", "sources")
    ]
    source = {"source": texts[0]} if texts else {}
    why = f"<{samples.gold.root}> is BeSt's"
    inputs = samples.like("deft_ere")
    yield from (Guess(SURE, {}, f"{why}, and <deft_ere> lies near", {"ere": ere, **source}) for ere in inputs)
    if not inputs:
        yield Guess(SURE, {}, why, source)
