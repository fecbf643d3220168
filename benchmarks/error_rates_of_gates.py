"""How often gates err where it is hard: few units, shares near 1, small margins, documents that differ, many gates.

    python benchmarks/error_rates_of_gates.py [COMPARISONS] [TABLE...]

Makes 2,000 comparisons (or as many as given) for each figure, from runs whose true scores are known, with seeds of their own, and prints
tables in Markdown: `shares`, `margins`, `tolerances`, `documents`, `holm`, or some of these. Gates are judged by the code that judges a
suite's, with 999 resamples.

- shares: how often the interval of 95 % of a share of units holds the true one;
- margins: how often `non_inferior` passes a run that is worse by exactly the margin. In the first rows nothing else changed, in the next
  5 % of the units turned right and as many more turned wrong; the last are of F;
- tolerances: how often `max_drop: d` with `alpha: 0.05` fails a run that is worse by exactly d;
- documents: how often `max_drop: 0` fails although nothing changed, and how often the interval holds the true share, in documents of 50
  items: in each document either run has a share of its own, with a given correlation of items;
- holm: how often a drop as great as `detectable` is found by one of ten gates, of which the other nine judge what did not change.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from error_rates import measure, names
from numpy.random import Generator
from numpy.typing import NDArray

from pytest_nlpeval.conditions import Condition, MaxDrop, NonInferior, Standing
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.gates import Gate, judge
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.run.against_baseline import compare
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.runs import Run

ALPHA = 0.05
STATISTICS = Statistics(resamples=999, seed=1)
ACCURACY = measure("rte", "accuracy", ["gold.TRUE"])
F = measure("exemplar", "f1", [])
UNITS = (30, 100, 200, 500)
MARGINS = (0.005, 0.01, 0.02)
Flags = NDArray[np.bool_]


def chances(what: str, number: int) -> Iterator[Generator]:
    """Yield the source of chance of each comparison."""
    for rank in range(number):
        yield np.random.Generator(np.random.PCG64([rank, *what.encode()]))


def judged(right: Flags) -> Evidence:
    """Return a run of textual entailment with these judgments."""
    correct = right.astype(np.int8)
    columns: dict[str, Column] = {"judged": np.ones_like(correct), "correct": correct}
    return Evidence.of(names(len(right)), columns, "run")


def standings(
    now: Evidence, baseline: Evidence, gates: Mapping[Measure, Gate], statistics: Statistics = STATISTICS
) -> Mapping[str, Standing]:
    """Return what the gates of these measures are judged by."""
    sample = Sample(now)
    scores = {each.name: each.score(sample) for each in gates}
    chance = Chance.of(now, statistics, gates.values())
    return compare(now, tuple(gates), scores, tuple(gates.values()), Run("then", evidence=baseline), chance).standings


def holds(now: Evidence, baseline: Evidence, judged_by: Measure, condition: Condition) -> bool:
    """Whether a gate with one condition holds; outputs are never taken to be identical, which says nothing of chance."""
    gate = Gate(judged_by.name, 1, {condition.name: condition}, alpha=ALPHA)
    standing = standings(now, baseline, {judged_by: gate})[judged_by.name]
    return all(verdict.holds for verdict in judge(gate, replace(standing, is_same=False)))


def shares(number: int) -> Iterator[str]:
    """Yield how often intervals of shares hold the true share."""
    yield "| share | " + " | ".join(f"{units} units" for units in UNITS) + " |"
    yield "|---|" + "---|" * len(UNITS)
    for share in (0.5, 0.8, 0.95, 0.98):
        figures = [held(share, units, number) for units in UNITS]
        yield f"| {share:g} | " + " | ".join(f"{figure:.1%}" for figure in figures) + " |"


def held(share: float, units: int, number: int) -> float:
    """Return how many intervals of the share hold it."""
    inside = 0
    for chance in chances(f"share {share} {units}", number):
        run = judged(chance.random(units) < share)
        low, high, _ = Chance.of(run, STATISTICS).intervals(run, [ACCURACY])["accuracy"]
        inside += low <= share <= high
    return inside / number


def changed(chance: Generator, units: int, drop: float, both: float) -> tuple[Evidence, Evidence]:
    """Return runs that differ by `drop` in truth: a share `both` of the units turns right, and that and the drop turns wrong."""
    kind = chance.random(units)
    is_wrong_now, is_right_now = kind < both + drop, (kind >= both + drop) & (kind < 2 * both + drop)
    right = chance.random(units) < 0.8
    return judged((right | is_right_now) & ~is_wrong_now), judged((right | is_wrong_now) & ~is_right_now)


def extracted(chance: Generator, units: int, drop: float, _both: float) -> tuple[Evidence, Evidence]:
    """Return runs of relation extraction whose F is 1.2 / 1.7, and lower by `drop` in truth: 6 of 10 sentences are right in the baseline.

    Each sentence has one relation; one in ten has a wrong extraction, three have none. F is 2 c / (e + 1) if a sentence has c right and
    e extractions on average, and a right one that is left out takes one from both.
    """
    kind = chance.random(units)
    correct, extractions = (kind < 0.6).astype(np.int8), (kind < 0.7).astype(np.int8)
    after = 1.2 / 1.7 - drop
    lost = (1.2 - after * 1.7) / (2 - after)  # from 2 (0.6 - lost) / (1.7 - lost) = after
    kept = (chance.random(units) >= lost / 0.6) | (correct == 0)

    def run(right: NDArray[np.int8], said: NDArray[np.int8]) -> Evidence:
        return Evidence.of(names(units), {"correct": right, "extractions": said, "relations": np.ones(units, np.int8)}, "gold")

    return run(correct * kept, extractions * kept), run(correct, extractions)


Draw = Callable[[Generator, int, float, float], tuple[Evidence, Evidence]]


def margins(number: int) -> Iterator[str]:
    """Yield how often a run that is worse by exactly the margin passes."""
    yield "| measure | margin | " + " | ".join(f"{units} units" for units in UNITS) + " |"
    yield "|---|---|" + "---|" * len(UNITS)
    kinds: list[tuple[str, Measure, Draw, float]] = [
        ("accuracy, nothing else changed", ACCURACY, changed, 0.0),
        ("accuracy, 5 % turned right", ACCURACY, changed, 0.05),
        ("F, nothing else changed", F, extracted, 0.0),
    ]
    for kind in kinds:
        for margin in MARGINS:
            figures = [passed(kind, margin, units, number) for units in UNITS]
            yield f"| {kind[0]} | {margin:g} | " + " | ".join(f"{figure:.1%}" for figure in figures) + " |"


def passed(kind: tuple[str, Measure, Draw, float], margin: float, units: int, number: int) -> float:
    """Return how many gates pass."""
    title, judged_by, draw, both = kind
    runs = (draw(chance, units, margin, both) for chance in chances(f"{title} {margin} {units}", number))
    return sum(holds(now, baseline, judged_by, NonInferior(margin)) for now, baseline in runs) / number


def tolerances(number: int) -> Iterator[str]:
    """Yield how often a run that is worse by exactly what is allowed fails."""
    sizes = (100, 500, 2_000)
    yield "| max_drop | " + " | ".join(f"{units:,} units" for units in sizes) + " |"
    yield "|---|" + "---|" * len(sizes)
    for allowed in (0.005, 0.01, 0.02, 0.05):
        figures = [failed(allowed, units, number) for units in sizes]
        yield f"| {allowed:g} | " + " | ".join(f"{figure:.1%}" for figure in figures) + " |"


def failed(allowed: float, units: int, number: int) -> float:
    """Return how many gates fail."""
    runs = (changed(chance, units, allowed, 0.05) for chance in chances(f"allowed {allowed} {units}", number))
    return sum(not holds(now, baseline, ACCURACY, MaxDrop(allowed)) for now, baseline in runs) / number


def grouped(chance: Generator, number: int, correlation: float) -> Evidence:
    """Return a run on documents of 50 items, 80 % right; two items of one document have this correlation."""
    both = 1 / correlation - 1
    levels = chance.beta(0.8 * both, 0.2 * both, number)
    parts = [judged(chance.random(50) < level) for level in levels]
    return Evidence.merge([part.named(f"{rank:03}") for rank, part in enumerate(parts)])


def documents(number: int) -> Iterator[str]:
    """Yield how often gates fail although nothing changed, and how often intervals hold the true share, by documents and by units."""
    yield "| documents | correlation | one gate fails, drawn: auto | units | the interval holds the true value, drawn: auto | units |"
    yield "|---|---|---|---|---|---|"
    for size in (12, 19):
        for correlation in (0.1, 0.2):
            failing, inside = grouped_errors(size, correlation, number)
            figures = [*failing, *inside]
            yield f"| {size} | {correlation:g} | " + " | ".join(f"{figure:.1%}" for figure in figures) + " |"


def grouped_errors(size: int, correlation: float, number: int) -> tuple[list[float], list[float]]:
    """Return how many gates `max_drop: 0` fail, and how many intervals hold the true share: `resample: auto`, and `units`."""
    gate = Gate("accuracy", 1, {"max_drop": MaxDrop(0.0)}, alpha=ALPHA)
    failing, inside = np.zeros(2), np.zeros(2)
    for chance in chances(f"documents {size} {correlation}", number):
        now, baseline = grouped(chance, size, correlation), grouped(chance, size, correlation)
        for rank, drawn in enumerate((STATISTICS, replace(STATISTICS, resample="units"))):
            standing = standings(now, baseline, {ACCURACY: gate}, drawn)["accuracy"]
            failing[rank] += not all(verdict.holds for verdict in judge(gate, standing))
            low, high, _ = Chance.of(now, drawn).intervals(now, [ACCURACY])["accuracy"]
            inside[rank] += low <= 0.8 <= high
    return (failing / number).tolist(), (inside / number).tolist()


def ten() -> list[Measure]:
    """Return accuracy ten times over, each of columns of its own."""
    return [replace(ACCURACY, name=f"a{rank}", values=_Mean(f"c{rank}")) for rank in range(10)]


class _Mean:
    """The mean of a column."""

    def __init__(self, column: str) -> None:
        self.column = column

    def __call__(self, sample: Sample) -> NDArray[np.float64]:
        units = sample.total(np.ones(len(sample.evidence.units), np.int8))
        return sample.total(self.column) / units


def ten_columns(chance: Generator, units: int, drop: float) -> tuple[Evidence, Evidence]:
    """Return runs in which the first of ten columns drops in truth, and the others change, but do not drop."""
    pairs = [changed(chance, units, drop if rank == 0 else 0.0, 0.05) for rank in range(10)]
    now, baseline = (
        Evidence.of(names(units), {f"c{rank}": pair[side].column("correct") for rank, pair in enumerate(pairs)}, "run")
        for side in (0, 1)
    )
    return now, baseline


def holm(number: int) -> Iterator[str]:
    """Yield how often a drop as great as `detectable` is found by one of ten gates."""
    yield "| units | `detectable`, one of ten gates | such a drop is found |"
    yield "|---|---|---|"
    measures = ten()
    gates = {each: Gate(each.name, 1, {"max_drop": MaxDrop(0.0)}, alpha=ALPHA) for each in measures}
    for units in (500,):
        drop = 0.05
        for _ in range(3):
            runs = [ten_columns(chance, units, drop) for chance in chances(f"ten {drop}", 20)]
            drop = float(np.mean([standings(now, baseline, gates)["a0"].detectable or 0.0 for now, baseline in runs]))
        found = 0
        for chance in chances("found", number):
            now, baseline = ten_columns(chance, units, drop)
            found += not judge(gates[measures[0]], standings(now, baseline, gates)["a0"])[0].holds
        yield f"| {units} | {drop:.3f} | {found / number:.1%} |"


TABLES: Mapping[str, Callable[[int], Iterator[str]]] = {
    "shares": shares,
    "margins": margins,
    "tolerances": tolerances,
    "documents": documents,
    "holm": holm,
}


def main() -> None:
    """Print the tables."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    for name in sys.argv[2:] or TABLES:
        print(f"{name}, {number:,} comparisons each:\n", flush=True)
        for line in TABLES[name](number):
            print(line, flush=True)
        print(flush=True)


if __name__ == "__main__":
    main()
