"""What a person reads, in lines and tables that know neither a terminal nor a file format; and how it looks as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pytest_nlpeval.reports.table import table
from pytest_nlpeval.wording import printable

Look = Literal["", "title", "good", "bad", "warning", "faint", "chart"]
"""What a text is, for places that have colours; a chart is drawn in characters of one width."""


class Said(NamedTuple):
    """A line, or the cell of a table."""

    text: str
    look: Look = ""


OUTLINE: tuple[str, ...] = ()
"""Among the columns that a narrow place leaves out: now the first column's cells become lines above their rows."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `spare` are the columns that a narrow place leaves out, those that it misses least first; some go together."""

    header: Sequence[Said | str]
    rows: Sequence[Sequence[Said | str]]
    spare: Sequence[tuple[str, ...]] = ()

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [text_of(cell) for cell in self.header]

    def without(self, names: Iterable[str]) -> Table:
        """Return the table without the columns of those names."""
        leaving = set(names)
        gone = {place for place, name in enumerate(self.names) if name in leaving}
        header, *rows = ([cell for place, cell in enumerate(row) if place not in gone] for row in (self.header, *self.rows))
        return replace(self, header=header, rows=rows)

    def outlined(self) -> Table:
        """Return the table without its first column: what that says stands in lines above the rows that it is said of."""
        rows: list[Sequence[Said | str]] = []
        for head, cell, *others in self.rows:
            if text_of(head):
                rows.append([Said(text_of(head), "title"), *("" for _ in others)])
            rows.append([f"  {text_of(cell)}", *others])
        return replace(self, header=self.header[1:], rows=rows)

    def compact(self, *names: str) -> Table:
        """Return the table without those of the columns in which no row says anything."""
        said = [any(text_of(cell) not in ("", "-") for cell in column) for column in zip(*self.rows, strict=True)]
        kept = {name for name, says in zip(self.names, said, strict=bool(self.rows)) if says}
        return self.without(name for name in names if name not in kept)


Block = Said | Table


def text_of(cell: Said | str) -> str:
    """Return the text of a cell."""
    return cell.text if isinstance(cell, Said) else cell


def look_of(row: Sequence[Said | str]) -> Look:
    """Return the look of a row: that of its first cell that has one."""
    return next((cell.look for cell in row if isinstance(cell, Said) and cell.look), "")


def table_lines(block: Table) -> list[str]:
    """Return the lines of a table as plain text, the first of which is the header."""
    return table(block.names, ([text_of(cell) for cell in row] for row in block.rows))


def joined(parts: Iterable[Sequence[Block]]) -> list[Block]:
    """Return the parts that are not empty, an empty line between each two."""
    return [block for part in parts if part for block in (Said(""), *part)][1:]


def plain(blocks: Iterable[Block]) -> str:
    """Return plain text: every line escaped for a terminal and a CI runner, columns aligned by blanks."""
    return "".join(f"{line}\n" for block in blocks for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    yield from table_lines(block) if isinstance(block, Table) else (printable(block.text),)
