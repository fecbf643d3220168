"""The text report: what a person reads in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from pytest_nlpeval.reports.table import table
from pytest_nlpeval.reports.view import (
    Json,
    Setting,
    explanation_lines,
    explanation_summary,
    failed_measures,
    gate_rows,
    has_gates,
    note_lines,
    problems_of,
    verdict_sentence,
    worst_documents,
)
from pytest_nlpeval.wording import number, plural, printable, problem_lines


def render(report: Json, setting: Setting | None = None) -> str:
    """Return problems, notes, every score unless the setting is brief, the gates' table, why gates do not hold, and the verdict."""
    setting = setting or Setting()
    suites = setting.located(report["suites"])
    lines = problem_lines(chain.from_iterable(map(problems_of, (report, *suites))))
    lines += map(printable, note_lines(suites))
    lines += [""] if lines else []
    for suite in () if setting.brief else suites:
        lines += [*_scores(suite), ""]
    if has_gates(suites) or not suites:
        lines += [*gates_table(suites), "", *_reasons(suites), verdict_sentence(report)]
    return "\n".join(lines).rstrip("\n") + "\n"


def gates_table(suites: Iterable[Json]) -> list[str]:
    """Return the table of all conditions; a suite's name and number of documents are in its first row only."""
    header = ("suite", "documents", "measure", "value", "threshold", "distance", "verdict")
    return table(header, (row for suite in suites for row in _rows(suite)))


def _rows(suite: Json) -> Iterator[tuple[str, ...]]:
    head = (suite["name"], str(suite["cases"]["total"]))
    rows = gate_rows(suite)
    if not rows:
        yield (*head, "(no gate ran)" if suite.get("is_gated") else "(no gates)", "-", "-", "-", "-")
    for row in rows:
        yield (*head, row.measure, row.value, row.bound, row.distance, row.verdict_and_note)
        head = ("", "")


def _scores(suite: Json) -> Iterator[str]:
    """Yield the table of all scores of a suite, with the reason where there is no value, and the first explanations."""
    yield printable(f"{suite['name']}: {plural(suite['cases']['total'], 'document')}, {suite['signature']}")
    scores = suite["scores"].items()
    yield from table(
        ("measure", "value", ""), ((name, number(score["value"]), score.get("reason", "")) for name, score in scores)
    )
    if summary := explanation_summary(suite):
        yield f"explanations: {printable(summary)}"
        yield from (f"  {printable(line)}" for line in explanation_lines(suite))


def _reasons(suites: Iterable[Json]) -> list[str]:
    """Return, for each condition that does not hold, why, with what bears on its measure; an empty line after them."""
    lines: list[str] = []
    for suite in suites:
        failed = set(failed_measures(suite))
        for row in gate_rows(suite):
            if row.verdict == "passed" and not row.reason:
                continue
            verdict = f"{row.verdict} (informational)" if row.is_informational else row.verdict
            lines.append(printable(f"{row.place}: {row.measure} of {suite['name']}: {verdict}: {row.reason}"))
            if row.measure in failed:
                failed.remove(row.measure)
                lines += [f"  {printable(line)}" for line in explanation_lines(suite, row.measure)]
        if any(gate["verdict"] == "failed" for gate in suite["gates"]) and (worst := worst_documents(suite)):
            lines.append(printable(f"{suite['name']}: {worst}"))
    return [*lines, ""] if lines else []
