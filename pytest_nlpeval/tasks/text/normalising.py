"""What both sides are put through before they are compared, and the words and characters of what is left."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_nlpeval.kit.normal_forms import folded, normal_form, stripped
from pytest_nlpeval.tasks.text.options import Options


def normalised(texts: Sequence[str], options: Options) -> list[str]:
    """Return texts after the steps of the option `normalise`, in their fixed order, and without the words of `ignore`.

    >>> normalised(["Don't [noise] go."], Options(normalise=frozenset(["punctuation", "lower"]), ignore=("[Noise]",)))
    ['dont go']
    """
    steps = options.normalise
    texts_now = [folded(text, steps) for text in texts]
    if options.ignore:
        ignored = {folded(word, steps) for word in options.ignore}
        texts_now = ["\n".join(_without(line, ignored) for line in text.split("\n")) for text in texts_now]
    return [stripped(text, steps) for text in texts_now] if steps & {"punctuation", "spaces"} else texts_now


def _without(line: str, ignored: set[str]) -> str:
    return " ".join(word for word in line.split() if word not in ignored)


_RUN_OF_BLANKS = re.compile(r"\s\s+")


def words_of(text: str, *, is_published: bool) -> list[str]:
    """Return the words between white space; as jiwer has them, a lone character of white space other than a blank splits no words."""
    if is_published:
        return [word for word in _RUN_OF_BLANKS.sub(" ", text).strip().split(" ") if word]
    return text.split()


def characters_of(text: str, *, is_published: bool) -> str:
    """Return the characters that are compared: of the normal form, or as jiwer has them, of all but the blanks around the text."""
    return text.strip() if is_published else normal_form(text)
