"""Guards: counts the units of a suite that are wrong, newly wrong or worse, from the own values of units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.conditions import NO_BASELINE
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.group_measures import rows_of
from pytest_nlpeval.guards import (
    MOST_UNITS,
    Finding,
    Guard,
    GuardedUnit,
    KnownFailures,
    MaxWorse,
    MustPass,
    least_right,
    naming,
    unit_name,
)
from pytest_nlpeval.measures import Measure, Values
from pytest_nlpeval.metrics.own_values import own_values_of
from pytest_nlpeval.metrics.pairing import Pairs, aligned, pair
from pytest_nlpeval.numbers import TOLERANCE
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.run.guard_lists import problems_of, read_lists
from pytest_nlpeval.runs import Run
from pytest_nlpeval.wording import plural

Flags = NDArray[np.bool_]

OF_ALL = frozenset(("", "all", "macro", "micro", "token", "unlabelled", "weighted"))
"""Groups of measures that are of every unit."""

Rows = Mapping[str, tuple[int, ...]]
"""The rows of each unit, by its name in lists."""

Findings = Mapping[str, Mapping[str, Finding]]
"""What guards come to, by measure and condition."""


class Units:
    """The units of evidence with their own values: what a measure is for one row alone."""

    def __init__(self, evidence: Evidence, measures: Iterable[Measure], judged: Collection[str] = ()) -> None:
        """Take the measures whose own values may be wanted. Those of the `judged` ones are worked out in one pass."""
        self.evidence = evidence
        self._measures = {measure.name: measure for measure in measures}
        self._judged = [self._measures[name] for name in judged if name in self._measures]
        self._own: dict[str, Values] = {}

    def own(self, measure: Measure) -> Values:
        """Return the own value of each unit, NaN for none."""
        if measure.name not in self._own:
            self._work_out([measure, *self._judged])
        return self._own[measure.name]

    def _work_out(self, measures: Iterable[Measure]) -> None:
        """Work out the own values of measures that have none yet."""
        new = {measure.name: measure for measure in measures if measure.name not in self._own}
        units = len(self.evidence.units)
        for name, values in own_values_of(list(new.values()), self.evidence).items():
            self._own[name] = np.full(units, np.nan) if values is None else np.broadcast_to(values, units)

    def answered(self, measure: Measure) -> Flags:
        """Return which units the system answered, by the nearest measure `coverage`; all units if there is none."""
        prefixes = measure.name.split(".")
        names = (".".join((*prefixes[:rank], "coverage")) for rank in reversed(range(len(prefixes))))
        coverage = next((self._measures[name] for name in names if name in self._measures), None)
        if coverage is None:
            return np.ones(len(self.evidence.units), np.bool_)
        flags: Flags = ~(self.own(coverage) < 1 - TOLERANCE)
        return flags

    def belong(self, measure: Measure) -> Flags:
        """Return which units belong to the measure's group: gold asks for it, or a measure of it has a value, a count one above 0."""
        flags: Flags = np.isfinite(self.own(measure))
        if measure.group in OF_ALL:
            return np.ones_like(flags)
        if measure.asked:
            flags |= (self.evidence.column(measure.asked) != 0) & rows_of(self.evidence, measure)
        members = self._members.get(measure.group, ())
        if any(member.name not in self._own for member in members):
            groups = dict.fromkeys((measure.group, *(judged.group for judged in self._judged)))
            self._work_out(member for group in groups if group not in OF_ALL for member in self._members.get(group, ()))
        for member in members:
            own = self.own(member)
            flags |= own > 0 if member.range.is_whole else np.isfinite(own)
        return flags

    @cached_property
    def _members(self) -> Mapping[str, Sequence[Measure]]:
        """The measures of each group that follow from totals."""
        members: dict[str, list[Measure]] = {}
        for measure in self._measures.values():
            if measure.needs == "totals":
                members.setdefault(measure.group, []).append(measure)
        return members

    def wrong(self, measure: Measure, threshold: float) -> Flags:
        """Return which units are wrong: those that belong to the measure's group and are not right."""
        return ~self.right(measure, threshold) & self.belong(measure)

    def right(self, measure: Measure, threshold: float) -> Flags:
        """Return which units are right; a unit without a value of its own is right if the system answered it."""
        own = self.own(measure)
        reached = own >= threshold - TOLERANCE if measure.better == "higher" else own <= threshold + TOLERANCE
        flags: Flags = np.where(np.isnan(own), self.answered(measure), reached)
        return flags

    @cached_property
    def rows(self) -> Rows:
        """The rows of each unit by its name in lists: `document/id`, and of a single document also the id alone."""
        documents, rows_of = self.evidence.documents, dict[str, list[int]]()
        for row, (rank, unit) in enumerate(zip(self._documents, self.evidence.units, strict=True)):
            for name in (f"{documents[rank]}/{unit}", unit) if len(documents) == 1 else (f"{documents[rank]}/{unit}",):
                rows_of.setdefault(name, []).append(row)
        return {name: tuple(rows) for name, rows in rows_of.items()}

    @cached_property
    def _documents(self) -> list[int]:
        ranks: list[int] = self.evidence.document_ranks().tolist()
        return ranks

    def flags(self, ids: Iterable[str]) -> Flags:
        """Return which rows a list names."""
        flags = np.zeros(len(self.evidence.units), np.bool_)
        for name in ids:
            flags[list(self.rows.get(name, ()))] = True
        return flags

    def by_case(self) -> bool:
        """Whether units are called by their documents, too."""
        return len(self.evidence.documents) > 1

    def unit(self, row: int, before: float | None, now: float | None) -> GuardedUnit:
        """Return what a report says of a unit."""
        return GuardedUnit(
            self.evidence.documents[self._documents[row]], self.evidence.units[row], _or_none(before), _or_none(now)
        )

    def usual_names(self) -> list[str]:
        """Return the names that units have in lists where there is a choice."""
        return list(self.rows) if self.by_case() else list(dict.fromkeys(self.evidence.units))

    def names(self, flags: Flags) -> tuple[str, ...]:
        """Return the names of the flagged rows, sorted, each once."""
        units = (self.unit(row, None, None) for row in np.flatnonzero(flags).tolist())
        return tuple(sorted({unit_name(unit.case, unit.unit, by_case=self.by_case()) for unit in units}))


