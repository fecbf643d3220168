"""The report of a run as Markdown, which has a limit of size: the verdict comes first, and is never cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.blocks import Said, Table
from pytest_nlpeval.reports.change_sentences import NO_CHANGES, change_lines, changes_sentence
from pytest_nlpeval.reports.markdown import code, folded, pre, table_lines
from pytest_nlpeval.reports.model import Report, ScoreReport, SuiteReport
from pytest_nlpeval.reports.view import (
    CHANCE,
    DocumentRow,
    GateRow,
    Setting,
    chance_cells,
    document_table,
    explanation_lines,
    explanation_summary,
    rows_of,
    verdict_sentence,
)
from pytest_nlpeval.wording import number, plural, problem_text

SUMMARY_LIMIT = 900_000
"""For a job summary, which may have 1 MiB."""

COMMENT_LIMIT = 65_536
"""For a comment on a pull request."""

OPEN_LINES = 10

FOLDED = ("action.changed",)
"""The codes of problems of the run that loosen nothing."""


class _Detail(NamedTuple):
    """How much is told: problems of the run itself; of each suite rows of its table, problems, explanations, documents, all scores."""

    run: int
    rows: int
    problems: int
    explanations: int
    documents: int
    scores: bool


_DETAILS = (
    _Detail(1_000, 2_000, 1_000, 200, 20, True),
    _Detail(500, 1_000, 100, 20, 10, False),
    _Detail(200, 200, 10, 5, 5, False),
    _Detail(20, 50, 3, 0, 0, False),
)


def markdown(report: Report, setting: Setting) -> str:
    """Return a report as Markdown of at most the setting's `limit` bytes of UTF-8, with as much detail as that leaves room for."""
    limit = SUMMARY_LIMIT if setting.limit is None else setting.limit
    verdict = f"## {'✅' if report.passed else '❌'} {verdict_sentence(report)}\n"
    for detail in _DETAILS:
        text = "\n".join([verdict, *_sections(report, report.suites, detail)])
        if _size(text) <= limit:
            return text
    worst_first = sorted(report.suites, key=lambda suite: suite.outcome == "ok")
    return _cut(verdict, _sections(report, worst_first, _DETAILS[-1]), limit)


def _sections(report: Report, suites: Iterable[SuiteReport], detail: _Detail) -> list[str]:
    problems = "\n".join(_run_problems(report.problems, detail.run))
    return [*([problems] if problems else []), *(_suite(suite, detail) for suite in suites)]


def _size(text: str) -> int:
    return len(text.encode())


def _cut(verdict: str, sections: Sequence[str], limit: int) -> str:
    """Return the verdict and as many sections as fit, and say how many do not."""
    text, left_out = verdict, 0
    room = limit - 200
    for section in sections:
        if _size(text) + _size(section) + 1 <= room:
            text += f"\n{section}"
        else:
            left_out += 1
    return f"{text}\n{plural(left_out, 'section')} left out for want of room; the JSON report has everything.\n"


def _suite(suite: SuiteReport, detail: _Detail) -> str:
    cases = suite.cases
    mark = "✅" if suite.outcome == "ok" else "❌"
    broken = f", {cases.failed:,} with errors" if cases.failed else ""
    where = f" · {code(f'{suite.config}:{suite.line}')}" if suite.config else ""
    lines = [
        f"### {mark} {code(suite.name)}",
        "",
        f"{code(suite.task)} · {plural(cases.total, 'document')}{broken}{where}",
        "",
    ]
    lines += _lines("note", suite.notes)
    lines += _gates(rows_of(suite), detail.rows)
    lines += _problems(suite.problems, detail.problems)
    lines += _documents(suite, detail.documents)
    lines += _changes(suite, detail.explanations)
    lines += _explanations(suite, detail.explanations)
    lines += _scores(suite.scores) if detail.scores else ()
    return "\n".join(lines)


