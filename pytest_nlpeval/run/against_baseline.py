"""Scores against chance and against a baseline: intervals, drops, p-values, the smallest drop that a suite can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_nlpeval.conditions import DEFAULT_ALPHA, MaxDrop, NonInferior, Standing
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.measures import Measure, Sample, Score
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.holm import holm
from pytest_nlpeval.metrics.pairing import Pairs, pair, resampled_by
from pytest_nlpeval.metrics.power import detectable
from pytest_nlpeval.metrics.resampling import Distribution, Interval, Significance, bootstrap, bootstrap_drops, randomise
from pytest_nlpeval.metrics.weighting import Plan
from pytest_nlpeval.run.item_changes import Changes, changes
from pytest_nlpeval.runs import Run
from pytest_nlpeval.wording import plural


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a suite compares with its baseline.

    `standings` go by measure. `units` counts what was resampled: pairs, those on one side only, pairs that differ. `drops` are the
    intervals of the drops. `changes` is None if nobody asked why units are wrong.
    """

    past: Run
    standings: Mapping[str, Standing]
    resampled: str = ""
    units: Mapping[str, int] | None = None
    drops: Mapping[str, Interval] | None = None
    changes: Changes | None = None

    def with_changes(self, wrong: Mapping[str, Explanations]) -> Comparison:
        """Return the comparison with what changed, if both runs say why units are wrong."""
        return replace(self, changes=changes(self.past.wrong, wrong)) if self.past.wrong is not None and wrong else self

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form of the baseline."""
        past = self.past
        facts: dict[str, Any] = {"source": past.source, "commit": past.commit, "reason": past.reason}
        facts |= {"resampled": self.resampled, "units": dict(self.units or {}), "new": past.is_new}
        facts |= {"documents_" + name: list(getattr(past, name)) for name in ("added", "vanished", "broken")}
        return {name: fact for name, fact in facts.items() if fact}

    def of_score(self, measure: str) -> dict[str, float]:
        """Return what the JSON report says of a measure's score against the baseline."""
        standing, interval = self.standings.get(measure), (self.drops or {}).get(measure)
        if standing is None or standing.drop is None:
            return {}
        facts = {"baseline": standing.baseline.value, "drop": standing.drop, "p": standing.p}
        facts |= {"drop_low": interval.low, "drop_high": interval.high} if interval else {}
        return {name: fact for name, fact in facts.items() if fact is not None and not math.isnan(fact)}

    def sentences(self) -> Iterator[str]:
        """Yield what a reader must know of the comparison, a sentence each."""
        past = self.past
        where = f"{past.source} ({past.commit[:12]})" if past.commit else past.source
        if past.evidence is None:
            yield f"not compared with the baseline: {past.reason}"
            return
        units = dict(self.units or {})
        facts = [f"{units['differing']:,} of {plural(units['paired'], self.resampled[:-1])} differ"]
        facts += (f"{units[name]:,} {name}" for name in ("added", "removed") if units[name])
        if self.changes:
            facts += (f"{count:,} {sort.replace('_', ' ')}" for sort, count in self.changes.counts.items() if count)
        yield f"compared with {where}: {', '.join(facts)}"
        for word, names in (("not in the baseline", past.added), ("with errors in the baseline", past.broken)):
            if names:
                yield f"{plural(len(names), 'document')} {word}: {', '.join(names[:3])}{', …' if len(names) > 3 else ''}"


MOST_UNITS = 200_000
"""In a suite of more units no score has an interval of its own."""

MOST_DRAWN = 200_000_000
"""How many units a bootstrap draws in all: of suites of more than 20,000 units it takes fewer resamples than the statistics say."""

MOST_DRAWN_BESIDE = 1_500_000
"""The same for measures that are not additive and that no gate judges: 750 resamples of 2,000 units."""

LEAST_RESAMPLES = 200
"""Fewer say nothing of the ends of an interval, unless the statistics want no more."""


