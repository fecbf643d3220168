"""Tells what pytest found: prints annotations, and writes the job summary, the outputs and the report folder.

Reads the environment: NLPEVAL_MODE, _REPORT_DIR and _STRICT_CONFIG (inputs), NLPEVAL_STATUS (pytest's exit code), NLPEVAL_WORK (where it
wrote), and GITHUB_OUTPUT, GITHUB_STEP_SUMMARY and GITHUB_WORKSPACE.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from pytest_nlpeval.baselines.git import GitError, Repository
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.config.file import load_suites
from pytest_nlpeval.files import is_inside
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.github import output, scores, workflow_commands
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.stored import stored_report
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import plural, printable
from pytest_nlpeval.writing import write_atomically

sys.path.insert(0, str(Path(__file__).parent))  # an isolated Python does not look beside its script

from bar import Judged, changed, gone, paired
from configurations import configured

EXCUSED = "\nMode `inform`: failed gates do not fail the job.\n"


def read_json(path: Path, otherwise: dict[str, Any]) -> dict[str, Any]:
    """Return what a step before has noted; something sensible if it did not live to tell."""
    try:
        noted: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError):
        return otherwise
    return {**otherwise, **noted}


def read_report(work: Path, notes: dict[str, Any], status: int) -> Report:
    """Return the report, with what went wrong besides the suites; one that failed where pytest wrote none."""
    problems = list(map(Problem.from_json, notes["problems"]))
    try:
        report = stored_report(work / "report.json")
    except NlpevalError:
        ended = f"pytest ended with exit code {status} before any suite was judged; its log says why"
        return report_of([], problems or [_problem("action.ended", ended)])
    if status != 0 and report.passed and not problems:
        besides = plural(notes["failed_besides_gates"], "test")
        problems = [
            _problem("action.tests", f"pytest ended with exit code {status}, {besides} besides gates failed; its log says more")
        ]
    return replace(report_of([], problems), suites=report.suites) if problems else report


def _problem(code: str, message: str, path: str = "") -> Problem:
    return Problem(code, "error", path, None, None, "", message)


def unjudged(plan: dict[str, Any], notes: dict[str, Any], judged: Judged) -> Iterator[Problem]:
    """Yield an error for each suite of the repository that the report does not have, unless the inputs left it out."""
    collected = {os.path.realpath(path) for path in notes["collected"] or ()}
    for config in plan["expected"]:
        path = Path(config)
        if not path.is_file():
            what = "a folder" if path.is_dir() else "a link that leads to no file" if path.is_symlink() else "not there"
            yield _problem(
                "action.unjudged",
                f"{config} is a configuration of the repository, and {what}: its suites were not judged",
                config,
            )
            continue
        try:
            suites = load_suites(path, profile=plan["profile"], root=Path(notes["root"]))
        except ConfigError:  # collecting it said so, or nobody collected it
            suites = []
        is_collected = os.path.realpath(path) in collected
        if not (suites or is_collected):
            yield _problem("action.unjudged", f"{config} was not collected, and has mistakes: its suites were not judged", config)
        for suite in suites:
            missing = (config, suite.name) not in judged and is_wanted(config, suite.name, plan["given"])
            if missing and not is_left_out(config, notes, is_collected=is_collected):
                why = _why_unjudged(config, notes, is_collected=is_collected)
                yield _problem("action.unjudged", f"the suite {suite.name} of {config} was not judged: {why}", config)


def _why_unjudged(config: str, notes: dict[str, Any], *, is_collected: bool) -> str:
    if notes["collected"] is None:
        return "pytest did not come to its end"
    if is_collected:
        return "none of its items ran; the log of pytest says what became of them"
    why = "a setting of pytest (norecursedirs, nlpeval_files, …) or a conftest.py leaves it out"
    return f"pytest did not collect {config}; {why}; mend that, or name other paths in the input paths"


def is_wanted(config: str, suite: str, given: list[str]) -> bool:
    """Whether the input `paths` includes a suite: names its file or a folder above, or the suite, or an item of it."""
    for text in given or ["."]:
        place, _, node = text.partition("::")
        if Path(config).is_relative_to(os.path.relpath(place)) and (not node or node == suite or node.startswith(f"{suite}::")):
            return True
    return False


def is_left_out(config: str, notes: dict[str, Any], *, is_collected: bool) -> bool:
    """Whether the input `args` left out what was not judged: by a selection among the items, or by `--ignore`."""
    path = Path(config).absolute()
    ignored = any(path.is_relative_to(Path(name).absolute()) or fnmatch(str(path), name) for name in notes["ignored"])
    return ignored or (is_collected and notes["selects"])


def bar(plan: dict[str, Any], judged: Judged, *, strict: bool) -> Iterator[Problem]:
    """Yield what is gone since the base commit, then what else changed in how suites are judged."""
    base = plan["base"]
    if base["problem"]:
        yield _problem("action.base", base["problem"])
    if not base["commit"]:
        return
    try:
        repository = Repository.around(Path.cwd())
        before, after = configured(repository, base["commit"]), configured(repository, repository.commit("HEAD"))
    except GitError as error:
        yield _problem("action.base", f"the configurations of the base cannot be read: {error}")
        return
    up = os.path.relpath(Path.cwd().resolve(), repository.top.resolve())
    seen = {(os.path.normpath(Path(up) / config), name): suite for (config, name), suite in judged.items()}
    pairs = [
        (old, new)
        for old, new in paired(before, after)
        if any(is_wanted(os.path.relpath(old.config, up), name, plan["given"]) for name in old.names)
    ]
    for problem in (
        *gone(pairs, seen, base["baseline"], plan["profile"]),
        *changed(pairs, base["baseline"], "error" if strict else "warning"),
    ):
        yield replace(problem, path=os.path.relpath(problem.path, up))


def only_gates_failed(report: Report, notes: dict[str, Any], status: int) -> bool:
    """Whether gates that do not hold are all that is wrong: no file, no configuration, no other test."""
    sound = all(suite.outcome != "set-up" and not suite.cases.failed for suite in report.suites)
    return sound and status in (0, 1) and not _errors(report) and not notes["failed_besides_gates"]


def _errors(report: Report) -> bool:
    return any(problem.severity == "error" for problem in report.problems)


def locator(root: str, workspace: Path) -> Callable[[str], str]:
    """Return what turns a path relative to pytest's rootdir into one relative to the workspace, where it lies inside."""
    base = Path(os.path.realpath(root))

    def locate(path: str) -> str:
        absolute = Path(os.path.normpath(base / path))
        return absolute.relative_to(workspace).as_posix() if absolute.is_relative_to(workspace) else path

    return locate


