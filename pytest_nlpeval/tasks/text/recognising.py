"""Recognises the files of the task: records or lines with a text of several words on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.kit.recognition import first_of, pairing_options
from pytest_nlpeval.task import LIKELY, POSSIBLE, Guess

_REFERENCES = ("text", "reference", "references", "transcript", "translation", "summary", "target")
_HYPOTHESES = ("text", "hypothesis", "prediction", "transcript", "translation", "summary", "output", "response")
_ANSWERS = ("label", "labels", "class", "category", "intent", "sentiment", "score", "answers", "spans", "entities", "tags")
_TRN_LINE = re.compile(r".*\(\S+\)\s*")
_FEWEST_IDS = 3
"""Of fewer lines the first words may have a digit each, and be words all the same."""

_MOST_UNKNOWN = 0.1
"""The share of ids, at most, that only one file has."""

_DIGIT = re.compile(r"\d")
_SUBTITLE = re.compile(r"\s*(\d+:)?\d\d:\d\d[,.]\d{3} +--> ")
"""A line with the times of a subtitle, in SRT or WebVTT."""

_OTHER_FORMATS = (".tsv", ".csv", ".tab", ".trn", ".ann", ".conll", ".conllu")
_FEWEST_WORDS = 3
"""What has fewer words on average is no text."""


def recognise(samples: Samples) -> Iterator[Guess]:
    """Yield the guess. Files that have labels, answers or spans besides hardly mean the texts."""
    gold, system = samples.gold, samples.system
    mine, theirs = first_of(_REFERENCES, gold.fields), first_of(_HYPOTHESES, system.fields)
    if mine and theirs:
        pairing = pairing_options(samples)
        if mine == theirs and _is_input(samples, mine):
            return
        if pairing is not None and _are_texts(gold.column(mine)) and _are_texts(system.column(theirs)):
            has_others = first_of(_ANSWERS, gold.fields) and first_of((*_ANSWERS, "prediction"), system.fields)
            text = {side: field for side, field in (("gold", mine), ("system", theirs)) if field != "text"}
            options = {**pairing, **({"text": text} if text else {})}
            yield Guess(POSSIBLE if has_others else LIKELY, options, f'texts in "{mine}" of gold and "{theirs}" of the system')
    elif _is_trn(system) and (_is_trn(gold) or (mine and "id" in gold.fields)):
        yield Guess(LIKELY, {}, "lines that end in an id in brackets")
    elif all(_is_plain(sample) and _are_texts(sample.lines) for sample in (gold, system)):
        yield from _of_lines(gold.lines, system.lines)


def _of_lines(gold: Sequence[str], system: Sequence[str]) -> Iterator[Guess]:
    """Yield the guesses at plain lines: Kaldi's, where they begin with ids, or else texts; both, if the ids may be words.

    Of another number of lines than gold's the readers say what is wrong.
    """
    names, said = ([line.split(maxsplit=1)[0] if line.strip() else "" for line in lines] for lines in (gold, system))
    has_ids = _are_ids(names, said)
    is_sure = has_ids and len(names) >= _FEWEST_IDS and not all(map(str.isdecimal, names))
    if has_ids:
        yield Guess(
            LIKELY if len(names) >= _FEWEST_IDS else POSSIBLE, {"format": "kaldi"}, "an id and a text on each line of both"
        )
    if not is_sure:
        yield Guess(LIKELY if len(gold) == len(system) else POSSIBLE, {}, "a text on each line of both")


def _are_ids(names: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the first words of lines are distinct, have a digit each, and are nearly the same ones in both files."""
    common = set(names) & set(said)
    is_same = len(common) >= (1 - _MOST_UNKNOWN) * max(len(names), len(said))
    return is_same and len(set(names)) == len(names) and all(map(_DIGIT.search, (*names, *said)))


def _is_input(samples: Samples, field: str) -> bool:
    """Whether a field has the same texts on both sides, and the system's records say something besides that gold's do not: its output."""
    gold, system = samples.gold, samples.system
    own = [other for other in system.fields if other not in gold.fields or gold.column(other) != system.column(other)]
    return gold.column(field) == system.column(field) and bool(own)


def _are_texts(values: Iterable[Any]) -> bool:
    """Whether values are texts, or lists of such, of several words on average."""
    texts = [text for value in values for text in (value if isinstance(value, list) else [value]) if text is not None]
    if not texts or not all(isinstance(text, str) for text in texts):
        return False
    return sum(len(text.split()) for text in texts) >= _FEWEST_WORDS * len(texts)


def _is_trn(sample: Sample) -> bool:
    return sample.suffix == ".trn" and bool(sample.lines) and all(map(_TRN_LINE.fullmatch, sample.lines))


def _is_plain(sample: Sample) -> bool:
    """Whether a file is whole, and lines of text without a format that is known."""
    has_format = sample.suffix in _OTHER_FORMATS or sample.rows or sample.elements or sample.document
    return sample.is_whole and not has_format and not any(map(_SUBTITLE.match, sample.lines))
