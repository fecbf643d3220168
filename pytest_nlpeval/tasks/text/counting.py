"""Evidence of a system's output: one row per segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from pytest_nlpeval.columns import CLUSTER, narrow
from pytest_nlpeval.evidence import Categorical, Column, Evidence, Sparse
from pytest_nlpeval.kit.normal_forms import normal_form
from pytest_nlpeval.kit.records import left_out_columns
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.text.columns import ANSWERED, EXACT, GROUP, MANY, NUMBER_OF_REFERENCES, REFERENCES
from pytest_nlpeval.tasks.text.counts.errors import character_columns, word_columns
from pytest_nlpeval.tasks.text.counts.pairs import Pairs
from pytest_nlpeval.tasks.text.counts.summaries import rouge_columns
from pytest_nlpeval.tasks.text.counts.translations import bleu_columns, chrf_columns, ter_columns
from pytest_nlpeval.tasks.text.gold import Gold
from pytest_nlpeval.tasks.text.normalising import normalised
from pytest_nlpeval.tasks.text.options import CHRF, ROUGE, Options
from pytest_nlpeval.tasks.text.system import FURTHER, System
from pytest_nlpeval.tasks.text.wrong_segments import explain


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per segment of gold, named by its id or the number of its row, and why segments are not right.

    Columns: `answered` and `exact`, 0 or 1; `references`, their number; the counts of each family of measures, with the reference that is
    best for it; `confused`, the words that were taken for others; `group.<value>`, 1 for the segments of a group; what segments belong to;
    and `nrefs.<number>`, which has no number and says how many references all segments have.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    references = references_of(documents)
    hypotheses = normalised([text or "" for text in system.texts], options)
    pairs = Pairs.of([normalised(own, options) for own in references], hypotheses)
    answered = np.fromiter((text is not None for text in system.texts), np.int8, len(system.texts))
    length = len(gold.units)
    columns: dict[str, Column] = {ANSWERED: answered, EXACT: _exact(pairs) * answered}
    columns |= {REFERENCES: narrow(np.fromiter(map(len, references), np.int64, length)), **dict(_families(pairs, options))}
    for place, value in enumerate(gold.groups):
        rows = np.flatnonzero(gold.group == place)
        columns[f"{GROUP}{value}"] = Sparse.of(rows, np.ones(len(rows), np.int8), length)
    if gold.clusters is not None:
        columns[CLUSTER] = Categorical.of(gold.clusters)
    numbers = set(map(len, references))
    columns[f"{NUMBER_OF_REFERENCES}{numbers.pop() if len(numbers) == 1 else MANY}"] = Sparse.of([], np.zeros(0, np.int8), length)
    columns |= left_out_columns(gold.left_out + system.left_out, length)
    evidence = Evidence.of(gold.units, columns)
    return Counted(evidence, explain(gold, system, references, evidence, options))


def references_of(documents: Documents) -> Sequence[tuple[str, ...]]:
    """Return all references of each segment, those of further files behind those of the first."""
    gold: Gold = documents["gold"]
    further: Sequence[Sequence[tuple[str, ...]]] = [documents[role] for role in FURTHER if role in documents]
    if not further:
        return gold.references
    return [tuple(chain.from_iterable(own)) for own in zip(gold.references, *further, strict=True)]


def _exact(pairs: Pairs) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """Return 1 for each segment whose hypothesis has the normal form of a reference."""
    forms = pairs.with_hypotheses([normal_form(text) for text in pairs.hypotheses])
    equal = np.fromiter(
        (normal_form(text) == form for text, form in zip(pairs.references, forms, strict=True)), np.int64, len(pairs)
    )
    return pairs.greatest(equal).astype(np.int8)


def _families(pairs: Pairs, options: Options) -> Iterator[tuple[str, Column]]:
    if options.has("wer"):
        yield from word_columns(pairs, options).items()
    if options.has("cer"):
        yield from character_columns(pairs, options).items()
    if options.has("bleu"):
        yield from bleu_columns(pairs, options).items()
    if options.has(*CHRF):
        yield from chrf_columns(pairs, options)
    if options.has("ter"):
        yield from ter_columns(pairs, options).items()
    if options.has(*ROUGE):
        yield from rouge_columns(pairs, options)