def bootstrap_draws(units: int, statistics: Statistics) -> Draws:
    """Return how many resamples a bootstrap of so many units draws."""
    return Draws(max(LEAST_RESAMPLES, min(statistics.resamples, MOST_DRAWN // max(1, units))), statistics.seed)


def _with_resamples(
    evidence: Evidence, measures: Sequence[Measure], gates: Iterable[Gate], units: int, statistics: Statistics
) -> Iterator[tuple[list[Measure], int]]:
    """Yield the measures for which it is worked out what chance can do, each time with the greatest number of resamples for them.

    Additive measures, and those that a gate judges, have as many resamples as the statistics say. Each other measure costs as much as all
    additive ones together: it has fewer resamples, and none where so few would say nothing.
    """
    gated = {gate.measure for gate in gates}
    additive = Plan.of(measures, evidence).additive
    first = [measure for measure in measures if measure.name in gated or measure.name in additive]
    others = [measure for measure in measures if measure.name not in gated and measure.name not in additive]
    few = min(statistics.resamples, MOST_DRAWN_BESIDE // max(1, units))
    if first:
        yield first, statistics.resamples
    if others and few >= min(statistics.resamples, LEAST_RESAMPLES):
        yield others, few


def intervals(
    evidence: Evidence, measures: Sequence[Measure], gates: Iterable[Gate], statistics: Statistics
) -> dict[str, Interval]:
    """Return the confidence interval of each measure that has one; none if the statistics want none.

    A suite of more than `MOST_UNITS` units has none: they would be narrower than anybody asks for, and take longer than counting.
    """
    units = len(evidence.units)
    if statistics.confidence is None or units > MOST_UNITS:
        return {}
    by, draws = resampled_by(evidence, statistics.resample), bootstrap_draws(units, statistics)
    ends: dict[str, Interval] = {}
    for chosen, most in _with_resamples(evidence, measures, gates, units, statistics):
        found = bootstrap(evidence, chosen, replace(draws, resamples=min(draws.resamples, most)), by)
        ends |= {name: distribution.interval(statistics.confidence) for name, distribution in found.items()}
    return {name: interval for name, interval in ends.items() if not math.isnan(interval.low)}


def compare(
    evidence: Evidence,
    measures: Sequence[Measure],
    scores: Mapping[str, Score],
    gates: Sequence[Gate],
    past: Run,
    statistics: Statistics,
) -> Comparison:
    """Return how scores compare with those of the past, and what chance can do."""
    if past.evidence is None:
        nothing = Score(None, past.reason)
        return Comparison(past, {name: Standing(score, nothing, is_new=past.is_new) for name, score in scores.items()})
    by = resampled_by(evidence, statistics.resample)
    pairs = pair(evidence, past.evidence, by)
    standings = _standings(measures, scores, past.evidence)
    few = bootstrap_draws(pairs.size, statistics)
    tests: dict[str, Significance] = {}
    drops: dict[str, Distribution] = {}
    for chosen, most in _with_resamples(pairs.evidence, measures, gates, len(pairs.evidence.units), statistics):
        tests |= randomise(pairs, chosen, Draws(most, statistics.seed))
        drops |= bootstrap_drops(pairs, chosen, replace(few, resamples=min(few.resamples, most)))
    gated = {gate.measure: gate for gate in gates if any(condition.needs_baseline for condition in gate.conditions.values())}
    alone = bootstrap(evidence, [measure for measure in measures if measure.name in gated], few, by)
    adjusted = _adjusted(gated.values(), tests)
    known = standings | {
        name: _judged_by(standings[name], test, drops[name], gated.get(name), alone.get(name), adjusted.get(name))
        for name, test in tests.items()
    }
    confidence = statistics.confidence
    intervals = {name: found.interval(confidence) for name, found in drops.items()} if confidence else None
    return Comparison(past, known, by, units_of(pairs), intervals)


def units_of(pairs: Pairs) -> dict[str, int]:
    """Return how many units are in both runs, in the one of now alone, in the baseline alone, and not the same."""
    return {"paired": pairs.paired, "added": pairs.added, "removed": pairs.removed, "differing": pairs.differing}


def _standings(measures: Sequence[Measure], scores: Mapping[str, Score], past: Evidence) -> dict[str, Standing]:
    """Return the standings with values and drops."""
    sample, found = Sample(past), {}
    for measure in measures:
        now, before = scores[measure.name], measure.score(sample)
        drop = None
        if now.value is not None and before.value is not None:
            drop = before.value - now.value if measure.better == "higher" else now.value - before.value
        baseline = before if before.value is not None else Score(None, f"the baseline has no value: {before.reason}")
        found[measure.name] = Standing(now, baseline, drop)
    return found


def _adjusted(gates: Iterable[Gate], tests: Mapping[str, Significance]) -> dict[str, float]:
    """Return the adjusted p-value of each measure that has conditions with a level, over all these conditions."""
    judged = [
        gate.measure
        for gate in gates
        for condition in gate.judged_conditions()
        if isinstance(condition, MaxDrop) and condition.alpha is not None
    ]
    return dict(zip(judged, holm([tests[name].p for name in judged]), strict=True))


def _judged_by(
    standing: Standing,
    test: Significance,
    drops: Distribution,
    gate: Gate | None,
    alone: Distribution | None,
    adjusted: float | None,
) -> Standing:
    found = replace(standing, p=known(test.p))
    if gate is None or alone is None or standing.drop is None:
        return found
    alpha = gate.alpha or DEFAULT_ALPHA
    upper = drops.upper(alpha) if any(isinstance(condition, NonInferior) for condition in gate.conditions.values()) else None
    least = detectable(drops, alone, test, alpha)
    return replace(
        found,
        p_adjusted=known(adjusted),
        upper=None if upper is None or math.isnan(upper) else upper,
        detectable=known(least.drop),
        is_estimate=least.is_estimate,
    )


def known(number: float | None) -> float | None:
    """Return a number, None for NaN."""
    return None if number is None or math.isnan(number) else number
