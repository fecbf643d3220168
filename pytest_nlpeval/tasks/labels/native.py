"""The report that scikit-learn prints: `classification_report`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from pytest_nlpeval.task import Reported
from pytest_nlpeval.wording import printable

SUPPORT = "support"
"""The name of the graph that has gold's number of items of each label."""

_FIGURES = ("precision", "recall", "f1")
_HEADER = ("precision", "recall", "f1-score", "support")
_AVERAGES = ("micro", "macro", "weighted", "samples")

Scores = Mapping[str, float | None]


def native(reported: Reported) -> str:
    """Return precision, recall, F1 and gold's number of items of each label and of the averages; of the kind score a line for each measure.

    The labels are those that averages are over. What has no value is left empty. Groups are left out.
    """
    scores = {name: value for name, value in reported.values.items() if not name.startswith("group.")}
    if reported.signature["kind"] == "score":
        return _of_scores(scores)
    support = {bar["name"]: int(bar["value"]) for bar in reported.graphs[SUPPORT]["bars"]}
    nobody_has = 0.0 if reported.signature["profile"] == "sklearn" else None  # the label, which then has no measures
    table = {f"{label}.{figure}": nobody_has for label in support for figure in _FIGURES} | scores
    return _table(table, support, has_accuracy=_is_accuracy(table, support if "averaged" in reported.signature else ()))


def _of_scores(scores: Scores) -> str:
    width = max(map(len, scores))
    return "".join(f"{name:>{width}} {'' if value is None else f'{value:.4f}'}\n" for name, value in scores.items())


def _table(scores: Scores, support: Mapping[str, int], *, has_accuracy: bool) -> str:
    averages = [row for row in _AVERAGES if f"{row}.f1" in scores and not (has_accuracy and row == "micro")]
    titles = {**{label: printable(label) for label in support}, **{average: f"{average} avg" for average in averages}}
    width = max(map(len, titles.values()))
    total = sum(support.values())
    lines = [_row("", _HEADER, width), ""]
    lines += (_row(titles[label], (*_figures(scores, label), number), width) for label, number in support.items())
    lines += [""]
    if has_accuracy:
        lines.append(_row("accuracy", ("", "", _shown(scores["accuracy"]), total), width))
    lines += (_row(titles[average], (*_figures(scores, average), total), width) for average in averages)
    return "\n".join([*lines, ""])


def _is_accuracy(scores: Scores, averaged: Collection[str]) -> bool:
    """Return whether accuracy stands for the micro averages: an item has one label, and all labels that there are are averaged.

    `averaged` are the labels that a configuration chooses; without a choice all are.
    """
    if "accuracy" not in scores or any(scores[f"micro.{figure}"] != scores["accuracy"] for figure in _FIGURES):
        return False
    return not averaged or {name.removesuffix(".f1") for name in scores if name.endswith(".f1")} <= {*averaged, *_AVERAGES}


def _figures(scores: Scores, row: str) -> list[str]:
    return [_shown(scores[f"{row}.{figure}"]) for figure in _FIGURES]


def _row(title: str, cells: Iterable[str | int], width: int) -> str:
    return "".join([f"{title:>{width}} ", *(f" {cell:>9}" for cell in cells)])


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:0.2f}"
