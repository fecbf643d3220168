"""numpy and lxml's etree, each imported when the first of its names is asked for: telling what a task is needs neither.

Modules that only tell of measures and problems until files are read take them from here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["etree", "np", "one_processor"]

_THREADS = "OPENBLAS_NUM_THREADS"


@contextmanager
def one_processor() -> Iterator[None]:
    """If numpy is imported inside, it multiplies matrices in one thread, unless the environment says how many.

    Our matrices are so narrow that a second thread wins nothing; where another process needs the processor, the first one waits for it
    most of the time. The environment is left as it was.
    """
    if "numpy" in sys.modules or _THREADS in os.environ:
        yield
        return
    os.environ[_THREADS] = "1"
    try:
        yield
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
