"""The parts of a digest: the verdict, a measure's row with its limits, what grew, and examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.numbers import count
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.model import ExplanationReport, GateReport, ScoreReport
from pytest_nlpeval.wording import plural

OF_SUITE = "of the suite itself"
"""Where errors of a suite are that are neither in the configuration nor in a document's files: a list of units that does not exist, say."""


class GateCounts(NamedTuple):
    """How many conditions can fail a run, how many of them failed or are unjudged, and how many informational ones do not hold."""

    gates: int
    failed: int
    unjudged: int
    informational: int

    @property
    def text(self) -> str:
        """`4 of 11 gates failed, 1 unjudged`; "" if there are no gates."""
        if not self.gates:
            return ""
        bad = self.failed + self.unjudged
        unjudged = f", {count(self.unjudged)} unjudged" if self.unjudged else ""
        if bad:
            return f"{count(bad)} of {plural(self.gates, 'gate')} failed{unjudged}"
        return "the one gate passed" if self.gates == 1 else f"all {plural(self.gates, 'gate')} passed"


def places_of(errors: Iterable[Problem], elsewhere: str) -> list[str]:
    """Return where each error is, in words: in the configuration, if its code and path say so, and else what `elsewhere` says."""
    return ["in the configuration" if error.path and error.code.startswith("config.") else elsewhere for error in errors]


def errors_told(places: Iterable[str]) -> str:
    """Count errors by their places: `2 errors in the configuration; 1 error of the run itself`; "" if there are none."""
    return "; ".join(f"{plural(number, 'error')} {place}" for place, number in Counter(places).items())


@light_dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a run, or of a suite: conditions, documents, those with errors in their files, suites, those that failed.

    `errors` are the places of errors that are in no document's files: of those of the run itself, and of suites, such as an entry of a
    configuration that no measure can answer to. `warnings` are those of the run itself.
    """

    passed: bool
    gates: GateCounts
    documents: int
    broken: int
    suites: int
    failed_suites: int
    errors: Sequence[str] = ()
    warnings: int = 0

    @property
    def text(self) -> str:
        """The verdict in one line, which counts what failed: `9 of 17 gates failed in 2 of 2 suites; 1 informational gate failed`.

        Errors that are in no document's files come before gates that passed, which are then no good news.
        """
        gates = self.gates.text
        suites = f"{count(self.failed_suites)} of {plural(self.suites, 'suite')}"
        if self.gates.failed + self.gates.unjudged and self.suites > 1:
            gates += f" in {suites}"
        elif not self.failed_suites and self.suites > 1 and gates:
            gates += f" in {plural(self.suites, 'suite')}"
        elif self.failed_suites and self.suites > 1:
            gates = "; ".join(filter(None, (gates, f"{suites} failed")))
        errors = errors_told(self.errors)
        leading = (gates, errors) if self.gates.failed + self.gates.unjudged else (errors, gates)
        return "; ".join(filter(None, (*leading, *self._facts())))

    @property
    def foremost(self) -> str:
        """The first part of the text, which counts most."""
        return self.text.partition("; ")[0]

    def _facts(self) -> Sequence[str]:
        informational, valid = self.gates.informational, self.documents - self.broken
        return (
            f"{plural(informational, 'informational gate')} failed" if informational else "",
            f"{count(self.broken)} of {plural(self.documents, 'document')} with errors in files" if self.broken else "",
            f"{plural(valid, 'document')} valid" if not self.broken and not self.gates.gates and self.suites else "",
            f"{plural(self.warnings, 'warning')} of the run itself" if self.warnings else "",
            "" if self.suites else "no suite was run",
        )


class Limit(NamedTuple):
    """What a gate asks of a measure: `≥ 0.8`, and how far the value is from it: `short by 0.146`, `over by 0.2`, `0.012 to spare`.

    `reason` says why it is unjudged, or holds for another reason than its limit; of a guard, which items count.
    """

    text: str
    distance: str
    verdict: Literal["passed", "failed", "unjudged"]
    reason: str
    gate: GateReport

    @property
    def is_informational(self) -> bool:
        """Whether the limit is of no consequence for the exit code."""
        return self.gate.informational

    @property
    def told(self) -> str:
        """The limit with the distance: `≥ 0.8, short by 0.146`."""
        return f"{self.text}, {self.distance}" if self.distance else self.text


class MeasureRow(NamedTuple):
    """A gated measure: its value, the baseline's, the drop with its interval and p, as texts, and its limits, those that fail first.

    `verdict` is `failed` or `unjudged` if that makes the run fail, `informational` if only informational limits do not hold.
    `interval` is the drop's if there is a drop, else the value's. Numbers that do not exist are `–`, p and interval then "".
    """

    measure: str
    verdict: Literal["failed", "unjudged", "informational", "passed"]
    value: str
    baseline: str
    drop: str
    interval: str
    p: str
    limits: Sequence[Limit]
    score: ScoreReport
    is_beyond_chance: bool | None

    @property
    def fails(self) -> bool:
        """Whether the measure makes the run fail."""
        return self.verdict in ("failed", "unjudged")

    @property
    def broken_limits(self) -> list[Limit]:
        """The limits that do not hold."""
        return [limit for limit in self.limits if limit.verdict != "passed"]

    @property
    def has_dropped(self) -> bool:
        """Whether the value is worse than the baseline's, by more than chance explains."""
        return bool(self.score.drop and self.score.drop > 0 and self.is_beyond_chance)

    @property
    def relative_drop(self) -> float:
        """The drop of a share, of anything else the drop as a fraction of the baseline's value; 0 without a drop."""
        drop, baseline = self.score.drop or 0.0, self.score.baseline
        return drop if self.score.kind == "share" or not baseline else drop / abs(baseline)


class Kind(NamedTuple):
    """A kind of items: its name (of a pair `MISC → PER`), and how many of them are wrong; `then` is None without a baseline.

    `gold` and `system` are the labels of a pair, "" for nothing.
    """

    name: str
    then: int | None
    today: int
    newly_wrong: int = 0
    newly_right: int = 0
    gold: str = ""
    system: str = ""

    @property
    def growth(self) -> int:
        """How many more items are wrong than in the baseline."""
        return self.today - (self.then or 0)

    @property
    def text(self) -> str:
        """`MISC → PER 0 → 13`, or `missed 73` without a baseline."""
        return (
            f"{self.name} {count(self.today)}" if self.then is None else f"{self.name} {count(self.then)} → {count(self.today)}"
        )


class Growth(NamedTuple):
    """What items are counted by, what a reader calls that, and the kinds, the greatest growth first."""

    by: Literal["reason", "pair", "group", "document"]
    title: str
    kinds: Sequence[Kind]

    @property
    def grown(self) -> list[Kind]:
        """The kinds that have more wrong items than in the baseline; without one, all."""
        return [kind for kind in self.kinds if kind.growth > 0]


class Example(NamedTuple):
    """An item to show: the explanation, its kind, what is `said` of it, and what was wrong `before` in the baseline, "" for nothing."""

    entry: ExplanationReport
    kind: str
    said: str
    before: str = ""

    @property
    def head(self) -> str:
        """Where the item is, and what it is called: `system/n00.conll:148  145 (LOC)`."""
        unit, group = self.entry.explanation.unit, self.entry.explanation.group
        name = "" if unit == group or f"unit {unit}" in self.entry.place else unit
        return "  ".join(filter(None, (self.entry.place, f"{name} ({group})".strip() if group else name)))
