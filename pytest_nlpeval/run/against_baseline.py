"""Scores against a baseline: drops, p-values, the smallest drop that a suite can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from pytest_nlpeval.baselines.origin import age_in_days
from pytest_nlpeval.conditions import DEFAULT_ALPHA, Standing, Tested
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.guards import CONDITIONS
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import SHARE, Measure, Sample, Score
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.metrics.pairing import Common, Pairs
from pytest_nlpeval.metrics.power import detectable, is_estimated
from pytest_nlpeval.metrics.resampling import Distribution, Significance
from pytest_nlpeval.numbers import short_commit
from pytest_nlpeval.run.chance import Chance, number_or_none, units_of
from pytest_nlpeval.run.group_falls import GroupTests, condition_of, falls_of, gates_of_groups, without_groups
from pytest_nlpeval.run.guarding import changed_verdicts
from pytest_nlpeval.run.hypotheses import Hypotheses, Hypothesis
from pytest_nlpeval.run.item_changes import WORDS, Changes
from pytest_nlpeval.runs import Run
from pytest_nlpeval.wording import plural


@light_dataclass(frozen=True, slots=True)
class Comparison:
    """How a suite compares with its `baseline`.

    `standings` go by measure. `units` counts what was resampled: pairs, those on one side only, pairs that differ. `rows` are how many
    rows only today's run has, and how many only the baseline. `drops` are the intervals of the drops. `common` tells what both runs were
    asked: all but the scores is over that alone. `verdicts` counts the single units that changed in what the leading measures say of
    them; others that differ changed numbers alone, such as confidences. `changes` is None if nobody asked why units are wrong. `hopeless`
    names the measures whose gates could fail the run, and have a level that no number of resamples reaches. `p_resamples` has the measures
    whose p-values are of fewer resamples than the statistics say, with how many.
    """

    baseline: Run
    standings: Mapping[str, Standing]
    resampled: str = ""
    units: Mapping[str, int] | None = None
    drops: Mapping[str, Interval] = field(default_factory=dict)
    rows: tuple[int, int] = (0, 0)
    common: Common | None = None
    verdicts: int | None = None
    changes: Changes | None = None
    hopeless: Sequence[str] = ()
    p_resamples: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form of the baseline."""
        run = self.baseline
        facts: dict[str, Any] = {"source": run.source, "commit": run.commit, "reason": run.reason}
        facts |= {"subject": run.subject, "author": run.author, "date": run.day}
        facts |= {"resampled": self.resampled, "units": dict(self.units or {}), "new": run.is_new}
        facts |= {"documents_" + name: list(getattr(run, name)) for name in ("added", "vanished", "broken")}
        told = {name: fact for name, fact in facts.items() if fact}
        return told | ({"written": run.written, "age_days": age} if (age := age_in_days(run.written)) is not None else {})

    def of_score(self, measure: str) -> dict[str, float]:
        """Return what the JSON report says of a measure's score against the baseline."""
        standing, interval = self.standings.get(measure), self.drops.get(measure)
        if standing is None or standing.drop is None:
            return {}
        facts = {"baseline": standing.baseline.value, "drop": standing.drop, "p": standing.p}
        facts |= {f"drop_{name}": fact for name, fact in interval.to_json().items()} if interval else {}
        facts |= {"p_resamples": self.p_resamples.get(measure)} if standing.p is not None else {}
        return {name: fact for name, fact in facts.items() if fact is not None and not math.isnan(fact)}

    def _only_numbers(self, differing: int) -> str:
        """Return how many units turned right or wrong, if other units changed in numbers alone, such as confidences; "" otherwise."""
        if self.verdicts is None or not differing:
            return ""
        if self.resampled == "units" and differing > self.verdicts:
            return f" ({self.verdicts:,} in what is right, {differing - self.verdicts:,} only in numbers)"
        return "" if self.verdicts else " (only in numbers)"

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each thing that a reader must know of the comparison."""
        run = self.baseline
        age = age_in_days(run.written)
        facts_of_run = [short_commit(run.commit), f"{plural(age, 'day')} old" if age else ""]
        where = run.source + (f" ({', '.join(filter(None, facts_of_run))})" if any(facts_of_run) else "")
        if run.evidence is None:
            yield f"not compared with the baseline: {run.reason}"
            return
        units = dict(self.units or {})
        facts = [f"{units['differing']:,} of {plural(units['paired'], self.resampled[:-1])} differ"]
        facts[0] += self._only_numbers(units["differing"])
        facts += (f"{units[name]:,} {name}" for name in ("added", "removed") if units[name])
        if self.resampled == "documents":
            facts += (
                f"{plural(number, 'unit')} {name}" for number, name in zip(self.rows, ("added", "removed"), strict=True) if number
            )
        if self.changes:
            facts += (f"{count:,} {WORDS[sort]}" for sort, count in self.changes.counts.items() if count)
        yield f"compared with {where}: {', '.join(facts)}"
        if any(self.rows) or units["added"] or units["removed"]:
            yield f"drops are over the {plural(units['paired'], self.resampled[:-1])} of both runs, scores over all of today's"
        broken = [f"{name} ({', '.join(run.codes[name])})" if name in run.codes else name for name in run.broken]
        for word, names in (("not in the baseline", run.added), ("with errors in the baseline", broken)):
            if names:
                yield f"{plural(len(names), 'document')} {word}: {', '.join(names[:3])}{', …' if len(names) > 3 else ''}"


def compare(
    evidence: Evidence,
    measures: Sequence[Measure],
    scores: Mapping[str, Score],
    gates: Sequence[Gate],
    baseline: Run,
    chance: Chance,
) -> Comparison:
    """Return how scores compare with the baseline's: drops, their intervals and p-values, and what the gates are judged by."""
    if baseline.evidence is None:
        nothing = Score(None, baseline.reason)
        return Comparison(baseline, {name: Standing(score, nothing, is_new=baseline.is_new) for name, score in scores.items()})
    pairs = chance.pairs(_without(evidence, baseline.broken), baseline.evidence)
    if not pairs.size:
        nothing = Score(None, f"{baseline.source} has nothing in common with today's files")
        return Comparison(baseline, {name: Standing(score, nothing) for name, score in scores.items()}, pairs.by, units_of(pairs))
    standings = _standings(measures, scores, pairs, baseline)
    of_groups = GroupTests.of(gates, measures, pairs)
    own = [without_groups(gate) for gate in gates]
    own = [gate for gate in own if any(condition.needs_baseline for condition in gate.conditions.values())]
    gated = {gate.measure: gate for gate in (*gates_of_groups(gates, measures), *own)}
    hypotheses = Hypotheses.of((*of_groups.tested, *own), standings)
    is_same = not pairs.differing and baseline.unchanged >= set(pairs.evidence.documents)
    tested, ends, fewer = _tested(pairs, measures, standings, gated, hypotheses, chance, is_same=is_same)
    standings |= tested
    for gate in filter(condition_of, gates):
        falls = falls_of(gate, measures, standings, ends, of_groups, (evidence, baseline.evidence, pairs))
        standings[gate.measure] = replace(standings[gate.measure], falls=falls)
    items, whole = _unasked(baseline)
    return Comparison(
        baseline,
        standings,
        pairs.by,
        units_of(pairs) | {"removed": pairs.removed + (whole if pairs.by == "documents" else items)},
        ends,
        (pairs.added_rows, pairs.removed_rows + items),
        pairs.common,
        changed_verdicts(pairs, _telling(measures, gates)),
        hopeless=hypotheses.hopeless(chance.statistics.resamples),
        p_resamples=fewer,
    )


