"""Gates: conditions on scores, and the verdicts they give.

A further condition is one more class below: its name is the key in `nlpeval.yaml`; `schemas/nlpeval.schema.json` says what value it
takes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, ClassVar, Literal, Self

from pytest_nlpeval.measures import Measure, Score

TOLERANCE = 1e-12
"""By how much a value may miss a threshold: the noise of floats."""


NO_BASELINE = Score(
    None, "there is no baseline to compare with; name one in the configuration (`baseline: git:origin/main`), or for this run"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a condition is judged by: a score and, where there is a baseline, how it compares.

    `drop` is by how much the score is worse than the baseline's, negative if it is better. `p` is the p-value of the one-sided test
    of a drop above 0, `p_adjusted` that after Holm's adjustment. `upper` is the upper end of the one-sided interval of the drop,
    `detectable` the smallest drop that this suite shows with a power of 80 %. `is_new` says that the baseline does not have the suite.
    """

    score: Score
    baseline: Score = NO_BASELINE
    drop: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    upper: float | None = None
    detectable: float | None = None
    is_new: bool = False
    is_estimate: bool = False

    @classmethod
    def from_json(cls, gate: Mapping[str, Any]) -> Self:
        """Return what an entry under `gates` of the JSON report was judged by."""
        score, baseline = Score(gate["value"], gate["reason"]), Score(gate.get("baseline"), gate["reason"])
        known: dict[str, Any] = {name: gate.get(name) for name in ("drop", "p", "p_adjusted", "upper", "detectable")}
        return cls(score, baseline, **known)

    @property
    def missing(self) -> str:
        """Why score and baseline cannot be compared."""
        return self.score.reason or self.baseline.reason


@dataclass(frozen=True, slots=True)
class Condition(ABC):
    """What a score must fulfil.

    `name` is the condition's key in a configuration, `denial` how a value that fails is written before the threshold: `0.4 < 0.5`.
    `needs_baseline` says that there is no verdict without the score of an accepted run, `bounds_value` that the threshold is itself a value
    of the measure. `alpha` is the level of significance, None for none.
    """

    threshold: float
    alpha: float | None = None

    name: ClassVar[str]
    needs_baseline: ClassVar[bool] = False
    bounds_value: ClassVar[bool] = False

    @property
    @abstractmethod
    def bound(self) -> str:
        """What is demanded, in short: `>= 0.5`."""

    @abstractmethod
    def denial(self, standing: Standing) -> str:
        """Return in short how a value fails: `0.4 < 0.5`."""

    @abstractmethod
    def distance(self, standing: Standing) -> float | None:
        """Return how far a value is on the good side, in the unit of the threshold; None if that cannot be said."""

    def holds(self, standing: Standing) -> bool | None:
        """Whether a score fulfils the condition; None if it cannot be said, for `reason`."""
        if self.needs_baseline and standing.is_new and standing.score.value is not None:
            return True
        distance = self.distance(standing)
        return None if distance is None else distance >= -TOLERANCE

    @abstractmethod
    def reason(self, standing: Standing) -> str:
        """Return why the condition does not hold, cannot be judged, or holds for another reason than its threshold; "" otherwise."""


class Min(Condition):
    """The least value that passes."""

    __slots__ = ()
    name = "min"
    bounds_value = True

    @property
    def bound(self) -> str:
        """`>= 0.5`."""
        return f">= {self.threshold:g}"

    def denial(self, standing: Standing) -> str:
        """`0.4 < 0.5`."""
        return f"{standing.score.value:.6g} < {self.threshold:g}"

    def distance(self, standing: Standing) -> float | None:
        """Return value - threshold."""
        value = standing.score.value
        return None if value is None else value - self.threshold

    def reason(self, standing: Standing) -> str:
        """Say by how much the value is below the minimum."""
        return _missed(self, standing, "below the minimum")


