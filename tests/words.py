"""The words that reports, messages and pages use: one for each notion, and the other words for it, which nobody should read; and sentences.

A notion that gets another word is changed here first: `tests/test_words.py` then finds every place that says the old one.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple


class Notion(NamedTuple):
    """A notion: its word, what that means, and a regular expression of other words for it.

    `own` are the places where such another word is the field's own name of something else: parts of paths, or whole phrases.
    """

    word: str
    meaning: str
    others: str
    own: Collection[str] = ()


NOTIONS = (
    Notion(
        "limit",
        "what a gate asks: `≥ 0.75`, `drop ≤ 0.01`",
        r"thresholds?|below the minimum|above the maximum",
        # a number from which a prediction counts is a threshold in question answering, in curves, and in other people's exports
        ("qa", "best threshold", "labels.md", "records.md", "troubleshooting.md", "scores/exports.py"),
    ),
    Notion(
        "short by, over by, to spare",
        "distance from the limit, on the bad sides and the good one",
        r"more than allowed|too low by",
    ),
    Notion(
        "failed, passed, unjudged",
        "verdicts on gates",
        r"gates? (?:\w+ ){0,3}holds?|gates? (?:\w+ ){0,3}(?:does|do|did) not hold|still holds",
    ),
    Notion("more than chance explains, may be chance", "p at most alpha, or above", r"(?:in|not )?significant(?:ly)?"),
    Notion("drop", "how much worse than the baseline", r"deltas?|score loss"),
    Notion("today, baseline", "the two outputs", r"(?:current|previous|old) (?:value|score|run)s?|\(before:"),
    Notion("[low, high]", "an interval", r"\d % CI"),
    Notion("group", "what an item belongs to", r"slices?"),
    Notion(
        "newly wrong, newly right", "how an item changed", r"newly (?:broken|fixed|failing|passing)|items? (?:regressed|improved)"
    ),
    Notion("gold → system", "the labels of both sides", r"confusion pairs?|confused with"),
    Notion("what grew most", "the greatest growth of wrong items", r"top (?:errors|regressions)|worst offenders"),
)


MOST_WORDS = 39
"""Of a sentence that is read in one breath: code, or a list of code, counts as a word; numbers and signs count as none."""

_VAGUE = re.compile(r"\bsuch\b(?! as\b)|\bwhich of these\b|\bthe (?:former|latter)\b|\brespectively\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:It|Its|They|Their|Those|That of|These (?:are|have|say)|This (?:is|has|says|profile))\b")
_BLOCK = re.compile(r"^ *```.*?^ *```$|^ {4,}(?![-*] |\d+\. )\S[^\n]*$", re.MULTILINE | re.DOTALL)
_ROW_OR_TITLE = re.compile(r"^ *\|[^\n]*$|^#[^\n]*$", re.MULTILINE)
_PARAGRAPH_END = re.compile(r"\n\s*\n|\n(?= *[-*] | *\d+\. )")
_SENTENCE_END = re.compile(r"(?<=[.!?])(?:\*\*)?\s+(?=[A-Z`*\[(])")


def prose_of(page: str) -> str:
    """Return the paragraphs and lists of a page in Markdown: code is `X`, and blocks, tables, titles and addresses of links are gone.

    >>> prose_of("# Title\\n\\nRun `a b` [now](c.md).\\n\\n| a |\\n").strip()
    'Run X [now].'
    """
    coded = re.sub(r"`[^`]*`(?:(?:,| and)\s+`[^`]*`)*", "X", _ROW_OR_TITLE.sub("", _BLOCK.sub("", page)))
    return re.sub(r"\]\([^)]*\)", "]", coded)


def long_sentences(page: str) -> list[str]:
    """Return the sentences of a page that have more than `MOST_WORDS` words.

    >>> long_sentences("Go on. " * 50), len(long_sentences("Go on " * 50 + "."))
    ([], 1)
    """
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH_END.split(prose_of(page)))
    sentences = (sentence for paragraph in paragraphs for sentence in _SENTENCE_END.split(paragraph))
    return [sentence for sentence in sentences if len(re.findall(r"[A-Za-z][\w'’-]*", sentence)) > MOST_WORDS]


def pronouns_in_front(page: str) -> list[str]:
    r"""Return the paragraphs of a page, items of lists left out, that begin with a pronoun whose noun is in an earlier one, or nowhere.

    >>> pronouns_in_front("It runs.\n\nThis page tells.\n\n- It is an item.\n\nThey are.\n")
    ['It runs.', 'They are.']
    """
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH_END.split(prose_of(page)))
    return [paragraph for paragraph in paragraphs if _PRONOUN.match(paragraph)]


def vague_words(page: str) -> list[str]:
    """Return the words of a page, tables included, for which a reader must look up what they are about; "such as" and examples is fine.

    >>> vague_words("such a file, the latter; a file such as `such`")
    ['such', 'the latter']
    """
    return _VAGUE.findall(re.sub(r"`[^`]*`", "X", _BLOCK.sub("", page)))


def other_words(text: str, place: str) -> list[str]:
    """Return the other words that a text says, each with the word to say instead; `place` is where the text is from.

    >>> other_words("the Threshold is 0.5; a good threshold, too", "README.md")
    ['Threshold (limit)', 'threshold (limit)']
    >>> other_words("the best threshold is 0.5", "README.md"), other_words("a threshold", "docs/qa.md")
    ([], [])
    """
    said: list[str] = []
    for notion in NOTIONS:
        if any(own in place for own in notion.own):
            continue
        for match in re.finditer(rf"(?<![\w.|;-])(?:{notion.others})(?![\w-])", text, re.IGNORECASE):
            around = text[max(0, match.start() - 12) : match.end() + 12]
            if not any(own in around for own in notion.own if " " in own):
                said.append(f"{match.group()} ({notion.word})")
    return said
