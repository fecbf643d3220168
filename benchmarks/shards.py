"""Shards and their merge: what a document costs in time, evidence and memory.

    python benchmarks/shards.py [DOCUMENTS…]

Suites of invented exemplar documents with three sentences each (`many_documents.py`), by default 10,000 and 100,000. Two answers in
three are right, and there is an explanation for each other one. Each suite is run whole, then in four shards, and merged. Nothing is taken
from an evidence store. `html` is a run or a merge that also writes the HTML and the JSON report. Figures are of one turn: seconds of
processors, megabytes of the largest process, bytes of evidence.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from many_documents import RUN, Cost, make_exemplar, measure

SHARDS = 4


def main(arguments: list[str]) -> None:
    """Measure suites of so many documents."""
    print("documents  what            s of processors  µs a document  MB")
    for documents in [int(argument) for argument in arguments] or [10_000, 100_000]:
        with tempfile.TemporaryDirectory() as name:
            folder = make_exemplar(Path(name) / "suite", documents)
            _show(documents, "one run", measure(folder, [*RUN, "run", "--no-cache"]))
            _show(
                documents,
                "one run, html",
                measure(folder, [*RUN, "run", "--no-cache", "--report=html:o.html", "--report=json:o.json"]),
            )
            parts = [f"part{number}.json" for number in range(1, SHARDS + 1)]
            for number, part in enumerate(parts, 1):
                shard = [*RUN, "run", "--no-cache", f"--shard={number}/{SHARDS}", f"--report=evidence:{part}"]
                _show(documents // SHARDS, f"shard {number}/{SHARDS}", measure(folder, shard))
            size = sum((folder / part).stat().st_size for part in parts)
            print(f"{documents:9,}  evidence        {size:,} bytes, {size / documents:.0f} a document")
            _show(documents, "merge", measure(folder, [*RUN, "merge", "--no-cache", *parts]))
            _show(
                documents,
                "merge, html",
                measure(folder, [*RUN, "merge", "--no-cache", *parts, "--report=html:m.html", "--report=json:m.json"]),
            )
            for report in ("json", "html"):
                assert (folder / f"o.{report}").read_bytes() == (folder / f"m.{report}").read_bytes()


def _show(documents: int, what: str, cost: Cost) -> None:
    each = cost.processors / documents * 1e6
    print(f"{documents:9,}  {what:14}  {cost.processors:15.2f}  {each:13.0f}  {cost.memory:.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
