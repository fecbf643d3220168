"""Lines and tables as Markdown, which has a limit of size.

Text that comes from files is shown in `<pre>` or `<code>` elements, escaped for them: it makes no link, no mention, no element and no
second line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from pytest_nlpeval.reports.blocks import Block, Look, Said, Table, is_number, look_of, text_of
from pytest_nlpeval.reports.cutting import Piece, fitting
from pytest_nlpeval.wording import harmless, plural

SUMMARY_LIMIT = 900_000
"""Bytes for a job summary, which may have 1 MiB."""

ROOM_OF_REMARK = 200
"""Bytes for the sentence that says how much is left out."""

MOST_UNFOLDED = 200
"""How many explanations, changes and documents of a suite a reader can unfold."""

OPEN_LINES = 30
"""How many lines are open at once; the others are folded."""

MAX_LINE = 1_000
"""How many characters of a line are shown."""

FOREMOST, TABLE, LINES, FOLDED = range(4)
"""The ranks of what is cut, the last one first."""

_VERDICTS: tuple[Look, ...] = ("passed", "failed")
_MARKS: Mapping[Look, str] = {"passed": "✅", "failed": "❌", "good": "✅", "bad": "❌", "warning": "⚠️"}

_MARKUP = re.compile(
    r"[^\w\s.,:;/=%()'+≥≤→⊢…–−-]|(?<![^\W_])_|_(?![^\W_])|(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):|(?<=gh)-(?=\d)",
    re.IGNORECASE,
)


def of_blocks(blocks: Iterable[Block], limit: int | None = None) -> str:
    """Return lines and tables as Markdown of at most `limit` bytes of UTF-8, by default `SUMMARY_LIMIT`.

    The verdict comes first and is never cut; then come the parts that are open, then those that have folds. What there is no room for is
    left out and counted: folded lines first, then open lines, then rows of open tables, and last the rows of gates that fail.
    """
    parts = [list(part) for has_text, part in groupby(blocks, _has_text) if has_text]
    verdict = "".join(_verdict(part) for part in parts)
    pieces = [piece for part in sorted(parts, key=_has_fold) if not _verdict(part) for piece in _pieces(part)]
    lines, left_out = fitting(pieces, (SUMMARY_LIMIT if limit is None else limit) - len(verdict.encode()) - ROOM_OF_REMARK)
    remark = [f"{plural(left_out, 'line')} left out for want of room; the JSON report has everything."] if left_out else []
    return "\n".join([verdict, *lines, *remark]).strip("\n") + "\n"


def parts_of_blocks(parts: Iterable[Sequence[Block]], rank: int) -> Iterator[Piece]:
    """Yield the pieces of parts that are all cut at the same `rank`."""
    for part in parts:
        for piece in _pieces(part):
            yield replace(piece, rank=rank)


def safe(text: str) -> str:
    """Return text on one line, in which no character means anything to Markdown or HTML."""
    return _escaped(_short(harmless(text)))


def _has_text(block: Block) -> bool:
    return isinstance(block, Table) or block.text != ""


def _verdict(part: Sequence[Block]) -> str:
    """Return the heading of a part that is the verdict; "" of any other."""
    said, *more = part
    if isinstance(said, Table) or said.look not in _VERDICTS or more:
        return ""
    return f"## {_MARKS[said.look]} {_escaped(said.text)}\n"


def _has_fold(part: Iterable[Block]) -> bool:
    return any(isinstance(block, Said) and block.look == "fold" for block in part)


def _is_open(part: Iterable[Block]) -> bool:
    """Whether a part has more than titles before its first fold."""
    before = takewhile(lambda block: isinstance(block, Table) or block.look != "fold", part)
    return any(isinstance(block, Table) or block.look != "title" for block in before)


def _pieces(part: Sequence[Block]) -> Iterator[Piece]:
    """Yield the pieces of a part: headings, tables and lines; what follows the title of a fold is folded below it."""
    title = ""
    for is_line, group in groupby(part, lambda block: isinstance(block, Said) and block.look not in ("title", "fold")):
        if is_line:
            lines = [block for block in group if isinstance(block, Said)]
            yield from _line_pieces([line.text for line in lines], title, is_foremost=lines[0].look == "foremost")
            continue
        for block in group:
            if isinstance(block, Table):
                yield _below(title, _table_piece(block))
            elif block.look == "fold":
                title = code(block.text.removesuffix(":"))
            else:
                yield Piece(TABLE if _is_open(part) else FOLDED, [f"### {code(block.text)}", ""])


def _line_pieces(lines: Sequence[str], title: str, *, is_foremost: bool) -> Iterator[Piece]:
    """Yield lines that are shown as they are, in which nothing is Markdown.

    Of many that are open, all but the first are folded, unless the part is foremost.
    """
    shown = [html.escape(_short(harmless(line)), quote=False) for line in lines]
    first = len(lines) if title or is_foremost else OPEN_LINES
    yield _below(title, Piece(FOREMOST if is_foremost else LINES, ["<pre>"], shown[:first], ["</pre>", ""]))
    if shown[first:]:
        more = plural(len(shown) - first, "more line")
        yield _below(more, Piece(LINES, ["<pre>"], shown[first:], ["</pre>", ""]))


def _table_piece(table: Table) -> Piece:
    header, rules, *rows = table_lines(table)
    bad = {rank for rank, row in enumerate(table.rows) if look_of(row) == "bad"}
    return Piece(TABLE, [header, rules], rows, [""], bad)


def _below(title: str, piece: Piece) -> Piece:
    """Return a piece that a reader unfolds, below a title in Markdown; as it is if there is none."""
    if not title:
        return piece
    start = [f"<details><summary>{title}</summary>", "", *piece.start]
    return replace(piece, rank=FOLDED, start=start, end=[*piece.end, "</details>", ""])


def _short(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"


def code(text: str) -> str:
    """Return text from a file as an element of one line, in which no character means anything to Markdown or HTML."""
    return f"<code>{safe(text)}</code>"


def _escaped(text: str) -> str:
    return _MARKUP.sub(_entity, text)


def _entity(match: re.Match[str]) -> str:
    sign = match.group()
    apart = "<!-- -->" if sign in "@.:#-" else ""  # GitHub looks for links, mentions and references in finished text, too
    return f"&#{ord(sign)};{apart}"


def table_lines(table: Table) -> list[str]:
    """Return the lines of a table, the first of which are the header and the rules below it."""
    rules = ("--:" if is_number(cell) else "---" for cell in table.header)
    header = (_cell("", cell) if look_of([cell]) in ("measure", "chart") else text_of(cell) for cell in table.header)
    rows = (map(_cell, table.header, row) for row in table.filled().rows)
    return [f"| {' | '.join(row)} |" for row in (header, rules, *rows)]


def _cell(heading: Said | str, cell: Said | str) -> str:
    """Return the cell of a table: numbers as they are, anything else so that it means nothing; a chart keeps its blanks."""
    text = harmless(text_of(cell))
    shown = code(text) if text and not is_number(heading) else text
    return shown.replace(" ", "&#160;") if look_of([cell]) == "chart" else shown
