"""Chance: decides which intervals and tests of a suite's measures are worked out, and from how many resamples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Self, TypeVar

import numpy as np

from pytest_nlpeval.conditions import DEFAULT_ALPHA, NonInferior
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.group_measures import own_rows
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Sample, Score
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.greatest_drops import upper_end
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.metrics.own_values import shares_of_units
from pytest_nlpeval.metrics.pairing import By, Pairs, pair, resampled_by
from pytest_nlpeval.metrics.resampling import Distribution, Significance, bootstrap, bootstrap_drops, randomise
from pytest_nlpeval.metrics.shares import wilson_interval
from pytest_nlpeval.metrics.weighting import Plan

MOST_UNITS = 200_000
"""In a suite of more units no score has an interval of its own."""

MOST_DRAWN = 200_000_000
"""How many units a bootstrap draws in all: of suites of more than 20,000 units it takes fewer resamples than the statistics say."""

MOST_DRAWN_UNJUDGED = 50_000_000
"""How many units a bootstrap draws where no gate judges any of its measures: 500 resamples of 100,000 units."""

MOST_DRAWN_BESIDE = 1_500_000
"""How many units a bootstrap draws for measures that are not additive and that no gate judges: 750 resamples of 2,000 units."""

SHARE_COMPARED = 8
"""By which number a comparison with a baseline divides the resamples of measures that are not additive.

A resample of a comparison costs several times one of a score.
"""

LEAST_COMPARED = 100
"""How many resamples such a comparison has at least, unless the statistics want fewer."""

LEAST_RESAMPLES = 200
"""How many resamples an interval has at least, unless the statistics want fewer: fewer say nothing of its ends."""

MOST_VALUES = 1 << 22
"""How many values of measures in resamples are held at once, 32 MiB, as far as they need not be kept: somebody's labels may be many."""

MOST_OF_GROUPS = 1_000
"""Of more measures of groups than this none has an interval unless a gate judges it: a hundred groups have as many measures each."""

T = TypeVar("T")


