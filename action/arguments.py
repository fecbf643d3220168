"""Turns the action's inputs into pytest's arguments: a list of strings in JSON, in the work folder.

Reads the environment: NLPEVAL_ARGS, _JOBS, _PATHS, _PROFILE, _PYTHON (the inputs) and NLPEVAL_WORK.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from pytest_nlpeval.config.finding import find_configs
from pytest_nlpeval.problems import Problem

USAGE = 4


def options(work: Path) -> Iterator[str]:
    """Yield pytest's options. Evidence is kept for this run only, whatever cache was restored."""
    yield from shlex.split(os.environ["NLPEVAL_ARGS"])
    yield from ("--nlpeval", "--nlpeval-no-cache")
    yield f"--nlpeval-report=json:{work / 'report.json'}"
    yield f"--junitxml={work / 'junit.xml'}"
    if profile := os.environ["NLPEVAL_PROFILE"]:
        yield f"--nlpeval-profile={profile}"
    if jobs := os.environ["NLPEVAL_JOBS"]:
        yield f"--numprocesses={jobs}"


def paths() -> Iterator[str]:
    """Yield what pytest is to collect."""
    given = [line.strip() for line in os.environ["NLPEVAL_PATHS"].split("\n") if line.strip()]
    if given:
        yield from map(as_argument, given)
    elif os.environ["NLPEVAL_PYTHON"] != "current":
        yield from dict.fromkeys(as_argument(str(nameable(path))) for path in find_configs(Path()))


def nameable(path: Path) -> Path:
    """Return the path, or the nearest folder above whose name pytest does not take apart."""
    return path if not any(sign in str(path) for sign in ("::", "[")) else nameable(path.parent)


def as_argument(path: str) -> str:
    """Return a path such that pytest takes it for nothing else: neither an option nor a file of arguments."""
    return path if Path(path).is_absolute() else f"./{path}"


def main() -> int:
    """Write `arguments.json`, or, if there are none to be had, what is wrong into `notes.json`."""
    work = Path(os.environ["NLPEVAL_WORK"])
    try:
        arguments = [*options(work), *paths()]
    except ValueError as error:
        problem = Problem("action.args", "error", "", None, None, "", f"the input args cannot be split: {error}")
        notes = {"root": str(Path.cwd()), "failed_besides_gates": 0, "problems": [problem.to_json()]}
        (work / "notes.json").write_text(json.dumps(notes))
        return USAGE
    (work / "arguments.json").write_text(json.dumps(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
