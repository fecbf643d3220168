"""Gates: conditions on measures, and the verdicts they give."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fnmatch import fnmatchcase
from typing import Any, Literal, TypeVar

from pytest_nlpeval.conditions import Bound, Condition, Max, Min, NoGroupFalls, Standing
from pytest_nlpeval.guards import CONDITIONS, Finding, Guard, mistake, settings_of
from pytest_nlpeval.light_dataclasses import frozen_dataclass, light_dataclass
from pytest_nlpeval.measures import SHARE, Measure, Score

IfNoValue = Literal["fail", "pass"]
"""What becomes of a condition whose measure has no value."""

PASSES_WITHOUT = "passes, for `if_no_value: pass`"
"""How the reason of a verdict ends where a condition passes without a value."""


@light_dataclass(frozen=True, slots=True)
class Entry:
    """One entry under `gates` as it is in the configuration: a measure's name or a pattern with `*`, and its fields.

    `conditions` are those that it sets, by name; `lines` gives the YAML line of each, `line` and `column` the place of the entry. `alpha`
    is the level of those conditions of the gate that compare with a baseline, `right` and `strict` are about its guards. `bare` is the
    number of an entry that is nothing else: what it bounds depends on the measure. `if_no_value` says what becomes of a measure
    without value.
    """

    pattern: str
    line: int
    column: int
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    informational: bool | None = None
    alpha: float | None = None
    bare: float | None = None
    right: float | None = None
    strict: bool | None = None
    if_no_value: IfNoValue | None = None

    @property
    def is_pattern(self) -> bool:
        """Whether the name stands for all measures that it matches."""
        return "*" in self.pattern

    def matches(self, measure: Measure | str) -> bool:
        """Whether the entry is about this measure, by its name or one that it had; `*` stands for any characters, dots included."""
        names = _names(measure)
        return any(fnmatchcase(name, _only_stars(self.pattern)) for name in names) if self.is_pattern else self.pattern in names

    def conditions_of(self, measure: Measure | str) -> Mapping[str, Condition]:
        """Return the conditions that the entry sets for a measure; a bare number is the worst value that passes.

        >>> from pytest_nlpeval.measures import Measure
        >>> rate = Measure("wer", "", "", lambda sample: sample.total("errors"), better="lower")
        >>> Entry("wer", 1, 1, bare=0.3).conditions_of(rate)
        {'max': Max(threshold=0.3, alpha=None)}
        """
        if isinstance(measure, Measure) and measure.of_group:
            whole = replace(measure, of_group=None)
            return {name: condition for name, condition in self.conditions_of(whole).items() if name != NoGroupFalls.name}
        if self.bare is None:
            return self.conditions
        bound = bare_bound(measure)
        return {**self.conditions, bound.name: bound(self.bare)}

    def is_former(self, measure: Measure) -> bool:
        """Whether the entry matches this measure by a former name alone."""
        return self.matches(measure) and not self.matches(measure.name)


def bare_bound(measure: Measure | str) -> type[Bound]:
    """Return which bound a bare number is: a minimum where more is better, a maximum where less is; a minimum if nobody knows."""
    return Max if isinstance(measure, Measure) and measure.better == "lower" else Min


def _names(measure: Measure | str) -> tuple[str, ...]:
    """Return the name of a measure, and those that it had."""
    return (measure,) if isinstance(measure, str) else (measure.name, *measure.was)


AnyMeasure = TypeVar("AnyMeasure", bound=Measure | str)


def matching(measures: Iterable[AnyMeasure]) -> Callable[[Entry], Sequence[AnyMeasure]]:
    """Return what gives an entry's measures in their order: by look-up, or for a pattern among those whose names begin like it."""
    every = tuple(measures)
    by_name: dict[str, list[int]] = {}
    for rank, measure in enumerate(every):
        for name in dict.fromkeys(_names(measure)):
            by_name.setdefault(name, []).append(rank)
    names = sorted(by_name)

    def ranks_of(pattern: str) -> Iterable[int]:
        beginning, only_stars = pattern.partition("*")[0], _only_stars(pattern)
        first = bisect_left(names, beginning)
        alike = names[first : bisect_right(names, beginning, first, key=lambda name: name[: len(beginning)])]
        return sorted({rank for name in alike if fnmatchcase(name, only_stars) for rank in by_name[name]})

    def of(entry: Entry) -> Sequence[AnyMeasure]:
        ranks = ranks_of(entry.pattern) if entry.is_pattern else by_name.get(entry.pattern, ())
        return [every[rank] for rank in ranks]

    return of


def _only_stars(pattern: str) -> str:
    return pattern.replace("[", "[[]").replace("?", "[?]")


