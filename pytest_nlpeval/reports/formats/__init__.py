"""The formats of reports, a module each: `render(kind, document, setting)` returns the text of a report in pieces.

A format is found by its module's being here, and works for every kind of report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

_ONLY_OF: Mapping[str, Sequence[str]] = {"native": ("run",)}
"""The formats that not every kind of report has, with the kinds that have them."""


def formats_of(kind: str) -> tuple[str, ...]:
    """Return the names of the formats that a kind of report has, in alphabetical order."""
    names = sorted(path.stem for folder in __path__ for path in Path(folder).glob("[!_]*.py"))
    return tuple(name for name in names if kind in _ONLY_OF.get(name, (kind,)))
