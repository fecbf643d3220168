"""The names of the columns of evidence, and what they tell of labels and groups."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, Self

from pytest_nlpeval.tasks.labels.options import Options

JUDGED = "judged"
GOLD, SYSTEM = "gold", "system"
LONE = "p"
PROBABILITY = "p."
GROUP = "group."


def pair_column(group: str, label: str) -> str:
    """Return the name of the column that says that a label occurs in a group; the values of groups have no dot."""
    return f"{GROUP}{group}.{label}"


class Names(NamedTuple):
    """The labels and groups of a suite.

    `labels` (L) have measures; `averaged` (A) are those that averages are over. `every` has L first, then the labels that are not in it:
    unknown ones, and averaged ones that nobody has; `places` says where each is. `groups` has the labels of L that occur in each group,
    and `group_places` says where each group is.
    """

    labels: tuple[str, ...]
    averaged: tuple[str, ...]
    every: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    places: dict[str, int]
    group_places: dict[str, int]

    @classmethod
    def of(cls, options: Options, columns: Iterable[str]) -> Self:
        """Return what the columns of evidence tell."""
        return cls._of(options, tuple(columns))

    @classmethod
    @lru_cache(maxsize=8)
    def _of(cls, options: Options, columns: tuple[str, ...]) -> Self:
        occurring = {
            column.removeprefix(f"{side}.") for column in columns for side in (GOLD, SYSTEM) if column.startswith(f"{side}.")
        }
        labels = options.all_labels or tuple(sorted(occurring))
        averaged = tuple(label for label in options.averaged if label in labels or not options.all_labels) or labels
        every = labels + tuple(sorted((occurring | set(averaged)) - set(labels)))
        measured = frozenset(labels)
        groups: dict[str, list[str]] = {}
        for column in sorted(column for column in columns if column.startswith(GROUP)):
            group, _, label = column.removeprefix(GROUP).partition(".")
            groups.setdefault(group, [])
            if label and label in measured:
                groups[group].append(label)
        inside = {group: tuple(occurring) for group, occurring in groups.items()}
        places, group_places = ({name: place for place, name in enumerate(names)} for names in (every, inside))
        return cls(labels, averaged, every, inside, places, group_places)
