"""Evidence of a system's output: one row per item."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.columns import CLUSTER
from pytest_nlpeval.evidence import Categorical, Column, Evidence, Sparse
from pytest_nlpeval.kit.records import left_out_columns
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.labels.answers import Answers, Floats
from pytest_nlpeval.tasks.labels.columns import GOLD, GROUP, JUDGED, LONE, PROBABILITY, SYSTEM, pair_column
from pytest_nlpeval.tasks.labels.gold import Gold
from pytest_nlpeval.tasks.labels.limits import pairs_of
from pytest_nlpeval.tasks.labels.options import Options
from pytest_nlpeval.tasks.labels.system import System
from pytest_nlpeval.tasks.labels.wrong_items import explain


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per item of gold, named by its id or the number of its row, and why items are not right.

    Columns: `judged`, 0 or 1; `gold.<label>` and `system.<label>`, 1 for the items that have it, or for scores `gold` and `system`;
    `p.<label>`, the probability of a label, or `p`, that of the positive one alone; `group.<value>`, 1 for the items of a group, and
    `group.<value>.<label>`, which has no number and says that gold or system has the label in the group; and what items belong to.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    length = len(gold.units)
    columns: dict[str, Column] = {JUDGED: system.answers.given.astype(np.int8)}
    if options.is_score:
        columns |= {GOLD: gold.answers.numbers, SYSTEM: system.answers.numbers}
    else:
        columns |= _flags(GOLD, gold.answers, length) | _flags(SYSTEM, system.answers, length)
    probabilities = system.probabilities
    columns |= {f"{PROBABILITY}{label}": _narrow(numbers) for label, numbers in sorted(probabilities.columns.items())}
    if probabilities.lone is not None:
        columns[LONE] = probabilities.lone
    for place, value in enumerate(gold.groups):
        rows = np.flatnonzero(gold.group == place)
        columns[f"{GROUP}{value}"] = Sparse.of(rows, np.ones(len(rows), np.int8), length)
    if gold.clusters is not None:
        columns[CLUSTER] = Categorical.of(gold.clusters)
    nothing = Sparse.of([], np.zeros(0, np.int8), length)
    pairs = pairs_of(gold.answers, gold.group) | pairs_of(system.answers, gold.group)
    columns |= {pair_column(gold.groups[place], label): nothing for place, label in sorted(pairs)}
    columns |= left_out_columns(gold.left_out + system.left_out, length)
    return Counted(Evidence.of(gold.units, columns), explain(gold, system, options))


def _flags(prefix: str, answers: Answers, length: int) -> dict[str, Column]:
    """Return a column for each label, 1 where a row has it."""
    order = np.argsort(answers.codes, kind="stable")
    bounds = np.searchsorted(answers.codes[order], np.arange(len(answers.names) + 1))
    rows = answers.rows[order]
    return {
        f"{prefix}.{name}": Sparse.of(rows[start:end], np.ones(end - start, np.int8), length)
        for name, start, end in zip(answers.names, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    }


def _narrow(numbers: Floats) -> Column:
    """Return numbers as a column, a sparse one where that takes less room."""
    return Sparse.from_dense(numbers) if np.count_nonzero(numbers) * 2 < len(numbers) else numbers
