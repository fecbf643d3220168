"""Recognises the files of the task: columns with tags, records with spans, brat's annotations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.recognition import items_option
from pytest_nlpeval.task import SURE, Guess
from pytest_nlpeval.tasks.spans.hints import is_brat_line
from pytest_nlpeval.tasks.spans.options import Shape
from pytest_nlpeval.tasks.spans.tags import parse_tag


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess of each format that both files may have."""
    both = samples.gold, samples.system
    if all(map(_is_conll, both)):
        yield Guess(SURE, {}, "a token and a tag such as B-PER on each line")
    elif all(map(_is_brat, both)):
        stem = PurePosixPath(samples.gold.path).stem
        texts = [other for other in samples.others if other.suffix == ".txt" and PurePosixPath(other.path).stem == stem]
        yield Guess(SURE, {"format": "brat"}, "brat's annotations", {"text": texts[0]} if texts else {})
    elif _has_spans(samples.gold, is_gold=True) and _has_spans(samples.system, is_gold=False):
        yield Guess(SURE, {"format": "jsonl", **items_option(samples)}, "records with a list of spans, or of tokens with tags")


def _is_conll(sample: Sample) -> bool:
    """Whether nearly all lines with columns end in a tag, and at least one of these begins a span."""
    lines = [line for line in sample.lines if line.strip() and not line.startswith(("#", "-DOCSTART-"))]
    columns = [line.rstrip().split("\t" if "\t" in line else None) for line in lines]
    tags = [parse_tag(fields[-1]) for fields in columns if len(fields) > 1]
    has_span = any(tag and tag[1] for tag in tags) or (bool(tags) and all(tags))
    return has_span and sum(tag is not None for tag in tags) >= _MOST * len(lines)


_MOST = 0.9


def _is_brat(sample: Sample) -> bool:
    """Whether a file has T lines, or is an .ann file without anything."""
    return any(map(is_brat_line, sample.lines)) or (sample.suffix == ".ann" and not sample.lines)


def _has_spans(sample: Sample, *, is_gold: bool) -> bool:
    """Whether the records have lists where spans stand, with elements that say where, in gold at least one; or tokens and tags."""
    shape = Shape()
    rows = sample.rows
    values = [(_at(row, path)) for path in shape.paths("spans") for row in rows]
    lists = [value for value in values if isinstance(value, list)]
    items = [item for value in lists for item in value]
    has_tags = any(name in row for name in shape.paths("tags") for row in rows) and any("tokens" in row for row in rows)
    return has_tags or (bool(lists) and all(map(_is_span, items)) and (bool(items) or not is_gold))


def _at(row: Any, path: str) -> Any:
    """Return what a path leads to; at a list it goes on with the first element."""
    for step in path.split("."):
        row = row[0] if isinstance(row, list) and row else row
        row = row.get(step) if isinstance(row, dict) else None
    return row


def _is_span(item: Any) -> bool:
    shape = Shape()
    if isinstance(item, dict):
        return any(isinstance(_at(item, path), int) for path in shape.paths("start"))
    return isinstance(item, list) and len(item) == 3 and isinstance(item[0], int) and isinstance(item[1], int)
