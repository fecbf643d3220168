"""Gates: conditions on scores, and the verdicts they give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, Literal

from pytest_nlpeval.measures import Score

TOLERANCE = 1e-12

Bound = Literal["min", "max"]
BOUNDS: tuple[Bound, ...] = ("min", "max")
SYMBOLS: Mapping[Bound, str] = {"min": ">=", "max": "<="}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry under `gates` as it stands in the configuration: a measure's name or a pattern with `*`, and its fields.

    `bounds` gives the threshold of `min` and `max` where set; `lines` the YAML line of each; `line` and `column` that of the entry.
    """

    pattern: str
    line: int
    column: int
    bounds: Mapping[Bound, float] = field(default_factory=dict)
    lines: Mapping[Bound, int] = field(default_factory=dict)
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
    """The conditions on one measure: `min <= value <= max`, as far as given. An informational one never fails a run."""

    measure: str
    line: int
    bounds: Mapping[Bound, float] = field(default_factory=dict)
    lines: Mapping[Bound, int] = field(default_factory=dict)
    informational: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one condition of a gate; `unjudged` counts as failed, for the `reason`.

    `line` is the condition's line in the configuration. `distance` is how far the value lies on the good side: negative, if
    it failed.
    """

    measure: str
    condition: Bound
    threshold: float
    value: float | None
    verdict: Literal["passed", "failed", "unjudged"]
    reason: str
    line: int
    informational: bool

    @property
    def distance(self) -> float | None:
        """Value minus threshold for `min`, threshold minus value for `max`; None without value."""
        if self.value is None:
            return None
        return self.value - self.threshold if self.condition == "min" else self.threshold - self.value

    @property
    def holds(self) -> bool:
        """Whether the condition holds."""
        return self.verdict == "passed"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        return {
            "measure": self.measure,
            "condition": self.condition,
            "threshold": self.threshold,
            "value": self.value,
            "verdict": self.verdict,
            "reason": self.reason,
            "line": self.line,
            "informational": self.informational,
        }


def resolve(layers: Sequence[Sequence[Entry]], measures: Iterable[str]) -> tuple[tuple[Gate, ...], tuple[Entry, ...]]:
    """Return the gates of these measures, and the entries that have no part in any of them.

    Layers (a suite's gates, then the profile's) apply in their order, in each the patterns before the plain names; of two entries
    that set the same bound the later one counts. A measure that has no bound in the end has no gate.
    """
    names = list(dict.fromkeys(measures))
    gates: dict[str, Gate] = {}
    for entry in (entry for layer in layers for entry in sorted(layer, key=lambda entry: not entry.is_pattern)):
        for name in filter(entry.matches, names):
            gates[name] = _with(gates.get(name) or Gate(name, entry.line), entry)
    bounded = tuple(gates[name] for name in names if name in gates and gates[name].bounds)
    idle = (entry for layer in layers for entry in layer if not any(entry.matches(gate.measure) for gate in bounded))
    return bounded, tuple(idle)


def _with(gate: Gate, entry: Entry) -> Gate:
    return replace(
        gate,
        line=entry.line if entry.bounds else gate.line,
        bounds={**gate.bounds, **entry.bounds},
        lines={**gate.lines, **entry.lines},
        informational=gate.informational if entry.informational is None else entry.informational,
    )


def judge(gate: Gate, score: Score) -> tuple[Verdict, ...]:
    """Return one verdict per condition of the gate. Values may miss a threshold by 1e-12, the noise of floats."""
    return tuple(_verdict(gate, bound, score) for bound in BOUNDS if bound in gate.bounds)


def _verdict(gate: Gate, bound: Bound, score: Score) -> Verdict:
    threshold = gate.bounds[bound]
    found = Verdict(
        gate.measure, bound, threshold, score.value, "passed", "", gate.lines.get(bound, gate.line), gate.informational
    )
    distance = found.distance
    if distance is None:
        return replace(found, verdict="unjudged", reason=score.reason)
    if distance >= -TOLERANCE:
        return found
    side = "below the minimum" if bound == "min" else "above the maximum"
    return replace(found, verdict="failed", reason=f"{score.value:.6g} is {-distance:.6g} {side} {threshold:.6g}")