@frozen_dataclass(frozen=True, slots=True)
class Gate:
    """The conditions on one measure, by name. An informational one never fails a run."""

    measure: str
    line: int
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    informational: bool = False
    alpha: float | None = None
    right: float | None = None
    strict: bool = False
    if_no_value: IfNoValue = "fail"

    def judged_conditions(self) -> Iterator[Condition]:
        """Yield the conditions in the order in which they are shown, each with what the gate's other fields set."""
        for name in CONDITIONS:
            condition = self.conditions.get(name)
            if isinstance(condition, Guard):
                yield replace(condition, right=self.right, strict=self.strict)
            elif condition:
                own = self.alpha if condition.alpha is None else condition.alpha
                yield replace(condition, alpha=own) if condition.needs_baseline else condition

    def guards(self) -> Iterator[Guard]:
        """Yield the guards."""
        return (condition for condition in self.judged_conditions() if isinstance(condition, Guard))


@frozen_dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one condition of a gate; `unjudged` counts as failed, for the `reason`.

    `line` is the condition's line in the configuration. `finding` is what a guard comes to.
    """

    measure: str
    condition: Condition
    standing: Standing
    verdict: Literal["passed", "failed", "unjudged"]
    reason: str
    line: int
    informational: bool
    finding: Finding | None = None

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
            **({"groups": self.standing.falls.to_json()} if self._tells_groups and self.standing.falls else {}),
            **(self._against_baseline() if self.condition.needs_baseline else {}),
            **settings_of(self.condition),
            **(self.finding.to_json() if self.finding else {}),
            "verdict": self.verdict,
            "reason": self.reason,
            "line": self.line,
            "informational": self.informational,
        }

    @property
    def _tells_groups(self) -> bool:
        return isinstance(self.condition, NoGroupFalls)

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
        if self._tells_groups:  # which have tests of their own
            facts = {name: facts[name] for name in ("alpha", "baseline", "drop")}
        return {name: fact for name, fact in facts.items() if fact is not None and math.isfinite(fact)}


def resolve(layers: Sequence[Sequence[Entry]], measures: Iterable[Measure | str]) -> tuple[tuple[Gate, ...], tuple[Entry, ...]]:
    """Return the gates of these measures, and the entries that set nothing in any of these gates.

    Layers (a suite's gates, then the profile's) apply in their order, in each the patterns before the plain names; of two entries
    that set the same condition the later one counts. A measure that has no condition in the end has no gate. Gates are in the
    order of their lines, those of one line in that of `measures`.
    """
    known = {_names(measure)[0]: measure for measure in measures}
    measures_of = matching(known.values())
    gates: dict[str, Gate] = {}
    for entry in (entry for layer in layers for entry in sorted(layer, key=lambda entry: not entry.is_pattern)):
        for measure in measures_of(entry):
            name = _names(measure)[0]
            gates[name] = _with(gates.get(name) or Gate(name, entry.line), entry, entry.conditions_of(measure))
    judged = tuple(
        sorted((gates[name] for name in known if name in gates and gates[name].conditions), key=lambda gate: gate.line)
    )
    judged_of = matching(known[gate.measure] for gate in judged)
    return judged, tuple(entry for layer in layers for entry in layer if not judged_of(entry))


def name_now(name: str, measures: Iterable[Measure]) -> str:
    """Return today's name of the measure that has or had this name; the name itself if no measure has."""
    return next((measure.name for measure in measures if name in measure.was), name)


def _with(gate: Gate, entry: Entry, conditions: Mapping[str, Condition]) -> Gate:
    return replace(
        gate,
        line=entry.line if conditions else gate.line,
        conditions={**gate.conditions, **conditions},
        lines={**gate.lines, **{name: entry.lines.get(name, entry.line) for name in conditions}},
        informational=gate.informational if entry.informational is None else entry.informational,
        alpha=gate.alpha if entry.alpha is None else entry.alpha,
        right=gate.right if entry.right is None else entry.right,
        strict=gate.strict if entry.strict is None else entry.strict,
        if_no_value=entry.if_no_value or gate.if_no_value,
    )


def beyond_range(entry: Entry, measures: Iterable[Measure]) -> str:
    """Return what is wrong with an entry's thresholds if no measure that it matches can have such values; "" if nothing is.

    >>> from pytest_nlpeval.conditions import Min
    >>> from pytest_nlpeval.measures import Measure
    >>> accuracy = Measure("accuracy", "", "", lambda sample: sample.total("x"))
    >>> beyond_range(Entry("accuracy", 1, 1, {"min": Min(61.0)}), [accuracy])
    'min 61 is not between 0 and 1, where accuracy lies; values are fractions: 0.61?'
    """
    matched = [measure for measure in measures if entry.matches(measure)]
    for condition in entry.conditions_of(matched[0]).values() if matched else ():
        threshold = condition.threshold
        if condition.bounds_value and not any(measure.range.low <= threshold <= measure.range.high for measure in matched):
            low, high, *_ = matched[0].range
            hint = f"; values are fractions: {threshold / 100:g}?" if high == 1 and 1 < threshold <= 100 else ""
            return f"{condition.name} {threshold:g} is not between {low:g} and {high:g}, where {matched[0].name} lies{hint}"
    return ""


