"""The spans of a JSON record, as spaCy, Prodigy, doccano and Label Studio write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_nlpeval.problems import ProblemLog

_OFFSETS = (("start", "end"), ("start_offset", "end_offset"))


class Item(NamedTuple):
    """A span of a record: its offsets, its label, the text that it says it covers, if any, and what messages call it."""

    start: int
    end: int
    label: str
    text: str | None
    where: str


def read_items(items: Sequence[Any], key: str, line: int, log: ProblemLog) -> Iterator[Item]:
    """Yield the spans of a list; one that is none, or whose offsets are no integers, is a problem."""
    for rank, item in enumerate(items):
        where = f"{key}[{rank}]"
        fields = _of_list(item) if isinstance(item, list) else _of_object(item) if isinstance(item, dict) else None
        if fields is None:
            expected = 'expected [start, end, label], or an object with "start", "end" and "label"'
            log.add("spans.record", f"is no span; {expected}", line, where=where)
            continue
        start, end, labels, text = fields
        wrong = [offset for offset in (start, end) if isinstance(offset, bool) or not isinstance(offset, int)]
        if wrong:
            log.add("spans.offset", f"{_shown(wrong[0])} is no offset; expected an integer", line, where=where)
            continue
        yield from (Item(start, end, label, text, where) for label in labels)


def _of_list(item: Sequence[Any]) -> tuple[Any, Any, list[str], str | None] | None:
    if len(item) != 3 or not isinstance(item[2], str):
        return None
    return item[0], item[1], [item[2]], None


def _of_object(item: Mapping[str, Any]) -> tuple[Any, Any, list[str], str | None] | None:
    names = next((pair for pair in _OFFSETS if item.keys() >= set(pair)), None)
    label, labels, text = item.get("label"), item.get("labels"), item.get("text")
    if isinstance(label, str):
        labels = [label]
    if names is None or not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        return None
    return item[names[0]], item[names[1]], labels, text if isinstance(text, str) else None


def _shown(offset: Any) -> str:
    return "a list or object" if isinstance(offset, list | dict) else json.dumps(offset, ensure_ascii=False)[:40]
