"""Reads JSON: an object of topics, or an object per line with a topic each; the documents of either are objects or lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Repeated, read_json, read_json_lines
from pytest_nlpeval.kit.records import Field, Path, kind_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ranking.ids import Ids
from pytest_nlpeval.tasks.ranking.lists import Lists, place_of
from pytest_nlpeval.tasks.ranking.options import GOLD, Options, Side
from pytest_nlpeval.tasks.ranking.records import DIALECT, Described
from pytest_nlpeval.wording import quoted


def read_json_file(
    source: Source, options: Options, side: Side, log: ProblemLog, *, by_line: bool
) -> tuple[Lists, Described | None]:
    """Return what a file holds, and of JSON Lines also what it says of the topics; what is wrong goes to the log."""
    reader = _Reader(options, side, log)
    numbers = [key for key in (*options.keys(side), options.group) if isinstance(key, int)]
    if numbers:
        log.add("ranking.column", f"column {numbers[0]} is asked for, but the file is JSON; give the name of a key")
        return reader.lists(), None
    if by_line:
        for line, value in read_json_lines(source, log, DIALECT):
            reader.take_line(value, line)
        return reader.lists(), reader.described
    if entry := read_json(source, log, DIALECT):
        reader.take_document(entry.value)
    return reader.lists(), None


@dataclass(slots=True)
class _Reader:
    """Gathers topics and the rows of their documents."""

    options: Options
    side: Side
    log: ProblemLog
    topics: dict[str, bool] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    described: Described = field(default_factory=Described)

    @property
    def number(self) -> str:
        """What the number of a document is called."""
        return "grade" if self.side == GOLD else "score"

    def lists(self) -> Lists:
        """Return what was gathered; of a run, the topics with lists stand by place, and with `order: rank` all."""
        by_place = np.array(list(self.topics.values()), np.bool_)
        return Lists(
            tuple(self.topics),
            np.array(self.rows, np.int32),
            Ids.of(self.names),
            np.array(self.values, np.float64),
            np.array(self.lines, np.int32),
            by_place,
        )

    def take_document(self, value: Any) -> None:
        """Take an object of topics."""
        if not isinstance(value, dict):
            self._shape(f"expected one object, with the documents of each topic, got {kind_of(value)}", None)
            return
        for name, documents in value.pairs if isinstance(value, Repeated) else value.items():
            self._take_topic(name, documents, None)

    def take_line(self, record: dict[str, Any], line: int) -> None:
        """Take the topic of a line."""
        id_key, _, key = self.options.keys(self.side)
        name, documents = (_followed(record, wanted) for wanted in (id_key, key))
        if isinstance(record, Repeated):
            self._shape("a key stands twice in the object; keep one of the two", line)
        for wanted, found in ((id_key, name), (key, documents)):
            if found is None:
                self._shape(
                    f"expected the key `{wanted}`, found {', '.join(f'`{own}`' for own in list(record)[:6]) or 'no key'}", line
                )
        if name is None or documents is None:
            return
        topic = self._id(name, "topic", line, "")
        if topic is not None and self._take_topic(topic, documents, line):
            group = None if self.options.group is None else _followed(record, self.options.group)
            self.described.take(topic, _followed(record, self.options.text), group, line)

    def _take_topic(self, name: str, documents: Any, line: int | None) -> bool:
        """Take the documents of a topic; return whether it is the first of its name."""
        where = "" if line else place_of(name)
        if not name:
            self._shape("the id of a topic is empty", line)
            return False
        if name in self.topics:
            self.log.add(
                "ranking.duplicate-topic", f"the topic {quoted(name)} stands in the file already; keep one", line, where=where
            )
            return False
        self.topics[name] = isinstance(documents, list) or self.options.order == "rank"
        if not isinstance(documents, list | dict):
            self._shape(f"expected an object or a list of documents, got {kind_of(documents)}", line, where)
            return True
        pairs = self._of_list(documents, line, name) if isinstance(documents, list) else self._of_object(documents, line, name)
        before = len(self.names)
        for document, value in pairs:
            self.names.append(document)
            self.values.append(value)
        self.rows += [len(self.topics) - 1] * (len(self.names) - before)
        self.lines += [line or 0] * (len(self.names) - before)
        return True

    def _of_object(self, documents: dict[str, Any], line: int | None, topic: str) -> Iterator[tuple[str, float]]:
        pairs: Iterable[tuple[str, Any]] = documents.pairs if isinstance(documents, Repeated) else documents.items()
        by_place = self.side != GOLD and self.options.order == "rank"
        for place, (name, value) in enumerate(pairs, 1):
            where = place_of(topic, name)
            if not name:
                self._shape("the id of a document is empty", line, place_of(topic))
            is_number = type(value) in {float, int} and not math.isinf(value)
            if not is_number:
                got = "one beyond the greatest" if type(value) is float else kind_of(value)
                self.log.add(f"ranking.{self.number}", f"expected a number, got {got}", line, where=where)
            yield name, float(-place if by_place else value) if is_number else math.nan

    def _of_list(self, documents: list[Any], line: int | None, topic: str) -> Iterator[tuple[str, float]]:
        key = self.options.keys(self.side)[1]
        for place, entry in enumerate(documents, 1):
            where = place_of(topic)
            if isinstance(entry, Repeated):
                self._shape(f"a key stands twice in the object at place {place}; keep one of the two", line, where)
            name = _followed(entry, key) if isinstance(entry, dict) else entry
            if name is None:
                self._shape(f"the document at place {place} has no key `{key}`; name it in the option `document`", line, where)
                continue
            document = self._id(name, "document", line, where)
            if document is not None:
                yield document, 1.0 if self.side == GOLD else float(-place)

    def _id(self, value: object, what: str, line: int | None, where: str) -> str | None:
        """Return an id as text; None with a problem in the log if it is none."""
        if type(value) is int:
            return str(value)
        if not isinstance(value, str):
            self._shape(f"the id of a {what} is {kind_of(value)}; expected a string or a whole number", line, where)
            return None
        if not value:
            self._shape(f"the id of a {what} is empty", line, where)
        return value or None

    def _shape(self, message: str, line: int | None, where: str = "") -> None:
        self.log.add("ranking.shape", message, line, where=where)


def _followed(record: dict[str, Any], key: Field) -> Any:
    """Return what a key or path leads to; lists stay lists."""
    return Path.of(str(key)).follow(record, is_list=True)
