"""A TREC run of many topics: how long reading, validating and scoring it takes, and how much memory, next to pytrec_eval.

    python benchmarks/ranking_run.py [TOPICS] [RESULTS]

Makes judgements and a run of TOPICS topics (10,000 unless said otherwise) with RESULTS documents each (1,000), without equal scores in a
topic, in a temporary folder. About 33 documents of a topic are judged, with grades from 0 to 3; 13 of them are among its results. Each side
has a process of its own, which reads both files and works out the default measures (of pytrec_eval those that it has, all but `Judged@10`);
the process prints its seconds of CPU and its peak memory, and the last line is the ratio of both. Without pytrec_eval this project's
figures stand alone. The whole command `nlpeval score`, which also hashes the files, explains and stores, follows.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

COLLECTION = 8_841_823
"""How many documents there are; their ids are numbers."""

OURS = """
import json, resource, sys, time
start = time.process_time()
from pytest_nlpeval import score
result = score("ranking", gold=sys.argv[1], system=sys.argv[2])
assert result.outcome == "ok", result.all_problems()
seconds = time.process_time() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": seconds, "MiB": memory, "AP": result["AP"]}))
"""

PYTREC_EVAL = """
import json, resource, sys, time
start = time.process_time()
import pytrec_eval
with open(sys.argv[1]) as gold, open(sys.argv[2]) as system:
    judgements, run = pytrec_eval.parse_qrel(gold), pytrec_eval.parse_run(system)
measures = {"ndcg_cut.10", "recip_rank", "map", "P.10", "recall.10,100", "success.1,5,10"}
topics = pytrec_eval.RelevanceEvaluator(judgements, measures).evaluate(run)
mean = sum(topic["map"] for topic in topics.values()) / len(topics)
seconds = time.process_time() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": seconds, "MiB": memory, "AP": mean}))
"""

COMMAND = """
import resource, sys, time
from pytest_nlpeval.cli import main
main(sys.argv[1:])
print(json.dumps({"seconds": time.process_time(), "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
""".replace("import resource", "import json, resource")


def make(folder: Path, topics: int, results: int) -> None:
    """Write `gold.qrels` and `run.trec`."""
    chance = np.random.default_rng(1)
    with (folder / "gold.qrels").open("w") as gold, (folder / "run.trec").open("w") as run:
        for topic in range(100_000, 100_000 + topics):
            documents = chance.choice(COLLECTION, results, replace=False).tolist()
            scores = 30 * (1 - np.sort(chance.choice(10 * results, results, replace=False)) / (10 * results))
            places = zip(documents, scores.tolist(), strict=True)
            run.writelines(f"{topic} Q0 {name} {place} {score:.6f} bm25\n" for place, (name, score) in enumerate(places, 1))
            judged = dict.fromkeys([*documents[:3], *documents[10:200:20], *chance.integers(0, COLLECTION, 20).tolist()])
            gold.writelines(f"{topic} 0 {name} {chance.integers(0, 4)}\n" for name in judged)


def figures(program: str, *arguments: str) -> dict[str, float]:
    """Return what a process of its own prints last."""
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def show(what: str, found: dict[str, float]) -> None:
    """Print the figures of a side."""
    value = f"   AP {found['AP']:.12f}" if "AP" in found else ""
    print(f"{what:<42}{found['seconds']:8.2f} s{found['MiB']:8.0f} MiB{value}")


def main() -> None:
    """Run the benchmark."""
    topics, results = (int(given) for given in (*sys.argv[1:], *("10000", "1000")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, topics, results)
        files = (str(folder / "gold.qrels"), str(folder / "run.trec"))
        ours = figures(OURS, *files)
        show("read, validated and scored", ours)
        if importlib.util.find_spec("pytrec_eval"):
            theirs = figures(PYTREC_EVAL, *files)
            show("pytrec_eval, its reading included", theirs)
            print(f"{'ratio':<42}{ours['seconds'] / theirs['seconds']:8.2f}  {ours['MiB'] / theirs['MiB']:8.2f}")
        arguments = ("score", "ranking", "--gold", files[0], "--system", files[1], "--cache-dir", str(folder / "cache"))
        show("nlpeval score: the whole command", figures(COMMAND, *arguments))


if __name__ == "__main__":
    main()
