"""Verdicts on drops against all ways to exchange the results of units, counted one by one, with Holm's rule as its paper has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.conditions import MaxDrop
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.gates import Gate, judge
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.run.against_baseline import compare
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.runs import Run

Result = int | None
Unit = tuple[Result, Result]
"""What a unit is then and now: wrong, right, or without an answer."""


def share(name: str, sample: Sample) -> Values:
    return ratio(sample.total(f"{name}.right"), sample.total(f"{name}.answered"))


def measure(name: str) -> Measure:
    return Measure(name, "", "", partial(share, name), "nothing is answered")


def mean(results: Iterable[Result]) -> float | None:
    answered = [result for result in results if result is not None]
    return sum(answered) / len(answered) if answered else None


def drop(units: Sequence[Unit]) -> float | None:
    then, now = (mean(side) for side in zip(*units, strict=True))
    return None if then is None or now is None else then - now


def p_value(units: Sequence[Unit]) -> float:
    """The share of all ways to exchange results in which the drop is as great, or is not known."""
    observed, ways = drop(units), list(product((False, True), repeat=len(units)))
    drops = [drop([unit[::-1] if is_swapped else unit for unit, is_swapped in zip(units, way, strict=True)]) for way in ways]
    return sum(other is None or observed is None or other >= observed - 1e-12 for other in drops) / len(ways)


def rejected(ps: Sequence[float], alpha: float) -> set[int]:
    """The hypotheses that Holm rejects: the smallest p is compared with alpha / m, the next with alpha / (m - 1), until one is greater."""
    out: set[int] = set()
    for place in sorted(range(len(ps)), key=lambda place: ps[place]):
        if ps[place] * (len(ps) - len(out)) > alpha:
            break
        out.add(place)
    return out


def expected(suites: Sequence[Sequence[Unit]], alpha: float) -> list[str]:
    drops = [drop(units) for units in suites]
    tested = [place for place, fall in enumerate(drops) if fall is not None]
    shown = {tested[place] for place in rejected([p_value(suites[place]) for place in tested], alpha)}
    return [
        "unjudged" if fall is None else "failed" if fall > 1e-12 and place in shown else "passed"
        for place, fall in enumerate(drops)
    ]


def evidence(suites: Sequence[Sequence[Unit]], side: int) -> Evidence:
    columns: dict[str, Column] = {}
    for name, units in zip("ab", suites, strict=True):
        columns[f"{name}.right"] = np.array([unit[side] == 1 for unit in units], np.int8)
        columns[f"{name}.answered"] = np.array([unit[side] is not None for unit in units], np.int8)
    return Evidence.of([str(unit) for unit in range(len(suites[0]))], columns)


results = st.sampled_from([0, 1, 1, None])
units = st.tuples(results, results)


@given(st.lists(st.tuples(units, units), min_size=1, max_size=6), st.sampled_from([0.5, 0.25, 0.125, 0.0625, 0.05]))
def test_verdicts_are_those_of_all_exchanges(rows: list[tuple[Unit, Unit]], alpha: float) -> None:
    suites = list(zip(*rows, strict=True))
    then, now = (evidence(suites, side) for side in (0, 1))
    measures, gates = [measure(name) for name in "ab"], [Gate(name, 1, {"max_drop": MaxDrop(0.0)}, alpha=alpha) for name in "ab"]
    scores = {each.name: each.score(Sample(now)) for each in measures}
    chance = Chance.of(now, Statistics(resamples=100), gates)
    standings = compare(now, measures, scores, gates, Run("then", evidence=then), chance).standings
    assert [judge(gate, standings[gate.measure])[0].verdict for gate in gates] == expected(suites, alpha)
