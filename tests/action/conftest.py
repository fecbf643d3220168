"""The action, installed once as its first step does it, and used by all tests with work folders of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.action.runner import Job, Runner
from tests.support import write

Act = Callable[..., Job]


STOLEN = ("pip", "venv", "json", "secrets", "shlex", "numpy", "hatchling", "pytest_nlpeval")
"""Modules that the repository has too, on PYTHONPATH: each would leave the file `pwned`."""


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The step that installs, run for real in a hostile repository: a virtual environment of its own, with xdist."""
    folder = tmp_path_factory.mktemp("installation")
    workspace = write(folder / "workspace", {f"{name}.py": "open('pwned', 'w')\n" for name in STOLEN})
    job = Runner(workspace, folder / "scratch", {"PYTHONPATH": str(workspace)}).action({"jobs": "2"}, only=["install"])
    assert job.succeeded, job.log
    return job


@pytest.fixture(scope="session")
def installed(installation: Job) -> dict[str, str]:
    """The outputs of that step."""
    return installation.steps["install"]


@pytest.fixture
def act(installed: dict[str, str], tmp_path: Path) -> Act:
    """Runs the action on a workspace, all steps but the first."""

    def run(workspace: Path, inputs: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None) -> Job:
        scratch = tmp_path / "scratch"
        runner = Runner(workspace, scratch, environment)
        work = scratch / f"work{len(list(scratch.iterdir()))}"
        work.mkdir()
        seed = {"install": {**installed, "work": str(work)}}
        return runner.action(inputs, only=["test", "report", "Judge"], seed=seed)

    return run
