"""Tables of plain text, aligned for people or separated by commas for programs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from pytest_nlpeval.wording import printable

_RIGHT = frozenset({"documents", "value", "threshold", "distance", "difference", "low", "high", "p", "adjusted"})


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, columns aligned (numbers to the right), cells escaped; no line ends in blanks."""
    cells = [tuple(header), *(tuple(printable(cell) for cell in row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned = (
        "  ".join(
            cell.rjust(width) if name in _RIGHT else cell.ljust(width)
            for name, cell, width in zip(header, row, widths, strict=True)
        )
        for row in cells
    )
    return [line.rstrip() for line in aligned]


def csv_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a CSV file; each cell is on one line, and so marked that a spreadsheet does not take a text for a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(_safe, row) for row in rows)
    return stream.getvalue()


def cell(value: float | None) -> str:
    """Return a number unrounded, "" for none."""
    return "" if value is None else repr(value)


def _safe(text: str) -> str:
    safe = printable(text)
    return f"'{safe}" if safe.startswith(("=", "+", "-", "@")) and not _is_number(safe) else safe


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-\d+(\.\d+)?(e-?\d+)?", text) is not None