def unfit_for_reports(given: str, workspace: Path) -> str:
    """Return why the reports cannot be written to this folder; "" if they can."""
    inside = os.path.relpath(workspace / given, workspace)
    if Path(given).is_absolute() and inside.startswith(".."):
        return ""
    steps = [workspace.joinpath(*Path(inside).parts[: count + 1]) for count in range(len(Path(inside).parts))]
    if not is_inside(workspace / given, workspace):
        return "leads out of the workspace; name a folder inside it"
    if any(step.is_symlink() for step in steps):
        return "leads through a link; name a folder itself"
    if any(step.name.casefold() == ".git" for step in steps):
        return "leads into .git, which belongs to git; name another folder"
    if any(step.exists() and not step.is_dir() for step in steps):
        return "leads through a file; name a folder"
    return ""


def whole(report: Report, first: Sequence[Problem], last: Sequence[Problem]) -> Report:
    """Return a report with further problems of the run before and after its own; an error fails it."""
    every = [*first, *report.problems, *last]
    joined = replace(report_of([], every), suites=report.suites) if every else report
    return replace(joined, passed=report.passed and not _errors(joined))


def append(variable: str, text: str) -> None:
    """Append to the file that an environment variable names."""
    if name := os.environ.get(variable):
        with Path(name).open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)


def assemble(work: Path, notes: dict[str, Any], status: int, workspace: Path) -> Report:
    """Return the report of the run: first what was not judged, last what changed since the base."""
    locate = locator(notes["root"], workspace)
    plan = read_json(work / "plan.json", {"expected": [], "given": [], "profile": None, "base": {"commit": "", "problem": ""}})
    report = read_report(work, notes, status)
    judged = {(locate(suite.config), suite.name): suite for suite in report.suites}
    strict = os.environ["NLPEVAL_STRICT_CONFIG"] == "true"
    has_mistakes = any(problem["code"] != "config.none" for problem in notes["problems"])
    missing = [] if has_mistakes else list(unjudged(plan, notes, judged))
    moves = list(bar(plan, judged, strict=strict))
    lost = [problem for problem in moves if problem.code != "action.changed"]
    changes = [problem for problem in moves if problem.code == "action.changed"]
    first, last = ([*lost, *missing], changes) if report.suites else (lost, [*missing, *changes])
    return whole(report, *([_from_root(problem, notes["root"], workspace) for problem in part] for part in (first, last)))


def _from_root(problem: Problem, root: str, workspace: Path) -> Problem:
    """Return a problem whose path is relative to pytest's rootdir, as all of a report are, and not to the workspace."""
    return replace(problem, path=os.path.relpath(workspace / problem.path, os.path.realpath(root))) if problem.path else problem


def main() -> None:
    """Tell everything, in the order in which a person reads the log."""
    work, given = Path(os.environ["NLPEVAL_WORK"]), os.environ["NLPEVAL_REPORT_DIR"]
    workspace = Path(os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()))
    status = int(os.environ["NLPEVAL_STATUS"])
    nothing = {
        "root": str(workspace),
        "failed_besides_gates": 0,
        "problems": [],
        "collected": None,
        "ignored": [],
        "selects": False,
    }
    notes = read_json(work / "notes.json", nothing)
    report = assemble(work, notes, status, workspace)
    if unfit := unfit_for_reports(given, workspace):
        report = whole(report, [_problem("action.report-dir", f"no reports are written: the report-dir {unfit}")], [])
    informs = os.environ["NLPEVAL_MODE"] == "inform"
    excused = informs and not report.passed and only_gates_failed(report, notes, status)
    summary = render("markdown", report, Setting()) + (EXCUSED if excused else "")

    print(summary.partition("\n")[0].removeprefix("## "))
    for line in workflow_commands(report, locator(notes["root"], workspace), informs=informs):
        print(line)
    if not unfit:
        write_reports(Path(os.path.normpath(workspace / given)), report, summary, work / "junit.xml")
        print(printable(f"Reports are in {given}."))
    append("GITHUB_STEP_SUMMARY", summary + "\n")
    values = {
        "passed": str(report.passed).lower(),
        "failed": str(not report.passed and not excused).lower(),
        "report": "" if unfit else (Path(given) / "report.json").as_posix(),
        "scores": scores(report),
    }
    append("GITHUB_OUTPUT", "".join(output(name, value, secrets.token_hex(16)) for name, value in values.items()))


def write_reports(folder: Path, report: Report, summary: str, junit: Path) -> None:
    """Write the report folder."""
    write_atomically(folder / "report.json", render("json", report, Setting()))
    write_atomically(folder / "report.md", summary)
    if junit.is_file():
        write_atomically(folder / "junit.xml", junit.read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    main()
