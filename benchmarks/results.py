"""The table of benchmarks/RESULTS.md: what scoring and what surrounds it costs, beside floors and peers that run in the same turn.

    python benchmarks/results.py [--rounds N] [--write] [ROW …]

Runs the rows of `workloads.ROWS`, all unless some are named. A row has sides, each a program of its own; in each round all sides of a row
run in turn. Prints the medians of the seconds, and what share of another side's each goal allows. The seconds are those of the processor,
child processes included, unless the row says that they are of the clock, or that the program tells them. With `--write` the rows that ran
replace those of RESULTS.md, one by one as they end. Five rounds unless said otherwise.

What is not installed is said to be absent. Two scripts are no packages: NLPEVAL_CONLLEVAL names the script conlleval in Python or Perl, and
NLPEVAL_SQUAD_SCRIPTS a folder with evaluate-v2.0.py. Other work on the machine disturbs ratios within one row little, and seconds more.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workloads import ROWS, Row, Side

from pytest_nlpeval import __version__

RESULTS = Path(__file__).with_name("RESULTS.md")
DATA = Path(__file__).with_name("results.json")

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT |= {"NLPEVAL_STORE_KEY": "a key of the benchmarks' own"}


def seconds(side: Side, folder: Path, kind: str) -> float:
    """Return the seconds that a side takes, of the kind that its row has; it must end as it says."""
    for path in side.fresh:
        subprocess.run(["rm", "-rf", path], cwd=folder, check=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(side.arguments, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    if done.returncode != side.code:
        raise SystemExit(f"{side.name} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    if kind == "told":
        return float(done.stdout.splitlines()[-1])
    return ended - began if kind == "of the clock" else after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(row: Row, rounds: int) -> dict[str, Any]:
    """Return the medians of a row's sides, and which are absent."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        row.make(folder)
        sides = row.sides(folder)
        times: dict[str, list[float]] = {side.name: [] for side in sides if not side.absent}
        for _ in range(rounds):
            for side in sides:
                if not side.absent:
                    times[side.name].append(seconds(side, folder, row.seconds))
    medians = {side: round(statistics.median(each), 3) for side, each in times.items()}
    absent = {side.name: side.absent for side in sides if side.absent}
    goals = [(goal.side, goal.beside, goal.most) for goal in row.goals]
    return {
        "seconds": medians,
        "absent": absent,
        "goals": goals,
        "rounds": rounds,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0]),
    }


def goal_lines(found: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each goal of a row: the share that was measured, the one that is allowed, and whether that is missed."""
    lines = []
    medians = found["seconds"]
    for side, beside, most in found["goals"]:
        if side in medians and all(each in medians for each in beside):
            share = medians[side] / sum(medians[each] for each in beside)
            word = "holds" if share <= most else "**missed**"
            lines.append(f"{side}: {share:.2f} times {' + '.join(beside)}, goal {most:g}: {word}")
        else:
            lines.append(f"{side}: goal {most:g} times {' + '.join(beside)}: not measured")
    return lines


def page(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return RESULTS.md: a line for each row that was measured, in the order of the table."""
    parts = [
        "# What scoring costs, and what surrounds it\n",
        "`make bench` writes this page (`python benchmarks/results.py --write`). Seconds of processors, with the start of the program",
        "and child processes, medians of as many rounds as the last column says; in each round all sides of a row run in turn.",
        "`workloads.py` says what the workloads are. Seconds depend on the machine and on what else it does, ratios within a row",
        "hardly do. What two processes gain is measured on the clock; what is done without the start of programs is done twice in a",
        "process, which tells the seconds of the second time. A run without a report shows gated measures, and works out the",
        "intervals of these alone: none where there is no gate.\n",
        "| workload | seconds | goals | measured |",
        "|---|---|---|---|",
    ]
    for row in ROWS:
        if (found := rows.get(row.name)) is None:
            parts.append(f"| {row.what} | not measured | | |")
            continue
        sides = [f"{side} {value:.2f}" for side, value in found["seconds"].items()]
        sides += [f"{side}: {why}" for side, why in found["absent"].items()]
        rounds = f"{found['rounds']} round{'s' * (found['rounds'] != 1)}"
        machine = f"Python {found['python']}, {found['processors']} processors, load {found['load']}"
        facts = f"{found['date']}, {rounds}, {machine}"
        parts.append(f"| {row.what} | {'; '.join(sides)} | {'; '.join(goal_lines(found))} | {facts} |")
    return "\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure rows, print them, and write them if asked to."""
    parser = argparse.ArgumentParser(description=f"Measure pytest-nlpeval {__version__} beside floors and peers.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="all unless named")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put what was measured into RESULTS.md and results.json")
    options = parser.parse_args(arguments)
    rows: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    for row in ROWS:
        if options.rows and row.name not in options.rows:
            continue
        rows[row.name] = measured(row, options.rounds)
        print(f"{row.name}: {json.dumps(rows[row.name]['seconds'])}", *goal_lines(rows[row.name]), sep="\n  ", flush=True)
        if options.write:
            DATA.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
            RESULTS.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
