"""Samples of files: what a file begins with, taken apart as far as telling its format needs. Samples never complain; readers do."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import PurePath
from typing import Any, NamedTuple

from pytest_nlpeval.light_dataclasses import frozen_dataclass

HEAD = 1 << 18
"""How many bytes of a file a sample has."""

_MARKS = {".tsv": "\t", ".tab": "\t", ".csv": ","}
MOST_RECORDS = 2_000
"""How many records of a file a sample has at most."""

_FREQUENT = 50
"""A value is frequent that one of so many rows has."""


class Element(NamedTuple):
    """A start tag of XML: the element's name, and its attributes."""

    name: str
    attributes: Mapping[str, str]


@frozen_dataclass(frozen=True)
class Sample:
    r"""A file whose format is unknown. `path` is what a call would name (a pattern with `{doc}`, perhaps), `data` its first bytes.

    A JSON document can be told by all its bytes only: `data` is then the `whole` file, as it is of every file that is short.

    >>> Sample("gold.tsv", b"id\tlabel\n1\ta\n").rows
    [{'id': '1', 'label': 'a'}]
    """

    path: str
    data: bytes = field(repr=False)
    is_whole: bool = True

    @property
    def suffix(self) -> str:
        """The ending of the path, in lower case: `.jsonl`."""
        return PurePath(self.path).suffix.lower()

    @cached_property
    def text(self) -> str:
        """The text; "" of what is not UTF-8."""
        data = self.data.removeprefix(b"\xef\xbb\xbf")
        if not self.is_whole:
            data = data[: data.rfind(b"\n") + 1]
        try:
            return data.decode()
        except UnicodeDecodeError:
            return ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines, blank ones at the end left out."""
        return [line.removesuffix("\r") for line in self.text.rstrip("\r\n \t").split("\n")] if self.text.strip() else []

    @cached_property
    def elements(self) -> list[Element]:
        """The start tags of XML, the root's first; none of anything else."""
        return list(_elements(self.text)) if self.text.lstrip().startswith("<") else []

    @property
    def root(self) -> str:
        """The name of the root element of XML; "" of anything else."""
        return self.elements[0].name if self.elements else ""

    @cached_property
    def document(self) -> Any:
        """The value of a JSON document; None of several lines of JSON, and of anything else."""
        return _json(self.text) if self.is_whole and self.text.lstrip()[:1] in ("{", "[") else None

    @cached_property
    def json_lines(self) -> list[dict[str, Any]]:
        """The objects of JSON Lines; none if a line is something else."""
        records: list[dict[str, Any]] = []
        for line in self.lines[:MOST_RECORDS]:
            value = _json(line) if line.lstrip().startswith("{") else {} if not line.strip() else None
            if not isinstance(value, dict):
                return []
            if line.strip():
                records.append(value)
        return records

    @cached_property
    def lists(self) -> list[list[Any]]:
        """The records of JSON that are lists, in one list or one on each line, as a pipeline returns them for several texts.

        None of a file with any other record.
        """
        if isinstance(self.document, list):
            values = self.document[:MOST_RECORDS]
        else:
            values = list(map(_json, self.lines[:MOST_RECORDS])) if self.text.lstrip().startswith("[") else []
        return values if all(isinstance(value, list) for value in values) else []

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The records of a table with a header, of JSON Lines, or of the list of objects in a JSON document; none of anything else."""
        if mark := _MARKS.get(self.suffix):
            return _rows(self.lines, mark)
        if self.items:
            return _lists_in(self.document)[self.items][:MOST_RECORDS]
        return _lists_in(self.document).get("", [])[:MOST_RECORDS] or self.json_lines

    @cached_property
    def without_header(self) -> Sample | None:
        r"""A table whose first line is a record like the others, its columns named by their numbers, from 1; None of anything else.

        A first line has no names if one of its cells is a frequent value of its own column: the label of the first item. The numbers
        from 0 that pandas writes above columns without names are names.

        >>> Sample("gold.tsv", b"1\ta\n2\tb\n3\ta\n").without_header.rows
        [{'1': '1', '2': 'a'}, {'1': '2', '2': 'b'}, {'1': '3', '2': 'a'}]
        """
        mark = _MARKS.get(self.suffix)
        names = [name for name in self.fields if name] if mark else []
        if not mark or not self.rows or names == [str(number) for number in range(len(names))]:
            return None
        if not any(self.column(name).count(name) * _FREQUENT >= len(self.rows) for name in names):
            return None
        header = mark.join(str(number) for number in range(1, len(self.fields) + 1))
        return Sample(self.path, f"{header}\n{self.text}".encode(), self.is_whole)

    @cached_property
    def items(self) -> str:
        """The path of the only list of objects in a JSON document; "" where there is none, where there are several, and of a bare list.

        A file of JSON Lines with a single line is no document.
        """
        if self.suffix in (".jsonl", ".ndjson") and self.json_lines:
            return ""
        lists = _lists_in(self.document)
        return next(iter(lists)) if len(lists) == 1 else ""

    @property
    def has_all_rows(self) -> bool:
        """Whether the records are all that the file has."""
        return self.is_whole and len(self.rows) < MOST_RECORDS

    @property
    def fields(self) -> list[str]:
        """The names of the fields that the first records have, in their order."""
        return list(dict.fromkeys(name for row in self.rows[:50] for name in row))

    def column(self, name: str) -> list[Any]:
        """Return a field's value in each record, None where there is none."""
        return [row.get(name) for row in self.rows]


