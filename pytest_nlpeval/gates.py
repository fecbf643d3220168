"""Gates: conditions on scores, and the verdicts they give.

A further condition is one more class below: its name is the key in `nlpeval.yaml`; `schemas/nlpeval.schema.json` says what value it
takes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, ClassVar, Literal

from pytest_nlpeval.measures import Measure, Score

TOLERANCE = 1e-12
"""By how much a value may miss a threshold: the noise of floats."""


@dataclass(frozen=True, slots=True)
class Condition(ABC):
    """What a score must fulfil.

    `name` is the condition's key in a configuration, `symbol` how it is written between value and threshold, `denial` how a value that
    fails is. `miss` describes such a value: "below the minimum". `needs_baseline` says that there is no verdict without the score of an
    accepted run, `bounds_value` that the threshold is itself a value of the measure.
    """

    threshold: float

    name: ClassVar[str]
    symbol: ClassVar[str]
    denial: ClassVar[str]
    miss: ClassVar[str]
    needs_baseline: ClassVar[bool] = False
    bounds_value: ClassVar[bool] = False

    @abstractmethod
    def distance(self, value: float, baseline: float | None = None) -> float:
        """Return how far a value is on the good side: negative if the condition fails, in the unit of the threshold."""

    def holds(self, score: Score, baseline: Score | None = None) -> bool | None:
        """Whether a score fulfils the condition; None if it cannot be said, for `why_open`."""
        distance = self._distance(score, baseline)
        return None if distance is None else distance >= -TOLERANCE

    def reason(self, score: Score, baseline: Score | None = None) -> str:
        """Return why the condition does not hold, or cannot be judged; "" if it holds."""
        distance = self._distance(score, baseline)
        if distance is None:
            return score.reason or (baseline.reason if baseline else "there is no baseline to compare with")
        if distance >= -TOLERANCE:
            return ""
        return f"{score.value:.6g} is {-distance:.6g} {self.miss} {self.threshold:.6g}"

    def _distance(self, score: Score, baseline: Score | None) -> float | None:
        before = baseline.value if baseline else None
        if score.value is None or (self.needs_baseline and before is None):
            return None
        return self.distance(score.value, before)


class Min(Condition):
    """The least value that passes."""

    __slots__ = ()
    name = "min"
    symbol = ">="
    denial = "<"
    miss = "below the minimum"
    bounds_value = True

    def distance(self, value: float, baseline: float | None = None) -> float:  # noqa: ARG002 - a bound needs no baseline
        """Return value - threshold."""
        return value - self.threshold


class Max(Condition):
    """The greatest value that passes."""

    __slots__ = ()
    name = "max"
    symbol = "<="
    denial = ">"
    miss = "above the maximum"
    bounds_value = True

    def distance(self, value: float, baseline: float | None = None) -> float:  # noqa: ARG002 - a bound needs no baseline
        """Return threshold - value."""
        return self.threshold - value


CONDITIONS: Mapping[str, type[Condition]] = {condition.name: condition for condition in (Min, Max)}
"""The conditions by their keys, in the order in which a gate shows them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry under `gates` as it is in the configuration: a measure's name or a pattern with `*`, and its fields.

    `conditions` are those that it sets, by name; `lines` gives the YAML line of each, `line` and `column` the place of the entry.
    """

    pattern: str
    line: int
    column: int
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    informational: bool | None = None

    @property
    def is_pattern(self) -> bool:
        """Whether the name stands for all measures that it matches."""
        return "*" in self.pattern

    def matches(self, measure: str) -> bool:
        """Whether the entry is about this measure; `*` stands for any characters, dots included."""
        return fnmatchcase(measure, _only_stars(self.pattern)) if self.is_pattern else measure == self.pattern


def _only_stars(pattern: str) -> str:
    return pattern.replace("[", "[[]").replace("?", "[?]")


@dataclass(frozen=True, slots=True)
class Gate:
    """The conditions on one measure, by name. An informational one never fails a run."""

    measure: str
    line: int
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    informational: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one condition of a gate; `unjudged` counts as failed, for the `reason`.

    `line` is the condition's line in the configuration.
    """

    measure: str
    condition: Condition
    value: float | None
    verdict: Literal["passed", "failed", "unjudged"]
    reason: str
    line: int
    informational: bool

    @property
    def holds(self) -> bool:
        """Whether the condition holds."""
        return self.verdict == "passed"

    @property
    def fails(self) -> bool:
        """Whether the condition fails the run: it does not hold, and is not informational."""
        return not (self.holds or self.informational)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        return {
            "measure": self.measure,
            "condition": self.condition.name,
            "threshold": self.condition.threshold,
            "value": self.value,
            "verdict": self.verdict,
            "reason": self.reason,
            "line": self.line,
            "informational": self.informational,
        }


