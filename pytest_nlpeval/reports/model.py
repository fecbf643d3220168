"""The report of a run (schemas/report.schema.json) as typed objects: what all formats are made of. Fields are called as in the schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, NamedTuple, Self

from pytest_nlpeval.conditions import Standing
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.falls import GroupFalls
from pytest_nlpeval.graphs import Drawing, drawing_of
from pytest_nlpeval.guards import CONDITIONS, GUARDS, GuardedUnit, MaxWorse
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Score
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.bearing import NamePatterns
from pytest_nlpeval.reports.json_forms import decoded_fields, encoded_fields
from pytest_nlpeval.reports.since import SinceReport
from pytest_nlpeval.run.item_changes import Changes, Sort
from pytest_nlpeval.run.signature import Signature
from pytest_nlpeval.runs import Outcome
from pytest_nlpeval.wording import whole


@light_dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """A measure's value, or None and the `reason`; its interval, how it compares with the baseline's value, its group, direction and kind.

    `kind` is what the value is: a `share` in [0, 1], a `count` of things, or any other `number`. `resamples` is how many the interval
    is of, None where these are as many as the statistics say, or none; so are `drop_resamples` of the drop's and `p_resamples` of `p`.
    """

    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    resamples: int | None = None
    baseline: float | None = None
    drop: float | None = None
    p: float | None = None
    drop_low: float | None = None
    drop_high: float | None = None
    drop_resamples: int | None = None
    p_resamples: int | None = None
    group: str = ""
    better: Literal["higher", "lower"] = "higher"
    kind: Literal["share", "count", "number"] = "share"

    def shown(self, name: Literal["low", "high", "baseline", "drop"]) -> float | None:
        """Return an end of the interval, the baseline's value or the drop as shown beside the value: beside a count, as a whole number."""
        return whole(getattr(self, name), self.value)


NO_SCORE = ScoreReport(value=None)
"""That of a measure that the report does not have."""


@light_dataclass(frozen=True, slots=True, kw_only=True)
class GateReport:
    """What became of a condition. `p_adjusted` is adjusted by Holm's method, `upper` the upper end of the drop's one-sided interval.

    Of a guard, `value` and `threshold` are numbers of units. `units` are the first of those that it counts; `known`, `right_again` and
    `gone` are known failures that are wrong, that are right, and that gold does not have. `right` and `by` are what the gate sets.
    `groups` is what became of the groups that `no_group_falls` compares.

    Three facts are not in the JSON object, but follow from those that are: what is demanded (`bound`), how far the value is on the good
    side of it (`distance`, None if that cannot be said), and whether the threshold is a value of the measure itself (`bounds_value`).
    """

    measure: str
    condition: str
    threshold: float
    value: float | None
    alpha: float | None = None
    baseline: float | None = None
    drop: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    upper: float | None = None
    detectable: float | None = None
    right: float | None = None
    by: float | None = None
    groups: GroupFalls | None = None
    units: tuple[GuardedUnit, ...] = ()
    known: tuple[GuardedUnit, ...] = ()
    right_again: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    verdict: Literal["passed", "failed", "unjudged"]
    reason: str
    line: int
    informational: bool
    bound: str
    distance: float | None
    bounds_value: bool

    @property
    def fails(self) -> bool:
        """Whether the condition makes the run fail."""
        return self.verdict != "passed" and not self.informational

    @property
    def is_guard(self) -> bool:
        """Whether the condition looks at single units."""
        return self.condition in GUARDS

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {name: fact for name, fact in encoded_fields(self).items() if name not in ("bound", "distance", "bounds_value")}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON form, and work out the facts that are not in it; nothing is judged again."""
        condition = CONDITIONS[data["condition"]](data["threshold"], data.get("alpha"))
        if isinstance(condition, MaxWorse):
            condition = replace(condition, by=data.get("by", 0.0))
        score, baseline = Score(data["value"]), Score(data.get("baseline"))
        falls = GroupFalls.from_json(data["groups"]) if "groups" in data else None
        standing = Standing(score, baseline, drop=data.get("drop"), upper=data.get("upper"), falls=falls)
        distance = whole(condition.distance(standing), score.value)
        return decoded_fields(cls, data, bound=condition.bound, distance=distance, bounds_value=condition.bounds_value)


@light_dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReport:
    """A document: the citations of the errors in its files, or its `values` by measure; and how many explanations there are of it."""

    name: str
    problems: tuple[str, ...] | None = None
    explanations: int | None = None
    values: Mapping[str, float | None] | None = None

    def value(self, measure: str) -> float | None:
        """Return the document's figure of a measure, None for none."""
        return (self.values or {}).get(measure)


@light_dataclass(frozen=True, slots=True, kw_only=True)
class CasesReport:
    """How many documents there are, and the worst of them by the measure `by`; `cut` is how many are left out."""

    total: int
    failed: int
    by: str | None = None
    documents: tuple[DocumentReport, ...] | None = None
    cut: int | None = None

    @property
    def listed(self) -> tuple[DocumentReport, ...]:
        """The documents, none if the report does not say."""
        return self.documents or ()


@light_dataclass(frozen=True, slots=True, kw_only=True)
class BaselineReport:
    """What a suite was compared with, or the `reason` why it was not; `new` says that the baseline does not have the suite.

    `subject`, `author` and `date` are those of the `commit`.
    """

    source: str
    commit: str = ""
    written: str = ""
    age_days: int | None = None
    subject: str = ""
    author: str = ""
    date: str = ""
    reason: str = ""
    resampled: str = ""
    units: Mapping[str, int] | None = None
    new: bool = False
    documents_added: tuple[str, ...] = ()
    documents_vanished: tuple[str, ...] = ()
    documents_broken: tuple[str, ...] = ()


