"""The Markdown report: what a person reads in a job summary or a comment. A pure function of the JSON report.

Text that comes from files is shown in `<pre>` or `<code>` elements, escaped for them: it makes no link, no mention, no element and no
second line. The verdict comes first, and no size cap cuts it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pytest_nlpeval.reports.blocks import Block, Said, Table, text_of
from pytest_nlpeval.reports.change_sentences import NO_CHANGES, change_lines, changes_sentence
from pytest_nlpeval.reports.table import RIGHT
from pytest_nlpeval.reports.view import (
    CHANCE,
    DocumentRow,
    GateRow,
    Setting,
    chance_cells,
    document_table,
    explanation_lines,
    explanation_summary,
    gate_rows,
    problems_of,
    verdict_sentence,
)
from pytest_nlpeval.wording import number, plural, printable, problem_line

SUMMARY_LIMIT = 900_000
"""For a job summary, which may have 1 MiB."""

COMMENT_LIMIT = 65_536
"""For a comment on a pull request."""

_OURS = RIGHT | {"verdict"}
"""The columns of numbers and words of our own."""

MAX_LINE = 1_000
OPEN_LINES = 10


class _Detail(NamedTuple):
    """How much of each suite is told: rows of its table, problems, explanations, documents, and whether all scores."""

    rows: int
    problems: int
    explanations: int
    documents: int
    scores: bool


_DETAILS = (
    _Detail(2_000, 1_000, 200, 20, True),
    _Detail(1_000, 100, 20, 10, False),
    _Detail(200, 10, 5, 5, False),
    _Detail(50, 3, 0, 0, False),
)


def render(report: Mapping[str, Any], setting: Setting | None = None) -> str:
    """Return a JSON report as Markdown of at most the setting's `limit` bytes of UTF-8, with as much detail as that leaves room for."""
    limit = SUMMARY_LIMIT if setting is None or setting.limit is None else setting.limit
    verdict = f"## {'✅' if report['passed'] else '❌'} {verdict_sentence(report)}\n"
    for detail in _DETAILS:
        text = "\n".join([verdict, *_blocks(report, report["suites"], detail)])
        if _size(text) <= limit:
            return text
    return _cut(verdict, _blocks(report, _worst_first(report["suites"]), _DETAILS[-1]), limit)


def _blocks(document: Mapping[str, Any], suites: Iterable[Mapping[str, Any]], detail: _Detail) -> list[str]:
    problems = "\n".join(_problems(document, detail.problems))
    return [*([problems] if problems else []), *(_suite(suite, detail) for suite in suites)]


def _size(text: str) -> int:
    return len(text.encode())


