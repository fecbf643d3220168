"""Settings that stand in a `pyproject.toml`, where nothing reads them: they are refused, never ignored."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from pytest_nlpeval.files import FILE_KINDS, is_inside, label, read_source, repository_root
from pytest_nlpeval.problems import Kind, Problem, ProblemLog

FILE = "pyproject.toml"

TABLES = ("nlpeval", "pytest-nlpeval", "pytest_nlpeval")
"""The names below `tool` under which somebody may expect that settings are read."""

PYPROJECT_KINDS = {
    "config.pyproject": Kind("error", "pyproject.toml has a table of settings, which nothing reads", fixed=True),
}

_MOST_BYTES = 1 << 20


def misplaced_tables(folder: Path, root: Path | None = None) -> Iterator[Problem]:
    """Yield a problem for each table of settings in the `pyproject.toml` of a folder and of those above it, up to the root.

    Without `root` that is the folder's repository, or the folder itself. A file that cannot be read, or is no TOML, has no table.
    """
    folder = folder.resolve()
    root = (root or repository_root(folder / FILE)).resolve()
    inside = [above for above in (folder, *folder.parents) if is_inside(above, root)]
    for place in inside or [folder]:
        yield from _tables_in(place / FILE, root)


def _tables_in(path: Path, root: Path) -> Iterator[Problem]:
    if not os.path.isfile(path):  # noqa: PTH113 - never raises
        return
    source = read_source(path, ProblemLog("", FILE_KINDS), _MOST_BYTES)
    if source is None or b"nlpeval" not in source.data:
        return
    text = source.data.decode("utf-8", "replace")
    for name in _tables_of(text):
        header = re.search(rf"^[ \t]*\[[^\]\n]*\btool\b[^\]\n]*{name}\b", text, re.MULTILINE)
        line = text.count("\n", 0, header.start()) + 1 if header else None
        cure = f"write the suites into nlpeval.yaml beside it (`nlpeval init` writes one), and delete the table [tool.{name}]"
        message = f"nothing reads [tool.{name}]; {cure}; options of pytest belong to `addopts` of pytest"
        yield Problem("config.pyproject", "error", label(path, root), line, None, "", message)


def _tables_of(text: str) -> list[str]:
    import tomllib

    try:
        tools = tomllib.loads(text).get("tool")
    except (ValueError, RecursionError):  # not only of what is no TOML: of a number with thousands of digits, too
        return []
    return [name for name in TABLES if isinstance(tools, dict) and name in tools]
