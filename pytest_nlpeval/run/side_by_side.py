"""Several outputs for the same gold side by side: systems of a suite, revisions of git, baseline files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase
from typing import NamedTuple

from pytest_nlpeval.conditions import DEFAULT_ALPHA, TOLERANCE
from pytest_nlpeval.config.suite import Baseline, Statistics, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure, Sample, Score
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.holm import holm
from pytest_nlpeval.metrics.homogeneous import homogeneous_groups
from pytest_nlpeval.metrics.pairing import By, Pairs, pair, resampled_by
from pytest_nlpeval.metrics.resampling import Distribution, Interval, Significance, bootstrap, bootstrap_drops, randomise
from pytest_nlpeval.run.against_baseline import bootstrap_draws, known, units_of
from pytest_nlpeval.run.item_changes import Changes, changes
from pytest_nlpeval.run.past import Then, past_of
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.runs import Run

Engine = Callable[[Suite], SuiteResult]
"""Evaluates a suite."""


@dataclass(frozen=True, slots=True)
class Output:
    """What is compared: what a system said for the documents of a suite. `name` is what the user called it."""

    name: str
    past: Run
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Placing:
    """An output's score: whether none is better, and the letters of the groups whose members do not differ significantly from it."""

    score: Score
    interval: Interval | None
    is_best: bool
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The value of the `second` output less that of the `first`; its interval, and the chance of one as great in either direction.

    `p_adjusted` is adjusted for the number of pairs by Holm's method. All is None where either has no value.
    """

    first: str
    second: str
    difference: float | None
    interval: Interval | None
    p: float | None
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """A measure: an entry for each output, a difference for each pair of them."""

    measure: Measure
    entries: tuple[Placing, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two outputs unit by unit: what was resampled, and what changed from the first to the second."""

    first: str
    second: str
    units: Mapping[str, int]
    changes: Changes


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Outputs of a suite compared: measures in the task's order, pairs in that of the outputs."""

    suite: Suite
    outputs: tuple[Output, ...]
    rows: tuple[Row, ...]
    pairings: tuple[Pairing, ...]
    resampled: By
    alpha: float = DEFAULT_ALPHA


def evaluated_by(engine: Engine) -> Callable[[Suite], Then]:
    """Return what gives the evidence of an earlier suite."""

    def then(earlier: Suite) -> Then:
        result = engine(earlier)
        wrong = {case.name: case.explanations for case in result.cases if case.explanations is not None}
        return Then(result.evidence, tuple(sorted(case.name for case in result.failed_cases)), wrong)

    return then


def output_of_now(name: str, result: SuiteResult) -> Run:
    """Return what a system says now; its files have no errors."""
    wrong = {case.name: case.explanations for case in result.cases if case.explanations is not None}
    return Run(name, evidence=result.evidence, wrong=wrong)


def output_of_then(suite: Suite, baseline: Baseline, engine: Engine) -> Run:
    """Return what a suite's system said at a revision, or when a baseline file was written; without evidence if that cannot be had."""
    return past_of(suite, baseline, evaluated_by(engine))


class _Tested(NamedTuple):
    """Two outputs paired, with what chance can do, by measure; `drops` is empty where no intervals are wanted."""

    pairs: Pairs
    tests: Mapping[str, Significance]
    drops: Mapping[str, Distribution]


def compare_outputs(suite: Suite, outputs: Sequence[Output], measures: Sequence[Measure]) -> SideBySide:
    """Return outputs of a suite compared pair by pair: differences, intervals and tests of these measures, and what changed."""
    statistics = suite.statistics
    by = resampled_by(outputs[-1].evidence, statistics.resample)
    draws = Draws(statistics.resamples, statistics.seed)
    tested: dict[tuple[int, int], _Tested] = {}
    for first, second in combinations(range(len(outputs)), 2):
        found = pair(outputs[second].evidence, outputs[first].evidence, by)
        drops = {} if statistics.confidence is None else bootstrap_drops(found, measures, bootstrap_draws(found.size, statistics))
        tested[first, second] = _Tested(found, randomise(found, measures, draws), drops)
    values = [scored(output.evidence, measures, statistics, by) for output in outputs]
    rows = (_row(measure, outputs, [found[measure.name] for found in values], tested, statistics) for measure in measures)
    pairings = (_pairing(outputs[first], outputs[second], found.pairs) for (first, second), found in tested.items())
    return SideBySide(suite, tuple(outputs), tuple(rows), tuple(pairings), by)


def scored(
    evidence: Evidence, measures: Sequence[Measure], statistics: Statistics, by: By
) -> dict[str, tuple[Score, Interval | None]]:
    """Return each measure's score and, where the statistics want one and there is one, its interval."""
    sample, confidence = Sample(evidence), statistics.confidence
    draws = bootstrap_draws(len(evidence.units), statistics)
    spread = {} if confidence is None else bootstrap(evidence, measures, draws, by)
    return {measure.name: (measure.score(sample), _interval(spread.get(measure.name), confidence)) for measure in measures}


def _interval(spread: Distribution | None, confidence: float | None) -> Interval | None:
    if spread is None or confidence is None:
        return None
    found = spread.interval(confidence)
    return None if math.isnan(found.low) else found


def _row(
    measure: Measure,
    outputs: Sequence[Output],
    values: Sequence[tuple[Score, Interval | None]],
    tested: Mapping[tuple[int, int], _Tested],
    statistics: Statistics,
) -> Row:
    tests = {key: found.tests[measure.name] for key, found in tested.items()}
    adjusted = dict(zip(tests, holm([test.p_two_sided for test in tests.values()]), strict=True))
    sign = -1 if measure.better == "higher" else 1
    differences = []
    for (first, second), test in tests.items():
        drop = _interval(tested[first, second].drops.get(measure.name), statistics.confidence)
        interval = Interval(*sorted((sign * drop.low + 0.0, sign * drop.high + 0.0))) if drop else None
        found = (known(sign * test.drop + 0.0), interval, known(test.p_two_sided), known(adjusted[first, second]))
        differences.append(Difference(outputs[first].name, outputs[second].name, *found))
    heights = [None if score.value is None else -sign * score.value for score, _ in values]
    letters = _letters(heights, [key for key, p in adjusted.items() if p <= DEFAULT_ALPHA])
    best = max((height for height in heights if height is not None), default=math.inf)
    entries = (
        Placing(score, interval, height is not None and height >= best - TOLERANCE, letter)
        for (score, interval), height, letter in zip(values, heights, letters, strict=True)
    )
    return Row(measure, tuple(entries), tuple(differences))


def _letters(heights: Sequence[float | None], different: Sequence[tuple[int, int]]) -> list[tuple[str, ...]]:
    """Return the letters of each output's groups, `a` for that of the best; none for an output without value."""
    order = sorted((rank for rank, height in enumerate(heights) if height is not None), key=lambda rank: -(heights[rank] or 0))
    place = {rank: number for number, rank in enumerate(order)}
    pairs = [(place[first], place[second]) for first, second in different]
    groups = homogeneous_groups(len(order), [(min(one), max(one)) for one in pairs])
    letters = {rank: tuple(_letter(number) for number, group in enumerate(groups) if place[rank] in group) for rank in order}
    return [letters.get(rank, ()) for rank in range(len(heights))]


def _letter(number: int) -> str:
    """Return `a` to `z`, then `a2` to `z2`, and so on."""
    again, letter = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(again + 1) if again else "")


def _pairing(first: Output, second: Output, pairs: Pairs) -> Pairing:
    changed = changes(first.past.wrong or {}, second.past.wrong or {})
    return Pairing(first.name, second.name, units_of(pairs), changed)
