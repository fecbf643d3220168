"""Options of the task: how relations and features are compared."""

from __future__ import annotations

from typing import Literal

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.ud.inventory import FEATURES

Features = Literal["universal", "all"]


@light_dataclass(frozen=True, slots=True)
class Options:
    """With `subtypes` relations are compared whole, else up to the first colon. `features` says which items of FEATS count."""

    subtypes: bool = False
    features: Features = "universal"

    def relation(self, label: str) -> str:
        """Return the part of a relation that is compared.

        >>> Options().relation("nsubj:pass"), Options(subtypes=True).relation("nsubj:pass")
        ('nsubj', 'nsubj:pass')
        """
        return label if self.subtypes else first_part(label)

    def compared_features(self, feats: str) -> str:
        """Return the items of FEATS that are compared, in one order.

        >>> Options().compared_features("Typo=Yes|Number=Sing|Case=Nom"), Options(features="all").compared_features("_")
        ('Case=Nom|Number=Sing', '')
        """
        items = [] if feats == "_" else feats.split("|")
        if self.features == "universal":
            items = [item for item in items if item.partition("=")[0] in FEATURES]
        return "|".join(sorted(items))


def first_part(label: str) -> str:
    """Return a relation up to its first colon."""
    return label.partition(":")[0]
