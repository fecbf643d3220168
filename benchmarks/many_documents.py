"""Suites of many documents: whole commands, how long they take and how much memory.

    python benchmarks/many_documents.py CAT items|growth|start [TIMES [DOCUMENTS…]]

CAT is a folder with `gold/`, `system/` and `config.txt`, whose documents are repeated under new names until there are 2,064; each copy ends
with an XML comment of its own, so that no two are equal. The other suites are of invented exemplar documents with three sentences each.

`items` compares `pytest`, `pytest -n 2` and bare items: a test file with as many trivial tests as the suite has documents. `growth` runs
1,000, 10,000 and 100,000 documents (or DOCUMENTS) with the command and with pytest. `start` compares `nlpeval --version`
with a bare interpreter that imports argparse and json. Nothing is taken from an evidence store of an earlier run. Commands take turns,
TIMES times (default 5), and medians are printed; a ratio or difference is the median of those of the turns.
"""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

NAMES = ("Halden", "Brightwater", "Tallgrass", "Quillbank", "Wenz", "Osei", "Ansel", "Marlow")
VERBS = ("acquired", "founded", "sued", "praised", "left")
GATES = "    gates: {f1: 0, precision: 0, recall: 0}\n"
EXEMPLAR = f"""\
version: 1
suites:
  - name: small
    task: exemplar
    gold: gold/{{doc}}.tsv
    system: system/{{doc}}.tsv
{GATES}"""
CAT = """\
version: 1
suites:
  - name: cat
    task: cat
    config: config.txt
    gold: gold/{doc}.xml
    system: system/{doc}.xml
    gates: {"*.strict.f1": 0}
"""
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider")
RUN = (sys.executable, "-c", "import sys; from pytest_nlpeval.cli import main; sys.exit(main())")


def exemplar_document(chance: random.Random) -> tuple[str, str]:
    """Return a gold and a system file of three sentences; two in three answers are right."""
    gold, system = ["Entity1\tRelation\tEntity2\tTrigger\tAnnotated Sentence\n"], ["Entity1\tRelation\tEntity2\n"]
    for _ in range(3):
        one, other = (f"{name} {chance.randrange(10_000)}" for name in chance.sample(NAMES, 2))
        verb = chance.choice(VERBS)
        gold.append(f"{one}\t{verb}\t{other}\t{verb}\t[[[ORG {one}]]] ---> {{{{{{ {verb} }}}}}} <--- [[[ORG {other}]]] .\n")
        system.append(f"{one}\t{verb if chance.random() < 2 / 3 else '---'}\t{other}\n")
    return "".join(gold), "".join(system)


def make_exemplar(folder: Path, documents: int) -> Path:
    """Write a suite of small documents."""
    chance = random.Random(documents)
    for side in ("gold", "system"):
        (folder / side).mkdir(parents=True)
    for rank in range(documents):
        for side, text in zip(("gold", "system"), exemplar_document(chance), strict=True):
            (folder / side / f"d{rank:06}.tsv").write_text(text)
    (folder / "nlpeval.yaml").write_text(EXEMPLAR)
    return folder


def make_cat(folder: Path, corpus: Path, documents: int) -> Path:
    """Write a suite that repeats the documents of a CAT corpus."""
    names = sorted(path.name for path in corpus.glob("gold/*.xml"))
    for side in ("gold", "system"):
        (folder / side).mkdir(parents=True)
        for rank in range(documents):
            data = (corpus / side / names[rank % len(names)]).read_bytes()
            (folder / side / f"d{rank:06}.xml").write_bytes(data.rstrip() + f"\n<!-- copy {rank} -->\n".encode())
    shutil.copy(corpus / "config.txt", folder)
    (folder / "nlpeval.yaml").write_text(CAT)
    return folder


def make_bare(folder: Path, items: int) -> Path:
    """Write a test file of trivial tests."""
    folder.mkdir()
    text = f"import pytest\n\n@pytest.mark.parametrize('number', range({items}))\ndef test_nothing(number):\n    pass\n"
    (folder / "test_bare.py").write_text(text)
    return folder


class Cost(NamedTuple):
    """Seconds on the clock, seconds of all processors, and megabytes of the largest process."""

    clock: float
    processors: float
    memory: float


