"""Whether an extraction is right, and if not, why."""

from __future__ import annotations

from collections.abc import Callable

from pytest_nlpeval.tasks.exemplar.options import Options

NO_RELATION = "no-relation-in-gold"
MISSING_TRIGGER = "missing-trigger"
NOT_ALLOWED = "token-not-allowed"
NOT_EXTRACTED = "not-extracted"


def reason(trigger: str, windows: str, extraction: str) -> str:
    """Return why an extraction is wrong or a relation missed: the first reason that holds, or "" if all is right.

    All three are texts of tokens, "" where there is none.

    >>> reason("acquisition", "'s of", "acquisition of"), reason("acquisition", "'s of", "acquisition by")
    ('', 'token-not-allowed')
    """
    if not extraction:
        return NOT_EXTRACTED if trigger else ""
    if not trigger:
        return NO_RELATION
    tokens, needed = set(extraction.split()), set(trigger.split())
    if not needed <= tokens:
        return MISSING_TRIGGER
    return "" if tokens <= needed.union(windows.split()) else NOT_ALLOWED


def fold_of(options: Options) -> Callable[[str], str]:
    """Return what is done to texts before their tokens are compared."""
    return str.casefold if options.ignore_case else str
