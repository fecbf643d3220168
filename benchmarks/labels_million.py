"""Labels of a million items: how long it takes to read and score them, how much memory, and what scikit-learn needs for the same.

    python benchmarks/labels_million.py [ITEMS]

Makes two TSV files of that many items (1,000,000 unless said otherwise) with 10 labels, the system's in another order, and a third one with
the probabilities of all labels, in a temporary folder. Prints seconds of the processor and peak memory of processes of their own: this
package, from the files to the scores, and the same measures by scikit-learn, reading with `csv`, if it is installed (the extra `oracle`);
labels alone, then with probabilities. Then the seconds for 10,000 bootstrap resamples of 2,000 items, all measures, again without and with
probabilities, and for 1,000 labels of as many items. Compare within one run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from timing import seconds

from pytest_nlpeval import score
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.resampling import bootstrap

LABELS = [f"label_{code}" for code in range(10)]

OURS = """
import resource, sys, time
start = time.process_time()
from pytest_nlpeval import score
gold, system, *labels = sys.argv[1:]
options = {"probability": {label: label for label in labels}} if labels else {}
result = score("labels", gold=gold, system=system, options=options)
assert result.outcome == "ok", result.all_problems()
print(f"{time.process_time() - start:.2f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
"""

THEIRS = """
import csv, resource, sys, time, warnings
import numpy as np
from sklearn import metrics
warnings.simplefilter("ignore")
start = time.process_time()
def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file, delimiter="\\t", quoting=csv.QUOTE_NONE)
gold_path, system_path, *labels = sys.argv[1:]
gold = {row["id"]: row["label"] for row in rows(gold_path)}
system = {row["id"]: (row["label"], [float(row[label]) for label in labels]) for row in rows(system_path)}
truth, answers = list(gold.values()), [system[name][0] for name in gold]
metrics.accuracy_score(truth, answers)
metrics.balanced_accuracy_score(truth, answers)
metrics.matthews_corrcoef(truth, answers)
metrics.cohen_kappa_score(truth, answers)
for average in (None, "micro", "macro", "weighted"):
    metrics.precision_recall_fscore_support(truth, answers, average=average)
if labels:
    numbers, codes = np.array([system[name][1] for name in gold]), np.array(truth)
    for place, label in enumerate(labels):
        for figure in (metrics.roc_auc_score, metrics.average_precision_score, metrics.brier_score_loss):
            figure(codes == label, numbers[:, place])
    metrics.log_loss(truth, numbers, labels=labels)
    metrics.brier_score_loss(truth, numbers / numbers.sum(axis=1, keepdims=True), labels=labels)
print(f"{time.process_time() - start:.2f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
"""


def write(path: Path, codes: NDArray[np.int64], order: NDArray[np.int64], labels: list[str]) -> None:
    """Write a file of labels, the rows in this order."""
    with path.open("w") as file:
        file.write("id\tlabel\n")
        file.writelines(f"item-{row}\t{labels[code]}\n" for row, code in zip(order.tolist(), codes[order].tolist(), strict=True))


def write_probabilities(path: Path, gold: NDArray[np.int64], chance: np.random.Generator) -> None:
    """Write labels with the probabilities of all, of which that of gold's label tends to be great."""
    with path.open("w") as file:
        file.write("\t".join(["id", "label", *LABELS]) + "\n")
        for start in range(0, len(gold), 100_000):
            part = gold[start : start + 100_000]
            numbers = chance.random((len(part), len(LABELS))) ** 4
            numbers[np.arange(len(part)), part] += 0.5
            numbers /= numbers.sum(axis=1, keepdims=True)
            for row, (best, own) in enumerate(zip(numbers.argmax(axis=1).tolist(), numbers.tolist(), strict=True), start):
                file.write(f"item-{row}\t{LABELS[best]}\t" + "\t".join(f"{number:.4f}" for number in own) + "\n")


def told(program: str, *arguments: str | Path) -> str:
    """Return what a program says of itself."""
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, check=True, text=True
    ).stdout.strip()


def compare(what: str, *arguments: str | Path) -> None:
    """Print what this package and scikit-learn need."""
    print(f"{what}: {told(OURS, *arguments)}")
    print(f"  scikit-learn: {told(THEIRS, *arguments) if find_spec('sklearn') else 'not installed'}")


def resample(what: str, gold: Path, system: Path, *labels: str) -> None:
    """Print how long 10,000 bootstrap resamples of all measures take."""
    options = {"probability": {label: label for label in labels}} if labels else {}
    evidence = (result := score("labels", gold=gold, system=system, options=options)).evidence
    assert evidence is not None, result.all_problems()
    measures = result.suite.measures(list(evidence.columns))
    taken = seconds(lambda: bootstrap(evidence, measures, Draws(10_000), "units"))
    print(f"{what}: 10,000 resamples of {len(evidence.units):,} items, {len(measures)} measures: {taken:.2f} s")


def main() -> None:
    """Run the benchmark."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    chance = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold = chance.integers(0, len(LABELS), items)
        system = np.where(chance.random(items) < 0.7, gold, chance.integers(0, len(LABELS), items))
        write(folder / "gold.tsv", gold, np.arange(items), LABELS)
        write(folder / "system.tsv", system, chance.permutation(items), LABELS)
        compare("labels", folder / "gold.tsv", folder / "system.tsv")
        write_probabilities(folder / "probabilities.tsv", gold, chance)
        compare("with probabilities", folder / "gold.tsv", folder / "probabilities.tsv", *LABELS)
        for side, codes in (("gold", gold), ("system", system)):
            write(folder / f"few-{side}.tsv", codes[:2_000], np.arange(2_000), LABELS)
        write_probabilities(folder / "few-probabilities.tsv", gold[:2_000], chance)
        resample("labels", folder / "few-gold.tsv", folder / "few-system.tsv")
        resample("with probabilities", folder / "few-gold.tsv", folder / "few-probabilities.tsv", *LABELS)
        many = [f"label {code}" for code in range(1_000)]
        for side in ("gold", "system"):
            write(folder / f"many-{side}.tsv", chance.integers(0, len(many), items), np.arange(items), many)
        print(f"1,000 labels: {told(OURS, folder / 'many-gold.tsv', folder / 'many-system.tsv')}")


if __name__ == "__main__":
    main()