def measure(folder: Path, command: Sequence[str]) -> Cost:
    """Return what a command costs."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
    code += "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-S", "-c", code, *command], cwd=folder, check=True, stdout=subprocess.PIPE)
    clock, (processors, memory) = time.perf_counter() - start, map(float, done.stdout.split())
    return Cost(clock, processors, memory / 1024)


def take_turns(jobs: Mapping[str, tuple[Path, Sequence[str]]], times: int) -> dict[str, list[float]]:
    """Run all commands in turn, `times` times; print and return how long they take."""
    found: dict[str, list[Cost]] = {name: [] for name in jobs}
    for _ in range(times):
        for name, (folder, command) in jobs.items():
            found[name].append(measure(folder, command))
    for name, costs in found.items():
        clock, processors, memory = map(statistics.median, zip(*costs, strict=True))
        print(f"{name}: {clock:.2f} s, {processors:.2f} s of processors, {memory:.0f} MB", flush=True)
    return {name: [cost.clock for cost in costs] for name, costs in found.items()}


def items(root: Path, corpus: Path, times: int) -> None:
    """Compare pytest with and without workers."""
    cat, small, bare = make_cat(root / "cat", corpus, 2064), make_exemplar(root / "small", 2000), make_bare(root / "bare", 2000)
    run, two = (*PYTEST, "--nlpeval", "--nlpeval-no-cache"), ("-n", "2")
    jobs = {
        "2,064 CAT documents, pytest": (cat, run),
        "2,064 CAT documents, pytest -n 2": (cat, (*run, *two)),
        "2,000 small documents, pytest": (small, run),
        "2,000 small documents, pytest -n 2": (small, (*run, *two)),
        "2,000 bare items, pytest": (bare, PYTEST),
        "2,000 bare items, pytest -n 2": (bare, (*PYTEST, *two)),
    }
    times_of = list(take_turns(jobs, times).values())
    speed_up = statistics.median(one / both for one, both in zip(times_of[0], times_of[1], strict=True))
    above = statistics.median(ours - bare for ours, bare in zip(times_of[3], times_of[5], strict=True))
    print(f"-n 2 on CAT: {speed_up:.2f} times one process; -n 2 on small documents: {above:+.2f} s above bare items")


def growth(root: Path, _corpus: Path, times: int) -> None:
    """Show how time and memory grow with the number of documents."""
    jobs: dict[str, tuple[Path, Sequence[str]]] = {}
    for number in map(int, sys.argv[4:]) if len(sys.argv) > 4 else (1_000, 10_000, 100_000):
        folder = make_exemplar(root / str(number), number)
        jobs[f"{number:,} documents, nlpeval run"] = (folder, (*RUN, "run", "--no-cache", "--report", "json:run.json"))
        jobs[f"{number:,} documents, pytest"] = (
            folder,
            (*PYTEST, "--nlpeval", "--nlpeval-no-cache", "--nlpeval-report=json:pytest.json"),
        )
        jobs[f"{number:,} documents, pytest --collect-only"] = (folder, (*PYTEST, "--nlpeval", "--collect-only"))
    take_turns(jobs, times)


def start(root: Path, _corpus: Path, times: int) -> None:
    """Compare the start with that of a bare interpreter."""
    jobs = {
        "bare": (root, (sys.executable, "-c", "import argparse, json")),
        "nlpeval --version": (root, (*RUN, "--version")),
        "nlpeval --help": (root, (*RUN, "--help")),
        "nlpeval tasks": (root, (*RUN, "tasks")),
    }
    bare, *others = take_turns(jobs, times).values()
    ratios = [statistics.median(ours / its for ours, its in zip(other, bare, strict=True)) for other in others]
    print("--version, --help, tasks: " + ", ".join(f"{ratio:.2f}" for ratio in ratios) + " times a bare interpreter")


def main() -> None:
    """Run a part of the benchmark."""
    corpus, part = Path(sys.argv[1]).resolve(), {"items": items, "growth": growth, "start": start}[sys.argv[2]]
    with tempfile.TemporaryDirectory() as name:
        part(Path(name), corpus, int(sys.argv[3]) if len(sys.argv) > 3 else 5)


if __name__ == "__main__":
    main()
