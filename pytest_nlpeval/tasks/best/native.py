"""What the organisers' script prints for folders of files: `best_evaluator.py` by Daniel Bauer, Columbia University, of 31 May 2016.

The public repository HiyaToki/DEFT_CUBISM has a copy. It is written for Python 2, which prints floats with 12 digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.best.measures import AVERAGES, FORMULAS, POOLS, PROVENANCES

_FIRST = "Evaluating all files in the specified directories (batch mode)."


def native(reported: Reported) -> str:
    """Return what the script prints of each provenance condition: of all tuples, of beliefs and of sentiments alone.

    The script scores one of these when it is run. A line that begins with `#` says which one follows.
    """
    runs = (_run(reported.values, provenance, pool) for provenance, pool in product(PROVENANCES, POOLS))
    return "".join(f"{line}\n" for run in runs for line in run)


def _run(scores: Mapping[str, float | None], provenance: str, pool: str) -> Iterator[str]:
    only = "" if pool == "all" else f" ({pool} only)"
    yield f"# {provenance} provenance{only}"
    yield _FIRST
    for average in AVERAGES:
        precision, recall, f1 = (_shown(scores[f"{pool}.{provenance}.{average}.{figure}"]) for figure in FORMULAS)
        yield f"\n---{average}-averaged scores{only}---"
        yield f"P: {precision} R: {recall} F: {f1}"


def _shown(value: float | None) -> str:
    return "" if value is None else repr(float(f"{value:.12g}"))
