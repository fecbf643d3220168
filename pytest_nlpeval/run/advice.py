"""Advice on gates without a value, gates that so few units cannot judge, gates that could be tighter, and lopsided documents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from pytest_nlpeval.conditions import Max, MaxDrop, Min, NoGroupFalls
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.metrics.pairing import By, ranks_of
from pytest_nlpeval.numbers import difference, exactly
from pytest_nlpeval.wording import plural

COMFORT = 0.02
"""How far a value's interval must lie on the good side of a bound before a tighter one is proposed."""

ENOUGH_UNITS = 100
"""A suite of fewer units has intervals too wide to propose anything."""

MOST_NAMES = 20
"""How many measures without value a sentence names; all are counted."""


def without_value(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield a sentence for each line of a configuration by which conditions pass or fail for want of a value, with the measures' names.

    A single measure that fails so tells it itself.
    """
    lines: dict[tuple[int, bool], list[str]] = {}
    for verdict in verdicts:
        condition, standing = verdict.condition, verdict.standing
        if condition.has_nothing_to_judge(standing) and condition.holds(standing) is None and (verdict.holds or verdict.fails):
            names = lines.setdefault((verdict.line, verdict.holds), [])
            names += [verdict.measure] if verdict.measure not in names else []
    for (line, holds), names in lines.items():
        shown = ", ".join(names[:MOST_NAMES]) + (f", … ({len(names) - MOST_NAMES} more)" if len(names) > MOST_NAMES else "")
        have = "has" if len(names) == 1 else "have"
        if holds:
            yield f"line {line}: {plural(len(names), 'measure')} {have} no value and {'passes' if len(names) == 1 else 'pass'} so: {shown}"
        elif len(names) > 1:
            yield (
                f"line {line}: {plural(len(names), 'measure')} {have} no value: {shown}; to leave out all of them, set "
                f"`if_no_value: pass` there, to leave out one, add `{names[0]}: {{informational: true}}` under `gates`"
            )


def weak_gates(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield a warning for each bound on a drop that is smaller than the smallest drop that the suite can show.

    Measures that one line of a configuration bounds in the same way (a pattern) have one warning.
    """
    weak: dict[tuple[int, str], list[Verdict]] = {}
    for verdict in verdicts:
        if _is_weak(verdict):
            weak.setdefault((verdict.line, verdict.condition.name), []).append(verdict)
    for alike in weak.values():
        condition, drops = alike[0].condition, sorted(verdict.standing.detectable or 0.0 for verdict in alike)
        measures = alike[0].measure if len(alike) == 1 else plural(len(alike), "measure")
        least, greatest = difference(drops[0]), difference(drops[-1])
        drop = f"a drop of {least}" if len(alike) == 1 else f"drops of {least} to {greatest}"
        effect = "noise can fail the gate" if condition.alpha is None else "the gate often passes a smaller one"
        yield f"{measures} {condition.bound}: this suite shows {drop} or more (with a power of 80 %); {effect}"


def _is_weak(verdict: Verdict) -> bool:
    condition, standing = verdict.condition, verdict.standing
    if (
        not isinstance(condition, MaxDrop)
        or isinstance(condition, NoGroupFalls)
        or standing.detectable is None
        or standing.is_estimate
    ):
        return False
    allowed = condition.allowed(standing)
    return allowed is not None and allowed < standing.detectable


def tighter_thresholds(verdicts: Iterable[Verdict], intervals: Mapping[str, Interval], units: int) -> Iterator[str]:
    """Yield a sentence that names the bounds that could be tighter, if any: in enough units, the interval lies well on their good side.

    Nothing is proposed where a gate fails, nor from an interval without width, which shows nothing. Bounds that one line of a
    configuration sets for several measures (a pattern) are counted, not proposed one by one.
    """
    verdicts = list(verdicts)
    if units < ENOUGH_UNITS or any(verdict.fails for verdict in verdicts):
        return
    lines: dict[int, list[str]] = {}
    measures: dict[int, set[str]] = {}
    for verdict in verdicts:
        measures.setdefault(verdict.line, set()).add(verdict.measure)
        if proposal := _proposal(verdict, intervals.get(verdict.measure)):
            lines.setdefault(verdict.line, []).append(proposal)
    single = [proposal for line, proposals in lines.items() if len(measures[line]) == 1 for proposal in proposals]
    several = [
        f"line {line} for {len(proposals)} of {plural(len(measures[line]), 'measure')}"
        for line, proposals in lines.items()
        if len(measures[line]) > 1
    ]
    if single or several:
        yield f"limits that values clear with their intervals, which could be tighter: {', '.join((*single, *several))}"


def _proposal(verdict: Verdict, interval: Interval | None) -> str:
    """Return a tighter bound on a share; "" if there is none."""
    condition = verdict.condition
    if interval is None or not interval.low < interval.high:
        return ""
    threshold, bound = condition.threshold, None
    if isinstance(condition, Min) and 0 <= threshold <= interval.low - COMFORT <= 1:
        bound = math.floor(interval.low * 100) / 100
    elif isinstance(condition, Max) and 0 <= interval.high + COMFORT <= threshold <= 1:
        bound = math.ceil(interval.high * 100) / 100
    return "" if bound is None else f"{verdict.measure} {condition.bound} → {exactly(bound)}"


def lopsided(evidence: Evidence, by: By) -> Iterator[str]:
    """Yield a sentence if one document or cluster has more than half of the units: every resample then depends on it."""
    if by == "units":  # each is one of many: nothing to look for, and ranking them takes more room than counting them did
        return
    ranks = ranks_of(evidence, by)
    sizes = np.bincount(ranks, minlength=1)
    if sizes.max() * 2 > len(ranks) and len(sizes) > 1:
        greatest = int(sizes.argmax())
        row = int(np.flatnonzero(ranks == greatest)[0])
        document = evidence.documents[int(evidence.document_ranks()[row])]
        name = f"the document {document}" if by == "documents" else f"the cluster of {evidence.units[row]}"
        share = sizes[greatest] / len(ranks)
        yield f"{name} holds {share:.0%} of the units: intervals and tests draw {by}, and hang on that one"