def resolve(layers: Sequence[Sequence[Entry]], measures: Iterable[str]) -> tuple[tuple[Gate, ...], tuple[Entry, ...]]:
    """Return the gates of these measures, and the entries that have no part in any of them.

    Layers (a suite's gates, then the profile's) apply in their order, in each the patterns before the plain names; of two entries
    that set the same condition the later one counts. A measure that has no condition in the end has no gate. Gates are in the
    order of their lines, those of one line in that of `measures`.
    """
    names = list(dict.fromkeys(measures))
    gates: dict[str, Gate] = {}
    for entry in (entry for layer in layers for entry in sorted(layer, key=lambda entry: not entry.is_pattern)):
        for name in filter(entry.matches, names):
            gates[name] = _with(gates.get(name) or Gate(name, entry.line), entry)
    judged = tuple(
        sorted((gates[name] for name in names if name in gates and gates[name].conditions), key=lambda gate: gate.line)
    )
    idle = (entry for layer in layers for entry in layer if not any(entry.matches(gate.measure) for gate in judged))
    return judged, tuple(idle)


def _with(gate: Gate, entry: Entry) -> Gate:
    return replace(
        gate,
        line=entry.line if entry.conditions else gate.line,
        conditions={**gate.conditions, **entry.conditions},
        lines={**gate.lines, **entry.lines},
        informational=gate.informational if entry.informational is None else entry.informational,
    )


def beyond_range(entry: Entry, measures: Iterable[Measure]) -> str:
    """Return what is wrong with an entry's thresholds if no measure that it matches can have such values; "" if nothing is.

    >>> from pytest_nlpeval.measures import Measure
    >>> accuracy = Measure("accuracy", "", "", lambda sample: sample.total("x"))
    >>> beyond_range(Entry("accuracy", 1, 1, {"min": Min(61.0)}), [accuracy])
    'min 61 is not between 0 and 1, where accuracy lies; values are fractions: 0.61?'
    """
    matched = [measure for measure in measures if entry.matches(measure.name)]
    for condition in entry.conditions.values():
        threshold = condition.threshold
        if condition.bounds_value and matched and not any(found.range.low <= threshold <= found.range.high for found in matched):
            low, high, _ = matched[0].range
            hint = f"; values are fractions: {threshold / 100:g}?" if high == 1 and 1 < threshold <= 100 else ""
            return f"{condition.name} {threshold:g} is not between {low:g} and {high:g}, where {matched[0].name} lies{hint}"
    return ""


def judge(gate: Gate, score: Score, baseline: Score | None = None) -> tuple[Verdict, ...]:
    """Return one verdict per condition of the gate."""
    return tuple(_verdict(gate, gate.conditions[name], score, baseline) for name in CONDITIONS if name in gate.conditions)


_WORDS: Mapping[bool | None, Literal["passed", "failed", "unjudged"]] = {True: "passed", False: "failed", None: "unjudged"}


def _verdict(gate: Gate, condition: Condition, score: Score, baseline: Score | None) -> Verdict:
    word = _WORDS[condition.holds(score, baseline)]
    line = gate.lines.get(condition.name, gate.line)
    return Verdict(gate.measure, condition, score.value, word, condition.reason(score, baseline), line, gate.informational)
