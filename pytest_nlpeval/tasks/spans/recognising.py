"""Recognises the files of the task: columns with tags, records with spans, brat's annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import PurePosixPath
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.recognition import items_option
from pytest_nlpeval.task import LIKELY, SURE, Guess
from pytest_nlpeval.tasks.spans.hints import is_brat_line
from pytest_nlpeval.tasks.spans.options import Shape
from pytest_nlpeval.tasks.spans.tags import parse_tag
from pytest_nlpeval.tasks.spans.tokens import TOKEN_SPANS, TOKENS


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess of each format that both files may have."""
    both = samples.gold, samples.system
    if samples.gold.path == samples.system.path:
        yield from _of_one_file(samples)
    elif all(map(_is_conll, both)):
        yield Guess(SURE, {}, "a token and a tag such as B-PER on each line")
    elif all(map(_is_brat, both)):
        stem = PurePosixPath(samples.gold.path).stem
        texts = [other for other in samples.others if other.suffix == ".txt" and PurePosixPath(other.path).stem == stem]
        yield Guess(SURE, {"format": "brat"}, "brat's annotations", {"text": texts[0]} if texts else {})
    elif (mine := _spans_at(samples.gold, is_gold=True)) and (theirs := _spans_at(samples.system, is_gold=False)):
        places = {side: path for side, path in (("gold", mine), ("system", theirs)) if path not in _USUAL}
        options = {"format": "jsonl", **items_option(samples), **({"spans": places} if places else {})}
        yield Guess(SURE, options, "records with a list of spans, or of tokens with tags")


def _of_one_file(samples: Samples) -> Iterator[Guess]:
    """Yield the guesses of one file with gold's and the system's: tags in its last two columns, or two fields of its records."""
    sample = samples.gold
    if _is_conll(sample):
        rows = _columns(sample)
        mine, theirs = ([fields[place] for fields in rows if len(fields) > 2] for place in (-2, -1))
        if mine and _share_labels(mine, theirs):
            number = len(rows[0])
            columns = {"gold": number - 1, "system": number}
            yield Guess(SURE, {"columns": columns}, "a token, gold's tag and the system's on each line, as conlleval reads them")
        return
    tags = [name for name in sample.fields if _are_tags(sample.column(name))]
    spans = [name for name in sample.fields if _are_labelled(sample.column(name))]
    part, names = ("tags", tags) if "tokens" in sample.fields and tags else ("spans", spans)
    if len(names) == 2:
        for gold, system in _orders(names):
            options = {"format": "jsonl", **items_option(samples), part: {"gold": gold, "system": system}}
            yield Guess(LIKELY, options, f'{part} in "{gold}" of gold and "{system}" of the system')


def _orders(names: Sequence[str]) -> Sequence[tuple[str, ...]]:
    """Return which of two fields may be gold's, and which the system's: one order if a name tells it."""
    orders = list(permutations(names, 2))
    told = [(gold, system) for gold, system in orders if _tells(gold, _OF_GOLD) or _tells(system, _OF_SYSTEM)]
    return told if len(told) == 1 else orders


def _tells(name: str, parts: Sequence[str]) -> bool:
    return any(part in name.casefold() for part in parts)


_OF_GOLD = ("gold", "true", "reference", "expected")
_OF_SYSTEM = ("pred", "system", "output", "hyp")


def _are_tags(values: Sequence[Any]) -> bool:
    """Whether values are lists of tags, and one of these is of a span."""
    tags = [parse_tag(tag) if isinstance(tag, str) else None for value in values if isinstance(value, list) for tag in value]
    return all(tags) and any(tag[1] for tag in tags if tag)


def _share_labels(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two columns are of tags, which have a label in common."""
    sides = [[parse_tag(tag) for tag in side] for side in (mine, theirs)]
    mine_labels, their_labels = ({tag[1] for tag in side if tag and tag[1]} for side in sides)
    return all(map(all, sides)) and bool(mine_labels & their_labels)


_USUAL = (*Shape().paths("spans"), "tokens", TOKENS)


def _is_conll(sample: Sample) -> bool:
    """Whether nearly all lines with columns end in a tag, and at least one of these begins a span."""
    rows = _columns(sample)
    tags = [parse_tag(fields[-1]) for fields in rows if len(fields) > 1]
    has_span = any(tag and tag[1] for tag in tags) or (bool(tags) and all(tags))
    return has_span and sum(tag is not None for tag in tags) >= _MOST * len(rows)


def _columns(sample: Sample) -> list[list[str]]:
    """Return the columns of each line that has a token."""
    lines = [line for line in sample.lines if line.strip() and not line.startswith(("#", "-DOCSTART-"))]
    return [line.rstrip().split("\t" if "\t" in line else None) for line in lines]


_MOST = 0.9


def _is_brat(sample: Sample) -> bool:
    """Whether a file has T lines, or is an .ann file without anything."""
    return any(map(is_brat_line, sample.lines)) or (sample.suffix == ".ann" and not sample.lines)


def _spans_at(sample: Sample, *, is_gold: bool) -> str:
    """Return the path of the lists of spans in records, "tokens" where these have tags, "" for nothing.

    In usual places elements say where they are, in any other also which label they have; gold has at least one.
    """
    rows = sample.rows or [{"entities": value} for value in sample.lists]
    if any(name in row for name in Shape().paths("tags") for row in rows) and any("tokens" in row for row in rows):
        return "tokens"
    if any(TOKENS in row and TOKEN_SPANS in row for row in rows):
        return TOKENS
    lists = {path: [value for row in rows if isinstance(value := _at(row, path), list)] for path in Shape().paths("spans")}
    items = [item for values in lists.values() for value in values for item in value]
    if any(lists.values()) and all(map(_is_span, items)) and (items or not is_gold):
        return next(path for path, values in lists.items() if values)
    names = dict.fromkeys(name for row in rows[:_FEW_ROWS] for name in row)
    return next((name for name in names if _are_labelled([row.get(name) for row in rows])), "")


_FEW_ROWS = 50


def _are_labelled(values: list[Any]) -> bool:
    """Whether values are lists of objects that say where a span is and which label it has, and any is there."""
    items = [item for value in values if isinstance(value, list) for item in value]
    shape = Shape()
    return bool(items) and all(
        isinstance(item, dict) and _is_span(item) and any(isinstance(_at(item, path), str) for path in shape.paths("label"))
        for item in items
    )


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
