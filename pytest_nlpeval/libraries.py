"""numpy and lxml's etree, each imported when the first of its names is asked for: telling what a task is needs neither.

Modules that only tell of measures and problems until files are read take them from here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["etree", "np"]

if TYPE_CHECKING:
    import numpy as np
    from lxml import etree
else:

    class _Library:
        def __init__(self, module: str) -> None:
            self._module = module

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module(self._module), name)
            setattr(self, name, found)  # asked for once only
            return found

    np = _Library("numpy")
    etree = _Library("lxml.etree")
