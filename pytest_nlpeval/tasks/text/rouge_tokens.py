"""Tokens of ROUGE: runs of letters, marks and numbers in lower case, or as rouge-score has them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_nlpeval.metrics.character_classes import Translation, has_category

_OF_ASCII = re.compile("[a-z0-9]+")
_ALONE = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def tokens_of(texts: Sequence[str], *, is_published: bool) -> list[list[str]]:
    """Return the tokens of texts: of all scripts, a character of Chinese or Japanese being one of its own; or of a to z and digits alone.

    >>> tokens_of(["Don't say 東京!"], is_published=False), tokens_of(["Café"], is_published=True)
    ([['don', 't', 'say', '東', '京']], [['caf']])
    """
    if is_published:
        return [_OF_ASCII.findall(text.lower()) for text in texts]
    return [text.lower().translate(_SEPARATED).split() for text in texts]


def _separated(character: str) -> str:
    if not has_category(character, ("L", "M", "N")):
        return " "
    return f" {character} " if _ALONE.match(character) else character


_SEPARATED = Translation(_separated)
