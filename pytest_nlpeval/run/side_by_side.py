"""Several outputs for the same gold side by side: systems of a suite, revisions of git, baseline files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import combinations
from string import ascii_lowercase
from typing import NamedTuple

from pytest_nlpeval.conditions import DEFAULT_ALPHA
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure, Score
from pytest_nlpeval.metrics.holm import holm
from pytest_nlpeval.metrics.homogeneous import homogeneous_groups
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.metrics.pairing import By, Pairs
from pytest_nlpeval.metrics.resampling import Significance
from pytest_nlpeval.numbers import TOLERANCE
from pytest_nlpeval.run.chance import Chance, number_or_none, units_of
from pytest_nlpeval.run.falls import fall_of
from pytest_nlpeval.run.guarding import newly_wrong
from pytest_nlpeval.run.item_changes import Changes, changes
from pytest_nlpeval.runs import Run


@light_dataclass(frozen=True, slots=True)
class Placing:
    """An output's score. `is_best` says that no score is better; outputs that share a letter of `groups` do not differ significantly."""

    score: Score
    interval: Interval | None
    is_best: bool
    groups: tuple[str, ...]


@light_dataclass(frozen=True, slots=True)
class Difference:
    """The value of the `second` output minus that of the `first`, with its interval and the p-value of the two-sided test.

    `p_adjusted` is adjusted for the number of pairs by Holm's method. All are None where either output has no value. `p_resamples` is how
    many resamples the test is of, where these are fewer than the statistics say.
    """

    first: str
    second: str
    difference: float | None
    interval: Interval | None
    p: float | None
    p_adjusted: float | None
    p_resamples: int | None = None


@light_dataclass(frozen=True, slots=True)
class Row:
    """A measure, with an entry for each output and a difference for each two outputs."""

    measure: Measure
    entries: tuple[Placing, ...]
    differences: tuple[Difference, ...]


@light_dataclass(frozen=True, slots=True)
class Pairing:
    """Two outputs unit by unit: what was resampled, and what changed from the first to the second.

    `newly_wrong` counts the units that are wrong and were right, by each measure that has guards; `changes` counts explanations.
    `undecided` names the measures whose interval of the difference excludes 0 although so few units differ that no difference could be
    significant. `resampled` is what was drawn of the pair, where that is something else than of each output: few documents may be common.
    """

    first: str
    second: str
    units: Mapping[str, int]
    changes: Changes
    newly_wrong: Mapping[str, int] = field(default_factory=dict)
    undecided: tuple[str, ...] = ()
    resampled: By | None = None


@light_dataclass(frozen=True, slots=True)
class SideBySide:
    """Outputs of a suite compared: measures in the task's order, pairs in the order of the outputs."""

    suite: Suite
    outputs: tuple[Run, ...]
    rows: tuple[Row, ...]
    pairings: tuple[Pairing, ...]
    resampled: By
    alpha: float = DEFAULT_ALPHA


class _Tested(NamedTuple):
    """Two outputs paired, with what chance can do, by measure."""

    pairs: Pairs
    tests: Mapping[str, Significance]
    intervals: Mapping[str, Interval]


def compare_outputs(suite: Suite, outputs: Sequence[Run], measures: Sequence[Measure]) -> SideBySide:
    """Return outputs of a suite compared pair by pair: differences, intervals and tests of these measures, and what changed.

    The `source` of an output is what the user calls it.

    Raises:
        ValueError: if an output has no evidence.
    """
    tables = list(map(_evidence_of, outputs))
    chance = Chance.of(tables[-1], suite.statistics)
    tested: dict[tuple[int, int], _Tested] = {}
    for first, second in combinations(range(len(outputs)), 2):
        pairs = chance.pairs(tables[second], tables[first])
        tested[first, second] = _Tested(pairs, chance.tests(pairs, measures), chance.drop_intervals(pairs, measures))
    scores = [chance.scored(table, measures) for table in tables]
    names = [output.source for output in outputs]
    rows = (_row(measure, names, [by_measure[measure.name] for by_measure in scores], tested) for measure in measures)
    pairings = (_pairing(suite, outputs[first], outputs[second], both, chance.by) for (first, second), both in tested.items())
    return SideBySide(suite, tuple(outputs), tuple(rows), tuple(pairings), chance.by)


