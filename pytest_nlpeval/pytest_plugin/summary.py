"""What the plugin says: the lines of a failed gate, and the table at the end of a run. Pure functions of results and records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pytest_nlpeval.gates import Gate
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import problem_line
from pytest_nlpeval.pytest_plugin.records import Record, by_suite
from pytest_nlpeval.reports.blocks import Look, lines_within, plain
from pytest_nlpeval.reports.digest import suite_digest
from pytest_nlpeval.reports.digest_parts import MeasureRow
from pytest_nlpeval.reports.json_forms import decoded_fields
from pytest_nlpeval.reports.judged import badness, measure_row, measure_rows, worst_first
from pytest_nlpeval.reports.model import NO_SCORE, GateReport, ScoreReport, SuiteReport
from pytest_nlpeval.reports.run.suite_blocks import item_blocks, measures_table
from pytest_nlpeval.reports.sentences import failure_in_brief, failure_lines
from pytest_nlpeval.reports.view import Setting, explanation_summary
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import plural, printable

COLOURS: Mapping[Look, str] = {"bad": "red", "warning": "yellow"}
"""What pytest's terminal writer calls the colours of rows."""


@light_dataclass(frozen=True, slots=True)
class SuiteView:
    """What all failed gates of a suite tell from: the result, what a report says of it, and the formulas of its measures.

    `ranks` are the places of gated measures in the order of the digest, the worst first.
    """

    result: SuiteResult
    report: SuiteReport
    formulas: Mapping[str, str]
    ranks: Mapping[str, int]
    broken: Mapping[str, Sequence[GateReport]]
    """The conditions that do not hold, by measure."""

    @classmethod
    def of(cls, result: SuiteResult) -> SuiteView:
        """Return the view of a result, with paths as seen from the current folder."""
        from pytest_nlpeval.reports.run.document import suite_report

        (report,) = Setting([result.suite.root]).located([suite_report(result)])
        formulas = {measure.name: measure.formula for measure in result.suite.measures(None)}
        broken: dict[str, list[GateReport]] = {}
        for gate in report.gates:
            if gate.verdict != "passed":
                broken.setdefault(gate.measure, []).append(gate)
        return cls(result, report, formulas, {row.measure: rank for rank, row in enumerate(measure_rows(report))}, broken)

    def failed_gate(self, gate: Gate, *, is_first: bool) -> tuple[str, list[str]]:
        """Return what does not hold of a gate, if anything, in a few words (`0.56: ≥ 0.6, short by 0.040`), and in full.

        In full is why it does not hold, where it is set, and how many items are wrong that its measure would be better without; the first
        gate of a suite tells what grew most, and shows items.
        """
        measure, result, report = gate.measure, self.result, self.report
        bad = self.broken.get(measure, ())
        lines = [printable(line) for line in failure_lines(report, measure, bad, self.formulas.get(measure, ""))] if bad else []
        lines += [problem_line(problem, result.suite.root) for problem in result.problems if problem.line == gate.line]
        if summary := explanation_summary(report, measure):
            lines.append(f"  wrong      {printable(summary)}")
        if is_first and bad:
            lines += plain(item_blocks(suite_digest(report), f" in {report.name}")).splitlines()
        row = measure_row(measure, report.score(measure) if measure in report.scores else NO_SCORE, bad)
        return printable(failure_in_brief(row)), lines


WIDTH = 80
"""How wide the table at the end of a run is at most."""


def summary_lines(records: Iterable[Record], *, only_failures: bool = False) -> list[tuple[str, str]]:
    """Return the lines of the tables of the gates that ran, each with a colour or "".

    Suites come in the order of text reports, as far as their items know: by name, then those that failed, the worst last, where it is seen.
    With `only_failures` the measures whose gates passed are left out; nothing is left of a suite without others.
    """
    suites = [_Suite(own, _rows(own)) for own in by_suite(records).values()]
    passed = sorted((suite for suite in suites if not suite.fails), key=lambda suite: suite.name)
    failed = sorted((suite for suite in suites if suite.fails), key=lambda suite: (badness(suite.rows), suite.name))
    shown = (*passed, *reversed(failed))
    return [line for suite in shown for line in _suite_lines(suite, only_failures=only_failures)]


class _Suite(NamedTuple):
    """The records of a suite of which an item ran, and the rows of its measures."""

    records: Sequence[Record]
    rows: Sequence[MeasureRow]

    @property
    def name(self) -> str:
        """The suite's name."""
        return str(self.records[0]["suite"])

    @property
    def fails(self) -> bool:
        """Whether a gate that ran fails the suite."""
        return any(row.fails for row in self.rows)


def _rows(records: Sequence[Record]) -> list[MeasureRow]:
    """Return the rows of a suite, in the order of the digest."""
    gates: dict[str, list[GateReport]] = {}
    for gate in (GateReport.from_json(gate) for record in records for gate in record["gates"]):
        gates.setdefault(gate.measure, []).append(gate)
    scores = {measure: decoded_fields(ScoreReport, score) for record in records for measure, score in record["scores"].items()}
    ranks = {measure: rank for record in records for measure, rank in record["ranks"].items()}
    rows = [measure_row(name, scores.get(name, NO_SCORE), own) for name, own in gates.items()]
    return sorted(worst_first(rows), key=lambda row: ranks.get(row.measure, len(rows)))


def _suite_lines(suite: _Suite, *, only_failures: bool) -> Iterator[tuple[str, str]]:
    """Yield the table of a suite; the header begins with the suite's name."""
    first = suite.records[0]
    shown = [row for row in suite.rows if row.verdict != "passed" or not only_failures]
    title = f"{suite.name}, {plural(first['documents'], 'document')}"
    if shown:
        table = measures_table(shown)
        table = replace(table, header=[title, *table.header[1:]])
        yield from ((line, COLOURS.get(look, "")) for line, look in lines_within(table, WIDTH))
    elif not only_failures:
        yield printable(f"{title}: {'no gate ran' if first['is_gated'] else 'no gates'}"), ""
