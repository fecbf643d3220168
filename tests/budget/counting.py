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
from functools import cache
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
        sys.setprofile(watch.hook())
        try:
            work()
        finally:
            sys.setprofile(before)
    by_name = Calls()
    for key, number in watch.calls.items():
        by_name[watch.names[key]] += number
    return by_name


class _Watch:
    """What was called, by the identity of the code: a code's hash is worked out of all that is in it, each time.

    `names` has functions of the package alone. `_kept` keeps all codes that were seen, so that no other one gets the identity of one.
    """

    def __init__(self) -> None:
        self.calls: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self._kept: dict[int, CodeType] = {}

    def _is_own(self, code: CodeType) -> bool:
        """Whether a code that was not seen before is a function of the package."""
        key = id(code)
        self._kept[key] = code
        if name := _name(code.co_filename, code.co_qualname):
            self.names[key], self.calls[key] = name, 0
        return bool(name)

    def hook(self) -> Callable[[FrameType, str, object], None]:
        """Return what Python calls at each call and return, see `sys.setprofile`: it counts calls, unless a module is being imported."""
        calls, kept, is_own, called = self.calls, self._kept, self._is_own, self._called
        importing: FrameType | None = None

        def watch(frame: FrameType, event: str, _argument: object) -> None:
            nonlocal importing
            if importing is not None:
                if event == "return" and frame is importing:
                    importing = None
            elif event == "c_call":
                key = id(code := frame.f_code)
                if key in calls or (key not in kept and is_own(code)):
                    calls[key] += 1
            elif event == "call":
                if (code := frame.f_code).co_name == "<module>":
                    importing = frame
                else:
                    called(code, frame)

        return watch

    def _called(self, code: CodeType, frame: FrameType) -> None:
        """Count the call of a function that is not one of C."""
        calls, kept, key = self.calls, self._kept, id(code)
        if key in calls or (key not in kept and self._is_own(code)):
            calls[key] += code.co_name not in INLINED
        elif (caller := frame.f_back) is not None:
            key = id(code := caller.f_code)
            if key in calls or (key not in kept and self._is_own(code)):
                calls[key] += 1


def _forget() -> None:
    """Empty what `functools.cache` keeps for functions of the package's modules, but for templates, which a library compiles."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pytest_nlpeval") and not name.endswith("reports.markup"):
            for thing in list(vars(module).values()):
                if callable(clear := getattr(thing, "cache_clear", None)):
                    clear()


@cache
def _name(file: str, qualified: str) -> str:
    """Return how a function of the package is called, without the comprehension that it stands in; "" for any other function."""
    if not file.startswith(PACKAGE) or not file.endswith(".py"):
        return ""
    module = Path(file).relative_to(PACKAGE).with_suffix("")
    steps = (step for step in qualified.replace(".<locals>", "").split(".") if step not in INLINED)
    return ".".join((*module.parts, *steps))
