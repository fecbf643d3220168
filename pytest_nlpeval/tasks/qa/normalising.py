"""The normal form of answers: lower case, no punctuation, no articles, single blanks.

Source: evaluate-v2.0.py of SQuAD (Rajpurkar, Jia, Liang: Know What You Don't Know, ACL 2018); for languages mlqa_evaluation_v1.py (Lewis
et al.: MLQA, Evaluating Cross-lingual Extractive Question Answering, ACL 2020).
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from functools import cache

_ARTICLES = {
    None: "a an the",
    "en": "a an the",
    "de": "ein eine einen einem eines einer der die das den dem des",
    "es": "un una unos unas el la los las",
    "vi": "của là cái chiếc những",
}

_ARABIC_ARTICLE = "ال"

_IDEOGRAPH = re.compile("([\u4e00-\u9fa5])")


class _WithoutPunctuation(dict[int, int | None]):
    """A table for `str.translate`: characters of a Unicode category P become nothing; it grows with the characters that it meets."""

    def __missing__(self, point: int) -> int | None:
        self[point] = None if unicodedata.category(chr(point)).startswith("P") else point
        return self[point]


_ASCII: dict[int, int | None] = dict.fromkeys(map(ord, string.punctuation))
_ALL = _WithoutPunctuation(_ASCII)


@cache
def normaliser(language: str | None) -> Callable[[str], str]:
    r"""Return the function that gives the normal form of a text; None is SQuAD's, a language MLQA's.

    The tokens of a normal form are what its blanks separate; a text without any token has the empty normal form.

    >>> normaliser(None)("The U.S.  Army's\tan answer"), normaliser("zh")("在1066年。")
    ('us armys answer', '在 1066 年')
    """
    table = _ASCII if language is None else _ALL
    words = _ARTICLES.get(language, "").split()
    pattern = rf"\b(?:{'|'.join(words)})\b" if words else _ARABIC_ARTICLE if language == "ar" else ""
    without_articles = re.compile(pattern).sub if pattern else None

    def normal_form(text: str) -> str:
        text = text.lower().translate(table)
        if without_articles:
            text = without_articles(" ", text)
        if language == "zh":
            text = _IDEOGRAPH.sub(r" \1 ", text)
        return " ".join(text.split())

    return normal_form
