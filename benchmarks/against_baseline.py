"""How long a run takes beside one without a baseline, by measure.

    python benchmarks/against_baseline.py [UNITS]

Prints processor seconds of scoring and judging 2,000 items (or as many as given), of which a tenth has another output in the
baseline: without a baseline, with one, and with one and a gate `max_drop: 0` with `alpha: 0.05`, for Spearman's and Kendall's
correlation, the area under the ROC curve, and all measures of labels; 10,000 resamples. Then accuracy of 100,000 items with a gate.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import numpy as np

from pytest_nlpeval.conditions import Condition, MaxDrop, Min
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.measures import Measure, Sample
from pytest_nlpeval.run.against_baseline import compare
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.runs import Run
from pytest_nlpeval.tasks import load_task


def names(units: int) -> list[str]:
    """Return the names of units."""
    return [str(rank) for rank in range(units)]


def scored(units: int) -> tuple[Evidence, Evidence]:
    """Return two runs with a score for each item: gold's with noise."""
    chance = np.random.default_rng(1)
    gold = chance.random(units).round(3)
    before = np.clip(gold + chance.normal(0, 0.2, units), 0, 1).round(3)
    now = np.where(chance.random(units) < 0.1, chance.random(units).round(3), before)
    first, second = (
        Evidence.of(names(units), {"judged": np.ones(units, np.int8), "gold": gold, "system": said}, "d")
        for said in (now, before)
    )
    return first, second


def labelled(units: int, *, ranked: bool = True) -> tuple[Evidence, Evidence]:
    """Return two runs with one of two labels for each item, and the probability of the positive one."""
    chance = np.random.default_rng(2)
    gold = chance.random(units) < 0.5
    before = np.clip(gold * 0.3 + chance.random(units) * 0.7, 0, 1).round(6)
    now = np.where(chance.random(units) < 0.1, chance.random(units).round(6), before)

    def run(sure: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Evidence:
        said = sure >= 0.5
        columns: dict[str, Column] = {"judged": np.ones(units, np.int8)}
        for name, flags in (("gold.no", ~gold), ("gold.yes", gold), ("system.no", ~said), ("system.yes", said)):
            columns[name] = flags.astype(np.int8)
        return Evidence.of(names(units), columns | ({"p": sure} if ranked else {}), "d")

    return run(now), run(before)


def seconds(runs: tuple[Evidence, Evidence], measures: Sequence[Measure], condition: Condition | None, *, beside: bool) -> float:
    """Return the processor time of intervals and, if `beside`, of the comparison; each measure has a gate with the condition, if any."""
    now, baseline = runs
    gates = [Gate(measure.name, 1, {condition.name: condition}, alpha=0.05) for measure in measures if condition]
    start = time.process_time()
    chance = Chance.of(now, Statistics(), gates)
    sample = Sample(now)
    scores = {measure.name: measure.score(sample) for measure in measures}
    chance.intervals(now, measures)
    if beside:
        compare(now, measures, scores, gates, Run("then", evidence=baseline), chance)
    return time.process_time() - start


def row(name: str, runs: tuple[Evidence, Evidence], measures: Sequence[Measure]) -> None:
    """Print how long measures take: with nothing that judges them, with a minimum, and with a gate on the drop."""
    plain, compared = (seconds(runs, measures, None, beside=beside) for beside in (False, True))
    alone, gated = seconds(runs, measures, Min(0.0), beside=False), seconds(runs, measures, MaxDrop(0.0), beside=True)
    print(
        f"{name}: {plain:.2f} s, with a baseline {compared:.2f} s ({compared / plain:.1f} times); "
        f"gated {alone:.2f} s, with a baseline {gated:.2f} s ({gated / alone:.1f} times)"
    )


def main() -> None:
    """Run the benchmark."""
    units = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    task = load_task("labels")
    of_scores, of_labels = scored(units), labelled(units)
    scores = list(task.measures(task.options(kind="score"), list(of_scores[0].columns)) or ())
    options = task.options(probability="p", positive="yes")
    labels = list(task.measures(options, list(of_labels[0].columns)) or ())
    for name, runs, found in (
        *((name, of_scores, [each for each in scores if each.name == name]) for name in ("spearman", "kendall")),
        *((each.name, of_labels, [each]) for each in labels if "auc" in each.name),
        ("all of labels", of_labels, labels),
    ):
        row(name, runs, found)
    many = labelled(100_000, ranked=False)
    accuracy = [each for each in task.measures(task.options(), list(many[0].columns)) or () if each.name == "accuracy"]
    print(f"accuracy of 100,000 units, gated, with a baseline: {seconds(many, accuracy, MaxDrop(0.0), beside=True):.2f} s")


if __name__ == "__main__":
    main()
