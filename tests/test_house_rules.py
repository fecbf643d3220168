"""The core neither prints nor exits nor asserts, modules and functions stay small; layers are checked by import-linter (pyproject.toml)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "pytest_nlpeval"
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def _imports(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_core_neither_prints_nor_exits_nor_asserts(module: Path) -> None:
    tree = ast.parse((PACKAGE / module).read_text())
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not calls & {"eval", "exec", "compile", "__import__", "breakpoint", "input", "exit", "quit"}
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    if module.parts[0] != "cli":
        assert "print" not in calls
        assert not any(name.startswith("sys.") and name.endswith("exit") for name in _imports(tree))


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_modules_and_functions_stay_small(module: Path) -> None:
    text = (PACKAGE / module).read_text()
    assert text.count("\n") <= 350
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{module}:{node.lineno} {node.name}"
