r"""Tokens of translations: those of mteval-v13a.pl and mteval-v14.pl, of Chinese, of characters, and those of Tercom.

Sources: mteval-v13a.pl and mteval-v14.pl (NIST); M. Post, A Call for Clarity in Reporting BLEU Scores, WMT 2018 (sacrebleu, 13a, intl, zh,
char, none); M. Snover et al., A Study of Translation Edit Rate with Targeted Human Annotation, AMTA 2006 (Tercom's normaliser).

All rules are about pairs of adjacent characters, from left to right, no character in two pairs: that is how `re.sub` goes through a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from pytest_nlpeval.metrics.character_classes import class_of, has_category

Tokenizer = Callable[[Sequence[str]], list[list[str]]]
"""Gives the tokens of each of some texts."""

_PUNCTUATION = re.compile(r"[{-~\[-`!-&(-+:-@/]")  # of ASCII, but ' , - .
_BEHIND_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_DASH_BEHIND_DIGIT = re.compile(r"([0-9])(-)")

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokens_of(texts: Sequence[str], tokenizer: str) -> list[list[str]]:
    """Return the tokens of texts by the tokenizer `13a`, `intl`, `zh`, `char` or `none`.

    >>> tokens_of(["Is it 3.5%, then?"], "13a")
    [['Is', 'it', '3.5', '%', ',', 'then', '?']]
    """
    return _TOKENIZERS[tokenizer]([text.rstrip() for text in texts])


def edit_tokens(texts: Sequence[str], *, normalized: bool, no_punct: bool, case_sensitive: bool) -> list[list[str]]:
    """Return the tokens that translation edit rates are counted in.

    >>> edit_tokens(["The dog's bone, see?"], normalized=True, no_punct=False, case_sensitive=False)
    [['the', 'dog', "'s", 'bone', ',', 'see', '?']]
    """
    lines = [text.rstrip() if case_sensitive else text.rstrip().lower() for text in texts]
    if normalized:
        lines = _normalized(lines)
    if no_punct:
        lines = [text.translate(_NO_PUNCT) for text in lines]
    return [text.split() for text in lines]


_NO_PUNCT = str.maketrans("", "", '.,?:;!"()')


def _western(text: str, *, possessives: bool = False) -> str:
    """Return a text with blanks where the rules for western languages split it."""
    text = _PUNCTUATION.sub(r" \g<0> ", text)
    if possessives:
        text = text.replace("'s ", " 's ")
    text = _BEHIND_NO_DIGIT.sub(r"\1 \2 ", text)
    text = _BEFORE_NO_DIGIT.sub(r" \1 \2", text)
    return _DASH_BEHIND_DIGIT.sub(r"\1 \2 ", text)


def _at_once(rules: Callable[[str], str], texts: Sequence[str]) -> list[str]:
    """Return texts after rules that change nothing across a line break between two blanks: all texts are put through as one."""
    return rules("\n".join(f" {text} " for text in texts)).split("\n") if texts else []


def _with_characters(text: str) -> str:
    """Return a text with characters for the four entities, which stand for one after the other."""
    for entity, character in _ENTITIES if "&" in text else ():
        text = text.replace(entity, character)
    return text


def _of_13a(texts: Sequence[str]) -> list[list[str]]:
    joined = [
        _with_characters(text.replace("<skipped>", "").replace("-\n", "").replace("\n", " "))
        if "\n" in text or "&" in text or "<skipped>" in text
        else text
        for text in texts
    ]
    return _split(_at_once(_western, joined))


def _normalized(texts: Sequence[str]) -> list[str]:
    joined = [_with_characters(text.replace("\n-", "").replace("\n", " ")) for text in texts]
    return _at_once(partial(_western, possessives=True), joined)


_CHINESE = re.compile(
    "[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3200-\u33ff\u3400-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]"
)


def _of_zh(texts: Sequence[str]) -> list[list[str]]:
    return _split(_western(_CHINESE.sub(r" \g<0> ", text.strip())) for text in texts)


def _of_intl(texts: Sequence[str]) -> list[list[str]]:
    characters = sorted(set().union(*texts))
    numbers, punctuation, symbols = (
        class_of(character for character in characters if has_category(character, (start,))) for start in ("N", "P", "S")
    )
    no_number = f"(?!{numbers})[\\s\\S]"
    behind, before = re.compile(f"({no_number})({punctuation})"), re.compile(f"({punctuation})({no_number})")
    symbol = re.compile(symbols)
    return _split(symbol.sub(r" \g<0> ", before.sub(r" \1 \2", behind.sub(r"\1 \2 ", text))) for text in texts)


def _of_char(texts: Sequence[str]) -> list[list[str]]:
    return [list("".join(text.split())) for text in texts]


def _split(texts: Iterable[str]) -> list[list[str]]:
    return [text.split() for text in texts]


_TOKENIZERS: dict[str, Tokenizer] = {"13a": _of_13a, "intl": _of_intl, "zh": _of_zh, "char": _of_char, "none": _split}

TOKENIZERS: Collection[str] = tuple(_TOKENIZERS)
"""The names of the tokenizers."""
