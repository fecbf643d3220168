"""Imports point down the list of layers only, and the core neither knows pytest nor prints, exits or asserts."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "pytest_nlpeval"

LAYERS = (
    ("plugin",),
    ("session",),
    ("nodes",),
    ("cli",),
    ("reports",),
    ("scoring",),
    ("engine",),
    ("store",),
    ("configuration",),
    ("suite_reader",),
    ("suite",),
    ("gates",),
    ("tasks",),
    ("task",),
    ("metrics",),
    ("measures",),
    ("evidence",),
    ("formats",),
    ("paths",),
    ("problems",),
    ("escape",),
    ("resources",),
)
RANKS = {name: rank for rank, names in enumerate(LAYERS) for name in names}
PYTEST_LAYERS = {"plugin", "session", "nodes"}
MODULES = sorted(
    path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if path.name != "__init__.py" or path.parent != PACKAGE
)


def _layer(module: Path) -> str:
    return module.parts[0].removesuffix(".py")


def _imports(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _tree(module: Path) -> ast.Module:
    return ast.parse((PACKAGE / module).read_text())


def _runtime_tree(module: Path) -> ast.Module:
    """Return the module without what only a type checker sees."""

    class Drop(ast.NodeTransformer):
        def visit_If(self, node: ast.If) -> ast.AST | None:
            return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node

    tree = _tree(module)
    Drop().visit(tree)
    return tree


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_point_down(module: Path) -> None:
    own = _layer(module)
    for name in _imports(_runtime_tree(module)):
        parts = name.split(".")
        if parts[0] != "pytest_nlpeval" or len(parts) < 2 or parts[1] not in RANKS:
            continue
        assert RANKS[parts[1]] >= RANKS[own], f"{module} imports {name}"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_no_task_imports_another(module: Path) -> None:
    if module.parts[0] != "tasks" or len(module.parts) < 3:
        return
    others = {name for name in _imports(_tree(module)) if name.startswith("pytest_nlpeval.tasks.")}
    assert all(name.split(".")[2] == module.parts[1] for name in others)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_the_pytest_layers_know_pytest(module: Path) -> None:
    if _layer(module) not in PYTEST_LAYERS:
        assert not {name for name in _imports(_tree(module)) if name.split(".")[0] in ("pytest", "_pytest")}


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_core_neither_prints_nor_exits_nor_asserts(module: Path) -> None:
    tree = _tree(module)
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not calls & {"eval", "exec", "compile", "__import__", "breakpoint", "input", "exit", "quit"}
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    if _layer(module) != "cli":
        assert "print" not in calls
        assert not any(name.startswith("sys.") and name.endswith("exit") for name in _imports(tree))


def test_every_module_has_a_layer() -> None:
    assert {_layer(module) for module in MODULES} == set(RANKS)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_modules_and_functions_stay_small(module: Path) -> None:
    text = (PACKAGE / module).read_text()
    assert text.count("\n") <= 350
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{module}:{node.lineno} {node.name}"
