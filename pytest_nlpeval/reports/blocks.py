"""What a person reads, as lines and tables without a terminal or a file format; and these as plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import Literal, NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.reports.table import table
from pytest_nlpeval.wording import printable

Look = Literal[
    "", "title", "fold", "foremost", "passed", "failed", "good", "bad", "warning", "faint", "chart", "number", "measure"
]
"""What a text is: a place that has colours shows it by them.

A `foremost` line is neither folded nor cut before anything else. A `fold` is the title of what follows in its part; a page shows that
when a reader unfolds it. `passed` and `failed` is the verdict on all.
A `chart` is drawn in characters of one width. In the header of a table `number` is the heading of a column of numbers, and `measure` that
of one that a measure's name heads, which may be any name, ours among them.
"""

PROSE = 100
"""How wide prose is in plain text."""

INDENT = 2
"""Blanks before a table whose last column is prose."""

MARKS = " -|o"
"""What charts are drawn with; of two marks in one place the later one is seen."""


class Said(NamedTuple):
    """A line, or the cell of a table. A line with a `hang` is prose: plain text folds it, its further lines indented by `hang` more."""

    text: str
    look: Look = ""
    hang: int | None = None

    @property
    def indent(self) -> int:
        """How many blanks it begins with."""
        return len(self.text) - len(self.text.lstrip(" "))


Cells = tuple[Said | str, ...]

OUTLINE: Cells = ()
"""Stands among the `spare` columns of a table for a step that keeps its first column: the cells become lines above their rows."""


@light_dataclass(frozen=True, slots=True)
class Table:
    """A table. `spare` are the columns that a narrow terminal leaves out, groups of cells of the header, the least important first.

    In a table with `prose` the last column is prose, which plain text folds.
    """

    header: Sequence[Said | str]
    rows: Sequence[Sequence[Said | str]]
    spare: Sequence[Cells] = ()
    prose: bool = False

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [text_of(cell) for cell in self.header]

    def without(self, columns: Collection[Said | str]) -> Table:
        """Return the table without the columns that these cells of its header head."""
        stays = [cell not in columns for cell in self.header]
        header, *rows = (list(compress(row, stays)) for row in (self.header, *self.rows))
        return replace(self, header=header, rows=rows)

    def narrowed(self, width: int) -> Table:
        """Return the table with its charts in `width` characters, or in fewer if they are drawn so."""
        header, *rows = ([_narrowed(cell, width) for cell in row] for row in (self.header, *self.rows))
        return replace(self, header=header, rows=rows)

    def outlined(self) -> Table:
        """Return the table without its first column, whose cells are lines above their rows."""
        rows: list[Sequence[Said | str]] = []
        for head, cell, *cells in self.rows:
            if text_of(head):
                rows.append([Said(text_of(head), "title"), *("" for _ in cells)])
            rows.append([f"  {text_of(cell)}", *cells])
        return replace(self, header=self.header[1:], rows=rows)

    def filled(self) -> Table:
        """Return a table that can be outlined with a first cell in every row: an empty one stands for the one above."""
        if OUTLINE not in self.spare:
            return self
        rows: list[Sequence[Said | str]] = []
        for head, *cells in self.rows:
            rows.append([head if text_of(head) or not rows else rows[-1][0], *cells])
        return replace(self, rows=rows)

    def compact(self, *columns: Said | str) -> Table:
        """Return the table without those of the columns that are empty in every row."""
        filled = [any(text_of(cell) not in ("", "-") for cell in column) for column in zip(*self.rows, strict=True)]
        return self.without(set(columns) - set(compress(self.header, filled)))


def _narrowed(cell: Said | str, width: int) -> Said | str:
    """Return a cell, a chart in at most `width` characters: of marks that share a character the last of `MARKS`, of a scale its ends."""
    size = len(text_of(cell))
    if not is_chart(cell) or size <= width:
        return cell
    text = text_of(cell)
    if text.strip(MARKS):
        least, greatest = text.split()
        return Said(f"{least} {greatest.rjust(width - len(least) - 1)}", "chart")
    shares = (text[column * size // width : (column + 1) * size // width] for column in range(width))
    return Said("".join(max(marks, key=MARKS.index) for marks in shares), "chart")


Block = Said | Table


def text_of(cell: Said | str) -> str:
    """Return the text of a cell."""
    return cell.text if isinstance(cell, Said) else cell


def numbers(*names: str) -> tuple[Said, ...]:
    """Return the headings of columns of numbers."""
    return tuple(Said(name, "number") for name in names)


def is_number(heading: Said | str) -> bool:
    """Whether a cell of a header heads numbers, which end at the right."""
    return isinstance(heading, Said) and heading.look in ("number", "measure")


def is_chart(cell: Said | str) -> bool:
    """Whether a cell is a chart, or the scale of one."""
    return isinstance(cell, Said) and cell.look == "chart"


def look_of(row: Sequence[Said | str]) -> Look:
    """Return the look of a row: that of its first cell that has one."""
    return next((cell.look for cell in row if isinstance(cell, Said) and cell.look), "")


def table_lines(block: Table) -> list[str]:
    """Return the lines of a table as plain text, the first of which is the header."""
    return table(block.names, ([text_of(cell) for cell in row] for row in block.rows), [*map(is_number, block.header)])


def joined(parts: Iterable[Sequence[Block]]) -> list[Block]:
    """Return the parts that are not empty, an empty line between each two."""
    return [block for part in parts if part for block in (Said(""), *part)][1:]


def problem_blocks(lines: Iterable[str]) -> Iterator[Said]:
    """Yield the lines of problems, errors and warnings in looks of their own."""
    yield from (Said(line, "warning" if line.endswith("[warning]") else "bad") for line in lines)


def plain(blocks: Iterable[Block]) -> str:
    """Return plain text: every line escaped for a terminal and a CI runner, columns aligned by blanks, prose folded."""
    return "".join(f"{line}\n" for block in blocks for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield from (f"{' ' * INDENT}{line}" for line in table_lines(_folded(block))) if block.prose else table_lines(block)
    elif block.hang is None:
        yield printable(block.text)
    else:
        yield from folded(printable(block.text.lstrip(" ")), " " * block.indent, " " * (block.indent + block.hang))


def lines_within(block: Table, width: int) -> list[tuple[str, Look]]:
    """Return the lines of a table in at most `width` columns, if its columns allow that, each with the look of its row.

    Spare columns are left out, but for the last ones if folding the last column helps.
    """
    *droppable, last = [columns for columns in block.spare if columns != OUTLINE] or [()]
    for columns in droppable:
        if max(map(len, table_lines(block))) > width:
            block = block.without(columns)
    folded_block = _folded(block, width, 16)
    if max(map(len, table_lines(folded_block))) > width:
        folded_block = _folded(block.without(last), width, 16)
    looks = [look_of(row) for row in folded_block.rows]
    for place, row in enumerate(folded_block.rows):
        if place and not text_of(row[0]):
            looks[place] = looks[place - 1]
    return list(zip(table_lines(folded_block), ("title", *looks), strict=True))


def _folded(block: Table, width: int = PROSE - INDENT, least: int = 32) -> Table:
    """Return a table whose last column is folded to the room that the others leave, on further rows."""
    columns = [[printable(text_of(cell)) for cell in column] for column in zip(block.header, *block.rows, strict=True)]
    room = width - sum(max(map(len, column)) + 2 for column in columns[:-1])
    rows: list[Sequence[Said | str]] = []
    for *cells, text in block.rows:
        first, *more = textwrap.wrap(text_of(text), max(room, least), break_on_hyphens=False) or [""]
        rows += [[*cells, first], *([*("" for _ in cells), line] for line in more)]
    return replace(block, rows=rows)


def folded(text: str, indent: str, further: str) -> list[str]:
    """Return the lines of prose, none of an empty text; only a word can be longer than `PROSE`."""
    return textwrap.wrap(
        text, PROSE, initial_indent=indent, subsequent_indent=further, break_on_hyphens=False, break_long_words=False
    )