@frozen_dataclass(frozen=True)
class Samples:
    """What is to be recognised: a file of gold, the system's that answers it, and `others` that lie near them and may have a role."""

    gold: Sample
    system: Sample
    others: Sequence[Sample] = ()

    def like(self, root: str) -> list[Sample]:
        """Return the others that are XML with a root element of this name."""
        return [other for other in self.others if other.root == root]


_NO_ELEMENTS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_TAG = re.compile(r"<([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_ATTRIBUTE = re.compile(r"([\w.:-]+)\s*=\s*[\"']([^\"']*)")


def _elements(text: str) -> Iterator[Element]:
    """Yield the start tags of XML, as far as it goes; nothing is searched twice, however hostile the text."""
    at = 0
    while (start := text.find("<", at)) >= 0:
        end = next((end for begin, end in _NO_ELEMENTS if text.startswith(begin, start)), "")
        tag = None if end else _TAG.match(text, start)
        if tag:
            yield Element(tag[1], dict(_ATTRIBUTE.findall(tag[2])))
        at = tag.end() if tag else text.find(end, start) + len(end) if end else start + 1
        if end and at < len(end) + start:
            return


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _lists_in(value: Any, path: str = "", levels: int = 3) -> dict[str, list[Any]]:
    """Return the lists of objects in a JSON document that no other list holds, by their paths."""
    if isinstance(value, list):
        return {path: value} if value and all(isinstance(record, dict) for record in value) else {}
    if not isinstance(value, dict) or not levels:
        return {}
    inner = ((f"{path}.{key}".lstrip("."), held) for key, held in value.items() if isinstance(held, dict | list))
    return {place: found for key, held in inner for place, found in _lists_in(held, key, levels - 1).items()}


def _rows(lines: Sequence[str], mark: str) -> list[dict[str, Any]]:
    """Return the rows of a table; none if it has no header of different names, or a row with another number of fields.

    A header without the mark that the file's ending promises is parted at another one: so the fields are known, and the readers say what
    is wrong with the marks.
    """
    if lines and mark not in lines[0]:
        mark = next((other for other in (",", "\t", ";", "|") if other in lines[0]), mark)
    if mark != "\t":
        try:
            table = [row for row in csv.reader((line + "\n" for line in lines), delimiter=mark) if row]
        except csv.Error:
            return []
    else:
        table = [line.split(mark) for line in lines]
    header = [name.strip(" \t") for name in table[0]] if table else []
    if len(set(header)) != len(header) or any(len(row) != len(header) for row in table):
        return []
    return [dict(zip(header, (cell.strip(" \t") or None for cell in row), strict=True)) for row in table[1 : MOST_RECORDS + 1]]
