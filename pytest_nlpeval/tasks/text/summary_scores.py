"""ROUGE: means over segments of precision, recall and F.

Source: C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004; rouge-score 0.1.2 for the profile `published`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from pytest_nlpeval.kit.prf import FIGURES, Figure
from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Values
from pytest_nlpeval.metrics.prf import f_of, ratio
from pytest_nlpeval.tasks.text.columns import ANSWERED
from pytest_nlpeval.tasks.text.figures import TextFigure
from pytest_nlpeval.tasks.text.options import Options
from pytest_nlpeval.tasks.text.view import Rates, View

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_WHAT = {
    "rouge1": "words",
    "rouge2": "pairs of words",
    "rougeL": "the longest common subsequence of words",
    "rougeLsum": "the unions of the longest common subsequences of sentences",
}

_FORMULAS = {"precision": "Σ m / h", "recall": "Σ m / r", "f1": "Σ 2PR / (P + R)"}
_NAMES = {"precision": "precision", "recall": "recall", "f1": "F"}


def rouge_figures(family: str) -> Iterator[TextFigure]:
    """Yield F, precision and recall of a kind of ROUGE."""
    for figure in reversed(FIGURES):
        yield TextFigure(
            family if figure == "f1" else f"{family}.{figure}",
            f"Mean of the segments' {_NAMES[figure]} of {_WHAT[family]}.",
            f"{_FORMULAS[figure]} of a segment / segments",
            partial(_mean, family, figure),
            triple=(family, figure),
        )


def _mean(family: str, figure: Figure, view: View, _options: Options) -> Values:
    return view.mean(f"{family} {figure} of segments", partial(_of_segments, family, figure))


def _of_segments(family: str, figure: Figure, evidence: Evidence) -> Rates:
    m, h, r = (evidence.column(f"{family}.{name}").astype(np.float64) for name in "mhr")
    precision, recall = ratio(m, h, 0.0), ratio(m, r, 0.0)
    values = {"precision": precision, "recall": recall, "f1": f_of(precision, recall)}[figure]
    values = np.where(evidence.column(f"{family}.one") == 1, 1.0, values)
    return np.where(evidence.column(ANSWERED) == 1, values, 0.0)
