"""What both sides are put through before they are compared, and the words and characters of what is left."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from pytest_nlpeval.metrics.character_classes import Translation, has_category
from pytest_nlpeval.tasks.text.options import Options


def normalised(texts: Sequence[str], options: Options) -> list[str]:
    """Return texts after the steps of the option `normalise`, in their fixed order, and without the words of `ignore`.

    >>> normalised(["Don't [noise] go."], Options(normalise=frozenset(["punctuation", "lower"]), ignore=("[Noise]",)))
    ['dont go']
    """
    found = [_folded(text, options) for text in texts]
    if options.ignore:
        ignored = {_folded(word, options) for word in options.ignore}
        found = ["\n".join(_without(line, ignored) for line in text.split("\n")) for text in found]
    if "punctuation" in options.normalise:
        found = [text.translate(_WITHOUT_PUNCTUATION) for text in found]
    if "spaces" in options.normalise:
        found = ["".join(text.split()) for text in found]
    return found


def _folded(text: str, options: Options) -> str:
    form: Literal["NFC", "NFKC"] = "NFKC" if "nfkc" in options.normalise else "NFC"
    if not options.normalise.isdisjoint({"nfc", "nfkc"}):
        text = unicodedata.normalize(form, text)
    return text.lower() if "lower" in options.normalise else text


def _without(line: str, ignored: set[str]) -> str:
    return " ".join(word for word in line.split() if word not in ignored)


_WITHOUT_PUNCTUATION = Translation(lambda character: "" if has_category(character, ("P",)) else character)


def normal_form(text: str) -> str:
    """Return the words of a text with single blanks between them."""
    return " ".join(text.split())


_RUN_OF_BLANKS = re.compile(r"\s\s+")


def words_of(text: str, *, is_published: bool) -> list[str]:
    """Return the words between white space; as jiwer has them, a lone character of white space other than a blank splits no words."""
    if is_published:
        return [word for word in _RUN_OF_BLANKS.sub(" ", text).strip().split(" ") if word]
    return text.split()


def characters_of(text: str, *, is_published: bool) -> str:
    """Return the characters that are compared: of the normal form, or as jiwer has them, of all but the blanks around the text."""
    return text.strip() if is_published else normal_form(text)
