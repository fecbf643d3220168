"""Counts calls instead of seconds: the same code and the same input give the same number on any machine, however busy it is.

A call counts if a function of the package is called, or if one calls a function of anything else: a library's, or one written in C. What
a library does within itself does not count, nor do comprehensions, which are functions up to Python 3.11 only, nor what happens while a
module is imported. So the number hardly depends on versions of Python and of libraries.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

import pytest_nlpeval
from pytest_nlpeval.run.case import collector_paused

PACKAGE = str(Path(pytest_nlpeval.__file__).parent)
INLINED = {"<listcomp>", "<dictcomp>", "<setcomp>"}

Calls = Counter[str]
"""By function of the package, as module and function: how often it was called, and how many calls it made of what is not the package's."""


def count_calls(work: Callable[[], object]) -> Calls:
    """Return the calls that some work makes in this thread; what functions of the package remember is forgotten before.

    The garbage collector, which may come at any moment and calls what ends objects of earlier work, comes before and not meanwhile.
    """
    _forget()
    gc.collect()
    watch, before = _Watch(), sys.getprofile()
    with collector_paused():
        sys.setprofile(watch)
        try:
            work()
        finally:
            sys.setprofile(before)
    by_name = Calls()
    for code, number in watch.calls.items():
        by_name[watch.name_of(code)] += number
    return by_name


class _Watch:
    """What Python calls at each call and return: see `sys.setprofile`."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()
        self._names: dict[CodeType, str] = {}
        self._importing: FrameType | None = None

    def name_of(self, code: CodeType) -> str:
        """Return the name of a function, "" if it is none of the package's."""
        if code not in self._names:
            self._names[code] = _name(code)
        return self._names[code]

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count a call, unless a module is being imported."""
        if self._importing is not None:
            if event == "return" and frame is self._importing:
                self._importing = None
        elif event == "c_call":
            if self.name_of(frame.f_code):
                self.calls[frame.f_code] += 1
        elif event == "call":
            self._count(frame)

    def _count(self, frame: FrameType) -> None:
        code, caller = frame.f_code, frame.f_back
        if code.co_name == "<module>":
            self._importing = frame
        elif self.name_of(code):
            self.calls[code] += code.co_name not in INLINED
        elif caller is not None and self.name_of(caller.f_code):
            self.calls[caller.f_code] += 1


def _forget() -> None:
    """Empty what `functools.cache` keeps for functions of the package's modules, but for templates, which a library compiles."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pytest_nlpeval") and not name.endswith("reports.markup"):
            for thing in list(vars(module).values()):
                if callable(clear := getattr(thing, "cache_clear", None)):
                    clear()


def _name(code: CodeType) -> str:
    """Return how a function of the package is called, without the comprehension that it stands in; "" for any other function."""
    if not code.co_filename.startswith(PACKAGE) or not code.co_filename.endswith(".py"):
        return ""
    module = Path(code.co_filename).relative_to(PACKAGE).with_suffix("")
    steps = (step for step in code.co_qualname.replace(".<locals>", "").split(".") if step not in INLINED)
    return ".".join((*module.parts, *steps))
