"""Which annotations are scored and how: the lines of the scorer's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["markable", "one2one", "many2one", "instance"]
Specificity = Literal["directional", "undirectional", "comparable", "non-comparable", "0"]

SPECIFICITIES: dict[str, tuple[Specificity, ...]] = {
    "markable": ("0",),
    "one2one": ("directional", "undirectional"),
    "many2one": ("directional", "undirectional"),
    "instance": ("comparable", "non-comparable"),
}
"""Which specificities a line of each kind may have."""


class AnnotationType(NamedTuple):
    """One line: `NAME type specificity attribute…`. The same name may be a markable and an instance. `line` from 1, or None."""

    name: str
    kind: Kind
    specificity: Specificity
    attributes: tuple[str, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """All lines, in their order."""

    types: tuple[AnnotationType, ...]

    def of_kind(self, *kinds: Kind) -> tuple[AnnotationType, ...]:
        """Return the lines of these kinds, in their order."""
        return tuple(line for line in self.types if line.kind in kinds)
