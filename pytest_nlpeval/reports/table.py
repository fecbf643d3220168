"""A table of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_nlpeval.wording import printable

_RIGHT = frozenset({"documents", "value", "threshold", "distance"})


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
