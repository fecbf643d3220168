"""How a process of pytest imports the modules of this package: as Python does.

pytest rewrites the assertions of all modules that come with a plugin, by an importer that hashes each source and reads what is compiled
bit by bit. These modules have no assertions, and that importer takes a fifth of a small run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class _OwnModules(MetaPathFinder):
    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where Python finds a module of this package; None for any other, which the next finder is asked for."""
        return PathFinder.find_spec(fullname, path, target) if fullname.startswith("pytest_nlpeval.") else None


def import_as_python_does() -> None:
    """Import all modules of this package as Python does, from now on and for as long as the process lives."""
    sys.meta_path.insert(0, _OwnModules())
