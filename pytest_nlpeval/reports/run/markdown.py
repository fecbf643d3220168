"""The report of a run as Markdown, for a job summary or a comment: an alert, the table of what failed, examples; all else is folded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pytest_nlpeval.numbers import count
from pytest_nlpeval.reports.cutting import Piece, fitting
from pytest_nlpeval.reports.digest import MOST_EXAMPLES, Digest, SuiteDigest, digest_of
from pytest_nlpeval.reports.digest_parts import Example, MeasureRow
from pytest_nlpeval.reports.markdown import (
    MOST_UNFOLDED,
    ROOM_OF_REMARK,
    SUMMARY_LIMIT,
    code,
    of_blocks,
    parts_of_blocks,
    safe,
)
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.blocks import blocks, problem_parts, scores_of
from pytest_nlpeval.reports.run.suite_blocks import growth_line, marked_text, reason_lines, since_lines
from pytest_nlpeval.reports.view import Setting, has_gates, passage_lines, untold_notes
from pytest_nlpeval.wording import plural

MOST_GROWN = 5
"""Of how many suites it is told what grew most."""

MOST_IN_LINE = 10
"""How many failed measures stand in a line where there is no room for the table."""

PROBLEMS, ROWS, ERRORS, KINDS, EXAMPLES, FOLDED = range(6)
"""The ranks of what is cut, the last one first."""

_MARKS = {"failed": "❌ failed", "unjudged": "❌ unjudged", "informational": "⚠️ informational", "passed": "✅ passed"}

_HEADER = ("| verdict | suite | measure | today | baseline | drop | p | limit |", "|:--|:--|:--|--:|--:|--:|--:|:--|")


def run_markdown(report: Report, setting: Setting) -> str:
    """Return the report as Markdown of at most `setting.limit` bytes of UTF-8, by default `SUMMARY_LIMIT`.

    The alert is never cut. Where the table of what failed would not fit, each failed gate is named in fewer words, so that none is lost.
    """
    setting = replace(setting, most=MOST_UNFOLDED)
    suites = setting.located(report.suites)
    if suites and not has_gates(suites):
        return of_blocks(blocks(report, setting), setting.limit)
    digest = digest_of(report, suites)
    alert = _alert(digest)
    room = (SUMMARY_LIMIT if setting.limit is None else setting.limit) - len(alert.encode()) - ROOM_OF_REMARK
    problems = problem_parts(report, suites)
    head = [*parts_of_blocks([problems.foremost], PROBLEMS), *parts_of_blocks([problems.of_suites], ERRORS)]
    rest = [*_open(digest), *parts_of_blocks([problems.harmless], FOLDED), *_folded(digest)]
    rest += parts_of_blocks(([*scores_of(suite, setting.most, is_folded=True)] for suite in suites), FOLDED)
    ways = (_table(digest), _named(digest), _named(digest, with_values=False))
    space = room - sum(map(_size, (piece for piece in head if piece.rank <= ROWS)))
    failed = next((way for way in ways if sum(map(_size, way)) <= space), ways[-1])
    lines, left_out = fitting([*head, *failed, *rest], room)
    remark = [f"{_unnamed(digest, lines)}{plural(left_out, 'line')} left out for want of room; the JSON report has everything."]
    remark = remark if left_out else []
    return "\n".join([alert, *lines, *remark]).strip("\n") + "\n"


def _size(piece: Piece) -> int:
    return sum(len(line.encode()) + 1 for line in piece.whole())


def _alert(digest: Digest) -> str:
    """Return the verdict as GitHub's alert, with the worst measure."""
    kind = "NOTE" if digest.report.passed else "CAUTION"
    mark = "✅" if digest.report.passed else "❌"
    lines = [f"> [!{kind}]", f"> {mark} **{safe(digest.verdict.text)}**"]
    if digest.worst is not None:
        worst = digest.worst
        most = f" Most: {safe(worst.grown_most)}." if worst.grown_most else ""
        baseline = f" Baseline: {safe(worst.baseline)}." if worst.baseline else ""
        lines[-1] += f". Worst: {code(worst.name)}: {safe(worst.sentence)}{most}{baseline}"
    elif errors := [problem for problem in digest.report.problems if problem.severity == "error"]:
        lines[-1] += f". {safe(errors[0].message)}"
    return "\n".join([*lines, ""])


def _table(digest: Digest) -> list[Piece]:
    """Return the table of measures that failed, or moved beyond chance where nothing failed."""
    rows = [(suite, row) for suite in digest.suites for row in suite.failing]
    moved = [(suite, row) for suite in digest.suites for row in suite.moved]
    shown = sorted(rows, key=lambda entry: not entry[1].fails) or moved
    lines = [_row(suite, row) for suite, row in shown]
    urgent = {rank for rank, (_, row) in enumerate(shown) if row.fails}
    return [Piece(ROWS, _HEADER, lines, [""], urgent)] if lines else []


def _row(suite: SuiteDigest, row: MeasureRow) -> str:
    limits = "<br>".join(safe(limit.told) for limit in row.broken_limits or row.limits)
    value = f"**{row.value}**" if row.fails else row.value
    cells = (_MARKS[row.verdict], code(suite.name), code(row.measure), value, row.baseline, row.drop, safe(row.p), limits)
    return f"| {' | '.join(cells)} |"


