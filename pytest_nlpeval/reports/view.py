"""What every format shows of a report: rows, sentences and lines, worked out once.

Text in the results of these functions is as it is in the report: whoever shows it escapes it for the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.model import (
    CasesReport,
    DocumentReport,
    ExplanationReport,
    GateReport,
    Report,
    ScoreReport,
    SuiteReport,
)
from pytest_nlpeval.run.item_changes import WORDS
from pytest_nlpeval.wording import files_have_errors, from_here, number, plural, signed

Locate = Callable[[str], str]
"""Returns a path as it is shown."""

Reasoned = TypeVar("Reasoned", GateReport, ScoreReport)

MOST_EXPLAINED = 5
"""How many explanations, or documents, a person is shown at once."""

MOST_COLUMNS = 4
"""How many figures of a document a person is shown at once."""

CHANGES: Mapping[str, str] = {
    "newly_wrong": WORDS["newly_wrong"],
    "otherwise_wrong": WORDS["otherwise_wrong"],
    "": "as before",
    "newly_right": WORDS["newly_right"],
}
"""What a change is called, in the order in which explanations are shown."""


@light_dataclass(frozen=True, slots=True)
class Setting:
    """For whom a report is made: `limit` is the room in bytes; with `brief`, scores that no gate judges are left out.

    `most` is how many explanations, changes and documents of a suite are shown, besides the explanations of a gate that does not hold.
    `roots` are the folders to which the paths of each suite are relative, in the order of the suites. Paths are then shown as seen
    from the current folder; without, as the report has them.
    """

    roots: Sequence[Path] = ()
    limit: int | None = None
    brief: bool = False
    most: int = MOST_EXPLAINED

    def located(self, suites: Sequence[SuiteReport]) -> Sequence[SuiteReport]:
        """Return the suites of a report with their paths as they are shown."""
        if not self.roots:
            return suites
        return [located(suite, cache(partial(from_here, root=root))) for suite, root in zip(suites, self.roots, strict=True)]


def located(suite: SuiteReport, locate: Locate) -> SuiteReport:
    """Return a suite in which `locate` has changed every path, also where an error is cited."""
    problems = located_problems(suite.problems, locate)
    moved = ((before, after) for before, after in zip(suite.problems, problems, strict=True) if after is not before)
    citations = {before.citation: after.citation for before, after in moved}
    cases = _cited(suite.cases, citations)
    before, after = _why_unjudged(suite.cases), _why_unjudged(cases)

    def reasoned(entry: Reasoned) -> Reasoned:
        return replace(entry, reason=after) if entry.reason == before != "" else entry

    return replace(
        suite,
        config=suite.config and locate(suite.config),
        problems=problems,
        cases=cases,
        scores={name: reasoned(score) for name, score in suite.scores.items()},
        gates=tuple(map(reasoned, suite.gates)),
        explanations=suite.explanations and replace(suite.explanations, first=_moved(suite.explanations.first, locate)),
    )


def named_suites(report: Report) -> Iterator[tuple[str, SuiteReport]]:
    """Yield the suites of a report with their names; one that several configurations give is preceded by the file's, as in pytest."""
    names = Counter(suite.name for suite in report.suites)
    for suite in report.suites:
        yield suite.name if names[suite.name] == 1 else f"{suite.config}::{suite.name}", suite


def located_problems(problems: Iterable[Problem], locate: Locate) -> tuple[Problem, ...]:
    """Return problems with their paths as they are shown."""
    return tuple(
        problem if (path := problem.path and locate(problem.path)) == problem.path else replace(problem, path=path)
        for problem in problems
    )


def _moved(entries: Iterable[ExplanationReport], locate: Locate) -> tuple[ExplanationReport, ...]:
    paths = {path: path and locate(path) for entry in entries for path in (entry.path, entry.gold_path)}
    return tuple(entry._replace(path=paths[entry.path], gold_path=paths[entry.gold_path]) for entry in entries)


def _cited(cases: CasesReport, citations: Mapping[str, str]) -> CasesReport:
    """Return documents that cite the errors in their files as `citations` has them."""
    documents = (
        replace(document, problems=document.problems and tuple(citations.get(name, name) for name in document.problems))
        for document in cases.listed
    )
    return replace(cases, documents=cases.documents and tuple(documents))


