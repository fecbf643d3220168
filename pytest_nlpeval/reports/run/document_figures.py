"""The figures of each document of a suite, worst first, for the report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import ByDocument, Measure, Sample, Values
from pytest_nlpeval.reports.model import CasesReport, DocumentReport
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.runs import CaseResult

MOST_DOCUMENTS = 1_000
"""Of a suite: the worst are listed, the others counted."""

MOST_FIGURES = 50_000
"""Of a suite: of many documents and measures, the later measures are left out. They are in the order of `_in_order`."""


def cases_report(result: SuiteResult, worst_first: Sequence[str] = ()) -> CasesReport:
    """Return how many documents there are, and the worst of them; `worst_first` are the gated measures as the table of gates has them.

    First come those with errors in their files, by name, then those that are scored. These go by the first measure that has a figure of
    any document, its worst value first and documents without one last; of equal ones those with more explanations come first, then it
    goes by name. The first measure is the worst one whose gate fails; if no gate fails, the first gated one, without gates the one that the
    task's starter names first, then any. A measure whose gate fails, although no document can be better in it (a `max` of a measure of
    which more is better; an unjudged drop), tells no worst document, and is passed over.

    A figure is what the suite would score if the document were its only one. Which of more than `MOST_DOCUMENTS` are the worst, only an
    additive measure can tell.
    """
    broken = sorted(result.failed_cases, key=lambda case: case.name)
    entries = [_broken(case) for case in broken[:MOST_DOCUMENTS]]
    by, number = "", len(broken)
    if result.evidence is not None:
        by, scored = _worst(result, result.evidence, worst_first, MOST_DOCUMENTS - len(entries))
        entries += scored
        number += len(result.evidence.documents)
    return CasesReport(
        total=len(result.cases), failed=len(broken), by=by or None, documents=tuple(entries), cut=number - len(entries)
    )


def _broken(case: CaseResult) -> DocumentReport:
    errors = (problem.citation for problem in case.all_problems() if problem.severity == "error")
    return DocumentReport(name=case.name, problems=tuple(dict.fromkeys(errors)))


class _Documents:
    """The evidence of a suite, and samples of it: all documents at once, and some on their own."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.together = ByDocument(evidence)
        self._apart: dict[int, Sample] = {}

    def figures(self, measure: Measure, ranks: Sequence[int]) -> Values:
        """Return the figure of each document of these ranks."""
        of_all = measure.of_documents(self.together)
        if of_all is not None:
            return of_all[np.array(ranks, np.int64)]
        new = [rank for rank in ranks if rank not in self._apart]
        self._apart |= zip(new, map(Sample, self.evidence.split(new)), strict=True)
        return np.array([measure.values(self._apart[rank])[0] for rank in ranks], np.float64)


def _worst(result: SuiteResult, evidence: Evidence, worst_first: Sequence[str], room: int) -> tuple[str, list[DocumentReport]]:
    """Return the name of the measure that the documents go by, "" if none has a figure, and the entries of the first ones."""
    explained = {case.name: sum(case.explanations.counts.values()) for case in result.cases if case.explanations is not None}
    measures = _in_order(result, evidence, worst_first)
    documents = _Documents(evidence)
    failing = {verdict.measure for verdict in result.verdicts if verdict.fails}
    by, badness = _badness(measures, documents, failing, additive=len(evidence.documents) > room)
    explanations = np.array([explained.get(name, 0) for name in evidence.documents], np.int64)
    order = np.lexsort((-explanations, badness))[:room].tolist()  # equal ones stay in the order of their names
    return by, _entries(order, measures[: MOST_FIGURES // max(1, len(order))], documents, explained)


def _badness(
    measures: Iterable[Measure], documents: _Documents, failing: Collection[str], *, additive: bool
) -> tuple[str, Values]:
    """Return the first measure that has a figure, and its figures so turned that the worst is the least and none the greatest.

    A measure of `failing` gates comes behind all others if every document has the best value.
    """
    every = range(len(documents.evidence.documents))
    passed_over: tuple[str, Values] | None = None
    for measure in measures:
        figures = measure.of_documents(documents.together) if additive else documents.figures(measure, every)
        if figures is None or np.isnan(figures).all():
            continue
        badness = np.where(np.isnan(figures), np.inf, figures if measure.better == "higher" else -figures)
        if measure.name not in failing or not _is_best(measure, figures):
            return measure.name, badness
        passed_over = passed_over or (measure.name, badness)
    return passed_over or ("", np.zeros(len(every)))


def _is_best(measure: Measure, figures: Values) -> bool:
    """Whether every document that has a figure has the best value."""
    return measure.best_end is not None and bool((figures[~np.isnan(figures)] == measure.best_end).all())


def _in_order(result: SuiteResult, evidence: Evidence, worst_first: Sequence[str]) -> list[Measure]:
    """Return the measures of the suite: those whose gates fail first, the worst first, then the gated ones.

    Where `worst_first` says nothing, those of everything come before those of a group. After these come the measures that the task's
    starter names; of groups there are only gated ones.
    """
    named = {gate.measure for gate in result.gates}
    every = {measure.name: measure for measure in result.suite.measures_of(evidence)}
    measures = {name: measure for name, measure in every.items() if not measure.of_group or name in named}
    failing = [verdict.measure for verdict in result.verdicts if verdict.fails and verdict.measure in measures]
    rank = {name: place for place, name in enumerate(worst_first)}
    failing.sort(key=lambda name: (rank.get(name, len(rank)), bool(measures[name].group)))
    gated = (*failing, *(gate.measure for gate in result.gates))
    leading = (gate.measure for gate in result.suite.recipe.task.starter.gates)
    return [measures[name] for name in dict.fromkeys((*gated, *leading, *measures)) if name in measures]


def _entries(
    ranks: Sequence[int], measures: Sequence[Measure], documents: _Documents, explained: Mapping[str, int]
) -> list[DocumentReport]:
    figures = [(measure, documents.figures(measure, ranks).tolist()) for measure in measures]
    names = [documents.evidence.documents[rank] for rank in ranks]
    return [
        DocumentReport(
            name=name,
            explanations=explained.get(name),
            values={measure.name: measure.number(values[row]) for measure, values in figures},
        )
        for row, name in enumerate(names)
    ]
