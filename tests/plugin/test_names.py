"""The public names stay what they are, whatever else was imported before: the plugin imports submodules of the same name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support import apart


@pytest.mark.parametrize("first", ["score", "load_suites", "SuiteResult"])
def test_evaluate_is_a_function_after_other_imports(tmp_path: Path, first: str) -> None:
    program = f"from pytest_nlpeval import {first}, evaluate; print(callable(evaluate))"
    assert apart(tmp_path, [sys.executable, "-c", program]).out == "True\n"


def test_all_public_names(tmp_path: Path) -> None:
    program = (
        "import pytest_nlpeval.pytest_plugin.fixture, pytest_nlpeval.cli, types; import pytest_nlpeval as package; "
        "print([name for name in package.__all__ if isinstance(getattr(package, name), types.ModuleType)])"
    )
    assert apart(tmp_path, [sys.executable, "-c", program]).out == "[]\n"