def _why_unjudged(cases: CasesReport) -> str:
    """Return the reason of every score and gate of a suite in which files have errors (see `run.conclusion`)."""
    return files_have_errors(cases.total, cases.failed, [document.problems[0] for document in cases.listed if document.problems])


class GateRow(NamedTuple):
    """A condition of a suite as it is shown; `fails` says whether it makes the run fail, `place` is `path:line`.

    `low` and `high` are the ends of the value's interval, `baseline` and `drop` how it compares with the past; `-` where there is none.
    """

    measure: str
    value: str
    bound: str
    distance: str
    verdict: str
    is_informational: bool
    fails: bool
    reason: str
    place: str
    low: str
    high: str
    baseline: str
    drop: str

    @property
    def verdict_and_note(self) -> str:
        """The verdict, in capitals if it fails the run, and whether it is informational."""
        return (self.verdict.upper() if self.fails else self.verdict) + (" (informational)" if self.is_informational else "")


def gate_rows(config: str, gates: Iterable[GateReport], scores: Mapping[str, ScoreReport]) -> list[GateRow]:
    """Return the rows of a suite's conditions by the configuration's lines; conditions of the same line are in the report's order."""
    return [
        GateRow(
            gate.measure,
            number(gate.value),
            gate.bound,
            signed(gate.distance),
            gate.verdict,
            gate.informational,
            gate.fails,
            gate.reason,
            f"{config}:{gate.line}",
            *(chance_cells(scores[gate.measure]) if gate.measure in scores and not gate.is_guard else "----"),
        )
        for gate in sorted(gates, key=lambda gate: gate.line)
    ]


def rows_of(suite: SuiteReport) -> list[GateRow]:
    """Return the rows of the conditions of a suite of a report."""
    return gate_rows(suite.config, suite.gates, suite.scores)


def chance_cells(score: ScoreReport) -> tuple[str, str, str, str]:
    """Return the ends of a score's interval, the baseline's value, and the drop from it, as they are shown."""
    low, high, baseline = number(score.shown("low")), number(score.shown("high")), number(score.shown("baseline"))
    return low, high, baseline, signed(score.shown("drop"))


def untold_notes(suite: SuiteReport) -> list[str]:
    """Return a suite's notes, but for one that says what a gate's reason says: why there is no baseline."""
    reason = suite.baseline.reason if suite.baseline else ""
    is_told = reason and any(gate.reason == reason and gate.verdict == "unjudged" for gate in suite.gates)
    return [note for note in suite.notes if not (is_told and note.endswith(reason))]


