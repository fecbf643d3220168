"""Options of the task, and what its editions differ in."""

from __future__ import annotations

from typing import Literal

from pytest_nlpeval.light_dataclasses import light_dataclass


@light_dataclass(frozen=True, slots=True)
class Options:
    """`edition` is the challenge's, 1 to 3; None: the gold file tells.

    `cluster` says which pairs are drawn together: those of one text, or of one task; None for none. `group` says by what all measures are
    also given; the accuracy, the coverage and cws of a task are given in any case.
    """

    edition: int | None = None
    cluster: Literal["t", "task"] | None = None
    group: Literal["task"] | None = None


@light_dataclass(frozen=True, slots=True)
class Edition:
    """The words of an edition: judgments that entailment holds or not, and the application settings."""

    name: str
    attribute: str
    positive: str
    negative: str
    settings: tuple[str, ...]
    has_confidence: bool


FIRST = Edition("1", "value", "TRUE", "FALSE", ("IR", "CD", "RC", "QA", "IE", "MT", "PP"), has_confidence=True)
LATER = Edition("2-3", "entailment", "YES", "NO", ("IE", "IR", "QA", "SUM"), has_confidence=False)


def edition_of(options: Options) -> Edition | None:
    """Return the edition that the options ask for, or None if the gold file is to tell."""
    return None if options.edition is None else (FIRST if options.edition == 1 else LATER)
