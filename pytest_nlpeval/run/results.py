"""The result of a suite: its run, scored and judged."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.gates import Gate, Verdict
from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.run.signature import Signature
from pytest_nlpeval.runs import CaseResult, Outcome, Part, Run
from pytest_nlpeval.task import Deferred
from pytest_nlpeval.wording import nearest, printable

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence
    from pytest_nlpeval.metrics.intervals import Interval
    from pytest_nlpeval.run.against_baseline import Comparison


_TEXT = Deferred("pytest_nlpeval.reports.written:text_of")
_WRITE = Deferred("pytest_nlpeval.reports.written:write")
"""How results show and write themselves: reports are made of results, so these are imported when they are called."""


@frozen_dataclass(frozen=True, slots=True)
class SuiteResult:
    """The result of a suite, which shows itself as the text report does.

    `evidence` is None if nothing could be counted; `scores` go by measure, in the task's order. `problems` are those of the suite itself:
    gates that its files leave without a measure. `notes` say what a reader must know besides the scores, a sentence each. `intervals` are
    those of the scores; `comparison` compares them with the baseline, if there is one.
    """

    suite: Suite
    cases: tuple[CaseResult, ...]
    evidence: Evidence | None
    scores: Mapping[str, Score]
    gates: tuple[Gate, ...]
    verdicts: tuple[Verdict, ...]
    signature: Signature
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    comparison: Comparison | None = None
    _by_measure: dict[str, list[Verdict]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def verdicts_on(self, measure: str) -> Sequence[Verdict]:
        """Return the verdicts on a measure, none if no gate judges it; they are sorted by measure once, for each of many gates asks."""
        if not self._by_measure:
            for verdict in self.verdicts:
                self._by_measure.setdefault(verdict.measure, []).append(verdict)
        return self._by_measure.get(measure, ())

    @property
    def outcome(self) -> Outcome:
        """`set-up` if a gold-side file or the configuration is wrong, `failed` if a system file is or a gate does not hold."""
        outcomes = {case.outcome for case in self.cases}
        if "set-up" in outcomes or any(problem.severity == "error" for problem in self.problems):
            return "set-up"
        return "failed" if "failed" in outcomes or any(verdict.fails for verdict in self.verdicts) else "ok"

    @property
    def run(self) -> Run:
        """What became of the suite's files, without what it is scored and judged by."""
        return Run.of(self.suite.name, Part(self.cases, self.evidence))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that have a score, or a reason why they have no value, in the task's order."""
        measures = self.suite.measures_of(*[self.evidence] if self.evidence is not None else [])
        return tuple(measure for measure in measures if measure.name in self.scores)

    @property
    def is_explained(self) -> bool:
        """Whether the cases say why units are not right."""
        return self.run.wrong is not None

    @property
    def failed_cases(self) -> list[CaseResult]:
        """The cases that have an error in some file."""
        return [case for case in self.cases if case.outcome != "ok"]

    def all_problems(self) -> tuple[Problem, ...]:
        """Return the suite's own problems and those of all cases; those of a file that serves several cases once."""
        return tuple(dict.fromkeys((*self.problems, *(problem for case in self.cases for problem in case.all_problems()))))

    def score_json(self, measure: str) -> dict[str, Any]:
        """Return the JSON report's form of a score, with its interval and how it compares with the baseline."""
        interval = self.intervals.get(measure)
        return {
            **self.scores[measure].to_json(),
            **(interval.to_json() if interval else {}),
            **(self.comparison.of_score(measure) if self.comparison else {}),
        }

    def __repr__(self) -> str:
        """Return the text report of the suite, with all scores, and paths as seen from the current folder."""
        return str(_TEXT([self])).rstrip("\n")

    def write(self, format: str, path: str | os.PathLike[str]) -> None:  # noqa: A002 - what every report calls it
        """Write a report of the suite: in changes, csv, html, json, markdown, native or text.

        Raises:
            ValueError: if there is no such format, with those that there are.
            OSError: if the file cannot be written.
        """
        _WRITE([self], format, path)

    def __getitem__(self, measure: str) -> float:
        """Return a measure's value.

        Raises:
            KeyError: if there is no such measure, with the nearest names.
            ValueError: if it has no value, with the reason.
        """
        if measure not in self.scores:
            raise KeyError(printable(f'no measure "{measure}"; {nearest(measure, self.scores)}'))
        score = self.scores[measure]
        if score.value is None:
            raise ValueError(
                printable(f"{measure} has no value: {score.reason}")
            )  # which may be what a task of another package says
        return score.value


class Reports:
    """The report of some results, as `nlpeval run` makes it of its suites: printed it is the text report."""

    def __init__(self, results: Sequence[SuiteResult]) -> None:
        self._results = tuple(results)

    def __repr__(self) -> str:
        """Return the text report."""
        return str(_TEXT(self._results)).rstrip("\n")

    def write(self, format: str, path: str | os.PathLike[str]) -> None:  # noqa: A002 - what every report calls it
        """Write the report: in changes, csv, html, json, markdown, native or text.

        Raises:
            ValueError: if there is no such format, with those that there are.
            OSError: if the file cannot be written.
        """
        _WRITE(self._results, format, path)


def report(results: Sequence[SuiteResult]) -> Reports:
    """Return the report of some results: `report([one, other]).write("html", "report.html")`."""
    return Reports(results)
