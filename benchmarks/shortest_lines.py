"""Files of the shortest lines there are: how many bytes of memory a line of gold and one of the system's take together.

    python benchmarks/shortest_lines.py [LINES]

Runs `nlpeval run` in a process of its own on files of that many lines (1,000,000 unless said otherwise), and on files of a third of
them, in a temporary folder, and prints what a further line takes. `files.MOST_PARTS` is derived from it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

Make = Callable[[int], tuple[str, str]]


def _same(line: Callable[[int], str], before: str = "", behind: str = "") -> Make:
    def both(lines: int) -> tuple[str, str]:
        text = "".join([before, *map(line, range(lines)), behind])
        return text, text

    return both


def _ranking(lines: int) -> tuple[str, str]:
    return _joined(f"{rank} 0 a 1" for rank in range(lines)), _joined(f"{rank} Q0 a 1 1 r" for rank in range(lines))


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


FILES: Mapping[str, tuple[str, str, Make]] = {
    "labels": ("labels", "txt", _same(lambda _: "a\n")),
    "labels with ids": ("labels", "tsv", _same(lambda rank: f"{rank}\ta\n", "id\tlabel\n")),
    "text": ("text", "txt", _same(lambda _: "a\n")),
    "spans": ("spans", "conll", _same(lambda _: "a B-X\n")),
    "records": ("records", "jsonl", _same(lambda rank: f'{{"id":{rank},"a":1}}\n')),
    "ranking": ("ranking", "txt", _ranking),
    "coref": (
        "coref",
        "conll",
        _same(lambda rank: f"a 0 {rank} w ({rank // 3})\n", "#begin document (a); part 000\n", "#end document\n"),
    ),
    "ud": ("ud", "conllu", _same(lambda _: "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")),
}
"""By name: the task, the ending of both files, and what makes them; the lines of `ud` are two each."""


def peak(task: str, ending: str, make: Make, lines: int) -> int:
    """Return how many bytes of memory a run takes at most."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for role, text in zip(("gold", "system"), make(lines), strict=True):
            (folder / f"{role}.{ending}").write_text(text)
        suite = f"{{name: s, task: {task}, gold: gold.{ending}, system: system.{ending}}}"
        (folder / "nlpeval.yaml").write_text(f"version: 1\nsuites: [{suite}]\n")
        command = (sys.executable, "-m", "pytest_nlpeval", "run", "--no-cache", "--jobs=1")
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{task}: exit code {process.returncode}")
        return usage.ru_maxrss * 1024


def main() -> None:
    """Print the table."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for name, of_files in FILES.items():
        few, many = (peak(*of_files, number) for number in (lines // 3, lines))
        print(f"{name:16} {(many - few) / (lines - lines // 3):8,.0f} bytes", flush=True)


if __name__ == "__main__":
    main()
