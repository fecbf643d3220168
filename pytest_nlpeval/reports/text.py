"""The text report: what a person reads in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_nlpeval.gates import SYMBOLS, Verdict
from pytest_nlpeval.measures import Score
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import from_here, number, plural, printable, problem_line

_RIGHT = frozenset({"documents", "value", "threshold", "distance"})


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, columns aligned (numbers to the right), cells escaped; no line ends in blanks."""
    cells = [tuple(header), *(tuple(printable(cell) for cell in row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned = (
        "  ".join(
            cell.rjust(width) if name in _RIGHT else cell.ljust(width)
            for name, cell, width in zip(header, row, widths, strict=True)
        )
        for row in cells
    )
    return [line.rstrip() for line in aligned]


@dataclass(frozen=True, slots=True)
class GateRow:
    """A row of the gates' table: what one condition of one suite came to."""

    suite: str
    documents: int
    verdict: Verdict | None

    def cells(self) -> tuple[str, ...]:
        """Return suite, documents, measure, value, threshold, distance and verdict, as shown."""
        verdict = self.verdict
        if verdict is None:
            return (self.suite, str(self.documents), "(no gates)", "-", "-", "-", "-")
        sign = "" if verdict.distance is None else f"{verdict.distance:+.4f}"
        note = " (informational)" if verdict.informational else ""
        return (
            self.suite,
            str(self.documents),
            verdict.measure,
            number(verdict.value),
            f"{SYMBOLS[verdict.condition]} {verdict.threshold:g}",
            sign or "-",
            verdict.verdict + note,
        )


def gates_table(rows: Iterable[GateRow]) -> list[str]:
    """Return the table of all gated measures; a suite's name and documents stand in its first row only."""
    shown: list[tuple[str, ...]] = []
    last = ""
    for row in rows:
        cells = row.cells()
        shown.append(("", "", *cells[2:]) if row.suite == last else cells)
        last = row.suite
    return table(("suite", "documents", "measure", "value", "threshold", "distance", "verdict"), shown)


def gate_rows(results: Sequence[SuiteResult]) -> list[GateRow]:
    """Return the rows of `gates_table` for these results."""
    return [GateRow(result.suite.name, len(result.cases), verdict) for result in results for verdict in in_order(result.verdicts)]


def in_order(verdicts: Iterable[Verdict]) -> Sequence[Verdict | None]:
    """Return verdicts in the order of the configuration's lines, those of one line by measure; a lone None if there are none."""
    ordered = sorted(verdicts, key=lambda verdict: (verdict.line, verdict.measure))
    return ordered or [None]


def scores_table(result: SuiteResult) -> list[str]:
    """Return the table of all scores of a suite, with the reason where there is no value."""
    return table(("measure", "value", ""), ((name, number(score.value), score.reason) for name, score in result.scores.items()))


def verdict_text(suite: str, verdict: Verdict, formula: str, place: str) -> list[str]:
    """Return what a failed gate says: measure, value, threshold, distance, and where the threshold is set."""
    score = Score(verdict.value, verdict.reason)
    value = f"no value: {printable(score.reason)}" if verdict.value is None else f"{verdict.value:.6f}"
    distance = verdict.distance
    lines = [
        f"{verdict.measure} of {suite}: {verdict.verdict}",
        f"  value      {value}",
        f"  threshold  {SYMBOLS[verdict.condition]} {verdict.threshold:g} ({verdict.condition})",
        *([] if distance is None else [f"  distance   {distance:+.6f}"]),
        f"  formula    {formula}",
        f"  set at     {printable(place)}:{verdict.line}",
    ]
    return [line for line in lines if not line.endswith("formula    ")]


def explanation_lines(result: SuiteResult, most: int = 5) -> list[str]:
    """Return why units of a suite are wrong: how many for each reason, and the first few."""
    counts: dict[str, int] = {}
    for case in result.cases:
        for reason, count in case.explanations.counts.items():
            counts[reason] = counts.get(reason, 0) + count
    if not counts:
        return []
    first = [(case, explanation) for case in result.cases for explanation in case.explanations.first[:most]][:most]
    summary = ", ".join(f"{count:,} {reason}" for reason, count in sorted(counts.items()))
    lines = [f"explanations: {summary}"]
    files = {case.name: case.files for case in result.suite.cases}
    for case, explanation in first:
        system = files[case.name]["system"].label
        line = f"{from_here(system, result.suite.root)}:{explanation.line}"
        place = line if explanation.line else f"{case.name}, unit {explanation.unit}"
        lines.append(printable(f"  {place}: {explanation.reason}: {explanation.message}"))
    return lines


def text_report(results: Sequence[SuiteResult], *, scores: bool = False) -> str:
    """Return problems, the gates' table and the verdict line; with `scores` every score as well."""
    lines = list(
        dict.fromkeys(problem_line(problem, result.suite.root) for result in results for problem in result.all_problems())
    )
    if lines:
        lines.append("")
    for result in results if scores else ():
        lines += [f"{result.suite.name}: {plural(len(result.cases), 'document')}, {result.signature}", *scores_table(result)]
        lines += [*explanation_lines(result), ""]
    if any(result.suite.config for result in results):
        lines += [*gates_table(gate_rows(results)), "", *_reasons(results)]
        lines.append(verdict_line(results))
    return "\n".join(lines).rstrip("\n") + "\n"


def _reasons(results: Sequence[SuiteResult]) -> list[str]:
    """Return, for each condition that does not hold, why; an empty line behind them."""
    lines = [
        printable(
            f"{from_here(result.suite.label, result.suite.root)}:{verdict.line}: {verdict.measure} of {result.suite.name}: "
        )
        + f"{verdict.verdict}: {printable(verdict.reason)}"
        for result in results
        for verdict in in_order(result.verdicts)
        if verdict and not verdict.holds
    ]
    return [*lines, ""] if lines else []


def verdict_line(results: Sequence[SuiteResult]) -> str:
    """Return one sentence: passed or failed, and how many gates and documents say so."""
    verdicts = [verdict for result in results for verdict in result.verdicts]
    bad = sum(not verdict.holds and not verdict.informational for verdict in verdicts)
    documents = sum(len(result.cases) for result in results)
    broken = sum(len(result.failed_cases) for result in results)
    word = "passed" if all(result.outcome == "ok" for result in results) else "FAILED"
    return (
        f"{word}: {len(verdicts) - bad:,} of {plural(len(verdicts), 'gate')} hold or are informational, "
        f"{documents - broken:,} of {plural(documents, 'document')} valid, {plural(len(results), 'suite')}"
    )
