"""Scenes that show codes of the GitHub Action and of workers: a pull request that is wrong, an artifact, workers elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import chdir, redirect_stdout
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch
from zipfile import ZipFile

from pytest_nlpeval import NlpevalError, Problem, evaluate, load_suites
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.executors import CheckedExecutor, Program
from tests.action.runner import obeyed
from tests.code_scenes import FILES, GATE, GOLD, SUITE
from tests.support import write
from tests.unit.baselines.repositories import commit, git, start

sys.path.append(str(Path(__file__).parent.parent / "action"))  # where pytest finds the action's modules by a setting

import arguments
import comment
import report

_INPUTS = ("ALLOW_OUTSIDE", "ARGS", "BASELINE", "JOBS", "PATHS", "PRODUCE", "PROFILE", "PYTHON", "SAVE_BASELINE", "STRICT_CONFIG")
_GATES = GATE + "0.8\n      coverage: {min: 0.5}\n"


def of_action(folder: Path) -> list[Problem]:
    """Return what the action says of a pull request that lowers the bar, of inputs that are wrong, and of a test that fails."""
    repository = _pull_request(folder / "work" / "project")
    passed = render("json", _passed_report(write(folder / "passed", {**FILES, "nlpeval.yaml": SUITE})), Setting())
    notes = '{"status": 1, "failed_besides_gates": 1}'
    problems = [
        *_acted(repository, folder / "first"),
        *_acted(repository, folder / "second", NLPEVAL_ARGS="-k 'slow", NLPEVAL_STATUS="4"),
        *_acted(repository, folder / "third", NLPEVAL_BASELINE="git:release", NLPEVAL_REPORT_DIR="../reports"),
        *_acted(repository, write(folder / "fourth", {"report.json": passed, "notes.json": notes})),
    ]
    return [replace(problem, path=problem.path and Path(problem.path).name) for problem in problems]


def _pull_request(folder: Path) -> Path:
    """Make a repository with GitHub's merge commit of a pull request, which loosens a gate, raises one, and takes a suite out.

    It also leads outside, and lets git change the line ends of gold.
    """
    other = SUITE.replace("dev", "test")
    commit(write(start(folder), {**FILES, "nlpeval.yaml": _GATES, "test.nlpeval.yaml": other}), "base")
    git(folder, "switch", "--quiet", "--create", "topic")
    gates = (
        _GATES.replace("0.8", "0.4").replace("0.5", "0.9").replace("  - name: dev\n", "  - name: dev\n    allow_outside: true\n")
    )
    (folder / "test.nlpeval.yaml").unlink()
    commit(write(folder, {"nlpeval.yaml": gates, ".gitattributes": "gold.csv eol=crlf\n"}), "head")
    git(folder, "switch", "--quiet", "main")
    git(folder, "merge", "--quiet", "--no-ff", "--message", "merge", "topic")
    write(folder, {"gold.csv": GOLD.replace("\n", "\r\n")})
    return folder


def _acted(repository: Path, work: Path, **inputs: str) -> Iterator[Problem]:
    """Yield what the action tells at the pull request: pytest itself does not run between what plans it and what tells of it."""
    environment = {
        **{f"NLPEVAL_{name}": "" for name in _INPUTS},
        "NLPEVAL_MODE": "gate",
        "NLPEVAL_REPORT_DIR": "reports",
        "NLPEVAL_STATUS": "1",
        "NLPEVAL_WORK": str(work),
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_WORKSPACE": str(repository),
        **inputs,
    }
    work.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GIT_"))}
    told = StringIO()
    with chdir(repository), patch.dict(os.environ, kept | environment, clear=True), redirect_stdout(told):
        arguments.main()
        report.main()
    for annotation in obeyed(told.getvalue()):
        code = annotation.title.removeprefix("nlpeval: ")
        line = int(annotation.line) if annotation.line else None
        yield Problem(code, "error", annotation.file, line, None, "", annotation.message)


def _passed_report(folder: Path) -> Any:
    return report_of([evaluate(suite) for suite in load_suites(folder / "nlpeval.yaml")])


class _Repository:
    """A repository of GitHub that has the artifacts of one run, by name."""

    def __init__(self, **archives: bytes) -> None:
        self._archives = archives

    def every(self, *_given: str, name: str) -> list[dict[str, Any]]:
        return [
            {"id": 1, "name": name, "expired": False, "size_in_bytes": len(archive)}
            for key, archive in self._archives.items()
            if key == name
        ]

    def download(self, *_given: object) -> bytes:
        (archive,) = self._archives.values()
        return archive


def of_comments(folder: Path) -> list[Problem]:
    """Return what the comment says of an artifact that is not there, and of a report that passed in a workflow that failed."""
    archive = BytesIO()
    with ZipFile(archive, "w") as files:
        files.writestr("report.json", render("json", _passed_report(write(folder, {**FILES, "nlpeval.yaml": SUITE})), Setting()))
    run = comment.Run(1, "0" * 40, "failure", 1, "ada", "topic")
    problems: list[Problem] = []
    for repository in (_Repository(), _Repository(report=archive.getvalue())):
        with chdir(folder):
            problems += comment.read_report(cast(Any, repository), run, "report", folder).problems
    return problems


class _Workers(Executor):
    """Workers that do a batch in a way of their own."""

    def __init__(self, done: Callable[..., Any]) -> None:
        self._done = done

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(self._done(function, *args))
        return future


def of_workers(folder: Path) -> list[Problem]:
    """Return what is said of workers with an older version, and of workers that do not have the folder."""
    write(folder, {**FILES, "nlpeval.yaml": SUITE})
    suites = load_suites(folder / "nlpeval.yaml")
    problems: list[Problem] = []
    for done in (_by_older_version, _without_system):
        try:
            evaluate(suites[0], CheckedExecutor(_Workers(done), "dask://cluster:8786"))
        except NlpevalError as error:
            problems += error.problems
    shown = {
        str(folder): "/home/ada/project",
        str(Program.here()): str(Program("0.2.0", "3.13")),
        str(_OLDER): str(Program("0.1.0", "3.13")),
    }
    for here, in_example in shown.items():
        problems = [replace(each, message=each.message.replace(here, in_example)) for each in problems]
    return problems


_OLDER = Program("0.0.1", "3.0")  # than whatever runs the tests


def _by_older_version(_function: object, program: Program, *_given: object) -> Program:
    return _OLDER


def _without_system(function: Callable[..., Any], program: Program, work: Callable[..., Any], cases: Iterable[Any]) -> Any:
    """Do a batch where the system's files lie nowhere."""
    return function(program, work, [_moved(case) for case in cases])


def _moved(case: Any) -> Any:
    system = case.files["system"]
    return replace(case, files={**case.files, "system": replace(system, path=f"{system.path}.not-here")})
