"""Evidence of labelled spans: one row per sentence, record or document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import GROUP, narrow
from pytest_nlpeval.evidence import Categorical, Column, Evidence, Sparse
from pytest_nlpeval.kit.records import left_out_columns
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.spans.document import Document, Tags
from pytest_nlpeval.tasks.spans.options import Options
from pytest_nlpeval.tasks.spans.pairing import Matching, match, with_common_names
from pytest_nlpeval.tasks.spans.wrong_spans import explain

Integers = NDArray[np.int64]

BETWEEN = "\t"
"""Stands between the two labels in the name of a column; no label has it."""


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per unit, and the explanations of all spans that are not in both files.

    Columns, which are sparse but for the last two: for each label L `gold.L` and `system.L` (its spans), `correct.L` (those in both, with
    the same extent) and `overlap.L` (pairs of overlapping spans, the correct ones included); whatever the labels, `extents` (pairs with one
    extent) and `pairs` (pairs of overlapping spans); `typed` (the greater of `pairs` and all `overlap.L`);
    `confused.G<TAB>S` (pairs, correct ones left out, of a gold span labelled G and a system span labelled S); `left_out.gold` and
    `left_out.system` (spans with labels that are not scored). Of tokens, `tokens` and `same` (those whose tags are the same strings).
    """
    gold: Document = documents["gold"]
    system: Document = documents["system"]
    columns, matching = counted(gold, system, options)
    return Counted(Evidence.of(gold.units, columns), explain(gold, system, matching))


def counted(gold: Document, system: Document, options: Options) -> tuple[dict[str, Column], Matching]:
    """Return the columns of `count`, and which spans go together."""
    sides = [side.spans if options.labels is None else side.spans.labelled(options.labels) for side in (gold, system)]
    matching = match(*with_common_names(*sides))
    columns = dict(_columns(matching, gold))
    if options.labels is not None:
        for name, side, kept in zip(("gold", "system"), (gold, system), sides, strict=True):
            left_out = side.spans.start[~np.isin(side.spans.origin, kept.origin)]
            columns[f"left_out.{name}"] = _numbers(gold.unit_of(left_out), len(gold.units))
    if gold.tags and system.tags:
        columns |= _of_tokens(gold.tags, system.tags)
    if gold.groups is not None:
        columns[GROUP] = Categorical.of(gold.groups)
    columns |= left_out_columns(gold.left_out + system.left_out, len(gold.units))
    return columns, matching


def _columns(matching: Matching, gold: Document) -> Iterator[tuple[str, Column]]:
    rows, names = len(gold.units), matching.gold.names
    unit, unit_of_system = gold.unit_of(matching.gold.start), gold.unit_of(matching.system.start)
    overlapping = np.concatenate((matching.same[0], matching.labelled[0]))
    spans = {
        "gold": (matching.gold.label, unit),
        "system": (matching.system.label, unit_of_system),
        "correct": (matching.gold.label[matching.same[0]], unit[matching.same[0]]),
        "overlap": (matching.gold.label[overlapping], unit[overlapping]),
    }
    for prefix, (labels, units) in spans.items():
        yield from _by_label(prefix, names, labels, units, rows)
    pairs, extents = (
        np.bincount(unit[ranks], minlength=rows)
        for ranks in (matching.pairs[0], np.append(matching.same[0], matching.extents[0]))
    )
    typed = np.maximum(pairs, np.bincount(unit[overlapping], minlength=rows))
    yield from (
        (name, Sparse.from_dense(narrow(numbers))) for name, numbers in (("extents", extents), ("pairs", pairs), ("typed", typed))
    )
    wrong = tuple(ranks[len(matching.same[0]) :] for ranks in matching.pairs)
    confused = matching.gold.label[wrong[0]] * len(names) + matching.system.label[wrong[1]]
    used, codes = np.unique(confused, return_inverse=True)
    both = [f"{names[code // len(names)]}{BETWEEN}{names[code % len(names)]}" for code in used.tolist()]
    yield from _by_label("confused", both, codes, unit[wrong[0]], rows)


def _by_label(prefix: str, names: Sequence[str], labels: Integers, units: Integers, rows: int) -> Iterator[tuple[str, Sparse]]:
    """Yield, for each name that there is, the column with the number of entries in each unit."""
    keys, numbers = np.unique(labels * rows + units, return_counts=True)
    cuts = np.searchsorted(keys, np.arange(len(names) + 1) * rows).tolist()
    for name, start, end in zip(names, cuts, cuts[1:], strict=False):
        if start < end:
            yield f"{prefix}.{name}", Sparse.of(keys[start:end] % rows, narrow(numbers[start:end]), rows)


def _numbers(units: Integers, rows: int) -> Sparse:
    return Sparse.from_dense(narrow(np.bincount(units, minlength=rows)))


def _of_tokens(gold: Tags, system: Tags) -> Iterator[tuple[str, Column]]:
    """Yield how many tokens each sentence has, and how many of them have the same tags."""
    codes = {name: code for code, name in enumerate(gold.names)}
    theirs = np.array([codes.get(name, -1) for name in system.names], np.int64)[system.codes]
    starts, number = gold.first, len(gold.codes)
    yield "tokens", narrow(np.diff(starts, append=number))
    counts = np.append(0, np.cumsum(gold.codes == theirs))
    yield "same", narrow(np.diff(counts[np.append(starts, number)]))
