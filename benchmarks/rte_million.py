"""A run file of a million lines: how long it takes to validate and score, and how much memory.

    python benchmarks/rte_million.py [LINES] [LENGTH]

Makes a gold file and a run of that many pairs in a temporary folder, with texts of LENGTH characters (60 unless said otherwise). Prints
time and peak memory of `nlpeval score`, which also explains what is wrong and stores the evidence. Then, for this process, the seconds for
the gold file (bounded by XML parsing: the bare lxml parse of the same bytes follows, as the yardstick), for reading and validating the run
against it, for counting and for all measures, and the peak memory. Figures of a noisy machine: compare within one run.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks import load_task

Result = TypeVar("Result")
SETTINGS = ("IR", "CD", "RC", "QA", "IE", "MT", "PP")
BARE_PARSE = """
import sys, time
from lxml import etree
data = open(sys.argv[1], "rb").read()
start = time.perf_counter()
etree.fromstring(data)
print(f"{time.perf_counter() - start:.2f}")
"""


COMMAND = "import sys; from pytest_nlpeval.cli import main; sys.exit(main())"


def make(folder: Path, lines: int, length: int = 60) -> None:
    """Write `gold.xml` and `run.txt`."""
    chance = random.Random(1)
    words = ("TRUE", "FALSE")
    with (folder / "gold.xml").open("w") as gold, (folder / "run.txt").open("w") as run:
        gold.write("<entailment-corpus>\n")
        for rank in range(1, lines + 1):
            gold.write(f'<pair id="{rank}" task="{chance.choice(SETTINGS)}" value="{chance.choice(words)}">\n')
            text = f"Text number {rank} says one thing or another".ljust(length - 1, ".")
            gold.write(f"<t>{text}.</t>\n<h>It says a thing.</h>\n</pair>\n")
            run.write(f"{rank} {chance.choice(words)} {chance.random():.4f}\n")
        gold.write("</entailment-corpus>\n")


def source_of(path: Path) -> Source:
    """Return a file as the engine gives it to a reader."""
    return Source(path.name, path.read_bytes(), path)


def timed(what: str, function: Callable[[], Result]) -> Result:
    """Call the function, print how long it took, and return its result."""
    start = time.perf_counter()
    result = function()
    print(f"{what:<42}{time.perf_counter() - start:8.2f} s")
    return result


def main() -> None:
    """Run the benchmark."""
    lines, length = (int(given) for given in (*sys.argv[1:], *("1000000", "60")[len(sys.argv) - 1 :]))
    task = load_task("rte")
    options = task.options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, lines, length)
        files = ("--gold", str(folder / "gold.xml"), "--system", str(folder / "run.txt"), "--cache-dir", str(folder / "cache"))
        command = (sys.executable, "-c", COMMAND, "score", "rte", *files)
        timed("nlpeval score: the whole command", lambda: subprocess.run(command, capture_output=True, check=True))
        print(f"{'its peak memory':<42}{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:8.0f} MiB")
        logs = {role: ProblemLog(role, task.problems) for role in ("gold", "system")}

        def gold() -> object:
            return task.role("gold").read(source_of(folder / "gold.xml"), {}, options, logs["gold"])

        def run() -> object:
            return task.role("system").read(source_of(folder / "run.txt"), {"gold": documents["gold"]}, options, logs["system"])

        documents = {"gold": timed("gold file: read and validate", gold)}
        start = time.perf_counter()
        documents["system"] = timed("run file: read and validate", run)
        evidence = timed("count", lambda: task.count(documents, options, logs["system"]).evidence)
        sample = Sample(evidence)
        measures = task.measures(options, list(evidence.columns)) or ()
        timed(f"{len(measures)} measures", lambda: [measure.score(sample) for measure in measures])
        print(f"{'run file: validated and scored':<42}{time.perf_counter() - start:8.2f} s")
        print(f"{'peak memory':<42}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MiB")
        bare = subprocess.run(
            [sys.executable, "-c", BARE_PARSE, str(folder / "gold.xml")], capture_output=True, text=True, check=True
        )
        print(f"{'bare lxml parse of the gold file':<42}{float(bare.stdout):8.2f} s")


if __name__ == "__main__":
    main()