class Both(NamedTuple):
    """The units of two runs in one table: for each that both have, the row of today and that of the baseline; and how many others are."""

    units: Units
    now: NDArray[np.int64]
    before: NDArray[np.int64]
    alone: int

    def newly_wrong(self, measure: Measure, threshold: float) -> Flags:
        """Return which units are wrong now and were not in the baseline."""
        wrong = self.units.wrong(measure, threshold)
        flags: Flags = wrong[self.now] & ~wrong[self.before]
        return flags


def both_runs(today: Evidence, baseline: Evidence, measures: Iterable[Measure], judged: Collection[str]) -> Both:
    """Return the units that two runs both have, to be judged by some of these measures."""
    pairs = pair(today, baseline, "units")
    now, before = aligned(pairs)
    return Both(Units(pairs.evidence, measures, judged), now, before, len(today.units) + len(baseline.units) - 2 * len(now))


def changed_verdicts(pairs: Pairs, measures: Sequence[Measure]) -> int:
    """Return how many units that both runs have changed their own value in one of these measures; other units changed numbers alone."""
    units, (now, before) = Units(pairs.evidence, measures, [measure.name for measure in measures]), aligned(pairs)
    changed = np.zeros(len(now), np.bool_)
    for measure in measures:
        own = units.own(measure)
        changed |= ~np.isclose(own[now], own[before], rtol=0, atol=TOLERANCE, equal_nan=True)
    return int(np.count_nonzero(changed))