@light_dataclass(frozen=True, slots=True)
class Chance:
    """How chance is judged in a suite: `by` is what is resampled, `gated` names the measures that gates judge.

    If `gated` is None, a user asked for each measure: all are worked out in full. With `only_gated` all others have neither intervals nor
    tests. Those of the gated ones are the same to the last bit: all measures see the same resamples.
    """

    statistics: Statistics
    by: By
    gated: frozenset[str] | None = None
    only_gated: bool = False

    @classmethod
    def of(
        cls, evidence: Evidence, statistics: Statistics, gates: Iterable[Gate] | None = None, *, only_gated: bool = False
    ) -> Self:
        """Return how chance is judged in a suite with this evidence and these gates."""
        gated = None if gates is None else frozenset(gate.measure for gate in gates)
        return cls(statistics, resampled_by(evidence, statistics.resample), gated, only_gated)

    def _asked(self, measures: Sequence[Measure]) -> Sequence[Measure]:
        """Return the measures whose intervals and tests anybody reads."""
        gated = self.gated if self.only_gated else None
        return measures if gated is None else [measure for measure in measures if measure.name in gated]

    def draws(self, evidence: Evidence, measures: Sequence[Measure]) -> bool:
        """Whether any score may have an interval."""
        is_too_large = self.gated is not None and len(evidence.units) > MOST_UNITS
        return self.statistics.confidence is not None and not is_too_large and bool(self._asked(measures))

    def intervals(self, evidence: Evidence, measures: Sequence[Measure]) -> dict[str, Interval]:
        """Return the confidence interval of each measure's score that has one; none if the statistics want none.

        A suite of more than `MOST_UNITS` units has none unless a user asked for the measures: they would be narrower than a gate needs,
        and take longer than counting.
        """
        if not self.draws(evidence, measures):
            return {}
        units, measures = len(evidence.units), self._asked(measures)
        confidence = self.statistics.confidence or 0.0
        shares = self._share_intervals(evidence, measures, confidence)
        intervals = dict(shares)
        for chosen, most in self._rounds(evidence, [measure for measure in measures if measure.name not in shares]):
            intervals |= self.ends(bootstrap(evidence, chosen, self._draws(units, chosen, most), self.by))
        return {measure.name: intervals[measure.name] for measure in measures if measure.name in intervals}

    def _share_intervals(self, evidence: Evidence, measures: Sequence[Measure], confidence: float) -> dict[str, Interval]:
        """Return Wilson's interval of each share of units, which needs no resamples; of clustered units, only of a share of none or all."""
        intervals: dict[str, Interval] = {}
        shares = (share for rows, own in self._by_rows(evidence, measures) for share in shares_of_units(own, rows))
        for measure, own in shares:
            units, right = (int(np.count_nonzero(flags)) for flags in (~np.isnan(own), own == 1))
            if units > 1 and (self.by == "units" or right in (0, units)):
                intervals[measure.name] = wilson_interval(right, units, confidence)
        return intervals

    def _by_rows(self, evidence: Evidence, measures: Sequence[Measure]) -> Iterable[tuple[Sample, list[Measure]]]:
        """Return the measures that have intervals by the rows that they are of: those of a group alone, or all."""
        plain, ungated = Sample(evidence), self._ungated_of_groups(measures)
        left_out = ungated if len(ungated) > MOST_OF_GROUPS else frozenset()
        by_rows: dict[int, tuple[Sample, list[Measure]]] = {}
        for measure in (measure for measure in measures if measure.name not in left_out):
            rows = own_rows(measure, plain)
            by_rows.setdefault(id(rows), (rows, []))[1].append(measure)
        return by_rows.values()

    def scored(
        self, evidence: Evidence, measures: Sequence[Measure], intervals: Mapping[str, Interval] | None = None
    ) -> dict[str, tuple[Score, Interval | None]]:
        """Return each measure's score, and its interval if it has one; `intervals` are those of the scores, if they are known."""
        sample = Sample(evidence)
        intervals = self.intervals(evidence, measures) if intervals is None else intervals
        return {measure.name: (measure.score(sample), intervals.get(measure.name)) for measure in measures}

    def pairs(self, now: Evidence, baseline: Evidence) -> Pairs:
        """Return two runs as pairs of what is resampled: `auto` looks at what both have, which may be few documents of today's."""
        return pair(now, baseline, "auto" if self.statistics.resample == "auto" else self.by)

    def tests(
        self,
        pairs: Pairs,
        measures: Sequence[Measure],
        needed: Mapping[str, int] | None = None,
        levels: Mapping[str, float] | None = None,
    ) -> dict[str, Significance]:
        """Return the randomisation test of the drop in each measure.

        `needed` gives the least number of resamples of some measures, `levels` those at which the critical drop is wanted.
        """
        rounds = self._rounds(pairs.evidence, self._asked(measures), needed or {})
        return _joined(self._tests(pairs, chosen, most, levels) for chosen, most in rounds)

    def _tests(
        self, pairs: Pairs, measures: Sequence[Measure], resamples: int, levels: Mapping[str, float] | None
    ) -> dict[str, Significance]:
        tests = randomise(pairs, measures, Draws(resamples, self.statistics.seed), levels)
        fewer = self._if_fewer(resamples)
        return {name: test if test.is_exact else replace(test, resamples=fewer) for name, test in tests.items()}

    def drops(
        self, pairs: Pairs, measures: Sequence[Measure], needed: Mapping[str, int] | None = None
    ) -> Iterator[dict[str, Distribution]]:
        """Yield the bootstrap distribution of the drop in each measure, in parts; `needed` has the least number of resamples of some."""
        finer = needed or {}
        rounds = (
            (chosen, self._draws(pairs.size, chosen, most, finer.get(chosen[0].name, 0)))
            for chosen, most in self._rounds(pairs.evidence, self._asked(measures), finer)
        )
        return (bootstrap_drops(pairs, chosen, draws) for chosen, draws in rounds)

    def drop_intervals(self, pairs: Pairs, measures: Sequence[Measure]) -> dict[str, Interval]:
        """Return the confidence interval of the drop in each measure; none if the statistics want none."""
        return {} if self.statistics.confidence is None else _joined(map(self.ends, self.drops(pairs, measures)))

    def resamples(self, pairs: Pairs, measures: Sequence[Measure]) -> dict[str, int]:
        """Return how many resamples each measure has in a comparison, unless more are needed."""
        rounds = self._rounds(pairs.evidence, measures, {})
        return {measure.name: self._draws(pairs.size, chosen, most).resamples for chosen, most in rounds for measure in chosen}

    def upper_ends(
        self, pairs: Pairs, measures: Iterable[Measure], drops: Mapping[str, Distribution], gates: Mapping[str, Gate]
    ) -> dict[str, float]:
        """Return the upper end of the one-sided interval of the drop in each measure that must be shown not to be worse."""
        alphas = {
            name: condition.alpha or DEFAULT_ALPHA
            for name, gate in gates.items()
            for condition in gate.judged_conditions()
            if isinstance(condition, NonInferior)
        }
        seed = self.statistics.seed
        wanted = (measure for measure in measures if measure.name in alphas and measure.name in drops)
        return {measure.name: upper_end(pairs, measure, drops[measure.name], alphas[measure.name], seed) for measure in wanted}

    def scores(self, evidence: Evidence, pairs: Pairs, measures: Sequence[Measure]) -> dict[str, Distribution]:
        """Return the bootstrap distribution of each measure's score, from as many resamples as that of its drop."""
        rounds = self._rounds(evidence, measures, {})
        return _joined(bootstrap(evidence, chosen, self._draws(pairs.size, chosen, most), pairs.by) for chosen, most in rounds)

    def ends(self, distributions: Mapping[str, Distribution]) -> dict[str, Interval]:
        """Return the confidence interval of each distribution that has one; none if the statistics want none."""
        confidence = self.statistics.confidence
        if confidence is None:
            return {}
        intervals = (
            (name, distribution.interval(confidence)._replace(resamples=self._if_fewer(distribution.resamples)))
            for name, distribution in distributions.items()
        )
        return {name: interval for name, interval in intervals if not math.isnan(interval.low)}

    def _if_fewer(self, resamples: int) -> int | None:
        """Return a number of resamples if it is below what the statistics say, and None otherwise."""
        return resamples if resamples < self.statistics.resamples else None

    def _draws(self, units: int, measures: Iterable[Measure], most: int, least: int = 0) -> Draws:
        """Return how many resamples, at most `most` and at least `least`, a bootstrap of so many units draws for these measures."""
        is_judged = self.gated is None or any(measure.name in self.gated for measure in measures)
        drawn = MOST_DRAWN if is_judged else MOST_DRAWN_UNJUDGED
        few = max(LEAST_RESAMPLES, min(self.statistics.resamples, drawn // max(1, units)))
        return Draws(max(least, min(few, most)), self.statistics.seed)

    def _ungated_of_groups(self, measures: Iterable[Measure]) -> frozenset[str]:
        """Return the names of the measures of groups that no gate judges; none if a user asked for each measure."""
        of_groups = (measure.name for measure in measures if measure.of_group)
        return frozenset() if self.gated is None else frozenset(of_groups) - self.gated

    def _rounds(
        self, evidence: Evidence, measures: Sequence[Measure], needed: Mapping[str, int] | None = None
    ) -> Iterator[tuple[list[Measure], int]]:
        """Yield the measures that are worked out, in groups of one at least, each with the greatest number of its resamples.

        Additive measures, and those that a gate judges, have as many resamples as the statistics say, or as are `needed`. Each other
        measure costs as much as all additive ones together: it has fewer resamples, and none where so few would say nothing; so have the
        measures of groups, which may be many. In a comparison, where `needed` is not None, measures that are not additive have a share.
        """
        finer = needed or {}
        for number in sorted({finer[measure.name] for measure in measures if measure.name in finer}):
            yield [measure for measure in measures if finer.get(measure.name) == number], number
        ungated = self._ungated_of_groups(measures)
        if len(ungated) > MOST_OF_GROUPS:
            measures = [measure for measure in measures if measure.name not in ungated]
        rest = [measure for measure in measures if measure.name not in finer and measure.name not in ungated]
        additive = Plan.of(rest, evidence).additive
        wanted, share = self.statistics.resamples, 1 if needed is None else SHARE_COMPARED
        gated = [
            measure for measure in rest if measure.name not in additive and (self.gated is None or measure.name in self.gated)
        ]
        names = {*additive, *(measure.name for measure in gated)}
        few = min(wanted, MOST_DRAWN_BESIDE // max(1, len(evidence.units)))
        in_full = [measure for measure in rest if measure.name in additive]
        at_once = max(1, MOST_VALUES // wanted)
        yield from ((in_full[start : start + at_once], wanted) for start in range(0, len(in_full), at_once))
        if gated:
            yield gated, _part(wanted, share)
        if few >= min(wanted, LEAST_RESAMPLES):
            others = [measure for measure in measures if measure.name not in names and measure.name not in finer]
            at_once = max(1, MOST_VALUES // max(1, few, len(evidence.units)))
            yield from ((others[start : start + at_once], _part(few, share)) for start in range(0, len(others), at_once))


def _part(resamples: int, share: int) -> int:
    """Return a share of the resamples, but `LEAST_COMPARED` if there are that many."""
    return max(min(resamples, LEAST_COMPARED), resamples // share)


def _joined(parts: Iterable[Mapping[str, T]]) -> dict[str, T]:
    return {name: value for part in parts for name, value in part.items()}


def number_or_none(number: float | None) -> float | None:
    """Return a number, None for NaN."""
    return None if number is None or math.isnan(number) else number


def units_of(pairs: Pairs) -> dict[str, int]:
    """Return how many units are in both runs, in today's run alone, in the baseline alone, and in both but not the same."""
    return {"paired": pairs.size, "added": pairs.added, "removed": pairs.removed, "differing": pairs.differing}