class Max(Condition):
    """The greatest value that passes."""

    __slots__ = ()
    name = "max"
    bounds_value = True

    @property
    def bound(self) -> str:
        """`<= 0.5`."""
        return f"<= {self.threshold:g}"

    def denial(self, standing: Standing) -> str:
        """`0.4 > 0.5`."""
        return f"{standing.score.value:.6g} > {self.threshold:g}"

    def distance(self, standing: Standing) -> float | None:
        """Return threshold - value."""
        value = standing.score.value
        return None if value is None else self.threshold - value

    def reason(self, standing: Standing) -> str:
        """Say by how much the value is above the maximum."""
        return _missed(self, standing, "above the maximum")


def _missed(condition: Condition, standing: Standing, miss: str) -> str:
    distance = condition.distance(standing)
    if distance is None:
        return standing.score.reason
    if distance >= -TOLERANCE:
        return ""
    return f"{standing.score.value:.6g} is {-distance:.6g} {miss} {condition.threshold:.6g}"


class MaxDrop(Condition):
    """The greatest drop against the baseline that passes; with `alpha`, a greater one fails only if it is significant."""

    __slots__ = ()
    name = "max_drop"
    needs_baseline = True

    @property
    def bound(self) -> str:
        """`drop <= 0.01`."""
        return f"drop <= {self.threshold:g}{self._level}"

    @property
    def _level(self) -> str:
        return "" if self.alpha is None else f" (alpha {self.alpha:g})"

    def allowed(self, standing: Standing) -> float | None:  # noqa: ARG002 - a relative drop depends on the baseline
        """Return the greatest drop that passes."""
        return self.threshold

    def denial(self, standing: Standing) -> str:
        """`0.4, a drop of 0.03 > 0.01`."""
        return f"{standing.score.value:.6g}, a drop of {standing.drop:.6g} > {self.allowed(standing):g}"

    def distance(self, standing: Standing) -> float | None:
        """Return how much greater the drop might be."""
        allowed = self.allowed(standing)
        return None if standing.drop is None or allowed is None else allowed - standing.drop

    def holds(self, standing: Standing) -> bool | None:
        """Whether the drop is small enough, or not significant."""
        is_small = super().holds(standing)
        return True if is_small is False and self._may_be_chance(standing) else is_small

    def _may_be_chance(self, standing: Standing) -> bool:
        return self.alpha is not None and standing.p_adjusted is not None and standing.p_adjusted > self.alpha

    def reason(self, standing: Standing) -> str:
        """Say how great the drop is, and whether it is significant."""
        distance = self.distance(standing)
        if distance is None:
            return standing.missing
        if distance >= -TOLERANCE:
            return ""
        chance = "" if standing.p_adjusted is None or self.alpha is None else f" (p = {standing.p_adjusted:.2g})"
        if self._may_be_chance(standing):
            return f"the drop of {standing.drop:.6g} is not significant{chance}"
        before, now = standing.baseline.value, standing.score.value
        return f"{now:.6g} is {standing.drop:.6g} worse than {before:.6g}, {-distance:.6g} more than allowed{chance}"


class MaxDropRelative(MaxDrop):
    """The greatest drop that passes, as a fraction of the baseline's value."""

    __slots__ = ()
    name = "max_drop_relative"

    @property
    def bound(self) -> str:
        """`drop <= 2 % of the baseline`."""
        return f"drop <= {100 * self.threshold:g} % of the baseline{self._level}"

    def allowed(self, standing: Standing) -> float | None:
        """Return the threshold times the baseline's value."""
        before = standing.baseline.value
        return None if before is None else self.threshold * abs(before)