def _evidence_of(output: Run) -> Evidence:
    if output.evidence is None:
        raise ValueError(f"{output.source} has no evidence: {output.reason}")
    return output.evidence


def _row(
    measure: Measure,
    names: Sequence[str],
    scores: Sequence[tuple[Score, Interval | None]],
    tested: Mapping[tuple[int, int], _Tested],
) -> Row:
    tests = {pair: both.tests[measure.name] for pair, both in tested.items()}
    adjusted = dict(zip(tests, holm([test.p_two_sided for test in tests.values()]), strict=True))
    sign = -1 if measure.better == "higher" else 1
    differences = []
    for (first, second), test in tests.items():
        drop = tested[first, second].intervals.get(measure.name)
        low, high = sorted((sign * drop.low + 0.0, sign * drop.high + 0.0)) if drop else (math.nan, math.nan)
        interval = Interval(low, high, drop.resamples) if drop else None
        value, p, p_adjusted = map(number_or_none, (sign * test.drop + 0.0, test.p_two_sided, adjusted[first, second]))
        differences.append(Difference(names[first], names[second], value, interval, p, p_adjusted, test.resamples))
    heights = [None if score.value is None else -sign * score.value for score, _ in scores]
    letters = _letters(heights, [pair for pair, p in adjusted.items() if p <= DEFAULT_ALPHA])
    best = max((height for height in heights if height is not None), default=math.inf)
    entries = (
        Placing(score, interval, height is not None and height >= best - TOLERANCE, groups)
        for (score, interval), height, groups in zip(scores, heights, letters, strict=True)
    )
    return Row(measure, tuple(entries), tuple(differences))


def _letters(heights: Sequence[float | None], different: Sequence[tuple[int, int]]) -> list[tuple[str, ...]]:
    """Return the letters of each output's groups, `a` for that of the best; none for an output without value.

    `heights` are the scores, greater ones being better; `different` are the pairs of outputs that differ significantly.
    """
    order = sorted(
        (output for output, height in enumerate(heights) if height is not None), key=lambda output: -(heights[output] or 0)
    )
    rank = {output: number for number, output in enumerate(order)}
    pairs = [(rank[first], rank[second]) for first, second in different]
    groups = homogeneous_groups(len(order), [(min(pair), max(pair)) for pair in pairs])
    letters = {output: tuple(_letter(number) for number, group in enumerate(groups) if rank[output] in group) for output in order}
    return [letters.get(output, ()) for output in range(len(heights))]


def _letter(number: int) -> str:
    """Return `a` to `z`, then `a2` to `z2`, and so on."""
    again, letter = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(again + 1) if again else "")


def _pairing(suite: Suite, first: Run, second: Run, both: _Tested, by: By) -> Pairing:
    """Return two outputs paired, of each of which `by` is drawn; the least two-sided p-value of k units that differ is 2 * 2**-k."""
    undecided = tuple(
        name
        for name, interval in both.intervals.items()
        if (interval.low > TOLERANCE or interval.high < -TOLERANCE) and 2.0 ** (1 - both.tests[name].differing) > DEFAULT_ALPHA
    )
    measures = suite.measures_of(both.pairs.evidence)
    guarded = newly_wrong(both.pairs, suite.gates(measures)[0], measures)
    fall = fall_of(suite.recipe.task, measures, both.pairs.baseline, both.pairs.now)
    changed = changes(first.wrong or {}, second.wrong or {}, both.pairs.common, fall)
    return Pairing(
        first.source,
        second.source,
        units_of(both.pairs),
        changed,
        guarded,
        undecided,
        None if both.pairs.by == by else both.pairs.by,
    )
