"""Lines and tables on a terminal: in colours, as wide as it is, with wide characters where they belong.

No other module imports more of rich than the widths of characters. This one is imported when a terminal is shown something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from pytest_nlpeval.reports.blocks import INDENT, OUTLINE, Block, Look, Said, Table, is_chart, is_number, text_of
from pytest_nlpeval.wording import printable

STYLES: Mapping[Look, str] = {
    "title": "bold",
    "fold": "bold",
    "foremost": "bold red",
    "passed": "green",
    "failed": "bold red",
    "good": "green",
    "bad": "bold red",
    "warning": "yellow",
    "faint": "dim",
    "chart": "cyan",
}

GAP = 2
"""Blanks between two columns of a table."""

FOLDED = 16
"""How wide the last column of a table is at least, if one of its words is as wide."""

NARROWEST = 20
"""How wide a chart is at least."""

_END = re.compile(r"(?: |\x1b\[[\d;]*m)+$", re.MULTILINE)


def coloured(blocks: Iterable[Block], stream: TextIO) -> str:
    """Return what a terminal is sent, as wide as it is now; without colours where `NO_COLOR` or `TERM=dumb` says so."""
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    with console.capture() as capture:
        for block in blocks:
            if isinstance(block, Table):
                _print_table(console, block)
            else:
                _print_line(console, block)
    return _END.sub(lambda end: end.group().replace(" ", ""), capture.get())


def _print_line(console: Console, said: Said) -> None:
    """Print a line; what is too long for the terminal continues below its beginning, or further in by its `hang`."""
    indents = chain([said.indent], repeat(said.indent + (said.hang or 0)))
    room = max(console.width - said.indent - (said.hang or 0), 1)
    for indent, line in zip(indents, _text(said._replace(text=said.text.lstrip(" "))).wrap(console, room), strict=False):
        line.pad_left(indent)
        console.print(line)


def _text(said: Said | str) -> Text:
    style = STYLES.get(said.look, "") if isinstance(said, Said) else ""
    return Text(printable(text_of(said)), style, overflow="fold")


def _print_table(console: Console, table: Table) -> None:
    """Print a table; a narrow terminal leaves out as many spare columns as it must, and a line below names them."""
    left_out: list[str] = []
    indent = INDENT if table.prose else 0
    room = console.width - indent
    for columns in table.spare:
        if _least_width(table) <= room:
            break
        left_out += (_called(cell) for cell in table.header if cell in columns)
        table = table.outlined() if columns == OUTLINE else table.without(columns)
    fits = _least_width(table) <= room
    table = _with_narrower_chart(table, room)
    shown = RichTable(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for column, cell in enumerate(table.header, 1):
        is_right = is_number(cell)
        stays = is_right or (fits and column < len(table.header))
        shown.add_column(_text(cell), justify="right" if is_right else "left", no_wrap=stays, overflow="fold")
    for row in table.rows:
        shown.add_row(*map(_text, row))
    console.print(Padding(shown, (0, 0, 0, indent)))
    if left_out:
        console.print(_text(Said(f"(left out, for want of room: {', '.join(left_out)})", "faint")))


def _called(cell: Said | str) -> str:
    return "chart" if is_chart(cell) else text_of(cell)


def _columns(table: Table) -> list[list[str]]:
    return [[printable(text_of(cell)) for cell in column] for column in zip(table.header, *table.rows, strict=True)]


def _width(columns: Iterable[Iterable[str]]) -> int:
    return sum(max(map(cell_len, texts)) + GAP for texts in columns) - GAP


def _least_width(table: Table) -> int:
    """Return how wide a table is at least, with its chart at its narrowest and each word of the last column on a line of its own."""
    *columns, last = _columns(table.narrowed(NARROWEST))
    word = max(cell_len(word) for text in last for word in text.split(" "))
    return _width(columns) + GAP + min(word, FOLDED)


def _with_narrower_chart(table: Table, room: int) -> Table:
    """Return a table whose chart takes no room that the other columns need."""
    size = max((len(text_of(cell)) for cell in table.header if is_chart(cell)), default=0)
    return table.narrowed(max(NARROWEST, size - max(_width(_columns(table)) - room, 0)))


class _Speed(ProgressColumn):
    """How many documents there are in a second."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """Return it, or nothing while it is not known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed and task.total is not None and not task.finished else "")


class _Left(TimeRemainingColumn):
    """The time that is left."""

    def render(self, task: Task) -> Text:
        """Return it, or nothing while it is not known."""
        return Text() if task.finished or task.time_remaining is None else super().render(task).append(" left")


def progress(stream: TextIO) -> Progress:
    """Return a progress bar that vanishes when it stops; its task has a field `documents`, a text."""
    name, documents = (TextColumn(f"{{task.{fact}}}", markup=False) for fact in ("description", "fields[documents]"))
    columns = name, BarColumn(20), documents, _Speed(), _Left(compact=True)
    console = Console(file=stream)
    return Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
