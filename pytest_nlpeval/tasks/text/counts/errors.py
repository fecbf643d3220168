"""Hits and errors of words or characters: the counts of `wer` and `cer`, and which words were confused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import nsmallest
from itertools import chain, zip_longest
from operator import add

from pytest_nlpeval.columns import Categorical, Column, narrow
from pytest_nlpeval.metrics.levenshtein import Operation, edits, operations, spelt
from pytest_nlpeval.metrics.ngrams import blocks
from pytest_nlpeval.tasks.text.columns import CONFUSED, KINDS
from pytest_nlpeval.tasks.text.counts.pairs import Ints, Pairs
from pytest_nlpeval.tasks.text.normalising import characters_of, words_of
from pytest_nlpeval.tasks.text.options import Options

Error = tuple[str, str]
"""The word of the reference and that of the hypothesis, "" for none."""

_CHARACTERS_AT_ONCE = 1 << 18

_KEPT = 100
"""How many different errors of a kind the evidence of a document names."""


def word_columns(pairs: Pairs, options: Options) -> dict[str, Column]:
    """Return the hits and errors of words of each segment, and the most frequent errors that it has."""
    split = partial(words_of, is_published=options.is_published)
    sides = _spelt(pairs.references, pairs.with_hypotheses(pairs.hypotheses), split)
    columns, best = _columns("wer", *sides, pairs)
    every = [
        tuple(_differences(split(pairs.references[pair]), split(hypothesis), operations(sides[0][pair], sides[1][pair])))
        if sides[0][pair] != sides[1][pair]
        else ()
        for pair, hypothesis in zip(best.tolist(), pairs.hypotheses, strict=True)
    ]
    names = _confused(every)
    return columns if names is None else columns | {CONFUSED: names}


def character_columns(pairs: Pairs, options: Options) -> dict[str, Column]:
    """Return the hits and errors of characters of each segment."""
    references, hypotheses = (
        [characters_of(text, is_published=options.is_published) for text in texts]
        for texts in (pairs.references, pairs.hypotheses)
    )
    return _columns("cer", references, pairs.with_hypotheses(hypotheses), pairs)[0]


def _spelt(
    references: Sequence[str], hypotheses: Sequence[str], split: Callable[[str], list[str]]
) -> tuple[list[str], list[str]]:
    """Return the words of all pairs as characters, each of which stands for the same word in both texts of a pair.

    The words of some pairs at a time are split: as lists those of all would take far more room than the texts.
    """
    sides: tuple[list[str], list[str]] = ([], [])
    for block in blocks(map(add, map(len, references), map(len, hypotheses)), _CHARACTERS_AT_ONCE):
        golden, answered = spelt(map(split, references[block]), map(split, hypotheses[block]))
        sides[0].extend(golden)
        sides[1].extend(answered)
    return sides


def _columns(family: str, references: Sequence[str], hypotheses: Sequence[str], pairs: Pairs) -> tuple[dict[str, Column], Ints]:
    """Return the counts of each segment with the best of its references, and which pair that is."""
    counts = edits(references, hypotheses)
    best = pairs.first_best(counts.errors, -counts.reference_length, -counts.hits)
    return {f"{family}.{kind}": narrow(numbers[best]) for kind, numbers in zip(KINDS, counts, strict=True)}, best


def _differences(reference: Sequence[str], hypothesis: Sequence[str], stretches: Sequence[Operation]) -> Iterator[Error]:
    """Yield the words of each error, of an alignment."""
    for kind, start, end, low, high in stretches:
        if kind != "equal":
            yield from zip_longest(reference[start:end], hypothesis[low:high], fillvalue="")


def _confused(errors_of_segments: Sequence[Sequence[Error]]) -> Categorical | None:
    """Return the errors of each segment as a text, of those that are among the most frequent ones of their kind; None if there are none."""
    numbers = Counter(chain.from_iterable(errors_of_segments))
    if not numbers:
        return None
    kept = {error: " ".join(error) for kind in range(3) for error in most_frequent(numbers, kind, _KEPT)}
    return Categorical.of(["\n".join(kept[error] for error in errors if error in kept) or None for errors in errors_of_segments])


def most_frequent(numbers: Counter[Error], kind: int, most: int) -> list[Error]:
    """Return the most frequent substitutions (kind 0), deletions (1) or insertions (2), equally frequent ones in code point order."""
    of_kind = (error for error in numbers if bool(error[0]) == (kind != 2) and bool(error[1]) == (kind != 1))
    return nsmallest(most, of_kind, key=lambda error: (-numbers[error], error))
