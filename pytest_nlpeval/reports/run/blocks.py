"""The report of a run as lines and tables: what a person reads, on a terminal, in a file or a pipe. It lays out what the digest says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_nlpeval.problems import Problem, problem_texts
from pytest_nlpeval.reports.blocks import Block, Said, Table, joined, numbers, problem_blocks
from pytest_nlpeval.reports.change_sentences import change_lines, changes_sentence
from pytest_nlpeval.reports.configurations import telling_configurations
from pytest_nlpeval.reports.digest import Digest, digest_of
from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.reports.run.suite_blocks import MARKS, failed_suite, fewer_lines, passed_suite
from pytest_nlpeval.reports.view import (
    Setting,
    chance_cells,
    document_table,
    explanation_lines,
    explanation_summary,
    has_gates,
    note_lines,
    untold_notes,
)
from pytest_nlpeval.wording import number, plural

MOST_OPEN = 12
"""Of how many suites that passed the measures are shown, if none failed."""

MOST_CLOSING = 5
"""Of how many failed suites the last lines tell more than one line each."""

MOST_NAMED = 15
"""How many failed suites the last lines name."""

HARMLESS = ("action.changed",)
"""The codes of problems of the run that loosen nothing: they may be many, and crowd out nothing."""


FEW_HARMLESS = 10
"""How many of these are shown in the open where nothing is looser."""


def _urgency(problem: Problem) -> bool:
    return problem.severity != "error"


def blocks(report: Report, setting: Setting) -> list[Block]:
    """Return problems, notes, every score unless the setting is brief, the suites, those that failed last, and the verdict.

    Problems of the run itself come first, but for those of `HARMLESS`. Errors come before warnings. The last screen of a terminal is what
    is seen: there a few lines say of each suite that failed what failed, by how much, by chance or not, since when, and on which items.
    """
    suites = telling_configurations(setting.located(report.suites))
    problems = problem_parts(report, suites)
    parts: list[Sequence[Block]] = [problems.foremost, [*problems.of_suites, *problems.notes], problems.harmless]
    judged = has_gates(suites) or not suites
    parts += [[*scores_of(suite, setting.most, is_folded=judged)] for suite in suites if not setting.brief]
    if judged:
        digest = digest_of(report, suites)
        parts += [*_passed(digest), *(list(failed_suite(suite)) for suite in reversed(digest.failed)), list(_closing(digest))]
        parts.append([Said(f"{MARKS[report.passed]} {digest.verdict.text}", "passed" if report.passed else "failed")])
    return joined(parts)


class Problems(NamedTuple):
    """What is wrong besides gates: problems of the run itself, those of suites, notes, and what is `HARMLESS`."""

    foremost: Sequence[Block]
    of_suites: Sequence[Block]
    notes: Sequence[Block]
    harmless: Sequence[Block]


def problem_parts(report: Report, suites: Sequence[SuiteReport]) -> Problems:
    """Return the lines of problems and notes; `suites` are the report's, with their paths as they are shown."""
    own = sorted(report.problems, key=_urgency)
    foremost = [Said(text, "foremost") for text in problem_texts(problem for problem in own if problem.code not in HARMLESS)]
    harmless = problem_texts(problem for problem in own if problem.code in HARMLESS)
    problems = sorted((problem for suite in suites for problem in suite.problems), key=_urgency)
    notes = note_lines((suite.name, untold_notes(suite)) for suite in suites)
    is_folded = harmless and (foremost or len(harmless) > FEW_HARMLESS)
    title = [Said(f"{plural(len(harmless), 'change')} by which nothing becomes looser:", "fold")] if is_folded else []
    return Problems(
        foremost, list(problem_blocks(problem_texts(problems))), list(map(Said, notes)), [*title, *problem_blocks(harmless)]
    )


def _passed(digest: Digest) -> Iterator[Sequence[Block]]:
    """Yield what is told of suites that passed: their measures, if none failed and they are few; else their names in a line."""
    if not digest.failed and len(digest.passed) <= MOST_OPEN:
        yield from (list(passed_suite(suite)) for suite in digest.passed)
    elif digest.failed and digest.passed:
        names = ", ".join(suite.name for suite in digest.passed)
        documents = plural(sum(suite.suite.cases.total for suite in digest.passed), "document")
        yield [Said(f"{MARKS[True]} {plural(len(digest.passed), 'suite')} passed, {documents}: {names}", "good", 2)]
    else:
        yield [Said(f"{MARKS[True]} {suite.name}, {suite.in_brief}", "good", 2) for suite in digest.passed]


def _closing(digest: Digest) -> Iterator[Said]:
    """Yield the last lines on suites that failed, the worst one last, next to the verdict."""
    named = digest.failed[:MOST_NAMED]
    if more := digest.failed[MOST_NAMED:]:
        yield Said(f"{MARKS[False]} {plural(len(more), 'more suite')} failed, which dropped less", "bad")
    if named and digest.today:
        yield Said(f"today: {digest.today}", "faint", 2)
    for suite in reversed(named):
        told = suite.closing if len(named) <= MOST_CLOSING else "; ".join(filter(None, (suite.verdict.text, suite.headline)))
        yield Said(f"{MARKS[False]} {suite.name}: {told}", "bad", 2)


def scores_of(suite: SuiteReport, most: int, *, is_folded: bool) -> Iterator[Block]:
    """Yield the table of all scores of a suite, with reasons where there is no value, then worst documents, changes and explanations.

    The table `is_folded` where gates are shown as well. `most` is how many documents, changes and explanations are shown.
    """
    yield Said(f"{suite.name}: {plural(suite.cases.total, 'document')}, {suite.signature}", "title")
    if not suite.scores:
        return
    reasons = {score.reason for score in suite.scores.values()}
    if is_folded:
        yield Said("all scores:", "fold")
    if len(reasons) == 1 and all(score.value is None for score in suite.scores.values()):
        yield Said(f"no scores: {reasons.pop()}", "bad")
        return
    rows = [(name, number(score.value), *chance_cells(score), score.reason) for name, score in suite.scores.items()]
    value, low, high, baseline, drop = numbers("value", "low", "high", "baseline", "drop")
    header = ("measure", value, low, high, baseline, drop, "")
    yield Table(header, rows, ((low, high), (baseline,))).compact(low, high, baseline, drop, "")
    yield from fewer_lines(suite, suite.scores.values())
    worst = document_table(suite, most)
    if worst.measures:
        figures = [(row.name, *map(number, row.figures), number(row.explanations)) for row in worst.rows]
        yield Said(f"worst documents by {suite.cases.by}{f' ({worst.left_out})' if worst.left_out else ''}:", "fold")
        measures = [Said(measure, "measure") for measure in worst.measures]
        spare = [(measure,) for measure in reversed(measures[1:])]
        yield Table(("document", *measures, *numbers("explanations")), figures, spare).compact(*numbers("explanations"))
    if suite.changes and (lines := change_lines(suite.changes, most)):
        yield Said(f"what changed{_against(suite)}: {changes_sentence(suite.changes)}", "fold")
        yield from (Said(f"  {line}") for line in lines)
    if summary := explanation_summary(suite):
        yield Said(f"explanations: {summary}", "fold")
        yield from (Said(f"  {line}") for line in explanation_lines(suite, most=most))


def _against(suite: SuiteReport) -> str:
    return f" against {suite.baseline.source}" if suite.baseline else ""