def _tested(
    pairs: Pairs,
    measures: Sequence[Measure],
    standings: Mapping[str, Standing],
    gated: Mapping[str, Gate],
    hypotheses: Hypotheses,
    chance: Chance,
    *,
    is_same: bool,
) -> tuple[dict[str, Standing], dict[str, Interval], dict[str, int]]:
    """Return the standings of the measures that have a test, with all that their gates are judged by, and the intervals of drops.

    The last has the tests of fewer resamples than the statistics say.
    """
    needed = hypotheses.needed(chance.resamples(pairs, [measure for measure in measures if measure.name in gated]))
    levels = {name: hypotheses.level(name, gate.alpha or DEFAULT_ALPHA) for name, gate in gated.items()}
    tests = chance.tests(pairs, measures, needed, levels)
    drops: dict[str, Distribution] = {}
    ends: dict[str, Interval] = {}
    for part in chance.drops(pairs, measures, needed):
        drops |= {name: drop for name, drop in part.items() if name in gated}
        ends |= chance.ends(part)
    few = {name for name, level in levels.items() if name in tests and is_estimated(tests[name], level)}
    alone = chance.scores(pairs.now, pairs, [measure for measure in measures if measure.name in few])
    uppers = chance.upper_ends(pairs, measures, drops, gated)
    judged = _Judged.of(hypotheses, tests, drops, pairs.by)
    tested = {name: replace(standings[name], p=number_or_none(test.p)) for name, test in tests.items()}
    for name in gated.keys() & tested.keys():
        upper = 0.0 if is_same and tested[name].drop is not None else number_or_none(uppers.get(name))
        standing = replace(tested[name], upper=upper, is_same=is_same)
        tested[name] = judged.standing(standing, levels[name], name, alone.get(name))
    return tested, ends, {name: test.resamples for name, test in tests.items() if test.resamples is not None}