class NonInferior(Condition):
    """The margin that the system must be shown not to be worse by: the one-sided interval of the drop must end below it."""

    __slots__ = ()
    name = "non_inferior"
    needs_baseline = True

    @property
    def bound(self) -> str:
        """`drop < 0.005 for certain`."""
        return f"drop < {self.threshold:g} for certain (alpha {self.alpha or DEFAULT_ALPHA:g})"

    def denial(self, standing: Standing) -> str:
        """`0.4, a drop of up to 0.03 >= 0.01`."""
        return f"{standing.score.value:.6g}, a drop of up to {standing.upper:.6g} >= {self.threshold:g}"

    def distance(self, standing: Standing) -> float | None:
        """Return margin - upper end of the interval."""
        return None if standing.upper is None else self.threshold - standing.upper

    def holds(self, standing: Standing) -> bool | None:
        """Whether the interval ends below the margin."""
        distance = self.distance(standing)
        return super().holds(standing) if distance is None else distance > 0

    def reason(self, standing: Standing) -> str:
        """Say how great the drop may be."""
        if standing.upper is None:
            return standing.missing
        if standing.upper < self.threshold:
            return ""
        sure = 100 * (1 - (self.alpha or DEFAULT_ALPHA))
        return f"the drop of {standing.drop:.6g} may be as great as {standing.upper:.6g} ({sure:g} % one-sided), margin {self.threshold:g}"


DEFAULT_ALPHA = 0.05
"""The level of `non_inferior` where none is given."""

CONDITIONS: Mapping[str, type[Condition]] = {
    condition.name: condition for condition in (Min, Max, MaxDrop, MaxDropRelative, NonInferior)
}
"""The conditions by their keys, in the order in which a gate shows them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry under `gates` as it is in the configuration: a measure's name or a pattern with `*`, and its fields.

    `conditions` are those that it sets, by name; `lines` gives the YAML line of each, `line` and `column` the place of the entry. `alpha`
    is the level of those conditions of the gate that compare with a baseline.
    """

    pattern: str
    line: int
    column: int
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    informational: bool | None = None
    alpha: float | None = None

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
    alpha: float | None = None

    def judged_conditions(self) -> Iterator[Condition]:
        """Yield the conditions in the order in which they are shown, each with the level that applies to it."""
        for name in CONDITIONS:
            if condition := self.conditions.get(name):
                yield replace(condition, alpha=self.alpha) if condition.needs_baseline else condition


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one condition of a gate; `unjudged` counts as failed, for the `reason`.

    `line` is the condition's line in the configuration.
    """

    measure: str
    condition: Condition
    standing: Standing
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
            "value": self.standing.score.value,
            **(self._against_baseline() if self.condition.needs_baseline else {}),
            "verdict": self.verdict,
            "reason": self.reason,
            "line": self.line,
            "informational": self.informational,
        }

    def _against_baseline(self) -> dict[str, Any]:
        standing = self.standing
        facts = {
            "alpha": self.condition.alpha,
            "baseline": standing.baseline.value,
            "drop": standing.drop,
            "p": standing.p,
            "p_adjusted": standing.p_adjusted,
            "upper": standing.upper,
            "detectable": standing.detectable,
        }
        return {name: fact for name, fact in facts.items() if fact is not None}


def condition_of(gate: Mapping[str, Any]) -> Condition:
    """Return the condition of an entry under `gates` of the JSON report."""
    return CONDITIONS[gate["condition"]](gate["threshold"], gate.get("alpha"))


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
        alpha=gate.alpha if entry.alpha is None else entry.alpha,
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


def judge(gate: Gate, standing: Standing) -> tuple[Verdict, ...]:
    """Return one verdict per condition of the gate, from the standing of its measure."""
    return tuple(_verdict(gate, condition, standing) for condition in gate.judged_conditions())


_WORDS: Mapping[bool | None, Literal["passed", "failed", "unjudged"]] = {True: "passed", False: "failed", None: "unjudged"}


def _verdict(gate: Gate, condition: Condition, standing: Standing) -> Verdict:
    word = _WORDS[condition.holds(standing)]
    line = gate.lines.get(condition.name, gate.line)
    return Verdict(gate.measure, condition, standing, word, condition.reason(standing), line, gate.informational)
