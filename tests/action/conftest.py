"""The action, installed once as its first step does it, and used by all tests with work folders of their own; and the comment."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import comment
import pytest

from pytest_nlpeval.cli import main
from tests.action.github_server import EVENT, NAME, TOKEN, GitHub, serving
from tests.action.runner import ROOT, Job, Runner, obeyed
from tests.support import HALF, RIGHT, make_suite, write
from tests.wheels import put_wheels

Act = Callable[..., Job]
Reports = dict[str, bytes]
Tell = Callable[..., str]


STOLEN = ("pip", "venv", "json", "secrets", "shlex", "numpy", "hatchling", "pytest_nlpeval")
"""Modules that the repository has too, on PYTHONPATH: each would leave the file `pwned`."""


BUILDERS = "builders"
"""The folder beside the workspace of the installation with wheels of what builds the package, which stay."""


def without_index(*folders: Path) -> dict[str, str]:
    """The environment in which pip takes packages from folders alone.

    It compiles nothing: of thousands of modules the tests import some hundred, and Python keeps those.
    """
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": " ".join(map(str, folders)), "PIP_COMPILE": "0"}


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The step that installs, run for real in a hostile repository: a virtual environment of its own, with xdist.

    Wheels of what the tests run with stand for the index of packages: no network can fail it.
    """
    folder = tmp_path_factory.mktemp("installation")
    workspace = write(folder / "workspace", {f"{name}.py": "open('pwned', 'w')\n" for name in STOLEN})
    wheels = folder / "wheels"
    wheels.mkdir()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    put_wheels(wheels, [*project["project"]["dependencies"], "pytest-xdist"])
    builders = folder / BUILDERS
    builders.mkdir()
    put_wheels(builders, project["build-system"]["requires"])
    environment = {"PYTHONPATH": str(workspace), **without_index(wheels, builders)}
    job = Runner(workspace, folder / "scratch", environment).action({"jobs": "2"}, only=["install"])
    shutil.rmtree(wheels)  # nearly 100 MB
    assert job.succeeded, job.log
    return job


@pytest.fixture(scope="session")
def installed(installation: Job) -> dict[str, str]:
    """The outputs of that step."""
    return installation.steps["install"]


@pytest.fixture
def act(installed: dict[str, str], tmp_path: Path) -> Act:
    """Runs the action on a workspace, all steps but the first; of a job that is `judged`, only those that report it."""

    def run(
        workspace: Path,
        inputs: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        judged: Job | None = None,
    ) -> Job:
        scratch = tmp_path / "scratch"
        runner = Runner(workspace, scratch, environment)
        if judged is not None:
            return runner.action(
                inputs, only=["report", "Judge"], seed={name: judged.steps[name] for name in ("install", "test")}
            )
        work = scratch / f"work{len(list(scratch.iterdir()))}"
        work.mkdir()
        seed = {"install": {**installed, "work": str(work)}}
        return runner.action(inputs, only=["test", "report", "Judge"], seed=seed)

    return run


@pytest.fixture
def github() -> Iterator[GitHub]:
    with serving() as server:
        server.pull(9)
        yield server


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    """Reports of one suite beside one that was right: `worse` fails, `same` changes nothing, `broken` has a file that is malformed."""
    folder = make_suite(tmp_path_factory.mktemp("suite"), "accuracy: {min: 0.8, max_drop: 0.1}", runs={"a": RIGHT, "b": RIGHT})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert _run("--save-baseline", "base.json") == 1
        for name, system, code in (("same", RIGHT, 0), ("worse", HALF, 1), ("broken", "1 TRUE\nx\n", 1)):
            write(folder, {"system/b.txt": system})
            assert _run("--baseline", "base.json", "--report", f"json:{name}.json") == code
    return {name: (folder / f"{name}.json").read_bytes() for name in ("same", "worse", "broken")}


def _run(*arguments: str) -> int:
    return main(["run", "--report", "text:out.txt", *arguments])


@pytest.fixture
def tell(
    github: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs the script for a run of GitHub's, and returns its level and message."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path)

    def told(when: str = "on-change", *, name: str = "nlpeval-report", **facts: Any) -> str:
        write(tmp_path, {"event.json": json.dumps({"workflow_run": {**EVENT, **facts}})})
        environment = {
            "NLPEVAL_ARTIFACT": name,
            "NLPEVAL_COMMENT": when,
            "NLPEVAL_WORK": str(tmp_path / "work"),
            "GITHUB_API_URL": github.api,
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_TOKEN": TOKEN,
        }
        for variable, value in environment.items():
            monkeypatch.setenv(variable, value)
        code = comment.main()
        (annotation,) = obeyed(capsys.readouterr().out)
        assert (annotation.level == "error") == code
        assert all(call.token == TOKEN for call in github.calls)
        return f"{annotation.level}: {annotation.message}"

    return told