def _unasked(baseline: Run) -> tuple[int, int]:
    """Return how many items of the old gold are not asked any more, and how many documents are left out because none of their items is."""
    changes = baseline.gold_changes.values()
    return sum(change.before - change.paired for change in changes), sum(not change.paired for change in changes)


def _telling(measures: Sequence[Measure], gates: Iterable[Gate]) -> list[Measure]:
    """Return the measures that say whether a unit is right: the gated shares that are better if greater, or else the first such share."""
    gated = {gate.measure for gate in gates}
    shares = [
        measure for measure in measures if measure.range == SHARE and measure.better == "higher" and measure.needs == "totals"
    ]
    return [measure for measure in shares if measure.name in gated] or shares[:1]


def _without(evidence: Evidence, documents: Sequence[str]) -> Evidence:
    """Return the evidence without some documents: a document whose files had errors in the baseline is neither compared nor new."""
    left_out = set(documents)
    kept = np.array([name not in left_out for name in evidence.documents], np.bool_)
    return evidence.where(np.ones(len(evidence.units), np.bool_), kept)


def _standings(measures: Sequence[Measure], scores: Mapping[str, Score], pairs: Pairs, baseline: Run) -> dict[str, Standing]:
    """Return each measure's standing without intervals and tests; baseline and drop are over what both runs have."""
    todays, earlier = Sample(pairs.now), Sample(pairs.baseline)
    standings = {}
    for measure in measures:
        if baseline.evidence and measure.is_new_against(baseline.evidence):
            nothing = Score(None, f"the measure is new: {baseline.source} does not have it")
            standings[measure.name] = Standing(scores[measure.name], nothing, is_new=True)
            continue
        now, before = measure.score(todays), measure.score(earlier)
        drop = None
        if now.value is not None and before.value is not None:
            drop = before.value - now.value if measure.better == "higher" else now.value - before.value
        former = before if before.value is not None else Score(None, f"the baseline has no value: {before.reason}")
        standings[measure.name] = Standing(scores[measure.name], former, drop, compared=now.value, was_counted=True)
    return standings


@light_dataclass(frozen=True, slots=True)
class _Judged:
    """The hypotheses of a suite's gates, and what they are judged by; `by` is what was drawn."""

    hypotheses: Hypotheses
    tests: Mapping[str, Significance]
    drops: Mapping[str, Distribution]
    ps: Mapping[Hypothesis, float]
    adjusted: Mapping[Hypothesis, float]
    by: str

    @classmethod
    def of(cls, hypotheses: Hypotheses, tests: Mapping[str, Significance], drops: Mapping[str, Distribution], by: str) -> _Judged:
        """Work out the p-values: of a drop above 0 the randomisation test's, of one above what is allowed the bootstrap's.

        A drop above what is allowed is a drop above 0: the claim of the former is never better founded than that of the latter.
        """
        ps = {hypothesis: tests[hypothesis.measure].p for hypothesis in hypotheses.levels}
        ps |= {
            hypothesis: max(p, drops[hypothesis.measure].share_up_to(hypothesis.allowed))
            for hypothesis, p in ps.items()
            if hypothesis.allowed
        }
        return cls(hypotheses, tests, drops, ps, hypotheses.adjusted(ps), by)

    def standing(self, standing: Standing, level: float, name: str, alone: Distribution | None) -> Standing:
        """Return the standing of a gate's measure with the tests of its conditions, and with what the suite could show at a level.

        `alone` is the distribution of the score of now, where so few units differ that the drop's says nothing.
        """
        if standing.drop is None:
            return standing
        least = detectable(self.drops[name], alone or self.drops[name], self.tests[name], level)
        of_conditions = self.hypotheses.of_conditions
        tested = {
            condition: self._tested(of_conditions[name, condition])
            for condition in CONDITIONS
            if (name, condition) in of_conditions
        }
        return replace(standing, tested=tested, detectable=number_or_none(least.drop), is_estimate=least.is_estimate)

    def _tested(self, hypothesis: Hypothesis) -> Tested:
        p, p_adjusted = (number_or_none(ps[hypothesis]) for ps in (self.ps, self.adjusted))
        return Tested(p, p_adjusted, self._limit(hypothesis))

    def _limit(self, hypothesis: Hypothesis) -> str:
        """Return how many units differ, if these are too few for any drop to be significant.

        No p-value of a randomisation is below 2**-differing.
        """
        differing = self.tests[hypothesis.measure].differing
        number, level = self.hypotheses.number(hypothesis), self.hypotheses.levels[hypothesis]
        if 2.0**-differing * number <= level:
            return ""
        return f"{plural(differing, self.by[:-1])} {'differs' if differing == 1 else 'differ'}"
