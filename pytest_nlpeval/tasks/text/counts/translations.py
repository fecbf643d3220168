"""The counts of BLEU, chrF, chrF++ and TER."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

import numpy as np

from pytest_nlpeval.columns import Column, narrow
from pytest_nlpeval.metrics.levenshtein import spelt
from pytest_nlpeval.metrics.ngram_scores import chrf
from pytest_nlpeval.metrics.ngrams import Tokens, matches, totals
from pytest_nlpeval.metrics.translation_edits import translation_edits
from pytest_nlpeval.metrics.translation_tokens import edit_tokens, tokens_of
from pytest_nlpeval.tasks.text.columns import BLEU_ORDER, CHRF_ORDERS
from pytest_nlpeval.tasks.text.counts.pairs import Ints, Pairs, in_blocks
from pytest_nlpeval.tasks.text.options import CHRF, Options

_TOKENS_AT_ONCE = 1 << 18


def bleu_columns(pairs: Pairs, options: Options) -> dict[str, Column]:
    """Return for each segment h, r, m_n and t_n, and whether a reference has four tokens."""
    references, hypotheses = (tokens_of(texts, options.tokenize) for texts in (pairs.references, pairs.hypotheses))
    lengths, hypothesis_lengths = _lengths(references), _lengths(hypotheses)
    nearest = pairs.first_best(np.abs(lengths - hypothesis_lengths[pairs.segments]), lengths)
    sizes = hypothesis_lengths + pairs.sums(lengths)
    starts = np.concatenate([[0], np.cumsum(pairs.sums(np.ones(len(pairs), np.int64)))])

    def counted(block: slice) -> Ints:
        own = slice(int(starts[block.start]), int(starts[block.stop]))
        segments = np.arange(block.stop - block.start)
        return matches(
            Tokens.of_words([*hypotheses[block], *references[own]]),
            np.concatenate([segments, pairs.segments[own] - block.start]),
            np.concatenate([np.zeros(len(segments), np.int64), pairs.ranks[own] + 1]),
            BLEU_ORDER,
        )

    matched = in_blocks(counted, sizes.tolist(), BLEU_ORDER, _TOKENS_AT_ONCE)
    in_hypothesis = totals(hypothesis_lengths, BLEU_ORDER)
    columns: dict[str, Column] = {"bleu.h": narrow(hypothesis_lengths), "bleu.r": narrow(lengths[nearest])}
    for place in range(BLEU_ORDER):
        columns[f"bleu.m{place + 1}"], columns[f"bleu.t{place + 1}"] = narrow(matched[:, place]), narrow(in_hypothesis[:, place])
    columns["bleu.four"] = (pairs.greatest(lengths) >= BLEU_ORDER).astype(np.int8)
    return columns


def chrf_columns(pairs: Pairs, options: Options) -> Iterator[tuple[str, Column]]:
    """Yield for each segment h_n, r_n and m_n with the best reference, of chrF and chrF++, and whether any text has a character."""
    references, hypotheses = (["".join(text.split()) for text in texts] for texts in (pairs.references, pairs.hypotheses))
    characters = _triples(references, pairs.with_hypotheses(hypotheses), CHRF_ORDERS["chrf++"][0])
    has_character = (pairs.greatest(_lengths(references)) + _lengths(hypotheses) > 0).astype(np.int8)
    words = None
    if options.has("chrf++"):
        sides = ([_split(text) for text in texts] for texts in (pairs.references, pairs.hypotheses))
        golden, answered = sides
        words = _triples(golden, pairs.with_hypotheses(answered), CHRF_ORDERS["chrf++"][1])
    for family in filter(options.has, CHRF):
        counts = characters if family == "chrf" or words is None else np.concatenate([characters, words], axis=2)
        best = pairs.first_best(-chrf(*counts.transpose(0, 2, 1)))
        for name, numbers in zip("hrm", counts[:, best], strict=True):
            yield from ((f"{family}.{name}{place + 1}", narrow(numbers[:, place])) for place in range(numbers.shape[1]))
        yield f"{family}.any", has_character


def _triples(references: Sequence[Sequence[str]], hypotheses: Sequence[Sequence[str]], order: int) -> Ints:
    """Return the numbers of n-grams of the hypothesis, the reference and both, for each pair; shape `(3, pairs, order)`."""
    lengths, hypothesis_lengths = _lengths(references), _lengths(hypotheses)

    def counted(block: slice) -> Ints:
        texts = [*hypotheses[block], *references[block]]
        number = block.stop - block.start
        tokens = Tokens.of_characters(texts) if isinstance(texts[0], str) else Tokens.of_words(texts)  # type: ignore[arg-type]
        return matches(tokens, np.tile(np.arange(number), 2), np.repeat([0, 1], number), order)

    in_both = in_blocks(counted, (lengths + hypothesis_lengths).tolist(), order, _TOKENS_AT_ONCE)
    in_reference = totals(lengths, order)
    return np.stack([np.where(in_reference > 0, totals(hypothesis_lengths, order), 0), in_reference, in_both])


def _split(text: str) -> list[str]:
    """Return the words of chrF++: an ASCII punctuation character at the end, else at the beginning, is a word of its own."""
    words = []
    for word in text.split():
        if len(word) == 1:
            words.append(word)
        elif word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def ter_columns(pairs: Pairs, options: Options) -> dict[str, Column]:
    """Return for each segment the fewest edits, and the sum and number of its references' lengths, whose ratio is their mean."""
    switches = {name: name in options.ter for name in ("normalized", "no_punct", "case_sensitive")}
    references, hypotheses = (edit_tokens(texts, **switches) for texts in (pairs.references, pairs.hypotheses))
    if options.is_published:  # there references are split twice
        references = edit_tokens([" ".join(tokens) for tokens in references], **switches)
    of_pairs = pairs.with_hypotheses(hypotheses)

    def counted(block: slice) -> Ints:
        sides = spelt(of_pairs[block], references[block])
        return np.array([[translation_edits(*pair)] for pair in zip(*sides, strict=True)], np.int64)

    lengths = _lengths(references)
    edits = in_blocks(counted, (lengths + _lengths(of_pairs)).tolist(), 1)[:, 0]
    numbers = pairs.sums(np.ones(len(pairs), np.int64))
    mean = pairs.sums(lengths) / numbers
    whole = mean.astype(np.int64)
    return {"ter.edits": narrow(edits[pairs.first_best(edits)]), "ter.length": narrow(whole) if (whole == mean).all() else mean}


def _lengths(sequences: Sequence[Sequence[str]]) -> Ints:
    return np.fromiter(map(len, sequences), np.int64, len(sequences))
