"""The counts of ROUGE."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import Column, narrow
from pytest_nlpeval.metrics.levenshtein import common_lengths, spelt
from pytest_nlpeval.metrics.ngrams import Tokens, matches, totals
from pytest_nlpeval.metrics.prf import f_of, ratio
from pytest_nlpeval.metrics.summary_lcs import union_matches
from pytest_nlpeval.tasks.text.counts.pairs import Ints, Pairs, in_blocks
from pytest_nlpeval.tasks.text.options import Options
from pytest_nlpeval.tasks.text.rouge_tokens import tokens_of

Sequences: TypeAlias = Sequence[Sequence[str]]

_TOKENS_AT_ONCE = 1 << 18


def rouge_columns(pairs: Pairs, options: Options) -> Iterator[tuple[str, Column]]:
    """Yield for each segment and kind m, h and r with the best reference, and whether all figures are 1 though both sides have no unit."""
    references, hypotheses = (
        tokens_of(texts, is_published=options.is_published) for texts in (pairs.references, pairs.hypotheses)
    )
    of_pairs = pairs.with_hypotheses(hypotheses)
    lengths, hypothesis_lengths = (np.fromiter(map(len, texts), np.int64, len(texts)) for texts in (references, of_pairs))
    sizes = (lengths + hypothesis_lengths).tolist()
    is_equal = np.fromiter(map(list.__eq__, references, of_pairs), np.bool_, len(pairs))
    if options.has("rouge1", "rouge2"):
        grams = in_blocks(lambda block: _grams(references[block], of_pairs[block]), sizes, 2, _TOKENS_AT_ONCE)
        h, r = totals(hypothesis_lengths, 2), totals(lengths, 2)
        for place, kind in enumerate(("rouge1", "rouge2")):
            if options.has(kind):
                yield from _of_kind(kind, (grams[:, place], h[:, place], r[:, place]), is_equal, pairs, options)
    if options.has("rougeL", "rougeLsum"):
        common = in_blocks(lambda block: _common(references[block], of_pairs[block]), sizes, 1)[:, 0]
        if options.has("rougeL"):
            yield from _of_kind("rougeL", (common, hypothesis_lengths, lengths), is_equal, pairs, options)
        if options.has("rougeLsum"):
            unions = _unions(common, pairs, options)
            yield from _of_kind("rougeLsum", (unions, hypothesis_lengths, lengths), is_equal, pairs, options)
            has_lines = np.fromiter(("\n" in text for text in pairs.references), np.int64, len(pairs))
            in_hypothesis = np.fromiter(("\n" in text for text in pairs.hypotheses), np.int64, len(pairs.hypotheses))
            yield "rougeLsum.lines", (pairs.greatest(has_lines) | in_hypothesis).astype(np.int8)


def _grams(references: Sequences, hypotheses: Sequences) -> Ints:
    number = len(references)
    return matches(Tokens.of_words([*hypotheses, *references]), np.tile(np.arange(number), 2), np.repeat([0, 1], number), 2)


def _common(references: Sequences, hypotheses: Sequences) -> Ints:
    return common_lengths(*spelt(references, hypotheses))[:, None]


def _unions(common: Ints, pairs: Pairs, options: Options) -> Ints:
    """Return the matches of sentences: what texts have in common that are one sentence each, else the unions of sentence by sentence."""
    unions = common.copy()
    hypotheses = pairs.with_hypotheses(pairs.hypotheses)
    for pair, texts in enumerate(zip(pairs.references, hypotheses, strict=True)):
        if any("\n" in text for text in texts):
            unions[pair] = union_matches(*(tokens_of(text.split("\n"), is_published=options.is_published) for text in texts))
    return unions


def _of_kind(
    kind: str, counts: tuple[Ints, Ints, Ints], is_equal: NDArray[np.bool_], pairs: Pairs, options: Options
) -> Iterator[tuple[str, Column]]:
    """Yield the columns of a kind, of the best reference of each segment."""
    m, h, r = counts
    is_one = is_equal & (h + r == 0) & (not options.is_published)
    best = pairs.first_best(-np.where(is_one, 1.0, f_of_pairs(m, h, r, is_published=options.is_published)))
    for name, numbers in zip("mhr", counts, strict=True):
        yield f"{kind}.{name}", narrow(numbers[best])
    yield f"{kind}.one", is_one[best].astype(np.int8)


def f_of_pairs(m: Ints, h: Ints, r: Ints, *, is_published: bool) -> NDArray[np.float64]:
    """Return F of each pair: 2m / (h + r), or as rouge-score has it, 2PR / (P + R) of quotients; 0 without denominator."""
    if not is_published:
        return ratio(2 * m, h + r, 0.0)
    precision, recall = m / np.maximum(h, 1), m / np.maximum(r, 1)
    return f_of(precision, recall)
