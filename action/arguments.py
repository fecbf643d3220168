"""Turns the action's inputs into a plan, `plan.json` in the work folder: pytest's arguments, what must be judged, and the base commit.

Reads the environment: NLPEVAL_ALLOW_OUTSIDE, _ARGS, _BASELINE, _JOBS, _PATHS, _PRODUCE, _PROFILE, _PYTHON, _SAVE_BASELINE (the
inputs), NLPEVAL_WORK, and what GitHub tells of the event: GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_SHA.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pytest_nlpeval.baselines.git import GitError, Repository
from pytest_nlpeval.baselines.tree import Tree
from pytest_nlpeval.config.finding import find_configs
from pytest_nlpeval.config.meaning import source_of
from pytest_nlpeval.problems import NoAnswerError, Problem

sys.path.insert(0, str(Path(__file__).parent))  # an isolated Python does not look beside its script

from bar import paired
from choice import is_chosen, places
from configurations import configured, entries_of
from past import chosen_at, past
from pytest_settings import configuration_paths, is_usual
from work_tree import Outside, outside

USAGE = 4
MERGED = "HEAD^1"
"""The base of a merge commit that GitHub made."""


class Base(NamedTuple):
    """What the run is compared with: the `baseline` for pytest, the `commit` whose configurations count, and what is wrong.

    `name` is what messages call the commit. `file` is the baseline if it is a file. `tip` is the newest commit of the base branch where
    that is not part of what is checked out, which is compared with an older one then.
    """

    baseline: str = ""
    commit: str = ""
    problem: str = ""
    name: str = ""
    file: str = ""
    tip: str = ""


def is_pull_request() -> bool:
    """Whether somebody asks to merge what is checked out, and may have changed all of it."""
    return os.environ.get("GITHUB_EVENT_NAME", "").startswith("pull_request")


def base() -> Base:
    """Return the base that the input names; on pull requests, if it names no commit, the base commit."""
    given = os.environ["NLPEVAL_BASELINE"]
    names_commit = source_of(given) == "git"
    if given == "none" or not (is_pull_request() or names_commit):
        return Base(given)
    file = given if given and not source_of(given) else ""
    try:
        repository = Repository.around(Path.cwd())
        revision = given.partition(":")[2] if names_commit else base_of_pull_request(repository)
        name = f"git:{revision}"
        tip = "" if names_commit or revision == MERGED else repository.commit(tip_of_base())
        return Base(given or name, repository.commit(revision), "", name, file, tip)
    except GitError as error:
        cure = "with actions/checkout set `fetch-depth: 2` (0 where another commit than GitHub's merge commit is checked out)"
        problem = f"the base cannot be read: {error}; {cure}, or switch it off with `baseline: none`"
        return Base(given if file else "", problem=problem)


def base_of_pull_request(repository: Repository) -> str:
    """Return a revision: the first parent of GitHub's merge commit, or where another commit is checked out, what it comes from."""
    head = repository.commit("HEAD")
    (raw,) = repository.contents([head])  # tells also the parents that a shallow clone does not have
    parents = sum(line.startswith(b"parent ") for line in raw.partition(b"\n\n")[0].split(b"\n"))
    tip, is_its_own = tip_of_base(), head == _sha_of("head")  # a merge that the pull request brings has parents of its choice
    is_merge = parents == 2 and os.environ.get("GITHUB_SHA", head) == head and not is_its_own
    return MERGED if is_merge or not tip else f"merge-base({tip})"


def tip_of_base() -> str:
    """Return the newest commit of the base branch that the event knows of, "" if it tells none."""
    return _sha_of("base")


def _sha_of(side: str) -> str:
    """Return the commit of a side of the pull request, `base` or `head`, as the event tells it, "" if it does not."""
    event = Path(os.environ.get("GITHUB_EVENT_PATH", os.devnull))
    payload: Any = json.loads(event.read_bytes() or b"{}")
    return str(payload.get("pull_request", {}).get(side, {}).get("sha") or "")


def options(work: Path, against: Base, may_lead_outside: Sequence[str] | None) -> Iterator[str]:
    """Yield pytest's options. Evidence is kept for this run only, whatever cache was restored or checked in."""
    yield from given_arguments()
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
    if may_lead_outside is not None:
        yield from (f"--nlpeval-outside={config}" for config in ("none", *may_lead_outside))


