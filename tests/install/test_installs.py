"""The schemas are found, and the plugin is registered, from a wheel, an editable install and a bare checkout."""

from __future__ import annotations

import sys
import sysconfig
import venv
from pathlib import Path

from tests.install.conftest import ROOT, run

SCRIPT = """
import json, pathlib, pytest_nlpeval
from pytest_nlpeval.files import schema_path
from pytest_nlpeval.tasks import TASKS, load_task
names = [load_task(name).name for name in TASKS]
print(json.dumps([str(pathlib.Path(pytest_nlpeval.__file__).parent), str(schema_path("rte.dtd").parent), names]))
"""


def found(output: str) -> tuple[Path, Path]:
    package, schemas, names = __import__("json").loads(output)
    assert set(names) >= {"rte", "exemplar"}
    return Path(package), Path(schemas)


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
