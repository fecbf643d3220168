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

from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.config.file import load_suites
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.files import is_inside
from pytest_nlpeval.problems import NlpevalError, NoAnswerError, Problem, Severity
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.digest import verdict_of
from pytest_nlpeval.reports.github import output, scores, workflow_commands
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.stored import stored_report
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import plural, printable
from pytest_nlpeval.writing import write_atomically

sys.path.insert(0, str(Path(__file__).parent))  # an isolated Python does not look beside its script

from bar import Comparison, Judged, Pairs, behind, changed, gone, paired
from choice import is_chosen, places
from configurations import Configured, object_at
from past import Past, away, chosen_at, past
from pytest_settings import settings_file
from work_tree import converted, unknown

CHANGES = ("action.loosened", "action.changed")
"""The codes of what is not what it was at the base, and is judged all the same."""

REPORTS = ("report.json", "report.md", "junit.xml")
"""The files of the report folder."""

EXCUSED = "\nMode `inform`: failed gates do not fail the job.\n"


NO_PLAN: dict[str, Any] = {"expected": [], "given": [], "profile": None, "outside": None, "base": {"commit": "", "problem": ""}}


def read_json(path: Path, otherwise: dict[str, Any]) -> dict[str, Any]:
    """Return what an earlier step wrote, with the values of `otherwise` for what it did not write."""
    try:
        written: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError):
        return otherwise
    return {**otherwise, **written}


def read_report(work: Path, notes: dict[str, Any], status: int) -> Report:
    """Return pytest's report, with what went wrong besides the suites. Where pytest wrote no report, return one that failed."""
    problems = list(map(Problem.from_json, notes["problems"]))
    try:
        report = stored_report(work / "report.json")
    except NlpevalError:
        message = f"pytest ended with exit code {status} before any suite was judged; pytest's log says why"
        return report_of([], problems or [_problem("action.ended", message)])
    if notes["status"] != status:  # which its log need not tell
        message = f"something else than pytest ended its process, with exit code {status}; what it had not told yet is lost"
        problems.append(_problem("action.ended", message))
    elif status != 0 and report.passed and not problems:
        tests = plural(notes["failed_besides_gates"], "test")
        message = f"pytest ended with exit code {status}: {tests} besides gates failed; pytest's log says more"
        problems = [_problem("action.tests", message)]
    return replace(report_of([], problems), suites=report.suites, checkout=report.checkout) if problems else report


def _problem(code: str, message: str, path: str = "") -> Problem:
    return Problem(code, "error", path, None, None, "", message)


def unjudged(plan: dict[str, Any], notes: dict[str, Any], judged: Judged) -> Iterator[Problem]:
    """Yield an error for each suite of the repository that the report does not have, unless the inputs left it out."""
    collected = {os.path.realpath(path) for path in notes["collected"] or ()}
    chosen = places(plan["given"])
    for config in plan["expected"]:
        path = Path(config)
        if not path.is_file():
            kind = "a folder" if path.is_dir() else "a link that leads to no file" if path.is_symlink() else "not there"
            message = f"{config} is a configuration of the repository, and {kind}: its suites were not judged"
            yield _problem("action.unjudged", message, config)
            continue
        suites = _suites(path, plan, notes)
        is_collected = os.path.realpath(path) in collected
        if not (suites or is_collected):
            yield _problem("action.unjudged", f"{config} was not collected, and has mistakes: its suites were not judged", config)
        for suite in suites:
            missing = (config, suite.name) not in judged and is_chosen(config, chosen, suite.name)
            if missing and not is_left_out(config, notes, is_collected=is_collected):
                why = _why_unjudged(config, notes, is_collected=is_collected)
                yield _problem("action.unjudged", f"the suite {suite.name} of {config} was not judged: {why}", config)


def _suites(path: Path, plan: dict[str, Any], notes: dict[str, Any]) -> list[Suite]:
    """Return the suites of a configuration; none if it has mistakes: collecting it said so, or nobody collected it."""
    allowed = (
        None
        if plan["outside"] is None
        else [str(Path(config).parent.resolve() / Path(config).name) for config in plan["outside"]["allowed"]]
    )
    try:
        return load_suites(path, profile=plan["profile"], root=Path(notes["root"]), outside=allowed)
    except ConfigError:
        return []


def _why_unjudged(config: str, notes: dict[str, Any], *, is_collected: bool) -> str:
    if notes["collected"] is None:
        return "pytest did not come to its end"
    if is_collected:
        return "none of its items ran; the log of pytest says what became of them"
    cause = "a setting of pytest (norecursedirs, nlpeval_files, …) or a conftest.py leaves it out"
    return f"pytest did not collect {config}; {cause}; mend that, or name other paths in the input paths"


