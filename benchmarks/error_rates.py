"""How often gates on drops err: simulated comparisons of runs whose true scores are known, with seeds of their own.

    python benchmarks/error_rates.py [COMPARISONS] [MEASURE...]

Makes 2,000 comparisons (or as many as given) of each kind, and prints a table in Markdown, or the rows of some measures:

- under the null: both runs are drawn alike, unit by unit, so that a gate `max_drop: 0` with `alpha: 0.05` that fails is in error; with one
  condition, and with ten in a suite, adjusted after Holm;
- coverage: how often the interval of 95 % has the true value in it;
- `non_inferior`: how often a run that is worse by exactly the margin passes;
- power: how often a run that is worse by what `detectable` says fails `max_drop: 0`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.random import Generator

from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.holm import holm
from pytest_nlpeval.metrics.pairing import By, pair
from pytest_nlpeval.metrics.power import detectable
from pytest_nlpeval.metrics.resampling import bootstrap, bootstrap_drops, randomise
from pytest_nlpeval.tasks import load_task

ALPHA = 0.05
DRAWS = Draws(999, 1)
Pair = tuple[Evidence, Evidence]


def measure(task: str, name: str, columns: list[str], **options: object) -> Measure:
    """Return a measure of a task."""
    found = load_task(task)
    return next(one for one in found.measures(found.options(**options), columns) or () if one.name == name)


def names(number: int) -> list[str]:
    """Return the names of units."""
    return [str(rank) for rank in range(number)]


@dataclass(frozen=True, slots=True)
class Kind:
    """A measure, and runs that are drawn for it: `draw(chance, units, worse)` gives the run of now and the baseline.

    `worse` is the probability that what is right turns wrong in the run of now.
    """

    name: str
    measure: Measure
    by: By
    draw: Callable[[Generator, int, float], Pair]


def pairs_judged(chance: Generator, units: int, worse: float) -> Pair:
    """Return two runs of textual entailment that agree on most pairs: 65 % right, and confidences that mean something."""
    hard = chance.random(units)
    gold = (chance.random(units) < 0.5).astype(np.int8)

    def run(spoilt: float) -> Evidence:
        right = (hard + chance.normal(0, 0.25, units) < 0.65) & (chance.random(units) >= spoilt)
        sure = np.clip(0.7 - hard / 2 + chance.normal(0, 0.2, units), 0, 1).round(6)
        correct = right.astype(np.int8)
        said = np.where(right, gold, 1 - gold).astype(np.int8)
        columns: dict[str, Column] = {
            "judged": np.ones(units, np.int8),
            "correct": correct,
            "gold.TRUE": gold,
            "gold.FALSE": 1 - gold,
            "system.TRUE": said,
            "system.FALSE": 1 - said,
            "ranked": np.zeros(units, np.int8),
            "line": np.arange(1, units + 1),
            "confidence": sure,
        }
        return Evidence.of(names(units), columns, "run")

    return run(worse), run(0)


def sentences(chance: Generator, units: int, worse: float) -> Pair:
    """Return two runs of relation extraction: half of the sentences have a relation, F is about 0.6."""
    relations = (chance.random(units) < 0.5).astype(np.int8)
    hard = chance.random(units)

    def run(spoilt: float) -> Evidence:
        right = (hard + chance.normal(0, 0.25, units) < 0.6) & (chance.random(units) >= spoilt)
        correct = (right & (relations == 1)).astype(np.int8)
        extractions = np.where(correct == 1, 1, chance.random(units) < 0.3).astype(np.int8)
        return Evidence.of(names(units), {"correct": correct, "extractions": extractions, "relations": relations}, "gold")

    return run(worse), run(0)


ROW = "relation:TLINK.tempeval"


def documents(chance: Generator, units: int, worse: float) -> Pair:
    """Return two runs on documents of 5 to 60 reduced TLINKs: temporal awareness."""
    gold = chance.integers(5, 60, units)
    level = np.clip(chance.normal(0.5, 0.12, units), 0.05, 0.95)

    def run(spoilt: float) -> Evidence:
        own = np.clip(level + chance.normal(0, 0.05, units), 0.01, 0.99) * (1 - spoilt)
        system = np.maximum(1, chance.poisson(gold * 0.9))
        gold_matched = chance.binomial(gold, own)
        columns = {
            f"{ROW}.tp": gold_matched,
            f"{ROW}.gold": gold,
            f"{ROW}.system": system,
            f"{ROW}.gold_matched": gold_matched,
            f"{ROW}.system_matched": chance.binomial(system, own),
        }
        return Evidence(tuple(f"{rank:06}" for rank in range(units)), (1,) * units, ("",) * units, columns)

    return run(worse), run(0)


def kinds() -> list[Kind]:
    """Return what is simulated: an additive measure, F, CWS and temporal awareness."""
    rte = ["gold.TRUE", "confidence"]
    tempeval = [f"{ROW}.{field}" for field in ("tp", "gold", "system", "gold_matched", "system_matched")]
    return [
        Kind("accuracy (rte)", measure("rte", "accuracy", rte), "units", pairs_judged),
        Kind("F (exemplar)", measure("exemplar", "f1", []), "units", sentences),
        Kind("temporal awareness, F (cat)", measure("cat", "TLINK.tempeval.f1", tempeval), "documents", documents),
        Kind("CWS (rte)", measure("rte", "cws", rte), "units", pairs_judged),
    ]


def chances(kind: Kind, what: str, number: int) -> Iterator[Generator]:
    """Yield the source of chance of each comparison."""
    for rank in range(number):
        yield np.random.Generator(np.random.PCG64([rank, *map(ord, kind.name + what)]))


def p_of(kind: Kind, runs: Pair, draws: Draws) -> float:
    """Return the p-value of a drop."""
    return randomise(pair(*runs, kind.by), [kind.measure], draws)[kind.measure.name].p


def null(kind: Kind, units: int, number: int) -> float:
    """Return how many of the gates `max_drop: 0` fail."""
    found = [p_of(kind, kind.draw(chance, units, 0), DRAWS) for chance in chances(kind, "null", number)]
    return float(np.mean([p <= ALPHA for p in found]))


def null_of_ten(kind: Kind, units: int, number: int) -> float:
    """Return how many suites of ten such gates, on runs that have nothing to do with each other, fail."""
    found = [holm([p_of(kind, kind.draw(chance, units, 0), DRAWS) for _ in range(10)]) for chance in chances(kind, "ten", number)]
    return float(np.mean([min(ps) <= ALPHA for ps in found]))


@cache
def truth(kind: Kind, worse: float) -> tuple[float, float]:
    """Return the true value, and the true drop: those of very many units."""
    runs = kind.draw(
        np.random.Generator(np.random.PCG64([7, *map(ord, kind.name)])), 200_000 if kind.by == "units" else 20_000, worse
    )
    now, baseline = (next(iter(bootstrap(run, [kind.measure], Draws(1), kind.by).values())).observed for run in runs)
    return now, baseline - now


def coverage(kind: Kind, units: int, number: int) -> float:
    """Return how many intervals of 95 % have the true value in them."""
    true, inside = truth(kind, 0)[0], 0
    for chance in chances(kind, "coverage", number):
        now, _ = kind.draw(chance, units, 0)
        low, high, _ = bootstrap(now, [kind.measure], DRAWS, kind.by)[kind.measure.name].interval(0.95)
        inside += low <= true <= high
    return inside / number


def non_inferior(kind: Kind, units: int, number: int) -> float:
    """Return how many runs that are worse by exactly the margin pass."""
    worse = 0.08
    margin, passed = truth(kind, worse)[1], 0
    for chance in chances(kind, "margin", number):
        drops = bootstrap_drops(pair(*kind.draw(chance, units, worse), kind.by), [kind.measure], DRAWS)
        passed += drops[kind.measure.name].upper(ALPHA) < margin
    return passed / number


def power(kind: Kind, units: int, number: int) -> tuple[float, float]:
    """Return the mean detectable drop of runs that are truly worse by about as much, and how many of them fail."""
    name, worse = kind.measure.name, 0.0
    chance = np.random.Generator(np.random.PCG64([11, *map(ord, kind.name)]))
    for _ in range(3):  # how much worse a run must be depends on how much the runs differ
        found = []
        for _ in range(10):
            now, baseline = kind.draw(chance, units, worse)
            pairs = pair(now, baseline, kind.by)
            test = randomise(pairs, [kind.measure], DRAWS, {name: ALPHA})[name]
            drops, alone = (
                bootstrap_drops(pairs, [kind.measure], DRAWS)[name],
                bootstrap(now, [kind.measure], DRAWS, kind.by)[name],
            )
            found.append(detectable(drops, alone, test, ALPHA).drop)
        wanted = float(np.mean(found))
        worse = 0.1 * wanted / truth(kind, 0.1)[1]
    ps = [p_of(kind, kind.draw(one, units, worse), DRAWS) for one in chances(kind, "power", number)]
    return wanted, float(np.mean([p <= ALPHA for p in ps]))


def row(kind: Kind, number: int) -> str:
    """Return the figures of a kind, as a row of the table."""
    units = {"units": 500, "documents": 100}[kind.by]
    wanted, found = power(kind, units, number // 4)
    shares = [null(kind, units, number), null_of_ten(kind, units, number // 4), non_inferior(kind, units, number)]
    shares += [coverage(kind, units, number) for units in (100, 200, 500)]
    figures = " | ".join(f"{share:.1%}" for share in shares)
    return f"| {kind.name}, {units} {kind.by} | {figures} | {wanted:.3f} | {found:.1%} |"


def main() -> None:
    """Print the table."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    error = (ALPHA * (1 - ALPHA) / number) ** 0.5
    fewer = number // 4
    print(f"{number:,} comparisons each ({fewer:,} suites of ten, {fewer:,} for power), {DRAWS.resamples} resamples, alpha 0.05.")
    print(f"The standard error of a share of 5 % of {number:,} is {error:.2%}.\n")
    print(
        "| measure | one gate fails | one of ten fails | non_inferior passes | coverage, 100 | 200 | 500 | detectable drop | found |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in (kind for kind in kinds() if not sys.argv[2:] or kind.measure.name in sys.argv[2:]):
        print(row(kind, number), flush=True)


if __name__ == "__main__":
    main()
