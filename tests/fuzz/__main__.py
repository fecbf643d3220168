"""Fuzzes targets one after the other, each in a process of its own: `python -m tests.fuzz [--seconds N] [--folder PATH] [TARGET …]`.

The last line of each target says how many inputs were run, and which failures there were; the exit code is 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run the targets, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Fuzz readers, configuration, baseline, reports, store."
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)}; all without")
    parser.add_argument("--seconds", type=int, default=60, help="for how long, each (default: 60)")
    parser.add_argument("--folder", type=Path, default=Path(".fuzz"), help="where inputs are kept (default: .fuzz)")
    given = parser.parse_args()
    total, failed = 0, False
    for name in given.targets or TARGETS:
        folder = (given.folder / name).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        executions, failures = _fuzzed(name, folder, given.seconds)
        total, failed = total + executions, failed or bool(failures)
        print(f"{name}: {executions:,} executions, {len(failures)} failures", *failures, sep="\n  ", flush=True)  # noqa: T201
    print(f"all: {total:,} executions")  # noqa: T201
    return int(failed)


def _fuzzed(name: str, folder: Path, seconds: int) -> tuple[int, list[str]]:
    """Return how many inputs of a target were run, and a line for each failure."""
    command = [sys.executable, "-m", "tests.fuzz.worker", name, str(folder), str(seconds)]
    environment = os.environ | {"NLPEVAL_STORE_KEY": "a key of the fuzzing targets' own"}
    with (folder / "log.txt").open("w+", errors="replace") as log:
        code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environment, check=False).returncode
        log.seek(0)
        text = log.read()
    counts = re.findall(r"stat::number_of_executed_units: (\d+)", text) or re.findall(r"^#(\d+)", text, re.MULTILINE)
    failures = re.findall(r"^FAILURE (.*)$", text, re.MULTILINE)
    return int(counts[-1]) if counts else 0, failures + ([f"ended with {code}: {log.name}"] if code else [])


if __name__ == "__main__":
    sys.exit(main())
