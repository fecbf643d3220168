"""Which items stand for what became worse: of the kinds that grew most, in proportion, of different documents, and of a failed gate."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.reports.bearing import bearing_on
from pytest_nlpeval.reports.digest_parts import Example, Growth
from pytest_nlpeval.reports.growth import NO_LABEL, pair_name
from pytest_nlpeval.reports.model import ExplanationReport, SuiteReport
from pytest_nlpeval.reports.view import KNOWN, ranks_by_guards

MOST = 20
"""How many examples of a suite are chosen."""

LONGEST = 80
"""Code points of what both sides have, told in place of the message."""

LONGEST_MESSAGE = 160
"""Code points of a message that is told because it says what both sides have, and more."""


class _Sort(NamedTuple):
    """What tells items apart: the kind that is drawn in proportion, then what spreads the items of a kind."""

    kind: str
    document: str
    pair: str
    group: str


def examples_of(suite: SuiteReport, growths: Sequence[Growth], most: int = MOST) -> list[Example]:
    """Return at most `most` examples of a suite.

    Items that a failing guard counts come first. Then come newly wrong items that bear on a measure that fails, or, if no item is newly
    wrong, wrong ones. The kinds share the places by the method of D'Hondt: of growths of 73, 36 and 15 the first five places go to 4, 1 and
    0 items. The items of a kind are of different documents, pairs and groups as long as there are any. Known failures are no examples.
    """
    pool = _pool(suite)
    weights = _weights(growths)
    rank = ranks_by_guards(suite)
    guarded, others = ([entry for entry in pool if (rank(entry) < 0) == is_guarded] for is_guarded in (True, False))
    before = {(change.case, change.explanation.item): change.before for change in suite.changes.first} if suite.changes else {}
    chosen = [*guarded[:most], *_spread(others, weights, max(0, most - len(guarded)))]
    return [_example(entry, before.get((entry.case, entry.explanation.item))) for entry in chosen]


def _pool(suite: SuiteReport) -> Sequence[ExplanationReport]:
    """Return the items to choose from: the first of some sets that is not empty."""
    rank = ranks_by_guards(suite)
    wrong = [entry for entry in suite.explained.first if rank(entry) < KNOWN]
    guarded = [entry for entry in wrong if rank(entry) < 0]
    real = [entry for entry in wrong if entry.explanation.kind != "value"] or wrong
    newly = [entry for entry in real if entry.change == "newly_wrong"]
    bears = bearing_on({gate.measure for gate in suite.gates if gate.fails})
    pool = newly or real
    bearing = [entry for entry in pool if bears(entry.explanation)]
    return [*guarded, *(entry for entry in bearing or pool if rank(entry) == 0)]


def _weights(growths: Sequence[Growth]) -> Mapping[str, int]:
    """Return what each kind is drawn in proportion to: its growth, or the number of its wrong items where nothing grew; at least 1."""
    by = {growth.by: growth for growth in growths}
    growth = by.get("reason") if "reason" in by and len(by["reason"].kinds) > 1 else by.get("pair") or by.get("reason")
    if growth is None:
        return {}
    has_grown = bool(growth.grown)
    return {kind.name: max(1, kind.growth if has_grown else kind.today) for kind in growth.kinds}


def _sort_of(entry: ExplanationReport, weights: Mapping[str, int]) -> _Sort:
    explanation = entry.explanation
    pair = pair_name(*explanation.pair) if explanation.pair else ""
    kind = explanation.reason if explanation.reason in weights or pair not in weights else pair
    return _Sort(kind, entry.case, pair, explanation.group)


def _spread(entries: Iterable[ExplanationReport], weights: Mapping[str, int], most: int) -> Iterator[ExplanationReport]:
    """Yield items so that kinds share the places by their weights, and items of a kind differ in document, pair and group."""
    left: dict[str, dict[_Sort, deque[ExplanationReport]]] = {}
    for entry in entries:
        sort = _sort_of(entry, weights)
        left.setdefault(sort.kind, {}).setdefault(sort, deque()).append(entry)
    places: Counter[str] = Counter()
    used: Counter[tuple[int, str]] = Counter()
    for _ in range(most):
        if not left:
            return
        kind = max(left, key=lambda name: (weights.get(name, 1) / (places[name] + 1), weights.get(name, 1)))
        sorts = left[kind]
        sort = min(sorts, key=lambda each: [used[place, name] for place, name in enumerate(each)][1:])
        yield sorts[sort].popleft()
        places[kind] += 1
        used.update(enumerate(sort))
        if not sorts[sort]:
            del sorts[sort]
        if not sorts:
            del left[kind]


def _example(entry: ExplanationReport, before: Explanation | None) -> Example:
    explanation = entry.explanation
    kind = pair_name(*explanation.pair) if explanation.pair else explanation.reason
    return Example(entry, kind, said_of(explanation), f"{before.reason}: {before.message}" if before else "")


def said_of(explanation: Explanation) -> str:
    """Return what both sides have, `gold LOC, system ORG, too short`; the message where that is long, or a side is told nothing of.

    A message that names both and is no longer than two lines or so is told, too: it says what the two are.

    That a side has nothing is said where the difference is just that: it is spurious, or missed. Labels do not stand for what a side has
    where it begins with something else, as the ends of a relation do.
    """
    if explanation.pair is not None and _begin_with_labels(explanation, explanation.pair):
        gold, system = (side or NO_LABEL for side in explanation.pair)
        extent = _extent_words(explanation)
        same = "too" if gold == system else ""
        return f"gold {gold}, system {system}{f' {same}' if same and not extent else ''}{extent}"
    sides = (explanation.gold, explanation.system)
    if any(sides) and all(side in explanation.message for side in sides) and len(explanation.message) <= LONGEST_MESSAGE:
        return explanation.message
    gold, system = (side or NO_LABEL for side in sides)
    is_gold_told, is_system_told = (
        explanation.gold or explanation.kind == "spurious",
        explanation.system or explanation.kind == "missed",
    )
    if is_gold_told and is_system_told and any(sides) and len(gold) + len(system) <= LONGEST:
        return f"gold {gold}, system {system}"
    return explanation.message


def _begin_with_labels(explanation: Explanation, labels: tuple[str, str]) -> bool:
    return explanation.gold.startswith(labels[0]) and explanation.system.startswith(labels[1])


def _extent_words(explanation: Explanation) -> str:
    """Return how the system's marks differ from gold's in extent: `, too short`; "" if they do not, or a side has none."""
    passage = explanation.passage
    if passage is None or not passage.gold or not passage.system or passage.gold == passage.system:
        return ""
    gold, system = ({place for span in spans for place in range(*span)} for spans in (passage.gold, passage.system))
    if system < gold:
        return ", too short"
    return ", too long" if gold < system else ", other place"