def _gates(rows: Sequence[GateRow], most: int) -> Iterator[str]:
    if not rows:
        yield from ("No gates: the files are checked, nothing is judged.", "")
        return
    shown = rows if len(rows) <= most else sorted(rows, key=lambda row: row.fails, reverse=True)[:most]
    header = ("measure", "value", *CHANCE, "threshold", "distance", "verdict")
    yield from table_lines(Table(header, [tuple(_row(row)) for row in shown]).compact(*CHANCE))[:-1]
    if len(shown) < len(rows):
        yield from ("", f"… and {plural(len(rows) - len(shown), 'more condition')}.")
    yield ""
    yield from _lines("reason", [f"{row.place}: {row.measure}: {row.verdict}: {row.reason}" for row in shown if row.reason])


def _row(row: GateRow) -> Iterator[str | Said]:
    mark = "❌" if row.fails else "✅" if row.verdict == "passed" else "⚠️"
    yield from (row.measure, row.value, row.low, row.high, row.baseline, row.drop, row.bound, row.distance)
    yield f"{mark} {row.verdict_and_note}"


def _problems(problems: Iterable[Problem], most: int) -> list[str]:
    """Return the problems, errors first: the first few open, the rest folded."""
    ordered = sorted(problems, key=lambda problem: problem.severity != "error")
    return _lines("problem", [problem_text(problem) for problem in ordered[:most]], max(len(ordered) - most, 0))


def _run_problems(problems: Iterable[Problem], most: int) -> list[str]:
    """Return the problems of the run itself, errors first, and open: nothing crowds out what the run is told of first.

    Of `FOLDED`, which may be many and harmless, only the first few are.
    """
    ordered = sorted(problems, key=lambda problem: (problem.code in FOLDED, problem.severity != "error"))
    foremost = sum(problem.code not in FOLDED for problem in ordered)
    lines = [problem_text(problem) for problem in ordered[:most]]
    return _lines("problem", lines, max(len(ordered) - most, 0), max(OPEN_LINES, foremost))


def _lines(noun: str, lines: Sequence[str], more: int = 0, opened: int = OPEN_LINES) -> list[str]:
    """Return lines as they are, the first `opened` open and the others folded."""
    head, tail = lines[:opened], lines[opened:]
    parts = [*pre(head)] if head else []
    if tail:
        parts += folded(plural(len(tail), f"more {noun}"), pre(tail))
    if more:
        parts += [f"… and {plural(more, f'more {noun}')} in the JSON report.", ""]
    return parts


def _documents(suite: SuiteReport, most: int) -> list[str]:
    worst = document_table(suite, most)
    if not worst.rows:
        return []
    header = ["document", *map(code, worst.measures), "explanations", "errors"]
    rows = [f"| {' | '.join(_cells(row))} |" for row in worst.rows]
    table = [f"| {' | '.join(header)} |", f"|---|{'--:|' * (len(worst.measures) + 1)}---|", *rows, ""]
    return folded("worst documents", [*table, *([f"{worst.left_out}.", ""] if worst.left_out else [])])


def _cells(row: DocumentRow) -> Iterator[str]:
    yield code(row.name)
    yield from map(number, row.figures)
    yield number(row.explanations)
    yield code("; ".join(row.problems)) if row.problems else ""


def _explanations(suite: SuiteReport, most: int) -> list[str]:
    summary = explanation_summary(suite)
    shown = explanation_lines(suite, most=most)
    return folded(f"explanations: {code(summary)}", pre(shown)) if summary and shown else []


def _changes(suite: SuiteReport, most: int) -> list[str]:
    changes = suite.changes or NO_CHANGES
    shown = change_lines(changes, most)
    return folded(f"what changed: {code(changes_sentence(changes))}", pre(shown)) if shown else []


def _scores(scores: Mapping[str, ScoreReport]) -> list[str]:
    if all(score.value is None for score in scores.values()):
        return []
    rows = [(name, number(score.value), *chance_cells(score)) for name, score in scores.items()]
    return folded("all scores", table_lines(Table(("measure", "value", *CHANCE), rows).compact(*CHANCE)))
