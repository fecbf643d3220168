"""Hits and errors of words or characters: the counts of `wer` and `cer`, and which words were confused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np

from pytest_nlpeval.columns import Categorical, Column, narrow
from pytest_nlpeval.metrics.levenshtein import Edits, edits, operations, spelt
from pytest_nlpeval.tasks.text.columns import CONFUSED, KINDS
from pytest_nlpeval.tasks.text.counts.pairs import Ints, Pairs, in_blocks
from pytest_nlpeval.tasks.text.normalising import characters_of, words_of
from pytest_nlpeval.tasks.text.options import Options

Words = Sequence[Sequence[str]]

_KEPT = 100
"""How many different errors of a kind the evidence of a document names."""


def word_columns(pairs: Pairs, options: Options) -> dict[str, Column]:
    """Return the hits and errors of words of each segment, and the most frequent errors that it has."""
    references = [words_of(text, is_published=options.is_published) for text in pairs.references]
    hypotheses = [words_of(text, is_published=options.is_published) for text in pairs.hypotheses]
    columns, best = _columns("wer", references, hypotheses, pairs)
    names = _confused([references[pair] for pair in best.tolist()], hypotheses)
    return columns if names is None else columns | {CONFUSED: names}


def character_columns(pairs: Pairs, options: Options) -> dict[str, Column]:
    """Return the hits and errors of characters of each segment."""
    references = [characters_of(text, is_published=options.is_published) for text in pairs.references]
    hypotheses = [characters_of(text, is_published=options.is_published) for text in pairs.hypotheses]
    return _columns("cer", references, hypotheses, pairs)[0]


def _columns(
    family: str, references: Sequence[Sequence[str]], hypotheses: Sequence[Sequence[str]], pairs: Pairs
) -> tuple[dict[str, Column], Ints]:
    """Return the counts of each segment with the best of its references, and which pair that is."""
    of_pairs = pairs.with_hypotheses(hypotheses)

    def counted(block: slice) -> Ints:
        sides: Sequence[Sequence[Sequence[str]]] = (references[block], of_pairs[block])
        return np.stack(edits(*(spelt(*sides) if family == "wer" else sides)), axis=1)  # type: ignore[arg-type]

    sizes = [len(reference) + len(hypothesis) for reference, hypothesis in zip(references, of_pairs, strict=True)]
    found = Edits(*in_blocks(counted, sizes, len(KINDS)).T)
    best = pairs.first_best(found.errors, -found.reference_length, -found.hits)
    return {f"{family}.{kind}": narrow(numbers[best]) for kind, numbers in zip(KINDS, found, strict=True)}, best


def differences(reference: Sequence[str], hypothesis: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the words of each error: of the reference and of the hypothesis, "" for nothing.

    >>> list(differences("the old mill".split(), "the mill in".split()))
    [('old', ''), ('', 'in')]
    """
    ((first,), (second,)) = spelt([reference], [hypothesis])
    for kind, start, end, low, high in operations(first, second):
        if kind != "equal":
            yield from zip_longest(reference[start:end], hypothesis[low:high], fillvalue="")


def _confused(references: Words, hypotheses: Words) -> Categorical | None:
    """Return the errors of each segment as a text, of those that are among the most frequent ones of their kind; None if there are none."""
    every = [
        list(differences(reference, hypothesis)) if reference != hypothesis else []
        for reference, hypothesis in zip(references, hypotheses, strict=True)
    ]
    numbers = Counter(error for errors in every for error in errors)
    if not numbers:
        return None
    kept = {error for kind in range(3) for error in most_frequent(numbers, kind, _KEPT)}
    return Categorical.of(["\n".join(f"{old} {new}" for old, new in errors if (old, new) in kept) or None for errors in every])


def most_frequent(numbers: Counter[tuple[str, str]], kind: int, most: int) -> list[tuple[str, str]]:
    """Return the most frequent substitutions (kind 0), deletions (1) or insertions (2), equally frequent ones in code point order."""
    of_kind = [error for error in numbers if bool(error[0]) == (kind != 2) and bool(error[1]) == (kind != 1)]
    return sorted(of_kind, key=lambda error: (-numbers[error], error))[:most]
