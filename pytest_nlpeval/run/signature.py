"""Signatures: whatever changes a score of a suite."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self

RULE = "rule"
"""What the facts begin with that are rules: `rule:rte.ties`."""


class Signature(NamedTuple):
    """The task and the facts, such as options and the version, by their names. As text it is `task|name:value|name:value`.

    Names hold neither `|` nor `:`, but for those of rules, `rule:CODE`. Values may hold both: between two `|`, a piece without a `:` is a
    part of the value before it. A value that holds `|name:` is read back as two facts; the text stays the same.
    """

    task: str
    facts: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, task: str, facts: Iterable[tuple[str, object]]) -> Self:
        """Return the signature with the values as text."""
        return cls(task, tuple((name, str(value)) for name, value in facts))

    def __str__(self) -> str:
        """Return task and facts as text."""
        return "|".join([self.task, *(f"{name}:{value}" for name, value in self.facts)])

    def to_json(self) -> str:
        """Return the JSON report's form, the text."""
        return str(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text.

        >>> Signature.from_json("labels|separator:|||rule:labels.extra:off|v:1").facts
        (('separator', '||'), ('rule:labels.extra', 'off'), ('v', '1'))
        """
        task, *pieces = text.split("|")
        facts: list[str] = []
        for piece in pieces:
            if ":" in piece:
                facts.append(piece)
            elif facts:
                facts[-1] += f"|{piece}"
            else:
                task += f"|{piece}"
        return cls(task, tuple(map(_fact, facts)))


def _fact(text: str) -> tuple[str, str]:
    name, _, value = text.partition(":")
    if name == RULE and ":" in value:
        code, _, value = value.partition(":")
        name = f"{RULE}:{code}"
    return name, value
