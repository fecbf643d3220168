"""Tables of plain text, aligned for people or separated by commas for programs."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence

from pytest_nlpeval.wording import harmless, printable

SIGNS = "✓✗–−…→≤≥·"
"""What tables have beside ASCII when no name has more: each takes one column. rich need not be imported to know that."""

_WITHOUT_SIGNS = {ord(sign): "" for sign in SIGNS}


def table(header: Sequence[str], rows: Iterable[Sequence[str]], to_the_right: Sequence[bool]) -> list[str]:
    """Return the lines of a table, columns aligned, those that say so to the right, cells escaped; no line ends in blanks."""
    cells = [tuple(map(printable, row)) for row in (header, *rows)]
    widths = [max(map(_columns, column)) for column in zip(*cells, strict=True)]
    align = [_to_the_right if is_right else _to_the_left for is_right in to_the_right]
    lines = ([aligned(cell, width) for aligned, cell, width in zip(align, row, widths, strict=True)] for row in cells)
    return ["  ".join(line).rstrip() for line in lines]


def _to_the_left(cell: str, width: int) -> str:
    return cell + " " * (width - _columns(cell))


def _to_the_right(cell: str, width: int) -> str:
    return " " * (width - _columns(cell)) + cell


def _columns(text: str) -> int:
    """Return how many columns a text takes on any terminal; without "latest", rich takes the version of Unicode from the environment."""
    if text.translate(_WITHOUT_SIGNS).isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text, "latest")


def csv_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a CSV file; each cell is one line, and a text that a spreadsheet would take for a formula begins with `'`."""
    import csv

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(_safe, row) for row in rows)
    return stream.getvalue()


def cell(value: float | None) -> str:
    """Return a number unrounded, "" for none."""
    return "" if value is None else repr(value)


def _safe(text: str) -> str:
    safe = harmless(text)
    return f"'{safe}" if safe.startswith(("=", "+", "-", "@")) and not _is_number(safe) else safe


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-\d+(\.\d+)?(e[+-]?\d+)?", text) is not None
