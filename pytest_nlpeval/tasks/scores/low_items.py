"""Which items are worst, and why: failed records, values that are not there, values that do not pass, low values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from pytest_nlpeval.explanations import Explanation, Omitted, Passage, explain_in_order
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.scores.gold import Gold
from pytest_nlpeval.tasks.scores.options import Options, Result
from pytest_nlpeval.tasks.scores.outcomes import Outcome
from pytest_nlpeval.tasks.scores.slots import Floats
from pytest_nlpeval.tasks.scores.system import System

Reason = Literal["error", "missing", "failed", "flaky", "low"]

MOST_LOW = 20
_ORDER: dict[Reason, int] = {"error": 0, "missing": 1, "failed": 2, "flaky": 2, "low": 3}


def explain(gold: Gold, system: System, options: Options) -> Iterator[Explanation | Omitted]:
    """Yield why items are not right, the worst first: failed records, missing values, values that do not pass, then low ones.

    Of a result without `pass`, the worst values that are there are told, which need not be wrong; one that no item beats is not told.
    """
    writer = _Writer(gold, system, options)
    wrong = [entry for result in options.results if result.name in system.outcomes for entry in _wrong(gold, system, result)]
    wrong.sort(key=lambda entry: entry.order)
    yield from explain_in_order(
        ((entry.reason, entry.result.name, entry) for entry in wrong),
        lambda _, entry: writer.written(entry),
        lambda _, entry: writer.measures_of(entry),
    )


@light_dataclass(frozen=True, slots=True)
class _Wrong:
    """An item that is not right, or low, in a result."""

    reason: Reason
    result: Result
    item: int
    order: tuple[int, float, str, str]


def _wrong(gold: Gold, system: System, result: Result) -> Iterator[_Wrong]:
    from pytest_nlpeval.tasks.scores.counting import passing

    outcome, slots = system.outcomes[result.name], system.slots
    sizes = np.maximum(slots.sizes, 1)
    means = slots.sums(slots.ascending(np.where(np.isnan(outcome.values), 0.0, outcome.values))) / sizes
    badness = np.where(outcome.skipped, math.inf, means if result.better == "higher" else -means)
    failing = np.zeros(len(sizes), np.bool_)
    shares = np.ones(len(sizes))
    if result.passes is not None:
        shares = slots.counts(passing(outcome.values, result)) / sizes
        failing = (shares < 1) & ~outcome.skipped & (slots.sizes > 0)
    low = _lowest(badness, outcome, gold) if result.passes is None else np.zeros(0, np.int64)
    is_told = outcome.lacks | failing
    is_told[low] = True
    for item in np.flatnonzero(is_told).tolist():
        reason: Reason
        if outcome.lacks[item]:
            reason = "error" if system.failed[item] else "missing"
        else:
            reason = "low" if result.passes is None else "failed" if shares[item] < 0.5 else "flaky"
        order = (_ORDER[reason], float(badness[item]), gold.units[item], result.name)
        yield _Wrong(reason, result, item, order)


def _lowest(badness: Floats, outcome: Outcome, gold: Gold) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the items with the worst values, ties by their names; none that lack a value, and none that no other item beats."""
    items = np.flatnonzero(~outcome.lacks & ~outcome.skipped)
    if len(items):
        items = items[badness[items] < badness[items].max()]
    if len(items) > MOST_LOW:
        bound = np.partition(badness[items], MOST_LOW - 1)[MOST_LOW - 1]
        items = items[badness[items] <= bound]
    worst = sorted(items.tolist(), key=lambda item: (badness[item], gold.units[item]))
    return np.array(worst[:MOST_LOW], np.int64)


_KINDS: dict[Reason, Literal["missed", "wrong-value", "partial", "value"]] = {
    "error": "missed",
    "missing": "missed",
    "failed": "wrong-value",
    "flaky": "partial",
    "low": "value",
}

_MOST_VALUES = 10