def is_left_out(config: str, notes: dict[str, Any], *, is_collected: bool) -> bool:
    """Whether the input `args` left out what was not judged: by a selection among the items, or by `--ignore`."""
    path = Path(config).absolute()
    ignored = any(path.is_relative_to(Path(name).absolute()) or fnmatch(str(path), name) for name in notes["ignored"])
    return ignored or (is_collected and notes["selects"])


def bar(plan: dict[str, Any], judged: Judged, *, strict: bool) -> Iterator[Problem]:
    """Yield what keeps the run from being compared with the base commit, what is gone since, and what else changed."""
    base = plan["base"]
    for config, line, message in plan["outside"]["refused"] if plan["outside"] else ():
        yield Problem("action.outside", "error", config, line, None, "", message)
    if base["problem"]:
        yield _problem("action.base", base["problem"])
    if not base["commit"]:
        return
    try:
        compared = past(base["commit"], plan["given"])
        yield from _since_base(compared, plan, judged, "error" if strict else "warning")
    except (GitError, NoAnswerError) as error:
        yield _problem("action.base", f"the configurations of the base cannot be read: {error}")


def _since_base(compared: Past, plan: dict[str, Any], judged: Judged, severity: Severity) -> Iterator[Problem]:
    up = compared.up
    seen = {(os.path.normpath(Path(up) / config), name): suite for (config, name), suite in judged.items()}
    expected = {os.path.normpath(Path(up) / config) for config in plan["expected"]}
    pairs = _chosen_pairs(compared)
    comparison = Comparison(seen, plan["base"]["name"], plan["profile"], severity, expected)
    today = [new for _, new in pairs if new]
    watched = {path: name for entry in today for path, name in entry.watched.items()}
    problems = [
        *converted(watched | _settings(compared, plan), compared.repository),
        *gone(pairs, comparison),
        *unknown(today, compared.repository, compared.after, severity),
        *_of_submodules(compared, severity),
        *_of_baseline_file(compared, plan, severity),
        *_of_tip(pairs, plan, comparison),
        *changed(pairs, comparison),
    ]
    return (replace(problem, path=problem.path and os.path.relpath(problem.path, up)) for problem in problems)


def _chosen_pairs(compared: Past) -> list[tuple[Configured, Configured | None]]:
    pairs = paired(compared.old, compared.new)
    return [(old, new) for old, new in pairs if any(is_chosen(old.config, compared.chosen, name) for name in old.names)]


def _of_tip(pairs: Pairs, plan: dict[str, Any], comparison: Comparison) -> Iterator[Problem]:
    """Yield whether the base branch demands more by now than at the commit that is compared with."""
    tip = plan["base"]["tip"]
    if tip and (found := behind(_chosen_pairs(past(tip, plan["given"])), pairs, comparison._replace(base=f"git:{tip[:12]}"))):
        message = (
            f"the base branch has changed since this branch left it, and what is checked out is judged by what was before: "
            f"{found[0].message}{f' (and {len(found) - 1:,} more)' if found[1:] else ''}; update the branch, or check out the merge commit"
        )
        yield replace(found[0], code="action.loosened", severity=comparison.severity, message=message)


def _of_submodules(compared: Past, severity: Severity) -> Iterator[Problem]:
    """Yield whether there are submodules, or configurations behind links, of which nobody can know what they judged at the base."""
    if compared.unknown:
        message = (
            f"{'; '.join(compared.unknown)}: what was judged at the base cannot be compared, for the commit of a submodule is not in this "
            "clone (fetch it before this action; with actions/checkout, `submodules: true` and `fetch-depth: 0`), or a link leads there"
        )
        yield Problem("action.loosened", severity, "", None, None, "", message)


def _settings(compared: Past, plan: dict[str, Any]) -> dict[str, str]:
    """Return the file of pytest's settings, and the object that it is."""
    path, _ = settings_file(compared.after, [place.path for place in chosen_at(compared.after, plan["given"], compared.up)])
    return {path: compared.after.blob(path).name} if path else {}


def _of_baseline_file(compared: Past, plan: dict[str, Any], severity: Severity) -> Iterator[Problem]:
    """Yield whether the baseline file that the input names is not what it was."""
    if not plan["base"]["file"]:
        return
    path = os.path.normpath(Path(compared.up, os.path.relpath(plan["base"]["file"])))
    trees = compared.before, compared.after
    was, now = (object_at(tree, path) or away(tree, path) for tree in trees)
    if was != now:
        became = "is new" if not was else "is gone" if not now else "changed"
        message = f"the baseline file {path} {became} (base: {plan['base']['name']})"
        yield Problem("action.loosened", severity, path, None, None, "", message)
    if name := object_at(compared.after, path):
        yield from converted({path: name}, compared.repository)


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


