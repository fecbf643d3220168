"""Fuzzes targets one after the other, each in a process of its own: `python -m tests.fuzz [--seconds N] [--folder PATH] [TARGET …]`.

The last line of each target says how many inputs were run, and which failures there were; the exit code is 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from pathlib import Path

import atheris

from tests.fuzz import worker


def main() -> int:
    """Run the targets, and return the exit code."""
    os.environ["NLPEVAL_STORE_KEY"] = "a key of the fuzzing targets' own"
    with atheris.instrument_imports(include=["pytest_nlpeval"]):
        worker.prepare()
        return _fuzz_all()


def _fuzz_all() -> int:
    from tests.fuzz.targets import TARGETS

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
        executions, seconds, failures = _fuzzed(name, folder, given.seconds)
        total, failed = total + executions, failed or bool(failures)
        line = (
            f"{name}: {executions:,} executions, {executions / seconds:,.0f} a second of the processor, {len(failures)} failures"
        )
        print(line, *failures, sep="\n  ", flush=True)  # noqa: T201
    print(f"all: {total:,} executions")  # noqa: T201
    return int(failed)


def _fuzzed(name: str, folder: Path, seconds: int) -> tuple[int, float, list[str]]:
    """Return how many inputs of a target were run, how many seconds of the processor that took, and a line for each failure."""
    path = folder / "log.txt"
    process = os.fork()
    if not process:
        _fuzz_alone(name, folder, seconds, path)
    _, status, used = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    text = path.read_text(errors="replace")
    counts = re.findall(r"stat::number_of_executed_units: (\d+)", text) or re.findall(r"^#(\d+)", text, re.MULTILINE)
    failures = re.findall(r"^FAILURE (.*)$", text, re.MULTILINE)
    failures += [f"ended with {code}: {path}"] if code else []
    return int(counts[-1]) if counts else 0, used.ru_utime + used.ru_stime, failures


def _fuzz_alone(name: str, folder: Path, seconds: int, log: Path) -> None:
    """Fuzz a target in this process, which ends with it; what it prints goes to a log."""
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for stream in (1, 2):
        os.dup2(target, stream)
    try:
        worker.fuzz(name, folder, seconds)
    except BaseException:  # noqa: BLE001 - this process must never go on as if it were the other
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(3)  # libFuzzer has ended the process, unless it never began


if __name__ == "__main__":
    sys.exit(main())
