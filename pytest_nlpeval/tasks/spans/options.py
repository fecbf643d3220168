"""Options of the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Format = Literal["conll", "jsonl", "brat"]
Reading = Literal["lenient", "strict"]
Scheme = Literal["IOB1", "IOB2", "IOE1", "IOE2", "IOBES"]
Side = Literal["gold", "system"]

LAST = 0
"""Stands for a line's last column."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column, from 1, holds the token, and which the tag in a gold and in a system file; `LAST` for the last."""

    token: int = 1
    gold: int = LAST
    system: int = LAST


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose. `labels` are those that are scored, None for all; the last three concern the format conll alone.

    Without `scheme` each file tells its own.
    """

    format: Format = "conll"
    labels: tuple[str, ...] | None = None
    reading: Reading = "lenient"
    scheme: Scheme | None = None
    columns: Columns = Columns()


def make_options(
    *, labels: Sequence[str] | None = None, columns: Mapping[str, int | str] | None = None, **others: Any
) -> Options:
    """Return the options that satisfy the task's schema."""
    places: dict[str, Any] = {side: LAST if place == "last" else place for side, place in (columns or {}).items()}
    return Options(labels=None if labels is None else tuple(labels), columns=Columns(**places), **others)
