"""The report of a run, made from results."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pytest_nlpeval import __version__
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.graphs import Bars, Drawing, Graph, Matrix, drawing_of
from pytest_nlpeval.measures import SHARE, Measure
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports import VERSION
from pytest_nlpeval.reports.change_sentences import NO_CHANGES
from pytest_nlpeval.reports.json_forms import decoded_fields
from pytest_nlpeval.reports.judged import measure_rows
from pytest_nlpeval.reports.model import (
    BaselineReport,
    CasesReport,
    CheckoutReport,
    ExplanationReport,
    ExplanationsReport,
    GateReport,
    Report,
    ScoreReport,
    StatisticsReport,
    SuiteReport,
)
from pytest_nlpeval.run.item_changes import Sort
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.shelf import MOST, Shelf

if TYPE_CHECKING:
    from pytest_nlpeval.baselines.checkout import Checkout


def report_of(results: Sequence[SuiteResult], problems: Sequence[Problem] = (), *, checkout: Checkout | None = None) -> Report:
    """Return the report of a run; `problems` are what went wrong besides the suites, and `checkout` tells the commit that was judged."""
    configs: defaultdict[str, set[Path | None]] = defaultdict(set)
    for result in results:
        configs[result.suite.label].add(result.suite.config)
    suites = tuple(_placed(suite_report(result), result.suite.config, configs) for result in results)
    return Report(
        version=VERSION,
        tool=f"pytest-nlpeval {__version__}",
        passed=not problems and all(suite.outcome == "ok" for suite in suites),
        python=sys.version.split()[0],
        checkout=_checkout(checkout) if checkout else None,
        arguments=next((result.suite.arguments for result in results if result.suite.config), ()),
        problems=tuple(problems),
        suites=suites,
    )


def configured_folders(results: Iterable[SuiteResult]) -> Iterator[Path]:
    """Yield the folders of the configurations of suites."""
    yield from (result.suite.config.parent for result in results if result.suite.config)


def _checkout(checkout: Checkout) -> CheckoutReport:
    name, day, subject, author = checkout.commit
    return CheckoutReport(
        commit=name, subject=subject, author=author, date=day, repository=checkout.repository, branch=checkout.branch
    )


def _placed(report: SuiteReport, config: Path | None, configs: Mapping[str, Collection[Path | None]]) -> SuiteReport:
    """Return the report with the whole path of its configuration, where that of another suite is called the same.

    `configs` are the configurations by what they are called. Folders that are in no repository each have a root of their own.
    """
    return replace(report, config=str(config)) if config and len(configs[report.config]) > 1 else report


def suite_report(result: SuiteResult) -> SuiteReport:
    """Return what the report says of a suite."""
    suite, comparison = result.suite, result.comparison
    measures = suite.measures_of(*[result.evidence] if result.evidence else [])
    facts = {measure.name: _facts(measure) for measure in measures}
    graphs, failures = _graphs(result)
    report = SuiteReport(
        name=suite.name,
        system=suite.system,
        task=suite.recipe.task.name,
        config=suite.label,
        line=suite.line,
        signature=result.signature,
        outcome="set-up" if failures else result.outcome,
        cases=CasesReport(total=len(result.cases), failed=len(result.failed_cases)),
        problems=(*result.all_problems(), *failures),
        notes=result.notes,
        baseline=decoded_fields(BaselineReport, comparison.to_json()) if comparison else None,
        scores={name: decoded_fields(ScoreReport, result.score_json(name) | facts.get(name, {})) for name in result.scores},
        gates=tuple(GateReport.from_json(verdict.to_json()) for verdict in result.verdicts),
        explanations=_explanations(result) if result.is_explained else None,
        changes=comparison.changes if comparison else None,
        statistics=_statistics(result),
        graphs=graphs,
    )
    from pytest_nlpeval.reports.run.document_figures import cases_report  # needs numpy; the action's report of no suite does not

    return replace(report, cases=cases_report(result, [row.measure for row in measure_rows(report)]))


def _facts(measure: Measure) -> dict[str, str]:
    """Return what is said of a measure besides its score: its group, that less of it is better, and that it is no share, if so."""
    kind = "count" if measure.range.is_whole else "share" if measure.range == SHARE else "number"
    facts = {"group": measure.group, "better": measure.better, "kind": kind}
    return {name: fact for name, fact in facts.items() if fact not in ("", "higher", "share")}


def _statistics(result: SuiteResult) -> StatisticsReport | None:
    """Return how chance was judged, None where nothing was: no intervals, and nothing that is compared."""
    if not result.intervals and result.comparison is None:
        return None
    statistics = result.suite.statistics
    return StatisticsReport(confidence=statistics.confidence, resamples=statistics.resamples, seed=statistics.seed)


def _graphs(result: SuiteResult) -> tuple[tuple[Drawing, ...], tuple[Problem, ...]]:
    """Return the graphs of a suite whose files are all valid: without some documents they would show something else.

    They are as they would be read from the JSON report, their lines of few points. If the task fails in drawing them, that is a problem.
    """
    suite, recipe = result.suite, result.suite.recipe
    if result.evidence is None or result.failed_cases or recipe.task.graphs is None:
        return (), ()
    try:
        return tuple(drawing_of(drawing.to_json()) for drawing in _drawn(result)), ()
    except TaskError as error:
        return (), tuple(
            replace(problem, path=suite.label, line=suite.line or None, where=suite.name) for problem in error.problems
        )


def _drawn(result: SuiteResult) -> list[Drawing]:
    """Return what the task draws of a result, with what it draws of the baseline."""
    recipe = result.suite.recipe
    if result.evidence is None or recipe.task.graphs is None:
        return []
    drawn = list(recipe.task.graphs(result.evidence, recipe.options))
    baseline = result.comparison.baseline.evidence if result.comparison else None
    if baseline is not None and drawn:
        before = {drawing.name: drawing for drawing in recipe.task.graphs(baseline, recipe.options)}
        drawn = [_beside(drawing, before.get(drawing.name)) for drawing in drawn]
    return drawn


def _beside(drawing: Drawing, before: Drawing | None) -> Drawing:
    """Return a drawing with that of the baseline's result, if there is one of the same type."""
    if isinstance(drawing, Graph) and isinstance(before, Graph):
        return drawing.beside(before)
    if isinstance(drawing, Matrix) and isinstance(before, Matrix):
        return drawing.beside(before)
    return drawing.beside(before) if isinstance(drawing, Bars) and isinstance(before, Bars) else drawing


