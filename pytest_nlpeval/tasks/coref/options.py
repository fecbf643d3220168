"""Options of the task."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pytest_nlpeval.light_dataclasses import light_dataclass

Singletons = Literal["keep", "remove"]
Match = Literal["exact", "head", "partial"]
Profile = Literal["standard", "corefud-1.2"]
Format = Literal["conll", "jsonl", "corefud"]

COREFUD_1_2: Profile = "corefud-1.2"


@light_dataclass(frozen=True, slots=True)
class Options:
    """What the user chose; None stands for what the scorer of gold's format does."""

    singletons: Singletons | None = None
    match: Match | None = None
    profile: Profile = "standard"

    def settled(self, gold: Format) -> Options:
        """Return the options with nothing left open, for gold of a format."""
        is_corefud = gold == "corefud"
        return replace(
            self,
            singletons=self.singletons or ("remove" if is_corefud else "keep"),
            match=self.match or ("head" if is_corefud else "exact"),
        )

    @property
    def keeps_heads_apart(self) -> bool:
        """Whether two mentions of the same places are different ones if their heads differ, which they are in the profile alone."""
        return self.profile == COREFUD_1_2 and self.match in (None, "head")
