"""Which annotations are scored and how: the lines of the scorer's configuration."""

from __future__ import annotations

import hashlib
from typing import Literal, NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass

LineKind = Literal["markable", "one2one", "many2one", "instance"]
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
    kind: LineKind
    specificity: Specificity
    attributes: tuple[str, ...]
    line: int | None = None


@light_dataclass(frozen=True, slots=True)
class Configuration:
    """All lines, in their order."""

    types: tuple[AnnotationType, ...]

    @property
    def markables(self) -> tuple[AnnotationType, ...]:
        """The markables."""
        return self._of_kind("markable")

    @property
    def relations(self) -> tuple[AnnotationType, ...]:
        """The relations: one2one and many2one."""
        return self._of_kind("one2one", "many2one")

    @property
    def one2one(self) -> tuple[AnnotationType, ...]:
        """The relations with one source."""
        return self._of_kind("one2one")

    @property
    def instances(self) -> tuple[AnnotationType, ...]:
        """The empty markables that are comparable, or not."""
        return self._of_kind("instance")

    @property
    def with_attributes(self) -> frozenset[str]:
        """The NAMEs whose attributes are scored."""
        return frozenset(line.name for line in self.types if line.attributes)

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits, the same for the same lines in any order."""
        lines = sorted((line.name, line.kind, line.specificity, *line.attributes) for line in self.types)
        return hashlib.sha256(repr(lines).encode()).hexdigest()[:8]

    def _of_kind(self, *kinds: LineKind) -> tuple[AnnotationType, ...]:
        return tuple(line for line in self.types if line.kind in kinds)
