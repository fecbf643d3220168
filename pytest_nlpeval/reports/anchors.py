"""Names of places on a page that stay the same from run to run, so that links to them keep working."""

from __future__ import annotations

import re

LONGEST = 80
"""Code points of a name."""


class Anchors:
    """Gives each place of a page an id of its own, made of its name."""

    def __init__(self, *taken: str) -> None:
        """Start with ids that are taken."""
        self._taken = set(taken)
        self._tried: dict[tuple[str, ...], int] = {}

    def name(self, text: str, *parts: str) -> str:
        """Return an id for a text; the id with a dot and each of the parts is free, too, and taken then.

        Letters, digits and `. - _ / +` stay; anything else becomes `_`. What comes later under the same name is numbered.

        >>> anchors = Anchors("overview")
        >>> anchors.name("news/ours", "gates"), anchors.name("a b?"), anchors.name("a b!"), anchors.name("overview")
        ('news/ours', 'a_b_', 'a_b_~2', 'overview~2')
        """
        plain = re.sub(r"[^\w./+-]", "_", text)[:LONGEST] or "_"
        rank = self._tried.get((plain, *parts), 1)
        name = plain if rank == 1 else f"{plain}~{rank}"
        while not self._taken.isdisjoint((name, *(f"{name}.{part}" for part in parts))):
            rank += 1
            name = f"{plain}~{rank}"
        self._taken.update((name, *(f"{name}.{part}" for part in parts)))
        self._tried[plain, *parts] = rank
        return name
