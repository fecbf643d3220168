"""Why a span is not in both files: another label, another boundary, missed or spurious, with its text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from glob import escape
from typing import Literal, NamedTuple

import numpy as np

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, explain_in_order
from pytest_nlpeval.tasks.spans.document import Document, Page, Spans
from pytest_nlpeval.tasks.spans.pairing import Matching
from pytest_nlpeval.wording import quoted

Reason = Literal["label", "boundary", "label-and-boundary", "missed", "spurious"]

_KINDS: dict[Reason, Difference] = {
    "label": "wrong-value",
    "boundary": "boundary",
    "label-and-boundary": "wrong-value",
    "missed": "missed",
    "spurious": "spurious",
}


class Error(NamedTuple):
    """Where an error is, and the ranks of the spans of gold and system that make it; None on the side that has none."""

    place: int
    gold: int | None
    system: int | None
    has_one_extent: bool = False


def errors_of(matching: Matching) -> list[Error]:
    """Return all spans that are not in both files, in pairs where they overlap, in the order of places."""
    errors = [
        Error(int(matching.gold.start[gold]), gold, system, has_one_extent)
        for pairs, has_one_extent in ((matching.extents, True), (matching.overlapping, False))
        for gold, system in zip(*(side.tolist() for side in pairs), strict=True)
    ]
    alone = (
        np.setdiff1d(np.arange(len(side)), paired, assume_unique=True)
        for side, paired in zip((matching.gold, matching.system), matching.pairs, strict=True)
    )
    errors += [Error(int(matching.gold.start[rank]), rank, None) for rank in next(alone).tolist()]
    errors += [Error(int(matching.system.start[rank]), None, rank) for rank in next(alone).tolist()]
    return sorted(errors, key=lambda error: (error.place, error.gold is None, error.gold or 0, error.system or 0))


def explain(gold: Document, system: Document, matching: Matching) -> Iterator[Explanation | Omitted]:
    """Yield one explanation for each pair of differing spans and for each span in no pair, in the order of places."""
    yield from _explained(errors_of(matching), gold, system, matching)


def explain_each(
    gold: Document, system: Document, matching: Matching, ends: Sequence[int]
) -> list[Iterator[Explanation | Omitted]]:
    """Return the explanations of each of several files that were read as one; `ends` has the place behind the last token of each."""

    @cache
    def errors_by_file() -> list[list[Error]]:
        by_file: list[list[Error]] = [[] for _ in ends]
        for error in errors_of(matching):
            by_file[bisect_right(ends, error.place)].append(error)
        return by_file

    def explained(rank: int) -> Iterator[Explanation | Omitted]:
        yield from _explained(errors_by_file()[rank], gold, system, matching)

    return [explained(rank) for rank in range(len(ends))]


def _explained(errors: Iterable[Error], gold: Document, system: Document, matching: Matching) -> Iterator[Explanation | Omitted]:
    labelled = ((error, (_label(matching.gold, error.gold), _label(matching.system, error.system))) for error in errors)
    wrong = ((_reason(error, *labels), labels, (error, labels)) for error, labels in labelled)

    def write(why: Reason, item: tuple[Error, tuple[str, str]]) -> Explanation:
        return _explanation(*item, why, matching, (gold, system))

    yield from explain_in_order(wrong, write, lambda why, item: bearing(why, *item[1]))


def _reason(error: Error, gold: str, system: str) -> Reason:
    if error.system is None:
        return "missed"
    if error.gold is None:
        return "spurious"
    if error.has_one_extent:
        return "label"
    return "boundary" if gold == system else "label-and-boundary"


def _label(spans: Spans, rank: int | None) -> str:
    return "" if rank is None else spans.name(rank)


def _explanation(
    error: Error, labels: tuple[str, str], why: Reason, matching: Matching, files: tuple[Document, Document]
) -> Explanation:
    gold, system = files
    unit = int(gold.unit_of(np.array([error.place]))[0])
    sides = ((matching.gold, error.gold, gold.page), (matching.system, error.system, system.page))
    in_gold, in_system = ("" if rank is None else _shown(spans, rank, page) for spans, rank, page in sides)
    extents = [() if rank is None else spans.extent(rank) for spans, rank, _ in sides]
    first = extents[0] or extents[1]
    places = ";".join(f"{start - int(gold.starts[unit])}-{end - int(gold.starts[unit])}" for start, end in first)
    line = system.page.line_at(unit, error.place) if error.system is None else system.page.line(matching.system, error.system)
    return Explanation(
        gold.units[unit],
        why,
        _message(why, in_gold, in_system),
        line,
        _KINDS[why],
        f"{gold.units[unit]} {places} {labels[0] or labels[1]}" + (" spurious" if why == "spurious" else ""),
        in_gold,
        in_system,
        bearing(why, *labels),
        gold.page.passage(unit, *extents),
        pair=labels,
    )


def _shown(spans: Spans, rank: int, page: Page) -> str:
    """Return the label and the text of a span, or its offsets where the text is not known."""
    text = page.text(spans, rank)
    return f"{spans.name(rank)} {quoted(text) if text else ';'.join(f'{start} {end}' for start, end in spans.extent(rank))}"


def _message(why: Reason, gold: str, system: str) -> str:
    if why == "missed":
        return f"{gold} is missed"
    return f"{system} is not in gold" if why == "spurious" else f"{gold} is {system}"


_OF_GOLD = ("tp", "fn", "recall")
_OF_SYSTEM = ("fp", "precision")
_COUNTS = frozenset(("tp", "fp", "fn"))
_SCHEMAS = ("strict", "exact", "partial", "type")
_BLIND: Mapping[Reason, Collection[str]] = {"label": ("exact", "partial"), "boundary": ("type",)}
"""The schemas of SemEval that do not see an error."""


@cache
def bearing(why: Reason, gold: str, system: str) -> tuple[str, ...]:
    """Return which measures would be better without an error that concerns spans of these labels, "" for none.

    Another label alone does not bear on what goes by extents, and another boundary alone not on what goes by overlap and label.
    """
    figures = ["f1", *(_OF_GOLD if gold else ()), *(_OF_SYSTEM if system else ())]
    ratios = [figure for figure in figures if figure not in _COUNTS]
    names = [f"micro.{figure}" for figure in figures]
    names += [f"{average}.{figure}" for average in ("macro", "weighted") for figure in ratios]
    names += [f"unlabelled.{figure}" for figure in figures if why != "label"]
    names += [f"micro.relaxed.{figure}" for figure in ratios if why != "boundary"]
    counts = {"missed": ["missing"], "spurious": ["spurious"]}.get(why, ["incorrect", "partial"]) + ["correct"] * bool(gold)
    names += [
        f"semeval.{schema}.{figure}" for schema in _SCHEMAS if schema not in _BLIND.get(why, ()) for figure in (*ratios, *counts)
    ]
    for label, own in ((gold, _OF_GOLD), (system, _OF_SYSTEM)):
        names += _of_label(label, ("f1", *own), why) if label else ()
    return (*dict.fromkeys(names), "token.accuracy")


def _of_label(label: str, figures: Collection[str], why: Reason) -> Iterator[str]:
    """Yield the measures of a label; only exact ones have counts, and relaxed ones do not see another boundary."""
    yield from (f"{escape(label)}.{figure}" for figure in figures)
    for kind in ("partial",) if why == "boundary" else ("relaxed", "partial"):
        yield from (f"{escape(label)}.{kind}.{figure}" for figure in figures if figure not in _COUNTS)
