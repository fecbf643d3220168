"""The spans of a JSON record, as spaCy, Prodigy, doccano, Label Studio, Presidio and Hugging Face's pipelines write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_nlpeval.kit.records import AmbiguousError, Path
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.spans.options import Shape


class Item(NamedTuple):
    """A span of a record: its offsets, its label, the text that it says it covers, if any, and what messages call it."""

    start: int
    end: int
    label: str
    text: str | None
    where: str


_Parts = tuple[Any, Any, list[str], str | None]
"""Start, end, labels and covered text of an item."""

_COVERED_TEXT = ("text", "value.text")


class ItemReader:
    """Reads the items of records whose shape is known."""

    def __init__(self, shape: Shape, log: ProblemLog) -> None:
        self._log = log
        self._paths = {part: [Path.of(path) for path in shape.paths(part)] for part in ("start", "end", "label")}
        length = max(len(self._paths["start"]), len(self._paths["end"]))
        for part in ("start", "end"):  # an option names one path, which goes with each of the usual ones of the other part
            self._paths[part] = self._paths[part] * length if len(self._paths[part]) < length else self._paths[part]
        self._paths["text"] = [Path.of(path) for path in _COVERED_TEXT]
        self._first_keys = [self._paths[part][0].written for part in ("start", "end", "label")]

    def read(self, items: Sequence[Any], name: str, line: int) -> Iterator[Item]:
        """Yield the spans of a list with a `name` for messages; one that is none, or whose offsets are no integers, is a problem."""
        for rank, item in enumerate(items):
            where = f"{name}[{rank}]"
            parts = _of_list(item) if isinstance(item, list) else self._of_object(item) if isinstance(item, dict) else None
            if parts is None:
                self._log.add("spans.record", f"is no span; {self._expected(item)}", line, where=where)
                continue
            start, end, labels, text = parts
            wrong = [offset for offset in (start, end) if isinstance(offset, bool) or not isinstance(offset, int)]
            if wrong:
                self._log.add("spans.offset", f"{_shown(wrong[0])} is no offset; expected an integer", line, where=where)
                continue
            yield from (Item(start, end, label, text, where) for label in labels)

    def _of_object(self, item: Mapping[str, Any]) -> _Parts | None:
        start, end, label = (item.get(key) for key in self._first_keys)  # nearly all items have these keys: no path is followed
        if start is None or end is None:
            start, end = next((pair for pair in self._offsets(item) if None not in pair), (None, None))
        if label is None:
            label = self._part("label", item)
        text = item.get("text")
        labels = [label] if isinstance(label, str) else label
        if start is None or not isinstance(labels, list) or not all(isinstance(name, str) for name in labels):
            return None
        if text is None and "value" in item:  # where Label Studio writes it
            text = self._part("text", item)
        return start, end, labels, text if isinstance(text, str) else None

    def _offsets(self, item: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
        """Yield what stands at each pair of paths of start and end."""
        for start, end in zip(self._paths["start"], self._paths["end"], strict=True):
            yield _at(start, item), _at(end, item)

    def _part(self, part: str, item: Mapping[str, Any]) -> Any:
        """Return what stands at the first of a part's paths that leads to anything, None for nothing."""
        return next((value for path in self._paths[part] if (value := _at(path, item)) is not None), None)

    def _expected(self, item: Any) -> str:
        if isinstance(item, dict) and isinstance(item.get("entity"), str) and self._part("label", item) is None:
            return 'it is a token of a pipeline; call the pipeline with aggregation_strategy="simple"'
        names = [f'"{self._paths[part][0].written}"' for part in ("start", "end", "label")]
        return f"expected [start, end, label], or an object with {names[0]}, {names[1]} and {names[2]}"


def _at(path: Path, item: Mapping[str, Any]) -> Any:
    """Return what stands at a path, None for nothing; a list stays one."""
    if path.is_key:
        return item.get(path.steps[0].written)
    try:
        return path.follow(item, is_list=True)
    except AmbiguousError:
        return None


def _of_list(item: Sequence[Any]) -> _Parts | None:
    if len(item) != 3 or not isinstance(item[2], str):
        return None
    return item[0], item[1], [item[2]], None


def _shown(offset: Any) -> str:
    return "a list or object" if isinstance(offset, list | dict) else json.dumps(offset, ensure_ascii=False)[:40]
