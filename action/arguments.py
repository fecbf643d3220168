"""Turns the action's inputs into a plan, `plan.json` in the work folder: pytest's arguments, what must be judged, and the base commit.

Reads the environment: NLPEVAL_ARGS, _BASELINE, _JOBS, _PATHS, _PRODUCE, _PROFILE, _PYTHON, _SAVE_BASELINE (the inputs),
NLPEVAL_WORK, and what GitHub tells of the event: GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_SHA.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pytest_nlpeval.baselines.git import GitError, Repository
from pytest_nlpeval.config.finding import config_paths, find_configs
from pytest_nlpeval.config.meaning import source_of
from pytest_nlpeval.problems import Problem

USAGE = 4


class Base(NamedTuple):
    """What the run is compared with: the `baseline` for pytest, the `commit` whose configurations count, and what is wrong."""

    baseline: str = ""
    commit: str = ""
    problem: str = ""


def base() -> Base:
    """Return the base that the input names; on pull requests, if it names none, the base commit."""
    given = os.environ["NLPEVAL_BASELINE"]
    of_pull_request = given == "" and os.environ.get("GITHUB_EVENT_NAME", "").startswith("pull_request")
    if not (of_pull_request or source_of(given) == "git"):
        return Base(given)
    try:
        repository = Repository.around(Path.cwd())
        revision = base_of_pull_request(repository) if of_pull_request else given.partition(":")[2]
        return Base(f"git:{revision}", repository.commit(revision))
    except GitError as error:
        cure = "with actions/checkout set `fetch-depth: 2` (0 where another commit than GitHub's merge commit is checked out)"
        return Base(problem=f"the base cannot be read: {error}; {cure}, or switch it off with `baseline: none`")


def base_of_pull_request(repository: Repository) -> str:
    """Return a revision: the first parent of GitHub's merge commit, or where another commit is checked out, what it comes from."""
    head = repository.commit("HEAD")
    (raw,) = repository.contents([head])  # tells also the parents that a shallow clone does not have
    parents = sum(line.startswith(b"parent ") for line in raw.partition(b"\n\n")[0].split(b"\n"))
    event = Path(os.environ.get("GITHUB_EVENT_PATH", os.devnull))
    payload: Any = json.loads(event.read_bytes() or b"{}")
    tip = payload.get("pull_request", {}).get("base", {}).get("sha")
    is_merge = parents == 2 and os.environ.get("GITHUB_SHA", head) == head
    return "HEAD^1" if is_merge or not tip else f"merge-base({tip})"


def options(work: Path, against: Base) -> Iterator[str]:
    """Yield pytest's options. Evidence is kept for this run only, whatever cache was restored or checked in."""
    yield from shlex.split(os.environ["NLPEVAL_ARGS"])
    yield from ("--nlpeval", "--nlpeval-no-cache")
    yield f"--nlpeval-report=json:{work / 'report.json'}"
    yield f"--junitxml={work / 'junit.xml'}"
    if profile := os.environ["NLPEVAL_PROFILE"]:
        yield f"--nlpeval-profile={profile}"
    if against.baseline:
        yield f"--nlpeval-{'' if os.environ['NLPEVAL_BASELINE'] else 'default-'}baseline={against.baseline}"
    if saved := os.environ["NLPEVAL_SAVE_BASELINE"]:
        yield f"--nlpeval-save-baseline={saved}"
    if os.environ["NLPEVAL_PRODUCE"] == "true":
        yield "--nlpeval-produce"
    if jobs := os.environ["NLPEVAL_JOBS"]:
        yield f"--numprocesses={jobs}"


def given_paths() -> list[str]:
    """Return the input `paths`."""
    return [line.strip() for line in os.environ["NLPEVAL_PATHS"].split("\n") if line.strip()]


def tracked_configurations() -> list[str]:
    """Return the configurations that git has, wherever they lie: in a folder that pytest leaves out, too."""
    try:
        repository = Repository.around(Path.cwd())
        top = Path(os.path.relpath(repository.top.resolve()))
        found = [os.path.normpath(top / path) for path in config_paths(repository.files("HEAD"))]
    except GitError:
        return []
    return [path for path in found if not path.startswith("..")]


def is_chosen(config: str, given: list[str]) -> bool:
    """Whether a configuration is among the paths that were given, or below one."""
    places = [Path(os.path.relpath(path.partition("::")[0])) for path in given]
    return not given or any(Path(config).is_relative_to(place) for place in places)


def nameable(path: Path) -> Path:
    """Return the path, or the nearest folder above whose name pytest does not take apart."""
    return path if not any(sign in str(path) for sign in ("::", "[")) else nameable(path.parent)


def as_argument(path: str) -> str:
    """Return a path such that pytest takes it for nothing else: neither an option nor a file of arguments."""
    return path if Path(path).is_absolute() else f"./{path}"


def plan(work: Path) -> dict[str, Any]:
    """Return the plan; `ValueError` if the input `args` cannot be split."""
    given, against = given_paths(), base()
    usual = list(map(str, find_configs(Path())))
    expected = [config for config in dict.fromkeys([*usual, *tracked_configurations()]) if is_chosen(config, given)]
    files = {config: as_argument(str(nameable(Path(config)))) for config in expected if Path(config).is_file()}
    all_files = [] if os.environ["NLPEVAL_PYTHON"] == "current" else list(dict.fromkeys(files.values()))
    return {
        "arguments": [*options(work, against), *(map(as_argument, given) if given else all_files)],
        "usual": [files[config] for config in files if config in usual],
        "unusual": [files[config] for config in files if config not in usual],
        "expected": expected,
        "given": given,
        "base": against._asdict(),
        "profile": os.environ["NLPEVAL_PROFILE"] or None,
    }


def main() -> int:
    """Write the plan or, if there is none to be had, what is wrong into `notes.json`."""
    work = Path(os.environ["NLPEVAL_WORK"])
    try:
        text = json.dumps(plan(work))
    except ValueError as error:
        problem = Problem("action.args", "error", "", None, None, "", f"the input args cannot be split: {error}")
        notes = {"root": str(Path.cwd()), "failed_besides_gates": 0, "problems": [problem.to_json()]}
        (work / "notes.json").write_text(json.dumps(notes))
        return USAGE
    (work / "plan.json").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
