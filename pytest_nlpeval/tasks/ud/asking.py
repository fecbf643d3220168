"""What a sentence of gold asks: its characters; and what it answers: all else."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.ud.document import WORD_FIELDS, Document
from pytest_nlpeval.tasks.ud.options import Options


def asks(documents: Documents, _options: Options) -> Items:
    """Return the sentences of gold: each asks for the analysis of its characters."""
    gold: Document = documents["gold"]
    spans = gold.sentences
    bounds = zip(spans.start.tolist(), spans.end.tolist(), strict=True)
    questions = [gold.characters[start:end] for start, end in bounds]
    return Items(gold.units, questions, _answers(gold), gold.by_place)


def _answers(gold: Document) -> list[str]:
    """Return the tokens, words with their fields and heads, and enhanced edges of each sentence, as text."""
    words = [pairwise_of(gold.first), pairwise_of(gold.first_token)]
    edges = np.searchsorted(gold.edges.word, gold.first)
    heads = np.where(gold.heads == gold.number, -1, gold.heads)
    answers: list[str] = []
    for (start, end), (token, last), (low, high) in zip(*words, pairwise_of(edges), strict=True):
        fields = [[gold.fields[name][word] for word in range(start, end)] for name in WORD_FIELDS]
        tokens = (gold.tokens.end[token:last] - gold.tokens.start[token:last]).tolist()
        covered = (gold.words.start[start:end] - gold.tokens.start[token : token + 1].sum()).tolist()
        of_heads = [head if head < 0 else head - start for head in heads[start:end].tolist()]
        of_edges = sorted(
            (word - start, -1 if head == gold.number else head - start, gold.edges.paths.text(path))
            for word, head, path in zip(
                *(part[low:high].tolist() for part in (gold.edges.word, gold.edges.head, gold.edges.path)), strict=True
            )
        )
        answers.append(repr((fields, tokens, covered, of_heads if gold.is_parsed else None, of_edges)))
    return answers


def pairwise_of(bounds: np.ndarray) -> list[tuple[int, int]]:
    """Return neighbouring numbers as pairs."""
    return list(pairwise(bounds.tolist()))
