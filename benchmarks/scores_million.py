"""Results of a million items: how long it takes to read and score them, against `json.loads` of the lines alone, or splitting them.

    python benchmarks/scores_million.py [ITEMS]

Makes files of that many items (1,000,000 unless said otherwise) in a temporary folder: JSON Lines and TSV with five results each, the
system's records in another order than gold's ids, and JSON Lines with a tenth of the items, ten repeats each. Two results pass or not,
three are numbers, one of them with percentiles. Prints seconds of the processor and peak memory of processes of their own: this package
without intervals, from the files to the scores; `json.loads` of each line of both files, or splitting each line at tabs. Compare within
one run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

RESULTS = {
    "right": {"pass": True, "measures": ["mean", "pass_rate"]},
    "safe": {"pass": True},
    "style": {"range": [1, 5]},
    "seconds": {"better": "lower", "measures": ["mean", "p50", "p95"]},
    "cost": {"better": "lower", "measures": ["mean", "sum"]},
}

OURS = """
import json, resource, sys, time
start = time.process_time()
from dataclasses import replace
from pathlib import Path
from pytest_nlpeval import evaluate
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.suite import Statistics
gold, system, options = sys.argv[1:]
suite = suite_of_paths("scores", {"gold": gold, "system": system}, json.loads(options), Path.cwd())
result = evaluate(replace(suite, statistics=Statistics(confidence=None)))
assert result.outcome == "ok", result.all_problems()
assert result.scores["coverage"].value == 1
print(f"{time.process_time() - start:.2f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
"""

PARSED = """
import json, resource, sys, time
start = time.process_time()
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
print(f"{time.process_time() - start:.2f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
"""

SPLIT = """
import resource, sys, time
start = time.process_time()
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        records = [line.rstrip("\\n").split("\\t") for line in file]
print(f"{time.process_time() - start:.2f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
"""


def write(folder: Path, items: int, repeats: int, name: str) -> None:
    """Write gold's ids and the system's records, as JSON Lines and, of one repeat, as TSV."""
    chance = np.random.default_rng(1)
    number = items * repeats
    columns = {
        "right": (chance.random(number) < 0.7).tolist(),
        "safe": (chance.random(number) < 0.98).tolist(),
        "style": chance.integers(1, 6, number).tolist(),
        "seconds": chance.lognormal(0, 1, number).round(3).tolist(),
        "cost": (chance.random(number) / 100).round(6).tolist(),
    }
    ids = [f"item-{row % items}" for row in chance.permutation(number).tolist()]
    with (folder / f"{name}-gold.jsonl").open("w") as file:
        file.writelines(f'{{"id": "item-{row}"}}\n' for row in range(items))
    with (folder / f"{name}-system.jsonl").open("w") as file:
        for record in zip(ids, *columns.values(), strict=True):
            file.write(json.dumps(dict(zip(("id", *columns), record, strict=True))) + "\n")
    if repeats > 1:
        return
    with (folder / f"{name}-gold.tsv").open("w") as file:
        file.write("id\n")
        file.writelines(f"item-{row}\n" for row in range(items))
    with (folder / f"{name}-system.tsv").open("w") as file:
        file.write("\t".join(["id", *columns]) + "\n")
        columns["right"], columns["safe"] = ([int(value) for value in columns[name]] for name in ("right", "safe"))
        for record in zip(ids, *columns.values(), strict=True):
            file.write("\t".join(map(str, record)) + "\n")


def told(program: str, *arguments: str | Path) -> str:
    """Return what a program says of itself."""
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, check=True, text=True
    ).stdout.strip()


def compare(what: str, folder: Path, name: str, suffix: str, repeats: int) -> None:
    """Print what this package and the bare reading need."""
    files = folder / f"{name}-gold.{suffix}", folder / f"{name}-system.{suffix}"
    print(f"{what}: {told(OURS, *files, json.dumps({'results': RESULTS, 'repeats': repeats}))}")
    bare = PARSED if suffix == "jsonl" else SPLIT
    print(f"  {'json.loads' if suffix == 'jsonl' else 'split'} of the lines: {told(bare, *files)}", flush=True)


def main() -> None:
    """Run the benchmark."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, items, 1, "single")
        write(folder, items // 10, 10, "repeated")
        compare("JSON Lines", folder, "single", "jsonl", 1)
        compare("TSV", folder, "single", "tsv", 1)
        compare("JSON Lines, ten repeats", folder, "repeated", "jsonl", 10)


if __name__ == "__main__":
    main()
