"""Resampling: how long intervals and tests take, and how much memory.

    python benchmarks/resampling.py

Prints the medians of three runs with 10,000 resamples: randomisation and bootstrap of F on 2,000 units, bootstrap on 100,000 (one
run), and the intervals of all measures of two suites of 2,000 units: relation extraction (additive), and textual entailment (seven
settings, and rankings, whose value depends on the order of all units), with confidences that are all different and with 101 different
ones; and what a run makes, where no gate judges a ranking: fewer resamples for the rankings.
"""

from __future__ import annotations

import resource
from functools import partial

import numpy as np
from timing import median_seconds, seconds

from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.pairing import pair
from pytest_nlpeval.metrics.resampling import bootstrap, bootstrap_drops, randomise
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.tasks import load_task
from pytest_nlpeval.tasks.rte.options import FIRST

DRAWS = Draws()


def relations(units: int, seed: int) -> Evidence:
    """Return the evidence of relation extraction."""
    chance, gold = np.random.default_rng(seed), np.random.default_rng(0)
    relation = (gold.random(units) < 0.6).astype(np.int8)
    extracted = (chance.random(units) < 0.7).astype(np.int8)
    correct = relation * extracted * (chance.random(units) < 0.8).astype(np.int8)
    columns = {"correct": correct, "extractions": extracted, "relations": relation}
    return Evidence.of([str(unit) for unit in range(units)], columns, "gold")


def entailment(units: int, *, tied: bool = False) -> Evidence:
    """Return the evidence of textual entailment, with confidences that are all different, or in steps of 0.01."""
    chance = np.random.default_rng(1)
    gold, said = (chance.integers(0, 2, units).astype(np.int8) for _ in range(2))
    setting = chance.integers(0, len(FIRST.settings), units)
    confidence = chance.permutation(units) / units
    columns = {
        "judged": np.ones(units, np.int8),
        "correct": (gold == said).astype(np.int8),
        "gold.TRUE": gold,
        "gold.FALSE": 1 - gold,
        "system.TRUE": said,
        "system.FALSE": 1 - said,
        "ranked": np.zeros(units, np.int8),
        "line": np.arange(units),
        "confidence": np.round(confidence, 2) if tied else confidence,
        **{f"task.{name}": (setting == rank).astype(np.int8) for rank, name in enumerate(FIRST.settings)},
    }
    return Evidence.of([str(unit) for unit in range(units)], columns, "run")


def measures(task: str, evidence: Evidence) -> list[Measure]:
    """Return all measures of a task."""
    found = load_task(task)
    return list(found.measures(found.options(), list(evidence.columns)) or ())


def main() -> None:
    """Run the benchmark."""
    small, large, ranked = relations(2_000, 1), relations(100_000, 1), entailment(2_000)
    of_relations = measures("exemplar", small)
    f = [measure for measure in of_relations if measure.name == "f1"]
    pairs = pair(small, relations(2_000, 2), "units")
    print(f"randomisation, 2,000 units, {pairs.differing} differ: {median_seconds(partial(randomise, pairs, f, DRAWS)):.3f} s")
    print(f"bootstrap, 2,000 units: {median_seconds(partial(bootstrap, small, f, DRAWS, 'units')):.3f} s")
    print(f"bootstrap of differences, 2,000 units: {median_seconds(partial(bootstrap_drops, pairs, f, DRAWS)):.3f} s")
    tied = entailment(2_000, tied=True)
    for task, what, evidence in (("exemplar", "", small), ("rte", "", ranked), ("rte", ", tied", tied)):
        found = measures(task, evidence)
        took = median_seconds(partial(bootstrap, evidence, found, DRAWS, "units"))
        run = median_seconds(partial(Chance.of(evidence, Statistics(resample="units"), ()).intervals, evidence, found))
        print(f"all {len(found)} measures of {task}, 2,000 units{what}: {took:.3f} s; as a run makes them: {run:.3f} s")
    print(f"bootstrap, 100,000 units: {seconds(partial(bootstrap, large, f, DRAWS, 'units')):.1f} s")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