@light_dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the explanation of an item in a result."""

    gold: Gold
    system: System
    options: Options

    def written(self, wrong: _Wrong) -> Explanation:
        """Say what the item has, with what it is about."""
        unit, result = self.gold.units[wrong.item], wrong.result
        start, size = int(self.system.slots.starts[wrong.item]), int(self.system.slots.sizes[wrong.item])
        outcome = self.system.outcomes[result.name]
        values = outcome.values[start : start + size]
        absent = outcome.absent[start : start + size]
        row = self._worst_row(start, values, absent, result)
        message = f"{result.name}: {self._said(wrong, values, absent)}"
        quotes = [*self.gold.quotes.of(int(self.gold.rows[wrong.item])), *self.system.quotes.of(row)]
        return Explanation(
            unit,
            wrong.reason,
            message,
            self.system.lines[row] if row >= 0 else None,
            _KINDS[wrong.reason],
            f"{unit}:{result.name}",
            "" if result.passes is None else f"{_UNTIL[result.better]} {result.passes:g}",
            _passed(values, absent, result),
            self.measures_of(wrong),
            Passage.cut(" | ".join(quotes)) if quotes else None,
            group=result.name,
            gold_line=self.gold.ids.first_lines.get(unit) if self.gold.ids and row < 0 else None,
        )

    def _worst_row(self, start: int, values: Floats, absent: np.ndarray[tuple[int], np.dtype[np.bool_]], result: Result) -> int:
        """Return the record of the worst value: of one that is not there, if possible; -1 for none."""
        rows = self.system.rows[start : start + len(values)]
        badness = np.where(absent, -math.inf, values if result.better == "higher" else -values)
        places = [place for place in np.argsort(badness, kind="stable").tolist() if rows[place] >= 0]
        failed = [place for place in places if int(rows[place]) in self.system.errors]
        return int(rows[(failed or places)[0]]) if places else -1

    def _said(self, wrong: _Wrong, values: Floats, absent: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
        result, size = wrong.result, len(values)
        told = _passed(values, absent, result)
        if wrong.reason not in ("error", "missing"):
            mean = f", mean {float(values.mean()):.6g}" if size > 1 else ""
            limit = "" if result.passes is None else f"; a value passes if it is {_UNTIL[result.better]} {result.passes:g}"
            return f"{told}{mean}{limit}"
        number = int(absent.sum())
        where = "" if size == 1 else f" in {number} of {size} repeats"
        counts = "the item is left out of it" if result.missing is None else f"each counts as {result.missing:g}"
        errors = (self.system.errors.get(row) for row in self.system.rows[self._slots(wrong.item)].tolist())
        error = next((text for text in errors if text), "")
        record = f"; the record says {error}" if error and wrong.reason == "error" else ""
        return f"no value{where}; {counts}{record}{'' if absent.all() else f'; {told}'}"

    def _slots(self, item: int) -> slice:
        start = int(self.system.slots.starts[item])
        return slice(start, start + int(self.system.slots.sizes[item]))

    def measures_of(self, wrong: _Wrong) -> tuple[str, ...]:
        """Return the measures that would be better without it."""
        names = [f"{wrong.result.name}.*"]
        if wrong.reason in ("error", "missing"):
            names += ["coverage", *(["errors"] if wrong.reason == "error" else [])]
        if wrong.result.passes is not None:
            names.append("all.*")
        group = int(self.gold.group[wrong.item])
        if group < 0:
            return tuple(names)
        return (*names, *(f"{prefix}.{name}" for prefix in ("macro", f"group.{self.gold.groups[group]}") for name in names))


_UNTIL = {"higher": "at least", "lower": "at most"}


def _passed(values: Floats, absent: np.ndarray[tuple[int], np.dtype[np.bool_]], result: Result) -> str:
    """Return the values, with how many pass: `1 of 3 pass: 1, 0, -`; of a single one that is not there `no value`."""
    from pytest_nlpeval.tasks.scores.counting import passing

    if absent.all() and len(values) == 1:
        return "no value"
    shown = ["-" if is_absent else f"{value:.6g}" for value, is_absent in zip(values.tolist(), absent.tolist(), strict=True)]
    listed = ", ".join(shown[:_MOST_VALUES]) + (", …" if len(shown) > _MOST_VALUES else "")
    if result.passes is None or len(values) < 2:
        return listed
    return f"{int(passing(values, result).sum())} of {len(values)} pass: {listed}"
