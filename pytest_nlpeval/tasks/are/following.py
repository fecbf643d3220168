"""Follows a system's own answers, from pronoun to pronoun, to a mention that says who is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Generic, Literal

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.are.mentions import M

End = Literal["resolved", "unanswered", "wrong", "cycle"]
"""How the way from a pronoun ends, in this order.

At a mention of the chain that is not a pronoun; at a pronoun without an answer; with a wrong answer; at a pronoun that the way has passed.
"""


@light_dataclass(frozen=True, slots=True)
class Ways(Generic[M]):
    """The answers that a system gives for the pronouns of gold chains.

    `pronouns` are those of the chains, listed or not. `targets` maps each pronoun that has an answer to the mention of its own chain that
    the answer is taken for, or to None if the answer is for no mention of the chain.
    """

    pronouns: Collection[M]
    targets: Mapping[M, M | None]

    def ends(self) -> dict[M, End]:
        """Return how the way from each pronoun ends.

        A way that reaches a pronoun whose end is already worked out ends as that one does. Time is therefore linear in the number of
        pronouns, however long the ways are.
        """
        ends: dict[M, End] = {}
        for first in self.pronouns:
            path: dict[M, None] = {}
            mention = first
            end: End | None = None
            while end is None:
                end = ends.get(mention) or ("cycle" if mention in path else self._end_at(mention))
                path[mention] = None
                target = self.targets.get(mention)
                mention = mention if target is None else target
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
        """Yield the mentions on the way from a pronoun, the pronoun first. A mention that the way has passed before is the last one."""
        seen: set[M] = set()
        mention: M | None = pronoun
        while mention is not None:
            yield mention
            if mention in seen or mention not in self.pronouns:
                return
            seen.add(mention)
            mention = self.targets.get(mention)