def newly_wrong(pairs: Pairs, gates: Iterable[Gate], measures: Sequence[Measure]) -> dict[str, int]:
    """Return how many units are wrong that were right, by each measure that has guards."""
    guarded = {gate.measure: gate.right for gate in gates if any(gate.guards())}
    both = Both(Units(pairs.evidence, measures, guarded), *aligned(pairs), 0)
    counts = {}
    for measure in measures:
        threshold = least_right(measure, guarded.get(measure.name))
        if measure.name in guarded and threshold is not None:
            counts[measure.name] = int(np.count_nonzero(both.newly_wrong(measure, threshold)))
    return counts


class Guarding(NamedTuple):
    """What the guards of a suite are judged by: today's units, and the baseline, if there is one, with the units of both runs."""

    units: Units
    baseline: Run | None
    both: Both | None
    lists: Mapping[tuple[str, str], Sequence[str] | None]
    """The ids of the lists, by measure and condition; None for a list that is unusable."""

    def finding(self, gate: Gate, guard: Guard, measure: Measure) -> Finding:
        """Return what a guard comes to."""
        threshold = least_right(measure, guard.right)
        if np.isnan(self.units.own(measure)).all():
            return Finding(None, f"no unit has a value of its own in {measure.name}")
        listed = self.lists.get((gate.measure, guard.name), ())
        if listed is None:
            return Finding(None, "there is no list of units to judge by: see the problem of that list")
        if not guard.compares:
            return self._alone(guard, measure, threshold, listed)
        if self.both is None:
            return self._not_compared()
        if self.baseline and self.baseline.evidence and measure.is_new_against(self.baseline.evidence):
            return Finding(0, f"{measure.name} is new against the baseline: there is nothing to compare with")
        known = self.lists.get((gate.measure, KnownFailures.name)) or ()
        return _compared(self.both, guard, measure, threshold, known)

    def _not_compared(self) -> Finding:
        if self.baseline is None:
            return Finding(None, NO_BASELINE.reason)
        if self.baseline.is_new:
            return Finding(0, f"the suite is new against {self.baseline.source}: there is nothing to compare with")
        return Finding(None, self.baseline.reason)

    def _alone(self, guard: Guard, measure: Measure, threshold: float | None, ids: Sequence[str]) -> Finding:
        units, own = self.units, self.units.own(measure)
        right, wrong = units.right(measure, _demanded(threshold)), units.wrong(measure, _demanded(threshold))
        listed = units.flags(ids)
        if isinstance(guard, MustPass):
            counted = wrong & listed
            return _told(
                units, counted, own, measure, f"wrong and must pass (right is {_demanded(threshold):.6g})", shows_values=True
            )
        again = units.names(right & listed)
        gone = tuple(sorted(name for name in ids if name not in units.rows))
        known = _told(units, wrong & listed, own, measure, "known").units
        finding = _told(units, wrong & ~listed, own, measure, "wrong and not among the known failures")
        where = f" from {guard.listing.path}" if guard.listing and guard.listing.path else " from the list"
        told = f"right again: remove {'it' if len(again) == 1 else 'them'}{where}: {', '.join(again[:10])}" if again else ""
        count = (finding.count or 0) + (len(again) if guard.strict else 0)
        reason = "; ".join(filter(None, (finding.reason, told)))
        return replace(finding, count=count, reason=reason, right_again=again, gone=gone, known=known)


def _demanded(threshold: float | None) -> float:
    if threshold is None:
        raise ValueError("a guard that needs to know what is right was not refused")
    return threshold


def _told(units: Units, counted: Flags, own: Values, measure: Measure, what: str, *, shows_values: bool = False) -> Finding:
    """Return a finding of today's units: units without a value first, then the worst."""
    sign = 1 if measure.better == "higher" else -1
    named = [units.unit(row, None, own[row]) for row in np.flatnonzero(counted).tolist()]
    named.sort(key=lambda unit: (-np.inf if unit.now is None else sign * unit.now, unit.case, unit.unit))
    return _finding(units, named, what, shows_values=shows_values)


