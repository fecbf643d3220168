"""Lines and tables as Markdown.

Text that comes from files is shown in `<pre>` or `<code>` elements, escaped for them: it makes no link, no mention, no element and no
second line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from itertools import groupby

from pytest_nlpeval.reports.blocks import Block, Said, Table, text_of
from pytest_nlpeval.reports.table import RIGHT
from pytest_nlpeval.wording import harmless

MAX_LINE = 1_000
"""How many characters of a line are shown."""

_OURS = RIGHT | {"verdict"}
"""The columns of numbers and of words of our own."""

_MARKUP = re.compile(r"[^\w\s.,:;/=%()'+-]|(?<![^\W_])_|_(?![^\W_])|(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)


def of_blocks(blocks: Iterable[Block]) -> str:
    """Return lines and tables as Markdown: titles as headings, tables as tables, all other lines as they are."""
    lines: list[str] = []
    for is_plain, group in groupby(blocks, lambda block: isinstance(block, Said) and block.look != "title"):
        shown = [line for block in group for line in _shown(block)]
        lines += pre(shown) if is_plain and shown else shown
    return "\n".join(lines)


def _shown(block: Block) -> list[str]:
    if isinstance(block, Table):
        return table_lines(block)
    return [f"### {code(block.text)}", ""] if block.look == "title" else [block.text] * bool(block.text)


def folded(summary: str, inner: Iterable[str]) -> list[str]:
    """Return lines that a reader unfolds, below their summary, which is Markdown like them."""
    return [f"<details><summary>{summary}</summary>", "", *inner, "</details>", ""]


def pre(lines: Iterable[str]) -> list[str]:
    """Return lines as one element that shows them as they are; in it nothing is Markdown."""
    return ["<pre>", *(html.escape(_short(harmless(line)), quote=False) for line in lines), "</pre>", ""]


def _short(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"


def code(text: str) -> str:
    """Return text from a file as an element of one line, in which no character means anything to Markdown or HTML."""
    return f"<code>{_MARKUP.sub(_entity, _short(harmless(text)))}</code>"


def _entity(match: re.Match[str]) -> str:
    entity = f"&#{ord(match.group())};"
    return f"{entity}<!-- -->" if match.group() in "@.:" else entity  # links and mentions are also looked for in finished text


def table_lines(table: Table) -> list[str]:
    """Return the lines of a table, and an empty one."""
    rules = ("--:" if name in RIGHT else "---" for name in table.names)
    header = (_cell("", cell) if isinstance(cell, Said) else cell for cell in table.header)
    rows = (map(_cell, table.names, row) for row in table.rows)
    return [f"| {' | '.join(row)} |" for row in (header, rules, *rows)] + [""]


def _cell(column: str, cell: Said | str) -> str:
    """Return the cell of a table: numbers as they are, anything else so that it means nothing; a chart keeps its blanks."""
    text = harmless(text_of(cell))
    shown = code(text) if text and column not in _OURS else text
    return shown.replace(" ", "&#160;") if isinstance(cell, Said) and cell.look == "chart" else shown
