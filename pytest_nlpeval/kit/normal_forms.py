"""Normal forms of texts: the steps that both sides are put through before they are compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import Literal

from pytest_nlpeval.metrics.character_classes import Translation, has_category

_WITHOUT_PUNCTUATION = Translation(lambda character: "" if has_category(character, ("P",)) else character)


def folded(text: str, steps: Collection[str]) -> str:
    """Return a text after the steps `nfc` or `nfkc` (Unicode's normal forms), then `lower`, as far as they are asked for."""
    if "nfkc" in steps or "nfc" in steps:
        form: Literal["NFC", "NFKC"] = "NFKC" if "nfkc" in steps else "NFC"
        text = unicodedata.normalize(form, text)
    return text.lower() if "lower" in steps else text


def stripped(text: str, steps: Collection[str]) -> str:
    """Return a text after the steps `punctuation` (categories P), then `spaces` (white space), which leave these characters out."""
    if "punctuation" in steps:
        text = text.translate(_WITHOUT_PUNCTUATION)
    return "".join(text.split()) if "spaces" in steps else text


def normal_form(text: str) -> str:
    """Return the words of a text with single blanks between them."""
    return " ".join(text.split())