def _finding(units: Units, named: Sequence[GuardedUnit], what: str, *, shows_values: bool = False) -> Finding:
    if not named:
        return Finding(0)
    names = naming(named, len(named), by_case=units.by_case())
    if shows_values:
        names += "".join(f"; {unit.unit} has {'no value' if unit.now is None else f'{unit.now:.6g}'}" for unit in named[:3])
    verb = "is" if len(named) == 1 else "are"
    return Finding(len(named), f"{plural(len(named), 'unit')} {verb} {what}: {names}", tuple(named[:MOST_UNITS]))


def _compared(both: Both, guard: Guard, measure: Measure, threshold: float | None, known: Iterable[str]) -> Finding:
    units, own = both.units, both.units.own(measure)
    now, before = own[both.now], own[both.before]
    left_out = units.flags(known)[both.now]
    if not len(now):
        return Finding(None, "today's run and the baseline have no unit in common")
    fall = before - now if measure.better == "higher" else now - before
    if isinstance(guard, MaxWorse):
        lost = ~np.isnan(before) & np.isnan(now) & ~units.answered(measure)[both.now]
        counted = (fall > guard.by + TOLERANCE) | lost
        what = f"worse by more than {guard.by:g}" if guard.by else "worse"
    else:
        counted, what = both.newly_wrong(measure, _demanded(threshold)), "newly wrong"
    rows = np.flatnonzero(counted & ~left_out).tolist()
    rows.sort(key=lambda row: (-np.inf if np.isnan(fall[row]) else -fall[row], *units.unit(int(both.now[row]), None, None)[:2]))
    finding = _finding(units, [units.unit(int(both.now[row]), before[row], now[row]) for row in rows], what)
    if not both.alone:
        return finding
    told = f"{plural(both.alone, 'unit')} of one run alone {'was' if both.alone == 1 else 'were'} left out"
    return replace(finding, reason="; ".join(filter(None, (finding.reason, told))))


def _or_none(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)


def findings(
    suite: Suite, evidence: Evidence, measures: Sequence[Measure], gates: Sequence[Gate], baseline: Run | None
) -> tuple[Findings, tuple[Problem, ...]]:
    """Return what each guard of a suite comes to, by measure and condition, and what is wrong with the lists of guards."""
    guarded = [(gate, guard) for gate in gates for guard in gate.guards()]
    lists = read_lists(suite, gates)
    ids = {
        (read.gate.measure, read.guard.name): [entry.name for entry in read.entries] if read.is_usable else None for read in lists
    }
    judged = dict.fromkeys(gate.measure for gate, _ in guarded)
    comparing = [gate.measure for gate, guard in guarded if guard.compares]
    both = both_runs(evidence, baseline.evidence, measures, comparing) if comparing and baseline and baseline.evidence else None
    guarding = Guarding(Units(evidence, measures, judged), baseline, both, ids)
    by_name = {measure.name: measure for measure in measures}
    by_measure: dict[str, dict[str, Finding]] = {}
    for gate, guard in guarded:
        measure = by_name.get(gate.measure)
        if measure is not None and (not guard.needs_right or least_right(measure, guard.right) is not None):
            by_measure.setdefault(gate.measure, {})[guard.name] = guarding.finding(gate, guard, measure)
    return by_measure, tuple(problems_of(suite, lists, guarding.units.rows, guarding.units.usual_names()))


def problems_of_lists(suite: Suite, evidence: Evidence, gates: Iterable[Gate]) -> tuple[Problem, ...]:
    """Return what is wrong with the lists of a suite's guards."""
    lists, units = read_lists(suite, gates), Units(evidence, ())
    return tuple(problems_of(suite, lists, units.rows, units.usual_names())) if lists else ()
