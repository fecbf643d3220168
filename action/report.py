"""Tells what pytest found: prints annotations, and writes the job summary, the outputs and the report folder.

Reads the environment: NLPEVAL_MODE and _REPORT_DIR (inputs), NLPEVAL_STATUS (pytest's exit code), NLPEVAL_WORK (where it wrote), and
GITHUB_OUTPUT, GITHUB_STEP_SUMMARY and GITHUB_WORKSPACE.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_nlpeval.files import is_inside, write_atomically
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.document import report_document
from pytest_nlpeval.reports.github import Annotation, command, output, scores, workflow_commands
from pytest_nlpeval.reports.stored import stored_report
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import plural, printable

EXCUSED = "\nMode `inform`: failed gates do not fail the job.\n"


def read_notes(work: Path) -> dict[str, Any]:
    """Return what was noted about the run; something sensible if pytest did not live to tell."""
    try:
        notes: dict[str, Any] = json.loads((work / "notes.json").read_text())
    except (OSError, ValueError):
        notes = {"root": str(Path.cwd()), "failed_besides_gates": 0, "problems": []}
    return notes


def read_report(work: Path, notes: dict[str, Any], status: int) -> dict[str, Any]:
    """Return the JSON report, with what went wrong besides the suites; one that failed where pytest wrote none."""
    problems = [Problem.from_json(problem, problem["path"]) for problem in notes["problems"]]
    try:
        document = stored_report(work / "report.json")
    except NlpevalError:
        ended = f"pytest ended with exit code {status} before any suite was judged; its log says why"
        return report_document([], problems or [_problem("action.ended", ended)])
    if status != 0 and document["passed"] and not problems:
        besides = plural(notes["failed_besides_gates"], "test")
        problems = [
            _problem("action.tests", f"pytest ended with exit code {status}, {besides} besides gates failed; its log says more")
        ]
    return report_document([], problems) | {"suites": document["suites"]} if problems else document


def _problem(code: str, message: str) -> Problem:
    return Problem(code, "error", "", None, None, "", message)


def only_gates_failed(document: dict[str, Any], notes: dict[str, Any], status: int) -> bool:
    """Whether gates that do not hold are all that is wrong: no file, no configuration, no other test."""
    sound = all(suite["outcome"] != "set-up" and not suite["cases"]["failed"] for suite in document["suites"])
    return sound and status in (0, 1) and not document.get("problems") and not notes["failed_besides_gates"]


def locator(root: str, workspace: Path) -> Callable[[str], str]:
    """Return what turns a path relative to pytest's rootdir into one relative to the workspace, where it lies inside."""
    base = Path(os.path.realpath(root))

    def locate(path: str) -> str:
        absolute = Path(os.path.normpath(base / path))
        return absolute.relative_to(workspace).as_posix() if absolute.is_relative_to(workspace) else path

    return locate


def report_folder(given: str, workspace: Path) -> Path:
    """Return the folder for the reports; a link that leads out of the workspace ends the step."""
    folder = workspace / given
    if not Path(given).is_absolute() and not is_inside(folder, workspace):
        print(command(Annotation("error", "", None, None, "nlpeval", "the report-dir leads out of the workspace")))
        sys.exit(1)
    return folder


def append(variable: str, text: str) -> None:
    """Append to the file that an environment variable names."""
    if name := os.environ.get(variable):
        with Path(name).open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)


def main() -> None:
    """Tell everything, in the order in which a person reads the log."""
    work, given = Path(os.environ["NLPEVAL_WORK"]), os.environ["NLPEVAL_REPORT_DIR"]
    workspace = Path(os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()))
    status = int(os.environ["NLPEVAL_STATUS"])
    folder = report_folder(given, workspace)
    notes = read_notes(work)
    document = read_report(work, notes, status)
    informs = os.environ["NLPEVAL_MODE"] == "inform"
    excused = informs and not document["passed"] and only_gates_failed(document, notes, status)
    summary = render("markdown", document, Setting()) + (EXCUSED if excused else "")

    write_atomically(folder / "report.json", render("json", document, Setting()))
    write_atomically(folder / "report.md", summary)
    if (junit := work / "junit.xml").is_file():
        write_atomically(folder / "junit.xml", junit.read_text(encoding="utf-8", errors="replace"))

    print(summary.partition("\n")[0].removeprefix("## "))
    for line in workflow_commands(document, locator(notes["root"], workspace), informs=informs):
        print(line)
    print(printable(f"Reports are in {given}."))
    append("GITHUB_STEP_SUMMARY", summary + "\n")
    values = {
        "passed": str(document["passed"]).lower(),
        "failed": str(not document["passed"] and not excused).lower(),
        "report": (Path(given) / "report.json").as_posix(),
        "scores": scores(document),
    }
    append("GITHUB_OUTPUT", "".join(output(name, value, secrets.token_hex(16)) for name, value in values.items()))


if __name__ == "__main__":
    main()
