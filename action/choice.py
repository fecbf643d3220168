"""What the input `paths` chooses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple


class Place(NamedTuple):
    """A path, and perhaps the suite or item in it (`node`) that alone is meant."""

    path: str
    node: str = ""


def places(given: Iterable[str], resolved: Callable[[str], str] = os.path.realpath) -> list[Place]:
    """Return what the lines of the input name, relative to the current folder, which is meant if there are none.

    A path through a link is there twice, with its target. `resolved` gives the target of a path.
    """
    chosen = []
    for text in given or ["."]:
        path, _, node = text.partition("::")
        here = os.path.relpath(path)
        chosen += [Place(each, node) for each in dict.fromkeys([here, os.path.relpath(resolved(here))])]
    return chosen


def is_chosen(config: str, among: Iterable[Place], suite: str = "") -> bool:
    """Whether one of the places is a configuration, or above it; with `suite`, also whether it is that suite or an item of it."""
    return any(
        PurePosixPath(config).is_relative_to(place.path)
        and (not (place.node and suite) or place.node == suite or place.node.startswith(f"{suite}::"))
        for place in among
    )


def from_top(among: Sequence[Place], up: str) -> list[Place]:
    """Return places relative to the top of the repository; `up` is the current folder relative to it."""
    return [place._replace(path=os.path.normpath(os.path.join(up, place.path))) for place in among]  # noqa: PTH118 - text
