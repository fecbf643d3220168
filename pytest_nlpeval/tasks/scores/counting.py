"""Evidence of a system's output: one row per item."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytest_nlpeval.columns import CLUSTER, narrow
from pytest_nlpeval.evidence import Categorical, Column, Evidence, Sparse
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.scores.columns import (
    ERROR,
    GROUP,
    LACKS,
    LEFT_OUT,
    MEAN,
    PASSES,
    SAME_RECORDS,
    SIZE,
    SUM,
    VARIANCE,
    WHOLE,
    WHOLE_OF,
    of_result,
    value_column,
)
from pytest_nlpeval.tasks.scores.gold import Gold
from pytest_nlpeval.tasks.scores.low_items import explain
from pytest_nlpeval.tasks.scores.options import Options, Result
from pytest_nlpeval.tasks.scores.slots import Flags, Floats, Rows, Slots
from pytest_nlpeval.tasks.scores.system import System


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per item of gold, named by its id or the number of its row, and which items are worst.

    Columns of a result begin with its name: `lacks`, 1 for an item that lacks it; `n`, how many values count, 0 for an item that is left
    out; and as far as measures need them the `mean` of the values, their `sum` and `variance`, how many of them are `passes`, and the
    values themselves in ascending order (`value.1` and so on). The columns `all.passes` and `all.of` are the repeats in which every result
    passes, and all repeats; `error` is 1 for an item with a failed record, `group.<value>` for the items of a group. Columns that begin
    with `@` are no counts.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    length = len(gold.units)
    columns: dict[str, Column] = {}
    for result in options.results:
        if result.name in system.outcomes:  # an old output may lack a new result
            columns |= _of_result(result, system)
    if len(options.passing) > 1 and all(result.name in system.outcomes for result in options.passing):
        columns |= _of_all(system, options)
    if options.error:
        columns[ERROR] = _flags(system.failed)
    for place, value in enumerate(gold.groups):
        columns[f"{GROUP}{value}"] = _flags(gold.group == place)
    if gold.clusters is not None:
        columns[CLUSTER] = Categorical.of(gold.clusters)
    if system.records == gold.records:
        columns[SAME_RECORDS] = _told(1, length)
    if left_out := gold.left_out + system.left_out:
        columns[LEFT_OUT] = _told(left_out, length)
    return Counted(Evidence.of(gold.units, columns), explain(gold, system, options))


def _flags(flags: Flags) -> Sparse:
    return Sparse.from_dense(flags.astype(np.int8))


def _told(number: int, length: int) -> Sparse:
    """Return a column that tells one number of a document, in its first row."""
    return Sparse.of([0], np.array([number], np.int64), length)


def passing(values: Floats, result: Result) -> Flags:
    """Return which values pass."""
    if result.passes is None:
        return np.zeros(len(values), np.bool_)
    return values >= result.passes if result.better == "higher" else values <= result.passes


def _of_result(result: Result, system: System) -> Iterator[tuple[str, Column]]:
    outcome, slots = system.outcomes[result.name], system.slots
    is_counted = ~outcome.skipped
    sizes = np.where(is_counted, slots.sizes, 0)
    yield of_result(result.name, LACKS), _flags(outcome.lacks)
    yield of_result(result.name, SIZE), narrow(sizes)
    measures = {name.partition("@")[0].partition("^")[0] for name in result.measures}
    values = slots.ascending(np.where(is_counted[slots.items], outcome.values, 0.0))
    sums = slots.sums(values)
    if measures & {"pass_rate", "pass", "flaky"}:
        passes = np.where(is_counted, slots.counts(passing(outcome.values, result)), 0)
        yield of_result(result.name, PASSES), narrow(passes)
    means = sums / np.maximum(sizes, 1)
    if "mean" in measures:
        yield of_result(result.name, MEAN), means
    if "sum" in measures:
        yield of_result(result.name, SUM), sums
    if "within_sd" in measures:
        squares = slots.sums(np.where(is_counted[slots.items], (values - means[slots.items]) ** 2, 0.0))
        yield of_result(result.name, VARIANCE), squares / np.maximum(sizes - 1, 1)
    if result.percentiles:
        yield from _values(result, values, sizes, slots)


def _values(result: Result, values: Floats, sizes: Rows, slots: Slots) -> Iterator[tuple[str, Column]]:
    """Yield a column for each place of a value; values behind an item's size are 0 and do not count."""
    length = len(sizes)
    for rank in range(int(sizes.max(initial=0))):
        items = np.flatnonzero(sizes > rank)
        numbers = values[slots.starts[items] + rank]
        column = Sparse.of(items, numbers, length)
        yield value_column(result.name, rank + 1), column if 2 * len(column.rows) < length else column.dense()


def _of_all(system: System, options: Options) -> Iterator[tuple[str, Column]]:
    """Yield in how many repeats of each item every result passes, and how many repeats there are: none if the item is left out of one."""
    slots = system.slots
    every = np.ones(slots.number, np.bool_)
    is_counted = np.ones(len(slots.sizes), np.bool_)
    for result in options.passing:
        outcome = system.outcomes[result.name]
        every &= passing(outcome.values, result)
        is_counted &= ~outcome.skipped
    yield WHOLE, narrow(np.where(is_counted, slots.counts(every), 0))
    yield WHOLE_OF, narrow(np.where(is_counted, slots.sizes, 0))
