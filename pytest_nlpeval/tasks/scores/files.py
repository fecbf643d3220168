"""The files of the task: how they are read, what a format has no room for, their cells as text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Literal

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.kit.records import FAULT, Conventions, Field, File, Layout, read_records, text_of
from pytest_nlpeval.kit.records.layout import LINES
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.scores.options import Options
from pytest_nlpeval.tasks.scores.problems import PROBLEMS

Side = Literal[0, 1]
GOLD: Side = 0
SYSTEM: Side = 1

WINDOW_BYTES = 1 << 20

CONVENTIONS = Conventions(
    "scores",
    Dialect.of("scores.json", objects=True, greatest=10**100, constants=True),
    item="item",
    answer="record",
    advice="give each item a record",
)


def file_of(source: Source, options: Options, side: Side, log: ProblemLog) -> File:
    """Return a file of a side."""
    return File(source, options.layouts[side], CONVENTIONS, log)


def has_room(file: File, asked: Collection[str], results: int = 0) -> bool:
    """Whether the format of a file has room for the options that are asked for, and for the results; if not, the log tells."""
    if file.format != LINES:
        return True
    advice = "name the format in the options, or the file *.tsv"
    if results > 1:
        file.add("format", f"is read as lines, which have room for one result, not for {results}; {advice}")
    for option in asked:
        file.add("column", f"is read as lines, which have no fields, but the option {option} names one; {advice}")
    return not file.log.has_errors


def said(cell: object) -> str:
    """Return a cell as text, "" for nothing; of a list or an object its JSON."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return ""
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else text_of(cell) if cell != FAULT else ""


QUOTED = 200


class Quotes:
    """Quotes the text fields of records of a file, which is read once more when a text is wanted first."""

    def __init__(
        self, label: str, reread: Callable[[], Iterator[bytes]], layout: Layout, fields: Sequence[Field], rows: int
    ) -> None:
        """Take what the file is called, how it is read, and how many records it had."""
        self._label, self._reread, self._layout, self._fields, self._rows = label, reread, layout, tuple(fields), rows
        self._columns: list[Sequence[Any]] | None = None

    def columns(self) -> list[Sequence[Any]]:
        """Return the cells of each text field; none if the file has changed."""
        if self._columns is None:
            self._columns = self._read() if self._fields else []
        return self._columns

    def _read(self) -> list[Sequence[Any]]:
        source = Source(self._label, b"".join(self._reread()))
        records = read_records(File(source, self._layout, CONVENTIONS, ProblemLog("", PROBLEMS, room=0)), self._fields)
        if records is None or len(records) != self._rows:
            return []
        return [records.cells(field) for field in self._fields]

    def of(self, row: int) -> list[str]:
        """Return the text fields of a record, each cut to `QUOTED` code points, without those that say nothing."""
        if row < 0:
            return []
        texts = (" ".join(said(cells[row]).split()) for cells in self.columns())
        return [text[:QUOTED] for text in texts if text]

    def whole(self, row: int) -> str:
        """Return all of a record's text fields."""
        return "\n".join(said(cells[row]) for cells in self.columns())
