"""Shows the examples in docstrings as code, as Markdown takes their `>>>` for quotes, and which classes are dataclasses."""

from __future__ import annotations

import re
from typing import Any

from griffe import Class, Extension, Object

EXAMPLE = re.compile(r"(?m)^>>> (?:.+\n?)+")


class Examples(Extension):
    """Puts fences around examples, each of which ends with a blank line."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = with_fences(obj.docstring.value)

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Label a class that `frozen_dataclass` makes: griffe knows the decorator of the standard library alone."""
        if any(str(decorator.value).startswith("frozen_dataclass(") for decorator in cls.decorators):
            cls.labels.add("dataclass")


def with_fences(text: str) -> str:
    r"""Return a docstring with its examples as blocks of code.

    >>> with_fences("Adds.\n\n>>> 1 + 1\n2").splitlines()
    ['Adds.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    return EXAMPLE.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", text)
