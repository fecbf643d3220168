"""The names of the columns of evidence, and what they tell."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Self

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.records.options import Options
from pytest_nlpeval.tasks.records.rules import all_upwards

PRESENT, PARSED, VALID, EXACT = "present", "parsed", "valid", "exact"
GOLD, SYSTEM, CREDIT, DIFFERS = "gold", "system", "credit", "differs"
"""Of fields: the number of gold's, that of the system's, credit, and whether a parsed record disagrees with gold."""

SIDES = (GOLD, SYSTEM, CREDIT)

ALL = ""
"""What stands for all paths together."""

FIELD, LIST, VIEW, VALUE = "field", "list", "view", "value"
IN_LISTS = "in-lists"
"""A column without numbers says that gold has objects in lists at a path."""

GROUP = "group."

CONFUSED = "confused"
"""The wrong values of each record that are among the most frequent ones of its document: each a line, a JSON list of path, gold, system."""


def column_of(kind: str, side: str, name: str) -> str:
    """Return the name of the column with the numbers of a side at a path, or of a view."""
    return f"{kind}:{side}:{name}"


def value_name(view: str, value: str) -> str:
    """Return the name under which a value of a view's field `by` has columns; a view's name has no dot."""
    return f"{view}.{value}"


@light_dataclass(frozen=True, slots=True)
class Names:
    """What has measures: paths, lists, the values of each view with a field `by`, and groups."""

    paths: tuple[str, ...]
    lists: tuple[str, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]
    groups: tuple[str, ...]
    has_valid: bool

    @classmethod
    def of(cls, options: Options, columns: Iterable[str]) -> Self:
        """Return what the columns of evidence tell."""
        return cls._of(options, tuple(columns))

    @classmethod
    @lru_cache(maxsize=8)
    def _of(cls, options: Options, columns: tuple[str, ...]) -> Self:
        def named(kind: str, side: str) -> list[str]:
            start = column_of(kind, side, "")
            return [column.removeprefix(start) for column in columns if column.startswith(start) and column != start]

        paths = set(named(FIELD, GOLD))
        paths |= set(options.fields) - all_upwards(paths)
        every = set(named(VALUE, GOLD)) | set(named(VALUE, SYSTEM))
        values = tuple(
            (view.name, tuple(sorted(v.removeprefix(f"{view.name}.") for v in every if v.startswith(f"{view.name}."))))
            for view in options.views
            if view.by
        )
        groups = tuple(sorted(column.removeprefix(GROUP) for column in columns if column.startswith(GROUP)))
        return cls(tuple(sorted(paths)), tuple(sorted(set(named(IN_LISTS, GOLD)))), values, groups, VALID in columns)
