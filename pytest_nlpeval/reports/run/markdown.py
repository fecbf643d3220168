"""The report of a run as Markdown, for a job summary or a comment: an alert, the table of what failed, examples; all else is folded."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

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
"""How many failed measures stand in a line with their values, where there is no room for the table."""

LONGEST_NAME = 100
"""How many characters of a name stand in such a line."""

PROBLEMS, ROWS, ERRORS, KINDS, EXAMPLES, FOLDED = range(6)
"""The ranks of what is cut, the last one first."""

_MARKS = {"failed": "❌ failed", "unjudged": "❌ unjudged", "informational": "⚠️ informational", "passed": "✅ passed"}

_HEADER = ("| verdict | suite | measure | today | baseline | drop | p | limit |", "|:--|:--|:--|--:|--:|--:|--:|:--|")


def run_markdown(report: Report, setting: Setting) -> str:
    """Return the report as Markdown of at most `setting.limit` bytes of UTF-8, by default `SUMMARY_LIMIT`.

    The alert is never cut. Where the table of what failed would not fit, each failed gate is named in fewer words, so that none is lost;
    where not even all names fit, each failed suite has as many of them as there is room for.
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
    told = _told(digest, room - sum(map(_size, (piece for piece in head if piece.rank <= ROWS))))
    lines, left_out = fitting([*head, *told.pieces, *rest], room)
    unnamed = _unnamed(digest, told, lines)
    is_cut = bool(left_out or unnamed)
    remark = [f"{unnamed}{plural(left_out, 'line')} left out for want of room; the JSON report has everything."] if is_cut else []
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


class _Told(NamedTuple):
    """One way to tell what failed: its piece, if there is anything to tell, and how many failed measures each line names."""

    pieces: Sequence[Piece]
    named: Mapping[str, int]

    def fits(self, space: int) -> bool:
        """Whether all of it has room in so many bytes."""
        return sum(map(_size, self.pieces)) <= space


def _told(digest: Digest, space: int) -> _Told:
    """Return what failed: as a table, or in a line for each suite, with as many names as have room."""
    for told in (_table(digest), _in_lines(digest)):
        if told.fits(space):
            return told
    greatest = max((len(list(_failing(suite))) for suite in digest.failed), default=1)
    most = bisect_left(range(1, greatest + 1), 1, key=lambda names: not _in_brief(digest, names).fits(space))
    return _in_brief(digest, max(most, 1))


def _table(digest: Digest) -> _Told:
    """Return the table of measures that failed, or moved beyond chance where nothing failed."""
    rows = [(suite, row) for suite in digest.suites for row in suite.failing]
    moved = [(suite, row) for suite in digest.suites for row in suite.moved]
    shown = sorted(rows, key=lambda entry: not entry[1].fails) or moved
    lines = {_row(suite, row): int(row.fails) for suite, row in shown}
    urgent = {rank for rank, (_, row) in enumerate(shown) if row.fails}
    return _Told([Piece(ROWS, _HEADER, [_row(*entry) for entry in shown], [""], urgent)] if shown else [], lines)


def _row(suite: SuiteDigest, row: MeasureRow) -> str:
    limits = "<br>".join(safe(limit.told) for limit in row.broken_limits or row.limits)
    value = f"**{row.value}**" if row.fails else row.value
    cells = (_MARKS[row.verdict], code(suite.name), code(row.measure), value, row.baseline, row.drop, safe(row.p), limits)
    return f"| {' | '.join(cells)} |"


def _failing(suite: SuiteDigest) -> Iterator[MeasureRow]:
    """Yield the measures whose gates make the run fail."""
    return (row for row in suite.rows if row.fails)


def _in_lines(digest: Digest) -> _Told:
    """Return lines for each failed suite with the measures whose gates failed, and their values."""
    lines: list[tuple[str, int]] = []
    for suite in digest.failed:
        rows = list(_failing(suite))
        for start in range(0, max(1, len(rows)), MOST_IN_LINE):
            named = rows[start : start + MOST_IN_LINE]
            lines.append((_line(suite, [f"{_brief(row.measure)} {row.value}" for row in named]), len(named)))
    return _of_lines(lines)


def _in_brief(digest: Digest, most: int) -> _Told:
    """Return a line for each failed suite with the names of the first measures whose gates failed, and how many more there are."""
    lines: list[tuple[str, int]] = []
    for suite in digest.failed:
        names = [_brief(row.measure) for row in _failing(suite)]
        more = f" and {count(len(names) - most)} more" if len(names) > most else ""
        lines.append((_line(suite, names[:most]) + more, len(names[:most])))
    return _of_lines(lines)


def _of_lines(lines: Sequence[tuple[str, int]]) -> _Told:
    return _Told([Piece(ROWS, [], [line for line, _ in lines], [""], set(range(len(lines))))], dict(lines))


def _line(suite: SuiteDigest, told: Sequence[str]) -> str:
    """Return the line of a failed suite; of one that failed without a gate, why."""
    if not told:
        return f"- ❌ {code(suite.name)}: {safe(suite.sentence)}"
    return f"- ❌ <code>{safe(_brief(suite.name))}: {', '.join(map(safe, told))}</code>"


def _brief(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def _unnamed(digest: Digest, told: _Told, lines: Iterable[str]) -> str:
    """Return how many failed measures none of the lines names; "" if each is named."""
    every = sum(row.fails for suite in digest.failed for row in suite.rows)
    named = sum(told.named.get(line, 0) for line in lines)
    return f"{count(every - named)} of {plural(every, 'failed measure')} not named, " if named < every else ""


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
    chosen = _in_turns(digest.failed or [suite for suite in digest.passed if suite.newly_wrong])
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
    passed = [f"- ✅ {code(suite.name)}, {safe(suite.in_brief)}" for suite in digest.passed]
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