_MOST_LIKELY = {"max": 2.0, "max_drop": 0.2}
"""Thresholds above are hardly meant as fractions: an upper bound of a rate, and a drop of a share or rate."""


def like_per_cent(entry: Entry, measures: Iterable[Measure]) -> str:
    """Return which threshold of an entry seems to be meant in per cent; "" if none does.

    >>> from pytest_nlpeval.conditions import MaxDrop
    >>> from pytest_nlpeval.measures import Measure
    >>> accuracy = Measure("accuracy", "", "", lambda sample: sample.total("x"))
    >>> like_per_cent(Entry("accuracy", 1, 1, {"max_drop": MaxDrop(0.5)}), [accuracy])
    'max_drop 0.5 is very much for accuracy; values are fractions: 0.005?'
    """
    for measure in filter(entry.matches, measures):
        for name, condition in entry.conditions_of(measure).items():
            is_meant = measure.range.is_rate or (name == "max_drop" and measure.range == SHARE)
            if is_meant and condition.threshold > _MOST_LIKELY.get(name, math.inf):
                hint = f"values are fractions: {condition.threshold / 100:g}?"
                return f"{name} {condition.threshold:g} is very much for {measure.name}; {hint}"
    return ""


def guard_mistake(entry: Entry, its_own: Sequence[Measure], measures: Sequence[Measure]) -> str:
    """Return why the guards of an entry cannot be of one of its own measures; "" if they can. `measures` are those there are."""
    guards = [condition for condition in entry.conditions.values() if isinstance(condition, Guard)]
    matched = its_own if guards else ()
    return next(filter(None, (mistake(guards, measure, entry.right, measures) for measure in matched)), "")


def measures_with_groups(measures: Iterable[Measure]) -> frozenset[str]:
    """Return the names of the measures that groups have, too."""
    return frozenset(measure.of_group.measure for measure in measures if measure.of_group)


def groups_mistake(entry: Entry, its_own: Sequence[Measure], grouped: Collection[str]) -> str:
    """Return why an entry cannot ask that no group falls; "" if it does not ask, or can. `grouped` are the measures that groups have."""
    if NoGroupFalls.name not in entry.conditions:
        return ""
    whole = (measure for measure in its_own if not measure.of_group)
    lacking = next((measure.name for measure in whole if measure.name not in grouped), "")
    cure = "give the option `group`: a column or key of gold, or `group: {documents: groups.tsv}`"
    return f"{lacking} has no groups, which {NoGroupFalls.name} needs; {cure}" if lacking else ""


def judge(
    gate: Gate, standing: Standing, findings: Mapping[str, Finding] | None = None, *, may_lack: bool = True
) -> tuple[Verdict, ...]:
    """Return one verdict per condition of the gate, from the standing of its measure; `findings` are those of its guards, by name.

    `if_no_value: pass` counts only if the measure `may_lack` a value: if some measure of the suite's gates has one.
    """
    known = findings or {}
    return tuple(
        _verdict(gate, condition, standing.of(condition.name), known.get(condition.name), may_lack=may_lack)
        for condition in gate.judged_conditions()
    )


_WORDS: Mapping[bool | None, Literal["passed", "failed", "unjudged"]] = {True: "passed", False: "failed", None: "unjudged"}


def _without_value(gate: Gate, *, may_lack: bool) -> str:
    """Return what becomes of a condition without value, or how it may pass."""
    if gate.if_no_value == "fail":
        return "if that is no fault, set `if_no_value: pass` on the gate"
    return (
        PASSES_WITHOUT if may_lack else "`if_no_value: pass` counts only beside a gate that has a value; add one, on a count say"
    )


def _verdict(gate: Gate, condition: Condition, standing: Standing, finding: Finding | None, *, may_lack: bool) -> Verdict:
    if isinstance(condition, Guard):
        standing = Standing(Score(finding.count, finding.reason) if finding else Score(None, standing.score.reason))
    reason = condition.reason(standing)
    word = _WORDS[condition.holds(standing)]
    if word == "unjudged" and condition.has_nothing_to_judge(standing):
        effect = _without_value(gate, may_lack=may_lack)
        reason = f"{reason}; {effect}"
        word = "passed" if effect == PASSES_WITHOUT else word
    line = gate.lines.get(condition.name, gate.line)
    return Verdict(gate.measure, condition, standing, word, reason, line, gate.informational, finding)