def _named(digest: Digest, *, with_values: bool = True) -> list[Piece]:
    """Return lines for each failed suite with the measures whose gates failed, and their values unless there is no room for them."""
    lines = [_named_line(*entry, with_values=with_values) for entry in _failed_in_lines(digest)]
    return [Piece(ROWS, [], lines, [""], set(range(len(lines))))]


def _failed_in_lines(digest: Digest) -> Iterator[tuple[SuiteDigest, Sequence[MeasureRow]]]:
    """Yield the failed measures that stand in a line, with their suite; none for a suite that failed without."""
    for suite in digest.failed:
        rows = [row for row in suite.rows if row.fails]
        yield from ((suite, rows[start : start + MOST_IN_LINE]) for start in range(0, max(1, len(rows)), MOST_IN_LINE))


def _named_line(suite: SuiteDigest, rows: Sequence[MeasureRow], *, with_values: bool) -> str:
    if not rows:
        return f"- ❌ {code(suite.name)}: {safe(suite.sentence)}"
    measures = ", ".join(f"{row.measure} {row.value}" if with_values else row.measure for row in rows)
    return f"- ❌ {code(f'{suite.name}: {measures}')}"


def _unnamed(digest: Digest, lines: Collection[str]) -> str:
    """Return how many failed measures none of the lines names; "" if each is named."""
    shown = set(lines)
    if _row_lines(digest) <= shown:
        return ""
    every = sum(row.fails for suite in digest.failed for row in suite.rows)
    named = sum(len(rows) for suite, rows in _failed_in_lines(digest) if shown & _named_lines(suite, rows))
    return f"{count(every - named)} of {plural(every, 'failed measure')} not named, " if named < every else ""


def _named_lines(suite: SuiteDigest, rows: Sequence[MeasureRow]) -> set[str]:
    return {_named_line(suite, rows, with_values=way) for way in (True, False)}


def _row_lines(digest: Digest) -> set[str]:
    """Return the rows of the table that are of failed measures."""
    return {_row(suite, row) for suite in digest.failed for row in suite.rows if row.fails}


def _open(digest: Digest) -> Iterator[Piece]:
    """Yield what grew most, and examples: of several suites in turns."""
    grown = [
        f"- {code(suite.name)} {safe('; '.join(told))}"
        for suite in digest.failed[:MOST_GROWN]
        if (told := [line for growth in suite.growth if (line := growth_line(growth))])
    ]
    if grown:
        is_compared = any(suite.suite.changes for suite in digest.failed[:MOST_GROWN])
        title = "**What grew most** (wrong then → today)" if is_compared else "**What is wrong**"
        yield Piece(KINDS, [title, ""], grown, [""])
    chosen = _in_turns(digest.failed or digest.passed)
    if chosen:
        newly = sum(suite.newly_wrong or 0 for suite in digest.suites)
        wrong = sum(sum(suite.suite.explained.counts.values()) for suite in digest.suites)
        is_new = all(example.entry.change == "newly_wrong" for _, example in chosen)
        title = f"**{'Newly wrong' if is_new else 'Wrong'}**, {len(chosen)} of {newly if is_new else wrong:,}"
        yield Piece(EXAMPLES, [title, ""], [_item(suite, example) for suite, example in chosen], [""])


def _in_turns(suites: Sequence[SuiteDigest]) -> list[tuple[SuiteDigest, Example]]:
    """Return the first examples, one of each suite, then a second one of each, and so on."""
    ranked = [
        (rank, place, suite, example)
        for place, suite in enumerate(suites)
        for rank, example in enumerate(suite.examples[:MOST_EXAMPLES])
    ]
    first = sorted(ranked, key=lambda entry: entry[:2])[:MOST_EXAMPLES]
    return [(suite, example) for _, _, suite, example in sorted(first, key=lambda entry: (entry[1], entry[0]))]


def _item(suite: SuiteDigest, example: Example) -> str:
    text = marked_text(example) or " ⊢ ".join(line.strip() for line in passage_lines(example.entry.explanation)[:2])
    quoted = f"<br>{code(text)}" if text else ""
    return f"- {code(suite.name)} {code(example.head)}: {safe(example.said)}{quoted}"


def _folded(digest: Digest) -> Iterator[Piece]:
    """Yield what moved within limits, baselines, and the suites that passed, each below a title that a reader unfolds."""
    moved = [
        f"- {code(suite.name)} {', '.join(f'{code(row.measure)} {row.baseline} → {row.value}' for row in suite.moved)}"
        for suite in digest.suites
        if suite.moved and digest.failed
    ]
    reasons = [f"- {code(suite.name)} {safe(line.text.strip())}" for suite in digest.suites for line in reason_lines(suite)]
    past = [f"- {code(suite.name)} {safe(line)}" for suite in digest.suites for line in since_lines(suite)]
    passed = [
        f"- ✅ {code(suite.name)}, {suite.documents}: {safe(suite.sentence or suite.verdict.text)}" for suite in digest.passed
    ]
    notes = [f"- {code(suite.name)}: {safe(note)}" for suite in digest.suites for note in untold_notes(suite.suite)]
    today = [f"- today {safe(digest.today)}"] if digest.today else []
    for title, lines in (
        ("Why gates failed, are unjudged, or passed all the same", reasons),
        (f"{plural(len(moved), 'suite')} with measures that moved, within their limits", moved),
        ("Baseline", [*past, *today]),
        (f"{plural(len(passed), 'suite')} passed", passed),
        ("Notes", notes),
    ):
        if lines:
            yield Piece(FOLDED, [f"<details><summary>{title}</summary>", ""], lines, ["", "</details>", ""])
