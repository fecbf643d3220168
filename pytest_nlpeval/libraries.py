"""numpy and lxml's etree, each imported when the first of its names is asked for: telling what a task is needs neither.

Modules that only tell of measures and problems until files are read take them from here.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["etree", "import_numpy_for_one_processor", "np"]

_THREADS = "OPENBLAS_NUM_THREADS"


def import_numpy_for_one_processor() -> None:
    """Import numpy such that it multiplies matrices in one thread, unless it is there already or the environment says how many.

    Several processes that each use all processors wait for each other most of the time. The environment is left as it was.
    """
    if "numpy" in sys.modules or _THREADS in os.environ:
        return
    os.environ[_THREADS] = "1"
    try:
        import_module("numpy")
    finally:
        del os.environ[_THREADS]


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
