"""Two CoNLL files of a million tokens: how long it takes to validate and score them, against splitting their lines in Python.

    python benchmarks/spans_million.py [TOKENS] [LABELS]

Makes a gold file and a system's output of that many tokens (a million unless said otherwise) and labels (4) in a temporary folder:
sentences of 5 to 32 tokens out of 40,000 words, where one token in eleven that is in no span begins one of 1 to 3 tokens, and the system
has another tag for three in a hundred. Prints, for each of three rounds, the seconds of this process for `line.split()` over both files,
and for reading, validating, counting and all measures of the task, without intervals; then the parts of it; the peak memory so far; the
bytes of the evidence store with this entry, explanations included; one text with 2,000 spans on each side that all overlap; and seqeval's
report of the same files, reading included, where it is installed. The task's modules are imported before.
"""

from __future__ import annotations

import importlib.util
import json
import random
import resource
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from timing import seconds

from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.engine import evaluate
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.tasks import load_task

Result = TypeVar("Result")

ROUNDS = 3
OVERLAPPING = 2_000


def make(folder: Path, tokens: int, labels: int) -> None:
    """Write `gold.conll` and `system.conll`."""
    chance = random.Random(1)
    words = ["".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(chance.randint(1, 12))) for _ in range(40_000)]
    names = [f"L{rank:02}" for rank in range(labels)]
    others = ["O", *(f"{letter}-{name}" for letter in "BI" for name in names)]
    written = 0
    with (folder / "gold.conll").open("w") as gold, (folder / "system.conll").open("w") as system:
        while written < tokens:
            size = chance.randint(5, 32)
            for tag in tags_of(size, names, chance):
                word = chance.choice(words)
                gold.write(f"{word}\t{tag}\n")
                system.write(f"{word}\t{tag if chance.random() >= 0.03 else chance.choice(others)}\n")
            gold.write("\n")
            system.write("\n")
            written += size


def tags_of(size: int, names: list[str], chance: random.Random) -> list[str]:
    """Return the tags of a sentence."""
    tags: list[str] = []
    while len(tags) < size:
        if chance.random() < 1 / 11:
            name = chance.choice(names)
            tags += [f"B-{name}", *[f"I-{name}"] * chance.randint(0, 2)]
        else:
            tags.append("O")
    return tags[:size]


def split(folder: Path) -> None:
    """Read and split the lines of both files, the yardstick."""
    for side in ("gold", "system"):
        with (folder / f"{side}.conll").open(encoding="utf-8") as lines:
            for line in lines:
                line.split()


def score(folder: Path, store: EvidenceStore | None = None) -> None:
    """Validate the files and work out all measures, as the command does, without intervals; with a store also explain."""
    files = {side: folder / f"{side}.conll" for side in ("gold", "system")}
    suite = suite_of_paths("spans", files, {}, folder)
    suite = replace(suite, statistics=replace(suite.statistics, confidence=None))
    evaluate(suite, explain=store is not None, store=store)


def parts(folder: Path) -> None:
    """Print the seconds of each part."""
    task = load_task("spans")
    options, documents = task.options(), dict[str, Any]()
    log = ProblemLog("", task.problems)
    for side in ("gold", "system"):
        source = Source(side, (folder / f"{side}.conll").read_bytes())
        documents[side] = timed(f"  {side}: read and validate", lambda: task.role(side).read(source, documents, options, log))  # noqa: B023 - called at once
    evidence = timed("  count", lambda: task.count(documents, options, log).evidence)
    sample = Sample(evidence)
    measures = task.measures(options, list(evidence.columns)) or ()
    timed(f"  {len(measures)} measures", lambda: [measure.score(sample) for measure in measures])


def of_seqeval(folder: Path) -> None:
    """Read both files and make seqeval's report."""
    sides = []
    for side in ("gold", "system"):
        text = (folder / f"{side}.conll").read_text(encoding="utf-8")
        sides.append([[line.split()[-1] for line in sentence.splitlines()] for sentence in text.split("\n\n") if sentence])
    importlib.import_module("seqeval.metrics").classification_report(*sides, zero_division=0)


def overlapping(folder: Path) -> None:
    """Write a text whose spans all overlap, on both sides."""
    text = "x" * 2 * OVERLAPPING
    for side, way in (("gold", 0), ("system", 1)):
        spans = [[rank, OVERLAPPING + rank + way, "X"] for rank in range(OVERLAPPING - 1)]
        (folder / f"{side}.jsonl").write_text(json.dumps({"text": text, "spans": spans}) + "\n")


def score_overlapping(folder: Path) -> None:
    """Score that text."""
    files = {side: folder / f"{side}.jsonl" for side in ("gold", "system")}
    evaluate(suite_of_paths("spans", files, {"format": "jsonl"}, folder))


def timed(what: str, function: Callable[[], Result]) -> Result:
    """Call the function, print how long it took, and return its result."""
    found: list[Result] = []
    print(f"{what:<42}{seconds(lambda: found.append(function())):8.3f} s")
    return found[0]


def main() -> None:
    """Run the benchmark."""
    tokens, labels = (int(given) for given in (*sys.argv[1:], *("1000000", "4")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        overlapping(folder)
        score_overlapping(folder)
        make(folder, tokens, labels)
        for _ in range(ROUNDS):
            yardstick, ours = (seconds(lambda: function(folder)) for function in (split, score))  # noqa: B023 - called at once
            print(f"split {yardstick:.3f} s, score {ours:.3f} s: {ours / yardstick:.2f} times")
        parts(folder)
        print(f"{'peak memory':<42}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MiB")
        score(folder, EvidenceStore(folder / "store"))
        size = sum(path.stat().st_size for path in (folder / "store").rglob("*") if path.is_file())
        print(f"{'evidence store':<42}{size / 2**20:8.1f} MiB")
        timed(f"a text with {OVERLAPPING:,} spans that all overlap", lambda: score_overlapping(folder))
        if importlib.util.find_spec("seqeval"):
            timed("seqeval: read and report", lambda: of_seqeval(folder))


if __name__ == "__main__":
    main()
