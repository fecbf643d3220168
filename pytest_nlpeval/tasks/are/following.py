"""Follows a system's own answers, from pronoun to pronoun, to a mention that says who is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Literal

from pytest_nlpeval.tasks.are.mentions import M

End = Literal["resolved", "unanswered", "wrong", "cycle"]
"""How a way ends: at a mention of the chain that is not a pronoun; at a pronoun without answer; with a wrong answer; where it has been."""


@dataclass(frozen=True, slots=True)
class Ways(Generic[M]):
    """The answers that a system gives for the pronouns of gold chains.

    `pronouns` are those of the chains, listed or not. `targets` holds, for each that is answered, the mention of its own chain that the
    answer is taken for, None if there is none.
    """

    pronouns: Collection[M]
    targets: Mapping[M, M | None]

    def ends(self) -> dict[M, End]:
        """Return how the way from each pronoun ends; in time linear in the number of pronouns, however long the ways are."""
        ends: dict[M, End] = {}
        for first in self.pronouns:
            path: dict[M, None] = {}
            at = first
            end: End | None = None
            while end is None:
                end = ends.get(at) or ("cycle" if at in path else self._end_at(at))
                path[at] = None
                target = self.targets.get(at)
                at = at if target is None else target
            ends |= dict.fromkeys(path, end)
        return ends

    def _end_at(self, pronoun: M) -> End | None:
        """Return how the way ends if it ends with this pronoun's own answer."""
        if pronoun not in self.targets:
            return "unanswered"
        target = self.targets[pronoun]
        if target is None:
            return "wrong"
        return None if target in self.pronouns else "resolved"

    def path(self, pronoun: M) -> Iterator[M]:
        """Yield the mentions on the way from a pronoun, itself first; one where the way has been before ends it."""
        seen: set[M] = set()
        at: M | None = pronoun
        while at is not None:
            yield at
            if at in seen or at not in self.pronouns:
                return
            seen.add(at)
            at = self.targets.get(at)
