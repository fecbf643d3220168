"""The lines of coval's and the CorefUD scorer's report: recall, precision and F in percent, then the CoNLL score."""

from __future__ import annotations

from pytest_nlpeval.task import Reported

NAMES = ("mentions", "muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zeros")


def native(reported: Reported) -> str:
    """Return a line for each measure; a share without value is `-`, where those scorers write 0.00."""
    lines = [_line(name, *(reported.values[f"{name}.{figure}"] for figure in ("recall", "precision", "f1"))) for name in NAMES]
    return "\n".join([*lines, f"CoNLL score: {_percent(reported.values['conll.f1'])}", ""])


def _line(name: str, recall: float | None, precision: float | None, f1: float | None) -> str:
    return f"{name:<10} Recall: {_percent(recall)}  Precision: {_percent(precision)}  F1: {_percent(f1)}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"
