"""The schemas are found, and the plugin is registered, from a wheel, an editable install and a bare checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SCRIPT = """
import json, pathlib, pytest_nlpeval
from pytest_nlpeval.files import schema_path
from pytest_nlpeval.tasks import TASKS, load_task
names = [load_task(name).name for name in TASKS]
print(json.dumps([str(pathlib.Path(pytest_nlpeval.__file__).parent), str(schema_path("rte.dtd").parent), names]))
"""


def run(python: str | Path, folder: Path, *arguments: str, path: Path | None = None) -> str:
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run([str(python), *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def found(output: str) -> tuple[Path, Path]:
    package, schemas, names = __import__("json").loads(output)
    assert set(names) >= {"rte", "exemplar"}
    return Path(package), Path(schemas)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, ROOT, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder))
    (built,) = folder.glob("*.whl")
    return built


def test_checkout(tmp_path: Path) -> None:
    package, schemas = found(run(sys.executable, tmp_path, "-c", SCRIPT, path=ROOT))
    assert package == ROOT / "pytest_nlpeval"
    assert schemas == ROOT / "schemas"


def test_wheel(tmp_path: Path, wheel: Path) -> None:
    site = tmp_path / "site"
    run(sys.executable, tmp_path, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    package, schemas = found(run(sys.executable, tmp_path, "-c", SCRIPT, path=site))
    assert package == site / "pytest_nlpeval"
    assert schemas == site / "pytest_nlpeval/schemas"
    assert sorted(path.name for path in schemas.iterdir()) == sorted(path.name for path in (ROOT / "schemas").iterdir())
    metadata = next(site.glob("*.dist-info"))
    assert "nlpeval = pytest_nlpeval.plugin" in (metadata / "entry_points.txt").read_text()
    assert (package / "py.typed").exists()


def test_editable(tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin/python"
    libraries = sysconfig.get_path("purelib")
    run(
        sys.executable,
        tmp_path,
        "-m",
        "pip",
        f"--python={python}",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
        "--editable",
        str(ROOT),
        path=Path(libraries),
    )
    package, schemas = found(run(python, tmp_path, "-c", SCRIPT, path=Path(libraries)))
    assert package == ROOT / "pytest_nlpeval"
    assert schemas == ROOT / "schemas"
    own = next((environment / "lib").glob("python*/site-packages"))
    assert "nlpeval" in (next(own.glob("pytest_nlpeval*.dist-info")) / "entry_points.txt").read_text()
