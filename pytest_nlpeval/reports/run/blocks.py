"""The report of a run as lines and tables: what a person reads, on a terminal, in a file or a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.blocks import OUTLINE, Block, Look, Said, Table, joined, problem_blocks
from pytest_nlpeval.reports.change_sentences import NO_CHANGES, change_lines, changes_sentence
from pytest_nlpeval.reports.configurations import telling_configurations
from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.reports.view import (
    CHANCE,
    GateRow,
    Setting,
    chance_cells,
    document_table,
    explanation_lines,
    explanation_summary,
    failed_measures,
    has_gates,
    note_lines,
    rows_of,
    verdict_sentence,
    worst_documents,
)
from pytest_nlpeval.wording import number, plural, problem_texts

HARMLESS = ("action.changed",)
"""The codes of problems of the run that loosen nothing: they may be many, and crowd out nothing."""


FEW_HARMLESS = 10
"""How many of these are shown in the open where nothing is looser."""


def _urgency(problem: Problem) -> bool:
    return problem.severity != "error"


def blocks(report: Report, setting: Setting) -> list[Block]:
    """Return problems, notes, every score unless the setting is brief, the gates' table, why gates do not hold, and the verdict.

    Problems of the run itself come first, but for those of `HARMLESS`. Errors come before
    warnings. What changed against a baseline is told with the scores; in brief, after the reasons, unless they tell it.
    """
    suites = telling_configurations(setting.located(report.suites))
    own = sorted(report.problems, key=_urgency)
    foremost = [Said(text, "foremost") for text in problem_texts(problem for problem in own if problem.code not in HARMLESS)]
    harmless = problem_texts(problem for problem in own if problem.code in HARMLESS)
    problems = sorted((problem for suite in suites for problem in suite.problems), key=_urgency)
    notes = note_lines((suite.name, suite.notes) for suite in suites)
    parts: list[Sequence[Block]] = [foremost, [*problem_blocks(problem_texts(problems)), *map(Said, notes)]]
    is_folded = harmless and (foremost or len(harmless) > FEW_HARMLESS)
    title = [Said(f"{plural(len(harmless), 'change')} by which nothing becomes looser:", "fold")] if is_folded else []
    parts.append([*title, *problem_blocks(harmless)])
    judged = has_gates(suites) or not suites
    parts += [[*_scores(suite, setting.most, is_folded=judged)] for suite in suites if not setting.brief]
    if judged:
        table = gates_table((suite.name, suite.cases.total, rows_of(suite), "(no gates)") for suite in suites)
        reasons = [line for suite in suites for line in _reasons(suite, brief=setting.brief)]
        parts += [[table], reasons, [Said(verdict_sentence(report), "passed" if report.passed else "failed")]]
    return joined(parts)


def gates_table(suites: Iterable[tuple[str, int, Sequence[GateRow], str]]) -> Table:
    """Return the table of all conditions of suites: name, number of documents, the rows, and what is said where there are none.

    A suite's name and number of documents are in its first row only.
    """
    header = ("suite", "documents", "measure", "value", *CHANCE, "threshold", "distance", "verdict")
    spare = (("documents",), ("distance",), OUTLINE, ("baseline",), ("low", "high"), ("threshold",), ("drop",))
    return Table(header, [row for suite in suites for row in _rows(*suite)], spare).compact(*CHANCE)


def _rows(suite: str, documents: int, rows: Sequence[GateRow], nothing: str) -> Iterator[tuple[str | Said, ...]]:
    head = (suite, str(documents))
    if not rows:
        yield (*head, nothing, *"--------")
    for row in rows:
        chance = (row.low, row.high, row.baseline, row.drop)
        yield (*head, row.measure, row.value, *chance, row.bound, row.distance, Said(row.verdict_and_note, look_of_gate(row)))
        head = ("", "")


def look_of_gate(row: GateRow) -> Look:
    """Return what a condition's verdict looks like."""
    if row.verdict == "passed":
        return "good"
    return "bad" if row.fails else "warning"


def _scores(suite: SuiteReport, most: int, *, is_folded: bool) -> Iterator[Block]:
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
    yield Table(("measure", "value", *CHANCE, ""), rows, (("low", "high"), ("baseline",))).compact(*CHANCE, "")
    worst = document_table(suite, most)
    if worst.measures:
        figures = [(row.name, *map(number, row.figures), number(row.explanations)) for row in worst.rows]
        yield Said(f"worst documents by {suite.cases.by}{f' ({worst.left_out})' if worst.left_out else ''}:", "fold")
        spare = [(measure,) for measure in reversed(worst.measures[1:])]
        yield Table(("document", *map(Said, worst.measures), "explanations"), figures, spare).compact("explanations")
    if suite.changes and (lines := change_lines(suite.changes, most)):
        yield Said(f"what changed{_against(suite)}: {changes_sentence(suite.changes)}", "fold")
        yield from (Said(f"  {line}") for line in lines)
    if summary := explanation_summary(suite):
        yield Said(f"explanations: {summary}", "fold")
        yield from (Said(f"  {line}") for line in explanation_lines(suite, most=most))


def _against(suite: SuiteReport) -> str:
    return f" against {suite.baseline.source}" if suite.baseline else ""


def _reasons(suite: SuiteReport, *, brief: bool) -> Iterator[Said]:
    """Yield, for each condition of a suite that does not hold, why, with what bears on its measure; in brief, then what changed."""
    failed = set(failed_measures(suite))
    for row in rows_of(suite):
        if row.verdict == "passed" and not row.reason:
            continue
        verdict = f"{row.verdict} (informational)" if row.is_informational else row.verdict
        look: Look = "" if row.verdict == "passed" else look_of_gate(row)
        yield Said(f"{row.place}: {row.measure} of {suite.name}: {verdict}: {row.reason}", look)
        if row.measure in failed:
            failed.remove(row.measure)
            yield from (Said(f"  {line}") for line in explanation_lines(suite, row.measure))
    if any(gate.verdict == "failed" for gate in suite.gates):
        if worst := worst_documents(suite):
            yield Said(f"{suite.name}: {worst}")
    elif brief and (lines := change_lines(suite.changes or NO_CHANGES)):
        yield Said(f"{suite.name}: what changed{_against(suite)}:")
        yield from (Said(f"  {line}") for line in lines)