def given_arguments() -> list[str]:
    """Return the input `args`; `ValueError` if it cannot be split."""
    return shlex.split(os.environ["NLPEVAL_ARGS"])


def given_paths() -> list[str]:
    """Return the input `paths`."""
    return [line.strip() for line in os.environ["NLPEVAL_PATHS"].split("\n") if line.strip()]


def tracked_configurations(given: list[str]) -> list[str]:
    """Return the configurations that git has, wherever they lie: in a folder that pytest leaves out, too.

    They are known by their names or, if pytest's setting `nlpeval_files` names them, by what they say.
    """
    try:
        repository = Repository.around(Path.cwd())
        tree, up = Tree.of(repository, repository.commit("HEAD")), os.path.relpath(Path.cwd().resolve(), repository.top)
        chosen = [place.path for place in chosen_at(tree, given, up)]
        named = [path for path in configuration_paths(tree, chosen) if is_usual(path) or list(entries_of([path], tree))]
    except GitError:
        return []
    paths = [os.path.relpath(path, up) for path in named]
    return [path for path in paths if not path.startswith("..")]


def may_lead_outside(against: Base, given: list[str]) -> Outside | None:
    """Return which configurations of a pull request may lead outside the root; None where all may."""
    if os.environ["NLPEVAL_ALLOW_OUTSIDE"] == "true" or not is_pull_request():
        return None
    try:
        if against.commit:
            compared = past(against.commit, given)
            trees = compared.before, compared.after
            return outside(paired(compared.old, compared.new), compared.new, trees).seen_from(compared.up)
        repository = Repository.around(Path.cwd())
        tree, up = Tree.of(repository, repository.commit("HEAD")), os.path.relpath(Path.cwd().resolve(), repository.top)
        return outside([], configured(tree, [place.path for place in chosen_at(tree, given, up)]), None).seen_from(up)
    except GitError:  # the report says so
        return Outside([], [])


def nameable(path: Path) -> Path:
    """Return the path, or the nearest folder above whose name pytest does not take apart."""
    return path if not any(sign in str(path) for sign in ("::", "[")) else nameable(path.parent)


def as_argument(path: str) -> str:
    """Return a path such that pytest takes it for nothing else: neither an option nor a file of arguments."""
    return path if Path(path).is_absolute() else f"./{path}"


def plan(work: Path) -> dict[str, Any]:
    """Return the plan."""
    given, against = given_paths(), base()
    leading = may_lead_outside(against, given)
    usual, chosen = list(map(str, find_configs(Path()))), places(given)
    expected = [config for config in dict.fromkeys([*usual, *tracked_configurations(given)]) if is_chosen(config, chosen)]
    files = {config: as_argument(str(nameable(Path(config)))) for config in expected if Path(config).is_file()}
    all_files = [] if os.environ["NLPEVAL_PYTHON"] == "current" else list(dict.fromkeys(files.values()))
    return {
        "arguments": [
            *options(work, against, leading and leading.allowed),
            *(map(as_argument, given) if given else all_files),
        ],
        "usual": [files[config] for config in files if config in usual],
        "unusual": [files[config] for config in files if config not in usual],
        "expected": expected,
        "given": given,
        "base": against._asdict(),
        "outside": leading and leading._asdict(),
        "profile": os.environ["NLPEVAL_PROFILE"] or None,
    }


def main() -> int:
    """Write the plan or, if there is none to be had, what is wrong into `notes.json`."""
    work = Path(os.environ["NLPEVAL_WORK"])
    try:
        given_arguments()
    except ValueError as error:
        return _without_plan(work, "action.args", f"the input args cannot be split: {error}")
    try:
        planned = plan(work)
    except NoAnswerError as error:
        return _without_plan(work, "action.base", f"the repository cannot be read: {error}")
    (work / "plan.json").write_text(json.dumps(planned))
    return 0


def _without_plan(work: Path, code: str, message: str) -> int:
    """Note why there is no plan, and return the exit code."""
    problem = Problem(code, "error", "", None, None, "", message)
    notes = {"root": str(Path.cwd()), "failed_besides_gates": 0, "problems": [problem.to_json()]}
    (work / "notes.json").write_text(json.dumps(notes))
    return USAGE


if __name__ == "__main__":
    sys.exit(main())
