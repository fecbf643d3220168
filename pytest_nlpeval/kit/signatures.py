"""The signature of a task's options: whatever changes a score, as reports write it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, TypeAlias

Exceptions: TypeAlias = Mapping[str, Callable[[Any], str | None]]


def signature_of(**exceptions: Callable[[Any], str | None]) -> Callable[[Any, Collection[str]], Mapping[str, str]]:
    """Return the `signature` of a task, whose options are a dataclass: the name and the value of each, in the order of its fields.

    An exception gives the text of the option of its name from all options; None leaves that out. Functions that can be pickled make a
    signature that can be pickled.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Options:
    ...     language: str | None = None
    ...     ignore_case: bool = True
    ...     words: tuple[str, ...] = ("it", "he")
    >>> signature_of()(Options(), ())
    {'language': 'none', 'ignore_case': 'true', 'words': 'it,he'}
    >>> signature_of(words=lambda options: None)(Options(), ())
    {'language': 'none', 'ignore_case': 'true'}
    """
    return partial(_signature, exceptions)


def _signature(exceptions: Exceptions, options: Any, _columns: Collection[str]) -> Mapping[str, str]:
    texts = {
        field.name: exceptions[field.name](options) if field.name in exceptions else _text(getattr(options, field.name))
        for field in fields(options)
    }
    return {name: text for name, text in texts.items() if text is not None}


def _text(value: object) -> str:
    """Return an option as text that can stand between the bars of a signature."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Collection) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return str(value).replace("|", "\\u007c")