def why_unfit_for_reports(given: str, workspace: Path) -> str:
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
    taken = [name for name in REPORTS if os.path.lexists(place := workspace / given / name) and not _is_regular(place)]
    return f"has something else in the place of {taken[0]}; take that away, or name another folder" if taken else ""


def _is_regular(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def with_problems(report: Report, first: Sequence[Problem], last: Sequence[Problem]) -> Report:
    """Return a report with further problems of the run before and after its own; an error fails it."""
    every = [*first, *report.problems, *last]
    joined = replace(report_of([], every), suites=report.suites, checkout=report.checkout) if every else report
    return replace(joined, passed=report.passed and not _errors(joined))


def append(variable: str, text: str) -> None:
    """Append to the file that an environment variable names."""
    if name := os.environ.get(variable):
        with Path(name).open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)


def assemble(work: Path, notes: dict[str, Any], status: int, workspace: Path) -> Report:
    """Return the report of the run with all problems: first of what was not judged, last of what changed since the base."""
    locate = locator(notes["root"], workspace)
    plan = read_json(work / "plan.json", NO_PLAN)
    report = read_report(work, notes, status)
    judged = {(locate(suite.config), suite.name): suite for suite in report.suites}
    strict = os.environ["NLPEVAL_STRICT_CONFIG"] == "true"
    has_mistakes = any(problem["code"] != "config.none" for problem in notes["problems"])
    missing = [] if has_mistakes else list(unjudged(plan, notes, judged))
    of_bar = list(bar(plan, judged, strict=strict))
    errors = [problem for problem in of_bar if problem.code not in CHANGES]
    changes = [problem for problem in of_bar if problem.code in CHANGES]
    first, last = ([*errors, *missing], changes) if report.suites else (errors, [*missing, *changes])
    return with_problems(report, *([_from_root(problem, notes["root"], workspace) for problem in part] for part in (first, last)))


def _from_root(problem: Problem, root: str, workspace: Path) -> Problem:
    """Return a problem whose path is relative to pytest's rootdir, as all of a report are, and not to the workspace."""
    return replace(problem, path=os.path.relpath(workspace / problem.path, os.path.realpath(root))) if problem.path else problem


def main() -> None:
    """Print the verdict and the annotations, write the report folder, then the summary and the outputs."""
    work, given = Path(os.environ["NLPEVAL_WORK"]), os.environ["NLPEVAL_REPORT_DIR"]
    workspace = Path(os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()))
    status = int(os.environ["NLPEVAL_STATUS"])
    no_notes: dict[str, Any] = {
        "root": str(workspace),
        "status": None,
        "failed_besides_gates": 0,
        "problems": [],
        "collected": None,
        "ignored": [],
        "selects": False,
    }
    notes = read_json(work / "notes.json", no_notes)
    report = assemble(work, notes, status, workspace)
    if why_unfit := why_unfit_for_reports(given, workspace):
        report = with_problems(report, [_problem("action.report-dir", f"no reports are written: the report-dir {why_unfit}")], [])
    informs = os.environ["NLPEVAL_MODE"] == "inform"
    excused = informs and not report.passed and only_gates_failed(report, notes, status)
    summary = render("markdown", report, Setting()) + (EXCUSED if excused else "")

    print(f"{'✅' if report.passed else '❌'} {verdict_of(report).text}")
    for line in workflow_commands(report, locator(notes["root"], workspace), informs=informs):
        print(line)
    if not why_unfit:
        write_reports(Path(os.path.normpath(workspace / given)), report, summary, work / "junit.xml")
        print(printable(f"Reports are in {given}."))
    append("GITHUB_STEP_SUMMARY", summary + "\n")
    values = {
        "passed": str(report.passed).lower(),
        "failed": str(not report.passed and not excused).lower(),
        "report": "" if why_unfit else (Path(given) / "report.json").as_posix(),
        "scores": scores(report),
    }
    append("GITHUB_OUTPUT", "".join(output(name, value, secrets.token_hex(16)) for name, value in values.items()))


def write_reports(folder: Path, report: Report, summary: str, junit: Path) -> None:
    """Write the report folder."""
    as_json, as_markdown, as_xml = (folder / name for name in REPORTS)
    write_atomically(as_json, render("json", report, Setting()))
    write_atomically(as_markdown, summary)
    if junit.is_file():
        write_atomically(as_xml, junit.read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    main()
