"""The wheel, built once, and programs that run apart from this process's packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def run(python: str | Path, folder: Path, *arguments: str, path: Path | None = None) -> str:
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run([str(python), *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, ROOT, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder))
    (built,) = folder.glob("*.whl")
    return built