def _worst_first(suites: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(suites, key=lambda suite: bool(suite["outcome"] == "ok"))


def _cut(verdict: str, blocks: Sequence[str], limit: int) -> str:
    """Return the verdict and as many blocks as fit, and say how many do not."""
    text, left_out = verdict, 0
    room = limit - 200
    for block in blocks:
        if _size(text) + _size(block) + 1 <= room:
            text += f"\n{block}"
        else:
            left_out += 1
    return f"{text}\n{plural(left_out, 'section')} left out for want of room; the JSON report has everything.\n"


def _suite(suite: Mapping[str, Any], detail: _Detail) -> str:
    cases = suite["cases"]
    mark = "✅" if suite["outcome"] == "ok" else "❌"
    broken = f", {cases['failed']:,} with errors" if cases["failed"] else ""
    place = f"{suite['config']}:{suite['line']}"
    where = f" · {_code(place)}" if suite["config"] else ""
    lines = [
        f"### {mark} {_code(suite['name'])}",
        "",
        f"{_code(suite['task'])} · {plural(cases['total'], 'document')}{broken}{where}",
        "",
    ]
    lines += _lines("note", [printable(note) for note in suite.get("notes", ())])
    lines += _gates(suite, detail.rows)
    lines += _problems(suite, detail.problems)
    lines += _documents(suite, detail.documents)
    lines += _changes(suite, detail.explanations)
    lines += _explanations(suite, detail.explanations)
    lines += _scores(suite["scores"]) if detail.scores else ()
    return "\n".join(lines)


def _gates(suite: Mapping[str, Any], most: int) -> Iterator[str]:
    rows = gate_rows(suite)
    if not rows:
        yield from ("No gates: the files are checked, nothing is judged.", "")
        return
    shown = rows if len(rows) <= most else sorted(rows, key=lambda row: row.fails, reverse=True)[:most]
    header = ("measure", "value", *CHANCE, "threshold", "distance", "verdict")
    yield from _table(Table(header, [tuple(_row(row)) for row in shown]).compact(*CHANCE))[:-1]
    if len(shown) < len(rows):
        yield from ("", f"… and {plural(len(rows) - len(shown), 'more condition')}.")
    yield ""
    reasons = [f"{row.place}: {row.measure}: {row.verdict}: {row.reason}" for row in shown if row.reason]
    yield from _lines("reason", [printable(reason) for reason in reasons])


def _row(row: GateRow) -> Iterator[str | Said]:
    mark = "❌" if row.fails else "✅" if row.verdict == "passed" else "⚠️"
    yield from (row.measure, row.value, row.low, row.high, row.baseline, row.drop, row.bound, row.distance)
    yield f"{mark} {row.verdict_and_note}"


def _problems(owner: Mapping[str, Any], most: int) -> list[str]:
    """Return the problems, errors first: the first few open, the rest folded."""
    ordered = sorted(problems_of(owner), key=lambda problem: problem.severity != "error")
    return _lines("problem", [problem_line(problem) for problem in ordered[:most]], max(len(ordered) - most, 0))


def _lines(noun: str, lines: Sequence[str], more: int = 0) -> list[str]:
    """Return lines as they are, the first `OPEN_LINES` open and the others folded."""
    head, tail = lines[:OPEN_LINES], lines[OPEN_LINES:]
    blocks = [*_pre(head)] if head else []
    if tail:
        blocks += _folded(plural(len(tail), f"more {noun}"), _pre(tail))
    if more:
        blocks += [f"… and {plural(more, f'more {noun}')} in the JSON report.", ""]
    return blocks


def _documents(suite: Mapping[str, Any], most: int) -> list[str]:
    found = document_table(suite, most)
    if not found.rows:
        return []
    header = ["document", *map(_code, found.measures), "explanations", "errors"]
    rows = [f"| {' | '.join(_cells(row))} |" for row in found.rows]
    table = [f"| {' | '.join(header)} |", f"|---|{'--:|' * (len(found.measures) + 1)}---|", *rows, ""]
    return _folded("worst documents", [*table, *([f"{found.left_out}.", ""] if found.left_out else [])])


def _cells(row: DocumentRow) -> Iterator[str]:
    yield _code(row.name)
    yield from map(number, row.figures)
    yield number(row.explanations)
    yield _code("; ".join(row.problems)) if row.problems else ""


def _explanations(suite: Mapping[str, Any], most: int) -> list[str]:
    summary = explanation_summary(suite)
    shown = [printable(line) for line in explanation_lines(suite, most=most)]
    return _folded(f"explanations: {_code(summary)}", _pre(shown)) if summary and shown else []


def _changes(suite: Mapping[str, Any], most: int) -> list[str]:
    changes = suite.get("changes", NO_CHANGES)
    shown = [printable(line) for line in change_lines(changes, most)]
    return _folded(f"what changed: {_code(changes_sentence(changes))}", _pre(shown)) if shown else []


def _scores(scores: Mapping[str, Mapping[str, Any]]) -> list[str]:
    if all(score["value"] is None for score in scores.values()):
        return []
    rows = [(name, number(score["value"]), *chance_cells(score)) for name, score in scores.items()]
    return _folded("all scores", _table(Table(("measure", "value", *CHANCE), rows).compact(*CHANCE)))


def _folded(summary: str, inner: Iterable[str]) -> list[str]:
    return [f"<details><summary>{summary}</summary>", "", *inner, "</details>", ""]


def _pre(lines: Iterable[str]) -> list[str]:
    """Return printable lines as one element that shows them as they are; in it nothing is Markdown."""
    return ["<pre>", *(html.escape(_short(line), quote=False) for line in lines), "</pre>", ""]


def _short(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"


_MARKUP = re.compile(r"[^\w\s.,:;/=%()'+-]|(?<![^\W_])_|_(?![^\W_])|(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)


def _code(text: str) -> str:
    """Return text from a file as an element of one line, in which no character means anything to Markdown or HTML."""
    return f"<code>{_MARKUP.sub(_entity, _short(printable(text)))}</code>"


def _entity(match: re.Match[str]) -> str:
    entity = f"&#{ord(match.group())};"
    return f"{entity}<!-- -->" if match.group() in "@.:" else entity  # links and mentions are also looked for in finished text


def of_blocks(blocks: Iterable[Block]) -> str:
    """Return lines and tables as Markdown: titles as headings, tables as tables, all other lines as they are."""
    parts: list[str] = []
    for is_plain, group in groupby(blocks, lambda block: isinstance(block, Said) and block.look != "title"):
        lines = [text for block in group if (text := _shown(block))]
        parts += _pre(lines) if is_plain and lines else lines
    return "\n".join(parts)


def _shown(block: Block) -> str:
    if isinstance(block, Table):
        return "\n".join(_table(block))
    return f"### {_code(block.text)}\n" if block.look == "title" else printable(block.text)


def _table(table: Table) -> list[str]:
    rules = ("--:" if name in RIGHT else "---" for name in table.names)
    header = (_cell("", cell) if isinstance(cell, Said) else cell for cell in table.header)
    rows = (map(_cell, table.names, row) for row in table.rows)
    return [f"| {' | '.join(row)} |" for row in (header, rules, *rows)] + [""]


def _cell(column: str, cell: Said | str) -> str:
    """Return the cell of a table: numbers as they are, anything else so that it means nothing; a chart keeps its blanks."""
    text = printable(text_of(cell))
    shown = _code(text) if text and column not in _OURS else text
    return shown.replace(" ", "&#160;") if isinstance(cell, Said) and cell.look == "chart" else shown