def _explanations(result: SuiteResult) -> ExplanationsReport:
    """Return how many explanations there are of each reason, the first ones, and how many are cut."""
    counts: Counter[str] = Counter()
    first: list[ExplanationReport] = []
    shelf = Shelf(MOST)
    changes = (result.comparison.changes if result.comparison else None) or NO_CHANGES
    changed = {(change.case, change.now.item): change.sort for change in changes.first if change.now}
    for case, files in zip(result.cases, result.suite.cases, strict=True):
        if case.explanations is None:
            continue
        counts.update(case.explanations.counts)
        file, gold = files.files.get("system"), files.files.get("gold")
        for explanation in case.explanations.on(shelf).first:
            change: Sort | Literal[""] = changed.get((case.name, explanation.item), "")
            path, line = file.spot(explanation.line) if file else ("", explanation.line)
            gold_path, gold_line = gold.spot(explanation.gold_line) if gold else ("", explanation.gold_line)
            is_same = (line, gold_line) == (explanation.line, explanation.gold_line)
            shown = explanation if is_same else explanation._replace(line=line, gold_line=gold_line)
            first.append(ExplanationReport(case.name, shown, path, change, gold_path))
    return ExplanationsReport(counts=dict(sorted(counts.items())), first=tuple(first), cut=counts.total() - len(first))
