"""Gates that fail: what it costs to say why, in pytest and in the command.

    python benchmarks/failing_gates.py [GATES ...]

For each number of gates (80 and 240 unless said otherwise), makes a suite of labels in a temporary folder: 2,000 items of a third as many
labels as gates, of which the system has about 30 % wrong, and as many gates on precision, recall and F of single labels. Thresholds are
such that all pass, then such that all fail. Prints seconds of the processor, each the median of three processes, and how many times the
seconds of the run that passes the one that fails takes. No run finds anything in a store.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path

ITEMS = 2_000
WRONG = 0.3
ROUNDS = 3

COMMANDS = {
    "pytest": ["-m", "pytest", "--nlpeval", "-q", "-p", "no:cacheprovider", "--nlpeval-no-cache"],
    "command": ["-c", "from pytest_nlpeval.cli import main; raise SystemExit(main())", "run", "--no-cache", "--jobs", "1"],
}


def make(folder: Path, gates: int) -> None:
    """Write gold, the system's labels and two configurations, in folders of their own, whose gates all pass and all fail."""
    chance = random.Random(12_345)
    labels = [f"label_{number:03}" for number in range(-(-gates // 3))]
    gold = [chance.choice(labels) for _ in range(ITEMS)]
    system = [chance.choice(labels) if chance.random() < WRONG else label for label in gold]
    measures = list(islice((f"{label}.{side}" for label, side in product(labels, ("precision", "recall", "f1"))), gates))
    for name, threshold in (("passing", 0), ("failing", 1)):
        place = folder / name
        place.mkdir()
        for role, rows in (("gold", gold), ("system", system)):
            lines = (f"{number}\t{label}\n" for number, label in enumerate(rows))
            (place / f"{role}.tsv").write_text("id\tlabel\n" + "".join(lines))
        bounds = "".join(f"      {measure}: {{min: {threshold}}}\n" for measure in measures)
        suite = f"  - name: labels\n    task: labels\n    gold: gold.tsv\n    system: system.tsv\n    gates:\n{bounds}"
        (place / "nlpeval.yaml").write_text(f"version: 1\nsuites:\n{suite}")


def seconds(arguments: Sequence[str], folder: Path, code: int) -> float:
    """Return the median of the seconds of the processor that a command takes, which must end with that exit code."""
    return statistics.median(_seconds(arguments, folder, code) for _ in range(ROUNDS))


def _seconds(arguments: Sequence[str], folder: Path, code: int) -> float:
    before = os.times()
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode != code:
        raise SystemExit(f"exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Print a line for each number of gates and each way to run them."""
    for gates in map(int, sys.argv[1:] or ("80", "240")):
        with tempfile.TemporaryDirectory() as name:
            make(Path(name), gates)
            for runner, arguments in COMMANDS.items():
                passing, failing = (seconds(arguments, Path(name, word), code) for word, code in (("passing", 0), ("failing", 1)))
                print(f"{gates} gates, {runner}: {passing:.2f} s pass, {failing:.2f} s fail: {failing / passing:.2f} times")


if __name__ == "__main__":
    main()