class ExplanationReport(NamedTuple):
    """An explanation with its document, the system file if the line is known, what changed, "" if that is not known, and the gold file.

    The gold file is that of what only gold has, if its line there is known.
    """

    case: str
    explanation: Explanation
    path: str = ""
    change: Sort | Literal[""] = ""
    gold_path: str = ""

    @property
    def place(self) -> str:
        """Where it is: `path:line`, `system[17]` of content in memory, or the document and the unit; of what only gold has, in gold."""
        line, unit = self.explanation.line, self.explanation.unit
        for path, at in ((self.path, line), (self.gold_path, self.explanation.gold_line)):
            if path:
                return f"{path}:{at}" if at else path
        return ", ".join(filter(None, (self.case, f"line {line}" if line else f"unit {unit}" if unit else "")))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        facts = {"change": self.change, "gold_path": self.gold_path}
        told = {name: fact for name, fact in facts.items() if fact}
        return {"case": self.case, **({"path": self.path} if self.path else {}), **self.explanation.to_json(), **told}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote."""
        return cls(
            data["case"], Explanation.from_json(data), data.get("path", ""), data.get("change", ""), data.get("gold_path", "")
        )


class _Index(NamedTuple):
    """Which explanations bear on measures: the ranks of the explanations of each pattern, the patterns, and reasons that were cut."""

    places: Mapping[str, Sequence[int]]
    patterns: NamePatterns
    cut: Collection[str]


@light_dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationsReport:
    """Why units are not right: how many explanations there are of each reason, the `first` of them, and how many are `cut`."""

    counts: Mapping[str, int]
    first: tuple[ExplanationReport, ...]
    cut: int | None = None
    _kept: dict[str, _Index] = field(default_factory=dict, init=False, repr=False, compare=False)

    def bearing_on(self, measure: str) -> list[ExplanationReport]:
        """Return the listed explanations that bear on a measure."""
        index = self._index
        matching = index.patterns.matching(measure)
        return [self.first[place] for place in sorted({place for pattern in matching for place in index.places[pattern]})]

    def summary_of(self, measure: str) -> str:
        """Return how many explanations of each reason bear on a measure: `3 missed, at least 1 spurious` if spurious ones were cut."""
        counts = Counter(entry.explanation.reason for entry in self.bearing_on(measure))
        return ", ".join(
            f"{'at least ' * (reason in self._index.cut)}{count:,} {reason}" for reason, count in sorted(counts.items())
        )

    @property
    def _index(self) -> _Index:
        """The index, made when it is first asked for: a suite may have many gates that fail, and ten thousand explanations."""
        if "" not in self._kept:
            places: dict[str, list[int]] = {}
            for place, entry in enumerate(self.first):
                for pattern in entry.explanation.measures or ("*",):
                    places.setdefault(pattern, []).append(place)
            cut = Counter(self.counts) - Counter(entry.explanation.reason for entry in self.first)
            self._kept[""] = _Index(places, NamePatterns(places), cut)
        return self._kept[""]


NO_EXPLANATIONS = ExplanationsReport(counts={}, first=())
"""Those of a suite of which nobody asked."""


def _drawings(data: Sequence[Mapping[str, Any]]) -> tuple[Drawing, ...]:
    return tuple(map(drawing_of, data))


@light_dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsReport:
    """How chance was judged: the `confidence` of intervals, None for none, the number of draws (`resamples`), and their `seed`."""

    confidence: float | None = None
    resamples: int
    seed: int


@light_dataclass(frozen=True, slots=True, kw_only=True)
class CommitReport:
    """A commit: its name, the first line of its message, who wrote it, and its day (`2026-01-31`)."""

    commit: str
    subject: str = ""
    author: str = ""
    date: str = ""


@light_dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutReport(CommitReport):
    """The repository that was judged: its name, the branch, and the commit at HEAD, from which files may differ."""

    repository: str = ""
    branch: str = ""


@light_dataclass(frozen=True, slots=True, kw_only=True)
class SuiteReport:
    """What became of a suite; `explanations` and `changes` are None if nobody asked, as is `since`."""

    name: str
    system: str
    task: str
    config: str
    line: int
    signature: Signature
    outcome: Outcome
    cases: CasesReport
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()
    baseline: BaselineReport | None = None
    scores: Mapping[str, ScoreReport]
    gates: tuple[GateReport, ...]
    explanations: ExplanationsReport | None = None
    changes: Changes | None = None
    statistics: StatisticsReport | None = None
    since: SinceReport | None = None
    graphs: tuple[Drawing, ...] = field(default=(), metadata={"from_json": _drawings})

    @property
    def explained(self) -> ExplanationsReport:
        """The explanations, none if nobody asked."""
        return self.explanations or NO_EXPLANATIONS

    def score(self, measure: str) -> ScoreReport:
        """Return the score of a measure, one without value if the report has none."""
        return self.scores.get(measure, NO_SCORE)


@light_dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of a run; `problems` are what went wrong besides the suites. `python` is the interpreter's version.

    `arguments` are the options with which `nlpeval run` makes the report again.
    """

    version: int
    tool: str
    passed: bool
    python: str = ""
    checkout: CheckoutReport | None = None
    arguments: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    suites: tuple[SuiteReport, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report."""
        return encoded_fields(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a JSON report that follows the schema; `ValueError` if a drawing in it cannot be drawn."""
        return decoded_fields(cls, data)
