"""How a process of pytest imports the modules of this package: as Python does.

pytest rewrites the assertions of all modules that come with a plugin. Its importer hashes the source of each and reads what is compiled
value by value, which takes an eighth of a small run. The modules of this package have no assertions (`tests/test_house_rules.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class _OwnModules(MetaPathFinder):
    """Finds the modules of this package; all others are left to the next finder."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where Python finds a module of this package, None for any other."""
        return PathFinder.find_spec(fullname, path, target) if fullname.startswith("pytest_nlpeval.") else None


def import_as_python_does() -> None:
    """Import all modules of this package as Python does, from now on and for as long as the process lives."""
    sys.meta_path.insert(0, _OwnModules())
