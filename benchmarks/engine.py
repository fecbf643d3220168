"""Workers and the evidence store: how long whole commands take, with and without.

    python benchmarks/engine.py [--corpus FOLDER] [--documents N …] [--rounds R]

Makes suites of 258 and 2,064 CAT documents in a temporary folder, whose files have no two alike: the documents of FOLDER (with `gold/`,
`system/` and `config.txt`), repeated with new names, or invented ones (see `cat_corpus.py`). In each of five rounds it runs `nlpeval run`
in one process, then with `--jobs 2`, both with an empty store, then again in one process with the first's store, and prints the medians and
the medians of the rounds' ratios. The bounds are: two processes at least 1.0 times as fast on 258 documents and 1.6 times on 2,064, and
unchanged files at least 8 times as fast on 2,064.

In the end the JSON reports of one process, two, a second run and pytest, on the first suite, must be the same bytes.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cat_corpus

COMMAND = [sys.executable, "-c", "from pytest_nlpeval.cli import main; raise SystemExit(main())", "run"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def repeat(corpus: Path, folder: Path, documents: int) -> None:
    """Write a suite of the corpus's documents, in turn, each time with another name inside and outside."""
    names = sorted(path.name for path in (corpus / "gold").iterdir())
    for side in ("gold", "system"):
        texts = [(corpus / side / name).read_bytes() for name in names]
        (folder / side).mkdir(parents=True)
        for rank in range(documents):
            text = re.sub(rb'doc_name="[^"]*"', b'doc_name="d%d"' % rank, texts[rank % len(texts)], count=1)
            (folder / side / f"d{rank}.xml").write_bytes(text)
    shutil.copy(corpus / "config.txt", folder)
    (folder / "nlpeval.yaml").write_text(cat_corpus.SUITE)


def run(folder: Path, *arguments: str) -> float:
    """Return how long a command takes, which must succeed."""
    start = time.perf_counter()
    subprocess.run(arguments, cwd=folder, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def compare(folder: Path, documents: int, rounds: int) -> None:
    """Print the times of one process, of two, and of a second run, and their ratios."""
    times: list[tuple[float, float, float]] = []
    for _ in range(rounds):
        for name in ("one", "two"):
            shutil.rmtree(folder / name, ignore_errors=True)
        one = run(folder, *COMMAND, "--cache-dir", "one")
        two = run(folder, *COMMAND, "--cache-dir", "two", "--jobs", "2")
        times.append((one, two, run(folder, *COMMAND, "--cache-dir", "one")))
    one, two, again = (statistics.median(column) for column in zip(*times, strict=True))
    faster = (statistics.median(first / other for first, *others in times for other in [others[place]]) for place in (0, 1))
    print(
        f"{documents:,} documents: one process {one:.2f} s, two {two:.2f} s, again {again:.2f} s; "
        "two {:.2f} times as fast, again {:.2f} times".format(*faster),
        flush=True,
    )


def compare_reports(folder: Path) -> None:
    """Print whether all ways give the same report."""
    pytest = [sys.executable, "-m", "pytest", "-q", "--nlpeval", "--nlpeval-report=json:pytest.json"]
    run(folder, *COMMAND, "--report", "json:one.json", "--no-cache")
    run(folder, *COMMAND, "--report", "json:two.json", "--jobs", "2", "--cache-dir", "three")
    run(folder, *COMMAND, "--report", "json:again.json", "--cache-dir", "three")
    run(folder, *pytest)
    different = len({(folder / f"{name}.json").read_bytes() for name in ("one", "two", "again", "pytest")})
    print("the reports are the same" if different == 1 else f"{different} DIFFERENT REPORTS")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Measure workers and the evidence store.")
    parser.add_argument("--corpus", type=Path, help="documents to repeat (default: invented ones)")
    parser.add_argument("--documents", type=int, nargs="+", default=[258, 2064], help="sizes of the suites")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for documents in options.documents:
            folder = Path(name, str(documents))
            if options.corpus:
                repeat(options.corpus, folder, documents)
            else:
                cat_corpus.make(folder, documents, (600, 40, 20), others=(5, 10))
            compare(folder, documents, options.rounds)
        compare_reports(Path(name, str(options.documents[0])))


if __name__ == "__main__":
    main()
