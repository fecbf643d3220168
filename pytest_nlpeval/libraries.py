"""numpy, lxml's etree and importlib's metadata, each imported when the first of its names is asked for.

Modules take them from here if they are also imported to tell of tasks, measures and problems, which needs none of them. A run whose tasks
and sources are those of this package reads no metadata.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["etree", "metadata", "np"]

if TYPE_CHECKING:
    from importlib import metadata

    import numpy as np
    from lxml import etree
else:

    class _Library:
        def __init__(self, module: str) -> None:
            self._module = module

        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module(self._module), name)
            setattr(self, name, value)  # Python calls `__getattr__` only for what an object lacks: the next access is a plain one
            return value

    np = _Library("numpy")
    etree = _Library("lxml.etree")
    metadata = _Library("importlib.metadata")
