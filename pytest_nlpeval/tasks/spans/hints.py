"""Which format a file seems to be in: said where it cannot be read as the one that it should be in."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from pytest_nlpeval.tasks.spans.options import Format
from pytest_nlpeval.tasks.spans.tags import parse_tag

_T_LINE = re.compile(r"T[^\s]+\t[^\s]+ [0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*(?:\t.*)?")


class Hint(NamedTuple):
    """What to say about a file's first line that is not blank."""

    line: int
    text: str

    def at(self, line: int) -> str:
        """Return the end of a message about a line."""
        return self.text if line == self.line else ""


def hint_of(data: bytes, expected: Format) -> Hint:
    """Return the hint at another format than the `expected` one; "" if the file does not look like any."""
    start = len(data) - len(data.lstrip(b" \t\n"))
    end = data.find(b"\n", start)
    line = data[start : len(data) if end < 0 else end].decode(errors="replace").rstrip(" \t\r")
    form = _format_of(line)
    is_another = form is not None and form != expected
    return Hint(data.count(b"\n", 0, start) + 1, f"; the file looks like `format: {form}`" if is_another else "")


def is_brat_line(line: str) -> bool:
    """Whether a line says what brat's T lines say: an id, a label and offsets."""
    return _T_LINE.fullmatch(line) is not None


def _format_of(line: str) -> Format | None:
    if is_brat_line(line):
        return "brat"
    if line.startswith("{"):
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            return None
        return "jsonl"
    columns = line.split("\t") if "\t" in line else line.split(" ")
    return "conll" if len(columns) > 1 and parse_tag(columns[-1]) else None
