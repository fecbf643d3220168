"""What a unit asks, its tokens or text, and a system's spans restated for the units of another gold file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items, successors
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.spans.brat import Annotations
from pytest_nlpeval.tasks.spans.document import Document, Span, Spans, Tags
from pytest_nlpeval.tasks.spans.options import Options
from pytest_nlpeval.tasks.spans.records import Records
from pytest_nlpeval.tasks.spans.sentences import Sentences


def asks(documents: Documents, _options: Options) -> Items:
    """Return the units: each asks for the spans of its text; where brat's is not given, the spans themselves tell it."""
    gold: Document = documents["gold"]
    answers: list[list[object]] = [[] for _ in gold.units]
    for rank, unit in enumerate(gold.unit_of(gold.spans.start).tolist()):
        answers[unit].append((gold.spans.name(rank), gold.spans.extent(rank, -int(gold.starts[unit]))))
    written = list(map(repr, answers))
    tags = _tags_of(gold.tags) if gold.tags else [""] * len(written)
    by_place = not isinstance(gold.page, Records) or None in gold.page.ids.names
    answers_and_tags = [f"{answer}\n{own}" for answer, own in zip(written, tags, strict=True)]
    return Items(gold.units, _texts(gold, written), answers_and_tags, by_place)


def _tags_of(tags: Tags) -> Iterator[str]:
    """Yield the tags of each sentence as they are written: accuracy compares them."""
    bounds = pairwise([*tags.first.tolist(), len(tags.codes)])
    codes = tags.codes.tolist()
    return (" ".join(tags.names[code] for code in codes[start:end]) for start, end in bounds)


def _texts(gold: Document, answers: list[str]) -> list[str]:
    page = gold.page
    if isinstance(page, Records):
        return list(page.texts)
    if isinstance(page, Sentences):
        bounds = pairwise([*page.first.tolist(), len(page.tokens)])
        return ["\n".join(page.words(start, end)) for start, end in bounds]
    return [page.source] if isinstance(page, Annotations) and page.source is not None else answers


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the spans of an earlier output in the units that are still there."""
    before, now, system = earlier["gold"], today["gold"], earlier["system"]
    if isinstance(system.page, Annotations):  # the one unit has the same text
        return {**today, "system": system}
    later = successors(partners, len(before.units))
    units = before.unit_of(system.spans.start)
    ways = np.where(later >= 0, now.starts[later] - before.starts, 0)[units].tolist()
    spans = [
        Span(int(system.spans.start[rank]) + ways[rank], int(system.spans.end[rank]) + ways[rank], system.spans.name(rank))
        for rank in np.flatnonzero(later[units] >= 0).tolist()
    ]
    restated = Document(Spans.of(spans), now.units, now.starts, now.page, _tags(before, now, system.tags, partners))
    return {**today, "system": restated}


def _tags(before: Document, now: Document, tags: Tags | None, partners: NDArray[np.int64]) -> Tags | None:
    """Return the tags of an earlier output for today's tokens; those of a sentence that is new are whatever, for nobody counts them."""
    if tags is None or now.tags is None:
        return None
    ways = np.where(partners >= 0, before.starts[partners] - now.starts, 0)
    places = np.arange(len(now.tags.codes)) + np.repeat(ways, np.diff(now.starts, append=len(now.tags.codes)))
    is_known = np.repeat(partners >= 0, np.diff(now.starts, append=len(now.tags.codes)))
    return Tags(tags.names, tags.codes[np.where(is_known, places, 0)], now.tags.first)