def note_lines(notes: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Return a line `name: note` for each note of suites, which are given by name."""
    return [f"{name}: {note}" for name, own in notes for note in own]


def explanation_summary(suite: SuiteReport, measure: str = "") -> str:
    """Return how many explanations there are of each reason: `3 missed, 1 spurious`; "" if there are none, or nobody asked.

    If a measure is given, only explanations that bear on the measure count: `at least` so many, if the report does not list all.
    """
    if measure:
        return suite.explained.summary_of(measure)
    return ", ".join(f"{count:,} {reason}" for reason, count in sorted(suite.explained.counts.items()))


def explanation_lines(suite: SuiteReport, measure: str = "", most: int = MOST_EXPLAINED) -> list[str]:
    """Return lines `place: reason: message` of the first `most` explanations; if a measure is given, of explanations that bear on it.

    Explanations of units that a failing guard of the measure counts come first, then explanations that the baseline does not have;
    known failures come last. A passage in which nothing is marked, such as the text and hypothesis of a pair, is a further line. If there
    are more explanations, the last line says so.
    """
    entries = suite.explained.bearing_on(measure) if measure else suite.explained.first
    if not entries:
        return []  # of thousands of gates each would look at all others
    lines: list[str] = []
    rank = ranks_by_guards(suite, measure)
    for entry in sorted(entries, key=lambda entry: (rank(entry), not entry.change))[:most]:
        new = f"{CHANGES[entry.change]}: " if entry.change in ("newly_wrong", "otherwise_wrong") else ""
        lines.append(f"{entry.place}: {new}{entry.explanation.reason}: {entry.explanation.message}")
        lines += passage_lines(entry.explanation)
    if len(entries) > most:
        lines.append(f"… and {plural(len(entries) - most, 'more explanation')}: a JSON report has them")
    return lines


KNOWN = 1
"""The rank of explanations of known failures, which come last."""


def ranks_by_guards(suite: SuiteReport, measure: str = "") -> Callable[[ExplanationReport], int]:
    """Return what ranks explanations: -1 for units that a failing guard counts, `KNOWN` for known failures, 0 for all others.

    If a measure is given, only guards of the measure count.
    """
    gates = [gate for gate in suite.gates if not measure or gate.measure == measure]
    ranks = {unit[:2]: KNOWN for gate in gates for unit in gate.known}
    ranks |= {unit[:2]: -1 for gate in gates if gate.verdict == "failed" for unit in gate.units}
    return lambda entry: ranks.get((entry.case, entry.explanation.unit), 0)


def passage_lines(explanation: Explanation) -> list[str]:
    """Return the passage of an explanation as lines of its own; no line without a passage, or if anything is marked in it."""
    passage = explanation.passage
    return [f"    {line}" for line in passage.text.split("\n")] if passage and not (passage.gold or passage.system) else []


class DocumentRow(NamedTuple):
    """A document as it is shown: its figures in the order of the table's measures, or the errors in its files."""

    name: str
    figures: tuple[float | None, ...]
    explanations: int | None
    problems: Sequence[str]


class DocumentTable(NamedTuple):
    """The worst documents of a suite: the `measures` that are shown, the `rows`, and a sentence on those `left_out`, or ""."""

    measures: tuple[str, ...]
    rows: list[DocumentRow]
    left_out: str


def document_table(suite: SuiteReport, most: int) -> DocumentTable:
    """Return the worst documents of a suite, never a perfect one; none of a suite of one document, of which the scores tell all."""
    cases = suite.cases
    shown = [document for document in cases.listed if not is_perfect(document, suite)][:most] if cases.total > 1 else []
    figures = (document.values for document in shown if document.values is not None)
    measures = tuple(islice(next(figures, {}), MOST_COLUMNS))
    rows = [
        DocumentRow(document.name, tuple(map(document.value, measures)), document.explanations, document.problems or ())
        for document in shown
    ]
    more = len(cases.listed) - len(rows) + (cases.cut or 0) if rows else 0
    verb = "is" if more == 1 else "are"
    return DocumentTable(measures, rows, f"{plural(more, 'better document')} {verb} left out" if more else "")


def is_perfect(document: DocumentReport, suite: SuiteReport) -> bool:
    """Whether nothing of a document can be better in the measure that the documents go by.

    A share is then at its best end. Of any other measure nobody knows the best value: nothing of the document is wrong then.
    """
    by = suite.cases.by
    figure = None if by is None else document.value(by)
    if figure is None or document.problems:
        return False
    score = suite.score(by or "")
    if score.kind == "share":
        return figure == (1.0 if score.better == "higher" else 0.0)
    return document.explanations == 0


def worst_documents(suite: SuiteReport, most: int = MOST_EXPLAINED) -> str:
    """Return the documents with the worst figures in one line: `worst documents by f1: d7 0.1200, d3 0.2500`; "" without any."""
    by = suite.cases.by
    if by is None or suite.cases.total < 2:
        return ""
    listed = (document for document in suite.cases.listed if not is_perfect(document, suite))
    figures = ((document.name, document.value(by)) for document in listed)
    shown = list(islice((f"{name} {number(figure)}" for name, figure in figures if figure is not None), most))
    return f"worst documents by {by}: {', '.join(shown)}" if shown else ""


def failed_measures(suite: SuiteReport) -> Iterator[str]:
    """Yield the measures of the conditions that have a value and do not hold, each once, in the order of the rows."""
    yield from dict.fromkeys(row.measure for row in rows_of(suite) if row.verdict == "failed")


def has_gates(suites: Iterable[SuiteReport]) -> bool:
    """Whether the suites come from a configuration, so that there are gates to be shown."""
    return any(suite.config for suite in suites)
